/* Sorts points into columns and rows and makes a grid of them. Points, columns, rows and cells
 * are bounded; what would be more is refused with the option that helps. */
#include "analyzers/heat/heat.h"
#include "analyzers/count/quantile.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_USUAL    50
#define ROWS_MAX      10000
#define COLUMNS_USUAL 600
#define COLUMNS_MAX   1000000
#define CELLS_MAX     (1u << 24) /* of all lanes together */
#define POINTS_MAX    (1u << 27)
#define LANES_SEEN    4096
#define LANES_SHOWN   32 /* the last of them is all others */

void heat_release(struct heat *h)
{
	big_grown_free(h->points, h->cap * sizeof(*h->points));
	big_grown_free(h->more, h->more_cap * sizeof(*h->more));
	if (h->values)
		big_free(h->values, (h->count + 1) * sizeof(*h->values));
	intern_release(&h->lane_names);
	arena_release(&h->arena);
}

/* More room, unless there are too many. */
bool heat_room(struct heat *h)
{
	if (h->count >= POINTS_MAX) {
		h->refused++;
		return false;
	}
	h->points = big_grow(h->points, &h->cap, h->count + 1, sizeof(*h->points));
	return true;
}

struct heat_more *heat_more(struct heat *h)
{
	h->more = big_grow(h->more, &h->more_cap, h->count, sizeof(*h->more));
	memset(h->more + h->more_count, 0, (h->count - h->more_count) * sizeof(*h->more));
	h->more_count = h->count;
	return &h->more[h->count - 1];
}

uint32_t heat_lane(struct heat *h, const char *name)
{
	if (h->lane_names.count >= LANES_SEEN)
		name = "other";
	return intern_add(&h->lane_names, name, strlen(name));
}

uint32_t heat_lane_by(struct heat *h, enum heat_by by, const char *comm, const uint32_t *cpu)
{
	char text[24];

	if (by == HEAT_BY_COMM)
		return heat_lane(h, comm && *comm ? comm : "unknown");
	if (by != HEAT_BY_CPU)
		return 0;
	if (cpu)
		snprintf(text, sizeof(text), "cpu %u", *cpu);
	return heat_lane(h, cpu ? text : "unknown");
}

/* ---- the frame: columns and rows ---- */

struct frame {
	struct heat *h;
	const struct heat_options *o;
	uint64_t first_ns, last_ns, least, most; /* of the points */
	bool in_order;				 /* none is older than the one before */
	uint64_t step_ns;
	size_t columns, rows;
	uint64_t *edges;    /* NULL: labels */
	uint16_t *starts;   /* by slot_of(): the row of the lowest value in it */
	uint64_t low, high; /* values outside are clipped */
};

/* The smallest of 1, 2, 5, 10, 20 ... by which RANGE fits into so many columns. */
static uint64_t nice_step(uint64_t range, unsigned columns)
{
	static const unsigned digits[] = { 1, 2, 5 };
	uint64_t power = 1;

	for (unsigned i = 0;; i = (i + 1) % ARRAY_SIZE(digits)) {
		uint64_t step = digits[i] * power;

		if (range / step < columns || power > UINT64_MAX / 100)
			return step;
		if (i == ARRAY_SIZE(digits) - 1)
			power *= 10;
	}
}

/* What the points span, in one pass. */
static void measure(struct frame *f)
{
	struct heat *h = f->h;
	uint64_t sum = 0, before = 0;

	f->first_ns = f->least = h->count ? UINT64_MAX : 0;
	f->in_order = true;
	for (size_t i = 0; i < h->count; i++) {
		uint64_t t = h->points[i].time_ns, v = h->points[i].value;

		f->in_order &= t >= before;
		before = t;
		f->first_ns = t < f->first_ns ? t : f->first_ns;
		f->last_ns = t > f->last_ns ? t : f->last_ns;
		f->least = v < f->least ? v : f->least;
		f->most = v > f->most ? v : f->most;
		(void)add_held(&sum, v);
	}
	h->sum = sum;
}

