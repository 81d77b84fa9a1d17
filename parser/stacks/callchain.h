/* The call chain of a sample, as recorded: an array of u64 with context markers in it, leaf first.
 *
 * Chains are interned: one copy of each, whatever process it came from. What its addresses mean is
 * decided in stacks.h, for one address space at a time. */
#ifndef PDTOOL_CALLCHAIN_H
#define PDTOOL_CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/hash.h"
#include "parser/record/sample.h"

enum chain_kind {
	CHAIN_RECORDED, /* PERF_SAMPLE_CALLCHAIN (or LBR) */
	CHAIN_NONE,	/* the event records no chains: the sampled address alone */
	CHAIN_EMPTY,	/* it does, but this one is empty: the sampled address alone */
	CHAIN_UNWOUND,	/* recorded, but the user part is what unwinding found */
};

struct chain {
	/* What stacks_get() found last: STACK in address space SPACE; 0 is no space. */
	uint32_t space, stack;
	uint16_t count;
	uint8_t kind;	  /* enum chain_kind */
	bool kernel_only; /* means the same in every process */
	uint64_t values[];
};

#define CHAIN_CHUNK_UNITS (1u << 20) /* u64 in one block of memory */

/* Few places in a program are reached in one way only, but those are where the samples are: a cache
 * that foretells a chain from its length, its innermost addresses and one in the middle. */
struct chain_guess {
	uint32_t check; /* of what foretold it */
	uint32_t id;	/* 0: free */
};

#define CHAIN_GUESSES (1u << 12)

struct chains {
	uint64_t **chunks; /* a chain's id is chunk * CHAIN_CHUNK_UNITS + its place there */
	size_t chunk_count;
	size_t used;	 /* units of the newest chunk */
	uint64_t *table; /* hash's high half, and the id in the low half; 0 is free */
	size_t slots, count;
	struct chain_guess *guesses; /* CHAIN_GUESSES of them */
	uint64_t *scratch;	     /* a chain that had to be put together or swapped */
	size_t scratch_cap;
};

/* A chain on its way in: where its values lie, and their hash. */
struct chain_ref {
	const void *values; /* any alignment */
	uint64_t foretold;  /* chain_foretell() */
	uint64_t hash;	    /* not set when there is a guess */
	uint16_t count;
	uint8_t kind;
	bool guessed;
};

void chains_init(struct chains *c);
void chains_release(struct chains *c);
/* What foretells the chain of COUNT (at least 1) values at VALUES: a slot in the low half, a check
 * in the high half. */
static inline uint64_t chain_foretell(const void *values, uint16_t count)
{
	const unsigned char *v = values;
	uint64_t leaf = hash_load(v) ^ hash_load(v + (count > 1 ? 8 : 0));

	return hash_fold(leaf + count,
			 hash_load(v + count / 2 * 8) ^ hash_load(v + (count - 1) * 8) ^ HASH_K0);
}

/* Two steps, so that a caller with several samples at hand can overlap their cache misses: foretell
 * a recorded chain, or hash it, which also starts loading its table slot, ... */
static inline struct chain_ref chains_begin(struct chains *c, const void *values, uint16_t count)
{
	struct chain_ref ref = { .values = values,
				 .foretold = chain_foretell(values, count),
				 .count = count,
				 .kind = CHAIN_RECORDED };
	const struct chain_guess *g = &c->guesses[ref.foretold & (CHAIN_GUESSES - 1)];

	ref.guessed = g->id && g->check == ref.foretold >> 32;
	if (ref.guessed)
		return ref;
	ref.hash = hash_words(values, count) + CHAIN_RECORDED;
	__builtin_prefetch(&c->table[ref.hash >> 32 & (c->slots - 1)]);
	return ref;
}
static inline struct chain *chains_get(const struct chains *c, uint32_t id)
{
	return (struct chain *)(void *)&c->chunks[id / CHAIN_CHUNK_UNITS][id % CHAIN_CHUNK_UNITS];
}

static inline bool chain_is(const struct chain *e, const struct chain_ref *ref)
{
	return e->count == ref->count && e->kind == ref->kind &&
	       !memcmp(e->values, ref->values, ref->count * sizeof(uint64_t));
}

uint32_t chains_find_or_store(struct chains *c, struct chain_ref *ref);
/* ... and get its id. */
static inline uint32_t chains_add(struct chains *c, struct chain_ref *ref)
{
	const struct chain_guess *g = &c->guesses[ref->foretold & (CHAIN_GUESSES - 1)];

	if (ref->guessed && chain_is(chains_get(c, g->id), ref))
		return g->id;
	return chains_find_or_store(c, ref);
}
/* The id of S's chain, whatever has to be put together for it. */
uint32_t chains_add_sample(struct chains *c, const struct sample *s);

#endif
