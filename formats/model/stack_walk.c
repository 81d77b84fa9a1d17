/* Walks the call tree of stacks from its last node to its first one, and holds only the path at
 * hand. Rows that part split what was one piece; a stack of a million frames is one piece as long
 * as no other comes near. */
#include "formats/model/stack_tree.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Part of the path at hand, up to depth END, on the one before it. */
struct open_piece {
	uint32_t end;
	uint64_t below; /* nodes that came, below it */
	uint64_t total[2], self[2];
};

struct walk {
	const struct stacks_part *part;
	double fit;
	void (*take)(void *ctx, const struct stack_piece *piece);
	void *ctx;
	struct open_piece *open; /* the root first */
	size_t count, cap;
	size_t row;	      /* the one at hand */
	const uint32_t *path; /* its frames */
	uint8_t *kinds;	      /* of its frames, merged */
	size_t kind_cap;
	uint64_t id;	   /* nodes that are still to come */
	uint64_t start[2]; /* weight of the rows that are still to come */
};

static uint64_t weight_of(const struct walk *w, size_t row, int side)
{
	const struct stacks_part *p = w->part;

	if (side)
		return p->before ? stack_fitted(p->before[row], w->fit) : 0;
	return stack_fitted(p->rows[row].weight, w->fit);
}

/* The last piece ends: what of it is deeper than ABOVE is taken. */
static void take_above(struct walk *w, uint32_t above)
{
	const struct open_piece *o = &w->open[w->count - 1];
	uint64_t nodes = o->end - above + (o->end == 0);
	struct stack_piece piece = { w->path,
				     w->part->kinds ? w->kinds : NULL,
				     above,
				     o->end,
				     w->id -= nodes,
				     o->below,
				     w->row,
				     { o->total[0], o->total[1] },
				     { o->self[0], o->self[1] },
				     { w->start[0], w->start[1] } };

	w->take(w->ctx, &piece);
}

/* What of the path is deeper than DEPTH ends. */
static void close_to(struct walk *w, uint32_t depth)
{
	while (w->open[w->count - 1].end > depth) {
		struct open_piece *last = &w->open[w->count - 1], *up = last - 1;

		if (up->end < depth) {
			take_above(w, depth);
			last->below += last->end - depth;
			last->end = depth;
			last->self[0] = last->self[1] = 0;
			return;
		}
		take_above(w, up->end);
		up->below += last->below + (last->end - up->end);
		for (int side = 0; side < 2; side++)
			up->total[side] += last->total[side];
		w->count--;
	}
}

static void merge_kinds(struct walk *w, const struct stack_row *r, uint32_t shared)
{
	const uint8_t *kinds = w->part->kinds + r->first;

	w->kinds = xgrow(w->kinds, &w->kind_cap, (size_t)r->count + 1, 1);
	for (uint32_t i = 0; i < r->count; i++) {
		if (i >= shared || kinds[i] < w->kinds[i])
			w->kinds[i] = kinds[i];
	}
}

/* Row I comes after the one of which SHARED frames are open. */
static void open_row(struct walk *w, size_t i, uint32_t shared)
{
	const struct stack_row *r = &w->part->rows[i];
	struct open_piece *last;

	if (r->count > shared) {
		w->open = xgrow(w->open, &w->cap, w->count + 1, sizeof(*w->open));
		w->open[w->count++] = (struct open_piece){ .end = r->count };
	}
	last = &w->open[w->count - 1];
	for (int side = 0; side < 2; side++) {
		uint64_t weight = weight_of(w, i, side);

		last->total[side] += weight;
		last->self[side] += weight;
		w->start[side] -= weight;
	}
	w->row = i;
	w->path = w->part->frames + r->first;
	if (w->part->kinds)
		merge_kinds(w, r, shared);
}

void stack_walk(const struct stacks_part *p,
		void (*take)(void *ctx, const struct stack_piece *piece), void *ctx)
{
	struct walk w = { .part = p, .fit = stack_fit(p), .take = take, .ctx = ctx, .id = 1 };

	for (size_t i = 0; i < p->count; i++) {
		w.id += p->rows[i].count - p->rows[i].shared;
		w.start[0] += weight_of(&w, i, 0);
		w.start[1] += weight_of(&w, i, 1);
	}
	w.open = xgrow(NULL, &w.cap, 1, sizeof(*w.open));
	w.open[w.count++] = (struct open_piece){ 0 };
	for (size_t i = p->count; i--;) {
		uint32_t shared = i + 1 < p->count ? p->rows[i + 1].shared : 0;

		close_to(&w, shared);
		open_row(&w, i, shared);
	}
	close_to(&w, 0);
	take_above(&w, 0);
	free(w.open);
	free(w.kinds);
}
