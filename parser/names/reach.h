/* The one way to the files whose paths the input chose: recorded paths, debug links, alternate and
 * split files, names of sources, perf maps and jitdumps of a pid, roots of containers. A capture is
 * not to make root read what is nobody's business, nor what acts on being read.
 *
 *   below a directory that the user named    any regular file in it; ".." does not lead out, nor
 *                                            does a link, but to what the next two lines allow
 *   a file that the user named               is opened as it is
 *   elsewhere, on this host or in the root   regular files that anybody may read, and on the way to
 *   of a container                           which are only directories that are open to all or the
 *                                            user's own; of programs also what is in directories of
 *                                            programs and libraries, and an ordinary user's own;
 *                                            and perf-PID.map and jit-PID.dump
 *   in /proc, /sys, /dev, /run, and all      never, also by way of a link
 *   file systems of the kernel's
 *
 * What is refused is kept, to be told. Several threads may ask at once. */
#ifndef PDTOOL_SYMBOLS_REACH_H
#define PDTOOL_SYMBOLS_REACH_H

#include "parser/base/err.h"
#include "parser/base/watched.h"

#define REACH_TOLD_MAX (1u << 20) /* bytes of refused paths that are kept */
#define REACH_REFUSED  "path-refused"

struct reach;

enum reach_use {
	REACH_PROGRAM, /* its build-id or inode is looked at, and nothing of it is shown as it is */
	REACH_TEXT,    /* its lines are shown */
};

enum reach_tree {
	REACH_ALL,
	REACH_MAPS, /* only what is called perf-PID.map or jit-PID.dump */
};

struct reach *reach_new(void);
void reach_free(struct reach *r);
/* What the user named, before the first is opened; NULL: nothing. */
void reach_add_tree(struct reach *r, const char *dir, enum reach_tree what);
void reach_add_file(struct reach *r, const char *path);
/* ROOT, "/proc/PID/root", is that of a process whose files are to be looked at. */
void reach_add_root(struct reach *r, const char *root);

/* This process gave up the right to look at the roots of others. */
void reach_is_boxed(struct reach *r);
/* Nothing was found below ROOT, that of a recorded process: for want of that right, it is told. */
void reach_missed_root(struct reach *r, const char *root);

/* A descriptor on the regular file at PATH, at its start, for the caller to close. ERR_ABSENT,
 * ERR_FORMAT not a regular file, ERR_IO: errno says why, 0 that the rule refuses it. R NULL: the
 * user chose the path. */
int reach_open(struct reach *r, const char *path, enum reach_use use) CHECKED;
/* The same for a file that was found in a directory that the user named: its links may lead out of
 * there, but not into the kernel's file systems. */
int reach_open_listed(const char *path) CHECKED;
/* PATH was opened, and reading it failed with ERROR, an errno: to be told. R NULL: nobody is. */
void reach_fault(struct reach *r, const char *path, int error);
/* PATH, or a part of it, is not used as it is larger than a bound: WHY, a literal, to be read after
 * it. */
void reach_limit(struct reach *r, const char *path, const char *why);
/* Why PATH was refused or could not be opened, to be read after it; R's. NULL: it was not, or it is
 * not there. Who asks tells it. */
const char *reach_why(struct reach *r, const char *path);
/* Be told of the COUNT files at LIST, which live as long as R, when one is opened: before the first
 * is opened. */
void reach_watch(struct reach *r, struct watched *list, size_t count);
/* FD was opened without R, or -1. */
void reach_met(struct reach *r, int fd);
/* Tell what was refused since the last time and nobody has asked for, what was larger than a bound,
 * and as a failure what the system could not open. */
void reach_report(struct reach *r, struct warnings *w);

#endif
