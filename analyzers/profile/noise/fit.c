/* The common factor of each run, then the variance of what is left. */
#include "analyzers/profile/noise/noise.h"
#include "analyzers/chance/tails.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED		 8  /* mean samples of a row that takes part in the fit ... */
#define COUNTED_FEW	 3  /* ... unless there are too few such rows */
#define ONE_RUN_DF	 10 /* one run a side has no variance of its own to moderate */
#define MOST_DF		 12 /* rows are not independent: the pool is not worth more */
#define ONE_RUN_TOTAL_DF 30 /* the scatter between runs is assumed, not seen */
#define PRIOR_TOTAL_DF	 2  /* what the assumption is worth beside a run or two more */
#define ENOUGH_DF	 4  /* three runs a side: the spread that was seen speaks alone */

static const double phis[] = { 1, 1.3, 1.7, 2.2, 3, 4, 5.5, 7.5, 10, 14, 19, 26 };
static const double taus[] = { .003, .006, .01, .015, .02, .03, .04, .055, .075, .1, .14, .2 };
static const double dfs[] = { 3, 6, 12, 24 };

#define GRID (ARRAY_SIZE(phis) * ARRAY_SIZE(taus) * ARRAY_SIZE(dfs))

/* A row of the fit. */
struct fitted {
	double mean;	 /* samples */
	double inverse;	 /* mean of 1 / samples */
	double variance; /* seen, around the sides' means */
	double change;	 /* of these means */
	size_t row;
};

/* The rows, ascending, and the likelihood of all of them at each point of the grid. */
struct noise_pool {
	struct fitted *list;
	size_t count;
	double likelihood[GRID];
	struct point {
		double phi, tau, df;
		double constant; /* ln of the density of F(a, df) but for what depends on the row or
				    only on a */
	} points[GRID];
};

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static bool all_there(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return false;
	}
	return true;
}

static size_t choose(const struct noise_rows *rows, size_t runs, double least, struct fitted *out)
{
	size_t count = 0;

	for (size_t j = 0; j < rows->count; j++) {
		const double *x = &rows->self[j * runs];
		double mean = mean_of(x, runs);

		if (!(mean >= least) || (rows->nameless && rows->nameless[j]) ||
		    !all_there(x, runs))
			continue;
		out[count++] = (struct fitted){ .mean = mean, .row = j };
	}
	return count;
}

/* ---- the common factor ---- */

struct weighted {
	double value, weight;
};

