/* perf diff's methods, columns and order. */
#include "analyzers/profile/diff/diff_compute.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define C(member) offsetof(struct diff_compute, member)

enum method { DELTA, DELTA_ABS, RATIO, WDIFF };

static const char *const methods[] = { "delta", "delta-abs", "ratio", "wdiff:W1,W2", NULL };
static const char *const key_words[] = { "comm", "dso", "symbol|sym", NULL };
static const char *const percentages[] = { "absolute", "relative", NULL };

const struct option diff_compute_options[] = {
	{ "compute", 'c', OPT_TEXT, C(how), "METHOD",
	  "a table as perf diff makes it: delta, delta-abs, ratio or wdiff:W1,W2", .words = methods,
	  .pattern = "^(delta|delta-abs|ratio|wdiff:-?[0-9]{1,9},-?[0-9]{1,9})$",
	  .wanted = "delta, delta-abs, ratio or wdiff:W1,W2" },
	{ "sort", 0, OPT_WORDS, C(keys), "KEYS", "with -c: what a row is", .words = key_words },
	{ "order", 0, OPT_COUNT, C(order), "N",
	  "with -c: order by the Nth input after the baseline, 0 by the baseline (default: 1)",
	  .given = C(ordered) },
	{ "period", 'p', OPT_FLAG, C(periods), NULL, "with -c: the periods, too" },
	{ "formula", 'F', OPT_FLAG, C(formula), NULL, "with -c: how each value is worked out" },
	{ "baseline-only", 'b', OPT_FLAG, C(baseline_only), NULL,
	  "with -c: only rows that the baseline and another input have" },
	{ "percentage", 0, OPT_WORD, C(percentage), NULL,
	  "with -c: of all, or of what passed the filters", .words = percentages,
	  .given = C(percentage_given) },
	{ "field-separator", 't', OPT_TEXT, C(separator), "SEP",
	  "with -c: this between cells, as machines read them" },
	{ 0 },
};

bool diff_compute_asked(const struct diff_compute *c)
{
	return c->how || c->keys.count || c->ordered || c->periods || c->formula ||
	       c->baseline_only || c->percentage_given || c->separator;
}

void diff_compute_begin(struct diff_compute *c, const bool by_keys[FOLD_KEYS])
{
	const char *how = c->how ?: "delta-abs";

	c->order = c->ordered ? c->order : 1;
	c->method = *how == 'r' ? RATIO : *how == 'w' ? WDIFF : how[5] ? DELTA_ABS : DELTA;
	if (c->method == WDIFF)
		(void)sscanf(how, "wdiff:%ld,%ld", &c->weights[0], &c->weights[1]);
	memcpy(c->shown, by_keys, sizeof(c->shown));
	if (c->keys.count)
		memset(c->shown, 0, sizeof(c->shown));
	for (size_t i = 0; i < c->keys.count; i++)
		c->shown[c->keys.list[i]] = true;
}

/* ---- one row ---- */

struct entry {
	const struct stack_row *row;
	const uint64_t *amounts; /* by input */
	double by;		 /* what it is sorted by; not a number: last */
};

struct all {
	const struct diff_compute *c;
	const struct diff_inputs *in;
	const struct stackset *set;
	double one;
};

static double share(const struct all *all, const struct entry *e, size_t input)
{
	double whole = all->c->percentage ? all->in->list[input].total : all->in->list[input].whole;

	return whole > 0 ? 100 * (double)e->amounts[input] / all->one / whole : 0;
}

/* Of INPUT against the baseline; NAN where it has nothing to do with the row, as in perf. */
static double value(const struct all *all, const struct entry *e, size_t input)
{
	const struct diff_compute *c = all->c;
	double base = (double)e->amounts[0] / all->one;
	double now = (double)e->amounts[input] / all->one;

	if (!e->amounts[input])
		return NAN;
	if (c->method == RATIO)
		return base > 0 ? now / base : NAN;
	if (c->method == WDIFF)
		return now * (double)c->weights[1] - base * (double)c->weights[0];
	return share(all, e, input) - share(all, e, 0);
}

static double sorted_by(const struct all *all, const struct entry *e)
{
	const struct diff_compute *c = all->c;
	double v =
		c->order && c->order < c->input_count ? value(all, e, c->order) : share(all, e, 0);

	return c->order && c->method == DELTA_ABS ? fabs(v) : v;
}

