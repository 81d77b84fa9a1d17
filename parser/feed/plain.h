/* Plain samples: those whose fields up to the call chain lie at fixed places, with at most a
 * payload behind that, which nearly all captures have. Finding their fields takes a few loads;
 * everything else goes through sample_decode(). What is made of a sample is decided in ingest.h,
 * and is the same either way: built with NO_FAST=1, nothing is plain. */
#ifndef PDTOOL_FEED_PLAIN_H
#define PDTOOL_FEED_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/abi.h"
#include "parser/file/attr.h"

/* Offsets from the start of the record; 0: no such field. */
struct plain_layout {
	const struct pdt_desc *desc;
	uint64_t weight; /* without a period of its own */
	uint32_t least;	 /* size of a record without what differs; none is plain: of no record */
	uint16_t ip, tid, time, cpu, period;
	uint16_t rest; /* where the chain or the payload begins */
	bool chain, raw;
	bool alone; /* plain_alone_type() */
	uint8_t flags; /* pending_flags() */
};

#define RECENT_IDS 32

struct plain {
	struct event_list *events;
	bool swap;	/* the capture's byte order is not this host's */
	bool addresses; /* those of SAMPLE_ADDR are wanted: who has them is not plain */
	struct plain_layout *layouts; /* by event_desc.index, of the events known so far */
	size_t count, cap;
	uint16_t id; /* sample_id_offset() */
	struct recent_id {
		uint64_t id;
		const struct plain_layout *layout;
	} recent[RECENT_IDS]; /* by their last bits */
};

/* All else of P is zero. */
void plain_init(struct plain *p, struct event_list *events, bool swap, bool addresses);
void plain_release(struct plain *p);
/* One of them, whose lengths fit into the record. */
struct plain_sample {
	const uint8_t *record;
	const struct plain_layout *layout;
	uint64_t head; /* type, misc and size */
};

static inline size_t plain_size(const struct plain_sample *s)
{
	return (size_t)(s->head >> 48);
}

static inline uint16_t plain_misc(const struct plain_sample *s)
{
	return (uint16_t)(s->head >> 32);
}

static inline uint64_t plain_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t plain_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline bool plain_may_begin(const uint8_t *at, size_t left)
{
	return left >= RECORD_HEADER_SIZE && plain_u32(at) == RECORD_SAMPLE;
}

/* Do such samples have an address, and nothing that it shares its room with (struct pending), nor
 * makes several of one? */
static inline bool plain_alone_type(uint64_t sample_type)
{
	return sample_type & SAMPLE_IP &&
	       !(sample_type & (SAMPLE_CALLCHAIN | SAMPLE_RAW | SAMPLE_STACK_USER | SAMPLE_READ));
}

/* Know the events that came since. */
void plain_lay_out(struct plain *p);
/* Let RECENT be the event with ID. False: there is none. */
bool plain_new_recent(struct plain *p, struct recent_id *recent, uint64_t id);

/* Where the payload of a record with NR addresses in its chain lies. */
static inline size_t plain_raw_at(const struct plain_layout *l, uint64_t nr)
{
	return l->rest + (l->chain ? 8 + nr * 8 : 0);
}

/* The record at AT has LEFT bytes more than the least: do its chain and its payload fit? */
static inline bool plain_rest_fits(const struct plain_layout *l, const uint8_t *at, uint64_t left)
{
	uint64_t nr = l->chain ? plain_u64(at + l->rest) : 0;

	if (nr > left / 8)
		return false;
	return !l->raw || plain_u32(at + plain_raw_at(l, nr)) <= left - nr * 8;
}

/* Is the record that LEFT bytes at AT begin with a plain sample, *OUT? There is an event. */
static inline bool plain_find(struct plain *p, const uint8_t *at, size_t left,
			      struct plain_sample *out)
{
	const struct plain_layout *l = p->layouts;
	struct recent_id *recent;
	uint64_t head, size, id;

	if (left < RECORD_HEADER_SIZE)
		return false;
	head = plain_u64(at);
	size = head >> 48;
	if ((uint32_t)head != RECORD_SAMPLE || size > left)
		return false;
	if (p->id) { /* each CPU's counter has one, and those of an event or two go on and on */
		if (size < p->id + sizeof(id))
			return false;
		id = plain_u64(at + p->id);
		recent = &p->recent[id % RECENT_IDS];
		if (recent->id != id && !plain_new_recent(p, recent, id))
			return false;
		l = recent->layout;
	}
	if (size < l->least || !plain_rest_fits(l, at, size - l->least))
		return false;
	*out = (struct plain_sample){ at, l, head };
	return true;
}

#endif