static int lay_columns(struct frame *f, struct warnings *w)
{
	uint64_t last = f->last_ns, columns;

	if (f->o->align_ns)
		f->first_ns -= f->first_ns % f->o->align_ns;
	f->step_ns = f->o->column_step_ns
			     ? f->o->column_step_ns
			     : nice_step(last - f->first_ns, COLUMNS_USUAL - f->o->octaves);
	if (f->o->octaves)
		f->first_ns -= f->first_ns % f->step_ns;
	columns = (last - f->first_ns) / f->step_ns;
	columns += columns < UINT64_MAX;
	if (f->o->columns_max && columns > f->o->columns_max)
		columns = f->o->columns_max;
	f->columns = (size_t)columns;
	if (columns <= COLUMNS_MAX)
		return 0;
	warn_add(w, SEV_FATAL, "columns",
		 "%" PRIu64 " columns are too many (at most %u): ask for wider ones or --maxcol",
		 columns, COLUMNS_MAX);
	return ERR_USAGE;
}

static void find_range(struct frame *f)
{
	uint64_t low = f->o->from_zero && !f->o->log ? 0 : f->least;

	f->low = f->o->has_min ? f->o->min : low;
	f->high = f->o->has_max ? f->o->max : f->most;
	if (f->high < f->low) /* the range asked for holds no value */
		f->high = f->low;
}

/* One more edge, if it is above the last one: narrow ranges of whole numbers have fewer rows. */
static void add_edge(struct frame *f, uint64_t value)
{
	if (!f->rows || value > f->edges[f->rows - 1])
		f->edges[f->rows++] = value;
}

/* Row of V: floor((v - low) * rows / (high - low)), the highest value in the last row. */
static void linear_edges(struct frame *f, uint64_t rows)
{
	uint64_t range = f->high - f->low;

	if (rows > range) /* as many whole numbers as there are */
		rows = range + 1;
	for (uint64_t r = 0; r < rows; r++)
		add_edge(f, f->low + (uint64_t)(((__uint128_t)range * r + rows - 1) / rows));
}

/* Row of V: floor(ln(v / low) / ln(high / low) * rows); 0 has a row of its own. */
static void log_edges(struct frame *f, uint64_t rows)
{
	double low = f->low ? (double)f->low : 1, factor = (double)f->high / low;

	add_edge(f, f->low);
	for (uint64_t r = f->low ? 1 : 0; r < rows; r++) {
		double edge = ceil(low * pow(factor, (double)r / (double)rows) - 1e-6);

		if (edge <= (double)f->high)
			add_edge(f, (uint64_t)edge);
	}
}

static void step_edges(struct frame *f, uint64_t rows)
{
	for (uint64_t r = 0; r < rows; r++)
		add_edge(f, f->low + r * f->o->row_step);
}

static void octave_edges(struct frame *f)
{
	unsigned last = octave_of(f->high);

	f->edges = arena_alloc(&f->h->arena, (last + 2) * sizeof(*f->edges));
	for (unsigned i = octave_of(f->low); i <= last; i++)
		f->edges[f->rows++] = octave_start(i);
	f->edges[f->rows] = octave_start(last + 1);
}

static int lay_rows(struct frame *f, struct warnings *w)
{
	uint64_t rows = f->o->rows ? f->o->rows : ROWS_USUAL, whole;

	find_range(f);
	if (f->o->octaves) {
		octave_edges(f);
		return 0;
	}
	if (f->o->row_step)
		rows = (f->high - f->low) / f->o->row_step + 1;
	if (!rows || rows > ROWS_MAX) {
		warn_add(w, SEV_FATAL, "rows", "%" PRIu64 " rows are too many (at most %u)", rows,
			 ROWS_MAX);
		return ERR_USAGE;
	}
	f->edges = arena_alloc(&f->h->arena, (rows + 2) * sizeof(*f->edges));
	if (f->o->row_step)
		step_edges(f, rows);
	else if (f->o->log)
		log_edges(f, rows);
	else
		linear_edges(f, rows);
	/* above the highest value, which is in the last row */
	f->edges[f->rows] = f->high == UINT64_MAX ? f->high : f->high + 1;
	if (f->o->row_step &&
	    !__builtin_add_overflow(f->edges[f->rows - 1], f->o->row_step, &whole))
		f->edges[f->rows] = whole;
	return 0;
}

static void lay_labels(struct frame *f)
{
	while (f->o->labels[f->rows])
		f->rows++;
	f->high = f->rows ? f->rows - 1 : 0;
}

