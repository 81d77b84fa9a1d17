/* The record streams of one capture (one, or one for each file of a directory), each put in time
 * order, merged into one sequence of samples and state records. */
#ifndef PDTOOL_READER_H
#define PDTOOL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/file/feature.h"
#include "parser/feed/held.h"
#include "parser/feed/ingest.h"
#include "parser/feed/order.h"
#include "parser/file/stream.h"

struct type_count;

struct reader {
	struct source *source; /* the capture's own for the first reader, else owned */
	struct stream *stream;
	struct order order;
	struct again *again; /* NULL: nothing of it was read again yet */
	uint64_t samples;    /* that were read one by one */
	bool ended;
};

struct readers {
	struct capture capture;
	struct reader *list;
	size_t count;
	struct reader *current; /* where the last entry came from */
	struct ingest in;
	struct pending fetched; /* what was away, when it is handed out: it waits for no chain */
	size_t ahead;	  /* samples with user stacks: so many are read ahead, that several can be
			   * unwound at a time. 0: none */
	uint64_t *counts; /* records by type below RECORD_USER_MAX */
	/* when the first sample came: records that had made the machine, and where in the file */
	uint64_t state_before, samples_at;
	struct type_count *others;
	size_t other_count, other_cap;
	/* chains want to be looked at (rare.h) */
	void (*crowded)(void *ctx);
	void *crowded_ctx;
	struct idmap cgroups; /* by id: the path, an id in the next */
	struct intern cgroup_names;
};

/* SOURCE: PATH's bytes, taken over; NULL: not opened yet. NEEDS: enum session_needs. */
CHECKED int readers_open(struct readers *r, const char *path, struct source *source, unsigned needs,
			 struct warnings *w);
void readers_close(struct readers *r);
/* The times of the first and the last sample of PATH, by reading all of it; 0: there are none. */
CHECKED int readers_span(const char *path, uint64_t *first_ns, uint64_t *last_ns);
CHECKED int readers_fill(struct readers *r);
/* *OUT, of FROM, is away: read it again. 1, or negative. */
CHECKED int readers_fetch(struct readers *r, struct reader *from, const struct pending **out);
/* RAW is a STAT: count it, and tell by what the counter grew. Its event, or NULL. */
const struct pdt_desc *readers_stat(struct readers *r, const struct raw *raw,
				    struct pdt_counter *out);
/* The chains have new ids, and OLD, which they were, tells them: also for what waits, and for what
 * readers_next() handed out last. */
void readers_renumber(struct readers *r, const struct chains *old);
/* Chains of what waits that have no stack are as if they were new. */
void readers_unsettle(struct readers *r);

/* 1: *OUT is the next sample or state record in time order, valid until the next call
 * ((*OUT)->record then belongs to the caller); 0: the end; negative: nothing more can be read.
 * What is read on the way is counted in R->in.stats. */
CHECKED static inline int readers_next(struct readers *r, const struct pending **out)
{
	int rc;

	/* with one stream its order is the order */
	if (r->count != 1 || !(*out = order_peek(&r->list[0].order))) {
		rc = readers_fill(r);
		if (rc <= 0)
			return rc;
		*out = order_peek(&r->current->order);
		order_pop(&r->current->order);
		return (*out)->away ? readers_fetch(r, r->current, out) : 1;
	}
	order_pop(&r->list[0].order);
	return (*out)->away ? readers_fetch(r, &r->list[0], out) : 1;
}

/* From P, which readers_next() handed out last, on: how many entries lie side by side there, in
 * their order. */
static inline size_t readers_coming(const struct readers *r, const struct pending *p)
{
	const struct order *o = &r->list[0].order;

	return r->count == 1 && p != &r->fetched ? o->ready_end - o->next + 1 : 1;
}

const struct event_stats *readers_event_stats(const struct readers *r, uint32_t desc);
bool readers_record_count(const struct readers *r, size_t i, uint32_t *type, uint64_t *count);
void readers_progress(const struct readers *r, uint64_t *done, uint64_t *total);

#endif
