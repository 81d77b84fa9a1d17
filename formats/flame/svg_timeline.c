/* Lays out lanes of spans over a common axis of time, and hands them to svg_plot. What is not
 * covered by a span stays empty. */
#include "formats/flame/svg_timeline.h"
#include "formats/model/amount.h"
#include "formats/axis.h"
#include "formats/flame/span_colors.h"
#include "formats/flame/svg_plot.h"

#include <errno.h>
#include <string.h>

#define LANE_LABEL_PX 18 /* above each lane */
#define AXIS_PX	      22 /* ticks and their labels, below all */
#define LEGEND_PX     22 /* above all lanes, where colours are states */

struct chart {
	const struct timeline_part *part;
	struct drawing own; /* the user's, with the part's noun */
	const struct drawing *drawing;
	struct svg_page page;
	struct plot plot;
	struct flame_files files;
	struct color_sequence sequence;
	size_t left_out;
	double left_out_ns, covered_ns;
};

static rgb color_of(struct chart *c, uint32_t name)
{
	const char *text = c->part->names[name];

	if (c->part->kinds && c->part->kinds[name] != SPAN_FRAME)
		return span_color(c->part->kinds[name], text);
	return palette_file_color(&c->files.palette, c->drawing, text, false, &c->sequence);
}

/* Spans narrower than the least are left out, unless they were added up before; what stands on
 * them is no wider. */
static void add_spans(struct chart *c, struct plot_axis *a, const struct lane *lane)
{
	double least = c->part->step_ns ? 0 : svg_page_least(c->drawing, a->span);

	for (size_t i = 0; i < lane->count; i++) {
		const struct span *s = &lane->spans[i];
		uint64_t weight = s->end_ns - s->start_ns;

		c->covered_ns += s->depth ? 0 : (double)weight;
		if ((double)weight < least) {
			c->left_out++;
			c->left_out_ns += s->depth ? 0 : (double)weight;
			continue;
		}
		plot_add(a,
			 &(struct plot_frame){ s->start_ns - c->part->start_ns, weight, s->name,
					       s->depth, color_of(c, s->name) },
			 NULL);
	}
}

static void add_lane(struct chart *c, struct plot_axis *a, const struct lane *lane)
{
	struct plot_lane l = { .label = lane->name, .first = a->frame_count };
	double top = c->plot.bottom_px + LANE_LABEL_PX;

	add_spans(c, a, lane);
	c->plot.bottom_px = top + lane->depth * c->drawing->frame_px;
	l.count = a->frame_count - l.first;
	l.y_px = c->plot.upwards ? c->plot.bottom_px - c->drawing->frame_px + 1 : top;
	plot_add_lane(a, &l);
}

