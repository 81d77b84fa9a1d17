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

struct chains {
	uint64_t **chunks; /* a chain's id is chunk * CHAIN_CHUNK_UNITS + its place there */
	size_t chunk_count;
	size_t used;	 /* units of the newest chunk */
	uint64_t *table; /* hash's high half, and the id in the low half; 0 is free */
	size_t slots, count;
	uint64_t *scratch; /* a chain that had to be put together or swapped */
	size_t scratch_cap;
};

/* A chain on its way in: where its values lie, and their hash. */
struct chain_ref {
	const void *values; /* any alignment */
	uint64_t hash;
	uint16_t count;
	uint8_t kind;
};

void chains_init(struct chains *c);
void chains_release(struct chains *c);
/* Two steps, so that a caller with several samples at hand can overlap their cache misses: hash a
 * chain, which also starts loading its table slot, ... */
static inline struct chain_ref chains_hash(struct chains *c, const void *values, uint16_t count,
					   enum chain_kind kind)
{
	struct chain_ref ref = { values, hash_words(values, count) + kind, count, (uint8_t)kind };

	__builtin_prefetch(&c->table[ref.hash >> 32 & (c->slots - 1)]);
	return ref;
}
/* ... and get its id. */
uint32_t chains_add(struct chains *c, const struct chain_ref *ref);
/* The id of S's chain, whatever has to be put together for it. */
uint32_t chains_add_sample(struct chains *c, const struct sample *s);

static inline struct chain *chains_get(const struct chains *c, uint32_t id)
{
	return (struct chain *)(void *)&c->chunks[id / CHAIN_CHUNK_UNITS][id % CHAIN_CHUNK_UNITS];
}

#endif
