/* What of a difference between profiles is noise.
 *
 * Runs of one program differ by more than sampling. Most of that is one factor common to all
 * functions (a neighbour on the machine, a frequency), so each run is split, on the log scale, into
 * this common factor and its composition. The variance of one function's log weight is
 *
 *	phi * (mean over the runs of 1 / samples) + tau^2
 *
 * with phi >= 1 the overdispersion of samples (bursts) and tau the scatter of a function's share
 * between runs. Both are fitted over all functions by maximum likelihood, with a scaled inverse
 * chi-square prior of PRIOR_DF degrees of freedom around it (Smyth 2004, limma); the common factor
 *is a weighted median of ratios (Anders and Huber 2010, DESeq). With one run a side the fit is an
 * empirical null (Efron 2004): it holds while most functions did not change.
 *
 * Weights are in effective samples: weight / (sum w^2 / sum w). Self weights are disjoint and make
 * the fit; inclusive ones are only tested. */
#ifndef PDTOOL_NOISE_H
#define PDTOOL_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions that the fit needs; with fewer there is no telling a run from a function. */
#define NOISE_LEAST_ROWS	5
#define NOISE_FALSE_DISCOVERY	0.05
#define NOISE_BETWEEN_FUNCTIONS 0.05  /* assumed by the gate of one run a side */
#define NOISE_BETWEEN_RUNS	0.20  /* assumed of totals */
#define NOISE_LEAST_SHARE	0.005 /* of the total: smaller rows are not tested */
#define NOISE_LEAST_SAMPLES	10

struct noise_run {
	bool after;
	double unit;  /* one effective sample in the amounts that are compared */
	double total; /* in these amounts; 0: totals are not compared */
	/* standard error of ln(total) and its degrees of freedom, where the run tells them; 0: the
	 * scatter of totals is what the runs show, and what is assumed */
	double total_error, total_df;
};

/* COUNT rows, each with a value for each run: row * runs + run. */
struct noise_rows {
	const double *self, *total;
	const bool *nameless; /* by row: not a function, in neither fit nor test; NULL: none */
	size_t count;
};

struct noise_asked {
	double between_functions; /* tau is at least this */
	double between_runs;
	double limit; /* of the gate: growth by this part */
};

/* One hypothesis: the row changed against the rest. */
struct noise_test {
	double change; /* of ln(weight), the common factor taken out */
	double se, df; /* of the change */
	double t, p;   /* two-sided */
	bool tested;   /* large enough */
	bool found;    /* at a false-discovery rate of 5 % over all that were tested */
	bool over;     /* grew by more than the limit, surely */
};

struct noise_row {
	struct noise_test self, total;
};

struct noise_total {
	double change, se, df; /* of ln(total); change is NAN where totals are not compared */
	bool is_told;	       /* by the runs, not assumed */
	bool over;
};

struct noise {
	size_t runs, side_runs[2];
	struct noise_run *run;
	struct noise_asked asked;
	double phi, tau, prior_df;
	double heavy;	/* mean variance of the rows by that of the fit's centre: d0 / (d0 - 2) */
	double lambda;	/* variance that the fit did not foresee: at least 1 */
	size_t fitted;	/* functions; 0: too few, the runs' assumed scatter is taken for all */
	double *common; /* ln, by run */
	double common_variance;
	double samples; /* effective ones, mean of the runs */
	struct noise_pool *pool;
	struct noise_total total;
};

/* Fits the model; there is at least one run of each side. noise_release() frees. */
void noise_fit(struct noise *n, const struct noise_run *run, size_t runs,
	       const struct noise_rows *rows, const struct noise_asked *asked);
void noise_release(struct noise *n);

/* What a row must have at least, in effective samples and in the mean, to be tested. */
double noise_least(const struct noise *n);
/* Tests ROWS into OUT, one for each; IDS are their places among the rows of the fit, NULL: the
 * same. Returns the size of the family: hypotheses tested. */
size_t noise_test_rows(const struct noise *n, const struct noise_rows *rows, const uint32_t *ids,
		       struct noise_row *out);
/* One hypothesis alone, of the values of a row; ROW is its index in the rows of the fit, SIZE_MAX
 * if it is not among them. */
void noise_test_one(const struct noise *n, const double *values, size_t row,
		    struct noise_test *out);
/* The variance of one value of a row with INVERSE, the mean of 1 / samples, as the others' fit has
 * it. One run a side: without ROW itself, whose change would hide itself. */
double noise_expected(const struct noise *n, double inverse, size_t row, double least_tau);

/* The same row's change in the amounts that are compared: with the common factor, and the scatter
 * of totals. Only change, se and df are set. */
struct noise_test noise_amount(const struct noise *n, const struct noise_test *test);
/* The interval of a factor: exp(change -+ t(0.975) se). */
void noise_interval(double change, double se, double df, double out[2]);
/* The growth (0.5: by half) of a row of SHARE of the total that is found in 80 of 100 cases by
 * RUNS a side, in a family of that size. INFINITY: none. */
double noise_least_change(const struct noise *n, double share, size_t runs, size_t family);
/* The runs a side, at most 100, that find GROWTH as often; 0: more. */
size_t noise_runs_needed(const struct noise *n, double share, double growth, size_t family);

#endif
