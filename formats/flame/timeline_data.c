/* All spans for timeline_model.js, which reads them as they are written here:
 *
 *   {mode:, span:, start: ["seconds", nanoseconds], step:, noun:, up:, frame:, top:, file:,
 *    commands: [...], mini: [three colours], names: [...], colors: [...], kinds: [...],
 *    ranks: [...] if colours are those of groups, the order of these, causes: [...], lanes:
 * [[label, [[count, "spans"], ... by depth]], ...]}
 *
 * A span is a few numbers: 4 times its name, plus 2 if its cause is known, plus 1 if there is a gap
 * before it; that gap; its duration; the cause, how long before it was, and one more than the lane
 * that it came from, 0: none. A number is digits of five bits, the lowest first, each a character;
 * 32 more than the digit: others follow. The names that occur are numbered by how often they do, so
 * that most take one character. */
#include "formats/flame/timeline.h"
#include "formats/format.h"
#include "parser/base/compare.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	const struct timeline *timeline;
	struct out *out;
	uint32_t *order; /* the names that occur, the most frequent first */
	size_t count;
	uint32_t *index;  /* by name: where it stands in ORDER */
	uint64_t *times;  /* by name: how often it occurs */
	uint32_t *causes; /* by arrow: its text */
	size_t arrow;	  /* the next one */
	struct buf spans; /* of a row */
};

static void put_number(struct buf *b, uint64_t value)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	char text[16];
	size_t n = 0;

	do {
		text[n++] = digits[(value & 31) | (value > 31 ? 32 : 0)];
		value >>= 5;
	} while (value);
	buf_add(b, text, n);
}

/* ---- tables ---- */

static int by_times(const void *a, const void *b, void *ctx)
{
	const uint64_t *times = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	return compare_u64(times[k], times[i]) ?: compare_u64(i, k);
}

static void order_names(struct writer *w)
{
	const struct timeline_part *p = w->timeline->part;
	size_t n = timeline_names(p);

	w->times = xcalloc(n + 1, sizeof(*w->times));
	w->order = xcalloc(n + 1, sizeof(*w->order));
	w->index = xcalloc(n + 1, sizeof(*w->index));
	for (size_t l = 0; l < p->lane_count; l++) {
		for (size_t i = 0; i < p->lanes[l].count; i++)
			w->times[p->lanes[l].spans[i].name]++;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (w->times[i])
			w->order[w->count++] = i;
	}
	qsort_r(w->order, w->count, sizeof(*w->order), by_times, w->times);
	for (uint32_t i = 0; i < w->count; i++)
		w->index[w->order[i]] = i;
}

static void put_names(struct writer *w)
{
	const struct timeline *t = w->timeline;

	out_str(w->out, "names:[");
	for (size_t i = 0; i < w->count; i++)
		out_put(w->out, i ? ",%s" : "%s", t->part->names[w->order[i]]);
	out_str(w->out, "],\ncolors:[");
	for (size_t i = 0; i < w->count; i++)
		out_put(w->out, i ? ",\"#%06x\"" : "\"#%06x\"", t->colors[w->order[i]]);
	out_str(w->out, "],\nkinds:[");
	for (size_t i = 0; i < w->count; i++)
		out_put(w->out, i ? ",%u" : "%u", timeline_kind(t->part, w->order[i]));
	for (size_t i = 0; t->ranks && i < w->count; i++)
		out_put(w->out, i ? ",%u" : "],\nranks:[%u", t->ranks[w->order[i]]);
	out_str(w->out, "],\n");
}

struct cause {
	const char *text;
	size_t arrow;
};

static int by_text(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	return strcmp(x->text, y->text) ?: compare_u64(x->arrow, y->arrow);
}

/* Each text once. */
static void put_causes(struct writer *w)
{
	const struct timeline_part *p = w->timeline->part;
	struct cause *list = xcalloc(p->arrow_count + 1, sizeof(*list));
	uint32_t count = 0;

	w->causes = xcalloc(p->arrow_count + 1, sizeof(*w->causes));
	for (size_t i = 0; i < p->arrow_count; i++)
		list[i] = (struct cause){ p->arrows[i].cause, i };
	qsort(list, p->arrow_count, sizeof(*list), by_text);
	out_str(w->out, "causes:[");
	for (size_t i = 0; i < p->arrow_count; i++) {
		if (!i || strcmp(list[i].text, list[i - 1].text) != 0)
			out_put(w->out, count++ ? ",%s" : "%s", list[i].text);
		w->causes[list[i].arrow] = count - 1;
	}
	out_str(w->out, "],\n");
	free(list);
}

/* ---- spans ---- */

/* The arrow to a span of depth 0, or NULL. */
static const struct arrow *arrow_of(struct writer *w, size_t lane, const struct span *s)
{
	const struct timeline_part *p = w->timeline->part;
	const struct arrow *a;

	for (; w->arrow < p->arrow_count; w->arrow++) {
		a = &p->arrows[w->arrow];
		if (a->to_lane > lane || (a->to_lane == lane && a->to_ns > s->start_ns))
			return NULL;
		if (a->to_lane == lane && a->to_ns == s->start_ns)
			return a;
	}
	return NULL;
}

