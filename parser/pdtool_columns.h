/* Events many at a time, as columns: for whoever works on whole arrays, or in several threads. What
 * pdt_next() hands out one by one stands here side by side, under the same names and with the same
 * meaning; where a batch ends means nothing. Part of libpdtool; pdtool.h has the rules.
 *
 * They are a view: inside, samples wait as rows, since time order moves whole rows. */
#ifndef PDTOOL_COLUMNS_H
#define PDTOOL_COLUMNS_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pdt_event_flag {
	PDT_FLAG_CPU = 1,  /* has_cpu */
	PDT_FLAG_TIME = 2, /* has_time */
	PDT_FLAG_PREEMPTED = 4,
	PDT_FLAG_EXEC = 8,
	PDT_FLAG_EXACT = 16,
	PDT_FLAG_APART = 32,
	PDT_FLAG_32 = 64, /* program_bits */
	PDT_FLAG_64 = 128,
};

/* The library makes it; arrays are only added at the end. */
struct pdt_columns {
	size_t count; /* of each array; at least 1 */
	const uint64_t *time_ns, *weight, *ip;
	const struct pdt_desc *const *desc;
	const uint8_t *const *raw;
	const uint32_t *raw_size;
	const uint32_t *pid, *tid, *cpu, *comm, *stack;
	const uint32_t *other_pid, *other_tid;
	const uint8_t *mode, *kind;
	const uint8_t *flags; /* enum pdt_event_flag */
};

/* As pdt_next(), and in turn with it if that is wanted: 1: *OUT is the next events, valid until the
 * next call; 0: the end, *OUT is NULL; else an error. */
PDT_CHECKED int pdt_next_columns(struct pdt_session *s, const struct pdt_columns **out);

#ifdef __cplusplus
}
#endif

#endif
