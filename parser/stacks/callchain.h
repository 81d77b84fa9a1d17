/* The call chain of a sample, as recorded: an array of u64 with context markers in it, leaf first.
 *
 * A sample also records its own address (PERF_SAMPLE_IP). Mostly that is where its chain begins,
 * but not always: with PEBS the hardware tells which instruction caused the sample, while the chain
 * begins where the interrupt came, some instructions later (arch/x86/events/intel/ds.c:
 * setup_pebs_fixed_sample_data); 32-bit ARM and user stacks recorded by the call-stack LBR differ,
 * too. Such a chain is interned together with the address, so that a chain always tells both.
 *
 * Chains are interned: one copy of each, whatever process it came from; deep ones share their equal
 * parts. What its addresses mean is decided in stacks.h, for one address space at a time. */
#ifndef PDTOOL_CALLCHAIN_H
#define PDTOOL_CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/hash.h"
#include "parser/base/pieces.h"
#include "parser/stacks/context.h"

enum chain_kind {
	CHAIN_RECORDED,	 /* PERF_SAMPLE_CALLCHAIN (or LBR) */
	CHAIN_NONE,	 /* the event records no chains: the sampled address alone */
	CHAIN_EMPTY,	 /* it does, but this one is empty: the sampled address alone */
	CHAIN_UNWOUND,	 /* recorded, but the user part is what unwinding found */
	CHAIN_APART = 4, /* a bit: a marker and the sample's own address lie before the chain */
	CHAIN_DEEP = 8,	 /* a bit: more than CHAIN_DEEP_MIN values, held as pieces (pieces.h) */
	CHAIN_RARE = 16, /* stands for those that made room (rare.h) */
};

#define CHAIN_DEEP_MIN 255

#define CHAIN_APART_VALUES 2

struct chain {
	/* What stacks_get() found last: STACK in address space SPACE; 0 is no space. */
	uint32_t space, stack;
	uint16_t count;	  /* of values: with those of CHAIN_APART */
	uint8_t kind;	  /* enum chain_kind */
	bool kernel_only; /* means the same in every process */
	uint32_t own;	  /* which value is the sample's own address, if its event records that */
	/* CHAIN_DEEP: those of CHAIN_APART or just the first address, and the id of the pieces */
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
	struct pieces pieces; /* of deep chains */
	struct chain *whole;  /* a deep chain that was put together; NULL: there are none */
	size_t bytes;	      /* what the chains take */
	size_t look_at;	      /* so many bytes of them want to be looked at (rare.h) */
	uint32_t rare;	      /* id of the one that stands for those that made room; 0: none */
	bool full;	      /* no new one is taken: */
	uint64_t refused;     /* so many samples have RARE instead */
};

/* A chain on its way in: where its values lie, and their hash. */
struct chain_ref {
	const void *values; /* any alignment; those of CHAIN_APART are not among them */
	uint64_t foretold; /* what foretells it: a slot in the low half, a check in the high half */
	uint64_t hash;	   /* not set when there is a guess */
	uint64_t apart[CHAIN_APART_VALUES]; /* CHAIN_APART, or the chain itself */
	uint32_t guess;			    /* id of the chain that it probably is; 0: none */
	uint16_t count;			    /* of values */
	uint8_t kind;
};

void chains_init(struct chains *c);
void chains_release(struct chains *c);
bool chain_begins_at_slow(const void *values, unsigned count, uint64_t marker, uint64_t ip);
/* Is OWN the first address of the chain of COUNT values at VALUES, and in the same mode? */
static inline bool chain_begins_at(const void *values, unsigned count, const struct chain_ip *own)
{
	const unsigned char *v = values;

	/* mostly a marker stands before it */
	return (count > 1 && hash_load(v) == own->marker && hash_load(v + 8) == own->ip) ||
	       chain_begins_at_slow(values, count, own->marker, own->ip);
}
/* What foretells the chain of COUNT (at least 1) values at VALUES: a slot in the low half, a check
 * in the high half. */
