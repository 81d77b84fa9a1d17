/* Lays out the tree of stacks: one row for each depth, widths by weight, narrow frames left
 * out. Draws with svg_plot, and writes nothing of its own but the title and the axis. */
#include "formats/svg/svg_draw.h"
#include "formats/flame/flame_kinds.h"
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
/* Frames of one panel: the drawing has some 40 bytes of each. All that is wide enough of honest
 * captures is a tenth of that. */
#define FRAMES_MAX 250000

struct flame {
	const struct stacks_part *part;
	struct stack_tree tree;
	uint64_t *starts[2]; /* by node, after and before: where it begins */
	struct plot plot;
	/* left out for being narrow: frames, and what share of their side they held together */
	size_t left_out;
	double left_out_share;
	size_t cut; /* frames left out for being too many */
	bool total_ignored;
	double gap_px;			      /* where the space between two panels begins */
	char less[NUMBER_TEXT + 8], more[80]; /* at the ends of the scale */
	struct flame_kinds kinds;
	size_t lit_count;
	bool *lit; /* by name: it matches --highlight; NULL: not asked for */
	struct buf lit_key;
};

/* ---- layout ---- */

/* Nodes are numbered in the order in which the rows make them. */
static void find_starts(struct flame *f)
{
	const struct stacks_part *p = f->part;
	uint64_t at = 0, at_before = 0;
	size_t node = 1;

	f->starts[0] = xcalloc(f->tree.count, sizeof(*f->starts[0]));
	f->starts[1] = p->before ? xcalloc(f->tree.count, sizeof(*f->starts[1])) : NULL;
	for (size_t i = 0; i < p->count; i++) {
		for (uint32_t k = p->rows[i].shared; k < p->rows[i].count; k++, node++) {
			f->starts[0][node] = at;
			if (p->before)
				f->starts[1][node] = at_before;
		}
		at += p->rows[i].weight;
		at_before += p->before ? p->before[i] : 0;
	}
}

static double change_of(const struct flame *f, const struct stack_node *n)
{
	return (double)n->total - (double)n->before * f->part->scale;
}

static enum frame_kind kind_of(const struct flame *f, const struct stack_node *n)
{
	return n->kind || n->name == PLOT_ROOT ? n->kind : flame_kind(f->part->names[n->name]);
}

/* ---- --highlight ---- */

