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

#include "parser/base/abi.h"
#include "parser/pdtool_record.h"

#define ORDER_MAX	    (1u << 19)
#define ORDER_MAX_SORTED    (1u << 15)	 /* for a stream that is nearly in order: one of several */
#define ORDER_MAX_BYTES	    (16u << 20)	 /* of records that wait */
#define ORDER_MAX_BYTES_RAW (128u << 20) /* the same where payloads of samples wait, too */

/* A record that waits: a sample reduced to what is counted, with or without the copy of its
 * payload, or the copy of another record. */
struct pending {
	uint64_t time_ns; /* 0: none */
	union {
		struct held_record *record; /* no sample; owned by whoever takes it; NULL: none */
		/* PENDING_PAYLOAD: a sample's; PENDING_USER: behind it what unwinding.h keeps of
		 * its user stack; before it the weight, and before that with PENDING_DETAILS a
		 * struct sample_details and extras.h; in the reader's chunks */
		uint8_t *payload;
		uint64_t offset; /* AWAY: of its record in the file */
		uint64_t weight; /* samples with none of these: the period */
	};
	uint32_t pid, tid, cpu;
	uint32_t chain;	  /* samples: id in the session's chains */
	uint32_t desc;	  /* samples: index of the event */
	uint8_t mode : 7; /* samples: CPU mode */
	uint8_t away : 1; /* weight and payload are read again when it is handed out */
	uint8_t flags;	  /* PENDING_* */
	uint16_t payload_size;
};

#define PENDING_HAS_CPU	 1
#define PENDING_HAS_TIME 2
#define PENDING_PAYLOAD	 4
#define PENDING_USER	 16
#define PENDING_EXACT	 32 /* the address is that of the instruction itself */
#define PENDING_IP	 64 /* the event records addresses */
#define PENDING_DETAILS	 128
#define PENDING_RECORD	 8 /* no sample: only time_ns and record are set */

/* What a sample_type says that each of its samples has: PENDING_HAS_CPU, _HAS_TIME, _IP. */
static inline uint8_t pending_flags(uint64_t sample_type)
{
	return (uint8_t)((sample_type & SAMPLE_CPU ? PENDING_HAS_CPU : 0) |
			 (sample_type & SAMPLE_TIME ? PENDING_HAS_TIME : 0) |
			 (sample_type & SAMPLE_IP ? PENDING_IP : 0));
}

/* What few samples have. */
struct sample_details {
	struct pdt_values values;
	uint64_t extras_bytes; /* of extras.h, before it */
	uint64_t number;       /* of the sample in its file, for passed.h */
};

#define PENDING_PIECE (PENDING_PAYLOAD | PENDING_USER | PENDING_DETAILS)

/* Those of P, which has them. */
static inline struct sample_details pending_details(const struct pending *p)
{
	struct sample_details d;

	memcpy(&d, p->payload - sizeof(uint64_t) - sizeof(d), sizeof(d));
	return d;
}

/* The piece of the reader's chunks that P's payload is in; it has PENDING_PIECE. With extras it
 * begins with them. */
static inline uint8_t *pending_piece(const struct pending *p)
{
	uint8_t *at = p->payload - sizeof(uint64_t);

	return p->flags & PENDING_DETAILS
		       ? at - sizeof(struct sample_details) - pending_details(p).extras_bytes
		       : at;
}

/* Of a sample that is not away. */
static inline uint64_t pending_weight(const struct pending *p)
{
	uint64_t weight;

	if (!(p->flags & PENDING_PIECE))
		return p->weight;
	memcpy(&weight, p->payload - sizeof(weight), sizeof(weight));
	return weight;
}

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
	p->away = 0;
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
