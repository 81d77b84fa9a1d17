/* Lays out lanes of spans over a common axis of time. What is not covered by a span stays empty. */
#include "formats/svg/svg_draw.h"
#include "formats/axis.h"
#include "formats/flame/flame_kinds.h"
#include "formats/flame/svg_plot.h"
#include "formats/flame/timeline.h"
#include "formats/model/amount.h"
#include "formats/number.h"
#include "formats/shown.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANE_GAP_PX   3
#define AXIS_PX	      20    /* ticks and their labels, above and below all */
#define HEAD_PX	      18    /* above a lane, where its name does not stand beside it */
#define TALLEST_PX    24000 /* viewers take no pictures above 32767 */
#define NAME_PX	      13    /* its base line there */
#define CHAR_EM	      0.62  /* a wide character, of the size of the font */
#define NARROW_PX     640   /* of the picture: names stand above lanes */
#define LEGEND_NAMES  12
#define LEGEND_CHARS  32
#define TALL_CHART_PX 60  /* a lane that has ticks of its own */
#define FEW_LANES_PX  320 /* lanes of shares are higher where there are few, */
#define TALLEST_ROW   44  /* up to this */

struct legend_texts {
	char of[LEGEND_NAMES][4 * LEGEND_CHARS + NUMBER_TEXT], empty[NUMBER_TEXT];
	struct flame_kinds kinds;
};

static enum frame_kind kind_of(const struct timeline_part *p, uint32_t name)
{
	enum frame_kind kind = p->frame_kinds ? p->frame_kinds[name] : FRAME_OTHER;

	return kind ?: flame_kind(p->names[name]);
}

/* As in a flame graph. */
static void color_frames(struct timeline *t, struct plot *p, struct flame_kinds *kinds)
{
	/* before anything was added up: then a caller stands no longer below what it called */
	const struct timeline_part *whole = t->frame.result->timeline;
	size_t names = timeline_names(t->part), known = timeline_names(whole);
	double *own = timeline_own(whole);

	kinds->what = "time";
	for (uint32_t i = 0; i < names; i++) {
		struct painted frame = { t->part->names[i], false, kind_of(t->part, i) };

		t->colors[i] = plot_painted(p, &frame);
		if (i >= known || own[i] == -INFINITY)
			continue;
		flame_kinds_add(kinds, frame.kind, own[i]);
		kinds->total += own[i];
	}
	flame_kinds_legend(kinds, t->drawing, &t->frame);
	free(own);
}

/* ---- the legend ---- */

static void add_states(struct timeline *t, const uint32_t *order, size_t n)
{
	unsigned set = 0;

	for (size_t i = 0; i < n; i++)
		set |= 1u << timeline_kind(t->part, order[i]);
	for (unsigned kind = SPAN_RUNNING; kind <= SPAN_OTHERS; kind++) {
		if (set >> kind & 1)
			svg_frame_key(&t->frame, timeline_legend(kind), timeline_color(kind));
	}
}

/* The names that took most of the time; TEXTS holds them. */
static void add_names(struct timeline *t, const uint32_t *order, size_t n,
		      struct legend_texts *texts)
{
	size_t count = n < LEGEND_NAMES ? n : LEGEND_NAMES;

	for (size_t i = 0; i < count; i++) {
		const char *name = t->part->names[order[i]];
		size_t fit = shown_bytes(name, LEGEND_CHARS);

		fit = fit < 4 * LEGEND_CHARS ? fit : 4 * LEGEND_CHARS;
		memcpy(texts->of[i], name, fit);
		strcpy(texts->of[i] + fit, name[fit] ? ".." : "");
		svg_frame_key(&t->frame, texts->of[i], t->colors[order[i]]);
	}
	if (n > count)
		svg_frame_key(&t->frame, "others: each its own", 0xc8c8c8);
}

