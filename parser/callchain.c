/* Intern call chains. The common case hashes and compares the bytes where they lie in the file. */
#include "parser/callchain.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/file/abi.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 1024

void chains_init(struct chains *c)
{
	memset(c, 0, sizeof(*c));
	arena_init(&c->values);
}

void chains_release(struct chains *c)
{
	free(c->list);
	free(c->table);
	free(c->scratch);
	arena_release(&c->values);
}

static void grow(struct chains *c)
{
	size_t old_slots = c->slots;
	uint64_t *old = c->table;

	c->slots = old_slots ? old_slots * 2 : SLOTS_MIN;
	c->table = xcalloc(c->slots, sizeof(*c->table));
	for (size_t i = 0; i < old_slots; i++) {
		size_t to = old[i] >> 32 & (c->slots - 1);

		if (!old[i])
			continue;
		while (c->table[to])
			to = (to + 1) & (c->slots - 1);
		c->table[to] = old[i];
	}
	free(old);
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

static uint32_t intern(struct chains *c, const void *values, uint64_t count, enum chain_kind kind)
{
	size_t bytes = (size_t)count * 8;
	uint64_t hash = hash_bytes(values, bytes) + kind;
	uint64_t tag = hash & 0xffffffff00000000;
	uint64_t *copy;
	size_t i;

	if ((c->count + 1) * 2 > c->slots)
		grow(c);
	for (i = hash >> 32 & (c->slots - 1); c->table[i]; i = (i + 1) & (c->slots - 1)) {
		const struct chain *e = &c->list[(uint32_t)c->table[i] - 1];

		if ((c->table[i] & 0xffffffff00000000) == tag && e->count == count &&
		    e->kind == kind && !memcmp(e->values, values, bytes))
			return (uint32_t)c->table[i] - 1;
	}
	copy = arena_alloc(&c->values, bytes);
	memcpy(copy, values, bytes);
	c->list = xgrow(c->list, &c->cap, c->count + 1, sizeof(*c->list));
	c->list[c->count] = (struct chain){ copy, (uint32_t)count, (uint8_t)kind,
					    is_kernel_only(copy, count) };
	c->table[i] = tag | ++c->count;
	return (uint32_t)c->count - 1;
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

/* With LBR call stacks the user part is what the hardware recorded: the chain up to and with its user
 * marker, then where the newest branch went, then where each came from
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

uint32_t chains_add(struct chains *c, const struct sample *s)
{
	const struct event_attr *attr = &s->desc->attr;
	uint64_t *out;
	uint64_t n;

	if (!s->chain_nr) {
		out = scratch(c, 2);
		out[0] = marker_of(s->misc);
		out[1] = s->ip;
		return intern(c, out, 2,
			      attr->sample_type & SAMPLE_CALLCHAIN ? CHAIN_EMPTY : CHAIN_NONE);
	}
	if (s->branch_nr && attr->branch_sample_type & BRANCH_CALL_STACK) {
		n = lbr_chain(c, s);
		if (n)
			return intern(c, c->scratch, n, CHAIN_RECORDED);
	}
	if (!s->swap)
		return intern(c, s->chain, s->chain_nr, CHAIN_RECORDED);
	out = scratch(c, s->chain_nr);
	for (n = 0; n < s->chain_nr; n++)
		out[n] = sample_u64(s, s->chain, n);
	return intern(c, out, s->chain_nr, CHAIN_RECORDED);
}
