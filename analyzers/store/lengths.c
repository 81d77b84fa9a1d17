/* Rows by command, of I/Os by device and operation, or by value of the operand's "each". Histograms
 * add up exactly; a percentile is the middle of the bucket that the value of that rank is in. */
#include "analyzers/store/lengths.h"
#include "analyzers/count/quantile.h"
#include "analyzers/store/latency.h"
#include "parser/base/compare.h"
#include "parser/base/hdr.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/store.h"
#include "parser/store_latency.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define KINDS 3

/* Kinds FIRST and following, and what a row says of each. */
static const struct {
	enum duration_kind first;
	size_t count;
	const char *said[KINDS], *none;
} subjects[] = {
	[LENGTHS_WAITS] = { DURATION_WAITS,
			    1,
			    { "" },
			    "waits for a CPU (events: sched:sched_switch and "
			    "sched:sched_wakeup, or --switch-events)" },
	[LENGTHS_OFFCPU] = { DURATION_OFFCPU,
			     1,
			     { "" },
			     "time off the CPU (event: sched:sched_switch)" },
	[LENGTHS_IO] = { DURATION_IO_QUEUE,
			 3,
			 { "queue", "device", "total" },
			 "I/O (events: block:block_rq_issue and block:block_rq_complete)" },
};

const char *const *lengths_kinds(enum lengths_of what, size_t *count)
{
	*count = subjects[what].count;
	return latency_kinds + subjects[what].first;
}

static const char *const *kinds_of(const struct lengths *l)
{
	size_t count;

	return lengths_kinds(l->what, &count);
}

static const double percents[] = { 50, 90, 95, 99 };

#define PERCENTS (sizeof(percents) / sizeof(*percents))

#define FIGURES                                                                            \
	{ "count", COLUMN_COUNT }, { "total_ns", COLUMN_NS }, { "avg_ns", COLUMN_NS },     \
		{ "p50_ns", COLUMN_NS }, { "p90_ns", COLUMN_NS }, { "p95_ns", COLUMN_NS }, \
		{ "p99_ns", COLUMN_NS }, { "max_ns", COLUMN_NS },                          \
	{                                                                                  \
		0                                                                          \
	}

const struct column lengths_columns[] = { { "of", COLUMN_TEXT }, FIGURES };
const struct column lengths_io_columns[] = { { "of", COLUMN_TEXT },
					     { "latency", COLUMN_TEXT },
					     FIGURES };

/* ---- reading ---- */

struct reading {
	struct lengths *lengths;
	const struct store_choice *choice;
};

/* Does a pattern of the choice, of which all are of commands, match? Also as folded stacks write
 * the name, without blanks. */
static bool passes(const struct store_choice *c, const char *comm)
{
	char folded[64];
	size_t n = 0;

	for (; comm[n] && n + 1 < sizeof(folded); n++)
		folded[n] = isspace((unsigned char)comm[n]) ? '_' : comm[n];
	folded[n] = '\0';
	for (size_t i = 0; i < c->pattern_count; i++) {
		const char *pattern = c->patterns[i].value;

		if (store_name_matches(pattern, comm) ||
		    (!comm[n] && store_name_matches(pattern, folded)))
			return true;
	}
	return !c->pattern_count;
}

static uint32_t row_of(struct lengths *l, const char *of, uint8_t kind)
{
	uint32_t name = intern_add(&l->names, of, strlen(of));
	uint32_t *at = idmap_put(&l->row_at, (uint64_t)name << 8 | kind);

	if (*at == IDMAP_NONE) {
		*at = (uint32_t)l->row_count;
		l->rows = xgrow(l->rows, &l->row_cap, l->row_count + 1, sizeof(*l->rows));
		l->rows[l->row_count++] = (struct lengths_row){ .of = name, .kind = kind };
	}
	return *at;
}

static void take(void *ctx, const char *part, const struct store_latency *from)
{
	struct reading *r = ctx;
	struct lengths *l = r->lengths;
	const char *of = part ?: l->what == LENGTHS_IO ? from->what : from->comm;
	uint8_t kind = 0;
	struct lengths_row *to;
	uint32_t row;

	if (!passes(r->choice, from->comm))
		return;
	while (kind + 1u < subjects[l->what].count && strcmp(from->kind, kinds_of(l)[kind]) != 0)
		kind++;
	row = row_of(l, of, kind);
	to = &l->rows[row];
	(void)add_held(&to->count, from->count);
	(void)add_held(&to->sum_ns, from->sum_ns);
	to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
	for (size_t i = 0; i < from->bucket_count; i++)
		buckets_add(&l->buckets, row, from->buckets[i].bucket, from->buckets[i].count);
}

