/* Lays out the tree of stacks: one row for each depth, widths by weight, narrow frames left
 * out. Draws with svg_plot, and writes nothing of its own but the title and the axis. */
#include "formats/svg/svg_draw.h"
#include "formats/flame/flame_tree.h"
#include "formats/flame/svg_plot.h"
#include "formats/model/stack_tree.h"
#include "formats/number.h"
#include "parser/base/mem.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PANEL_GAP_PX 22 /* between two panels: room for a line of text */

struct flame {
	const struct stacks_part *part;
	struct flame_tree tree;
	double spans[2]; /* by side, after and before: weight of the whole width */
	struct plot plot;
	/* left out for being narrow: frames, and what share of their side they held together */
	uint64_t left_out;
	double left_out_share;
	uint64_t cut; /* frames left out for being too many */
	bool total_ignored;
	double gap_px;			      /* where the space between two panels begins */
	char less[NUMBER_TEXT + 8], more[80]; /* at the ends of the scale */
	size_t lit_count;
	bool *lit; /* by name: it matches --highlight; NULL: not asked for */
	struct buf lit_key;
};

static double change_of(const struct flame *f, const struct flame_node *n)
{
	return (double)n->total[0] - (double)n->total[1] * f->part->scale;
}

static enum frame_kind kind_of(const struct flame *f, const struct flame_node *n)
{
	return flame_kind_of(f->part, n->name, n->kind);
}

/* ---- --highlight ---- */

