/* Lays out lanes of spans over a common axis of time, and hands them to svg_plot. What is not
 * covered by a span stays empty. */
#include "formats/svg/svg_draw.h"
#include "formats/axis.h"
#include "formats/flame/svg_plot.h"
#include "formats/model/amount.h"
#include "parser/base/mem.h"

#include <math.h>
#include <string.h>

#define LANE_LABEL_PX 18 /* above each lane */
#define AXIS_PX	      22 /* ticks and their labels, below all */

/* All of them are light enough for black text, and dark enough to be seen on a light ground. */
static const struct {
	rgb color;
	const char *legend;
} states[] = {
	[SPAN_RUNNING] = { 0x4caf50, "running" },
	[SPAN_RUNNABLE] = { 0xff7043, "waits for a CPU" },
	[SPAN_SLEEP] = { 0xb3c6d6, "blocked S" },
	[SPAN_DISK] = { 0xba80d0, "blocked D" },
	[SPAN_BLOCKED] = { 0x7fa3c0, "blocked otherwise" },
	[SPAN_UNKNOWN] = { 0xa0a0a0, "unknown" },
	[SPAN_OTHERS] = { 0x9e9e9e, NULL },
};

/* FNV-1a: the same on every host. */
static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

/* Hue in degrees, of light and muted colours. */
static rgb from_hue(unsigned hue, double lightness)
{
	static const unsigned offsets[] = { 0, 8, 4 }; /* red, green, blue */
	double range = fmin(lightness, 1 - lightness) * 0.6;
	rgb out = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(offsets); i++) {
		double k = fmod(offsets[i] + hue / 30.0, 12);
		double v = lightness - range * fmax(-1, fmin(fmin(k - 3, 9 - k), 1));

		out = out << 8 | (rgb)lround(255 * v);
	}
	return out;
}

static rgb color_of(struct plot *p, uint32_t name)
{
	const char *text = p->timeline->names[name];
	unsigned kind = p->timeline->kinds ? p->timeline->kinds[name] : SPAN_FRAME;
	uint32_t h = hash(text);

	if (kind == SPAN_TASK)
		return from_hue(h % 360, 0.6 + h / 360 % 4 * 0.05);
	return kind == SPAN_FRAME ? plot_color(p, text, false) : states[kind].color;
}

struct chart {
	struct plot plot;
	size_t left_out;
	double left_out_ns, covered_ns;
};

/* Spans narrower than the least are left out, unless they were added up before; what stands on
 * them is no wider. */
static void add_spans(struct chart *c, struct plot_axis *a, const struct lane *lane)
{
	const struct timeline_part *t = c->plot.timeline;
	double least = t->step_ns ? 0 : plot_least(&c->plot, a->span);

	for (size_t i = 0; i < lane->count; i++) {
		const struct span *s = &lane->spans[i];
		uint64_t weight = s->end_ns - s->start_ns;

		c->covered_ns += s->depth ? 0 : (double)weight;
		if ((double)weight < least) {
			c->left_out++;
			c->left_out_ns += s->depth ? 0 : (double)weight;
			continue;
		}
		plot_add(a, &(struct plot_frame){ s->start_ns - t->start_ns, weight, s->name,
						  s->depth, color_of(&c->plot, s->name), NULL });
	}
}

static void add_lane(struct chart *c, struct plot_axis *a, const struct lane *lane)
{
	struct plot_lane l = { .label = lane->name, .first = a->frame_count };
	double top = c->plot.bottom_px + LANE_LABEL_PX;

	add_spans(c, a, lane);
	c->plot.bottom_px = top + lane->depth * c->plot.drawing->frame_px;
	l.count = a->frame_count - l.first;
	l.y_px = c->plot.upwards ? c->plot.bottom_px - c->plot.drawing->frame_px + 1 : top;
	plot_add_lane(a, &l);
}

