/* Which files this process may still open, by Landlock. Looking whether a file is there, and
 * whose it is, stays possible everywhere: Landlock knows no right for that. */
#ifndef PDTOOL_LANDLOCK_H
#define PDTOOL_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct landlock {
	int abi;	  /* 0: this kernel has none, and the functions below do nothing */
	int fd;		  /* of the ruleset; -1: none */
	uint64_t handled; /* rights that are forbidden where no rule grants them */
	int error;	  /* an errno: a rule could not be made; 0: all were */
	char *path;	  /* for which one; the caller's to free */
};

enum landlock_use {
	LANDLOCK_READ,	/* this file, or all that is in this directory and below it */
	LANDLOCK_LIST,	/* what is in this directory and below it, by name only */
	LANDLOCK_WRITE, /* the same as LANDLOCK_READ; make, replace and remove files, too */
	LANDLOCK_CACHE, /* and directories */
};

/* NETWORK: TCP stays. To be ended by landlock_enter(), also when something fails between. */
void landlock_begin(struct landlock *l, bool network);
/* PATH may be used so from now on, by who enters. What is not there, or may not be opened
 * by this user, is left out; what fails otherwise sets the error. */
void landlock_allow(struct landlock *l, const char *path, enum landlock_use use);
/* What lies below PATH is made anew each time it is looked up (/proc): it stays what it is now.
 * False: it is not there. */
bool landlock_allow_pinned(struct landlock *l, const char *path);
/* PATH, which should be allowed, failed with errno. */
void landlock_failed(struct landlock *l, const char *path);
/* From now on for this thread and for those that it makes. False: it is not in force, as with
 * an error. */
bool landlock_enter(struct landlock *l);

#endif
