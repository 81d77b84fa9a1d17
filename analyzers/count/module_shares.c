#include "analyzers/count/module_shares.h"
#include "analyzers/count/leaf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS (MODE_COUNT + 1)

void module_shares_event(struct module_shares *m, const struct event *e)
{
	size_t old = m->count_cap;

	m->counts = xgrow(m->counts, &m->count_cap, (size_t)e->stack + 1, sizeof(*m->counts));
	memset(m->counts + old, 0, (m->count_cap - old) * sizeof(*m->counts));
	m->counts[e->stack][e->pid == 0]++;
}

static size_t place(const struct module_shares *m, const struct loc *l)
{
	return l->module == MODULE_NONE ? m->module_count + l->mode : l->module;
}

/* SAMPLES samples of stack ID. SEEN says by place in which stack it was seen last, plus 1. */
static void add_stack(struct module_shares *m, const struct session *s, uint32_t id,
		      uint64_t samples, uint32_t *seen)
{
	const struct stacks *st = session_stacks(s);
	const struct stack *k = &st->list[id];
	const uint32_t *locs = stack_locs(st, k);

	if (!k->count) {
		struct module_share *none = &m->list[m->module_count + MODE_COUNT];

		none->leaf += samples;
		none->through += samples;
		none->frames += samples;
		return;
	}
	m->list[place(m, &st->locs[locs[0]])].leaf += samples;
	if (session_names(s)->locs[locs[0]].name)
		m->list[place(m, &st->locs[locs[0]])].named_leaf += samples;
	if (k->count >= SHARES_DEEP && !(k->flags & STACK_UNWOUND))
		m->deep += samples;
	for (uint32_t i = 0; i < k->count; i++) {
		size_t at = place(m, &st->locs[locs[i]]);
		struct module_share *share = &m->list[at];

		share->frames += samples;
		if (session_names(s)->locs[locs[i]].name)
			share->named += samples;
		if (seen[at] != id + 1)
			share->through += samples;
		seen[at] = id + 1;
	}
}

/* Of the whole capture: what filters by the leaf take out is counted here all the same. */
static void add_addresses(struct module_shares *m, const struct session *s)
{
	const struct stacks *st = session_stacks(s);

	for (size_t i = 0; i < st->loc_count; i++) {
		struct module_share *share = &m->list[place(m, &st->locs[i])];

		share->addresses++;
		share->named_addresses += session_names(s)->locs[i].name != NULL;
	}
}

static void sum_up(struct module_shares *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct module_share *share = &m->list[i];

		m->all.leaf += share->leaf;
		m->all.named_leaf += share->named_leaf;
		m->all.frames += share->frames;
		m->all.named += share->named;
		m->all.addresses += share->addresses;
		m->all.named_addresses += share->named_addresses;
	}
	m->all.through = m->all.leaf;
}

void module_shares_finish(struct module_shares *m, const struct session *s, const struct filter *f)
{
	size_t stacks = session_stacks(s)->count;
	uint32_t *seen;

	m->module_count = session_names(s)->module_count;
	m->count = m->module_count + OTHERS;
	m->list = xcalloc(m->count, sizeof(*m->list));
	seen = xcalloc(m->count, sizeof(*seen));
	for (size_t i = 0; i < stacks && i < m->count_cap; i++) {
		const struct loc_name *leaf = leaf_of(s, (uint32_t)i);

		uint64_t samples = 0;

		for (int pid0 = 0; pid0 < 2; pid0++)
			samples += leaf_passes(leaf, f, pid0) ? m->counts[i][pid0] : 0;
		if (samples)
			add_stack(m, s, (uint32_t)i, samples, seen);
	}
	add_addresses(m, s);
	sum_up(m);
	free(seen);
}

const char *module_shares_other(const struct module_shares *m, size_t i)
{
	static const char *const names[OTHERS] = {
		[MODE_USER] = "[no mapping]",
		[MODE_KERNEL] = "[kernel, no mapping]",
		[MODE_HV] = "[hypervisor]",
		[MODE_GUEST_USER] = "[guest]",
		[MODE_GUEST_KERNEL] = "[guest kernel]",
		[MODE_COUNT] = "[no stack]",
	};

	return names[i - m->module_count];
}

void module_shares_release(struct module_shares *m)
{
	free(m->counts);
	free(m->list);
}