static inline uint64_t chain_foretell(const void *values, size_t count)
{
	const unsigned char *v = values;

	if (count < 2)
		return hash_u64(hash_load(v));
	return hash_fold((hash_load(v) ^ hash_load(v + 8)) + count,
			 hash_load(v + count / 2 * 8) ^ hash_load(v + (count - 1) * 8) ^ HASH_K0);
}

/* REF is COUNT (at least 1) VALUES as a chain of KIND, of a sample at OWN. */
static inline void chain_ref_init(struct chain_ref *ref, enum chain_kind kind, const void *values,
				  uint16_t count, const struct chain_ip *own)
{
	ref->values = values;
	ref->foretold = chain_foretell(values, count);
	ref->count = count;
	ref->kind = (uint8_t)(kind | (count > CHAIN_DEEP_MIN ? CHAIN_DEEP : 0));
	if (own->known && !chain_begins_at(values, count, own)) {
		ref->kind |= CHAIN_APART;
		ref->apart[0] = own->marker;
		ref->apart[1] = own->ip;
		ref->foretold ^= hash_u64(own->ip);
	}
}

/* REF is the address IP under MARKER alone: of an event without chains, or with an empty one. */
void chain_ref_alone(struct chain_ref *ref, enum chain_kind kind, uint64_t marker, uint64_t ip);

void chains_begin_unknown(struct chains *c, struct chain_ref *ref);
/* Three steps, so that a caller with several samples at hand can overlap their cache misses:
 * foretell a chain, or hash it, which also starts loading its table slot, ... */
static inline void chains_begin(struct chains *c, struct chain_ref *ref)
{
	const struct chain_guess *g = &c->guesses[ref->foretold & (CHAIN_GUESSES - 1)];

	ref->guess = g->check == ref->foretold >> 32 ? g->id : 0;
	if (!ref->guess)
		chains_begin_unknown(c, ref);
}

static inline struct chain *chains_get(const struct chains *c, uint32_t id)
{
	return (struct chain *)(void *)&c->chunks[id / CHAIN_CHUNK_UNITS][id % CHAIN_CHUNK_UNITS];
}

const struct chain *chains_expand(const struct chains *c, const struct chain *deep);
/* Chain ID with all its values; a deep one until the next call, or until a chain is added. */
static inline const struct chain *chains_whole(const struct chains *c, uint32_t id)
{
	const struct chain *e = chains_get(c, id);

	return e->kind & CHAIN_DEEP ? chains_expand(c, e) : e;
}

/* How many of C's values lie before the chain itself. */
static inline uint16_t chain_start(const struct chain *c)
{
	return c->kind & CHAIN_APART ? CHAIN_APART_VALUES : 0;
}

/* Without the bits. */
static inline enum chain_kind chain_kind(const struct chain *c)
{
	return (enum chain_kind)(c->kind & ~(CHAIN_APART | CHAIN_DEEP));
}

/* The address of a sample with chain C, when its event records that. */
static inline uint64_t chain_ip(const struct chain *c)
{
	return c->values[c->own];
}

/* And its mode. C is whole. */
struct chain_ip chain_own(const struct chain *c);

bool chains_equal_slow(const struct chains *c, const struct chain *e, const struct chain_ref *ref);
/* Is E of C what REF is? */
static inline bool chains_equal(const struct chains *c, const struct chain *e,
				const struct chain_ref *ref)
{
	if (ref->kind & (CHAIN_APART | CHAIN_DEEP))
		return chains_equal_slow(c, e, ref);
	return e->kind == ref->kind && e->count == ref->count &&
	       !memcmp(e->values, ref->values, ref->count * sizeof(uint64_t));
}

/* ... start loading what it will be compared with, which may be left out, ... */
void chains_expect(const struct chains *c, const struct chain_ref *ref);
uint32_t chains_find_or_store(struct chains *c, struct chain_ref *ref);
/* ... and get its id. */
static inline uint32_t chains_add(struct chains *c, struct chain_ref *ref)
{
	if (ref->guess && chains_equal(c, chains_get(c, ref->guess), ref))
		return ref->guess;
	return chains_find_or_store(c, ref);
}

#endif
