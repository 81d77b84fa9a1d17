/* What many captures tell together: how a function's share went over time, where it was first seen,
 * which hosts are unlike the others, what of the time was recorded, how long things took.
 *
 * Each reads the store's stacks capture by capture, or host by host. */
#include "analyzers/analyzer.h"
#include "analyzers/chance/change_points.h"
#include "analyzers/count/answer.h"
#include "analyzers/store/lengths.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

enum asked_for { NOTHING, COVERAGE, FIRST, IO, OFFCPU, OUTLIERS, TREND, WAITS };

static const char *const questions[] = { "",	     "coverage", "first", "io", "offcpu",
					 "outliers", "trend",	 "waits", NULL };

#define CHANGE_P     0.01 /* that a change of the trend is chance */
#define LEAST_HOSTS  5	  /* that tell what is usual */
#define LEAST_SIGMA  5
#define LEAST_SHARE  0.001
#define MAD_TO_SIGMA 1.4826 /* of a normal distribution */

/* A capture, or the captures of a host. */
struct part {
	const char *name;
	struct folded_input told; /* its texts are not kept */
	double weight, function;
};

/* Of a function in a part. */
struct count {
	uint32_t part, name;
	double weight;
};

struct function {
	bool known, matches;
	uint64_t line; /* that it was in last */
};

struct query {
	unsigned question;
	const char *function;
	uint64_t step_ns;
	struct answer answer;
	struct part *parts;
	size_t part_count, part_cap, part; /* part: the one at hand */
	struct intern names;
	struct function *functions; /* by name */
	size_t function_count, function_cap;
	struct count *counts;
	size_t count_count, count_cap;
	struct idmap counted; /* by part and name: in counts */
	uint64_t lines, no_wall;
	struct lengths lengths;
};

#define Q(member) offsetof(struct query, member)

static const struct option options[] = {
	{ "question", 0, OPT_WORD, Q(question), NULL, "what is asked", .words = questions },
	{ "function", 0, OPT_TEXT, Q(function), "NAME",
	  "of trend and first: which function, or a pattern" },
	{ "step", 0, OPT_DURATION, Q(step_ns), "TIME", "of trend: the time that is one point",
	  .initial = "1h", .positive = true },
	{ 0 },
};

static const struct column coverage_columns[] = {
	{ "of", COLUMN_TEXT },	     { "captures", COLUMN_COUNT }, { "from", COLUMN_WALL },
	{ "to", COLUMN_WALL },	     { "recorded_ns", COLUMN_NS }, { "longest_gap_ns", COLUMN_NS },
	{ "samples", COLUMN_COUNT }, { "lost", COLUMN_COUNT },	   { 0 },
};

static const struct column first_columns[] = {
	{ "time", COLUMN_WALL },
	{ "function", COLUMN_TEXT },
	{ "share", COLUMN_PERCENT, .decimals = 4, .label = "share there" },
	{ "capture", COLUMN_TEXT },
	{ 0 },
};

static const struct column outlier_columns[] = {
	{ "of", COLUMN_TEXT },
	{ "function", COLUMN_TEXT },
	{ "share", COLUMN_PERCENT, .decimals = 4 },
	{ "median", COLUMN_PERCENT, .decimals = 4, .label = "median of all" },
	{ "sigma", COLUMN_REAL, .decimals = 1 },
	{ 0 },
};

static const struct column trend_columns[] = {
	{ "time", COLUMN_WALL },
	{ "captures", COLUMN_COUNT },
	{ "weight", COLUMN_COUNT },
	{ "share", COLUMN_PERCENT, .decimals = 4 },
	{ "level", COLUMN_PERCENT, .decimals = 4 },
	{ "change", COLUMN_PERCENT, .decimals = 2, .label = "change of level" },
	{ 0 },
};

static const struct column *const columns[] = {
	coverage_columns, coverage_columns, first_columns, lengths_io_columns,
	lengths_columns,  outlier_columns,  trend_columns, lengths_columns,
};

/* How long things took. */
static bool of_lengths(const struct query *q)
{
	return q->question == IO || q->question == OFFCPU || q->question == WAITS;
}

