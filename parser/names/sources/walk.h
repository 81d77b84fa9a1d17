/* Follow a path one name after the other, so that it is known where it leads before anything is
 * opened: looking (O_PATH) has no effect, not on a FIFO, a device or a file of /proc.
 *
 * Nothing is ever above the root: neither ".." nor a link leads out of it, and a link to "/a" is
 * one to ROOT/a. A file system in which the kernel shows itself (proc, sysfs, tracefs, ...) is
 * never entered: what is in it is no file, and its links go anywhere. */
#ifndef PDTOOL_SYMBOLS_WALK_H
#define PDTOOL_SYMBOLS_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "parser/base/buf.h"
#include "parser/base/err.h"

#define WALK_LINKS_MAX 40    /* as the kernel's */
#define WALK_STEPS_MAX 16384 /* names; ".." begins anew */

enum walk_end {
	WALK_FILE, /* something is there, and no directory */
	WALK_DIRECTORY,
	WALK_ABSENT,  /* nothing is there */
	WALK_DENIED,  /* the system refused */
	WALK_KERNELS, /* a file system of the kernel's */
	WALK_ENDLESS, /* too many links, or names */
};

struct walk {
	/* set by the caller: whose directories are not closed; what is known, or NULL */
	uid_t own[2];
	struct known_dirs *known;
	struct stat st;	      /* of the file */
	struct buf at;	      /* its path below the root, without links and dots */
	bool closed;	      /* others may not pass a directory on the way */
	bool linked;	      /* a link was followed */
	int error;	      /* an errno, of WALK_DENIED */
	const char *from;     /* its root */
	dev_t dev;	      /* of the directory; 0: not known */
	int root, dir, file;  /* the directory that it is in, and the file itself: O_PATH, or -1 */
	struct known_dir *in; /* where DIR is one of these; NULL: it is the walk's own */
};

/* Directories that walks of one user passed lately, without a link, so that others on the same way
 * begin there. For several threads at once. */
struct known_dirs *known_dirs_new(void)
	__attribute__((malloc, returns_nonnull, warn_unused_result));
void known_dirs_free(struct known_dirs *p);

/* Follow PATH from the directory ROOT on, which may itself be a link. To be released whatever comes
 * of it. */
enum walk_end walk_to(struct walk *w, const char *root, const char *path) CHECKED;
/* Open the file that was found, to be read. -1: errno says why not. What is opened should be looked
 * at once more: its name may have got another meaning. */
int walk_open(const struct walk *w) CHECKED;
void walk_release(struct walk *w);

#endif
