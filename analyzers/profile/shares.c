/* Rows of one name each: their order, the first few and the rest, the matrix by time. */
#include "analyzers/profile/shares.h"
#include "analyzers/count/samples.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char others[] = "Others";

void shares_release(struct shares *s)
{
	intern_release(&s->names);
	free(s->rows);
	free(s->cells);
	free(s->order);
}

uint32_t shares_name(struct shares *s, const char *name, size_t len)
{
	uint32_t id = intern_add(&s->names, name, len);

	if (id == s->row_count) {
		s->rows = xgrow(s->rows, &s->row_cap, id + 1, sizeof(*s->rows));
		s->rows[s->row_count++] = (struct share_row){ 0 };
	}
	return id;
}

void shares_scope(struct shares *s, unsigned side, uint64_t weight, double squares)
{
	(void)add_held(&s->total[side], weight);
	s->squares[side] += squares;
}

void shares_add(struct shares *s, unsigned side, uint32_t name, const struct share_cell *c)
{
	(void)add_held(&s->rows[name].weight[side], c->weight);
	if (!s->by_step)
		return;
	s->cells = xgrow(s->cells, &s->cell_cap, s->cell_count + 1, sizeof(*s->cells));
	s->cells[s->cell_count] = *c;
	s->cells[s->cell_count++].name = name;
}

void shares_add_squares(struct shares *s, unsigned side, uint32_t name, double squares)
{
	s->rows[name].squares[side] += squares;
}

/* ---- order ---- */

struct rank {
	double share; /* the greater one */
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

static double greater_share(const struct shares *s, const struct share_row *r)
{
	double most = 0;

	for (unsigned side = 0; side < SHARES_SIDES; side++) {
		double share =
			s->total[side] ? (double)r->weight[side] / (double)s->total[side] : 0;

		most = share > most ? share : most;
	}
	return most;
}

static void sort(struct shares *s)
{
	struct rank *list = xcalloc(s->order_count + 1, sizeof(*list));

	for (size_t i = 0; i < s->order_count; i++)
		list[i] = (struct rank){ greater_share(s, &s->rows[s->order[i]]),
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
		for (unsigned side = 0; to[i] != i && side < SHARES_SIDES; side++) {
			(void)add_held(&s->rows[rest].weight[side], s->rows[i].weight[side]);
			s->rows[rest].squares[side] += s->rows[i].squares[side];
		}
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

struct ratio_side shares_side(const struct shares *s, unsigned side, uint32_t name)
{
	const struct share_row *r = &s->rows[name];

	return (struct ratio_side){ .weight = (double)r->weight[side],
				    .total = (double)s->total[side],
				    .squares = r->squares[side],
				    .total_squares = s->squares[side] };
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
