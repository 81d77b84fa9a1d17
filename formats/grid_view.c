/* Sums neighbouring columns and rows of a grid until it fits, and finds out how dark each cell
 * is. The sums of the view are those of the grid. */
#include "formats/grid_view.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the largest cell is so many times the mean a square root shows too little of the others. */
#define LOG_FROM 400

static uint64_t add(uint64_t a, uint64_t b)
{
	(void)add_held(&a, b);
	return a;
}

struct ranked {
	uint64_t sum;
	size_t row;
};

static int by_sum(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

static uint64_t row_sum(const struct grid_part *g, size_t row)
{
	uint64_t sum = 0;

	for (size_t c = 0; c < g->columns; c++)
		sum = add(sum, g->cells[row * g->columns + c]);
	return sum;
}

/* For each row of the grid the row of the view: the largest keep their order, the others are the
 * last one. */
static void rank_rows(struct grid_view *v, size_t max_rows, size_t *to)
{
	const struct grid_part *g = v->grid;
	struct ranked *list = xcalloc(g->rows + 1, sizeof(*list));
	size_t keep = g->rows > max_rows ? max_rows - 1 : g->rows, row = 0;

	for (size_t i = 0; i < g->rows; i++) {
		list[i] = (struct ranked){ row_sum(g, i), i };
		to[i] = SIZE_MAX;
	}
	qsort(list, g->rows, sizeof(*list), by_sum);
	for (size_t i = 0; i < keep; i++)
		to[list[i].row] = 0;
	v->sources = xcalloc(keep + 1, sizeof(*v->sources));
	for (size_t i = 0; i < g->rows; i++) {
		if (to[i] == SIZE_MAX) {
			to[i] = keep;
		} else {
			v->sources[row] = i;
			to[i] = row++;
		}
	}
	v->rest = g->rows - keep;
	v->rows = keep + (v->rest > 0);
	free(list);
}

static bool ranges_grow(const struct grid_part *g)
{
	const uint64_t *e = g->edges;

	return g->rows > 2 && (e[g->rows] - e[g->rows - 1]) / 4 > e[1] - e[0];
}

#define SPARE_SHARE 200 /* one of so many may be there */
#define SPARE_PART  6	/* of the ranges, one in so many is many */

void grid_view_spare(const struct grid_part *g, struct grid_room *room)
{
	uint64_t total = 0, sum = 0;
	size_t below = 0, above = 0;

	if (g->labels || !g->edges || !ranges_grow(g))
		return;
	for (size_t i = 0; i < g->rows; i++)
		total = add(total, row_sum(g, i));
	while (below < g->rows && (sum = add(sum, row_sum(g, below))) <= total / SPARE_SHARE)
		below++;
	for (sum = 0; above < g->rows - below &&
		      (sum = add(sum, row_sum(g, g->rows - 1 - above))) <= total / SPARE_SHARE;)
		above++;
	if (below + above == g->rows)
		return;
	room->below = below > 1 && below >= g->rows / SPARE_PART ? below : 0;
	room->above = above > 1 && above >= g->rows / SPARE_PART ? above : 0;
}

static size_t fold(size_t count, size_t most)
{
	return most && count > most ? (count + most - 1) / most : 1;
}

/* The same of ranges, those at the ends apart. */
static void fold_rows(struct grid_view *v, const struct grid_room *room, size_t *to)
{
	size_t all = v->grid->rows, end = all - room->above, i = room->below;

	v->below = room->below;
	v->above = room->above;
	v->fold_y = fold(end - i, room->rows - (i > 0) - (end < all));
	v->starts = xcalloc(all + 1, sizeof(*v->starts));
	v->rows = i > 0;
	for (; i < end; i += v->fold_y)
		v->starts[v->rows++] = i;
	if (end < all)
		v->starts[v->rows++] = end;
	v->starts[v->rows] = all;
	for (size_t r = 0; r < v->rows; r++) {
		for (i = v->starts[r]; i < v->starts[r + 1]; i++)
			to[i] = r;
	}
}

static void fill(struct grid_view *v, const size_t *to)
{
	const struct grid_part *g = v->grid;

	for (size_t i = 0; i < g->rows; i++) {
		uint64_t *row = v->cells + to[i] * v->columns;
		const uint64_t *from = g->cells + i * g->columns;

		for (size_t c = 0; c < g->columns; c++)
			row[c / v->fold_x] = add(row[c / v->fold_x], from[c]);
	}
}

#define LEAST_SPREAD 0.25

/* Samples at a fixed rate scatter less than independent events: what cells differ by from the ones
 * below them tells how much. More than independent is no chance, but what is to be seen. */
static double spread_of(const struct grid_view *v)
{
	double squares = 0, pairs = v->rows > 1 ? (double)((v->rows - 1) * v->columns) : 0;

	for (size_t i = v->columns; i < v->rows * v->columns; i++) {
		double by = (double)v->cells[i] - (double)v->cells[i - v->columns];

		squares += by * by;
	}
	if (!(pairs > 0) || !(v->shades.mean > 0))
		return 1;
	return fmin(1, fmax(LEAST_SPREAD, sqrt(squares / 2 / pairs / v->shades.mean)));
}

static void sum_up(struct grid_view *v)
{
	struct grid_shades *s = &v->shades;

	for (size_t i = 0; i < v->rows * v->columns; i++) {
		uint64_t value = v->cells[i];

		v->filled += value != 0;
		v->total = add(v->total, value);
		v->row_sums[i / v->columns] = add(v->row_sums[i / v->columns], value);
		v->column_sums[i % v->columns] = add(v->column_sums[i % v->columns], value);
		s->most = value > s->most ? value : s->most;
		s->least = value && (!s->least || value < s->least) ? value : s->least;
	}
	s->mean = v->rows && v->columns ? (double)v->total / (double)(v->rows * v->columns) : 0;
	s->spread = spread_of(v);
	s->scale = v->grid->scale;
	if (s->scale == GRID_SCALE_AUTO)
		s->scale = v->filled && s->most / LOG_FROM > v->total / v->filled ? GRID_SCALE_LOG
										  : GRID_SCALE_SQRT;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The cells of COUNT views, for the scale of V. */
static void rank(struct grid_view *v, const struct grid_view *views, size_t count)
{
	size_t n = 0;

	if (v->shades.scale != GRID_SCALE_RANK)
		return;
	for (size_t i = 0; i < count; i++)
		n += views[i].filled;
	v->own_ranks = xrealloc(v->own_ranks, (n + 1) * sizeof(*v->own_ranks));
	v->shades.ranks = v->own_ranks;
	v->shades.rank_count = n;
	for (size_t i = 0; i < count; i++) {
		for (size_t c = 0; c < views[i].rows * views[i].columns; c++) {
			if (views[i].cells[c])
				v->own_ranks[--n] = views[i].cells[c];
		}
	}
	qsort(v->own_ranks, v->shades.rank_count, sizeof(*v->own_ranks), by_value);
}

void grid_view_init(struct grid_view *v, const struct grid_part *g, size_t max_columns,
		    size_t max_rows)
{
	grid_view_init_in(v, g, &(struct grid_room){ .columns = max_columns, .rows = max_rows });
}

void grid_view_init_in(struct grid_view *v, const struct grid_part *g, const struct grid_room *room)
{
	size_t *to = xcalloc(g->rows + 1, sizeof(*to));

	*v = (struct grid_view){ .grid = g,
				 .fold_x = fold(g->columns, room->columns),
				 .fold_y = 1 };
	v->columns = (g->columns + v->fold_x - 1) / v->fold_x;
	if (g->labels)
		rank_rows(v, room->rows, to);
	else
		fold_rows(v, room, to);
	v->cells = xcalloc(v->rows * v->columns + 1, sizeof(*v->cells));
	v->column_sums = xcalloc(v->columns + 1, sizeof(*v->column_sums));
	v->row_sums = xcalloc(v->rows + 1, sizeof(*v->row_sums));
	fill(v, to);
	sum_up(v);
	rank(v, v, 1);
	free(to);
}

void grid_view_share_scale(struct grid_view *whole, struct grid_view *lanes, size_t count)
{
	struct grid_shades *all = &whole->shades;

	if (!count)
		return;
	*all = lanes[0].shades;
	for (size_t i = 1; i < count; i++) {
		const struct grid_shades *s = &lanes[i].shades;

		all->most = s->most > all->most ? s->most : all->most;
		if (s->least && (!all->least || s->least < all->least))
			all->least = s->least;
		if (s->scale == GRID_SCALE_LOG)
			all->scale = s->scale;
		all->mean += s->mean;
		all->spread = fmax(all->spread, s->spread);
	}
	all->mean /= (double)count;
	rank(whole, lanes, count);
	for (size_t i = 0; i < count; i++)
		lanes[i].shades = *all;
}

void grid_view_release(struct grid_view *v)
{
	free(v->sources);
	free(v->starts);
	free(v->own_ranks);
	free(v->cells);
	free(v->column_sums);
	free(v->row_sums);
}

/* ---- where things are ---- */

uint64_t grid_view_x(const struct grid_view *v, size_t c)
{
	const struct grid_part *g = v->grid;
	size_t n = c < v->columns ? c * v->fold_x : g->columns;
	uint64_t x;

	if (__builtin_mul_overflow((uint64_t)n, g->x_step, &x))
		return UINT64_MAX;
	return add(g->x_first, x);
}

uint64_t grid_view_edge(const struct grid_view *v, size_t r)
{
	return v->grid->edges[v->starts[r < v->rows ? r : v->rows]];
}

const char *grid_view_row_name(const struct grid_view *v, size_t r, char text[GRID_RANGE_TEXT])
{
	enum column_type type = v->grid->y.type;

	if (v->sources && !(v->rest && r + 1 == v->rows))
		return v->grid->labels[v->sources[r]];
	if (v->sources)
		snprintf(text, GRID_RANGE_TEXT, "(%zu more)", v->rest);
	else
		snprintf(text, GRID_RANGE_TEXT, "%s to %s", EXACT(grid_view_edge(v, r), type),
			 EXACT(grid_view_edge(v, r + 1), type));
	return text;
}

void grid_view_column_name(const struct grid_view *v, size_t c, char text[GRID_RANGE_TEXT])
{
	snprintf(text, GRID_RANGE_TEXT, "%s to %s", X_TEXT(v, grid_view_x(v, c)),
		 X_TEXT(v, grid_view_x(v, c + 1)));
}

size_t grid_view_column(const struct grid_view *v, uint64_t x)
{
	const struct grid_part *g = v->grid;
	uint64_t n;

	if (x < g->x_first || !g->x_step)
		return v->columns;
	n = (x - g->x_first) / g->x_step;
	return n < g->columns ? n / v->fold_x : v->columns;
}

uint64_t grid_view_series(const struct grid_view *v, const struct grid_series *s, size_t c)
{
	size_t i = c * v->fold_x, end = i + v->fold_x;
	uint64_t most = GRID_NONE;

	for (; i < end && i < v->grid->columns; i++) {
		uint64_t value = s->values[i];

		if (value != GRID_NONE && (most == GRID_NONE || value > most))
			most = value;
	}
	return most;
}

size_t grid_view_row(const struct grid_view *v, uint64_t value)
{
	size_t low = 0, high = v->rows;

	if (!v->rows || !v->grid->edges || value < grid_view_edge(v, 0) ||
	    value > grid_view_edge(v, v->rows))
		return v->rows;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (grid_view_edge(v, mid) <= value)
			low = mid;
		else
			high = mid;
	}
	return low;
}

double grid_view_height(const struct grid_view *v, uint64_t value)
{
	size_t row = grid_view_row(v, value);
	uint64_t low, high;

	if (row == v->rows)
		return -1;
	low = grid_view_edge(v, row);
	high = grid_view_edge(v, row + 1);
	return (double)row + (high > low ? (double)(value - low) / (double)(high - low) : 0);
}

/* The first column from C on that no gap has met; NEXT leads there, and is made shorter. */
static size_t free_column(size_t *next, size_t c)
{
	size_t end = c;

	while (next[end] != end)
		end = next[end];
	while (next[c] != end) {
		size_t step = next[c];

		next[c] = end;
		c = step;
	}
	return end;
}

void grid_view_gaps(const struct grid_view *v, const struct grid_gap **gaps)
{
	const struct grid_part *g = v->grid;
	size_t *next = xcalloc(v->columns + 1, sizeof(*next));

	memset(gaps, 0, v->columns * sizeof(*gaps));
	for (size_t c = 0; c <= v->columns; c++)
		next[c] = c;
	for (size_t i = 0; i < g->gap_count; i++) {
		const struct grid_gap *gap = &g->gaps[i];
		uint64_t from = gap->start < g->x_first ? g->x_first : gap->start;
		size_t c = free_column(next, grid_view_column(v, from));

		for (; c < v->columns && grid_view_x(v, c) < gap->end; c = free_column(next, c)) {
			gaps[c] = gap;
			next[c] = c + 1;
		}
	}
	free(next);
}

size_t grid_view_causes(const struct grid_view *v, const struct grid_gap *const *gaps,
			const char *causes[GRID_CAUSES])
{
	size_t count = 0;

	for (size_t c = 0; c < v->columns && count < GRID_CAUSES; c++) {
		bool known = !gaps[c];

		for (size_t k = 0; !known && k < count; k++)
			known = !strcmp(causes[k], gaps[c]->cause);
		if (!known)
			causes[count++] = gaps[c]->cause;
	}
	return count;
}

/* ---- how dark ---- */

/* How many of the cells are less than VALUE, or not more than it. */
static size_t cells_below(const struct grid_view *v, uint64_t value, bool or_equal)
{
	size_t lo = 0, hi = v->shades.rank_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v->shades.ranks[mid] < value || (or_equal && v->shades.ranks[mid] == value))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The share of the cells that are less than VALUE, and half of those that are equal: what most
 * cells hold stands in the middle, what differs from it stands out on both sides. */
static double rank_of(const struct grid_view *v, uint64_t value)
{
	double n = (double)v->shades.rank_count;

	return n ? (double)(cells_below(v, value, false) + cells_below(v, value, true)) / (2 * n)
		 : 1;
}

/* How many standard deviations VALUE, a count, is from the mean if chance alone decides
 * (Anscombe 1948: the square root of a Poisson count has the same spread whatever its mean). */
static double off_mean(const struct grid_view *v, double value)
{
	return 2 * (sqrt(value + 0.375) - sqrt(v->shades.mean + 0.375)) / v->shades.spread;
}

#define CHANCE	    3.0 /* deviations: of a thousand cells three are further off by chance */
#define CHANCE_PART 3.0 /* so many times less contrast there */
#define CHANCE_TOP  7.0 /* what is no further off has not the darkest colour */

/* Deviations as steps of colour, and back: little contrast among what chance makes. */
static double contrast(double off)
{
	double more = fabs(off) - CHANCE;

	return more > 0 ? copysign(more + CHANCE / CHANCE_PART, off) : off / CHANCE_PART;
}

static double contrast_from(double steps)
{
	double more = fabs(steps) - CHANCE / CHANCE_PART;

	return more > 0 ? copysign(more + CHANCE, steps) : steps * CHANCE_PART;
}

/* The ends of the colours. */
static double contrast_low(const struct grid_view *v)
{
	return contrast(off_mean(v, 0));
}

static double contrast_high(const struct grid_view *v)
{
	return contrast(fmax(off_mean(v, (double)v->shades.most), CHANCE_TOP));
}

/* The count that is so many deviations from the mean. */
static double count_at(const struct grid_view *v, double off)
{
	double root = off * v->shades.spread / 2 + sqrt(v->shades.mean + 0.375);

	return root * root - 0.375;
}

uint64_t grid_view_chance(const struct grid_view *v)
{
	double most = floor(count_at(v, CHANCE));

	return most < (double)v->shades.most ? (uint64_t)most : v->shades.most;
}

static double chance_of(const struct grid_view *v, uint64_t value)
{
	double low = contrast_low(v);

	return (contrast(off_mean(v, (double)value)) - low) / (contrast_high(v) - low);
}

unsigned grid_view_level(const struct grid_view *v, uint64_t value, unsigned levels)
{
	double most = (double)v->shades.most, least = (double)v->shades.least, part;
	unsigned level;

	if (!value)
		return 0;
	if (v->shades.scale == GRID_SCALE_LINEAR)
		part = (double)value / most;
	else if (v->shades.scale == GRID_SCALE_LOG)
		part = log((double)value / least) / log(most / least);
	else if (v->shades.scale == GRID_SCALE_RANK)
		part = rank_of(v, value);
	else if (v->shades.scale == GRID_SCALE_CHANCE)
		part = chance_of(v, value);
	else
		part = sqrt((double)value / most);
	/* all cells are equal: no number */
	level = 1 + (unsigned)(isfinite(part) ? part * levels : levels);
	return level > levels ? levels : level;
}

uint64_t grid_view_level_low(const struct grid_view *v, unsigned level, unsigned levels)
{
	double most = (double)v->shades.most, least = (double)v->shades.least;
	double part = (double)(level - 1) / levels, low;

	if (v->shades.scale == GRID_SCALE_RANK && v->shades.rank_count)
		return v->shades.ranks[(size_t)(part * (double)v->shades.rank_count)];
	if (v->shades.scale == GRID_SCALE_LINEAR)
		low = ceil(most * part);
	else if (v->shades.scale == GRID_SCALE_LOG)
		low = ceil(least * pow(most / least, part));
	else if (v->shades.scale == GRID_SCALE_CHANCE)
		low = ceil(count_at(
			v, contrast_from(part * contrast_high(v) + (1 - part) * contrast_low(v))));
	else
		low = ceil(most * part * part);
	if (low <= least)
		return v->shades.least;
	return low < most ? (uint64_t)low : v->shades.most;
}

/* ---- axes ---- */

static bool has_clock(const struct grid_part *g)
{
	return g->has_wall && g->x.type == COLUMN_TIME_NS;
}

void grid_view_x_axis(const struct grid_view *v, struct axis *a, unsigned want)
{
	const struct grid_part *g = v->grid;
	struct axis_span s = { g->x_first, grid_view_x(v, v->columns), want, g->x.type };

	if (has_clock(g))
		axis_wall(a, &s, g->wall_ns);
	else
		axis_linear(a, &s);
}

void grid_view_y_axis(const struct grid_view *v, struct axis *a, unsigned want)
{
	const struct grid_part *g = v->grid;
	const uint64_t *e = g->edges;
	struct axis_span s = { 0, 0, want, g->y.type };

	a->count = 0;
	if (!g->rows || g->labels)
		return;
	s.low = e[v->below];
	s.high = e[g->rows - v->above];
	if (ranges_grow(g))
		axis_log(a, &s);
	else
		axis_linear(a, &s);
}

const char *grid_view_x_text(const struct grid_view *v, uint64_t at, char text[NUMBER_TEXT])
{
	const struct grid_part *g = v->grid;

	return has_clock(g) ? axis_clock(text, g->wall_ns, at, g->x_step)
			    : number_exact(text, at, g->x.type);
}