static int by_value(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static double weighted_median(struct weighted *list, size_t count)
{
	double all = 0, below = 0;

	qsort(list, count, sizeof(*list), by_value);
	for (size_t i = 0; i < count; i++)
		all += list[i].weight;
	for (size_t i = 0; i < count; i++) {
		below += list[i].weight;
		if (below > all / 2)
			return list[i].value;
		if (below == all / 2 && i + 1 < count)
			return (list[i].value + list[i + 1].value) / 2;
	}
	return 0;
}

static double log_count(double x)
{
	return log(x + 0.5);
}

/* Keeps one large row from deciding alone. */
static double common_weight(const struct fitted *f)
{
	return 1 / (1 / f->mean + 0.05 * 0.05);
}

/* Of a weighted median of normal values: sum w^2 / (4 (sum w f)^2), f their densities at it. */
static double common_variance(const struct noise *n)
{
	double squares = 0, densities = 0;

	for (size_t i = 0; i < n->pool->count; i++) {
		const struct fitted *f = &n->pool->list[i];
		double w = common_weight(f);

		squares += w * w;
		densities += w / sqrt(2 * M_PI * (n->phi * f->inverse + n->tau * n->tau));
	}
	return squares / (4 * densities * densities);
}

static void take_common(struct noise *n, const struct noise_rows *rows, const struct fitted *list,
			size_t count)
{
	struct weighted *w = xmalloc((count + 1) * sizeof(*w));
	double *centre = xcalloc(count + 1, sizeof(*centre));

	for (size_t i = 0; i < count; i++) {
		for (size_t r = 0; r < n->runs; r++)
			centre[i] +=
				log_count(rows->self[list[i].row * n->runs + r]) / (double)n->runs;
	}
	for (size_t r = 0; r < n->runs; r++) {
		for (size_t i = 0; i < count; i++) {
			w[i].value = log_count(rows->self[list[i].row * n->runs + r]) - centre[i];
			w[i].weight = common_weight(&list[i]);
		}
		n->common[r] = weighted_median(w, count);
	}
	free(centre);
	free(w);
}

/* ---- the variance ---- */

/* Means of both sides, the variance around them (of one run a side: half the squared difference,
 * which is that of the null), and the mean of 1 / samples. */
static void spread_of(const struct noise *n, const double *x, struct fitted *f)
{
	double mean[2] = { 0, 0 }, sum = 0, df = (double)n->runs - 2;

	f->inverse = 0;
	for (size_t r = 0; r < n->runs; r++) {
		mean[n->run[r].after] += log_count(x[r]) - n->common[r];
		f->inverse += 1 / (x[r] + 0.5) / (double)n->runs;
	}
	for (int s = 0; s < 2; s++)
		mean[s] /= (double)n->side_runs[s];
	for (size_t r = 0; r < n->runs; r++) {
		double off = log_count(x[r]) - n->common[r] - mean[n->run[r].after];

		sum += off * off;
	}
	f->change = mean[1] - mean[0];
	f->variance = df > 0 ? sum / df : (mean[1] - mean[0]) * (mean[1] - mean[0]) / 2;
}

static struct point point_at(size_t i, double a)
{
	struct point p = { phis[i / ARRAY_SIZE(dfs) / ARRAY_SIZE(taus)],
			   taus[i / ARRAY_SIZE(dfs) % ARRAY_SIZE(taus)], dfs[i % ARRAY_SIZE(dfs)],
			   0 };

	p.constant = lgamma((a + p.df) / 2) - lgamma(p.df / 2) - a / 2 * log(p.df);
	return p;
}

/* ln of the density of a row's variance, v F(a, df), at the points from P on that differ by df
 * alone. */
static void log_densities(const struct fitted *f, const struct point *p, double a,
			  double out[ARRAY_SIZE(dfs)])
{
	double v = p->phi * f->inverse + p->tau * p->tau;
	double r = fmax(f->variance / v, 1e-4), log_r = log(r), log_v = log(v);

	for (size_t i = 0; i < ARRAY_SIZE(dfs); i++, p++)
		out[i] = p->constant + (a / 2 - 1) * log_r -
			 (a + p->df) / 2 * log1p(a * r / p->df) - log_v;
}

static double own_df(const struct noise *n)
{
	return n->runs > 2 ? (double)n->runs - 2 : 1;
}

/* The most likely point, without one row of the pool unless that is NULL. */
static struct point most_likely(const struct noise *n, const struct fitted *without)
{
	const struct noise_pool *pool = n->pool;
	struct point best = { 0 };
	double most = -INFINITY, own[ARRAY_SIZE(dfs)] = { 0 };

	for (size_t i = 0; i < GRID; i++) {
		size_t df = i % ARRAY_SIZE(dfs);
		double l;

		if (without && !df)
			log_densities(without, &pool->points[i], own_df(n), own);
		l = pool->likelihood[i] - own[df];
		if (l > most) {
			most = l;
			best = pool->points[i];
		}
	}
	return best;
}

static void take_variance(struct noise *n)
{
	struct noise_pool *pool = n->pool;
	struct point best;

	for (size_t i = 0; i < GRID; i++)
		pool->points[i] = point_at(i, own_df(n));
	for (size_t i = 0; i < GRID; i += ARRAY_SIZE(dfs)) {
		for (size_t k = 0; k < pool->count; k++) {
			double own[ARRAY_SIZE(dfs)];

			log_densities(&pool->list[k], &pool->points[i], own_df(n), own);
			for (size_t df = 0; df < ARRAY_SIZE(dfs); df++)
				pool->likelihood[i + df] += own[df];
		}
	}
	best = most_likely(n, NULL);
	n->phi = best.phi;
	n->tau = fmax(best.tau, n->asked.between_functions);
	/* how rows differ is not better known than there are rows */
	n->prior_df =
		fmin(n->runs == 2 ? ONE_RUN_DF : fmin(best.df, MOST_DF), (double)pool->count - 1);
	n->heavy = n->runs == 2 ? 1 : best.df / (best.df - 2);
}

static const struct fitted *find_row(const struct noise_pool *pool, size_t row)
{
	size_t lo = 0, hi = pool->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (pool->list[mid].row < row)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < pool->count && pool->list[lo].row == row ? &pool->list[lo] : NULL;
}

double noise_expected(const struct noise *n, double inverse, size_t row, double least_tau)
{
	const struct fitted *own = n->pool->count && n->runs == 2 ? find_row(n->pool, row) : NULL;
	struct point p = { .phi = n->phi, .tau = n->tau };

	if (own)
		p = most_likely(n, own);
	p.tau = fmax(fmax(p.tau, n->asked.between_functions), least_tau);
	return p.phi * inverse + p.tau * p.tau;
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Half of the rows should lie within the quartiles of t. Where they do not, the model is too
 * narrow. */
static double inflation(const struct noise *n, const struct fitted *list, size_t count)
{
	double d = (double)n->runs - 2, q, result;
	double h = 1 / (double)n->side_runs[0] + 1 / (double)n->side_runs[1];
	double *t2;

	if (d < 1 || count < 10)
		return 1;
	t2 = xmalloc(count * sizeof(*t2));
	for (size_t i = 0; i < count; i++) {
		double v0 = n->phi * list[i].inverse + n->tau * n->tau;
		double v = (n->prior_df * v0 + d * list[i].variance) / (n->prior_df + d);

		t2[i] = list[i].change * list[i].change / (v * h);
	}
	qsort(t2, count, sizeof(*t2), by_number);
	q = student_quantile(0.25, n->prior_df + d);
	result = (t2[(count - 1) / 2] + t2[count / 2]) / 2 / (q * q);
	free(t2);
	return fmax(1, result);
}

/* ---- the total ---- */

/* The variance of the change, by what each run tells of its total; 0: not all of them do. */
static double told_variance(const struct noise *n, double *df)
{
	double sum = 0, squares = 0;

	for (size_t r = 0; r < n->runs; r++) {
		double part = n->run[r].total_error / (double)n->side_runs[n->run[r].after];

		if (!(part > 0))
			return 0;
		sum += part * part;
		squares += part * part * part * part / n->run[r].total_df;
	}
	*df = sum * sum / squares; /* Satterthwaite */
	return sum;
}

/* WITHIN: the sum of the squares of ln(total) around the sides' means. */
static void total_error(struct noise *n, double within)
{
	double d = (double)n->runs - 2, told, told_df, seen;
	double h = 1 / (double)n->side_runs[0] + 1 / (double)n->side_runs[1];
	double assumed = n->asked.between_runs, prior = d < ENOUGH_DF ? PRIOR_TOTAL_DF : 0;

	n->total.se = sqrt((prior * assumed * assumed + within) / (prior + d) * h);
	n->total.df = d > 0 ? prior + d : ONE_RUN_TOTAL_DF;
	told = told_variance(n, &told_df);
	if (!(told > 0))
		return;
	seen = d > 0 ? within / d * h : 0;
	n->total.is_told = true;
	n->total.se = sqrt(fmax(told, seen));
	n->total.df = told >= seen ? told_df : d;
}

static void take_total(struct noise *n)
{
	double mean[2] = { 0, 0 }, within = 0;

	n->total = (struct noise_total){ .change = NAN };
	for (size_t r = 0; r < n->runs; r++) {
		if (!(n->run[r].total > 0))
			return;
		mean[n->run[r].after] +=
			log(n->run[r].total) / (double)n->side_runs[n->run[r].after];
	}
	for (size_t r = 0; r < n->runs; r++) {
		double off = log(n->run[r].total) - mean[n->run[r].after];

		within += off * off;
	}
	n->total.change = mean[1] - mean[0];
	total_error(n, within);
	n->total.over = student_upper((n->total.change - log1p(n->asked.limit)) / n->total.se,
				      n->total.df) < (n->runs - 2 < ENOUGH_DF ? 0.025 : 0.01);
}

void noise_fit(struct noise *n, const struct noise_run *run, size_t runs,
	       const struct noise_rows *rows, const struct noise_asked *asked)
{
	struct fitted *list = xmalloc((rows->count + 1) * sizeof(*list));
	size_t count;

	*n = (struct noise){ .runs = runs, .asked = *asked, .lambda = 1, .phi = 1, .heavy = 1 };
	n->run = xmalloc(runs * sizeof(*run));
	memcpy(n->run, run, runs * sizeof(*run));
	n->common = xcalloc(runs, sizeof(*n->common));
	n->pool = xcalloc(1, sizeof(*n->pool));
	n->pool->list = list;
	for (size_t r = 0; r < runs; r++)
		n->side_runs[run[r].after]++;
	for (size_t j = 0; j < rows->count; j++)
		n->samples += mean_of(&rows->self[j * runs], runs);
	count = choose(rows, runs, COUNTED, list);
	if (count < NOISE_LEAST_ROWS)
		count = choose(rows, runs, COUNTED_FEW, list);
	if (count < NOISE_LEAST_ROWS) {
		for (size_t r = 0; r < runs; r++)
			n->common[r] = -log(run[r].unit);
		n->tau = asked->between_runs;
		n->prior_df = runs > 2 ? 2 : ONE_RUN_TOTAL_DF;
	} else {
		n->fitted = n->pool->count = count;
		take_common(n, rows, list, count);
		for (size_t i = 0; i < count; i++)
			spread_of(n, &rows->self[list[i].row * runs], &list[i]);
		take_variance(n);
		n->common_variance = common_variance(n);
		n->lambda = inflation(n, list, count);
	}
	take_total(n);
}

void noise_release(struct noise *n)
{
	if (n->pool)
		free(n->pool->list);
	free(n->pool);
	free(n->run);
	free(n->common);
}