int lengths_read(struct lengths *l, struct folded *f, struct warnings *w)
{
	struct reading r = { l, folded_choice(f) };
	const struct store_latency_asking asking = { .kinds = kinds_of(l),
						     .kind_count = subjects[l->what].count,
						     .choice = r.choice,
						     .fn = take,
						     .ctx = &r };
	struct store_latency_read read = { 0 };
	int rc = store_latency_read(folded_store(f), &asking, &read, w);

	if (rc == 0 && !read.captures) {
		warn_add(w, SEV_FATAL, "store", "%s: no capture in it is as asked for",
			 folded_path(f));
		return ERR_ABSENT;
	}
	l->captures += read.captures;
	l->without += read.without;
	return rc;
}

/* ---- the answer ---- */

static int by_sum(const void *a, const void *b, void *ctx)
{
	const struct lengths *l = ctx;
	const struct lengths_row *x = &l->rows[*(const uint32_t *)a];
	const struct lengths_row *y = &l->rows[*(const uint32_t *)b];
	int name = strcmp(intern_str(&l->names, x->of), intern_str(&l->names, y->of));

	if (l->what == LENGTHS_IO)
		return name ?: compare_u64(x->kind, y->kind);
	return compare_u64(y->sum_ns, x->sum_ns) ?: name;
}

/* COUNTS, N of them, are those of ROW, ascending. */
static void cell_percentiles(struct answer *a, const struct lengths_row *row,
			     const struct bucket_count *counts, size_t n)
{
	uint64_t seen = 0;
	size_t i = 0;

	for (size_t p = 0; p < PERCENTS; p++) {
		uint64_t rank = quantile_rank(row->count, percents[p]), ns;

		while (i + 1 < n && seen + counts[i].count <= rank)
			seen += counts[i++].count;
		ns = n ? hdr_value(counts[i].bucket) : 0;
		answer_cell_count(a, rank + 1 == row->count || ns > row->max_ns ? row->max_ns : ns);
	}
}

static void row_cells(const struct lengths *l, uint32_t i, struct answer *a,
		      const struct bucket_count *counts, size_t n)
{
	const struct lengths_row *row = &l->rows[i];

	answer_cell_text(a, intern_str(&l->names, row->of));
	if (l->what == LENGTHS_IO)
		answer_cell_text(a, subjects[l->what].said[row->kind]);
	answer_cell_count(a, row->count);
	answer_cell_sum(a, row->sum_ns);
	answer_cell_count(a, row->count ? row->sum_ns / row->count : 0);
	cell_percentiles(a, row, counts, n);
	answer_cell_count(a, row->max_ns);
}

static void answer_rows(struct lengths *l, struct answer *a)
{
	uint32_t *order = xcalloc(l->row_count + 1, sizeof(*order));
	size_t *first = xcalloc(l->row_count + 1, sizeof(*first));
	size_t at = 0;

	buckets_sort(&l->buckets, NULL);
	for (uint32_t i = 0; i < l->row_count; i++) {
		order[i] = i;
		first[i] = at;
		while (at < l->buckets.count && l->buckets.list[at].of == i)
			at++;
	}
	first[l->row_count] = at;
	if (l->row_count)
		qsort_r(order, l->row_count, sizeof(*order), by_sum, l);
	for (size_t i = 0; i < l->row_count; i++)
		row_cells(l, order[i], a, l->buckets.list + first[order[i]],
			  first[order[i] + 1] - first[order[i]]);
	free(order);
	free(first);
}

int lengths_answer(struct lengths *l, struct answer *a, struct warnings *w)
{
	if (l->without == l->captures) {
		warn_add(w, SEV_FATAL, "store", "none of %zu captures tells %s", l->captures,
			 subjects[l->what].none);
		return ERR_ABSENT;
	}
	if (l->without)
		answer_warn(a, "without", "%s of %s captures tell none", COUNT_TEXT(l->without),
			    COUNT_TEXT(l->captures));
	answer_fact(a, "percentiles",
		    "within 0.8 %% (1/128); count, total, average and longest are "
		    "exact");
	answer_rows(l, a);
	return 0;
}

void lengths_release(struct lengths *l)
{
	intern_release(&l->names);
	free(l->rows);
	idmap_release(&l->row_at);
	buckets_release(&l->buckets);
}