/* Are parts captures? */
static bool by_capture(const struct query *q)
{
	return q->question == FIRST || q->question == TREND;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct query *q = state;
	bool of_function = by_capture(q);

	(void)in;
	intern_init(&q->names);
	q->lengths.what = q->question == IO	 ? LENGTHS_IO
			  : q->question == WAITS ? LENGTHS_WAITS
						 : LENGTHS_OFFCPU;
	if (q->question && of_function == (q->function != NULL))
		return 0;
	if (!q->question)
		warn_add(w, SEV_FATAL, "usage",
			 "store query: expected a store, and what is asked: top, flame, diff, "
			 "coverage, first, outliers, trend, waits, offcpu or io");
	else
		warn_add(w, SEV_FATAL, "usage", "store query %s: %s", questions[q->question],
			 of_function ? "expected --function NAME"
				     : "--function goes with first and trend");
	return ERR_USAGE;
}

/* ---- what is read ---- */

static struct function *function_at(struct query *q, const char *text, size_t len, uint32_t *name)
{
	struct function *f;

	*name = intern_add(&q->names, text, len);
	q->functions = xgrow_to(q->functions, &q->function_count, &q->function_cap, *name,
				sizeof(*q->functions));
	f = &q->functions[*name];
	if (!f->known && q->function)
		f->matches = store_name_matches(q->function, intern_str(&q->names, *name));
	f->known = true;
	return f;
}

static void add(struct query *q, uint32_t name, double weight)
{
	uint32_t part = (uint32_t)q->part;
	uint32_t *at = idmap_put(&q->counted, (uint64_t)part << 32 | name);

	if (*at == IDMAP_NONE) {
		*at = (uint32_t)q->count_count;
		q->counts = xgrow(q->counts, &q->count_cap, q->count_count + 1, sizeof(*q->counts));
		q->counts[q->count_count++] = (struct count){ part, name, 0 };
	}
	q->counts[*at].weight += weight;
}

/* All functions of a stack that match, each once; the first frame is the command. */
static void add_functions(struct query *q, const struct folded_line *line, double weight)
{
	const char *end = line->stack + line->len, *at = memchr(line->stack, ';', line->len);
	bool any = false;

	while (at) {
		const char *next = memchr(at + 1, ';', (size_t)(end - at - 1));
		uint32_t name;
		struct function *f =
			function_at(q, at + 1, (size_t)((next ?: end) - at - 1), &name);

		if (f->matches && f->line != q->lines)
			add(q, name, weight);
		any |= f->matches;
		f->line = q->lines;
		at = next;
	}
	if (any)
		q->parts[q->part].function += weight;
}

static void add_innermost(struct query *q, const struct folded_line *line, double weight)
{
	const char *semi = memrchr(line->stack, ';', line->len);
	const char *leaf = semi ? semi + 1 : line->stack;
	uint32_t name;

	(void)function_at(q, leaf, (size_t)(line->stack + line->len - leaf), &name);
	add(q, name, weight);
}

/* The part called NAME: that of another store, too, unless parts are captures. */
static struct part *part_of(struct query *q, const char *name)
{
	for (q->part = 0; q->part < q->part_count; q->part++) {
		if (!by_capture(q) && !strcmp(q->parts[q->part].name, name))
			return &q->parts[q->part];
	}
	q->parts = xgrow(q->parts, &q->part_cap, q->part_count + 1, sizeof(*q->parts));
	q->parts[q->part_count] = (struct part){ .name = answer_string(&q->answer, name) };
	return &q->parts[q->part_count++];
}

/* What stores tell of one part: as of the captures of one. */
static void take_told(struct part *p, const struct folded_input *told)
{
	struct folded_input *sum = &p->told;

	if (!sum->captures) {
		*sum = *told;
		return;
	}
	if (told->first_ns > sum->last_ns)
		sum->gap_ns = MAX(sum->gap_ns, (uint64_t)(told->first_ns - sum->last_ns));
	else if (sum->first_ns > told->last_ns)
		sum->gap_ns = MAX(sum->gap_ns, (uint64_t)(sum->first_ns - told->last_ns));
	sum->gap_ns = MAX(sum->gap_ns, told->gap_ns);
	sum->has_wall &= told->has_wall;
	sum->first_ns = MIN(sum->first_ns, told->first_ns);
	sum->last_ns = MAX(sum->last_ns, told->last_ns);
	sum->captures += told->captures;
	sum->duration_ns += told->duration_ns;
	sum->samples += told->samples;
	sum->lost += told->lost;
}

