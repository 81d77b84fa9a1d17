/* Keeps up to twice as many events as are wanted, then lets the shorter half go; of equal ones
 * those stay that came first. */
#include "analyzers/heat/longest.h"
#include "analyzers/count/quantile.h"
#include "parser/base/compare.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define HELD_MAX (2 * LONGEST_KEPT)

void longest_init(struct longest *l)
{
	memset(l, 0, sizeof(*l));
	l->most = UINT64_MAX;
}

void longest_release(struct longest *l)
{
	free(l->list);
	arena_release(&l->arena);
}

/* Let the shorter half go; of equal ones those that came last. */
static void shrink(struct longest *l)
{
	uint64_t *values = xmalloc(l->count * sizeof(*values));
	size_t above = 0, kept = 0, equal;

	for (size_t i = 0; i < l->count; i++)
		values[i] = l->list[i].value;
	l->floor = quantile(values, l->count,
			    percent_of((double)(l->count - LONGEST_KEPT), (double)l->count));
	l->has_floor = true;
	free(values);
	for (size_t i = 0; i < l->count; i++)
		above += l->list[i].value > l->floor;
	equal = LONGEST_KEPT - above;
	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].value < l->floor || (l->list[i].value == l->floor && !equal))
			continue;
		equal -= l->list[i].value == l->floor;
		l->list[kept++] = l->list[i];
	}
	l->count = kept;
}

void longest_add(struct longest *l, const struct heat *h, uint64_t number, const void *detail,
		 size_t size)
{
	const struct heat_point *p = &h->points[h->count - 1];
	struct longest_event *e;

	if (l->count == HELD_MAX)
		shrink(l);
	l->list = xgrow(l->list, &l->cap, l->count + 1, sizeof(*l->list));
	e = &l->list[l->count++];
	*e = (struct longest_event){ .time_ns = p->time_ns,
				     .value = p->value,
				     .number = number,
				     .lane = heat_more_at(h, h->count - 1).lane };
	memcpy(e->detail, detail, size < LONGEST_DETAIL ? size : LONGEST_DETAIL - 1);
}

static int larger_first(const void *pa, const void *pb)
{
	const struct longest_event *a = pa, *b = pb;

	return compare_u64(b->value, a->value) ?: compare_u64(a->time_ns, b->time_ns) ?:
	       compare_u64(a->number, b->number);
}

/* Kinds come again and again, a few of them by turns. */
#define KINDS_RECENT 8

struct kinds {
	const struct longest_event *seen[KINDS_RECENT];
	uint32_t labels[KINDS_RECENT];
	unsigned next;
};

static uint32_t label_of(const struct longest *l, const struct longest_event *e, struct intern *to)
{
	char text[LONGEST_LABEL];

	if (!l->label)
		return intern_add(to, e->detail, strlen(e->detail));
	return intern_add(to, text, l->label(text, e->detail));
}

static uint32_t label_by_kind(const struct longest *l, struct kinds *k,
			      const struct longest_event *e, struct intern *to)
{
	unsigned i = 0;

	while (i < KINDS_RECENT && k->seen[i] &&
	       memcmp(k->seen[i]->detail, e->detail, LONGEST_DETAIL) != 0)
		i++;
	if (i < KINDS_RECENT && k->seen[i])
		return k->labels[i];
	i = k->next++ % KINDS_RECENT;
	k->seen[i] = e;
	return k->labels[i] = label_of(l, e, to);
}

/* The names, by id, in memory that lasts as long as the result. */
static const char **keep_labels(struct longest *l, const struct intern *labels)
{
	const char **list = arena_alloc(&l->arena, (labels->count + 1) * sizeof(*list));

	for (size_t i = 0; i < labels->count; i++)
		list[i] = arena_strndup(&l->arena, intern_str(labels, (uint32_t)i),
					labels->list[i].len);
	return list;
}

void longest_result(struct longest *l, const uint32_t *lanes, uint64_t total, struct grid_part *g)
{
	struct grid_event *events;
	struct intern labels = { 0 };
	struct kinds kinds = { 0 };

	if (l->count > LONGEST_KEPT)
		shrink(l);
	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), larger_first);
	events = arena_alloc(&l->arena, (l->count + 1) * sizeof(*events));
	for (size_t i = 0; i < l->count; i++) {
		const struct longest_event *e = &l->list[i];

		events[i] = (struct grid_event){ .x = e->time_ns,
						 .y = e->value,
						 .number = e->number,
						 .label = label_by_kind(l, &kinds, e, &labels),
						 .lane = lanes ? lanes[e->lane] : 0 };
	}
	g->events = events;
	g->event_count = l->count;
	g->event_total = total;
	g->event_labels = keep_labels(l, &labels);
	g->event_label_count = labels.count;
	g->event_number = (struct column){ l->number_name ?: "tid", COLUMN_ID };
	intern_release(&labels);
}
