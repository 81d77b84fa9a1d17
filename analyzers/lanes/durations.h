/* What subjects know of how long something took, one by one: who owns such facts offers them by a
 * row of functions, and the store takes them. The rows are in store/latency.c, so the store knows
 * no subject. */
#ifndef PDTOOL_LANES_DURATIONS_H
#define PDTOOL_LANES_DURATIONS_H

#include "parser/pdtool.h"

struct folding;

enum duration_kind {
	DURATION_WAITS,	 /* for a CPU: those of sched latency */
	DURATION_OFFCPU, /* off the CPU: those of offcpu */
	DURATION_IO_QUEUE,
	DURATION_IO_DEVICE, /* those of block */
	DURATION_IO_TOTAL,
	DURATIONS,
};

struct duration {
	uint64_t end_ns, ns;
	uint32_t thread;  /* by the sink */
	uint32_t cpu;	  /* UINT32_MAX: not known */
	/* "254:0 R", each text at a place of its own, as long as the source is there; NULL: nothing
	 * tells those of a thread apart */
	const char *what;
	uint64_t key;	  /* of a stack + 1, the source's own; 0: none */
};

/* Where a source puts them. */
struct duration_sink {
	void (*add)(void *ctx, enum duration_kind kind, const struct duration *d);
	/* The number of a thread; COMM may be NULL. */
	uint32_t (*thread)(void *ctx, const char *comm, uint32_t pid, uint32_t tid);
	void *ctx;
};

struct duration_source {
	const char *system; /* it has no use for samples of another one's tracepoints */
	size_t state_size;  /* zero before begin() */
	unsigned wants;	    /* enum pdt_want */
	void (*begin)(void *state, const struct duration_sink *to);
	/* Any other event, in the order of time. */
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s);
	/* All are read: some come only now. */
	void (*end)(void *state);
	/* Push the stack of KEY, root first, into the row of TO that was begun. False: filters by
	 * function leave it out. NULL: it has no stacks. */
	bool (*stack)(void *state, const struct pdt_session *s, struct folding *to, uint64_t key);
	void (*release)(void *state);
};

extern const struct duration_source sched_durations;
extern const struct duration_source io_durations;

#endif