/* The format has seen that the expression is one. */
static void find_lit(struct flame *f)
{
	const char *pattern = f->plot.drawing->highlight;
	regex_t regex;

	if (!pattern || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return;
	for (size_t i = 1; i < f->tree.count; i++)
		f->lit_count = f->tree.nodes[i].name >= f->lit_count ? f->tree.nodes[i].name + 1
								     : f->lit_count;
	f->lit = xcalloc(f->lit_count + 1, sizeof(*f->lit));
	for (size_t i = 0; i < f->lit_count; i++)
		f->lit[i] = !regexec(&regex, f->part->names[i], 0, NULL, 0);
	regfree(&regex);
}

static bool is_lit(const struct flame *f, const struct stack_node *n)
{
	return f->lit && n->name != PLOT_ROOT && f->lit[n->name];
}

static rgb lit_color(const struct flame *f)
{
	const char *own = f->plot.drawing->search_color;

	return own ? (rgb)strtoul(own + 1, NULL, 16) : RGB_HIGHLIGHT;
}

/* What is above a frame that matches is in its share. */
static void add_lit_key(struct flame *f)
{
	double sum = 0;

	for (size_t i = 0; i < f->tree.count;) {
		const struct stack_node *n = &f->tree.nodes[i];

		sum += is_lit(f, n) ? (double)n->total : 0;
		i = is_lit(f, n) ? n->next : i + 1;
	}
	buf_printf(&f->lit_key, "%.60s %s", f->plot.drawing->highlight,
		   SHARE(sum, (double)f->tree.nodes[0].total));
	svg_frame_key(&f->plot.frame, f->lit_key.data, lit_color(f));
}

static rgb node_color(struct flame *f, size_t i, bool waker, bool before)
{
	const struct stack_node *n = &f->tree.nodes[i];

	if (is_lit(f, n))
		return lit_color(f);
	if (f->plot.drawing->diffusion)
		return flame_color_change(
			(double)(before ? n->before : n->total),
			(double)(before ? f->tree.nodes[0].before : f->tree.nodes[0].total), false);
	if (!f->part->before)
		return plot_painted(&f->plot, &(struct painted){ i ? f->part->names[n->name] : "",
								 waker, kind_of(f, n) });
	if (f->part->marks && f->part->marks[i] == MARK_NOISE)
		return RGB_NOISE;
	if (!n->total)
		return flame_color_change(-1, 1, f->plot.drawing->negate);
	return flame_color_change(change_of(f, n), f->plot.change_max, f->plot.drawing->negate);
}

/* ---- as many frames as can be drawn ---- */

/* Which they are: those wider than WEIGHT, and of those that are just as wide the ones that lie not
 * deeper than DEPTH, and EQUAL of those one deeper. What a drawn frame stands on is no narrower and
 * less deep, and so drawn, too. */
struct cut {
	double weight;
	uint32_t depth;
	size_t equal;
};

static double width_of(const struct stack_node *n, bool before)
{
	return (double)(before ? n->before : n->total);
}

static bool is_cut(const struct cut *c, const struct stack_node *n, bool before)
{
	double weight = width_of(n, before);

	return weight < c->weight || (weight == c->weight && n->depth > c->depth);
}

/* The same when they are asked for one after the other. */
static bool is_cut_now(struct cut *c, const struct stack_node *n, bool before)
{
	if (!is_cut(c, n, before))
		return false;
	if (width_of(n, before) < c->weight || n->depth > c->depth + 1 || !c->equal)
		return true;
	c->equal--;
	return false;
}

static size_t count_frames(const struct flame *f, bool before, struct cut c)
{
	size_t count = 0;

	for (size_t i = 0; i < f->tree.count; i++)
		count += !is_cut(&c, &f->tree.nodes[i], before);
	return count;
}

/* The frames that are at least LEAST wide, unless that are too many: then the widest. */
static struct cut find_cut(const struct flame *f, bool before, double least)
{
	double low = least, high = width_of(&f->tree.nodes[0], before);
	struct cut c = { least, UINT32_MAX, 0 };
	uint32_t depth = 0, deepest = f->tree.depth;

	if (f->tree.count <= FRAMES_MAX || count_frames(f, before, c) <= FRAMES_MAX)
		return c;
	/* whole numbers: the least width of which there are not too many */
	for (low = floor(low); low < high;) {
		double middle = low + floor((high - low) / 2);

		if (count_frames(f, before, (struct cut){ middle, 0, 0 }) <= FRAMES_MAX)
			high = middle;
		else if (middle > low)
			low = middle;
		else
			break;
	}
	c.weight = high;
	while (depth < deepest) {
		c.depth = depth + (deepest - depth + 1) / 2;
		if (count_frames(f, before, c) <= FRAMES_MAX)
			depth = c.depth;
		else
			deepest = c.depth - 1;
	}
	c.depth = depth;
	c.equal = FRAMES_MAX - count_frames(f, before, c);
	return c;
}

/* Frames of one side, in the tree's order; those too narrow are left out with all above them. */
static uint32_t place_frames(struct flame *f, struct plot_axis *a, bool before)
{
	double least = plot_least(&f->plot, a->span), left_out = 0;
	struct cut cut = find_cut(f, before, least);
	uint32_t deepest = 0, waker_depth = UINT32_MAX;

	for (size_t i = 0; i < f->tree.count;) {
		const struct stack_node *n = &f->tree.nodes[i];
		uint64_t weight = before ? n->before : n->total;

		if (i && (double)weight < least) {
			f->left_out += weight ? n->next - i : 0; /* else it is of the other side */
			left_out += (double)weight;
			i = n->next;
			continue;
		}
		if (i && is_cut_now(&cut, n, before)) {
			f->cut += n->next - i;
			i = n->next;
			continue;
		}
		if (n->depth <= waker_depth)
			waker_depth = UINT32_MAX;
		plot_add(a,
			 &(struct plot_frame){ f->starts[before][i], weight, n->name, n->depth,
					       node_color(f, i, waker_depth != UINT32_MAX, before),
					       f->part->before ? n : NULL, kind_of(f, n) });
		if (i && waker_depth == UINT32_MAX && !strcmp(f->part->names[n->name], "--"))
			waker_depth = n->depth;
		deepest = n->depth > deepest ? n->depth : deepest;
		i++;
	}
	if (a->span > 0)
		f->left_out_share = fmax(f->left_out_share, left_out / a->span);
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
static void add_panel(struct flame *f, enum axis_kind kind, uint64_t weight)
{
	struct plot_axis *a = &f->plot.axes[f->plot.axis_count++];
	bool before = kind == AXIS_BEFORE;
	double height = f->plot.drawing->frame_px, top = f->plot.bottom_px;
	uint32_t depth;

	a->kind = kind;
	a->span = span_of(f, weight, before);
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
	for (size_t i = 0; f->part->marks && i < f->tree.count; i++) {
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
			   b->len ? "; " : "", ALONE(f->cut, COLUMN_COUNT), FRAMES_MAX);
	if (f->total_ignored)
		buf_printf(b, "%s--total %g is less than the total weight, and ignored",
			   b->len ? "; " : "", f->plot.drawing->total);
}

/* Whose the own weight of N is: a frame that is no function, as that of a state, has it from its
 * caller. */
static enum frame_kind owner_of(const struct flame *f, const struct stack_node *n)
{
	while (f->part->kinds && !n->kind && n->depth)
		n = &f->tree.nodes[n->parent];
	return kind_of(f, n);
}

/* The kinds that are told apart, and how much of the weight is their own. */
static void add_kinds(struct flame *f)
{
	f->kinds.total = (double)f->tree.nodes[0].total;
	f->kinds.what = "weight";
	for (size_t i = 0; i < f->tree.count; i++) {
		const struct stack_node *n = &f->tree.nodes[i];

		flame_kinds_add(&f->kinds, kind_of(f, n), 0);
		flame_kinds_add(&f->kinds, owner_of(f, n), (double)n->self);
	}
	flame_kinds_legend(&f->kinds, f->plot.drawing, &f->plot.frame);
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

static void draw_panels(struct flame *f, const struct result *r)
{
	const struct stack_node *root = &f->tree.nodes[0];
	bool two = f->part->before != NULL;

	f->plot.names = f->part->names;
	f->plot.countname = f->plot.drawing->countname ?: r->count_name ?: "samples";
	f->plot.decimals = f->part->decimals;
	f->plot.scale = two ? f->part->scale : 1;
	find_starts(f);
	/* the colours of changes are told from the greatest one below the root */
	for (size_t i = f->tree.count > 1; two && i < f->tree.count; i++)
		f->plot.change_max =
			fmax(f->plot.change_max, fabs(change_of(f, &f->tree.nodes[i])));
	if (two && !f->plot.drawing->diffusion)
		add_scale(f);
	else if (!two)
		add_kinds(f);
	find_lit(f);
	if (f->lit)
		add_lit_key(f);
	plot_head(&f->plot);
	if (root->total)
		add_panel(f, two ? AXIS_AFTER : AXIS_COUNT, root->total);
	if (root->before)
		add_panel(f, AXIS_BEFORE, root->before);
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
	struct flame f = { .part = r->stacks };

	stack_tree_build(&f.tree, f.part);
	if (!f.tree.nodes[0].total && !f.tree.nodes[0].before)
		plot_message(r, d, out, "Nothing to draw: there is no stack with a weight.");
	else if (plot_init(&f.plot, r, d, out))
		draw_panels(&f, r);
	plot_release(&f.plot);
	stack_tree_release(&f.tree);
	free(f.starts[0]);
	free(f.starts[1]);
	free(f.lit);
	buf_release(&f.lit_key);
}
