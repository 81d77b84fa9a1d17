/* A file that is whole or absent: written where nobody sees it and put in its place in one step,
 * once all of it has reached the disk. Until then, and after any failure, what was there before is
 * there unchanged.
 *
 * It has no name meanwhile where the file system can do that (O_TMPFILE), so that nothing is left
 * even of a process that was killed. Elsewhere, and for the moment in between, it lies beside its
 * place as .NAME.pdtool-unfinished-XXXXXXXXXXXXXXXX, which a process that a signal ends may unlink
 * itself: newfile_scrap() tells the name before there is such a file. One that was left by SIGKILL
 * or a crash of the machine is in nobody's way, as no other process makes the same name.
 *
 * What is no regular file (a FIFO, a device, /dev/stdout) is written as it is. A symbolic link
 * stays, and the file that it leads to is replaced. The new file has the mode of the old one, and
 * its owner and group where the process may give them; a new one 0666 less the umask. An old file
 * that may not be written to is not replaced either.
 *
 * Asks of a sandbox in the file's directory: to make, write, link, rename and unlink files; and
 * /proc/self/fd, without which the file has a name from the beginning. */
#ifndef PDTOOL_BASE_NEWFILE_H
#define PDTOOL_BASE_NEWFILE_H

#include <limits.h>
#include <stdbool.h>

struct newfile {
	int fd; /* to write to; never closed by the caller */
	bool in_place, named;
	bool replaces; /* a file that is there, and may be written to */
	char place[PATH_MAX], scrap[PATH_MAX];
};

/* Begin the file that is to be at PATH. 0, or an errno; F needs no end then. */
int newfile_open(struct newfile *f, const char *path) __attribute__((warn_unused_result));
/* What failed in newfile_open(), to be read before the text of the errno: "" for the file itself,
 * or that nothing can be made beside it. */
const char *newfile_failed(const struct newfile *f);
/* All is written: see that it is on the disk, so that little can fail in newfile_commit(), where
 * several files are to appear together. 0, or an errno, and F is discarded. */
int newfile_ready(struct newfile *f) __attribute__((warn_unused_result));
/* The same, and put it in its place. 0, or an errno, and there is nothing new. */
int newfile_commit(struct newfile *f) __attribute__((warn_unused_result));
/* It is not wanted any more. */
void newfile_discard(struct newfile *f);

/* What this thread's file for PATH may be called before it is in its place, whether it exists or
 * not. False: it never has such a name. */
bool newfile_scrap(const char *path, char name[PATH_MAX]);

#endif
