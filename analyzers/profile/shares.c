/* Rows of one name each: their order, the first few and the rest, the matrix by time. */
#include "analyzers/profile/shares.h"
#include "analyzers/count/samples.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char others[] = "Others";

void shares_init(struct shares *s, size_t captures)
{
	s->captures = captures;
	s->totals = xcalloc(captures + 1, sizeof(*s->totals));
}

void shares_release(struct shares *s)
{
	intern_release(&s->names);
	free(s->weights);
	free(s->totals);
	free(s->cells);
	free(s->order);
}

uint32_t shares_name(struct shares *s, const char *name, size_t len)
{
	uint32_t id = intern_add(&s->names, name, len);

	if (id == s->row_count) {
		size_t n = s->captures;

		s->weights = xgrow(s->weights, &s->weight_cap, (id + 1) * n, sizeof(*s->weights));
		memset(&s->weights[id * n], 0, n * sizeof(*s->weights));
		s->row_count++;
	}
	return id;
}

void shares_scope(struct shares *s, size_t capture, uint64_t weight, double squares)
{
	(void)add_held(&s->totals[capture].weight, weight);
	s->totals[capture].squares += squares;
}

static uint64_t *weight_at(struct shares *s, size_t capture, uint32_t name)
{
	return &s->weights[name * s->captures + capture];
}

void shares_add(struct shares *s, size_t capture, uint32_t name, const struct share_cell *c)
{
	(void)add_held(weight_at(s, capture, name), c->weight);
	if (!s->by_step)
		return;
	s->cells = xgrow(s->cells, &s->cell_cap, s->cell_count + 1, sizeof(*s->cells));
	s->cells[s->cell_count] = *c;
	s->cells[s->cell_count++].name = name;
}

uint64_t shares_weight(const struct shares *s, size_t capture, uint32_t name)
{
	return s->weights[name * s->captures + capture];
}

void shares_rename(struct shares *s, void (*change)(const char *name, size_t len, struct buf *out))
{
	struct shares to = { 0 };
	struct buf b = { 0 };

	shares_init(&to, s->captures);
	for (uint32_t i = 0; i < s->row_count; i++) {
		const struct interned *name = &s->names.list[i];
		uint32_t id;

		b.len = 0;
		change(name->s, name->len, &b);
		id = shares_name(&to, b.data ?: "", b.len);
		for (size_t c = 0; c < s->captures; c++)
			(void)add_held(weight_at(&to, c, id), shares_weight(s, c, i));
	}
	memcpy(to.totals, s->totals, s->captures * sizeof(*to.totals));
	buf_release(&b);
	shares_release(s);
	*s = to;
}

/* ---- order ---- */

struct rank {
	double share; /* the greatest of all captures */
	const char *name;
	uint32_t id;
};

static int by_share(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return strcmp(x->name, y->name);
}

static double greatest_share(const struct shares *s, uint32_t name)
{
	double most = 0;

	for (size_t c = 0; c < s->captures; c++) {
		uint64_t total = s->totals[c].weight;
		double share = total ? (double)shares_weight(s, c, name) / (double)total : 0;

		most = share > most ? share : most;
	}
	return most;
}

static void sort(struct shares *s)
{
	struct rank *list = xcalloc(s->order_count + 1, sizeof(*list));

	for (size_t i = 0; i < s->order_count; i++)
		list[i] = (struct rank){ greatest_share(s, s->order[i]),
					 intern_str(&s->names, s->order[i]), s->order[i] };
	qsort(list, s->order_count, sizeof(*list), by_share);
	for (size_t i = 0; i < s->order_count; i++)
		s->order[i] = list[i].id;
	free(list);
}

/* What is not among the first TOP goes to Others. */
static void cut(struct shares *s, size_t top)
{
	uint32_t rest = shares_name(s, others, sizeof(others) - 1);
	uint32_t *to = xcalloc(s->row_count, sizeof(*to));
	size_t n = 0;

	for (size_t i = 0; i < s->row_count; i++)
		to[i] = rest;
	for (size_t i = 0; i < s->order_count && n < top; i++) {
		if (s->order[i] == rest)
			continue;
		to[s->order[i]] = s->order[i];
		s->order[n++] = s->order[i];
	}
	s->order_count = n;
	for (uint32_t i = 0; i < s->row_count; i++) {
		for (size_t c = 0; to[i] != i && c < s->captures; c++)
			(void)add_held(weight_at(s, c, rest), shares_weight(s, c, i));
	}
	for (size_t i = 0; i < s->cell_count; i++)
		s->cells[i].name = to[s->cells[i].name];
	s->order[s->order_count++] = rest;
	free(to);
}

void shares_order(struct shares *s, bool keep, size_t top)
{
	s->order = xcalloc(s->row_count + 1, sizeof(*s->order));
	for (uint32_t i = 0; i < s->row_count; i++)
		s->order[i] = i;
	s->order_count = s->row_count;
	if (!keep)
		sort(s);
	if (top && s->order_count > top)
		cut(s, top);
}

/* ---- the matrix ---- */

int shares_columns(const struct shares *s, uint64_t *first, uint64_t *columns)
{
	uint64_t lo = UINT64_MAX, hi = 0;

	for (size_t i = 0; i < s->cell_count; i++) {
		lo = s->cells[i].step < lo ? s->cells[i].step : lo;
		hi = s->cells[i].step > hi ? s->cells[i].step : hi;
	}
	*first = s->cell_count ? lo : 0;
	*columns = s->cell_count ? hi - lo + 1 : 0;
	return (s->cell_count && !*columns) || *columns > SHARES_MAX_CELLS ||
			       *columns * (s->row_count + 1) > SHARES_MAX_CELLS
		       ? ERR_USAGE
		       : 0;
}

void shares_grid(const struct shares *s, struct answer *a, uint64_t step_ns, struct grid_part *out)
{
	uint32_t *row = xcalloc(s->row_count + 1, sizeof(*row));
	const char **labels = arena_alloc(&a->arena, (s->order_count + 1) * sizeof(*labels));
	uint64_t first, columns, *cells;
	size_t size;

	if (shares_columns(s, &first, &columns) < 0)
		columns = 0; /* was refused before */
	size = s->order_count * columns * sizeof(*cells);
	cells = arena_alloc(&a->arena, size + sizeof(*cells));
	memset(cells, 0, size);
	for (size_t i = 0; i < s->order_count; i++) {
		labels[i] = answer_string(a, intern_str(&s->names, s->order[i]));
		row[s->order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; columns && i < s->cell_count; i++) {
		const struct share_cell *c = &s->cells[i];
		(void)add_held(&cells[row[c->name] * columns + (c->step - first)], c->weight);
	}
	free(row);
	out->x_first = first * step_ns;
	out->x_step = step_ns;
	out->columns = columns;
	out->rows = s->order_count;
	out->labels = labels;
	out->cells = cells;
}