/* The last of COUNT edges from LOW on that is not above VALUE. Without branches: values are as good
 * as random. */
static inline const uint64_t *edge_of(const uint64_t *low, size_t count, uint64_t value)
{
	for (; count > 1; count -= count / 2)
		low += low[count / 2] <= value ? count / 2 : 0;
	return low;
}

/* Values in slots, 16 to each power of two, most of which hold a row or two. */
#define SLOT_BITS 4
#define SLOTS	  ((64 - SLOT_BITS + 1) << SLOT_BITS)

static inline size_t slot_of(uint64_t value)
{
	unsigned shift;

	if (value >> SLOT_BITS == 0)
		return (size_t)value;
	shift = 63 - SLOT_BITS - (unsigned)__builtin_clzll(value);
	return ((size_t)shift << SLOT_BITS) + (size_t)(value >> shift);
}

static void lay_slots(struct frame *f)
{
	const size_t size = 1 << SLOT_BITS;

	f->starts = arena_alloc(&f->h->arena, (SLOTS + 1) * sizeof(*f->starts));
	for (size_t i = 0; i < SLOTS; i++) {
		uint64_t lowest = i < size ? i : (size + i % size) << (i / size - 1);

		f->starts[i] = (uint16_t)(edge_of(f->edges, f->rows, lowest) - f->edges);
	}
	f->starts[SLOTS] = (uint16_t)(f->rows - 1);
}

/* Which row holds VALUE, which is inside? */
static inline size_t row_of(const struct frame *f, uint64_t value)
{
	const uint16_t *s;

	if (!f->edges)
		return (size_t)value;
	s = &f->starts[slot_of(value)];
	return (size_t)(edge_of(f->edges + s[0], s[1] - s[0] + 1u, value) - f->edges);
}

static size_t column_of(const struct frame *f, uint64_t time_ns)
{
	uint64_t c = (time_ns - f->first_ns) / f->step_ns;

	return c < f->columns ? (size_t)c : f->columns;
}

/* The column of a point after another one: mostly the same. */
struct place {
	uint64_t start_ns;
	size_t column; /* frame.columns: behind the last */
	bool known;
};

static inline size_t column_after(const struct frame *f, struct place *at, uint64_t time_ns)
{
	uint64_t c;

	if (at->known && time_ns - at->start_ns < f->step_ns)
		return at->column;
	c = (time_ns - f->first_ns) / f->step_ns;
	*at = (struct place){ f->first_ns + c * f->step_ns, c < f->columns ? (size_t)c : f->columns,
			      true };
	return at->column;
}

/* ---- cells ---- */

static uint64_t *new_cells(struct frame *f)
{
	size_t bytes = f->rows * f->columns * sizeof(uint64_t);
	uint64_t *cells = arena_alloc(&f->h->arena, bytes + sizeof(uint64_t));

	memset(cells, 0, bytes);
	return cells;
}

static inline void count_point(struct frame *f, const struct heat_point *p, size_t c, uint64_t *all,
			       uint64_t *lane)
{
	struct heat *h = f->h;
	size_t cell;

	if (c == f->columns) {
		h->after++;
	} else if (p->value < f->low) {
		h->below++;
	} else if (p->value > f->high) {
		h->above++;
	} else {
		cell = row_of(f, p->value) * f->columns + c;
		h->inside++;
		all[cell]++;
		if (lane)
			lane[cell]++;
	}
}

/* ---- lines and strips ---- */

#define EVERY_LANE UINT32_MAX

/* Sums of the points of LANE (or of all) by column; those behind the last column are in one more.
 */
struct sums {
	size_t *counts;
	double *bytes;
	/* time under way: by column, and in all columns from one on, as differences */
	double *part_ns, *whole;
};

static bool in_lane(const struct heat *h, size_t i, uint32_t lane)
{
	return lane == EVERY_LANE || heat_more_at(h, i).lane == lane;
}

/* Add SPAN_NS that end at END_NS to the time under way in each column. */
static void add_span(const struct frame *f, uint64_t end_ns, uint64_t span_ns, size_t column,
		     struct sums *s)
{
	uint64_t start_ns = span_ns < end_ns ? end_ns - span_ns : 0, last_ns;
	size_t first, last = column;

