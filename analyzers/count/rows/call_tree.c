/* Puts the call chains of a row in order, and walks the tree that they make. */
#include "analyzers/count/rows/call_tree.h"
#include "analyzers/count/stacksort.h"
#include "formats/model/stack_tree.h"
#include "parser/base/mem.h"

#include <stdlib.h>

/* The pieces that came and stand on the frame of the path at hand that is so deep. */
struct standing {
	uint32_t depth, first;
};

struct building {
	struct call_tree *tree;
	const struct stacks_part *part;
	struct standing *standing; /* ever deeper */
	size_t count, cap;
	uint64_t least;
};

/* What stands on DEPTH, and is not there any more. */
static uint32_t take_standing(struct building *b, uint32_t depth)
{
	if (b->count && b->standing[b->count - 1].depth == depth)
		return b->standing[--b->count].first;
	return CALL_NONE;
}

/* The chains that end with the piece come first of those through it; below it others are first. */
static uint64_t first_of(const struct building *b, const struct stack_piece *p, uint32_t child)
{
	const struct call_piece *pieces = b->tree->pieces;
	const struct stack_row *rows = b->part->rows;
	uint64_t first = rows[p->row].first;

	for (size_t i = p->row; i < b->part->count && rows[i].count == p->end &&
				(i == p->row || rows[i].shared == p->end);
	     i++)
		first = rows[i].first < first ? rows[i].first : first;
	for (; child != CALL_NONE; child = pieces[child].next)
		first = pieces[child].first < first ? pieces[child].first : first;
	return first;
}

static void take_piece(void *ctx, const struct stack_piece *p)
{
	struct building *b = ctx;
	struct call_tree *t = b->tree;
	uint32_t child = take_standing(b, p->end), id = (uint32_t)t->count;

	t->roots += p->end && !p->above;
	if (p->end && p->total[0] < b->least)
		return;
	t->pieces = xgrow(t->pieces, &t->cap, t->count + 1, sizeof(*t->pieces));
	t->pieces[t->count++] =
		(struct call_piece){ p->path,	  p->above,   p->end,	  p->total[0],
				     p->total[1], p->self[0], p->self[1], first_of(b, p, child),
				     child,	  CALL_NONE };
	if (!p->end)
		return;
	t->pieces[id].next = take_standing(b, p->above);
	b->standing = xgrow(b->standing, &b->cap, b->count + 1, sizeof(*b->standing));
	b->standing[b->count++] = (struct standing){ p->above, id };
}

/* Chains as rows: the weight is the place of the stack in the list, until they are in order. */
static struct stack_row *rows_of(const struct row_chains *c, uint32_t row, size_t *count)
{
	const struct kept_stack *stacks = c->rows->kept.list;
	size_t from = c->end[row], n = 0;
	struct stack_row *rows = xmalloc((c->end[row + 1] - from + 1) * sizeof(*rows));

	for (size_t i = from; i < c->end[row + 1]; i++) {
		const struct row_chain *k = &c->list[i];

		rows[n++] = (struct stack_row){ .weight = k->stack,
						.first = stacks[k->stack].first + k->from,
						.count = stacks[k->stack].count - k->from };
	}
	*count = n;
	return rows;
}

void call_tree_build(struct call_tree *t, const struct row_chains *c, uint32_t row, uint64_t least)
{
	const struct kept_stack *stacks = c->rows->kept.list;
	const uint32_t *names = c->rows->kept.steps;
	struct stacks_part part = { .frames = names };
	struct stack_row *rows = rows_of(c, row, &part.count);
	uint64_t *samples = xmalloc((part.count + 1) * sizeof(*samples));
	struct building b = { .tree = t, .part = &part, .least = least };

	rows = stack_rows_sort(&(struct stack_order){ names, NULL, 1 }, rows, part.count);
	for (size_t i = 0; i < part.count; i++) {
		const struct kept_stack *k = &stacks[rows[i].weight];

		samples[i] = k->samples;
		rows[i].weight = k->weight;
	}
	part.rows = rows;
	part.before = samples;
	stack_walk(&part, take_piece, &b);
	free(b.standing);
	free(samples);
	free(rows);
}

/* ---- order ---- */

struct sorting {
	const struct call_tree *tree;
	call_compare *compare;
	void *ctx;
};

static int compare_pieces(const void *a, const void *b, void *ctx)
{
	const struct sorting *s = ctx;

	return s->compare(&s->tree->pieces[*(const uint32_t *)a],
			  &s->tree->pieces[*(const uint32_t *)b], s->ctx);
}

void call_tree_sort(struct call_tree *t, call_compare *compare, void *ctx)
{
	struct sorting s = { t, compare, ctx };
	uint32_t *list = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < t->count; i++) {
		uint32_t *link = &t->pieces[i].child;
		size_t n = 0;

		for (uint32_t k = *link; k != CALL_NONE; k = t->pieces[k].next) {
			list = xgrow(list, &cap, n + 1, sizeof(*list));
			list[n++] = k;
		}
		if (n > 1)
			qsort_r(list, n, sizeof(*list), compare_pieces, &s);
		for (size_t k = 0; k < n; k++) {
			*link = list[k];
			link = &t->pieces[list[k]].next;
		}
		*link = CALL_NONE;
	}
	free(list);
}

void call_tree_release(struct call_tree *t)
{
	free(t->pieces);
	*t = (struct call_tree){ 0 };
}
