/* A drawing shows first what is busy, and holds no more than a browser wants to read: of very many
 * lanes those with the most time, and of a flame chart with very many frames sums of the short
 * ones, row by row, as of those of the scheduler's timeline. */
#include "formats/flame/timeline.h"
#include "formats/model/squeeze.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define LANES_MAX 5000
#define ROWS_MAX  60000
#define SPANS_MAX 1000000
#define KEEP	  8 /* functions of a column that keep frames of their own */

/* ---- lanes ---- */

struct lane_time {
	uint64_t ns;
	uint32_t lane;
};

static int by_time(const void *a, const void *b)
{
	const struct lane_time *x = a, *y = b;

	return compare_u64(y->ns, x->ns) ?: compare_u64(x->lane, y->lane);
}

static uint64_t lane_ns(const struct lane *l)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < l->count; i++)
		ns += l->spans[i].depth ? 0 : l->spans[i].end_ns - l->spans[i].start_ns;
	return ns;
}

/* Which lanes stay: by lane its new number, or UINT32_MAX. */
static uint32_t *choose_lanes(struct timeline_reduced *r, const struct timeline_part *p)
{
	struct lane_time *list = xcalloc(p->lane_count + 1, sizeof(*list));
	uint32_t *to = xcalloc(p->lane_count + 1, sizeof(*to)), n = 0;
	size_t rows = 0;

	for (uint32_t i = 0; i < p->lane_count; i++)
		list[i] = (struct lane_time){ lane_ns(&p->lanes[i]), i };
	qsort(list, p->lane_count, sizeof(*list), by_time);
	for (size_t i = 0; i < p->lane_count; i++) {
		rows += p->lanes[list[i].lane].depth;
		to[list[i].lane] = i < LANES_MAX && rows <= ROWS_MAX;
		r->all_ns += (double)list[i].ns;
		r->left_ns += to[list[i].lane] ? 0 : (double)list[i].ns;
	}
	for (size_t i = 0; i < p->lane_count; i++)
		to[i] = to[i] ? n++ : UINT32_MAX;
	r->left_lanes = p->lane_count - n;
	free(list);
	return to;
}

static void drop_lanes(struct timeline_reduced *r)
{
	const struct timeline_part *p = &r->part;
	uint32_t *to = choose_lanes(r, p);
	size_t arrows = 0;

	r->lanes = xcalloc(LANES_MAX, sizeof(*r->lanes));
	r->arrows = xcalloc(p->arrow_count + 1, sizeof(*r->arrows));
	for (size_t i = 0; i < p->lane_count; i++) {
		if (to[i] != UINT32_MAX)
			r->lanes[to[i]] = p->lanes[i];
	}
	for (size_t i = 0; i < p->arrow_count; i++) {
		struct arrow a = p->arrows[i];

		if (to[a.to_lane] == UINT32_MAX)
			continue;
		a.to_lane = to[a.to_lane];
		a.from_lane = a.from_lane < p->lane_count ? to[a.from_lane] : UINT32_MAX;
		r->arrows[arrows++] = a;
	}
	r->part.lanes = r->lanes;
	r->part.lane_count -= r->left_lanes;
	r->part.arrows = r->arrows;
	r->part.arrow_count = arrows;
	free(to);
}

/* ---- the order of lanes ---- */

struct lane_place {
	uint64_t group_ns, ns;
	uint32_t group, lane;
};

/* Nobody's lanes last. */
static int busiest_first(const void *a, const void *b)
{
	const struct lane_place *x = a, *y = b;

	return compare_u64(!x->group, !y->group) ?: compare_u64(y->group_ns, x->group_ns) ?:
	       compare_u64(x->group, y->group) ?: compare_u64(y->ns, x->ns) ?:
	       compare_u64(x->lane, y->lane);
}

static struct lane_place *place_lanes(const struct timeline_part *p)
{
	struct lane_place *list = xcalloc(p->lane_count + 1, sizeof(*list));
	size_t first = 0;

	for (size_t i = 0; i < p->lane_count; i++) {
		uint64_t ns = p->lanes[i].group ? lane_ns(&p->lanes[i]) : 0;

		if (p->lanes[i].group != p->lanes[first].group)
			first = i;
		list[i] = (struct lane_place){ 0, ns, p->lanes[i].group, (uint32_t)i };
		list[first].group_ns += ns;
	}
	for (size_t i = 1; i < p->lane_count; i++) {
		if (list[i].group == list[i - 1].group)
			list[i].group_ns = list[i - 1].group_ns;
	}
	qsort(list, p->lane_count, sizeof(*list), busiest_first);
	return list;
}