	start_ns = start_ns > f->first_ns ? start_ns : f->first_ns;
	if (last == f->columns) {
		if (column_of(f, start_ns) == f->columns)
			return;
		last = f->columns - 1;
		end_ns = f->first_ns + f->columns * f->step_ns;
	}
	last_ns = f->first_ns + last * f->step_ns;
	if (start_ns >= last_ns) {
		s->part_ns[last] += (double)(end_ns - start_ns);
		return;
	}
	first = column_of(f, start_ns);
	s->part_ns[first] += (double)(f->first_ns + (first + 1) * f->step_ns - start_ns);
	s->part_ns[last] += (double)(end_ns - last_ns);
	s->whole[first + 1] += 1;
	s->whole[last] -= 1;
}

static void new_sums(const struct frame *f, struct sums *s)
{
	size_t n = f->columns + 2;

	s->counts = xcalloc(n, sizeof(*s->counts));
	s->bytes = xcalloc(n, sizeof(*s->bytes));
	s->part_ns = xcalloc(n, sizeof(*s->part_ns));
	s->whole = xcalloc(n, sizeof(*s->whole));
}

/* Point I, in column C. */
static inline void sum_point(const struct frame *f, size_t i, size_t c, struct sums *s)
{
	s->counts[c]++;
	if (f->o->has_bytes)
		s->bytes[c] += heat_more_at(f->h, i).bytes;
	if (f->o->has_spans)
		add_span(f, f->h->points[i].time_ns, heat_more_at(f->h, i).span_ns, c, s);
}

static void sum_lane(const struct frame *f, uint32_t lane, struct sums *s)
{
	struct place at = { 0 };

	new_sums(f, s);
	for (size_t i = 0; i < f->h->count; i++) {
		if (in_lane(f->h, i, lane))
			sum_point(f, i, column_after(f, &at, f->h->points[i].time_ns), s);
	}
}

/* All there is to count of the points, in one pass; their values lie in their order. */
static void count_points(struct frame *f, uint64_t *all, uint64_t **by_lane, struct sums *s)
{
	struct heat *h = f->h;
	struct place at = { 0 };

	new_sums(f, s);
	for (size_t i = 0; i < h->count; i++) {
		const struct heat_point *p = &h->points[i];
		size_t c = column_after(f, &at, p->time_ns);

		count_point(f, p, c, all, by_lane ? by_lane[heat_more_at(h, i).lane] : NULL);
		sum_point(f, i, c, s);
		h->values[i] = p->value;
	}
}

static void release_sums(struct sums *s)
{
	free(s->counts);
	free(s->bytes);
	free(s->part_ns);
	free(s->whole);
}

/* The values of a lane in column order; AT becomes where the values of each column end. */
static uint64_t *sort_by_column(const struct frame *f, uint32_t lane, const struct sums *s,
				size_t *at)
{
	const struct heat *h = f->h;
	struct place last = { 0 };
	size_t n = 0;

	for (size_t c = 0; c <= f->columns; c++) {
		at[c] = n;
		n += s->counts[c];
	}
	if (lane == EVERY_LANE && f->in_order) { /* as count_points() left them */
		for (size_t c = 0; c <= f->columns; c++)
			at[c] += s->counts[c];
		return h->values;
	}
	for (size_t i = 0; i < h->count; i++) {
		const struct heat_point *p = &h->points[i];

		if (in_lane(h, i, lane))
			h->values[at[column_after(f, &last, p->time_ns)]++] = p->value;
	}
	return h->values;
}

static struct column percent_column(struct frame *f, double percent)
{
	const char *unit = f->o->in_ns ? "_ns" : "";
	struct heat *h = f->h;
	char text[32];
	int n = percent < 100 ? snprintf(text, sizeof(text), "p%g%s", percent, unit)
			      : snprintf(text, sizeof(text), "max%s", unit);

	return (struct column){ arena_strndup(&h->arena, text, (size_t)n),
				f->o->in_ns ? COLUMN_NS : COLUMN_COUNT };
}

