/* Shares of modules: every frame of every stack counts for its module. */
#include "analyzers/count/module_shares.h"
#include "analyzers/count/namer.h"
#include "formats/model/amount.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS (PDT_MODES + 1)

void module_shares_event(struct module_shares *m, const struct pdt_event *e)
{
	struct who who = { .idle = e->pid == 0 };

	samples_add(&m->samples, samples_id(&m->samples, &who), e->stack, 1);
}

/* What no mapping holds is the kernel's until its symbols are there and do not claim it, either. */
static bool is_beside_kernel(struct place p, uint32_t module)
{
	const struct pdt_module *m = pdt_module_at(p.session, module);
	const char *source;

	if (pdt_location_module(p.session, p.loc) ||
	    pdt_module_number(m, PDT_MODULE_KIND) != PDT_MODULE_KERNEL)
		return false;
	source = pdt_module_text(m, PDT_MODULE_SOURCE);
	return source && strcmp(source, pdt_text(p.session, PDT_PATH));
}

/* The index of what is at P. */
static size_t index_of(const struct module_shares *m, struct place p)
{
	uint32_t module = pdt_location_module_id(p.session, p.loc);

	if (p.loc == PDT_NONE)
		return m->module_count + PDT_MODES;
	if (module != PDT_NONE && !is_beside_kernel(p, module))
		return module;
	return m->module_count + (size_t)pdt_location_mode(p.session, p.loc);
}

/* Why no file can name what is none of a module: OTHER behind their indices. */
static enum nameless why_nameless(size_t other, bool is_where, uint8_t flags)
{
	switch (other) {
	case PDT_MODES:
		return NAMELESS_STACK;
	case PDT_KERNEL:
	case PDT_GUEST_KERNEL:
		return NAMELESS_KERNEL;
	case PDT_USER:
		break;
	default:
		return NAMELESS_BEYOND;
	}
	return is_where			   ? NAMELESS_OWN
	       : flags & PDT_STACK_UNWOUND ? NAMELESS_UNWOUND
					   : NAMELESS_CHAIN;
}

/* By location, found out once: its index, times 2, + 1 where it is named. */
#define NAMED 1u

struct adding {
	struct module_shares *m;
	const struct pdt_session *session;
	uint32_t *places; /* behind the locations: that of none */
	uint32_t *seen;	  /* by place: the pair it was seen in last */
	uint32_t pair;
	uint8_t flags; /* of its stack */
};

static uint32_t place_at(const struct adding *a, uint32_t loc)
{
	return a->places[loc == PDT_NONE ? pdt_location_count(a->session) : loc];
}

static void add_through(struct adding *a, size_t at, uint64_t samples)
{
	if (a->seen[at] != a->pair)
		a->m->list[at].through += samples;
	a->seen[at] = a->pair;
}

/* IS_WHERE: the sample itself was there. */
static void add_frame(struct adding *a, uint32_t loc, bool is_where, uint64_t samples)
{
	uint32_t place = place_at(a, loc);
	size_t at = place >> 1;
	struct module_share *share = &a->m->list[at];

	share->frames += samples;
	share->named += place & NAMED ? samples : 0;
	if (at >= a->m->module_count)
		a->m->nameless[why_nameless(at - a->m->module_count, is_where, a->flags)] +=
			samples;
	add_through(a, at, samples);
}

/* Where a sample was counts as a frame, too, when it is none of the chain's. */
static void add_where(struct adding *a, uint32_t where, bool apart, uint64_t samples)
{
	uint32_t place = place_at(a, where);
	struct module_share *share = &a->m->list[place >> 1];

	share->leaf += samples;
	share->named_leaf += place & NAMED ? samples : 0;
	if (apart || where == PDT_NONE)
		add_frame(a, where, true, samples);
	else
		add_through(a, place >> 1, samples);
}