/* The format has seen that the expression is one. */
static void find_lit(struct flame *f)
{
	const char *pattern = f->plot.drawing->highlight;
	regex_t regex;

	if (!pattern || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return;
	for (size_t i = 0; i < f->part->count; i++) {
		const struct stack_row *r = &f->part->rows[i];

		for (uint32_t k = r->shared; k < r->count; k++) {
			uint32_t name = f->part->frames[r->first + k];

			f->lit_count = name >= f->lit_count ? name + 1 : f->lit_count;
		}
	}
	f->lit = xcalloc(f->lit_count + 1, sizeof(*f->lit));
	for (size_t i = 0; i < f->lit_count; i++)
		f->lit[i] = !regexec(&regex, f->part->names[i], 0, NULL, 0);
	regfree(&regex);
}

static bool is_lit(const struct flame *f, uint32_t name)
{
	return f->lit && name != PLOT_ROOT && f->lit[name];
}

static rgb lit_color(const struct flame *f)
{
	const char *own = f->plot.drawing->search_color;

	return own ? (rgb)strtoul(own + 1, NULL, 16) : RGB_HIGHLIGHT;
}

/* What is above a frame that matches is in its share. */
static void add_lit_key(struct flame *f)
{
	double sum = 0, fit = stack_fit(f->part);
	uint32_t lit = UINT32_MAX; /* the first frame of the row that matches */

	for (size_t i = 0; i < f->part->count; i++) {
		const struct stack_row *r = &f->part->rows[i];

		lit = lit < r->shared ? lit : UINT32_MAX;
		for (uint32_t k = r->shared; lit == UINT32_MAX && k < r->count; k++)
			lit = is_lit(f, f->part->frames[r->first + k]) ? k : lit;
		sum += lit != UINT32_MAX ? (double)stack_fitted(r->weight, fit) : 0;
	}
	buf_printf(&f->lit_key, "%.60s %s", f->plot.drawing->highlight,
		   SHARE(sum, (double)f->tree.total[0]));
	svg_frame_key(&f->plot.frame, f->lit_key.data, lit_color(f));
}

static rgb node_color(struct flame *f, const struct flame_node *n, bool waker, int side)
{
	if (is_lit(f, n->name))
		return lit_color(f);
	if (f->plot.drawing->diffusion)
		return flame_color_change((double)n->total[side], (double)f->tree.total[side],
					  false);
	if (!f->part->before)
		return plot_painted(&f->plot,
				    &(struct painted){ n->depth ? f->part->names[n->name] : "",
						       waker, kind_of(f, n) });
	if (f->part->marks && n->mark == MARK_NOISE)
		return RGB_NOISE;
	if (!n->total[0])
		return flame_color_change(-1, 1, f->plot.drawing->negate);
	return flame_color_change(change_of(f, n), f->plot.change_max, f->plot.drawing->negate);
}

/* Frames of one side, in the tree's order. */
static uint32_t place_frames(struct flame *f, struct plot_axis *a, int side)
{
	const struct flame_left *left = &f->tree.left[side];
	uint32_t deepest = 0, waker_depth = UINT32_MAX;

	for (size_t i = 0; i < f->tree.count; i++) {
		const struct flame_node *n = &f->tree.nodes[i];

		if (!n->drawn[side])
			continue;
		if (n->depth <= waker_depth)
			waker_depth = UINT32_MAX;
		plot_add(a, &(struct plot_frame){ n->start[side], n->total[side], n->name, n->depth,
						  node_color(f, n, waker_depth != UINT32_MAX, side),
						  f->part->before ? n : NULL, kind_of(f, n) });
		if (i && waker_depth == UINT32_MAX && !strcmp(f->part->names[n->name], "--"))
			waker_depth = n->depth;
		deepest = n->depth > deepest ? n->depth : deepest;
	}
	f->left_out += left->narrow;
	f->cut += left->cut;
	if (a->span > 0)
		f->left_out_share = fmax(f->left_out_share, (double)left->narrow_weight / a->span);
	return deepest;
}

/* --total: the weight of the whole width, where it is not less than there is. */
static double span_of(struct flame *f, uint64_t weight, bool before)
{
	double total = f->plot.drawing->total * pow(10, f->part->decimals);

	if (before || total <= 0)
		return (double)weight;
	f->total_ignored = total < (double)weight;
	return f->total_ignored ? (double)weight : total;
}

/* A panel below what is there: its frames, its lane, and how much higher the picture gets. */
static void add_panel(struct flame *f, enum axis_kind kind)
{
	struct plot_axis *a = &f->plot.axes[f->plot.axis_count++];
	bool before = kind == AXIS_BEFORE;
	double height = f->plot.drawing->frame_px, top = f->plot.bottom_px;
	uint32_t depth;

	a->kind = kind;
	a->span = f->spans[before];
	depth = place_frames(f, a, before);
	if (before) {
		f->gap_px = top;
		top += PANEL_GAP_PX;
	}
	f->plot.bottom_px = top + (depth + 1) * height;
	plot_add_lane(a, &(struct plot_lane){
				 .label = kind == AXIS_COUNT ? ""
					  : before	     ? "before"
							     : "after",
				 .y_px = f->plot.upwards ? f->plot.bottom_px - height + 1 : top,
				 .count = a->frame_count });
}

/* ---- the page ---- */

/* Marks say how two captures differ, not how runs do. */
static bool any_maybe(const struct flame *f)
{
	for (uint64_t i = 0; f->part->marks && i < f->tree.all; i++) {
		if (f->part->marks[i] >= MARK_MAYBE_MORE)
			return true;
	}
	return false;
}

static void add_note(struct flame *f)
{
	struct buf *b = &f->plot.note;

	if (f->part->before && f->part->scale != 1)
		buf_printf(b, "before is multiplied by %.6g", f->part->scale);
	plot_note_left_out(&f->plot, f->left_out, "frames", 100 * f->left_out_share, "the weight");
	if (f->cut)
		buf_printf(b, "%s%s frames are left out: the drawing has the widest %d",
			   b->len ? "; " : "", ALONE(f->cut, COLUMN_COUNT), FLAME_FRAMES_MAX);
	if (f->total_ignored)
		buf_printf(b, "%s--total %g is less than the total weight, and ignored",
			   b->len ? "; " : "", f->plot.drawing->total);
}

#define SCALE_STEPS 4 /* on each side */

/* What the colours of a difference say: a scale, and what is told apart from it. */
static void add_scale(struct flame *f)
{
	struct svg_frame *frame = &f->plot.frame;
	bool is_time = !strcmp(f->plot.countname, "ns");
	char most[NUMBER_TEXT];
	struct svg_key *k = &frame->keys[0];

	if (is_time)
		number_alone(most, plot_shown(&f->plot, f->plot.change_max), COLUMN_NS);
	else
		plot_amount(&f->plot, f->plot.change_max, most);
	snprintf(f->less, sizeof(f->less), "%s less", most);
	snprintf(f->more, sizeof(f->more), is_time ? "%s more" : "%s more %s", most,
		 f->plot.countname);
	*k = (struct svg_key){
		.before = f->less, .after = f->more, .count = 2 * SCALE_STEPS + 1, .framed = true
	};
	for (int i = -SCALE_STEPS; i <= SCALE_STEPS; i++)
		k->colors[i + SCALE_STEPS] =
			flame_color_change(i, SCALE_STEPS, f->plot.drawing->negate);
	frame->key_count = 1;
	if (f->part->marks)
		svg_frame_key(frame,
			      any_maybe(f) ? "below the noise of these two captures"
					   : "below the noise",
			      RGB_NOISE);
}

/* What is drawn of the stacks, by how wide the drawing is. */
static void choose_frames(struct flame *f)
{
	bool two = f->part->before != NULL;

	for (int side = 0; side < 2; side++) {
		f->spans[side] = span_of(f, f->tree.total[side], side);
		f->tree.least[side] = plot_least(&f->plot, f->spans[side]);
	}
	flame_tree_build(&f->tree);
	/* the colours of changes are told from the greatest one below the root */
	f->plot.change_max = f->tree.change_max;
	if (two && !f->plot.drawing->diffusion)
		add_scale(f);
	else if (!two)
		flame_kinds_legend(&f->tree.kinds, f->plot.drawing, &f->plot.frame);
}

static void draw_panels(struct flame *f, const struct result *r)
{
	bool two = f->part->before != NULL;

	f->plot.names = f->part->names;
	f->plot.countname = f->plot.drawing->countname ?: r->count_name ?: "samples";
	f->plot.decimals = f->part->decimals;
	f->plot.scale = two ? f->part->scale : 1;
	choose_frames(f);
	find_lit(f);
	if (f->lit)
		add_lit_key(f);
	plot_head(&f->plot);
	if (f->tree.total[0])
		add_panel(f, two ? AXIS_AFTER : AXIS_COUNT);
	if (f->tree.total[1])
		add_panel(f, AXIS_BEFORE);
	add_note(f);
	plot_begin(&f->plot, 0);
	plot_draw(&f->plot);
	if (f->plot.axis_count > 1)
		svg_frame_text(&f->plot.frame, PAGE_SIDE_PX, f->gap_px + PANEL_GAP_PX - 6,
			       "id=\"before\" fill=\"" SVG_DIM "\"",
			       "Before: widths by the side before");
	plot_end(&f->plot);
}

void svg_flame_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	struct flame f = { .part = r->stacks, .tree = { .part = r->stacks } };

	flame_totals(f.part, f.tree.total);
	f.tree.kinds = (struct flame_kinds){ .total = (double)f.tree.total[0], .what = "weight" };
	if (!f.tree.total[0] && !f.tree.total[1])
		plot_message(r, d, out, "Nothing to draw: there is no stack with a weight.");
	else if (plot_init(&f.plot, r, d, out))
		draw_panels(&f, r);
	plot_release(&f.plot);
	flame_tree_release(&f.tree);
	free(f.lit);
	buf_release(&f.lit_key);
}
