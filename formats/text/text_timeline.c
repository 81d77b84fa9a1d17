/* A lane is busy where a span at its base is that of a function, a task or a thread that runs; that
 * threads wait for a CPU, or for a disk, has signs of its own. */
#include "formats/text/text_timeline.h"
#include "formats/axis.h"
#include "formats/shown.h"
#include "formats/text/blocks.h"
#include "formats/text/sheet.h"
#include "formats/text/shorten.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH	    100 /* of a line, where there is no terminal */
#define WIDTH_MIN   40
#define WIDTH_MAX   400
#define SHARE_WIDTH 7
#define LABEL_MAX   30
#define TICK_ROOM   14
#define BOLD	    "\033[1m"
#define PLAIN	    "\033[0m"

enum state { BUSY, RUNNABLE, DISK, STATES };

static const char *const signs[STATES] = { NULL, "-", "d" };

struct view {
	const struct timeline_part *t;
	struct out *out;
	size_t columns, labels; /* of time, of the names of lanes */
	double one;		/* so much of the time is a column */
	double *sums[STATES];	/* of a lane, by column */
	bool seen[STATES];
};

static enum state state_of(const struct timeline_part *t, const struct span *s)
{
	enum span_kind kind = t->kinds ? (enum span_kind)t->kinds[s->name] : SPAN_FRAME;

	switch (kind) {
	case SPAN_FRAME:
	case SPAN_TASK:
	case SPAN_RUNNING:
	case SPAN_OTHERS:
		return BUSY;
	case SPAN_RUNNABLE:
		return RUNNABLE;
	case SPAN_DISK:
		return DISK;
	default:
		return STATES;
	}
}

static void add_span(struct view *v, const struct span *s, double *sums)
{
	double from = (double)(s->start_ns - v->t->start_ns) / v->one;
	double to = (double)(s->end_ns - v->t->start_ns) / v->one;

	for (size_t c = (size_t)from; c < v->columns && (double)c < to; c++) {
		double low = from > (double)c ? from : (double)c;
		double high = to < (double)c + 1 ? to : (double)c + 1;

		sums[c] += high - low;
	}
}

/* The sums of LANE. Returns the share of time in which it was busy. */
static double sum_lane(struct view *v, const struct lane *lane)
{
	double busy = 0;

	for (size_t i = 0; i < STATES; i++)
		memset(v->sums[i], 0, v->columns * sizeof(double));
	for (size_t i = 0; i < lane->count; i++) {
		const struct span *s = &lane->spans[i];
		enum state state = state_of(v->t, s);

		if (s->depth || state == STATES || s->start_ns < v->t->start_ns ||
		    s->end_ns <= s->start_ns)
			continue;
		add_span(v, s, v->sums[state]);
	}
	for (size_t c = 0; c < v->columns; c++)
		busy += v->sums[BUSY][c];
	return busy / (double)v->columns;
}

static void put_lane(struct view *v, const struct lane *lane)
{
	double busy = sum_lane(v, lane);
	struct buf made = { 0 };

	out_put(v->out, "%*s  ", SHARE_WIDTH, SHARE(busy, 1));
	for (size_t c = 0; c < v->columns; c++) {
		const char *sign = block_of(v->sums[BUSY][c]);

		for (size_t i = RUNNABLE; i < STATES; i++) {
			if (v->sums[i][c] < 0.5 || v->sums[i][c] < v->sums[BUSY][c])
				continue;
			sign = signs[i];
			v->seen[i] = true;
		}
		out_str(v->out, sign);
	}
	out_put(v->out, "  %s\n", shorten(lane->name, v->labels, &made));
	buf_release(&made);
}

/* The texts of the axis begin at their places; one that would run into the one before is left out.
 */