static void group_text(const struct timeline *t, const struct timeline_group *g, char *to)
{
	size_t fit = shown_bytes(g->name, LEGEND_CHARS);

	fit = fit < 4 * LEGEND_CHARS ? fit : 4 * LEGEND_CHARS;
	if (*g->name)
		sprintf(to, "%.*s%s ", (int)fit, g->name, g->name[fit] ? ".." : "");
	else if (g->names)
		sprintf(to, "%s other %s ", ALONE(g->names, COLUMN_COUNT), t->part->grouped);
	else
		sprintf(to, "other %s ", t->part->grouped);
}

/* What ran for which share of the time of all lanes, and how much of it is empty. */
static void add_groups(struct timeline *t, struct legend_texts *texts)
{
	const struct timeline_part *p = t->part;
	double all = (double)(p->end_ns - p->start_ns) * (double)p->lane_count, rest = all;
	struct timeline_group groups[TIMELINE_GROUPS + 1];
	size_t n = timeline_groups(t, groups);

	for (size_t i = 0; i < n; i++) {
		rest -= groups[i].ns;
		group_text(t, &groups[i], texts->of[i]);
		strcat(texts->of[i], SHARE(groups[i].ns, all));
		svg_frame_key(&t->frame, texts->of[i], groups[i].color);
	}
	if (!p->empty)
		return;
	snprintf(texts->empty, sizeof(texts->empty), "%s %s", p->empty, SHARE(fmax(rest, 0), all));
	svg_frame_key(&t->frame, texts->empty, 0xf4f4f7);
	t->frame.keys[t->frame.key_count - 1].fill = SVG_PLOT;
	t->frame.keys[t->frame.key_count - 1].framed = true;
}

/* ---- places ---- */

/* How wide the names of lanes are, but no more than a share of the picture. */
static double names_px(const struct timeline *t)
{
	double most = 60, px = t->drawing->fontsize_px * t->drawing->fontwidth;

	for (size_t i = 0; i < t->part->lane_count; i++)
		most = fmax(most, px * (double)shown_width(t->part->lanes[i].name));
	return SVG_SIDE_PX + fmin(most + 8, 0.2 * t->frame.width_px);
}

static double lanes_px(const struct timeline *t)
{
	double sum = 0;

	for (size_t i = 0; i < t->part->lane_count; i++)
		sum += t->head_px + t->part->lanes[i].depth * t->row_px + LANE_GAP_PX;
	return sum;
}

/* Rows of very many lanes are lower than the user said. */
static void place_lanes(struct timeline *t)
{
	const struct timeline_part *p = t->part;
	bool above = t->mode == TIMELINE_FRAMES || t->frame.width_px < NARROW_PX;
	double y = t->top_px + AXIS_PX;

	t->frame_px = t->drawing->frame_px;
	if (t->mode == TIMELINE_TASKS && p->lane_count && !t->drawing->frame_given)
		t->frame_px = fmax(t->frame_px,
				   fmin(TALLEST_ROW, floor(FEW_LANES_PX / (double)p->lane_count)));
	t->row_px = t->frame_px;
	t->head_px = above ? HEAD_PX : 0;
	t->left_px = above ? SVG_SIDE_PX : names_px(t);
	t->inner_px = t->frame.width_px - t->left_px - SVG_SIDE_PX;
	while (lanes_px(t) > TALLEST_PX && t->row_px > 2)
		t->row_px--;
	t->lane_px = xcalloc(p->lane_count + 1, sizeof(*t->lane_px));
	for (size_t i = 0; i < p->lane_count; i++) {
		t->lane_px[i] = y;
		y += t->head_px + p->lanes[i].depth * t->row_px + LANE_GAP_PX;
		if (y > TALLEST_PX && i)
			break;
		t->still_lanes = i + 1;
		t->bottom_px = y;
	}
}

/* ---- what stands around the spans ---- */