static int by_value(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (isnan(x->by) != isnan(y->by))
		return isnan(x->by) - isnan(y->by);
	if (!isnan(x->by) && x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row; /* the set is sorted by text */
}

/* The baseline and another input have it. */
static bool is_matched(const struct entry *e, size_t inputs)
{
	for (size_t i = 1; e->amounts[0] && i < inputs; i++) {
		if (e->amounts[i])
			return true;
	}
	return false;
}

/* ---- cells ---- */

static void formula_cell(const struct all *all, const struct entry *e, size_t input,
			 struct answer *a)
{
	const struct diff_compute *c = all->c;
	double base = (double)e->amounts[0] / all->one, wholes[2];
	double now = (double)e->amounts[input] / all->one;
	struct buf b = { 0 };

	for (size_t i = 0; i < 2; i++) {
		const struct diff_input *in = &all->in->list[i ? input : 0];

		wholes[i] = c->percentage ? in->total : in->whole;
	}
	if (isnan(value(all, e, input)))
		buf_str(&b, "");
	else if (c->method == RATIO)
		buf_printf(&b, "%.15g / %.15g", now, base);
	else if (c->method == WDIFF)
		buf_printf(&b, "(%.15g * %ld) - (%.15g * %ld)", now, c->weights[1], base,
			   c->weights[0]);
	else
		buf_printf(&b, "(%.15g * 100 / %.15g) - (%.15g * 100 / %.15g)", now, wholes[1],
			   base, wholes[0]);
	answer_cell_text(a, b.len ? b.data : "");
	buf_release(&b);
}

static void input_cells(const struct all *all, const struct entry *e, size_t input,
			struct answer *a)
{
	const struct diff_compute *c = all->c;

	answer_cell_real(a, value(all, e, input));
	if (c->periods)
		answer_cell_real(a, (double)e->amounts[input] / all->one);
	if (c->formula)
		formula_cell(all, e, input, a);
}

static void entry_cells(const struct all *all, const struct entry *e, struct answer *a)
{
	const struct diff_compute *c = all->c;
	const struct stackset *set = all->set;

	for (size_t i = 0; i < c->key_count; i++)
		answer_cell_text(a, i < e->row->count
					    ? set->part.names[set->part.frames[e->row->first + i]]
					    : "");
	answer_cell_real(a, e->amounts[0] ? share(all, e, 0) : NAN);
	if (c->periods)
		answer_cell_real(a, (double)e->amounts[0] / all->one);
	for (size_t i = 1; i < c->input_count; i++)
		input_cells(all, e, i, a);
}

/* ---- columns ---- */

static void column(struct diff_compute *c, size_t *n, const char *name, enum column_type type)
{
	unsigned decimals = type == COLUMN_PERCENT ? 2 : c->method == RATIO ? 6 : 0;

	if (type == COLUMN_REAL_NS || strstr(name, "period"))
		decimals = 0;
	c->columns[(*n)++] = (struct column){ name, type, decimals, NULL };
}

/* With several inputs to compare, each has its number: "delta_percent_2". */
static void numbered(struct diff_compute *c, size_t *n, struct answer *a, size_t input,
		     struct column like)
{
	struct buf name = { 0 };

	buf_str(&name, like.name);
	if (c->input_count > 2)
		buf_printf(&name, "_%zu", input);
	column(c, n, answer_string(a, name.data), like.type);
	buf_release(&name);
}

static void choose_columns(struct diff_compute *c, struct answer *a)
{
	static const char *const keys[FOLD_KEYS] = { "comm", "dso", "symbol" };
	static const struct column values[] = { [DELTA] = { "delta_percent", COLUMN_PERCENT },
						[DELTA_ABS] = { "delta_percent", COLUMN_PERCENT },
						[RATIO] = { "ratio", COLUMN_REAL },
						[WDIFF] = { "weighted_diff", COLUMN_REAL } };
	enum column_type amount = c->in_ns ? COLUMN_REAL_NS : COLUMN_REAL;
	size_t n = 0;

	c->columns = xcalloc(FOLD_KEYS + 3 + 3 * c->input_count, sizeof(*c->columns));
	for (size_t i = 0; i < FOLD_KEYS; i++) {
		if (c->shown[i])
			column(c, &n, keys[i], COLUMN_TEXT);
	}
	c->key_count = n;
	column(c, &n, "baseline_percent", COLUMN_PERCENT);
	if (c->periods)
		column(c, &n, "baseline_period", amount);
	for (size_t i = 1; i < c->input_count; i++) {
		numbered(c, &n, a, i, values[c->method]);
		if (c->periods)
			numbered(c, &n, a, i, (struct column){ "period", amount });
		if (c->formula)
			numbered(c, &n, a, i, (struct column){ "formula", COLUMN_TEXT });
	}
}

static void facts(const struct all *all, struct answer *a)
{
	const struct diff_compute *c = all->c;

	answer_fact(a, "computed", "%s; percentages are %s", c->how ?: "delta-abs",
		    c->percentage ? "relative: of what passed the filters"
				  : "absolute: of all samples of the event");
	for (size_t i = 0; i < c->input_count; i++) {
		const struct diff_input *in = &all->in->list[i];
		char name[32];

		snprintf(name, sizeof(name), i ? "input %zu" : "baseline", i);
		answer_fact(a, answer_string(a, name), "total %s%s%s",
			    REAL_TEXT(in->is_clock, in->total), in->event ? " of " : "",
			    in->event ?: "");
	}
}

void diff_compute_rows(struct diff_compute *c, const struct stackset *set,
		       const struct diff_inputs *in, struct answer *a)
{
	struct all all = { c, in, set, stackset_one(set) };
	struct entry *list = xcalloc(set->row_count + 1, sizeof(*list));
	size_t n = 0;

	c->input_count = in->count;
	c->in_ns = true;
	for (size_t i = 0; i < in->count; i++)
		c->in_ns &= in->list[i].is_clock;
	choose_columns(c, a);
	for (size_t i = 0; i < set->row_count; i++) {
		struct entry *e = &list[n];

		*e = (struct entry){ &set->part.rows[i], set->amounts + i * in->count, 0 };
		e->by = sorted_by(&all, e);
		n += !c->baseline_only || is_matched(e, in->count);
	}
	qsort(list, n, sizeof(*list), by_value);
	for (size_t i = 0; i < n; i++)
		entry_cells(&all, &list[i], a);
	free(list);
	facts(&all, a);
}

void diff_compute_release(struct diff_compute *c)
{
	free(c->columns);
}
