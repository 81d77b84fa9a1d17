/* The order of rows, and the call chains that belong to them. */
#include "analyzers/count/rows/rows.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

uint64_t row_weight(const struct rows *t, const struct row *r)
{
	return t->o.by_children ? r->children : r->self;
}

int compare_row_key(const struct rows *t, unsigned k, const struct row *left,
		    const struct row *right)
{
	uint64_t a = row_key(t, left, k), b = row_key(t, right, k);

	if (a == b)
		return 0;
	if (!row_key_is_text(t, k))
		return compare_u64(a, b);
	if (a == KEY_NONE || b == KEY_NONE)
		return a == KEY_NONE ? -1 : 1;
	return strcmp(intern_str(&t->texts, (uint32_t)a), intern_str(&t->texts, (uint32_t)b));
}

static int compare_weights(const struct rows *t, const struct row *a, const struct row *b)
{
	return compare_u64(row_weight(t, b), row_weight(t, a));
}

/* The row at LEVEL that R is, or is below. */
static const struct row *at_level(const struct rows *t, const struct row *r, unsigned level)
{
	while (r->level > level)
		r = &t->rows[r->up];
	return r;
}

/* A subtotal is ordered among those of its level, and what is below it comes behind it. */
static int compare_rows(const void *left, const void *right, void *rows)
{
	const struct rows *t = rows;
	const struct row *x = &t->rows[*(const uint32_t *)left];
	const struct row *y = &t->rows[*(const uint32_t *)right], *a, *b;
	unsigned level = 0;
	int rc = compare_u64(x->key[KEY_EVENT], y->key[KEY_EVENT]);

	for (; !rc && level <= x->level && level <= y->level; level++) {
		a = at_level(t, x, level);
		b = at_level(t, y, level);
		rc = a == b ? 0 : compare_weights(t, a, b);
		for (size_t i = 0; !rc && a != b && i < t->o.key_count; i++)
			rc = compare_row_key(t, t->o.keys[i], a, b);
	}
	return rc ? rc : x->level < y->level ? -1 : x->level > y->level;
}

uint32_t *rows_sorted(struct rows *t)
{
	uint32_t *order = xmalloc((t->row_count + 1) * sizeof(*order));

	rows_link(t);
	intern_release(&t->bases);
	if (!t->kept_count)
		idmap_release(&t->by_pair);
	for (size_t i = 0; i < t->row_count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, t->row_count, sizeof(*order), compare_rows, t);
	return order;
}

/* ---- call chains ---- */

/* While the chains of stacks are handed out. */
struct handing {
	struct rows *rows;
	void (*take)(void *ctx, const struct row_chain *c);
	void *ctx;
	uint32_t *names; /* of the stack at hand, in the order that was asked for */
	size_t cap;
};

static void hand_out(struct handing *h, const struct kept_stack *k, size_t from, uint32_t frame)
{
	struct rows *t = h->rows;
	struct row_chain c = { idmap_get(&t->by_pair, (uint64_t)k->base << 32 | frame),
			       h->names + from, k->count - from, k->weight, k->samples };

	if (c.row != IDMAP_NONE)
		h->take(h->ctx, &c);
}

/* The row that the sample was in has the whole chain; where rows count what they called, each other
 * row has the part that begins with its first frame. */
static void hand_out_all(struct handing *h, const struct kept_stack *k)
{
	struct rows *t = h->rows;
	const uint32_t *steps = t->steps_kept + k->first;
	uint32_t leaf = t->steps[steps[0]].frame;

	h->names = xgrow(h->names, &h->cap, k->count, sizeof(*h->names));
	for (size_t i = 0; i < k->count; i++) {
		size_t at = t->o.chain.callers_first ? k->count - 1 - i : i;

		h->names[i] = t->steps[steps[at]].name;
	}
	t->stack_number++;
	t->seen[leaf] = t->stack_number;
	hand_out(h, k, 0, leaf);
	for (size_t i = 0; t->o.by_children && i < k->count; i++) {
		size_t at = t->o.chain.callers_first ? k->count - 1 - i : i;
		uint32_t frame = t->steps[steps[at]].frame;

		if (t->seen[frame] == t->stack_number)
			continue;
		t->seen[frame] = t->stack_number;
		hand_out(h, k, i, frame);
	}
}

void rows_chains(struct rows *t, void (*take)(void *ctx, const struct row_chain *c), void *ctx)
{
	struct handing h = { .rows = t, .take = take, .ctx = ctx };

	for (size_t i = 0; i < t->kept_count; i++)
		hand_out_all(&h, &t->kept[i]);
	free(h.names);
}