/* Names of lanes; where they are lower than text, as many as have room. */
static void put_names(const struct timeline *t)
{
	double px = t->drawing->fontsize_px, last = 0;
	struct out *o = t->frame.out;

	out_str(o, "<g id=\"lanes\">\n");
	for (size_t i = 0; i < t->still_lanes; i++) {
		const char *name = t->part->lanes[i].name;
		double y = t->lane_px[i] + (t->head_px ? NAME_PX : (t->row_px + px) / 2 - 2);
		double room = t->head_px ? t->inner_px : t->left_px - SVG_SIDE_PX - 6;
		size_t fit = shown_bytes(name, (size_t)(room / (px * t->drawing->fontwidth)));

		if (y < last + px && i)
			continue;
		last = y;
		out_put(o, "<text x=\"%d\" y=\"%g\">", SVG_SIDE_PX, y);
		shown_put(o, name, name[fit] && fit > 2 ? fit - 2 : fit);
		out_str(o, name[fit] ? "..</text>\n" : "</text>\n");
	}
	out_str(o, "</g>\n");
}

/* From X on, which may be behind a name. */
static void put_tick_texts(const struct timeline *t, const struct axis *a, double from, double y)
{
	double all = (double)(t->part->end_ns - t->part->start_ns);

	for (size_t i = 0; i < a->count; i++) {
		double x = t->left_px + (double)a->ticks[i].at / all * t->inner_px;

		if (x >= from && x + 60 < t->frame.width_px)
			svg_frame_text(&t->frame, x + 3, y, "fill=\"" SVG_DIM "\"",
				       a->ticks[i].text);
	}
}

/* A lane below a tall one has ticks of its own beside its name. */
static void put_lane_ticks(const struct timeline *t, const struct axis *a)
{
	double px = t->drawing->fontsize_px * CHAR_EM;

	for (size_t i = 1; t->mode == TIMELINE_FRAMES && i < t->still_lanes; i++) {
		const struct lane *above = &t->part->lanes[i - 1];
		double name = px * (double)shown_width(t->part->lanes[i].name);

		if (above->depth * t->row_px >= TALL_CHART_PX)
			put_tick_texts(t, a, t->left_px + name + px, t->lane_px[i] + NAME_PX);
	}
}

/* The ground of the lanes, and time: above, below, and above each lane that is tall. */
static void put_axis(const struct timeline *t)
{
	double all = (double)(t->part->end_ns - t->part->start_ns);
	struct axis_span span = { 0, (uint64_t)all, (unsigned)(t->inner_px / 110), COLUMN_NS };
	struct axis a;

	axis_time(&a, &span);
	out_put(t->frame.out,
		"<g id=\"ticks\">\n<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" "
		"fill=\"" SVG_PLOT "\"/>\n",
		t->left_px, t->top_px + AXIS_PX, t->inner_px, t->bottom_px - t->top_px - AXIS_PX);
	for (size_t i = 0; i < a.count; i++)
		out_put(t->frame.out, "<path stroke=\"" SVG_LINE "\" d=\"M%g %gV%g\"/>",
			t->left_px + (double)a.ticks[i].at / all * t->inner_px, t->top_px + 6,
			t->bottom_px + 6);
	put_tick_texts(t, &a, 0, t->top_px + AXIS_PX - 6);
	put_tick_texts(t, &a, 0, t->bottom_px + AXIS_PX - 6);
	put_lane_ticks(t, &a);
	out_str(t->frame.out, "</g>\n");
}

static void make_note(const struct timeline *t, struct buf *note)
{
	const struct timeline_part *p = t->part;

	buf_printf(note, "time from %s", ALONE(p->start_ns, COLUMN_TIME_NS));
	if (p->step_ns)
		buf_printf(note, "; spans shorter than %s are added up with their neighbours",
			   ALONE(p->step_ns, COLUMN_NS));
	if (t->reduced->left_lanes)
		buf_printf(
			note, "; %s lanes are left out, with %s of the time",
			ALONE(t->reduced->left_lanes, COLUMN_COUNT),
			ALONE(percent_of(t->reduced->left_ns, t->reduced->all_ns), COLUMN_PERCENT));
	if (t->still_lanes < p->lane_count)
		buf_printf(note, "; a picture without script shows %s lanes of %s",
			   ALONE(t->still_lanes, COLUMN_COUNT), ALONE(p->lane_count, COLUMN_COUNT));
	buf_str(note, t->mode == TIMELINE_FRAMES
			      ? "; short frames: the longest one, the paler the less of it"
			      : "; short spans: the share of each in the height");
}

