/* Intern call chains. The common case hashes and compares the bytes where they lie in the file. */
#include "parser/stacks/chainmove.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN   1024
#define TAG_MASK    0xffffffff00000000ull
#define CHUNK_BYTES (CHAIN_CHUNK_UNITS * sizeof(uint64_t))
#define SLOT_BYTES  16 /* of the table, for each chain */
#define HEAD_UNITS  (sizeof(struct chain) / sizeof(uint64_t))

_Static_assert(sizeof(struct chain) % sizeof(uint64_t) == 0, "values are aligned");

static void grow(struct chains *c);

void chains_init(struct chains *c)
{
	memset(c, 0, sizeof(*c));
	c->guesses = xcalloc(CHAIN_GUESSES, sizeof(*c->guesses));
	c->look_at = SIZE_MAX;
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
	pieces_release(&c->pieces);
	free(c->whole);
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

static uint64_t value_at(const void *values, unsigned i)
{
	return hash_load((const unsigned char *)values + i * 8);
}

/* Which of COUNT values is the first address; COUNT: none. */
static unsigned first_address(const void *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t value = value_at(values, i);

		if (value < CONTEXT_MAX)
			return i;
		i += value == CONTEXT_USER_DEFERRED; /* a cookie follows */
	}
	return count;
}

/* The marker that value AT stands under, the first address. */
static uint64_t marker_of(const void *values, unsigned at)
{
	uint64_t marker = CONTEXT_USER;

	for (unsigned i = 0; i < at; i++) {
		uint64_t value = value_at(values, i);

		if (mode_of_marker(value) >= 0)
			marker = value;
		i += value == CONTEXT_USER_DEFERRED;
	}
	return marker;
}

bool chain_begins_at_slow(const void *values, unsigned count, uint64_t marker, uint64_t ip)
{
	unsigned first = first_address(values, count);

	return first < count && value_at(values, first) == ip &&
	       mode_of_marker(marker_of(values, first)) == mode_of_marker(marker);
}

/* Which value is C's own address; C->count: it has none. */
static unsigned own_of(const struct chain *c)
{
	if (c->kind & CHAIN_APART || c->kind == CHAIN_NONE || c->kind == CHAIN_EMPTY)
		return 1; /* behind its marker */
	return first_address(c->values, c->count);
}

struct chain_ip chain_own(const struct chain *c)
{
	unsigned at = own_of(c);
	struct chain_ip own = { .known = at < c->count };

	own.ip = own.known ? c->values[at] : 0;
	own.marker = marker_of(c->values, at);
	return own;
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

void chain_ref_alone(struct chain_ref *ref, enum chain_kind kind, uint64_t marker, uint64_t ip)
{
	ref->apart[0] = marker;
	ref->apart[1] = ip;
	ref->values = ref->apart;
	ref->count = 2;
	ref->kind = (uint8_t)kind;
	ref->foretold = chain_foretell(ref->apart, 2);
}

void chains_begin_unknown(struct chains *c, struct chain_ref *ref)
{
	ref->hash = hash_words(ref->values, ref->count) + ref->kind;
	if (ref->kind & CHAIN_APART)
		ref->hash = hash_fold(ref->hash ^ ref->apart[0], ref->apart[1] ^ HASH_K1);
	__builtin_prefetch(&c->table[ref->hash >> 32 & (c->slots - 1)]);
}

void chains_expect(const struct chains *c, const struct chain_ref *ref)
{
	uint32_t id = ref->guess;
	const char *at;

	if (!id) {
		size_t i = ref->hash >> 32 & (c->slots - 1);

		while (c->table[i] && c->table[i] >> 32 != ref->hash >> 32)
			i = (i + 1) & (c->slots - 1);
		id = (uint32_t)c->table[i];
	}
	if (!id)
		return;
	at = (const char *)chains_get(c, id);
	__builtin_prefetch(at);
	__builtin_prefetch(at + 64);
}

/* Where a deep chain has the id of its pieces. */
static unsigned deep_at(uint8_t kind)
{
	return kind & CHAIN_APART ? CHAIN_APART_VALUES : 1;
}

bool chains_equal_slow(const struct chains *c, const struct chain *e, const struct chain_ref *ref)
{
	unsigned start = ref->kind & CHAIN_APART ? CHAIN_APART_VALUES : 0;

	if (e->kind != ref->kind || e->count != start + ref->count ||
	    memcmp(e->values, ref->apart, start * sizeof(uint64_t)) != 0)
		return false;
	if (ref->kind & CHAIN_DEEP)
		return pieces_match(&c->pieces, (uint32_t)e->values[deep_at(ref->kind)],
				    ref->values, ref->count * 2u) == ref->count * 2u;
	return !memcmp(e->values + start, ref->values, ref->count * sizeof(uint64_t));
}

const struct chain *chains_expand(const struct chains *c, const struct chain *deep)
{
	struct chain *whole = c->whole;

	*whole = *deep;
	memcpy(whole->values, deep->values, chain_start(deep) * sizeof(uint64_t));
	pieces_get(&c->pieces, (uint32_t)deep->values[deep_at(deep->kind)],
		   whole->values + chain_start(deep));
	whole->own = own_of(whole);
	if (whole->own == whole->count)
		whole->own = 0;
	return whole;
}

/* Room for COUNT values; *ID is never 0. */
static struct chain *make_room(struct chains *c, size_t count, uint32_t *id)
{
	size_t units = HEAD_UNITS + count;

