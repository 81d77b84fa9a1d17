/* Shares of modules: every frame of every stack counts for its module. */
#include "analyzers/count/module_shares.h"
#include "analyzers/count/namer.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS (MODE_COUNT + 1)

void module_shares_event(struct module_shares *m, const struct event *e)
{
	struct who who = { .idle = e->pid == 0 };

	samples_add(&m->samples, samples_id(&m->samples, &who), e->stack, 1);
}

static size_t place(const struct module_shares *m, const struct loc *l)
{
	return l->module == MODULE_NONE ? m->module_count + l->mode : l->module;
}

struct adding {
	struct module_shares *m;
	const struct session *session;
	uint32_t *seen; /* by place: the pair it was seen in last */
	uint32_t pair;
};

static void add_through(struct adding *a, size_t at, uint64_t samples)
{
	if (a->seen[at] != a->pair)
		a->m->list[at].through += samples;
	a->seen[at] = a->pair;
}

static void add_frame(struct adding *a, uint32_t loc, uint64_t samples)
{
	size_t at = place(a->m, &session_stacks(a->session)->locs[loc]);
	struct module_share *share = &a->m->list[at];

	share->frames += samples;
	share->named += session_names(a->session)->locs[loc].name ? samples : 0;
	add_through(a, at, samples);
}

/* Where a sample was counts as a frame, too, when it is none of the chain's. */
static void add_where(struct adding *a, uint32_t stack, uint64_t samples)
{
	const struct stacks *st = session_stacks(a->session);
	uint32_t where = where_of(a->session, stack);
	size_t none = a->m->module_count + MODE_COUNT;
	size_t at = where == LOC_NONE ? none : place(a->m, &st->locs[where]);

	a->m->list[at].leaf += samples;
	if (where != LOC_NONE && session_names(a->session)->locs[where].name)
		a->m->list[at].named_leaf += samples;
	if (where == LOC_NONE)
		a->m->list[at].frames += samples;
	else if (st->list[stack].flags & STACK_APART)
		add_frame(a, where, samples);
	add_through(a, at, samples);
}

static void add_stack(struct adding *a, uint32_t id, uint64_t samples)
{
	const struct stacks *st = session_stacks(a->session);
	const struct stack *k = &st->list[id];

	a->pair++;
	add_where(a, id, samples);
	if (k->count >= SHARES_DEEP && !(k->flags & STACK_UNWOUND))
		a->m->deep += samples;
	for (uint32_t i = 0; i < k->count; i++)
		add_frame(a, stack_locs(st, k)[i], samples);
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
	struct adding a = { .m = m, .session = s };
	struct sample_sum sum;

	m->module_count = session_names(s)->module_count;
	m->count = m->module_count + OTHERS;
	m->list = xcalloc(m->count, sizeof(*m->list));
	a.seen = xcalloc(m->count, sizeof(*a.seen));
	for (size_t at = 0; samples_next(&m->samples, &at, &sum);) {
		if (where_passes(where_name(s, sum.stack), f,
				 samples_who(&m->samples, sum.who).idle))
			add_stack(&a, sum.stack, sum.weight);
	}
	add_addresses(m, s);
	sum_up(m);
	free(a.seen);
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
	samples_release(&m->samples);
	free(m->list);
}