/* Of a flame chart the busiest process comes first, and of a process the busiest thread: a reader
 * begins there. (Arrows would have to follow.) */
static void sort_lanes(struct timeline_reduced *r)
{
	struct lane_place *list = place_lanes(&r->part);
	struct lane *lanes = xcalloc(r->part.lane_count + 1, sizeof(*lanes));

	for (size_t i = 0; i < r->part.lane_count; i++)
		lanes[i] = r->part.lanes[list[i].lane];
	free(list);
	free(r->lanes);
	r->lanes = lanes;
	r->part.lanes = lanes;
}

/* ---- frames ---- */

/* Every row of every lane is a lane of the squeeze. */
static void squeeze_lanes(struct squeeze *q, const struct timeline_part *p)
{
	uint32_t first = 0;

	for (size_t l = 0; l < p->lane_count; l++) {
		const struct lane *lane = &p->lanes[l];

		for (size_t i = 0; i < lane->count; i++) {
			const struct span *s = &lane->spans[i];

			squeeze_add(q, first + s->depth,
				    &(struct squeeze_span){ .start_ns = s->start_ns,
							    .end_ns = s->end_ns,
							    .name = s->name });
		}
		first += lane->depth;
	}
	squeeze_end(q);
}

static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return compare_u64(x->start_ns, y->start_ns) ?: compare_u64(x->depth, y->depth);
}

static size_t take_row(struct span *to, const struct squeeze_lane *row, unsigned depth,
		       uint32_t others)
{
	for (size_t i = 0; i < row->count; i++) {
		const struct squeeze_span *s = &row->spans[i];
		uint32_t name = s->name == SQUEEZE_OTHERS ? others : s->name;

		to[i] = (struct span){ s->start_ns, s->end_ns, name, (uint16_t)depth };
	}
	return row->count;
}

static void take_lanes(struct timeline_reduced *r, const struct squeeze *q)
{
	struct lane *lanes = xcalloc(r->part.lane_count + 1, sizeof(*lanes));
	uint32_t others = (uint32_t)timeline_names(&r->part), row = 0;
	struct span *to;
	size_t total = 0;

	for (size_t i = 0; i < q->lane_count; i++)
		total += q->lanes[i].count;
	to = r->spans = xcalloc(total + 1, sizeof(*r->spans));
	for (size_t l = 0; l < r->part.lane_count; l++) {
		const struct lane *lane = &r->part.lanes[l];
		size_t n = 0;

		for (unsigned d = 0; d < lane->depth; d++, row++)
			n += row < q->lane_count ? take_row(to + n, &q->lanes[row], d, others) : 0;
		qsort(to, n, sizeof(*to), by_start);
		lanes[l] = (struct lane){ lane->name, to, n, lane->depth, lane->group };
		to += n;
	}
	free(r->lanes);
	r->lanes = lanes;
}

static void add_up(struct timeline_reduced *r)
{
	struct squeeze q = { .most = SPANS_MAX, .keep = KEEP };
	size_t names = timeline_names(&r->part);

	squeeze_lanes(&q, &r->part);
	r->names = xcalloc(names + 1, sizeof(*r->names));
	for (size_t i = 0; i < names; i++)
		r->names[i] = r->part.names[i];
	r->names[names] = "other functions";
	take_lanes(r, &q);
	r->part.lanes = r->lanes;
	r->part.names = r->names;
	if (r->part.frame_kinds) {
		r->kinds = xcalloc(names + 1, 1);
		memcpy(r->kinds, r->part.frame_kinds, names);
		r->part.frame_kinds = r->kinds;
	}
	r->part.step_ns = q.step_ns;
	squeeze_release(&q);
}

void timeline_reduce(struct timeline_reduced *r, const struct timeline_part *p, bool frames)
{
	size_t total = 0, rows = 0;

	*r = (struct timeline_reduced){ .part = *p };
	for (size_t l = 0; l < p->lane_count; l++)
		rows += p->lanes[l].depth;
	if (p->lane_count > LANES_MAX || rows > ROWS_MAX)
		drop_lanes(r);
	if (frames && !r->part.arrow_count)
		sort_lanes(r);
	for (size_t l = 0; l < r->part.lane_count; l++)
		total += r->part.lanes[l].count;
	if (frames && total > SPANS_MAX)
		add_up(r);
}

void timeline_reduced_release(struct timeline_reduced *r)
{
	free(r->names);
	free(r->kinds);
	free(r->lanes);
	free(r->spans);
	free(r->arrows);
}
