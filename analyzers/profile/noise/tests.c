/* Which rows changed, how sure that is, and what could have been found. */
#include "analyzers/profile/noise/noise.h"
#include "analyzers/chance/tails.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define POWER	    0.82 /* 4 of 5 cases; the uncertain fit costs two points */
#define GATE_RATE   0.05
#define GATE_DF	    4 /* of one run a side: the scatter between runs is assumed */
#define POWER_STEPS 200
#define MOST_RUNS   100

static double harmonic(const struct noise *n)
{
	return 1 / (double)n->side_runs[0] + 1 / (double)n->side_runs[1];
}

/* The variance of one run's value: the pool's and the row's own, moderated, never below the row's
 * own: kernel memory rows scatter far more than others. */
static double variance(const struct noise *n, double v0, double own)
{
	double d = (double)n->runs - 2;

	return d < 1 ? v0 : fmax(own, (n->prior_df * v0 + d * own) / (n->prior_df + d));
}

void noise_test_one(const struct noise *n, const double *x, size_t row, struct noise_test *out)
{
	double mean[2] = { 0, 0 }, inverse = 0, within = 0, d = (double)n->runs - 2;

	for (size_t r = 0; r < n->runs; r++) {
		bool after = n->run[r].after;

		mean[after] += (log(x[r] + 0.5) - n->common[r]) / (double)n->side_runs[after];
		inverse += 1 / (x[r] + 0.5) / (double)n->runs;
	}
	for (size_t r = 0; r < n->runs; r++) {
		double off = log(x[r] + 0.5) - n->common[r] - mean[n->run[r].after];

		within += off * off;
	}
	out->change = mean[1] - mean[0];
	out->df = n->prior_df + d;
	out->se = sqrt(n->lambda * harmonic(n) *
		       variance(n, noise_expected(n, inverse, row, 0), d < 1 ? 0 : within / d));
	out->t = out->change / out->se;
	out->p = student_two_sided(out->t, out->df);
}

/* The gate of one run a side takes functions to scatter by 5 % between runs at least. */
static double gate_se(const struct noise *n, const double *x, size_t row,
		      const struct noise_test *test)
{
	double inverse = (1 / (x[0] + 0.5) + 1 / (x[1] + 0.5)) / 2;

	if (n->runs > 2)
		return test->se;
	return sqrt(harmonic(n) * noise_expected(n, inverse, row, NOISE_BETWEEN_FUNCTIONS));
}

/* The common factor's change, in the amounts that are compared. */
static double common_change(const struct noise *n)
{
	double mean[2] = { 0, 0 };

	for (size_t r = 0; r < n->runs; r++)
		mean[n->run[r].after] += (n->common[r] + log(n->run[r].unit)) /
					 (double)n->side_runs[n->run[r].after];
	return mean[1] - mean[0];
}

/* ---- many hypotheses ---- */

struct hypothesis {
	struct noise_test *test;
	const double *values; /* by run */
	double p, gate_p;
};

