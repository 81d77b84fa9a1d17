/* Chooses the frames of a flame graph while the tree goes by. A frame that is drawn stands on one
 * that is no narrower and less deep, and so drawn, too. */
#include "formats/flame/flame_tree.h"
#include "formats/flame/svg_plot.h"
#include "formats/model/stack_tree.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void flame_totals(const struct stacks_part *p, uint64_t total[2])
{
	double fit = stack_fit(p);

	total[0] = total[1] = 0;
	for (size_t i = 0; i < p->count; i++) {
		total[0] += stack_fitted(p->rows[i].weight, fit);
		total[1] += p->before ? stack_fitted(p->before[i], fit) : 0;
	}
}

/* ---- as many frames as can be drawn ---- */

/* Which they are: those wider than WEIGHT, and of those that are just as wide the ones that lie not
 * deeper than DEPTH, and of those one deeper all but the last PASSED. */
struct cut {
	double weight;
	uint32_t depth;
	uint64_t passed;
};

/* How many frames a cut leaves: it is not asked beyond what is too many. */
struct counting {
	const struct cut *cut;
	int side;
	uint64_t count;
};

static void count_piece(void *ctx, const struct stack_piece *p)
{
	struct counting *c = ctx;
	double weight = (double)p->total[c->side];
	uint32_t end = p->end;

	if (weight < c->cut->weight)
		return;
	if (weight == c->cut->weight && end > c->cut->depth)
		end = c->cut->depth > p->above ? c->cut->depth : p->above;
	c->count += end - p->above + (p->end == 0);
}

static uint64_t count_frames(const struct flame_tree *t, int side, struct cut cut)
{
	struct counting c = { &cut, side, 0 };
	struct stacks_part widths = *t->part;

	widths.kinds = NULL;
	stack_walk(&widths, count_piece, &c);
	return c.count;
}

static uint32_t depth_of(const struct stacks_part *p)
{
	uint32_t depth = 0;

	for (size_t i = 0; i < p->count; i++)
		depth = p->rows[i].count > depth ? p->rows[i].count : depth;
	return depth;
}

/* The greatest depth with which the frames are not too many. */
static uint32_t find_depth(const struct flame_tree *t, int side, double weight)
{
	uint32_t depth = 0, deepest = depth_of(t->part);

	while (depth < deepest) {
		uint32_t middle = depth + (deepest - depth + 1) / 2;

		if (count_frames(t, side, (struct cut){ weight, middle, 0 }) <= FLAME_FRAMES_MAX)
			depth = middle;
		else
			deepest = middle - 1;
	}
	return depth;
}

/* The frames that are at least as wide as asked, unless that are too many: then the widest. */
static struct cut find_cut(const struct flame_tree *t, int side)
{
	double low = floor(t->least[side]), high = (double)t->total[side];
	struct cut c = { t->least[side], UINT32_MAX, 0 };
	uint64_t with_next;

	if (t->all <= FLAME_FRAMES_MAX || !t->total[side] ||
	    count_frames(t, side, c) <= FLAME_FRAMES_MAX)
		return c;
	/* whole numbers: the least width of which there are not too many */
	while (low < high) {
		double middle = low + floor((high - low) / 2);

		if (count_frames(t, side, (struct cut){ middle, 0, 0 }) <= FLAME_FRAMES_MAX)
			high = middle;
		else if (middle > low)
			low = middle;
		else
			break;
	}
	c.weight = high;
	c.depth = find_depth(t, side, high);
	with_next = count_frames(t, side, (struct cut){ high, c.depth + 1, 0 });
	c.passed = with_next > FLAME_FRAMES_MAX ? with_next - FLAME_FRAMES_MAX : 0;
	return c;
}

/* ---- the walk ---- */

/* What came below the node of the path at hand that is so deep. What is left out counts as long as
 * that is drawn. */
struct below {
	uint32_t depth;
	struct flame_left left[2];
	uint64_t owed; /* own weight of the kind of what it stands on */
};

struct building {
	struct flame_tree *tree;
	struct cut cuts[2];
	struct below *below; /* ever deeper */
	size_t count, cap;
};

enum frame_kind flame_kind_of(const struct stacks_part *p, uint32_t name, enum frame_kind kind)
{
	return kind || name == PLOT_ROOT ? kind : flame_kind(p->names[name]);
}

/* What came below the piece P, whose nodes but for the last one have no other child. */
static struct below take_below(struct building *b, const struct stack_piece *p)
{
	if (b->count && b->below[b->count - 1].depth == p->end)
		return b->below[--b->count];
	return (struct below){ 0 };
}

/* FROM is below the node of depth DEPTH. */
static void add_below(struct building *b, uint32_t depth, const struct below *from)
{
	struct below *to;

	if (!b->count || b->below[b->count - 1].depth < depth) {
		b->below = xgrow(b->below, &b->cap, b->count + 1, sizeof(*b->below));
		b->below[b->count++] = (struct below){ .depth = depth };
	}
	to = &b->below[b->count - 1];
	to->owed += from->owed;
	for (int side = 0; side < 2; side++) {
		to->left[side].narrow += from->left[side].narrow;
		to->left[side].narrow_weight += from->left[side].narrow_weight;
		to->left[side].cut += from->left[side].cut;
	}
}

