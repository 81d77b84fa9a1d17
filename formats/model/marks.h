/* MARKS of a profile: what threads did, for a while or at one moment, by thread. PROFILE_NONE: not
 * known. */
#ifndef PDTOOL_MODEL_MARKS_H
#define PDTOOL_MODEL_MARKS_H

#include "formats/model/moment.h"

#include <stdbool.h>
#include <stddef.h>

enum profile_mark_kind {
	MARK_RUNNING,
	MARK_RUNNABLE, /* it waits for a CPU */
	MARK_BLOCKED,
	MARK_WAKES, /* it wakes another thread up */
	MARK_IO,    /* of its own, from when the device got it until it was done */
	MARK_EVENT, /* a tracepoint that is none of these */
	PROFILE_MARKS
};

/* Of MARK_IO. */
struct mark_io {
	uint64_t sector, bytes, queue_ns; /* queue_ns: until the device got it */
	uint32_t dev;
	int32_t error;
	char rwbs[PROFILE_COMM];
};

/* What a thread did, for a while or at one moment. */
struct profile_mark {
	uint64_t start_ns, end_ns; /* the same: a moment */
	uint32_t cpu;	/* where it runs, gets to run, has the other one run; PROFILE_NONE */
	uint32_t stack; /* where it left the CPU, woke, was; PROFILE_NONE: not known */
	uint32_t other; /* BLOCKED: who woke it up; WAKES: whom; PROFILE_NONE: not known; EVENT:
			   which one, in events[] */
	uint8_t kind;	/* enum profile_mark_kind */
	char letter;	/* BLOCKED: its state, as ps shows it */
	bool interrupt; /* BLOCKED: one woke it up */
	bool preempted; /* RUNNABLE: it could have run on */
	union {		/* while it is told */
		const struct mark_io *io;
		const char *text; /* EVENT: its fields */
	};
};

/* The same as there are millions of them. */
struct mark_row {
	uint64_t start_ns;
	/* FAR: in marks_part.far. MARK_EVENT, a moment, has in it and in LETTER, above it, where
	 * its text is kept. */
	uint32_t span_ns;
	uint32_t stack, other;
	uint16_t cpu; /* MARK_NO_CPU: not known, with FAR: in marks_part.far */
	uint8_t kind	  : 4;
	uint8_t far	  : 1;
	uint8_t interrupt : 1;
	uint8_t preempted : 1;
	uint8_t unused	  : 1; /* 0 */
	char letter;
};

#define MARK_NO_CPU UINT16_MAX

/* What does not fit there: seconds, and CPUs of large numbers. */
struct mark_far {
	uint64_t end_ns;
	uint32_t cpu;
};

/* Marks by lane. An errno in *ERROR says why they cannot be had. */
struct marks_part {
	const struct mark_far *far;
	/* Begin with LANE; as often as it is wanted. */
	void (*begin)(void *ctx, size_t lane);
	/* The next ones of it, until the next call; returns how many, 0: there are no more. */
	size_t (*next)(void *ctx, const struct mark_row **rows, int *error);
	/* The stack of M, unless it is that of the tracepoint alone, which is no news. */
	uint32_t (*stack)(void *ctx, const struct mark_row *m);
	/* Details of the next MARK_IO of the lane, until the next call; NULL on errors. */
	const struct mark_io *(*io)(void *ctx, int *error);
	/* The fields of M, a MARK_EVENT, the same. */
	const char *(*text)(void *ctx, const struct mark_row *m, int *error);
};

static inline uint64_t mark_end_ns(const struct marks_part *p, const struct mark_row *m)
{
	return m->far		       ? p->far[m->span_ns].end_ns
	       : m->kind == MARK_EVENT ? m->start_ns
				       : m->start_ns + m->span_ns;
}

static inline uint32_t mark_cpu_of(const struct marks_part *p, const struct mark_row *m)
{
	return m->far ? p->far[m->span_ns].cpu : m->cpu == MARK_NO_CPU ? PROFILE_NONE : m->cpu;
}

#endif