/* The labels stand above their lanes. */
static void draw_labels(const struct chart *c)
{
	double y = c->page.top_px;

	out_str(c->page.frame.out, "<g id=\"lanes\">\n");
	for (size_t i = 0; i < c->part->lane_count; i++) {
		svg_frame_text(&c->page.frame, PAGE_SIDE_PX, y + LANE_LABEL_PX - 4,
			       "class=\"small\"", c->part->lanes[i].name);
		y += LANE_LABEL_PX + c->part->lanes[i].depth * c->drawing->frame_px;
	}
	out_str(c->page.frame.out, "</g>\n");
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

static bool needs_legend(const struct timeline_part *p)
{
	unsigned set = kinds_of(p);

	return set >> SPAN_RUNNING && !(set & 1u << SPAN_TASK);
}

static void draw_legend(const struct chart *c)
{
	double x = PAGE_SIDE_PX, y = c->page.top_px - LEGEND_PX + 6;
	unsigned set = kinds_of(c->part);

	out_str(c->page.frame.out, "<g id=\"legend\">\n");
	for (unsigned kind = SPAN_RUNNING; kind <= SPAN_OTHERS; kind++) {
		const char *text = set >> kind & 1 ? span_legend(kind) : NULL;

		if (!text)
			continue;
		out_put(c->page.frame.out,
			"<rect x=\"%g\" y=\"%g\" width=\"10\" height=\"10\" fill=\"#%06x\"/>", x, y,
			span_color(kind, text));
		svg_frame_text(&c->page.frame, x + 14, y + 9, "class=\"small\"", text);
		x += 30 + 6.0 * (double)strlen(text);
	}
	out_str(c->page.frame.out, "</g>\n");
}

static void draw_axis(const struct chart *c, const struct plot_axis *a)
{
	double width = c->drawing->width_px - 2 * PAGE_SIDE_PX, y = c->plot.bottom_px;
	struct axis_span span = { 0, (uint64_t)a->span, (unsigned)(width / 100), COLUMN_NS };
	struct out *o = c->page.frame.out;
	struct axis axis;

	axis_linear(&axis, &span);
	out_str(o, "<g id=\"ticks\">\n");
	for (size_t i = 0; i < axis.count; i++) {
		double x = PAGE_SIDE_PX + (double)axis.ticks[i].at / a->span * width;

		out_put(o, "<path class=\"tick\" d=\"M%g %gV%g\"/>", x, c->page.top_px, y + 6);
		if (x + 50 < c->drawing->width_px)
			svg_frame_text(&c->page.frame, x + 3, y + 14, "class=\"small\"",
				       axis.ticks[i].text);
	}
	out_str(o, "</g>\n");
}

static void add_note(struct chart *c)
{
	struct buf *b = &c->page.note;
	char text[NUMBER_TEXT], share[NUMBER_TEXT];

	number_alone(text, (double)c->part->start_ns, COLUMN_TIME_NS);
	buf_printf(b, "time from %s", text);
	if (c->part->step_ns) {
		number_alone(text, (double)c->part->step_ns, COLUMN_NS);
		buf_printf(b, "; spans shorter than %s are added up with their neighbours", text);
	}
	if (!c->left_out)
		return;
	number_alone(text, (double)c->left_out, COLUMN_COUNT);
	number_share(share, c->left_out_ns, c->covered_ns);
	buf_printf(b, "; %s spans narrower than %g%s are left out: %s of the time covered", text,
		   c->drawing->minwidth.number,
		   c->drawing->minwidth.unit == QUANTITY_PERCENT ? "%" : " px", share);
}

static void draw_page(struct chart *c, struct out *out)
{
	struct plot_axis *a = &c->plot.axes[0];

	for (size_t i = 0; i < c->part->lane_count; i++)
		add_lane(c, a, &c->part->lanes[i]);
	c->page.frame.height_px = c->plot.bottom_px + AXIS_PX + c->page.bottom_px;
	add_note(c);
	svg_page_begin(&c->page);
	if (needs_legend(c->part))
		draw_legend(c);
	draw_axis(c, a);
	draw_labels(c);
	plot_draw(&c->plot);
	svg_page_script(&c->page);
	plot_data(&c->plot);
	svg_page_end(&c->page);
	if (!out->error)
		out->error = palette_file_write(&c->files.palette);
}

void svg_timeline_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	struct chart c = { .part = r->timeline, .own = *d, .drawing = &c.own };
	struct plot_axis *a = &c.plot.axes[0];

	if (c.part->end_ns <= c.part->start_ns) {
		svg_page_message(r, d, out, "Nothing to draw: no sample covers any time.");
		return;
	}
	if (c.part->noun)
		c.own.nametype = c.part->noun;
	svg_page_init(&c.page, r, c.drawing, out);
	if (needs_legend(c.part))
		c.page.top_px += LEGEND_PX;
	c.plot.page = &c.page;
	c.plot.names = c.part->names;
	c.plot.countname = "ns";
	c.plot.attributes = &c.files.attributes;
	c.plot.upwards = !d->inverted;
	c.plot.scale = 1;
	c.plot.bottom_px = c.page.top_px;
	c.plot.axis_count = 1;
	c.plot.timeline = c.part;
	a->kind = AXIS_TIME;
	a->span = (double)(c.part->end_ns - c.part->start_ns);
	if (flame_files_read(&c.files, d, NULL) < 0)
		out->error = out->error ? out->error : EIO;
	else
		draw_page(&c, out);
	plot_release(&c.plot);
	flame_files_release(&c.files);
}