static void put_axis(struct view *v)
{
	const struct timeline_part *t = v->t;
	bool in_ns = !strcmp(t->unit, "ns");
	struct axis axis;
	size_t at = 0;

	axis_linear(&axis, &(struct axis_span){ t->start_ns, t->end_ns,
						(unsigned)(v->columns / TICK_ROOM + 1),
						in_ns ? COLUMN_NS : COLUMN_COUNT });
	out_put(v->out, "%*s", SHARE_WIDTH + 2, "");
	for (size_t i = 0; i < axis.count; i++) {
		const struct axis_tick *tick = &axis.ticks[i];
		size_t want = (size_t)((double)(tick->at - t->start_ns) / v->one);
		size_t width = strlen(tick->text) + 1;

		if ((at && want <= at) || want + width > v->columns)
			continue;
		out_put(v->out, "%*s|%s", (int)(want - at), "", tick->text);
		at = want + width;
	}
	out_str(v->out, "\n");
}

struct rank {
	double busy;
	size_t lane;
};

static int busier(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->busy != y->busy)
		return x->busy < y->busy ? 1 : -1;
	return (x->lane > y->lane) - (x->lane < y->lane);
}

static int by_lane(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	return (x->lane > y->lane) - (x->lane < y->lane);
}

static size_t lanes_wanted(const struct timeline_part *t, const struct style *style)
{
	size_t most = style->limited ? (size_t)style->limit : style->width ? SHEET_ROWS_MAX : 0;

	return most && most < t->lane_count ? most : t->lane_count;
}

/* The busiest lanes, in their order; theirs to free. */
static struct rank *choose_lanes(struct view *v, size_t wanted)
{
	const struct timeline_part *t = v->t;
	struct rank *list = xcalloc(t->lane_count + 1, sizeof(*list));

	for (size_t i = 0; i < t->lane_count; i++)
		list[i] =
			(struct rank){ wanted < t->lane_count ? sum_lane(v, &t->lanes[i]) : 0, i };
	qsort(list, t->lane_count, sizeof(*list), busier);
	qsort(list, wanted, sizeof(*list), by_lane);
	for (size_t i = 0; i < wanted; i++) {
		size_t n = shown_width(t->lanes[list[i].lane].name);

		v->labels = n > v->labels ? n : v->labels;
	}
	v->labels = v->labels < LABEL_MAX ? v->labels : LABEL_MAX;
	return list;
}

/* Columns for the time; they are as many as one would have without names, until these are known. */
static void set_columns(struct view *v, size_t width)
{
	double time = (double)(v->t->end_ns - v->t->start_ns);

	v->columns = width - SHARE_WIDTH - 4 - v->labels;
	v->one = time > 0 ? time / (double)v->columns : 1;
}

static void put_heading(struct view *v, const struct style *style)
{
	bool in_ns = !strcmp(v->t->unit, "ns");

	out_str(v->out, style->colour ? BOLD : "");
	out_put(v->out, "%*s  Busy, %s a column", SHARE_WIDTH, "Share",
		ALONE(v->one, in_ns ? COLUMN_NS : COLUMN_COUNT));
	out_str(v->out, style->colour ? PLAIN "\n" : "\n");
}

void text_timeline(const struct result *r, const struct style *style, struct out *out)
{
	size_t width = style->width ? style->width : WIDTH, shown;
	struct view v = { .t = r->timeline, .out = out };
	struct rank *list;

	width = width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width;
	set_columns(&v, width);
	for (size_t i = 0; i < STATES; i++)
		v.sums[i] = xcalloc(v.columns + 1, sizeof(double));
	shown = lanes_wanted(v.t, style);
	list = choose_lanes(&v, shown);
	set_columns(&v, width);
	put_heading(&v, style);
	for (size_t i = 0; i < shown; i++)
		put_lane(&v, &v.t->lanes[list[i].lane]);
	put_axis(&v);
	if (v.seen[RUNNABLE] || v.seen[DISK])
		out_put(out, "%*s  %s%s%s\n", SHARE_WIDTH, "",
			v.seen[RUNNABLE] ? "- waits for a CPU" : "",
			v.seen[RUNNABLE] && v.seen[DISK] ? ", " : "",
			v.seen[DISK] ? "d for a disk" : "");
	if (shown < v.t->lane_count)
		out_put(out, "%zu more: --limit 0\n", v.t->lane_count - shown);
	free(list);
	for (size_t i = 0; i < STATES; i++)
		free(v.sums[i]);
}
