/* Was a capture recorded on this host, since it booted; and when, by its wall clock, were the
 * moments of the capture?
 *
 * Files carry the wall clock's time of their last change (ctime), captures that of another clock.
 * CLOCK_DATA (perf record -k) tells both of one moment. Else perf's clock counts from the boot, and
 * it is read here: what is not this boot's must be found out, by the kernel's address (which is
 * random) or by the time at which the capture's file was finished. Moments are never taken for
 * later than they were.
 *
 * Other files do not tell when a capture was made. One that its build-id verifies was there before,
 * but its ctime and mtime may be later than the recording (chmod, touch); and on a machine restored
 * from an image its time of birth would vouch for files of the image which were other ones by the
 * time of the recording. */
#ifndef PDTOOL_SYMBOLS_HOSTCLOCK_H
#define PDTOOL_SYMBOLS_HOSTCLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct module;
struct reach;

/* What the capture tells of when and where it was recorded. */
struct capture_clock {
	const char *hostname, *osrelease; /* NULL: not told */
	uint64_t first_ns, last_ns;	  /* of its samples; 0: not told */
	bool has_wall;			  /* the next two are one moment: CLOCK_DATA */
	uint64_t clock_ns, wall_ns;
	int64_t mtime;	  /* of its file, in seconds since 1970; 0: not known */
	bool has_clockid; /* else it is perf's own clock */
	int32_t clockid;
};

struct host_clock {
	bool other_host;	    /* the capture says that it is of another one */
	const char *why;	    /* nothing is known: for people; NULL: it is */
	uint64_t capture_ns;	    /* one moment on the capture's clock ... */
	uint64_t wall_ns;	    /* ... and since 1970 */
	uint64_t doubt_ns;	    /* by how much wall_ns may be too late */
	uint64_t first_ns, last_ns; /* the samples' moments; 0: not told */
	uint64_t done_ns; /* since 1970: the capture's file was last written; 0: not known */
};

/* KERNEL: as recorded, or NULL. R is told of what cannot be read. */
void host_clock_find(struct host_clock *c, const struct capture_clock *told,
		     const struct module *kernel, struct reach *r);
/* By how much that may be too early. */
uint64_t host_clock_doubt(const struct host_clock *c, uint64_t t);
/* When T of the capture was, at the earliest, in ns since 1970; 0: not known. */
uint64_t host_clock_wall(const struct host_clock *c, uint64_t t);

#endif