static void add_stack(struct adding *a, uint32_t id, uint64_t samples)
{
	struct pdt_stack k = pdt_stack_at(a->session, id);
	bool apart = k.flags & PDT_STACK_APART;

	a->pair++;
	a->flags = (uint8_t)k.flags;
	add_where(a, k.ip, apart, samples);
	if (k.depth >= SHARES_DEEP && !(k.flags & PDT_STACK_UNWOUND))
		a->m->deep += samples;
	for (uint32_t i = 0; i < k.depth; i++)
		add_frame(a, k.locations[i], !i && !apart, samples);
}

static void find_places(struct adding *a)
{
	size_t count = pdt_location_count(a->session);

	a->places = xcalloc(count + 1, sizeof(*a->places));
	for (size_t i = 0; i < count; i++) {
		struct place p = { a->session, (uint32_t)i };

		a->places[i] = (uint32_t)index_of(a->m, p) << 1 |
			       (pdt_location_name(p.session, p.loc) ? NAMED : 0);
	}
	a->places[count] = (uint32_t)index_of(a->m, (struct place){ a->session, PDT_NONE }) << 1;
}

/* Of the whole capture: what filters by the leaf take out is counted here all the same. */
static void add_addresses(struct adding *a)
{
	for (size_t i = 0; i < pdt_number(a->session, PDT_ADDRESSES); i++) {
		struct module_share *share = &a->m->list[a->places[i] >> 1];

		share->addresses++;
		share->named_addresses += a->places[i] & NAMED;
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
	for (size_t i = m->module_count; i < m->count; i++) {
		m->nameless_frames += m->list[i].frames;
		m->nameless_leaves += m->list[i].leaf;
	}
}

void module_shares_take(struct module_shares *m, const struct samples *from,
			const struct pdt_session *s)
{
	bool numbers = from->wants & WANT_NUMBERS;
	const struct filter *f = filter_of(s);
	struct adding a = { .m = m, .session = s };
	struct sample_sum sum;

	m->module_count = pdt_module_count(s);
	m->count = m->module_count + OTHERS;
	m->list = xcalloc(m->count, sizeof(*m->list));
	a.seen = xcalloc(m->count, sizeof(*a.seen));
	find_places(&a);
	for (size_t at = 0; samples_next(from, &at, &sum);) {
		if (stack_passes(s, sum.stack, f, samples_who(from, sum.who).idle))
			add_stack(&a, sum.stack, numbers ? sum.samples : sum.weight);
	}
	add_addresses(&a);
	sum_up(m);
	free(a.seen);
	free(a.places);
}

void module_shares_finish(struct module_shares *m, const struct pdt_session *s)
{
	module_shares_take(m, &m->samples, s);
}

/* Frames that no file can name are no one's lack. */
struct unresolved module_shares_unresolved(const struct module_shares *m)
{
	uint64_t frames = m->all.frames - m->nameless_frames;
	uint64_t leaves = m->all.leaf - m->nameless_leaves;
	uint64_t unnamed = frames - m->all.named, unnamed_leaves = leaves - m->all.named_leaf;

	return (struct unresolved){ .frames = frames,
				    .unnamed = unnamed,
				    .frame_percent = percent_of((double)unnamed, (double)frames),
				    .leaf_percent =
					    percent_of((double)unnamed_leaves, (double)leaves) };
}

const char *module_shares_other(const struct module_shares *m, size_t i)
{
	static const char *const names[OTHERS] = {
		[PDT_USER] = "[no mapping]",	       [PDT_KERNEL] = "[kernel, no mapping]",
		[PDT_HYPERVISOR] = "[hypervisor]",     [PDT_GUEST_USER] = "[guest]",
		[PDT_GUEST_KERNEL] = "[guest kernel]", [PDT_MODES] = "[no stack]",
	};

	return names[i - m->module_count];
}

void module_shares_release(struct module_shares *m)
{
	samples_release(&m->samples);
	free(m->list);
}