static void add_lines(struct frame *f, uint32_t lane, const struct sums *s, struct grid_part *g)
{
	struct arena *a = &f->h->arena;
	bool enough = f->h->count / (f->columns + !f->columns) >= f->o->percent_least;
	size_t n = f->edges && enough ? f->o->percent_count : 0;
	struct grid_series *lines = arena_alloc(a, (n + 1) * sizeof(*lines));
	uint64_t *sorted, *at[HEAT_PERCENTS];
	size_t *ends;

	g->lines = lines;
	g->line_count = n;
	if (!n)
		return;
	ends = xcalloc(f->columns + 1, sizeof(*ends));
	sorted = sort_by_column(f, lane, s, ends);
	for (size_t i = 0; i < n; i++) {
		at[i] = arena_alloc(a, f->columns * sizeof(**at) + 1);
		lines[i] = (struct grid_series){ percent_column(f, f->o->percents[i]), at[i] };
	}
	for (size_t c = 0; c < f->columns; c++) {
		size_t count = s->counts[c];
		uint64_t out[HEAT_PERCENTS];

		if (count)
			quantiles(sorted + ends[c] - count, count, f->o->percents, n, out);
		for (size_t i = 0; i < n; i++)
			at[i][c] = count ? out[i] : GRID_NONE;
	}
	free(ends);
}

/* Mean depth, in hundredths: 100 is one under way all the time. */
static uint64_t *depth_strip(struct frame *f, const struct sums *s)
{
	uint64_t *out = arena_alloc(&f->h->arena, (f->columns + 1) * sizeof(*out));
	double running = 0;

	for (size_t c = 0; c < f->columns; c++) {
		running += s->whole[c];
		out[c] = (uint64_t)((s->part_ns[c] / (double)f->step_ns + running) * 100 + 0.5);
	}
	return out;
}

/* Sums by second: of bytes, or of points. */
static uint64_t *rate_strip(struct frame *f, const struct sums *s, bool bytes)
{
	uint64_t *out = arena_alloc(&f->h->arena, (f->columns + 1) * sizeof(*out));

	for (size_t c = 0; c < f->columns; c++) {
		double sum = bytes ? s->bytes[c] : (double)s->counts[c];
		double rate = sum * 1e9 / (double)f->step_ns + 0.5;

		out[c] = rate < 1e19 ? (uint64_t)rate : GRID_NONE - 1;
	}
	return out;
}

static void add_strips(struct frame *f, const struct sums *s, struct grid_part *g)
{
	static const struct column bytes = { "bytes_per_s", COLUMN_BYTES_PER_S, 0, "Throughput" };
	static const struct column depth = { "depth_pct", COLUMN_PERCENT };
	struct grid_series *strips = arena_alloc(&f->h->arena, 3 * sizeof(*strips));
	size_t n = 0;

	if (f->o->rate.name)
		strips[n++] = (struct grid_series){ f->o->rate, rate_strip(f, s, false) };
	if (f->o->has_bytes)
		strips[n++] = (struct grid_series){ bytes, rate_strip(f, s, true) };
	if (f->o->has_spans)
		strips[n++] = (struct grid_series){ depth, depth_strip(f, s) };
	g->strips = strips;
	g->strip_count = n;
}

/* S is given back. */
static void fill_part(struct frame *f, const uint64_t *cells, uint32_t lane, struct sums *s,
		      struct grid_part *g)
{
	*g = (struct grid_part){ .x_first = f->first_ns,
				 .x_step = f->step_ns,
				 .columns = f->columns,
				 .rows = f->rows,
				 .labels = f->o->labels,
				 .edges = f->edges,
				 .cells = cells };
	add_lines(f, lane, s, g);
	add_strips(f, s, g);
	release_sums(s);
}

/* ---- lanes ---- */

struct lane_size {
	uint32_t id;
	uint64_t count;
};

static int larger_first(const void *pa, const void *pb)
{
	const struct lane_size *a = pa, *b = pb;

	return compare_u64(b->count, a->count) ?: compare_u64(a->id, b->id);
}

static struct lane_size *sort_lanes(const struct heat *h)
{
	struct lane_size *sizes = xcalloc(h->lane_names.count + 1, sizeof(*sizes));

	for (size_t i = 0; i < h->lane_names.count; i++)
		sizes[i].id = (uint32_t)i;
	for (size_t i = 0; i < h->count; i++)
		sizes[heat_more_at(h, i).lane].count++;
	qsort(sizes, h->lane_names.count, sizeof(*sizes), larger_first);
	return sizes;
}