static int read_part(struct query *q, struct folded *f)
{
	struct part *p = part_of(q, folded_part(f) ?: folded_path(f));
	struct folded_line line;
	int rc;

	while ((rc = folded_next(f, &line)) == 1) {
		double weight = (double)line.weight[0];

		q->lines++;
		p->weight += weight;
		if (q->question == OUTLIERS)
			add_innermost(q, &line, weight);
		else if (q->function)
			add_functions(q, &line, weight);
	}
	if (rc == 0)
		take_told(p, folded_input(f));
	q->no_wall += !p->told.has_wall;
	return rc;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct query *q = state;
	int rc;

	if (!folded_is_store(f)) {
		warn_add(w, SEV_FATAL, "store", "%s: expected a store (pdtool store add)",
			 folded_path(f));
		return ERR_FORMAT;
	}
	answer_folded(&q->answer, f);
	if (of_lengths(q))
		return lengths_read(&q->lengths, f, w);
	folded_function(f, q->function, q->question == TREND);
	if (q->question == OUTLIERS)
		folded_innermost(f);
	rc = folded_each(f, by_capture(q) ? "capture" : "host");
	if (rc == 0)
		rc = read_part(q, f);
	while (rc == 0 && (rc = folded_more(f)) == 1)
		rc = read_part(q, f);
	return rc;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	(void)state;
	warn_add(w, SEV_FATAL, "store", "%s: expected a store (pdtool store add)",
		 pdt_text(s, PDT_PATH));
	return ERR_FORMAT;
}

/* ---- the answers ---- */

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

static void cell_wall(struct query *q, bool there, int64_t ns)
{
	char text[64];

	if (there)
		answer_cell_text(&q->answer, wall_text(text, (uint64_t)ns));
	else
		answer_cell_empty(&q->answer);
}

static void answer_coverage(struct query *q)
{
	for (size_t i = 0; i < q->part_count; i++) {
		const struct part *p = &q->parts[i];

		answer_cell_text(&q->answer, p->name);
		answer_cell_count(&q->answer, p->told.captures);
		cell_wall(q, p->told.has_wall, p->told.first_ns);
		cell_wall(q, p->told.has_wall, p->told.last_ns);
		answer_cell_count(&q->answer, (uint64_t)p->told.duration_ns);
		answer_cell_count_if(&q->answer, p->told.has_wall, p->told.gap_ns);
		answer_cell_count(&q->answer, (uint64_t)p->told.samples);
		answer_cell_count(&q->answer, (uint64_t)p->told.lost);
	}
}

/* What has no time comes last. */
static int compare_times(const struct part *x, const struct part *y)
{
	if (x->told.has_wall != y->told.has_wall)
		return x->told.has_wall ? -1 : 1;
	return (x->told.first_ns > y->told.first_ns) - (x->told.first_ns < y->told.first_ns);
}

static int by_time(const void *a, const void *b)
{
	return compare_times(a, b);
}

static int by_first(const void *a, const void *b, void *ctx)
{
	const struct count *x = a, *y = b;
	const struct query *q = ctx;

	return compare_times(&q->parts[x->part], &q->parts[y->part])
		       ?: (x->part > y->part) - (x->part < y->part)
		       ?: strcmp(intern_str(&q->names, x->name), intern_str(&q->names, y->name));
}