static int by_p(const void *a, const void *b)
{
	const struct hypothesis *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

static int by_gate(const void *a, const void *b)
{
	const struct hypothesis *x = a, *y = b;

	return (x->gate_p > y->gate_p) - (x->gate_p < y->gate_p);
}

/* A function and its only caller are one finding, not two: what they weigh differs by a quarter at
 * most in every run. */
static bool is_same(const struct noise *n, const double *a, const double *b)
{
	for (size_t r = 0; r < n->runs; r++) {
		if (fabs(a[r] - b[r]) > 0.25 * fmax(a[r], b[r]))
			return false;
	}
	return true;
}

/* Is LIST[AT] the same as one of the few before it? Their p are next to each other. */
static bool is_another(const struct noise *n, const struct hypothesis *list, size_t at)
{
	for (size_t k = 1; k <= 8 && k <= at; k++) {
		if (is_same(n, list[at].values, list[at - k].values))
			return true;
	}
	return false;
}

/* Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995), of findings that are different ones. */
static void discover(const struct noise *n, struct hypothesis *list, size_t count)
{
	size_t pass = 0, rank = 0;

	qsort(list, count, sizeof(*list), by_p);
	for (size_t i = 0; i < count; i++) {
		rank += !is_another(n, list, i);
		if (list[i].p <= NOISE_FALSE_DISCOVERY * (double)rank / (double)count)
			pass = i + 1;
	}
	for (size_t i = 0; i < pass; i++)
		list[i].test->found = true;
}

/* Holm's step-down of the hypotheses that growth is at most the limit (TREAT, McCarthy and Smyth
 * 2009). */
static void gate(struct hypothesis *list, size_t count)
{
	qsort(list, count, sizeof(*list), by_gate);
	for (size_t i = 0; i < count; i++) {
		if (list[i].gate_p > GATE_RATE / (double)(count - i))
			return;
		list[i].test->over = true;
	}
}

static void add_hypothesis(const struct noise *n, const double *x, size_t row,
			   struct noise_test *test, struct hypothesis *h)
{
	double beyond = test->change - log1p(n->asked.limit);
	bool grew = beyond + common_change(n) > 0;

	*h = (struct hypothesis){ test, x, test->p, 1 };
	if (n->fitted && grew && isfinite(beyond))
		h->gate_p = student_upper(beyond / gate_se(n, x, row, test),
					  n->runs > 2 ? test->df : fmin(test->df, GATE_DF));
}

double noise_least(const struct noise *n)
{
	return fmax(NOISE_LEAST_SAMPLES, NOISE_LEAST_SHARE * n->samples);
}

size_t noise_test_rows(const struct noise *n, const struct noise_rows *rows, const uint32_t *ids,
		       struct noise_row *out)
{
	struct hypothesis *family = xmalloc((2 * rows->count + 1) * sizeof(*family));
	double least = noise_least(n);
	size_t count = 0;

	for (size_t i = 0; i < 2 * rows->count; i++) {
		const double *x = &(i & 1 ? rows->total : rows->self)[i / 2 * n->runs];
		struct noise_test *test = i & 1 ? &out[i / 2].total : &out[i / 2].self;
		size_t id = ids ? ids[i / 2] : i / 2;
		double mean = 0;

		*test = (struct noise_test){ 0 };
		for (size_t r = 0; r < n->runs; r++)
			mean += x[r] / (double)n->runs;
		test->tested = mean >= least && !(rows->nameless && rows->nameless[i / 2]);
		noise_test_one(n, x, test->tested ? id : SIZE_MAX, test);
		if (test->tested)
			add_hypothesis(n, x, id, test, &family[count++]);
	}
	discover(n, family, count);
	gate(family, count);
	free(family);
	return count;
}

struct noise_test noise_amount(const struct noise *n, const struct noise_test *test)
{
	double own = test->se * test->se, whole = n->total.se * n->total.se;
	struct noise_test amount = { .change = test->change, .se = test->se, .df = test->df };

	if (isnan(n->total.change) || !n->fitted)
		return amount;
	amount.change += common_change(n);
	amount.se = sqrt(own + whole);
	/* Satterthwaite */
	amount.df = (own + whole) * (own + whole) /
		    (own * own / test->df + whole * whole / n->total.df);
	return amount;
}

void noise_interval(double change, double se, double df, double out[2])
{
	double half = student_quantile(0.025, df) * se;

	out[0] = exp(change - half);
	out[1] = exp(change + half);
}

/* ---- power ---- */

/* A row of this share of the total in an experiment of RUNS a side. */
struct experiment {
	struct noise noise; /* with that many runs */
	double samples;	    /* of the row before it grows */
	double h, d;	    /* of the difference of two means; degrees of freedom */
	double limit;	    /* of |t|, for the first to be found in the family */
};

static struct experiment experiment_of(const struct noise *n, double share, size_t runs,
				       size_t family)
{
	struct experiment e = { .noise = *n,
				.samples = share * n->samples + 0.5,
				.h = 2 / (double)runs,
				.d = 2 * (double)runs - 2 };
	double p = NOISE_FALSE_DISCOVERY / (double)(family ? family : 1);

	e.noise.runs = 2 * runs;
	e.limit = student_quantile(p / 2, n->prior_df + e.d);
	return e;
}

/* How often CHANGE is found: over the chi-square distribution of the row's own variance, by which
 * the threshold moves. */
static double power_of(const struct experiment *e, double change)
{
	const struct noise *n = &e->noise;
	double sum = 0, all = 0, d = e->d, lambda = n->lambda;
	/* what the fit expects of one value, and the mean of what is; small rows in several runs
	 * scatter more than 1 / samples says, which makes up for the growth of the side after */
	double inverse = (d < 1 ? (1 + exp(-change)) / 2 : 1) / e->samples;
	double expected = n->phi * inverse + n->tau * n->tau;
	double typical = expected * n->heavy + n->common_variance;
	double z = change / sqrt(typical * e->h);

	if (d < 1)
		return normal_below(z - e->limit * sqrt(lambda));
	for (int i = 0; i < POWER_STEPS; i++) {
		double x = (i + 0.5) / POWER_STEPS * (d + 10 * sqrt(2 * d)); /* chi-square */
		double w = exp((d / 2 - 1) * log(x / d) - (x - d) / 2);
		double v = variance(n, expected, typical * x / d);

		all += w;
		sum += w * normal_below(z - e->limit * sqrt(lambda * v / typical));
	}
	return sum / all;
}

double noise_least_change(const struct noise *n, double share, size_t runs, size_t family)
{
	struct experiment e = experiment_of(n, share, runs, family);
	double lo = 0, hi = 20;

	if (power_of(&e, hi) < POWER)
		return INFINITY;
	for (int i = 0; i < 40; i++) {
		double mid = (lo + hi) / 2;

		if (power_of(&e, mid) < POWER)
			lo = mid;
		else
			hi = mid;
	}
	return expm1(hi);
}

static bool finds(const struct noise *n, double share, double growth, size_t runs, size_t family)
{
	struct experiment e = experiment_of(n, share, runs, family);

	return power_of(&e, log1p(growth)) >= POWER;
}

size_t noise_runs_needed(const struct noise *n, double share, double growth, size_t family)
{
	size_t lo = 1, hi = MOST_RUNS; /* more runs find more */

	if (!finds(n, share, growth, hi, family))
		return 0;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (finds(n, share, growth, mid, family))
			hi = mid;
		else
			lo = mid + 1;
	}
	return hi;
}