static const char *lane_name(const struct heat *h, uint32_t id)
{
	const struct interned *name = &h->lane_names.list[id];

	return name->len > h->lane_prefix ? name->s + h->lane_prefix : name->s;
}

void heat_name_lanes(struct heat *h, void (*name)(const char *lane, const void *ctx, struct buf *),
		     const void *ctx)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < h->lane_names.count; i++) {
		struct interned *lane = &h->lane_names.list[i];

		b.len = 0;
		name(lane->s, ctx, &b);
		if (!b.len)
			continue;
		lane->s = arena_strndup(&h->arena, b.data, b.len);
		lane->len = (uint32_t)b.len;
	}
	buf_release(&b);
}

/* Lanes by size; the small ones share the last. Points get the number of their lane. */
static void number_lanes(struct frame *f, size_t room)
{
	struct heat *h = f->h;
	size_t seen = h->lane_names.count;
	struct lane_size *sizes = sort_lanes(h);
	uint32_t *number = arena_alloc(&h->arena, (seen + 1) * sizeof(*number));

	h->lane_count = seen < room ? seen : room;
	h->lanes = arena_alloc(&h->arena, (h->lane_count + 1) * sizeof(*h->lanes));
	for (size_t i = 0; i < seen; i++)
		number[sizes[i].id] = (uint32_t)(i < h->lane_count ? i : h->lane_count - 1);
	if (h->count && h->more_count < h->count) /* of the others it changes, too */
		(void)heat_more(h);
	for (size_t i = 0; i < h->count; i++)
		h->more[i].lane = (uint16_t)number[h->more[i].lane];
	for (size_t i = 0; i < h->lane_count; i++)
		h->lanes[i].name =
			i == h->lane_count - 1 && seen > room ? "other" : lane_name(h, sizes[i].id);
	h->lane_number = number;
	free(sizes);
}

static void fill_lanes(struct frame *f, uint64_t *const *cells)
{
	struct heat *h = f->h;
	struct sums s;

	for (size_t i = 0; i < h->lane_count; i++) {
		const char *name = h->lanes[i].name;

		sum_lane(f, (uint32_t)i, &s);
		fill_part(f, cells[i], (uint32_t)i, &s, &h->lanes[i]);
		h->lanes[i].name = name;
	}
}

int heat_build(struct heat *h, const struct heat_options *o, bool by_lane, struct warnings *w)
{
	struct frame f = { .h = h, .o = o };
	uint64_t *all, *lanes[LANES_SHOWN];
	struct sums sums;
	size_t room;
	int rc;

	measure(&f);
	rc = lay_columns(&f, w);
	if (rc == 0 && o->labels)
		lay_labels(&f);
	else if (rc == 0)
		rc = lay_rows(&f, w);
	if (rc < 0)
		return rc;
	room = CELLS_MAX / (f.rows * f.columns + 1);
	if (room < 2) {
		warn_add(w, SEV_FATAL, "cells", "%zu columns by %zu rows are too many cells",
			 f.columns, f.rows);
		return ERR_USAGE;
	}
	if (f.edges)
		lay_slots(&f);
	all = new_cells(&f);
	if (by_lane)
		number_lanes(&f, room < LANES_SHOWN ? room : LANES_SHOWN);
	for (size_t i = 0; i < h->lane_count; i++)
		lanes[i] = new_cells(&f);
	h->values = big_alloc((h->count + 1) * sizeof(*h->values));
	count_points(&f, all, h->lane_count ? lanes : NULL, &sums);
	fill_part(&f, all, EVERY_LANE, &sums, &h->grid);
	fill_lanes(&f, lanes);
	return 0;
}

void heat_percentiles(const struct heat *h, const double *percents, size_t count, uint64_t *out)
{
	for (size_t i = 0; h->lane_count && i < h->count; i++) /* else they are there */
		h->values[i] = h->points[i].value;
	quantiles(h->values, h->count, percents, count, out);
}

size_t heat_lane_values(struct heat *h, size_t lane, uint64_t *sum)
{
	size_t n = 0;

	*sum = 0;
	for (size_t i = 0; i < h->count; i++) {
		if (heat_more_at(h, i).lane != lane)
			continue;
		h->values[n++] = h->points[i].value;
		(void)add_held(sum, h->points[i].value);
	}
	return n;
}