static void answer_first(struct query *q)
{
	if (q->count_count)
		qsort_r(q->counts, q->count_count, sizeof(*q->counts), by_first, q);
	for (size_t i = 0; i < q->count_count; i++) {
		const struct count *c = &q->counts[i];
		const struct part *p = &q->parts[c->part];

		if (!q->functions[c->name].matches)
			continue;
		q->functions[c->name].matches = false; /* said */
		cell_wall(q, p->told.has_wall, p->told.first_ns);
		answer_cell_text(&q->answer, intern_str(&q->names, c->name));
		answer_cell_real(&q->answer, share(c->weight, p->weight));
		answer_cell_text(&q->answer, p->name);
	}
}

/* ---- hosts unlike others ---- */

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *list, size_t n)
{
	qsort(list, n, sizeof(*list), by_number);
	return n % 2 ? list[n / 2] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

struct outlier {
	uint32_t part, name;
	double share, median, sigma;
};

/* Of the counts of one function, N at C: what stands out is appended to OUT. The scatter is that of
 * the hosts, and that of so few samples. */
static size_t look(const struct query *q, const struct count *c, size_t n, double *scratch,
		   struct outlier *out)
{
	double *shares = scratch, *apart = scratch + q->part_count, usual, scatter;
	size_t found = 0;

	memset(shares, 0, q->part_count * sizeof(*shares));
	for (size_t i = 0; i < n; i++)
		shares[c[i].part] = c[i].weight / q->parts[c[i].part].weight;
	memcpy(apart, shares, q->part_count * sizeof(*apart));
	usual = median(apart, q->part_count);
	for (size_t i = 0; i < q->part_count; i++)
		apart[i] = fabs(shares[i] - usual);
	scatter = MAD_TO_SIGMA * median(apart, q->part_count);
	for (uint32_t i = 0; i < q->part_count; i++) {
		double most = fmax(usual, shares[i]);
		double chance = most * (1 - most) / fmax(q->parts[i].told.samples, 1);
		double sigma = (shares[i] - usual) / sqrt(scatter * scatter + chance);

		if (most >= LEAST_SHARE && fabs(sigma) >= LEAST_SIGMA)
			out[found++] =
				(struct outlier){ i, c->name, 100 * shares[i], 100 * usual, sigma };
	}
	return found;
}

static int by_name(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->name > y->name) - (x->name < y->name)
		       ?: (x->part > y->part) - (x->part < y->part);
}

static int by_sigma(const void *a, const void *b, void *ctx)
{
	const struct outlier *x = a, *y = b;
	const struct query *q = ctx;

	return (fabs(x->sigma) < fabs(y->sigma)) - (fabs(x->sigma) > fabs(y->sigma))
		       ?: (x->part > y->part) - (x->part < y->part)
		       ?: strcmp(intern_str(&q->names, x->name), intern_str(&q->names, y->name));
}

static void answer_outliers(struct query *q)
{
	double *scratch = xcalloc(2 * q->part_count, sizeof(*scratch));
	struct outlier *out = NULL;
	size_t count = 0, cap = 0, end;

	if (q->count_count)
		qsort(q->counts, q->count_count, sizeof(*q->counts), by_name);
	for (size_t i = 0; i < q->count_count; i = end) {
		for (end = i; end < q->count_count && q->counts[end].name == q->counts[i].name;)
			end++;
		out = xgrow(out, &cap, count + q->part_count, sizeof(*out));
		count += look(q, &q->counts[i], end - i, scratch, out + count);
	}
	if (count)
		qsort_r(out, count, sizeof(*out), by_sigma, q);
	for (size_t i = 0; i < count; i++) {
		answer_cell_text(&q->answer, q->parts[out[i].part].name);
		answer_cell_text(&q->answer, intern_str(&q->names, out[i].name));
		answer_cell_real(&q->answer, out[i].share);
		answer_cell_real(&q->answer, out[i].median);
		answer_cell_real(&q->answer, out[i].sigma);
	}
	answer_fact(&q->answer, "hosts", "%zu", q->part_count);
	free(scratch);
	free(out);
}

/* ---- over time ---- */

struct point {
	int64_t ns;
	uint64_t captures;
	double weight, function;
};