/* The spans of ORDER, which are of one depth. */
static void put_row(struct writer *w, size_t lane, const uint32_t *order, size_t n)
{
	const struct timeline_part *p = w->timeline->part;
	uint64_t at = p->start_ns;
	size_t count = 0;

	w->spans.len = 0;
	for (size_t i = 0; i < n; i++) {
		const struct span *s = &p->lanes[lane].spans[order[i]];
		const struct arrow *a;

		if (s->start_ns < at || s->end_ns < s->start_ns)
			continue;
		a = s->depth ? NULL : arrow_of(w, lane, s);
		put_number(&w->spans,
			   (uint64_t)w->index[s->name] * 4 + (a ? 2 : 0) + (s->start_ns > at));
		if (s->start_ns > at)
			put_number(&w->spans, s->start_ns - at);
		put_number(&w->spans, s->end_ns - s->start_ns);
		if (a) {
			put_number(&w->spans, w->causes[w->arrow]);
			put_number(&w->spans, a->to_ns - a->from_ns);
			put_number(&w->spans, a->from_lane < p->lane_count ? a->from_lane + 1 : 0);
		}
		at = s->end_ns;
		count++;
	}
	out_put(w->out, "[%u,\"", (unsigned)count);
	out_write(w->out, w->spans.data, w->spans.len);
	out_str(w->out, "\"]");
}

/* By depth, and then as they come. */
static void put_lane(struct writer *w, size_t lane)
{
	const struct lane *l = &w->timeline->part->lanes[lane];
	size_t *first = xcalloc(l->depth + 2, sizeof(*first));
	uint32_t *order = xcalloc(l->count + 1, sizeof(*order));

	for (size_t i = 0; i < l->count; i++)
		first[(l->spans[i].depth < l->depth ? l->spans[i].depth : l->depth) + 1]++;
	for (unsigned d = 1; d <= l->depth; d++)
		first[d] += first[d - 1];
	for (size_t i = 0; i < l->count; i++) {
		if (l->spans[i].depth < l->depth)
			order[first[l->spans[i].depth]++] = (uint32_t)i;
	}
	for (unsigned d = 0; d < l->depth; d++) {
		size_t begin = d ? first[d - 1] : 0;

		out_str(w->out, d ? ",\n" : "");
		put_row(w, lane, order + begin, first[d] - begin);
	}
	free(first);
	free(order);
}

static void put_lanes(struct writer *w)
{
	const struct timeline_part *p = w->timeline->part;

	out_str(w->out, "lanes:[");
	for (size_t i = 0; i < p->lane_count; i++) {
		out_put(w->out, i ? ",\n[%s,[" : "[%s,[", p->lanes[i].name);
		put_lane(w, i);
		out_str(w->out, "]]");
	}
	out_str(w->out, "]");
}

/* ---- what the script offers besides ---- */

/* The path of the capture, as the result states it; "": it has none. */
static void put_file(struct writer *w)
{
	const struct result *r = w->timeline->frame.result;
	struct buf text = { 0 };
	const char *path = "";

	for (size_t i = 0; i < r->fact_count; i++) {
		if (!strcmp(r->facts[i].name, "capture"))
			path = fact_text(r->facts[i].value, true, &text);
	}
	out_put(w->out, "file:%s,\ncommands:[", path);
	for (const char *const *c = w->timeline->part->commands; c && *c; c++)
		out_put(w->out, c == w->timeline->part->commands ? "%s" : ",%s", *c);
	out_str(w->out, "],\n");
	buf_release(&text);
}

void timeline_data(const struct timeline *t)
{
	const struct timeline_part *p = t->part;
	struct writer w = { .timeline = t, .out = t->frame.out };

	w.out->quoting = QUOTE_SCRIPT;
	out_put(w.out, "{mode:%u,span:%.17g,start:[\"%" PRIu64 "\",%u],step:%" PRIu64 ",", t->mode,
		(double)(p->end_ns - p->start_ns), p->start_ns / 1000000000,
		(unsigned)(p->start_ns % 1000000000), p->step_ns);
	out_put(w.out, "up:%d,frame:%.17g,top:%.17g,noun:%s,\n", t->upwards, t->frame_px, t->top_px,
		p->noun ?: t->drawing->nametype);
	out_put(w.out, "mini:[\"#%06x\",\"#%06x\",\"#%06x\"],", timeline_color(SPAN_RUNNING),
		timeline_color(SPAN_RUNNABLE), timeline_color(SPAN_DISK));
	put_file(&w);
	order_names(&w);
	put_names(&w);
	put_causes(&w);
	put_lanes(&w);
	out_str(w.out, "}");
	buf_release(&w.spans);
	free(w.order);
	free(w.index);
	free(w.times);
	free(w.causes);
}
