/* Intern call chains. The common case hashes and compares the bytes where they lie in the file. */
#include "parser/stacks/callchain.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN  1024
#define TAG_MASK   0xffffffff00000000ull
#define VALUES_MAX UINT16_MAX /* a record of 64 KiB holds 8191 */
#define HEAD_UNITS (sizeof(struct chain) / sizeof(uint64_t))

_Static_assert(sizeof(struct chain) % sizeof(uint64_t) == 0, "values are aligned");

static void grow(struct chains *c);

void chains_init(struct chains *c)
{
	memset(c, 0, sizeof(*c));
	c->guesses = xcalloc(CHAIN_GUESSES, sizeof(*c->guesses));
	grow(c);
}

void chains_release(struct chains *c)
{
	for (size_t i = 0; i < c->chunk_count; i++)
		big_free(c->chunks[i], CHAIN_CHUNK_UNITS * sizeof(uint64_t));
	free(c->chunks);
	big_free(c->table, c->slots * sizeof(*c->table));
	free(c->scratch);
	free(c->guesses);
}

static void grow(struct chains *c)
{
	size_t old_slots = c->slots;
	uint64_t *old = c->table;

	c->slots = old_slots ? old_slots * 2 : SLOTS_MIN;
	c->table = big_alloc(c->slots * sizeof(*c->table));
	for (size_t i = 0; i < old_slots; i++) {
		size_t to = old[i] >> 32 & (c->slots - 1);

		if (!old[i])
			continue;
		while (c->table[to])
			to = (to + 1) & (c->slots - 1);
		c->table[to] = old[i];
	}
	big_free(old, old_slots * sizeof(*old));
}

static bool is_kernel_only(const uint64_t *values, uint64_t count)
{
	if (!count || values[0] != CONTEXT_KERNEL)
		return false;
	for (uint64_t i = 1; i < count; i++) {
		if (values[i] == CONTEXT_USER || values[i] == CONTEXT_USER_DEFERRED)
			return false;
	}
	return true;
}

/* Copy a new chain; returns its id, never 0. */
static uint32_t store(struct chains *c, const struct chain_ref *ref)
{
	size_t units = HEAD_UNITS + ref->count;
	struct chain *e;
	uint32_t id;

	if (!c->chunk_count || c->used + units > CHAIN_CHUNK_UNITS) {
		c->chunks = xrealloc(c->chunks, (c->chunk_count + 1) * sizeof(*c->chunks));
		c->chunks[c->chunk_count++] = big_alloc(CHAIN_CHUNK_UNITS * sizeof(uint64_t));
		c->used = 1;
	}
	id = (uint32_t)((c->chunk_count - 1) * CHAIN_CHUNK_UNITS + c->used);
	c->used += units;
	e = chains_get(c, id);
	e->count = ref->count;
	e->kind = ref->kind;
	memcpy(e->values, ref->values, ref->count * sizeof(uint64_t));
	e->kernel_only = is_kernel_only(e->values, e->count);
	return id;
}

/* Look REF up by its hash; store it when it is new. */
static uint32_t find_or_store(struct chains *c, const struct chain_ref *ref)
{
	uint64_t tag = ref->hash & TAG_MASK;
	uint32_t id;
	size_t i;

	for (i = ref->hash >> 32 & (c->slots - 1); c->table[i]; i = (i + 1) & (c->slots - 1)) {
		if ((c->table[i] & TAG_MASK) == tag &&
		    chain_is(chains_get(c, (uint32_t)c->table[i]), ref))
			return (uint32_t)c->table[i];
	}
	id = store(c, ref);
	c->table[i] = tag | id;
	if (++c->count * 4 > c->slots * 3)
		grow(c);
	return id;
}

uint32_t chains_find_or_store(struct chains *c, struct chain_ref *ref)
{
	struct chain_guess *g = &c->guesses[ref->foretold & (CHAIN_GUESSES - 1)];

	/* a guess that was wrong, perhaps as another chain of the batch took its place */
	if (ref->guessed)
		ref->hash = hash_words(ref->values, ref->count) + ref->kind;
	*g = (struct chain_guess){ (uint32_t)(ref->foretold >> 32), find_or_store(c, ref) };
	return g->id;
}

static uint64_t *scratch(struct chains *c, uint64_t count)
{
	c->scratch = xgrow(c->scratch, &c->scratch_cap, (size_t)count, sizeof(*c->scratch));
	return c->scratch;
}

static uint64_t marker_of(uint16_t misc)
{
	switch (misc & MISC_CPUMODE_MASK) {
	case MISC_KERNEL:
		return CONTEXT_KERNEL;
	case MISC_HYPERVISOR:
		return CONTEXT_HV;
	case MISC_GUEST_KERNEL:
		return CONTEXT_GUEST_KERNEL;
	case MISC_GUEST_USER:
		return CONTEXT_GUEST_USER;
	default:
		return CONTEXT_USER;
	}
}

/* With LBR call stacks the user part is what the hardware recorded: the chain up to and with its
 * user marker, then where the newest branch went, then where each came from
 * (tools/perf/util/machine.c: resolve_lbr_callchain_sample). 0 when there is no user part. */
static uint64_t lbr_chain(struct chains *c, const struct sample *s)
{
	uint64_t user = 0, n;
	uint64_t *out;

	while (user < s->chain_nr && sample_u64(s, s->chain, user) != CONTEXT_USER)
		user++;
	if (user == s->chain_nr)
		return 0;
	out = scratch(c, user + 2 + s->branch_nr);
	for (n = 0; n <= user; n++)
		out[n] = sample_u64(s, s->chain, n);
	out[n++] = sample_u64(s, s->branches, 1);
	for (uint64_t i = 0; i < s->branch_nr; i++)
		out[n++] = sample_u64(s, s->branches, i * 3);
	return n;
}

/* The values of S's chain, where they lie or put together in the scratch buffer. */
static struct chain_ref gather(struct chains *c, const struct sample *s)
{
	const struct event_attr *attr = &s->desc->attr;
	uint64_t *out;
	uint64_t n;

	if (!s->chain_nr) {
		bool has = attr->sample_type & SAMPLE_CALLCHAIN;

		out = scratch(c, 2);
		out[0] = marker_of(s->misc);
		out[1] = s->ip;
		return (struct chain_ref){ .values = out,
					   .count = 2,
					   .kind = has ? CHAIN_EMPTY : CHAIN_NONE };
	}
	if (s->branch_nr && attr->branch_sample_type & BRANCH_CALL_STACK) {
		n = lbr_chain(c, s);
		n = n < VALUES_MAX ? n : VALUES_MAX;
		if (n)
			return (struct chain_ref){ .values = c->scratch,
						   .count = (uint16_t)n,
						   .kind = CHAIN_RECORDED };
	}
	n = s->chain_nr < VALUES_MAX ? s->chain_nr : VALUES_MAX;
	if (!s->swap)
		return (struct chain_ref){ .values = s->chain,
					   .count = (uint16_t)n,
					   .kind = CHAIN_RECORDED };
	out = scratch(c, n);
	for (uint64_t i = 0; i < n; i++)
		out[i] = sample_u64(s, s->chain, i);
	return (struct chain_ref){ .values = out, .count = (uint16_t)n, .kind = CHAIN_RECORDED };
}

uint32_t chains_add_sample(struct chains *c, const struct sample *s)
{
	struct chain_ref ref = gather(c, s);

	ref.hash = hash_words(ref.values, ref.count) + ref.kind;
	return find_or_store(c, &ref);
}
