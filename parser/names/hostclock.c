/* This host's clocks beside the capture's. Reads clocks, uname and, where it can, /proc/kallsyms.
 */
#include "parser/names/hostclock.h"
#include "parser/base/mem.h"
#include "parser/names/reach.h"
#include "parser/state/module.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define SECOND	    UINT64_C(1000000000)
#define TICK_NS	    (20 * SECOND / 1000) /* a ctime is that of the last tick */
#define SLEW	    2000 /* clocks are set right by a part in so many at most: adjtimex(2) */
#define CLOSING_NS  (60 * SECOND) /* from the last sample to the last write of the recorder */
#define LINKED_MASK 0xffffffu	  /* an address without these bits need not be random */

static uint64_t clock_now(clockid_t id)
{
	struct timespec t;

	return clock_gettime(id, &t) ? 0 : (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* ---- perf's clock ---- */

/* A change of this thread's name (to what it is) is an event, whose record ends in its time. */
static uint64_t time_of_comm(char *ring, size_t page)
{
	char name[16];
	struct perf_event_header head;
	uint64_t t = 0;

	if (prctl(PR_GET_NAME, name) || prctl(PR_SET_NAME, name))
		return 0;
	memcpy(&head, ring + page, sizeof(head));
	if (head.type == PERF_RECORD_COMM && head.size > sizeof(t) && head.size <= page)
		memcpy(&t, ring + page + head.size - sizeof(t), sizeof(t));
	return t;
}

/* 0: this user may not. */
static uint64_t perf_clock_now(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY,
					.sample_type = PERF_SAMPLE_TIME,
					.comm = 1,
					.sample_id_all = 1,
					.exclude_kernel = 1 };
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t t = 0;
	char *ring;

	if (fd < 0)
		return 0;
	ring = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
	if (ring != MAP_FAILED) {
		t = time_of_comm(ring, page);
		munmap(ring, 2 * page);
	}
	close((int)fd);
	return t;
}

static uint64_t capture_clock_now(const struct capture_clock *told, uint64_t *doubt_ns)
{
	uint64_t t, raw;

	if (told->has_clockid)
		return clock_now(told->clockid);
	t = perf_clock_now();
	if (t)
		return t;
	*doubt_ns +=
		SECOND; /* it counts from the boot like these two, and was seen no farther off */
	t = clock_now(CLOCK_MONOTONIC);
	raw = clock_now(CLOCK_MONOTONIC_RAW);
	return t > raw ? t : raw;
}

/* ---- which boot? ---- */

/* This kernel's address of SYMBOL, one of its first; 0: not told. */
static uint64_t kernel_address(const char *symbol, struct reach *r)
{
	static const char path[] = "/proc/kallsyms";
	FILE *f = fopen(path, "re");
	uint64_t addr = 0, at;
	char line[1024];
	int name;

	while (f && !addr && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 " %*c %n", &at, &name) != 1)
			break;
		if (!strcmp(line + name, symbol)) {
			addr = at;
			break;
		}
	}
	if (!f || ferror(f))
		reach_fault(r, path, errno);
	if (f)
		fclose(f);
	return addr;
}

/* 1: the recorded kernel is where this one is, by chance once in some hundred boots; 0: this was
 * another boot; -1: who knows? */
static int same_address(const struct module *kernel, struct reach *r)
{
	uint64_t here;

	if (!kernel || !kernel->pgoff || !kernel->ref_symbol)
		return -1;
	here = kernel_address(kernel->ref_symbol, r);
	if (!here)
		return -1;
	return here != kernel->pgoff ? 0 : here & LINKED_MASK ? 1 : -1;
}

/* How much too late what follows from the clocks for T may be. */
static uint64_t late(const struct host_clock *c, uint64_t t)
{
	return c->doubt_ns + (t > c->capture_ns ? t - c->capture_ns : c->capture_ns - t) / SLEW;
}

static uint64_t by_clocks(const struct host_clock *c, uint64_t t)
{
	uint64_t doubt = late(c, t), wall = c->wall_ns + (t - c->capture_ns);

	/* hostile times wrap round */
	return (t > c->capture_ns) == (wall > c->wall_ns) && wall > doubt ? wall - doubt : 0;
}

/* Was the capture's file written last when, by this boot's clock, its last sample was? */
static bool finished_then(const struct host_clock *c)
{
	uint64_t last = c->last_ns ? by_clocks(c, c->last_ns) : 0;

	return last && c->done_ns >= last &&
	       c->done_ns - last < CLOSING_NS + 2 * late(c, c->last_ns);
}

static const char *why_not_this_boot(struct host_clock *c, const struct capture_clock *told,
				     const struct module *kernel, struct reach *r)
{
	int same = same_address(kernel, r);
	uint64_t suspended = clock_now(CLOCK_BOOTTIME) - clock_now(CLOCK_MONOTONIC);

	c->capture_ns = capture_clock_now(told, &c->doubt_ns);
	c->wall_ns = clock_now(CLOCK_REALTIME);
	c->doubt_ns += suspended;
	if (same == 0 || !c->capture_ns || c->last_ns > c->capture_ns)
		return "has the recorded inode, but this machine was booted again since";
	if (same < 0 && !finished_then(c))
		return "has the recorded inode, but nothing tells when it was recorded";
	return NULL;
}

void host_clock_find(struct host_clock *c, const struct capture_clock *told,
		     const struct module *kernel, struct reach *r)
{
	struct utsname here;

	*c = (struct host_clock){ .first_ns = told->first_ns,
				  .last_ns = told->last_ns,
				  .doubt_ns = TICK_NS,
				  .done_ns = told->mtime > 0 ? ((uint64_t)told->mtime + 1) * SECOND
							     : 0 };
	if (uname(&here) || (told->hostname && strcmp(told->hostname, here.nodename))) {
		c->other_host = true;
		c->why = "it was recorded on another host";
	} else if (told->has_wall) {
		c->capture_ns = told->clock_ns;
		c->wall_ns = told->wall_ns;
	} else if (told->osrelease && strcmp(told->osrelease, here.release)) {
		c->why = "has the recorded inode, but another kernel runs here now";
	} else {
		c->why = why_not_this_boot(c, told, kernel, r);
	}
}

uint64_t host_clock_wall(const struct host_clock *c, uint64_t t)
{
	uint64_t wall = c->why ? 0 : by_clocks(c, t), most = c->done_ns;

	/* the wall clock may have been set since: no later than this when the file was finished */
	if (most && c->last_ns > t)
		most = most > c->last_ns - t ? most - (c->last_ns - t) : 1;
	return most && wall > most ? most : wall;
}

uint64_t host_clock_doubt(const struct host_clock *c, uint64_t t)
{
	return 2 * late(c, t);
}
