/* The frames as numbers for flame.js. All frames of the drawing, in the order of their lanes:
 *
 *   {width:, frame:, font:, char:, side:, up:, count:, negate:, most:, noise:, same:,
 *    names: [...], colors: ["#rrggbb" and enum frame_kind, ...],
 *    axes: [{kind:, span:, lanes: [[y, label, "[frame, ...]"], ...]}, ...], ...}
 *
 * Frames are a text, which JSON.parse() reads in a third of the time that a script with so many
 * numbers takes to compile.
 * A frame is 5 numbers, or 9 where there are two sides: its depth less that of the frame before it;
 * how far it starts behind its neighbour on the left, or behind its parent's start if it is the
 * first; its weight; the indices of its name and its colour; after, before, and what of both is its
 * own. Weights are whole numbers, so that no zoom is too deep. */
#include "formats/flame/svg_plot.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

struct writer {
	const struct plot *plot;
	struct out *out;
	struct idmap names, colors; /* id -> index in the arrays that were written */
	uint64_t *ends;		    /* by depth: where the last frame of that depth ends */
	size_t cap;
};

/* Frames of one colour are of one kind. */
static uint64_t paint_of(const struct plot_frame *f)
{
	return f->color | (uint64_t)f->kind << 24;
}

/* Give every name or colour its index and write those that are new. */
static void put_table(struct writer *w, bool colors)
{
	struct idmap *known = colors ? &w->colors : &w->names;
	uint32_t count = 0;

	for (size_t i = 0; i < w->plot->axis_count; i++) {
		const struct plot_axis *a = &w->plot->axes[i];

		for (size_t k = 0; k < a->frame_count; k++) {
			const struct plot_frame *f = &a->frames[k];
			uint32_t *index = idmap_put(known, colors ? paint_of(f) : f->name);

			if (*index != IDMAP_NONE)
				continue;
			*index = count++;
			out_str(w->out, *index ? "," : "");
			if (colors)
				out_put(w->out, "\"#%06x%u\"", f->color, f->kind);
			else
				out_put(w->out, "%s", plot_full_name(w->plot, f));
		}
	}
}

static void put_lane(struct writer *w, const struct plot_axis *a, const struct plot_lane *lane)
{
	uint32_t depth = 0;

	out_put(w->out, "[%g,%s,\"[", lane->y_px, lane->label);
	w->ends = xgrow(w->ends, &w->cap, 2, sizeof(*w->ends));
	w->ends[0] = 0;
	for (size_t i = lane->first; i < lane->first + lane->count; i++) {
		const struct plot_frame *f = &a->frames[i];

		out_put(w->out, i == lane->first ? "%d" : ",%d", (int)(f->depth - depth));
		depth = f->depth;
		out_put(w->out, ",%" PRIu64 ",%" PRIu64 ",%u,%u", f->start - w->ends[depth],
			f->weight, idmap_get(&w->names, f->name),
			idmap_get(&w->colors, paint_of(f)));
		w->ends = xgrow(w->ends, &w->cap, depth + 2, sizeof(*w->ends));
		w->ends[depth] = f->start + f->weight;
		w->ends[depth + 1] = f->start; /* where a first child would begin */
		if (f->node)
			out_put(w->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
				f->node->total[0], f->node->total[1], f->node->self[0],
				f->node->self[1]);
	}
	out_str(w->out, "]\"]");
}

static void put_axis(struct writer *w, const struct plot_axis *a)
{
	out_put(w->out, "{kind:%u,span:%.17g,size:%d,lanes:[", a->kind, a->span,
		a->kind == AXIS_AFTER || a->kind == AXIS_BEFORE ? 9 : 5);
	for (size_t i = 0; i < a->lane_count; i++) {
		out_str(w->out, i ? ",\n" : "");
		put_lane(w, a, &a->lanes[i]);
	}
	out_str(w->out, "]}");
}

void plot_data(const struct plot *p)
{
	const struct drawing *d = p->drawing;
	struct writer w = { .plot = p, .out = p->frame.out };

	w.out->quoting = QUOTE_SCRIPT;
	out_put(w.out, "{width:%.17g,frame:%.17g,font:%.17g,char:%.17g,side:%d,up:%d,", d->width_px,
		d->frame_px, d->fontsize_px, d->fontwidth, PAGE_SIDE_PX, p->upwards);
	out_put(w.out, "factor:%.17g,decimals:%u,scale:%.17g,negate:%d,top:%.17g,bottom:%.17g,",
		d->factor, p->decimals, p->scale, d->negate, p->top_px, p->bottom_px);
	out_put(w.out, "most:%.17g,noise:\"#%06x\",same:\"#%06x\",\n", p->change_max, RGB_NOISE,
		RGB_SAME);
	out_put(w.out, "count:%s,\ntype:%s,\nnames:[", p->countname, p->nametype);
	put_table(&w, false);
	out_str(w.out, "],\ncolors:[");
	put_table(&w, true);
	out_str(w.out, "],\naxes:[");
	for (size_t i = 0; i < p->axis_count; i++) {
		out_str(w.out, i ? ",\n" : "");
		put_axis(&w, &p->axes[i]);
	}
	out_str(w.out, "]}");
	idmap_release(&w.names);
	idmap_release(&w.colors);
	free(w.ends);
}