/* The labels stand above their lanes. */
static void draw_labels(const struct plot *p)
{
	double y = p->top_px;

	out_str(p->frame.out, "<g id=\"lanes\">\n");
	for (size_t i = 0; i < p->timeline->lane_count; i++) {
		const struct lane *lane = &p->timeline->lanes[i];

		svg_frame_text(&p->frame, PAGE_SIDE_PX, y + LANE_LABEL_PX - 4,
			       "fill=\"" SVG_DIM "\"", lane->name);
		y += LANE_LABEL_PX + lane->depth * p->drawing->frame_px;
	}
	out_str(p->frame.out, "</g>\n");
}

/* The kinds that occur, as a set of bits. */
static unsigned kinds_of(const struct timeline_part *p)
{
	unsigned set = 0;

	for (size_t i = 0; p->kinds && i < p->lane_count; i++) {
		for (size_t k = 0; k < p->lanes[i].count; k++)
			set |= 1u << p->kinds[p->lanes[i].spans[k].name];
	}
	return set;
}

/* Of SET, a set of kinds. */
static void add_legend(struct plot *p, unsigned set)
{
	for (unsigned kind = SPAN_RUNNING; kind <= SPAN_OTHERS; kind++) {
		if (states[kind].legend && set >> kind & 1)
			svg_frame_key(&p->frame, states[kind].legend, states[kind].color);
	}
}

static void draw_axis(const struct plot *p)
{
	double width = p->drawing->width_px - 2 * PAGE_SIDE_PX, all = p->axes[0].span;
	struct axis_span span = { 0, (uint64_t)all, (unsigned)(width / 100), COLUMN_NS };
	struct axis axis;

	axis_linear(&axis, &span);
	out_str(p->frame.out, "<g id=\"ticks\">\n");
	for (size_t i = 0; i < axis.count; i++) {
		double x = PAGE_SIDE_PX + (double)axis.ticks[i].at / all * width;

		out_put(p->frame.out,
			"<path class=\"tick\" stroke=\"" SVG_LINE "\" d=\"M%g %gV%g\"/>", x,
			p->top_px, p->bottom_px + 6);
		if (x + 50 < p->drawing->width_px)
			svg_frame_text(&p->frame, x + 3, p->bottom_px + 14, "fill=\"" SVG_DIM "\"",
				       axis.ticks[i].text);
	}
	out_str(p->frame.out, "</g>\n");
}

static void add_note(struct chart *c)
{
	const struct timeline_part *t = c->plot.timeline;

	buf_printf(&c->plot.note, "time from %s", ALONE(t->start_ns, COLUMN_TIME_NS));
	if (t->step_ns)
		buf_printf(&c->plot.note,
			   "; spans shorter than %s are added up with their neighbours",
			   ALONE(t->step_ns, COLUMN_NS));
	plot_note_left_out(&c->plot, c->left_out, "spans",
			   percent_of(c->left_out_ns, c->covered_ns), "the time covered");
}

static void draw(struct chart *c)
{
	struct plot *p = &c->plot;
	struct plot_axis *a = &p->axes[p->axis_count++];
	const struct timeline_part *t = p->timeline;
	unsigned set = kinds_of(t);

	a->kind = AXIS_TIME;
	a->span = (double)(t->end_ns - t->start_ns);
	if (!(set & 1u << SPAN_TASK))
		add_legend(p, set);
	plot_head(p);
	for (size_t i = 0; i < t->lane_count; i++)
		add_lane(c, a, &t->lanes[i]);
	add_note(c);
	plot_begin(p, AXIS_PX);
	draw_axis(p);
	draw_labels(p);
	plot_draw(p);
	plot_end(p);
}

void svg_timeline_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	const struct timeline_part *t = r->timeline;
	struct chart c = { 0 };

	if (t->end_ns <= t->start_ns) {
		plot_message(r, d, out, "Nothing to draw: no sample covers any time.");
		return;
	}
	if (plot_init(&c.plot, r, d, out)) {
		c.plot.names = t->names;
		c.plot.countname = "ns";
		c.plot.nametype = t->noun ?: d->nametype;
		c.plot.timeline = t;
		draw(&c);
	}
	plot_release(&c.plot);
}
