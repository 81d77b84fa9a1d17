/* Samples of a function by address. Counted by location while events flow; the function is looked
 * for once names are there. */
#include "analyzers/profile/annotated.h"
#include "analyzers/count/namer.h"
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

void annotated_event(struct annotated *a, const struct event *e, const struct session *s)
{
	struct amount one = { e->weight, 1, e->exact };
	uint32_t loc = where_of(s, e->stack), *slot;

	if (loc == LOC_NONE)
		return;
	slot = idmap_put(&a->by_key,
			 (uint64_t)e->desc->index << 33 | (uint64_t)!e->pid << 32 | loc);
	if (*slot == IDMAP_NONE) {
		a->counts = xgrow(a->counts, &a->count_cap, a->count + 1, sizeof(*a->counts));
		a->counts[a->count] = (struct leaf_count){ e->desc->index, loc, !e->pid, { 0 } };
		*slot = (uint32_t)a->count++;
	}
	annotated_add(a, &a->counts[*slot].amount, &one);
}

/* ---- the functions ---- */

static bool is_called(const struct loc_name *n, const char *symbol)
{
	return n->name && (!strcmp(n->name, symbol) || !strcmp(n->symbol, symbol));
}

static void add_spot(struct annotated *a, const struct leaf_count *c, const struct session *s)
{
	const struct loc *l = &session_stacks(s)->locs[c->loc];
	const struct loc_name *n = &session_names(s)->locs[c->loc];

	if (l->module == MODULE_NONE)
		return;
	a->spots = xgrow(a->spots, &a->spot_cap, a->spot_count + 1, sizeof(*a->spots));
	a->spots[a->spot_count++] = (struct spot){ .start = l->addr - n->offset,
						   .addr = l->addr,
						   .module = l->module,
						   .loc = c->loc,
						   .event = c->desc,
						   .amount = c->amount };
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_address(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int rc = compare(x->module, y->module);

	rc = rc ? rc : compare(x->start, y->start);
	rc = rc ? rc : compare(x->addr, y->addr);
	return rc ? rc : compare(x->event, y->event);
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
static void number_events(struct annotated *a, const struct session *s)
{
	const struct event_list *list = &session_capture(s)->events;
	uint32_t *index = xmalloc((list->count + 1) * sizeof(*index));
	size_t n = 0;

	memset(index, 0xff, (list->count + 1) * sizeof(*index));
	for (size_t i = 0; i < a->spot_count; i++)
		index[a->spots[i].event] = 0;
	for (size_t i = 0; i < list->count; i++) {
		if (index[i])
			continue;
		index[i] = (uint32_t)a->event_count;
		if (a->event_count < ANNOTATED_EVENTS)
			a->events[a->event_count++].desc = list->descs[i];
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
	int rc = compare(y->samples, x->samples);

	rc = rc ? rc : compare(x->module, y->module);
	return rc ? rc : compare(x->start, y->start);
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

void annotated_select(struct annotated *a, const struct session *s, const struct filter *f,
		      const char *symbol)
{
	const struct names *names = session_names(s);

	for (size_t i = 0; i < a->count; i++) {
		const struct leaf_count *c = &a->counts[i];
		const struct loc_name *n = &names->locs[c->loc];

		if (is_called(n, symbol) && where_passes(n, f, c->pid0))
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

void annotated_nearest(const struct annotated *a, const struct session *s, const char *symbol,
		       struct buf *out)
{
	struct near list[NEAREST_MAX] = { 0 };

	for (size_t i = 0; i < a->count; i++) {
		const struct loc_name *n = &session_names(s)->locs[a->counts[i].loc];

		if (n->name)
			put_near(list, (struct near){ n->name, likeness(n->name, symbol),
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
