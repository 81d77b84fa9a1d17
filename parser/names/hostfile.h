/* Is the file at a module's path on this host the one that was recorded, where no build-id tells?
 *
 * It is when its device and inode (and generation, where both sides tell one) are the recorded ones
 * and it was last changed (ctime) before it was mapped: nothing that replaces or changes a file
 * leaves both as they were, but for a disk that is set back as a whole to a state from before the
 * recording, which nothing here tells. Only on the machine that recorded: see hostclock.h. */
#ifndef PDTOOL_SYMBOLS_HOSTFILE_H
#define PDTOOL_SYMBOLS_HOSTFILE_H

#include <sys/stat.h>

#include "parser/base/build_id.h"

struct capture_clock;
struct host_clock;
struct host_files;
struct machine;
struct module;
struct reach;

struct host_file {
	bool same;	    /* it is the recorded one */
	char root[32];	    /* "", or that of the process's root: /proc/PID/root */
	char *path;	    /* below it */
	struct build_id id; /* which it has; len 0: none */
	const char *why;    /* a file is there, and not taken, because: for people; or NULL */
};

/* MACHINE and R, the way to the files, must outlive it. TELL is asked when the first file is looked
 * at, not before. */
struct host_files *host_files_new(const struct machine *machine, struct reach *r,
				  void (*tell)(void *ctx, struct capture_clock *out), void *ctx);
void host_files_free(struct host_files *h);
/* What stands at the path of M, for which no build-id was recorded; NULL for H NULL. Several
 * threads may ask at once. */
const struct host_file *host_file(struct host_files *h, const struct module *m);

/* Files that a process writes while it runs have other times: see hostproc.c. The perf map of the
 * process that the capture calls PID, if it can be no other's: its path, to be freed; else NULL. */
char *host_perf_map(struct host_files *h, uint32_t pid);
/* May the file at PATH be the jitdump that was mapped as FILE? */
bool host_is_dump(struct host_files *h, const char *path, const struct file_id *file);

/* For hostproc.c: the clock, NULL on another host than the recording one or where nothing is known
 * of it; the machine; is the file FD the one called WANT, where R is told of what cannot be read?
 */
const struct host_clock *host_files_clock(struct host_files *h);
const struct machine *host_files_machine(const struct host_files *h);
bool host_is_recorded(struct reach *r, int fd, const struct stat *st, const struct file_id *want);
struct reach *host_files_reach(const struct host_files *h);

#endif
