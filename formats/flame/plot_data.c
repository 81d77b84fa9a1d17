/* The frames as numbers for flame.js. All frames of the drawing, in the order of their lanes:
 *
 *   {width:, frame:, font:, char:, side:, up:, count:, kind:, negate:, names: [...], colors: [...],
 *    arrows: [[lane, start, lane it comes from or -1, time before start, text], ...],
 *    axes: [{kind:, span:, lanes: [[y, label, [frame, ...]], ...]}, ...], ...}
 *
 * A frame is 5 numbers, or 9 where there are two sides: its depth less that of the frame before it;
 * how far it starts behind its neighbour on the left, or behind its parent's start if it is the
 * first; its weight; the indices of its name and its colour; after, before, and what of both is its
 * own. Weights are whole numbers, so that no zoom is too deep. */
#include "formats/flame/svg_plot.h"
#include "formats/svg/svg_text.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

struct writer {
	const struct plot *plot;
	struct out *out;
	struct idmap names, colors; /* id -> index in the arrays that were written */
	uint64_t *ends;		    /* by depth: where the last frame of that depth ends */
	size_t cap;
};

static void put_key(struct writer *w, const char *key, double value)
{
	char text[64];

	snprintf(text, sizeof(text), "%s:%.17g,", key, value);
	out_str(w->out, text);
}

static void put_text_key(struct writer *w, const char *key, const char *value)
{
	out_str(w->out, key);
	out_str(w->out, ":");
	svg_json(w->out, value);
	out_str(w->out, ",\n");
}

/* Give every name and colour of A its index and write those that are new. */
static void put_table(struct writer *w, bool colors)
{
	uint32_t count = 0;

	out_str(w->out, colors ? "colors:[" : "names:[");
	for (size_t i = 0; i < w->plot->axis_count; i++) {
		const struct plot_axis *a = &w->plot->axes[i];

		for (size_t k = 0; k < a->frame_count; k++) {
			const struct plot_frame *f = &a->frames[k];
			uint32_t *index = colors ? idmap_put(&w->colors, f->color)
						 : idmap_put(&w->names, f->name);
			char text[16];

			if (*index != IDMAP_NONE)
				continue;
			*index = count++;
			out_str(w->out, *index ? "," : "");
			snprintf(text, sizeof(text), "\"#%06x\"", (unsigned)f->color);
			if (colors)
				out_str(w->out, text);
			else
				svg_json(w->out,
					 f->name == PLOT_ROOT ? "all" : w->plot->names[f->name]);
		}
	}
	out_str(w->out, "],\n");
}

static void put_u64(struct writer *w, uint64_t n)
{
	out_str(w->out, ",");
	out_u64(w->out, n);
}

static void put_lane(struct writer *w, const struct plot_axis *a, const struct plot_lane *lane)
{
	uint32_t depth = 0;

	out_str(w->out, "[");
	svg_px(w->out, lane->y_px);
	out_str(w->out, ",");
	svg_json(w->out, lane->label);
	out_str(w->out, ",[");
	w->ends = xgrow(w->ends, &w->cap, 2, sizeof(*w->ends));
	w->ends[0] = 0;
	for (size_t i = lane->first; i < lane->first + lane->count; i++) {
		const struct plot_frame *f = &a->frames[i];

		out_str(w->out, i == lane->first ? "" : ",");
		svg_int(w->out, (int64_t)f->depth - depth);
		depth = f->depth;
		put_u64(w, f->start - w->ends[depth]);
		put_u64(w, f->weight);
		put_u64(w, idmap_get(&w->names, f->name));
		put_u64(w, idmap_get(&w->colors, f->color));
		w->ends = xgrow(w->ends, &w->cap, depth + 2, sizeof(*w->ends));
		w->ends[depth] = f->start + f->weight;
		w->ends[depth + 1] = f->start; /* where a first child would begin */
		if (!a->changes)
			continue;
		put_u64(w, a->changes[i].after);
		put_u64(w, a->changes[i].before);
		put_u64(w, a->changes[i].after_self);
		put_u64(w, a->changes[i].before_self);
	}
	out_str(w->out, "]]");
}

static void put_axis(struct writer *w, const struct plot_axis *a)
{
	out_str(w->out, "{");
	put_key(w, "kind", a->kind);
	put_key(w, "span", a->span);
	out_str(w->out, a->changes ? "size:9,lanes:[" : "size:5,lanes:[");
	for (size_t i = 0; i < a->lane_count; i++) {
		out_str(w->out, i ? ",\n" : "");
		put_lane(w, a, &a->lanes[i]);
	}
	out_str(w->out, "]}");
}

static void put_arrows(struct writer *w, const struct timeline_part *t)
{
	out_str(w->out, "arrows:[");
	for (size_t i = 0; t && i < t->arrow_count; i++) {
		const struct arrow *a = &t->arrows[i];
		bool known = a->from_lane != UINT32_MAX;

		out_str(w->out, i ? ",\n[" : "[");
		out_u64(w->out, a->to_lane);
		put_u64(w, a->to_ns - t->start_ns);
		out_str(w->out, ",");
		svg_int(w->out, known ? (int64_t)a->from_lane : -1);
		put_u64(w, a->to_ns - a->from_ns);
		out_str(w->out, ",");
		svg_json(w->out, a->cause);
		out_str(w->out, "]");
	}
	out_str(w->out, "],\n");
}

void plot_data(const struct plot *p)
{
	const struct drawing *d = p->page->drawing;
	struct writer w = { .plot = p, .out = p->page->frame.out };

	out_str(w.out, "{");
	put_key(&w, "width", d->width_px);
	put_key(&w, "frame", d->frame_px);
	put_key(&w, "font", d->fontsize_px);
	put_key(&w, "char", d->fontwidth);
	put_key(&w, "side", PAGE_SIDE_PX);
	put_key(&w, "up", p->upwards);
	put_key(&w, "factor", d->factor);
	put_key(&w, "decimals", p->decimals);
	put_key(&w, "scale", p->scale);
	put_key(&w, "negate", d->negate);
	put_key(&w, "top", p->page->top_px);
	put_key(&w, "bottom", p->bottom_px);
	put_text_key(&w, "count", p->countname);
	put_text_key(&w, "type", d->nametype);
	put_table(&w, false);
	put_table(&w, true);
	put_arrows(&w, p->timeline);
	out_str(w.out, "axes:[");
	for (size_t i = 0; i < p->axis_count; i++) {
		out_str(w.out, i ? ",\n" : "");
		put_axis(&w, &p->axes[i]);
	}
	out_str(w.out, "]}");
	idmap_release(&w.names);
	idmap_release(&w.colors);
	free(w.ends);
}
