/* Intern call chains. The common case hashes and compares the bytes where they lie in the file. */
#include "parser/stacks/callchain.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN  1024
#define TAG_MASK   0xffffffff00000000ull
#define VALUES_MAX (UINT16_MAX - CHAIN_APART_VALUES) /* a record of 64 KiB holds 8191 */
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

/* The first of COUNT values that is an address. */
static struct chain_ip first_address(const void *values, uint16_t count)
{
	struct chain_ip first = { .mode = MODE_USER };

	for (unsigned i = 0; i < count && !first.known; i++) {
		int mode;

		first.ip = hash_load((const unsigned char *)values + i * 8);
		first.known = first.ip < CONTEXT_MAX;
		mode = mode_of_marker(first.ip);
		if (mode >= 0)
			first.mode = (enum cpu_mode)mode;
		i += first.ip == CONTEXT_USER_DEFERRED; /* a cookie follows */
	}
	return first;
}

bool chain_begins_at_slow(const void *values, uint16_t count, const struct chain_ip *own)
{
	struct chain_ip first = first_address(values, count);

	return first.known && first.ip == own->ip && first.mode == own->mode;
}

struct chain_ip chain_own(const struct chain *c)
{
	bool alone = c->kind == CHAIN_NONE || c->kind == CHAIN_EMPTY;

	if (!alone && !(c->kind & CHAIN_APART))
		return first_address(c->values, c->count);
	return (struct chain_ip){ c->values[1], (enum cpu_mode)mode_of_marker(c->values[0]), true };
}

static bool is_kernel_only(const struct chain *c)
{
	uint16_t i = chain_start(c);

	if (i == c->count || c->values[0] != CONTEXT_KERNEL || c->values[i] != CONTEXT_KERNEL)
		return false;
	for (; i < c->count; i++) {
		if (c->values[i] == CONTEXT_USER || c->values[i] == CONTEXT_USER_DEFERRED)
			return false;
	}
	return true;
}

/* Copy a new chain; returns its id, never 0. */
static uint32_t store(struct chains *c, const struct chain_ref *ref)
{
	unsigned start = ref->kind & CHAIN_APART ? CHAIN_APART_VALUES : 0;
	size_t units = HEAD_UNITS + start + ref->count;
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
	e->count = (uint16_t)(start + ref->count);
	e->kind = ref->kind;
	memcpy(e->values, ref->apart, start * sizeof(uint64_t));
	memcpy(e->values + start, ref->values, ref->count * sizeof(uint64_t));
	e->kernel_only = is_kernel_only(e);
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
		ref->hash = chain_hash(ref);
	*g = (struct chain_guess){ (uint32_t)(ref->foretold >> 32), find_or_store(c, ref) };
	return g->id;
}

static uint64_t *scratch(struct chains *c, uint64_t count)
{
	c->scratch = xgrow(c->scratch, &c->scratch_cap, (size_t)count, sizeof(*c->scratch));
	return c->scratch;
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

/* S's own address stands in for its chain. */
static struct chain_ref alone(struct chains *c, const struct sample *s)
{
	bool has = s->desc->attr.sample_type & SAMPLE_CALLCHAIN;
	uint64_t *out = scratch(c, 2);

	out[0] = marker_of_mode(mode_of_misc(s->misc));
	out[1] = s->ip;
	return chain_ref_of(has ? CHAIN_EMPTY : CHAIN_NONE, out, 2, &(struct chain_ip){ 0 });
}

/* The values of S's chain, where they lie or put together in the scratch buffer. */
static struct chain_ref gather(struct chains *c, const struct sample *s)
{
	const struct event_attr *attr = &s->desc->attr;
	struct chain_ip own = { s->ip, mode_of_misc(s->misc), attr->sample_type & SAMPLE_IP };
	const void *values = s->chain;
	uint64_t n = 0;

	if (!s->chain_nr)
		return alone(c, s);
	if (s->branch_nr && attr->branch_sample_type & BRANCH_CALL_STACK) {
		n = lbr_chain(c, s);
		values = n ? c->scratch : values;
	}
	if (!n) {
		n = s->chain_nr;
		if (s->swap)
			values = scratch(c, n);
		for (uint64_t i = 0; s->swap && i < n; i++)
			c->scratch[i] = sample_u64(s, s->chain, i);
	}
	n = n < VALUES_MAX ? n : VALUES_MAX;
	return chain_ref_of(CHAIN_RECORDED, values, (uint16_t)n, &own);
}

uint32_t chains_add_ip(struct chains *c, uint64_t ip, enum cpu_mode mode)
{
	uint64_t values[2] = { marker_of_mode(mode), ip };
	struct chain_ref ref = chain_ref_of(CHAIN_NONE, values, 2, &(struct chain_ip){ 0 });

	chains_begin(c, &ref);
	return chains_add(c, &ref);
}

uint32_t chains_add_sample(struct chains *c, const struct sample *s)
{
	struct chain_ref ref = gather(c, s);

	ref.hash = chain_hash(&ref);
	return find_or_store(c, &ref);
}
