/* MOMENTS of a profile: what happened one after the other, to whatever thread. PROFILE_NONE: not
 * known. */
#ifndef PDTOOL_MODEL_MOMENT_H
#define PDTOOL_MODEL_MOMENT_H

#include <stdint.h>

#define PROFILE_NONE UINT32_MAX

enum profile_kind {
	PROFILE_SAMPLE,
	PROFILE_SWITCH, /* the CPU's thread is another one now */
	PROFILE_WAKING, /* of a sleeping thread: it begins, it is in the run queue */
	PROFILE_WAKEUP,
	PROFILE_WAKEUP_NEW,
	PROFILE_ISSUE, /* of a request to a disk: the device has it, it is done */
	PROFILE_COMPLETE,
};

#define PROFILE_COMM 16

/* A thread as one event tells of it: what it does not tell is PROFILE_NONE, 0 or "". */
struct profile_who {
	uint32_t pid, tid;
	int32_t prio;
	uint32_t task; /* in tasks[] */
	char comm[PROFILE_COMM];
};

/* What happened at one moment, as the kernel's tracepoints tell it. Whom they tell of is in whos[].
 */
struct profile_moment {
	uint64_t time_ns;
	uint32_t cpu;	    /* PROFILE_NONE: not recorded */
	uint32_t kind : 3;  /* enum profile_kind */
	uint32_t who  : 29; /* the thread at hand */
	union {
		struct {
			uint64_t weight;
			uint32_t event, stack;
		} sample;
		struct {
			int64_t prev_state;  /* as the kernel recorded it */
			uint32_t prev, next; /* who leaves the CPU and who gets it */
		} sched_switch;
		struct {
			uint32_t who, target_cpu; /* who: is woken */
		} wakeup;
		struct {
			uint64_t sector;
			uint32_t dev, sectors, bytes;
			int32_t error;
			uint32_t rwbs;	 /* the comm of who, which is no thread */
			uint32_t unused; /* 0 */
		} request;
	};
};

#endif
