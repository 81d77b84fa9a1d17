/* Adds up short spans column by column, and doubles the width of the columns when there are
 * too many spans. Where a span begins before the end of the one before it, the overlap is cut
 * off and counted. */
#include "formats/model/squeeze.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define TAIL_MAX 64 /* short spans that may stand before they are added up */

void squeeze_release(struct squeeze *s)
{
	for (size_t i = 0; i < s->lane_count; i++)
		free(s->lanes[i].spans);
	free(s->lanes);
}

static struct squeeze_lane *lane_of(struct squeeze *s, uint32_t lane)
{
	s->lanes = xgrow_to(s->lanes, &s->lane_count, &s->lane_cap, lane, sizeof(*s->lanes));
	return &s->lanes[lane];
}

void squeeze_aside(struct squeeze *s, uint32_t lane, bool aside)
{
	struct squeeze_lane *l = lane_of(s, lane);

	if (l->aside == aside)
		return;
	l->aside = aside;
	s->total += aside ? -l->count : l->count;
}

/* ---- one column ---- */

static int by_name(const void *a, const void *b)
{
	const struct squeeze_span *x = a, *y = b;

	return compare_u64(x->name, y->name);
}

static int by_length(const void *a, const void *b)
{
	const struct squeeze_span *x = a, *y = b;
	uint64_t i = x->end_ns - x->start_ns, k = y->end_ns - y->start_ns;

	return compare_u64(k, i) ?: by_name(a, b);
}

/* Of N spans, those of one name become one, whatever stands between them. */
static size_t merge_names(struct squeeze_span *list, size_t n)
{
	size_t to = 0;

	qsort(list, n, sizeof(*list), by_name);
	for (size_t i = 1; i < n; i++) {
		if (list[i].name != list[to].name) {
			list[++to] = list[i];
			continue;
		}
		list[to].end_ns += list[i].end_ns - list[i].start_ns;
		list[to].cause_ns = 0;
	}
	return to + 1;
}

/* All but the longest KEEP become one without a name. */
static size_t merge_rest(struct squeeze_span *list, size_t n, size_t keep)
{
	struct squeeze_span rest = { .name = SQUEEZE_OTHERS };
	size_t to = 0;

	if (n <= keep)
		return n;
	qsort(list, n, sizeof(*list), by_length);
	for (size_t i = 0; i < n; i++) {
		if (to < keep && list[i].name != SQUEEZE_OTHERS)
			list[to++] = list[i];
		else
			rest.end_ns += list[i].end_ns - list[i].start_ns;
	}
	list[to++] = rest;
	qsort(list, to, sizeof(*list), by_name);
	return to;
}

/* Add up the short spans at the end of L. */
static void collapse(const struct squeeze *s, struct squeeze_lane *l)
{
	size_t n = l->count - l->tail;
	struct squeeze_span *list;
	uint64_t at;

	if (n < 2)
		return;
	list = l->spans + l->tail;
	at = list[0].start_ns;
	n = merge_rest(list, merge_names(list, n), s->keep);
	for (size_t i = 0; i < n; i++) {
		uint64_t ns = list[i].end_ns - list[i].start_ns;

		list[i].start_ns = at;
		list[i].end_ns = at += ns;
	}
	l->count = l->tail + n;
}

static void put(const struct squeeze *s, struct squeeze_lane *l, const struct squeeze_span *span)
{
	bool is_short = span->end_ns - span->start_ns < s->step_ns;
	bool beside = l->tail < l->count && is_short &&
		      l->spans[l->tail].start_ns / s->step_ns == span->start_ns / s->step_ns;

	if (!beside) {
		collapse(s, l);
		l->tail = l->count;
	} else if (l->count - l->tail >= TAIL_MAX) {
		collapse(s, l);
	}
	l->spans = xgrow(l->spans, &l->cap, l->count + 1, sizeof(*l->spans));
	l->spans[l->count++] = *span;
	if (!is_short)
		l->tail = l->count;
}

/* ---- all ---- */

static bool too_many(const struct squeeze *s)
{
	return s->most && s->total > s->most && s->step_ns < UINT64_MAX / 4;
}

/* The first columns are as wide as spans are long on the average. */
static uint64_t wider(const struct squeeze *s)
{
	uint64_t step = 2, usual = (s->end_ns - s->start_ns) / (s->total + 1);

	if (s->step_ns)
		return 2 * s->step_ns;
	while (step < usual && step < UINT64_MAX / 4)
		step *= 2;
	return step;
}

/* Columns that are wider: what there is goes through once more, in its own place. */
static void widen(struct squeeze *s)
{
	s->step_ns = wider(s);
	s->total = 0;
	for (size_t i = 0; i < s->lane_count; i++) {
		struct squeeze_lane *l = &s->lanes[i];
		size_t n = l->count;

		l->count = l->tail = 0;
		for (size_t k = 0; k < n; k++) {
			struct squeeze_span span = l->spans[k];

			put(s, l, &span);
		}
		collapse(s, l);
		s->total += l->aside ? 0 : l->count;
	}
}

/* What waits to be added up does not count; and there is room for more afterwards. */
static void make_room(struct squeeze *s)
{
	squeeze_end(s);
	while (s->total > s->most - s->most / 4 && s->step_ns < UINT64_MAX / 4)
		widen(s);
}

void squeeze_add(struct squeeze *s, uint32_t lane, const struct squeeze_span *span)
{
	struct squeeze_lane *l = lane_of(s, lane);
	struct squeeze_span part = *span;
	size_t before = l->count;

	if (part.start_ns < l->end_ns) {
		uint64_t end = l->end_ns < part.end_ns ? l->end_ns : part.end_ns;

		s->overlap_ns += end - part.start_ns;
		part.start_ns = end;
		part.cause_ns = 0;
	}
	if (part.start_ns >= part.end_ns)
		return;
	l->end_ns = part.end_ns;
	if (!s->end_ns || part.start_ns < s->start_ns)
		s->start_ns = part.start_ns;
	s->end_ns = part.end_ns > s->end_ns ? part.end_ns : s->end_ns;
	put(s, l, &part);
	s->total += l->aside ? 0 : l->count - before;
	if (too_many(s))
		make_room(s);
}

void squeeze_end(struct squeeze *s)
{
	s->total = 0;
	for (size_t i = 0; i < s->lane_count; i++) {
		collapse(s, &s->lanes[i]);
		s->total += s->lanes[i].aside ? 0 : s->lanes[i].count;
	}
}