	if (!c->chunk_count || c->used + units > CHAIN_CHUNK_UNITS) {
		c->chunks = xrealloc(c->chunks, (c->chunk_count + 1) * sizeof(*c->chunks));
		c->chunks[c->chunk_count] =
			c->chunk_count ? big_alloc(CHUNK_BYTES) : big_alloc_part(CHUNK_BYTES);
		c->chunk_count++;
		c->used = 1;
	}
	*id = (uint32_t)((c->chunk_count - 1) * CHAIN_CHUNK_UNITS + c->used);
	c->used += units;
	c->bytes += units * sizeof(uint64_t) + SLOT_BYTES;
	return chains_get(c, *id);
}

/* E, which has room for it, is REF, as a chain that was not seen yet. */
static void fill(struct chain *e, const struct chain_ref *ref)
{
	unsigned start = ref->kind & CHAIN_APART ? CHAIN_APART_VALUES : 0;

	e->space = e->stack = 0;
	e->count = (uint16_t)(start + ref->count);
	e->kind = ref->kind;
	memcpy(e->values, ref->apart, start * sizeof(uint64_t));
	memcpy(e->values + start, ref->values, ref->count * sizeof(uint64_t));
	e->kernel_only = is_kernel_only(e);
	e->own = own_of(e);
	if (e->own == e->count) /* it has none, and none is asked for */
		e->own = 0;
}

/* Copy a new chain; returns its id, never 0. */
static uint32_t store(struct chains *c, const struct chain_ref *ref)
{
	unsigned start = ref->kind & CHAIN_APART ? CHAIN_APART_VALUES : 0;
	unsigned deep = deep_at(ref->kind);
	size_t before = pieces_bytes(&c->pieces);
	struct chain *e;
	uint32_t id;

	if (!(ref->kind & CHAIN_DEEP)) {
		fill(make_room(c, start + ref->count, &id), ref);
		return id;
	}
	if (!c->whole)
		c->whole = xmalloc((HEAD_UNITS + UINT16_MAX) * sizeof(uint64_t));
	fill(c->whole, ref);
	e = make_room(c, deep + 1, &id);
	*e = *c->whole;
	e->own = deep - 1;
	memcpy(e->values, ref->apart, start * sizeof(uint64_t));
	e->values[deep - 1] = c->whole->values[c->whole->own];
	e->values[deep] = pieces_put(&c->pieces, ref->values, ref->count * 2u);
	c->bytes += pieces_bytes(&c->pieces) - before;
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
		    chains_equal(c, chains_get(c, (uint32_t)c->table[i]), ref))
			return (uint32_t)c->table[i];
	}
	if (c->full) {
		c->refused++;
		return c->rare;
	}
	id = store(c, ref);
	c->table[i] = tag | id;
	if (++c->count * 4 > c->slots * 3)
		grow(c);
	return id;
}

uint32_t chains_rare(struct chains *c)
{
	struct chain_ref ref;

	chain_ref_alone(&ref, CHAIN_NONE, CONTEXT_USER, UINT64_MAX);
	if (!c->rare) {
		c->rare = store(c, &ref);
		chains_get(c, c->rare)->kind = CHAIN_RARE;
	}
	return c->rare;
}

/* As a chain on its way in. */
static struct chain_ref ref_of(const struct chain *whole)
{
	unsigned start = chain_start(whole);
	struct chain_ref ref = { .values = whole->values + start,
				 .count = (uint16_t)(whole->count - start),
				 .kind = whole->kind };

	memcpy(ref.apart, whole->values, start * sizeof(uint64_t));
	return ref;
}

uint32_t chains_copy(struct chains *c, const struct chains *from, const struct chain *e)
{
	struct chain_ref ref = ref_of(e->kind & CHAIN_DEEP ? chains_expand(from, e) : e);
	struct chain *copy;
	uint32_t id;

	chains_begin_unknown(c, &ref);
	id = find_or_store(c, &ref);
	copy = chains_get(c, id);
	copy->space = e->space;
	copy->stack = e->stack;
	return id;
}

static size_t units_of(const struct chain *e)
{
	return HEAD_UNITS + (e->kind & CHAIN_DEEP ? deep_at(e->kind) + 1u : e->count);
}

struct chain *chains_next(const struct chains *c, uint32_t *id)
{
	size_t chunk = *id / CHAIN_CHUNK_UNITS, end;

	if (!c->chunk_count)
		return NULL;
	*id += *id ? (uint32_t)units_of(chains_get(c, *id)) : 1;
	end = chunk + 1 < c->chunk_count ? CHAIN_CHUNK_UNITS - HEAD_UNITS : c->used;
	if (*id - chunk * CHAIN_CHUNK_UNITS < end && chains_get(c, *id)->count)
		return chains_get(c, *id);
	if (chunk + 1 >= c->chunk_count)
		return NULL;
	*id = (uint32_t)((chunk + 1) * CHAIN_CHUNK_UNITS + 1); /* the rest of a chunk is zero */
	return chains_get(c, *id);
}

uint32_t chains_find_or_store(struct chains *c, struct chain_ref *ref)
{
	struct chain_guess *g = &c->guesses[ref->foretold & (CHAIN_GUESSES - 1)];

	if (ref->guess) /* which was wrong */
		chains_begin_unknown(c, ref);
	*g = (struct chain_guess){ (uint32_t)(ref->foretold >> 32), find_or_store(c, ref) };
	return g->id;
}
