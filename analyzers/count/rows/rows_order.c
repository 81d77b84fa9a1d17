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

/* A number, -5 or 0x1f, that is all of TEXT: its size and its sign. */
static bool is_number(const char *text, uint64_t *size, bool *below)
{
	char *end;

	*below = text[0] == '-';
	text += *below;
	if (*text < '0' || *text > '9')
		return false;
	*size = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
	return !*end;
}

/* What a field held: numbers by their value, before all that is no number. */
static int compare_fields(const char *left, const char *right)
{
	uint64_t a = 0, b = 0;
	bool minus_a, minus_b, number_a = is_number(left, &a, &minus_a);
	bool number_b = is_number(right, &b, &minus_b);

	if (number_a != number_b)
		return number_a ? -1 : 1;
	if (!number_a)
		return strcmp(left, right);
	if (minus_a != minus_b)
		return minus_a ? -1 : 1;
	return (minus_a ? compare_u64(b, a) : compare_u64(a, b)) ?: strcmp(left, right);
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
	return (k < ROW_KEYS ? strcmp : compare_fields)(intern_str(&t->texts, (uint32_t)a),
							intern_str(&t->texts, (uint32_t)b));
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
	int rc = t->event_count > 1 ? compare_row_key(t, KEY_EVENT, x, y) : 0;

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
	if (!t->kept.count) {
		free(t->pairs);
		t->pairs = NULL;
		t->pair_slots = 0;
	}
	for (size_t i = 0; i < t->row_count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, t->row_count, sizeof(*order), compare_rows, t);
	return order;
}

/* ---- call chains ---- */

/* The place of frame I of stack K, counted as chains go. */
static size_t step_at(const struct rows *t, const struct kept_stack *k, size_t i)
{
	return k->first + (t->o.chain.callers_first ? k->count - 1 - i : i);
}

static void add_chain(struct row_chains *c, uint32_t row, uint32_t stack, uint32_t from)
{
	size_t at = c->end[row + 1]++;

	if (c->list)
		c->list[at] = (struct row_chain){ stack, from };
}

/* Counts become the places where the chains of rows begin: adding them moves those to the end. */
static void place_chains(struct row_chains *c, size_t rows)
{
	size_t all = 0;

	for (size_t i = 1; i <= rows; i++) {
		size_t count = c->end[i];

		c->end[i] = all;
		all += count;
	}
	c->list = xmalloc((all + 1) * sizeof(*c->list));
}

/* The row that the sample was in has the whole chain; where rows count what they called, each other
 * row has the part that begins with its first frame. */
static void add_chains(struct row_chains *c, struct rows *t, const bool *wanted, uint32_t stack)
{
	const struct kept_stack *k = &t->kept.list[stack];
	uint32_t leaf = t->steps[t->kept.steps[k->first]].frame;
	uint32_t row = row_find(t, k->base, leaf);

	t->stack_number++;
	t->seen[leaf] = t->stack_number;
	if (row != ROW_NONE && wanted[row])
		add_chain(c, row, stack, 0);
	for (uint32_t i = 0; t->o.by_children && i < k->count; i++) {
		uint32_t frame = t->steps[t->kept.steps[step_at(t, k, i)]].frame;

		if (t->seen[frame] == t->stack_number)
			continue;
		t->seen[frame] = t->stack_number;
		row = row_find(t, k->base, frame);
		if (row != ROW_NONE && wanted[row])
			add_chain(c, row, stack, i);
	}
}

/* Steps become their names, in the order that was asked for. */
static void name_steps(struct rows *t, const struct kept_stack *k)
{
	uint32_t *steps = t->kept.steps + k->first;

	for (size_t i = 0; i < k->count; i++)
		steps[i] = t->steps[steps[i]].name;
	for (size_t i = 0, z = k->count; t->o.chain.callers_first && i + 1 < z; i++) {
		uint32_t name = steps[i];

		steps[i] = steps[--z];
		steps[z] = name;
	}
}

void rows_chains(struct rows *t, const bool *wanted, struct row_chains *out)
{
	*out = (struct row_chains){ .rows = t,
				    .end = xcalloc(t->row_count + 1, sizeof(*out->end)) };
	for (size_t i = 0; i < t->kept.count; i++)
		add_chains(out, t, wanted, (uint32_t)i);
	place_chains(out, t->row_count);
	for (size_t i = 0; i < t->kept.count; i++)
		add_chains(out, t, wanted, (uint32_t)i);
	for (size_t i = 0; i < t->kept.count; i++)
		name_steps(t, &t->kept.list[i]);
}

void row_chains_release(struct row_chains *c)
{
	free(c->list);
	free(c->end);
	*c = (struct row_chains){ 0 };
}
