/* Columns are powers of two of nanoseconds wide, from the first weight on; a column of the grid is
 * some of them, so that no weight is divided among columns of the grid. */
#include "analyzers/lanes/load.h"
#include "parser/base/intern.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS 1024 /* the narrowest */
#define OTHERS	"others"

void load_release(struct load *l)
{
	idmap_release(&l->by_key);
	free(l->cells);
}

static double *cells_of(struct load *l, uint64_t key)
{
	uint32_t at = idmap_get(&l->by_key, key);

	if (at == IDMAP_NONE && l->count == LOAD_KEYS)
		return l->cells + (LOAD_KEYS - 1) * LOAD_COLUMNS;
	if (at == IDMAP_NONE) {
		at = *idmap_put(&l->by_key, key) = (uint32_t)l->count++;
		l->cells = xgrow(l->cells, &l->cap, l->count, LOAD_COLUMNS * sizeof(*l->cells));
		memset(l->cells + (size_t)at * LOAD_COLUMNS, 0, LOAD_COLUMNS * sizeof(*l->cells));
	}
	return l->cells + (size_t)at * LOAD_COLUMNS;
}

static void widen(struct load *l)
{
	for (size_t k = 0; k < l->count; k++) {
		double *c = l->cells + k * LOAD_COLUMNS;

		for (size_t i = 0; i < LOAD_COLUMNS / 2; i++)
			c[i] = c[2 * i] + c[2 * i + 1];
		memset(c + LOAD_COLUMNS / 2, 0, LOAD_COLUMNS / 2 * sizeof(*c));
	}
	l->step_ns *= 2;
	l->used = (l->used + 1) / 2;
}

/* The column of TIME_NS. */
static size_t column_of(struct load *l, uint64_t time_ns)
{
	uint64_t after;

	if (!l->step_ns) {
		l->step_ns = STEP_NS;
		l->start_ns = time_ns;
	}
	after = time_ns > l->start_ns ? time_ns - l->start_ns : 0;
	while (after / l->step_ns >= LOAD_COLUMNS)
		widen(l);
	if (after / l->step_ns >= l->used)
		l->used = after / l->step_ns + 1;
	return after / l->step_ns;
}

void load_add(struct load *l, uint64_t key, uint64_t time_ns, double weight)
{
	size_t column = column_of(l, time_ns);

	cells_of(l, key)[column] += weight;
}

void load_span(struct load *l, uint64_t key, uint64_t start_ns, uint64_t end_ns)
{
	size_t first, last;
	double *c;

	if (start_ns >= end_ns)
		return;
	if (!l->step_ns)
		(void)column_of(l, start_ns);
	start_ns = start_ns < l->start_ns ? l->start_ns : start_ns;
	if (start_ns >= end_ns)
		return;
	last = column_of(l, end_ns - 1); /* this one first: it makes columns wider */
	first = column_of(l, start_ns);
	c = cells_of(l, key);
	for (size_t i = first; i <= last; i++) {
		uint64_t from = l->start_ns + i * l->step_ns;
		double low = (double)(start_ns > from ? start_ns - from : 0);
		double high = (double)(i < last ? l->step_ns : end_ns - from);

		c[i] += high - low;
	}
}

/* ---- the grid ---- */

/* Names and what they weigh. */
struct names {
	struct intern list;
	uint32_t *of; /* by place of the key; INTERN_NONE: left out */
	struct named {
		double sum;
		uint32_t id;
	} * sums;
};

static void name_keys(const struct load *l, const struct load_view *v, struct names *n)
{
	n->of = xcalloc(l->count + 1, sizeof(*n->of));
	n->sums = xcalloc(l->count + 1, sizeof(*n->sums));
	for (size_t i = 0; i < l->count; i++)
		n->of[i] = INTERN_NONE;
	for (size_t slot = 0; slot < l->by_key.slots; slot++) {
		uint32_t at = l->by_key.table[slot].value;
		const char *name = NULL;
		uint32_t id;

		if (at == LOAD_KEYS - 1)
			name = OTHERS;
		else if (at != IDMAP_NONE)
			name = v->name(v->ctx, idmap_key(&l->by_key.table[slot]));
		if (!name)
			continue;
		id = intern_add(&n->list, name, strlen(name));
		n->of[at] = id;
		n->sums[id].id = id;
		for (size_t i = 0; i < l->used; i++)
			n->sums[id].sum += l->cells[at * LOAD_COLUMNS + i];
	}
}

static int heavier_first(const void *a, const void *b, void *list)
{
	const struct named *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return strcmp(intern_str(list, x->id), intern_str(list, y->id));
}

static void fill_cells(const struct load *l, const struct names *n, const uint32_t *row_of,
		       struct grid_part *g)
{
	size_t width = g->x_step / l->step_ns;
	double *sums = xcalloc(g->rows * g->columns + 1, sizeof(*sums));
	uint64_t *cells = (uint64_t *)g->cells;

	for (size_t k = 0; k < l->count; k++) {
		for (size_t i = 0; n->of[k] != INTERN_NONE && i < l->used; i++)
			sums[row_of[n->of[k]] * g->columns + i / width] +=
				l->cells[k * LOAD_COLUMNS + i];
	}
	for (size_t i = 0; i < g->rows * g->columns; i++)
		cells[i] = sums[i] < 0x1p64 ? (uint64_t)round(sums[i]) : SUM_HELD;
	free(sums);
}

static void make_rows(const struct load *l, const struct load_view *v, struct names *n,
		      struct arena *a, struct grid_part *out)
{
	uint32_t *row_of = xcalloc(n->list.count, sizeof(*row_of));
	size_t named = n->list.count <= v->rows + 1 ? n->list.count : v->rows;
	size_t rows = named + (named < n->list.count);
	const char **labels = arena_alloc(a, rows * sizeof(*labels));
	size_t width = (l->used + v->columns - 1) / v->columns;

	qsort_r(n->sums, n->list.count, sizeof(*n->sums), heavier_first, &n->list);
	for (size_t i = 0; i < n->list.count; i++) {
		const char *name = intern_str(&n->list, n->sums[i].id);

		row_of[n->sums[i].id] = (uint32_t)(i < named ? i : named);
		if (i < named)
			labels[i] = arena_strndup(a, name, strlen(name));
	}
	if (named < rows)
		labels[named] = OTHERS;
	*out = (struct grid_part){ .x_first = l->start_ns, .x_step = width * l->step_ns };
	out->rows = rows;
	out->columns = (l->used + width - 1) / width;
	out->labels = labels;
	out->cells = memset(arena_alloc(a, rows * out->columns * sizeof(*out->cells)), 0,
			    rows * out->columns * sizeof(*out->cells));
	fill_cells(l, n, row_of, out);
	free(row_of);
}

bool load_grid(const struct load *l, const struct load_view *v, struct arena *a,
	       struct grid_part *out)
{
	struct names n = { 0 };
	bool any;

	name_keys(l, v, &n);
	any = n.list.count > 0;
	if (any)
		make_rows(l, v, &n, a, out);
	intern_release(&n.list);
	free(n.of);
	free(n.sums);
	return any;
}