static void put_buttons(const struct svg_frame *f)
{
	svg_frame_button(f, "ignorecase", "ic", "Ignore the case of letters (Ctrl-I)");
	svg_frame_button(f, "search", "Search", "Search by a regular expression (/)");
	svg_frame_button(f, "zoomin", "+", "Zoom in (W)");
	svg_frame_button(f, "zoomout", "\xe2\x88\x92", "Zoom out (S)");
	svg_frame_button(f, "unzoom", "Reset Zoom", "Show all time again (0)");
}

/* ---- the whole ---- */

static void put_document(struct timeline *t)
{
	struct out *o = t->frame.out;
	struct buf note = { 0 };

	t->top_px = svg_frame_head(&t->frame);
	place_lanes(t);
	make_note(t, &note);
	t->frame.note = note.data;
	svg_frame_open(&t->frame, t->bottom_px + AXIS_PX);
	put_buttons(&t->frame);
	put_axis(t);
	put_names(t);
	timeline_still(t);
	svg_frame_script_open(&t->frame, svg_timeline_script);
	out_str(o, "pdtoolTimeline(");
	timeline_data(t);
	out_str(o, ");\n");
	svg_frame_close(&t->frame);
	buf_release(&note);
}

/* Colours, and what they say. */
static void color(struct timeline *t, struct plot *p, struct legend_texts *texts)
{
	size_t n;
	uint32_t *order = timeline_order(t->part, &n);

	if (t->part->groups)
		add_groups(t, texts);
	else if (t->mode == TIMELINE_FRAMES)
		color_frames(t, p, &texts->kinds);
	else
		timeline_hues(t, order, n);
	if (t->mode == TIMELINE_STATES)
		add_states(t, order, n);
	else if (t->mode == TIMELINE_TASKS && !t->part->groups)
		add_names(t, order, n, texts);
	free(order);
}

static void draw(struct timeline *t, struct plot *p)
{
	struct legend_texts texts = { 0 };
	size_t names = timeline_names(t->part);

	t->colors = xcalloc(names + 1, sizeof(*t->colors));
	t->ranks = t->part->groups ? xcalloc(names + 1, 1) : NULL;
	color(t, p, &texts);
	put_document(t);
	free(t->colors);
	free(t->ranks);
	free(t->lane_px);
}

static enum timeline_mode mode_of(const struct timeline_part *p)
{
	unsigned kind = SPAN_FRAME;

	for (size_t l = 0; l < p->lane_count && (kind == SPAN_FRAME || kind == SPAN_OTHERS); l++) {
		if (p->lanes[l].count)
			kind = timeline_kind(p, p->lanes[l].spans[0].name);
	}
	return kind == SPAN_FRAME  ? TIMELINE_FRAMES
	       : kind == SPAN_TASK ? TIMELINE_TASKS
				   : TIMELINE_STATES;
}

void svg_timeline_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	struct timeline t = { .drawing = d, .part = r->timeline, .upwards = !d->inverted };
	struct timeline_reduced reduced = { 0 };
	struct plot p;

	if (r->timeline->end_ns <= r->timeline->start_ns) {
		plot_message(r, d, out, "Nothing to draw: no sample covers any time.");
		return;
	}
	if (plot_init(&p, r, d, out)) {
		t.mode = mode_of(r->timeline);
		timeline_reduce(&reduced, r->timeline, t.mode == TIMELINE_FRAMES);
		t.part = &reduced.part;
		t.reduced = &reduced;
		t.frame = p.frame;
		t.frame.kind = "pdtool-timeline";
		t.frame.css = svg_timeline_css;
		t.frame.ground[0] = NULL;
		draw(&t, &p);
		palette_file_write(&p.files.palette, out);
	}
	timeline_reduced_release(&reduced);
	plot_release(&p);
}
