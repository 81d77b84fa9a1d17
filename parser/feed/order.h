/* Time order out of file order.
 *
 * A recorder empties its per-CPU buffers in rounds: the records of one buffer are in order, those
 * of different buffers are not. FINISHED_ROUND promises that nothing older than the newest record
 * of the round *before* will come (tools/perf/util/ordered-events.c), so memory is bounded by two
 * rounds. Where a capture has no rounds, ORDER_MAX entries are held and the older half is let go
 * when they are full. Records without a time come at once, before all others that wait. Equal times
 * keep file order. */
#ifndef PDTOOL_FILE_ORDER_H
#define PDTOOL_FILE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "parser/feed/pending.h"

#define ORDER_MAX	    (1u << 19)
#define ORDER_MAX_SORTED    (1u << 15)	 /* for a stream that is nearly in order: one of several */
#define ORDER_MAX_BYTES	    (16u << 20)	 /* of records that wait */
#define ORDER_MAX_BYTES_RAW (128u << 20) /* the same where payloads of samples wait, too */

struct order {
	struct pending *ready; /* merged: [next, ready_end) */
	size_t next, ready_end, ready_cap;
	size_t left;	       /* let go, too, and not merged yet */
	struct pending *items; /* in the order of the file: these, and what waits */
	size_t count, cap, waiting;
	struct order_run *runs; /* ascending parts of the items, one after the other */
	size_t run_count, run_cap;
	struct order_head *heads; /* a heap: those of runs of which something is left */
	size_t head_count, head_cap;
	uint64_t limit;	    /* what FINISHED_ROUND lets go */
	uint64_t max_time;  /* newest seen */
	uint64_t emitted;   /* newest let go */
	uint64_t last_time; /* of the newest entry; UINT64_MAX: there is none to go on from */
	size_t max;	    /* entries held at most; 0: ORDER_MAX */
	size_t max_bytes;   /* of records held at most; 0: ORDER_MAX_BYTES */
	size_t held_bytes;  /* of the records among them */
	bool gone;	    /* there are items that were merged */
	/* Of a share (shares.h): samples that other sessions take, in this round and the one before
	 */
	size_t passed, passed_before;
	bool shared;
	bool alone;    /* more may wait than the bounds let: not to be decided by a part of it */
	uint64_t late; /* records that came after newer ones had been let go */
};

void order_release(struct order *o);
/* Make room for COUNT more entries; may let older ones go. */
void order_reserve(struct order *o, size_t count);
/* The next entry is older than the one before. */
void order_begin_run(struct order *o);
/* One more entry, in room that was reserved; the caller sets the rest of it. */
static inline struct pending *order_put(struct order *o, uint64_t time_ns)
{
	struct pending *p;

	if (time_ns == UINT64_MAX)
		time_ns = 0;
	if (time_ns >= o->max_time)
		o->max_time = time_ns;
	else /* what was let go is no newer than that */
		o->late += time_ns && time_ns < o->emitted;
	if (time_ns < o->last_time)
		order_begin_run(o);
	o->last_time = time_ns;
	o->waiting++;
	p = &o->items[o->count++];
	p->time_ns = time_ns;
	p->alone = p->away = 0;
	return p;
}
/* A sample that another session takes. */
static inline void order_pass(struct order *o, uint64_t time_ns)
{
	if (time_ns == UINT64_MAX)
		time_ns = 0;
	if (time_ns >= o->max_time)
		o->max_time = time_ns;
	else
		o->late += time_ns && time_ns < o->emitted;
	o->passed++;
}
void order_round(struct order *o);
/* Let everything go. */
void order_end(struct order *o);
void order_refill(struct order *o);
/* The next entry in time order, or NULL when none may be handed out yet. Valid until the next call,
 * and so is the one before until then. */
static inline const struct pending *order_peek(struct order *o)
{
	if (o->next == o->ready_end && o->left)
		order_refill(o);
	return o->next < o->ready_end ? &o->ready[o->next] : NULL;
}
static inline void order_pop(struct order *o)
{
	o->next++;
}
/* TAKE what was handed out last, and all that is to come. */
void order_each(struct order *o, void (*take)(void *ctx, struct pending *p), void *ctx);

#endif
