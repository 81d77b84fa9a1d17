/* Samples of a function by address. Counted by location while events flow; the function is looked
 * for once names are there. */
#include "analyzers/profile/annotated.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NEAREST_MAX 3

/* ---- counting ---- */

void annotated_add(struct annotated *a, struct amount *to, const struct amount *n)
{
	a->overflow |= add_held(&to->weight, n->weight);
	to->samples += n->samples;
	to->exact += n->exact;
}

void annotated_event(struct annotated *a, const struct pdt_event *e, const struct pdt_session *s)
{
	struct amount one = { e->weight, 1, e->exact };
	uint32_t loc = pdt_stack_at(s, e->stack).ip, *slot;

	if (loc == PDT_NONE)
		return;
	slot = idmap_put(&a->by_key,
			 (uint64_t)pdt_desc_index(e->desc) << 33 | (uint64_t)!e->pid << 32 | loc);
	if (*slot == IDMAP_NONE) {
		a->counts = xgrow(a->counts, &a->count_cap, a->count + 1, sizeof(*a->counts));
		a->counts[a->count] =
			(struct leaf_count){ pdt_desc_index(e->desc), loc, !e->pid, { 0 } };
		*slot = (uint32_t)a->count++;
	}
	annotated_add(a, &a->counts[*slot].amount, &one);
}

/* ---- the functions ---- */

static bool is_called(struct place p, const char *symbol)
{
	const char *name = pdt_location_name(p.session, p.loc);

	return name &&
	       (!strcmp(name, symbol) || !strcmp(pdt_location_symbol(p.session, p.loc), symbol));
}

static void add_spot(struct annotated *a, const struct leaf_count *c, const struct pdt_session *s)
{
	uint64_t addr = pdt_location_offset(s, c->loc);
	uint32_t module = pdt_location_module_id(s, c->loc);

	if (module == PDT_NONE)
		return;
	a->spots = xgrow(a->spots, &a->spot_cap, a->spot_count + 1, sizeof(*a->spots));
	a->spots[a->spot_count++] =
		(struct spot){ .start = addr - pdt_location_symbol_offset(s, c->loc),
			       .addr = addr,
			       .module = module,
			       .loc = c->loc,
			       .event = c->desc,
			       .amount = c->amount };
}

static int by_address(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return compare_u64(x->module, y->module) ?: compare_u64(x->start, y->start) ?:
	       compare_u64(x->addr, y->addr) ?: compare_u64(x->event, y->event);
}

/* The same address as thread and as idle task, or in two CPU modes, is one. */
static void merge_spots(struct annotated *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->spot_count; i++) {
		if (n && !by_address(&a->spots[n - 1], &a->spots[i]))
			annotated_add(a, &a->spots[n - 1].amount, &a->spots[i].amount);
		else
			a->spots[n++] = a->spots[i];
	}
	a->spot_count = n;
}

/* From indices of the capture's list to those of our own; spots of events beyond the limit go. */
static void number_events(struct annotated *a, const struct pdt_session *s)
{
	size_t count = pdt_desc_count(s), n = 0;
	uint32_t *index = xmalloc((count + 1) * sizeof(*index));

	memset(index, 0xff, (count + 1) * sizeof(*index));
	for (size_t i = 0; i < a->spot_count; i++)
		index[a->spots[i].event] = 0;
	for (size_t i = 0; i < count; i++) {
		if (index[i])
			continue;
		index[i] = (uint32_t)a->event_count;
		if (a->event_count < ANNOTATED_EVENTS)
			a->events[a->event_count++].desc = pdt_desc_at(s, i);
		else
			a->events_left_out++;
	}
	for (size_t i = 0; i < a->spot_count; i++) {
		struct spot *to = &a->spots[n];

		*to = a->spots[i];
		to->event = index[to->event];
		if (to->event >= ANNOTATED_EVENTS)
			continue;
		annotated_add(a, &a->events[to->event].amount, &to->amount);
		n++;
	}
	a->spot_count = n;
	free(index);
}

static int by_samples(const void *a, const void *b)
{
	const struct annotated_function *x = a, *y = b;

	return compare_u64(y->samples, x->samples) ?: compare_u64(x->module, y->module) ?:
	       compare_u64(x->start, y->start);
}

static void find_functions(struct annotated *a)
{
	struct annotated_function *f = NULL;

	for (size_t i = 0; i < a->spot_count; i++) {
		const struct spot *p = &a->spots[i];

		if (!f || f->module != p->module || f->start != p->start) {
			a->functions = xgrow(a->functions, &a->function_cap, a->function_count + 1,
					     sizeof(*a->functions));
			f = &a->functions[a->function_count++];
			*f = (struct annotated_function){ p->module, p->loc, p->start, p, 0, 0 };
		}
		f->count++;
		f->samples += p->amount.samples;
	}
	if (a->function_count)
		qsort(a->functions, a->function_count, sizeof(*a->functions), by_samples);
}

void annotated_select(struct annotated *a, const struct pdt_session *s, const char *symbol)
{
	const struct filter *f = filter_of(s);

	for (size_t i = 0; i < a->count; i++) {
		const struct leaf_count *c = &a->counts[i];
		struct place p = { s, c->loc };

		if (is_called(p, symbol) && where_passes(p, f, c->pid0))
			add_spot(a, c, s);
	}
	if (a->spot_count)
		qsort(a->spots, a->spot_count, sizeof(*a->spots), by_address);
	merge_spots(a);
	number_events(a, s);
	find_functions(a);
}

/* ---- other names ---- */

struct near {
	const char *name;
	size_t likeness;
	uint64_t samples;
};

/* Holding the word counts most, then a common beginning. */
static size_t likeness(const char *name, const char *symbol)
{
	size_t n = 0;

	if (strcasestr(name, symbol))
		return SIZE_MAX;
	while (name[n] && name[n] == symbol[n])
		n++;
	return n;
}

static bool is_nearer(const struct near *a, const struct near *b)
{
	if (!b->name || a->likeness != b->likeness)
		return !b->name || a->likeness > b->likeness;
	if (a->samples != b->samples)
		return a->samples > b->samples;
	return strcmp(a->name, b->name) < 0;
}

/* Into the sorted LIST, in which a name is once. */
static void put_near(struct near list[NEAREST_MAX], struct near n)
{
	size_t at = NEAREST_MAX;

	for (size_t i = 0; i < NEAREST_MAX; i++) {
		if (list[i].name && !strcmp(list[i].name, n.name))
			return;
	}
	while (at > 0 && is_nearer(&n, &list[at - 1])) {
		if (at < NEAREST_MAX)
			list[at] = list[at - 1];
		list[--at] = n;
	}
}

void annotated_nearest(const struct annotated *a, const struct pdt_session *s, const char *symbol,
		       struct buf *out)
{
	struct near list[NEAREST_MAX] = { 0 };

	for (size_t i = 0; i < a->count; i++) {
		const char *name = pdt_location_name(s, a->counts[i].loc);

		if (name)
			put_near(list, (struct near){ name, likeness(name, symbol),
						      a->counts[i].amount.samples });
	}
	for (size_t i = 0; i < NEAREST_MAX && list[i].name; i++)
		buf_printf(out, "%s%s", i ? ", " : "", list[i].name);
}

void annotated_release(struct annotated *a)
{
	free(a->counts);
	idmap_release(&a->by_key);
	free(a->spots);
	free(a->functions);
}