/* Parts of one step, which are sorted by time. */
static size_t make_points(const struct query *q, struct point *out)
{
	size_t n = 0;

	for (size_t i = 0; i < q->part_count; i++) {
		const struct part *p = &q->parts[i];
		int64_t ns = p->told.first_ns - p->told.first_ns % (int64_t)q->step_ns;

		if (!p->told.has_wall || !(p->weight > 0))
			continue;
		if (!n || out[n - 1].ns != ns)
			out[n++] = (struct point){ .ns = ns };
		out[n - 1].captures += p->told.captures;
		out[n - 1].weight += p->weight;
		out[n - 1].function += p->function;
	}
	return n;
}

/* The mean of the shares from I up to the next change. */
static double level_of(const struct ranked *shares, const uint8_t *marks, size_t i, size_t n)
{
	double sum = shares[i].value;
	size_t end = i + 1;

	for (; end < n && !marks[end]; end++)
		sum += shares[end].value;
	return sum / (double)(end - i);
}

static void answer_trend(struct query *q)
{
	struct point *points = xcalloc(q->part_count + 1, sizeof(*points));
	struct ranked *shares = xcalloc(q->part_count + 1, sizeof(*shares));
	double level = 0;
	uint8_t *marks = xcalloc(q->part_count + 1, 1);
	size_t n, changes = 0;

	qsort(q->parts, q->part_count, sizeof(*q->parts), by_time);
	n = make_points(q, points);
	for (size_t i = 0; i < n; i++)
		shares[i].value = share(points[i].function, points[i].weight);
	change_points(shares, n, CHANGE_P, marks);
	for (size_t i = 0; i < n; i++) {
		double before = level;

		changes += marks[i];
		if (!i || marks[i])
			level = level_of(shares, marks, i, n);
		cell_wall(q, true, points[i].ns);
		answer_cell_count(&q->answer, points[i].captures);
		answer_cell_count(&q->answer, (uint64_t)points[i].function);
		answer_cell_real(&q->answer, shares[i].value);
		answer_cell_real(&q->answer, level);
		answer_cell_real(&q->answer,
				 marks[i] && before > 0 ? 100 * (level / before - 1) : NAN);
	}
	answer_fact(&q->answer, "changes of level", "%zu, by Pettitt's test (p at most %g)",
		    changes, CHANGE_P);
	free(points);
	free(shares);
	free(marks);
}

static int complete(void *state, struct warnings *w)
{
	struct query *q = state;

	if (q->question == OUTLIERS && q->part_count < LEAST_HOSTS) {
		warn_add(w, SEV_FATAL, "store",
			 "outliers: expected %d hosts at least, to tell what is usual; found %zu",
			 LEAST_HOSTS, q->part_count);
		return ERR_ABSENT;
	}
	if (of_lengths(q))
		return lengths_answer(&q->lengths, &q->answer, w);
	if (q->function)
		answer_fact(&q->answer, "function", "%s", q->function);
	if (q->no_wall && q->question != OUTLIERS)
		answer_warn(&q->answer, "no wall clock", "in %s of %s (perf record -k mono)",
			    COUNT_TEXT(q->no_wall), COUNT_TEXT(q->part_count));
	if (q->question == COVERAGE)
		answer_coverage(q);
	else if (q->question == FIRST)
		answer_first(q);
	else if (q->question == OUTLIERS)
		answer_outliers(q);
	else
		answer_trend(q);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct query *q = state;

	answer_result(&q->answer, columns[q->question], out);
}

static void release(void *state)
{
	struct query *q = state;

	free(q->parts);
	free(q->functions);
	free(q->counts);
	idmap_release(&q->counted);
	intern_release(&q->names);
	lengths_release(&q->lengths);
	answer_release(&q->answer);
}

const struct analyzer analyzer_store_query = {
	.name = "store query",
	.summary = "what many captures tell together: trends, outliers, first seen, coverage",
	.question = QUESTION_CHANGE,
	.shapes = SHAPE_TABLE,
	.judges = true,
	.operand = "question",
	.usage = { "STORE QUESTION" },
	.options = options,
	.state_size = sizeof(struct query),
	.begin = begin,
	.finish = finish,
	.text = text,
	.complete = complete,
	.result = result,
	.release = release,
};
