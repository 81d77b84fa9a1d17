/* The one place that turns samples into entries that wait for their time, and counts them, whatever
 * read them: the decoder of all samples (record/sample.h), or plain.h, which finds the fields of
 * most in a few loads. Chains are interned at once, while their bytes are at hand. */
#ifndef PDTOOL_FEED_INGEST_H
#define PDTOOL_FEED_INGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/abi.h"
#include "parser/base/chunks.h"
#include "parser/feed/counters.h"
#include "parser/feed/order.h"
#include "parser/feed/plain.h"
#include "parser/feed/stats.h"
#include "parser/file/attr.h"
#include "parser/record/sample.h"
#include "parser/stacks/callchain.h"

/* The tables that chains are looked up in are larger than any cache, so the misses of several
 * look-ups had better overlap. */
#define INGEST_MAX 32

/* Payloads that wait take so many chunks; of those beyond, where they can be read again, only the
 * place in the file is kept. */
#define NEAR_CHUNKS  3
#define AGAIN_RECORD 4096 /* longer records are kept; when they take STACK_CHUNKS, in the file */
#define STACK_CHUNKS 16

struct ingest {
	unsigned needs; /* enum pdt_want */
	struct event_list *events;
	struct plain plain;
	struct chains chains;
	struct chunks payloads; /* of samples, until chunks_give() */
	struct counters counters;
	struct session_stats stats;
	struct event_stats *event_stats; /* by event_desc.index */
	size_t event_stats_cap;
	/* Where what ingest_plain() gets next can be read again; 0: nowhere. */
	uint64_t again;
	/* Samples with user stacks: so many bytes of them were read since the caller set it to 0 */
	size_t ahead_bytes;
	uint64_t number; /* of the sample that comes, in its file */
	bool places; /* what has no chain has no stack: ids of chains are not asked for */
	/* Of all samples SHARES sessions take one share each, by their chains (shares.h); 0: all */
	unsigned share, shares;
};

/* EVENTS must outlive IN. No sample is plain before plain_init(&IN->plain). */
void ingest_init(struct ingest *in, unsigned needs, struct event_list *events);
void ingest_release(struct ingest *in);
/* Put the plain samples into TO that the LEN bytes at DATA begin with: *N of them, at most
 * INGEST_MAX. Returns their size. */
size_t ingest_plain(struct ingest *in, struct order *to, const uint8_t *data, size_t len,
		    unsigned *n);
/* P, which is away, becomes what it would have been else; its record is at DATA, where LEN bytes
 * are. False: it is not. */
bool ingest_again(struct ingest *in, struct pending *p, const uint8_t *data, size_t len);
/* A sample that was decoded. LASTS: its bytes stay where they are until the capture is closed. */
void ingest_decoded(struct ingest *in, struct order *to, const struct sample *s, bool lasts);

void ingest_grow(struct ingest *in, size_t count);
static inline struct event_stats *ingest_stats(struct ingest *in, const struct pdt_desc *d)
{
	if (d->index >= in->event_stats_cap)
		ingest_grow(in, d->index + 1u);
	return &in->event_stats[d->index];
}

#endif
