/* How long things took, in a store beside its samples: histograms by step of time, kind, command
 * and what else tells them apart, in buckets of parser/base/hdr.h.
 *
 * Counts, sums and the longest are exact, and so are those of several captures. */
#ifndef PDTOOL_STORE_LATENCY_H
#define PDTOOL_STORE_LATENCY_H

#include <stdint.h>

#include "parser/base/err.h"

struct store;
struct store_choice;

struct store_bucket {
	uint32_t bucket; /* below HDR_BUCKETS */
	uint64_t count;
};

/* Of a step: by its end. */
struct store_latency {
	const char *kind;	 /* "waits" */
	const char *comm, *what; /* what: "254:0 R", or "" */
	uint64_t step;
	uint64_t count, sum_ns, max_ns;
	const struct store_bucket *buckets; /* ascending */
	size_t bucket_count;
};

/* Summed up over the steps and captures of a choice, some of it: the same may come more than once.
 * PART: the value of the choice's "each", NULL without. Valid during the call. */
typedef void store_latency_fn(void *ctx, const char *part, const struct store_latency *l);

/* What is asked, and who is told. */
struct store_latency_asking {
	const char *const *kinds;
	size_t kind_count;
	const struct store_choice *choice;
	store_latency_fn *fn;
	void *ctx;
};

struct store_latency_read {
	size_t captures, without; /* that were chosen; those that have none of the kinds */
};

/* Those of S. Negative, with a message in W. */
CHECKED int store_latency_read(struct store *s, const struct store_latency_asking *a,
			       struct store_latency_read *read, struct warnings *w);

#endif