/* How deep P is drawn in SIDE; LEFT becomes what is left out, unless all of it is drawn. */
static uint32_t drawn_to(struct building *b, const struct stack_piece *p, int side,
			 struct flame_left *left)
{
	struct cut *c = &b->cuts[side];
	double weight = (double)p->total[side];
	uint32_t end = p->end;

	if (weight < b->tree->least[side]) {
		/* else it is of the other side */
		uint64_t nodes = p->total[side] ? p->below + p->end - p->above : 0;

		*left = (struct flame_left){ nodes, p->total[side], 0 };
		return p->above;
	}
	if (weight < c->weight) {
		end = p->above;
	} else if (weight == c->weight && p->end > c->depth) {
		end = p->above > c->depth ? p->above : c->depth;
		if (p->above <= c->depth && !c->passed)
			end++;
		else if (p->above <= c->depth)
			c->passed--;
	}
	if (end < p->end)
		*left = (struct flame_left){ 0, 0, p->below + p->end - end };
	return end;
}

/* The kinds that there are, and how much of the weight is their own. A frame that is no function,
 * as that of a state, has it from its caller. */
static void add_kinds(struct flame_tree *t, const struct stack_piece *p, uint64_t *owed)
{
	for (uint32_t depth = p->end;; depth--) {
		uint32_t name = depth ? p->path[depth - 1] : PLOT_ROOT;
		enum frame_kind known = p->kinds && depth ? p->kinds[depth - 1] : FRAME_OTHER;
		enum frame_kind kind = flame_kind_of(t->part, name, known);

		*owed += depth == p->end ? p->self[0] : 0;
		if (p->kinds && !known && depth) {
			flame_kinds_add(&t->kinds, kind, 0);
		} else {
			flame_kinds_add(&t->kinds, kind, (double)*owed);
			*owed = 0;
		}
		if (depth <= p->above + 1)
			return;
	}
}

static void add_node(struct flame_tree *t, const struct stack_piece *p, uint32_t depth,
		     const uint32_t to[2])
{
	const uint8_t *marks = t->part->marks;
	struct flame_node *n;

	t->nodes = xgrow(t->nodes, &t->cap, t->count + 1, sizeof(*t->nodes));
	n = &t->nodes[t->count++];
	*n = (struct flame_node){ .name = depth ? p->path[depth - 1] : PLOT_ROOT,
				  .depth = depth,
				  .kind = p->kinds && depth ? p->kinds[depth - 1] : FRAME_OTHER };
	if (marks)
		n->mark = marks[depth ? p->id + depth - p->above - 1 : p->id];
	for (int side = 0; side < 2; side++) {
		n->total[side] = p->total[side];
		n->self[side] = depth == p->end ? p->self[side] : 0;
		n->start[side] = p->start[side];
		n->drawn[side] = t->total[side] && depth <= to[side];
	}
}

static void take_piece(void *ctx, const struct stack_piece *p)
{
	struct building *b = ctx;
	struct flame_tree *t = b->tree;
	struct below below = take_below(b, p);
	uint32_t to[2] = { p->above, p->above };

	for (int side = 0; side < 2; side++) {
		if (p->end && t->total[side])
			to[side] = drawn_to(b, p, side, &below.left[side]);
	}
	if (!t->part->before)
		add_kinds(t, p, &below.owed);
	else if (p->end || t->all == 1)
		t->change_max = fmax(t->change_max, fabs((double)p->total[0] -
							 (double)p->total[1] * t->part->scale));
	for (uint32_t depth = to[0] > to[1] ? to[0] : to[1]; depth > p->above; depth--)
		add_node(t, p, depth, to);
	if (p->end) {
		add_below(b, p->above, &below);
		return;
	}
	add_node(t, p, 0, to);
	memcpy(t->left, below.left, sizeof(t->left));
}

static void reverse(struct flame_tree *t)
{
	for (size_t i = 0, k = t->count - 1; i < k; i++, k--) {
		struct flame_node n = t->nodes[i];

		t->nodes[i] = t->nodes[k];
		t->nodes[k] = n;
	}
}

void flame_tree_build(struct flame_tree *t)
{
	struct building b = { .tree = t };

	t->all = 1;
	for (size_t i = 0; i < t->part->count; i++)
		t->all += t->part->rows[i].count - t->part->rows[i].shared;
	for (int side = 0; side < 2; side++)
		b.cuts[side] = find_cut(t, side);
	stack_walk(t->part, take_piece, &b);
	reverse(t);
	free(b.below);
}

void flame_tree_release(struct flame_tree *t)
{
	free(t->nodes);
	t->nodes = NULL;
}
