/* The noise model of `pdtool diff` and `pdtool abstime` on made runs whose truth is known: how
 * often it cries wolf, what it finds, whether intervals cover the truth and whether the smallest
 * change that it says it would see is true. Seeds are fixed.
 *
 * A program is 60 stacks of 40 functions. A run takes samples of it: Poisson, or in bursts of
 * geometric length with mean 10; between runs each function scatters by FUNCTIONS and the whole by
 * RUNS (standard deviations of the logarithm). */
#include "analyzers/profile/abs_change.h"
#include "analyzers/profile/noise/noise.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACKS	  60
#define FUNCTIONS 40
#define DEPTH	  6
#define MOST_RUNS 10
#define CHANGED	  5 /* the function that grows: 10 % of the time itself */

static uint64_t state[2];

static void seed(uint64_t s)
{
	state[0] = s * 0x9e3779b97f4a7c15u + 1;
	state[1] = (s + 1) * 0xbf58476d1ce4e5b9u;
}

/* xorshift128+ */
static double uniform(void)
{
	uint64_t a = state[0], b = state[1];

	state[0] = b;
	a ^= a << 23;
	state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
	return ((double)((state[1] + b) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Exact: a sum of waiting times, in pieces that the exponential function can hold. */
static double poisson(double mean)
{
	double count = 0;

	while (mean > 0) {
		double part = mean > 500 ? 500 : mean, limit = exp(-part), product = uniform();

		mean -= part;
		while (product > limit) {
			product *= uniform();
			count++;
		}
	}
	return count;
}

/* ---- the program ---- */

struct program {
	int frames[STACKS][DEPTH], depth[STACKS];
	double share[STACKS];
};

static void make_program(struct program *p)
{
	double all = 0, changed = 0;

	seed(20);
	for (int i = 0; i < STACKS; i++) {
		p->depth[i] = 2 + (int)(uniform() * (DEPTH - 1));
		for (int k = 0; k < p->depth[i]; k++)
			p->frames[i][k] = (int)(uniform() * FUNCTIONS);
		p->frames[i][0] = 0;
		p->share[i] = exp(1.2 * normal());
	}
	for (int i = 0; i < STACKS; i++) {
		all += p->share[i];
		changed += p->frames[i][p->depth[i] - 1] == CHANGED ? p->share[i] : 0;
	}
	for (int i = 0; i < STACKS; i++)
		p->share[i] *= p->frames[i][p->depth[i] - 1] == CHANGED ? 0.1 / changed
									: 0.9 / (all - changed);
}

struct made {
	double samples, functions, runs;
	int burst;
	double growth; /* of CHANGED, in the runs after */
};

static double taken(double mean, int burst)
{
	double count = 0;

	if (burst <= 1)
		return poisson(mean);
	for (double n = poisson(mean / burst); n > 0; n--)
		count += ceil(log(uniform()) / log1p(-1.0 / burst));
	return count;
}

static void make_run(const struct program *p, const struct made *m, bool after,
		     double self[FUNCTIONS], double total[FUNCTIONS])
{
	double factor[FUNCTIONS], run = exp(m->runs * normal());

	for (int f = 0; f < FUNCTIONS; f++)
		factor[f] = exp(m->functions * normal()) * (after && f == CHANGED ? m->growth : 1);
	memset(self, 0, FUNCTIONS * sizeof(*self));
	memset(total, 0, FUNCTIONS * sizeof(*total));
	for (int i = 0; i < STACKS; i++) {
		int leaf = p->frames[i][p->depth[i] - 1];
		double n = taken(m->samples * run * p->share[i] * factor[leaf], m->burst);
		bool seen[FUNCTIONS] = { false };

		self[leaf] += n;
		for (int k = 0; k < p->depth[i]; k++) {
			total[p->frames[i][k]] += seen[p->frames[i][k]] ? 0 : n;
			seen[p->frames[i][k]] = true;
		}
	}
}

/* ---- many comparisons ---- */

struct outcome {
	int draws, any, gate, found;
	double rows, covered, amounts, least;
	double times, times_covered; /* of abstime: ratios of the means of self weights */
};

static bool covers(double change, double se, double df, double truth)
{
	double range[2];

	noise_interval(change - truth, se, df, range);
	return range[0] <= 1 && range[1] >= 1;
}

/* Abstime has an interval for each row that is there on both sides, around the ratio of means. */
static void cover_times(const struct noise *n, const double *self, struct outcome *o)
{
	for (size_t f = 0; f < FUNCTIONS; f++) {
		double sum[2] = { 0, 0 };
		double range[2], ratio;

		for (size_t r = 0; r < n->runs; r++)
			sum[n->run[r].after] += self[f * n->runs + r];
		if (!(sum[0] > 0 && sum[1] > 0))
			continue;
		ratio = sum[1] / sum[0];
		abs_interval(n, &self[f * n->runs], f, range);
		o->times++;
		o->times_covered += ratio * range[0] <= 1 && ratio * range[1] >= 1;
	}
}

static void compare(const struct program *p, const struct made *m, int side, struct outcome *o)
{
	static double self[FUNCTIONS * 2 * MOST_RUNS], total[FUNCTIONS * 2 * MOST_RUNS];
	size_t runs = 2 * (size_t)side;
	struct noise_run run[2 * MOST_RUNS];
	struct noise_row out[FUNCTIONS];
	struct noise_test amount;
	struct noise_rows rows = { self, total, NULL, FUNCTIONS };
	struct noise n;
	size_t family;
	bool any = false, gate = false;

	for (size_t r = 0; r < runs; r++) {
		double s[FUNCTIONS], t[FUNCTIONS];

		run[r] = (struct noise_run){ .after = r >= runs / 2, .unit = 1 };
		make_run(p, m, run[r].after, s, t);
		for (size_t f = 0; f < FUNCTIONS; f++) {
			self[f * runs + r] = s[f];
			total[f * runs + r] = t[f];
			run[r].total += s[f];
		}
	}
	noise_fit(&n, run, runs, &rows,
		  &(struct noise_asked){ .between_runs = NOISE_BETWEEN_RUNS, .limit = 0.05 });
	family = noise_test_rows(&n, &rows, NULL, out);
	gate = n.total.over;
	cover_times(&n, self, o);
	for (size_t f = 0; f < FUNCTIONS; f++) {
		const struct noise_test *tests[2] = { &out[f].self, &out[f].total };

		for (int k = 0; k < 2; k++) {
			any |= tests[k]->found;
			gate |= tests[k]->over;
			if (!tests[k]->tested)
				continue;
			o->rows++;
			o->covered += covers(tests[k]->change, tests[k]->se, tests[k]->df, 0);
			amount = noise_amount(&n, tests[k]);
			o->amounts += covers(amount.change, amount.se, amount.df, 0);
		}
	}
	o->draws++;
	o->any += any;
	o->gate += gate;
	o->found += out[CHANGED].self.found || out[CHANGED].total.found;
	o->least += noise_least_change(&n, 0.1, (size_t)side, family);
	noise_release(&n);
}

static struct outcome draws(const struct program *p, const struct made *m, int side, int count)
{
	struct outcome o = { 0 };

	for (int i = 0; i < count; i++) {
		seed((uint64_t)i * 1000003 + (uint64_t)side * 7919 + (uint64_t)m->samples);
		compare(p, m, side, &o);
	}
	return o;
}

static int failed, passed;

static void hold(bool holds, const char *what, double value, const char *wanted)
{
	printf("%s %s: %.1f, wanted %s\n", holds ? "ok" : "FAIL", what, value, wanted);
	passed += holds;
	failed += !holds;
}

static double percent(double part, double of)
{
	return 100 * part / of;
}

#define DRAWS 400

static void name_of(char name[128], const struct made *m, int side)
{
	snprintf(name, 128, "%.0f samples%s, functions %.0f %%, runs %.0f %%, %d a side",
		 m->samples, m->burst > 1 ? " in bursts" : "", 100 * m->functions, 100 * m->runs,
		 side);
}

/* Nothing changed: how often is something found, and do intervals cover that? Then the change that
 * it says it would see is made. */
static void check_null(const struct program *p, const struct made *m, int side)
{
	struct outcome o = draws(p, m, side, DRAWS), found;
	struct made grown = *m;
	char name[128], what[192];
	double least = o.least / o.draws;

	name_of(name, m, side);
	if (side > 1) {
		snprintf(what, sizeof(what), "%s: any row sure, %%", name);
		hold(percent(o.any, o.draws) <= 5, what, percent(o.any, o.draws), "at most 5");
	}
	snprintf(what, sizeof(what), "%s: the gate fails, %%", name);
	hold(percent(o.gate, o.draws) <= 5, what, percent(o.gate, o.draws), "at most 5");
	snprintf(what, sizeof(what), "%s: intervals that cover, %%", name);
	hold(percent(o.covered, o.rows) >= 93, what, percent(o.covered, o.rows), "at least 93");
	snprintf(what, sizeof(what), "%s: intervals of amounts that cover, %%", name);
	hold(percent(o.amounts, o.rows) >= 93, what, percent(o.amounts, o.rows), "at least 93");
	snprintf(what, sizeof(what), "%s: intervals of abstime that cover, %%", name);
	hold(percent(o.times_covered, o.times) >= 93, what, percent(o.times_covered, o.times),
	     "at least 93");
	grown.growth = 1 + least;
	found = draws(p, &grown, side, DRAWS);
	snprintf(what, sizeof(what),
		 "%s: +%.0f %%, the smallest change said to be seen, is found in %%", name,
		 100 * least);
	least = percent(found.found, found.draws);
	hold(least >= 70 && least <= 90, what, least, "70 to 90");
}

/* A change is found at least so often. */
static void check_power(const struct program *p, const struct made *m, int side, double least)
{
	struct outcome o = draws(p, m, side, DRAWS);
	char name[128], what[192], wanted[32];

	name_of(name, m, side);
	snprintf(what, sizeof(what), "%s: +%.0f %% found, %%", name, 100 * (m->growth - 1));
	snprintf(wanted, sizeof(wanted), "at least %.0f", least);
	hold(percent(o.found, o.draws) >= least, what, percent(o.found, o.draws), wanted);
}

int main(void)
{
	static const struct made nulls[] = {
		{ 2000, 0, 0, 1, 1 },	 { 20000, 0, 0, 1, 1 },	    { 2000, 0, 0, 10, 1 },
		{ 20000, 0, 0, 10, 1 },	 { 2000, .05, .03, 1, 1 },  { 20000, .05, .03, 1, 1 },
		{ 20000, 0, .05, 1, 1 }, { 2000, .05, .02, 10, 1 }, { 20000, .05, .02, 10, 1 },
	};
	static const int sides[] = { 1, 3, 5 };
	static const struct {
		struct made made;
		int side;
		double least;
	} powers[] = {
		{ { 20000, .05, .03, 1, 1.5 }, 3, 95 }, { { 20000, .05, .03, 1, 1.5 }, 5, 98 },
		{ { 2000, .05, .03, 1, 1.5 }, 3, 65 },	{ { 2000, .05, .03, 1, 1.5 }, 5, 88 },
		{ { 200000, 0, 0, 1, 1.1 }, 1, 95 },
	};
	struct program p;

	make_program(&p);
	for (size_t c = 0; c < sizeof(powers) / sizeof(*powers); c++)
		check_power(&p, &powers[c].made, powers[c].side, powers[c].least);
	for (size_t c = 0; c < sizeof(nulls) / sizeof(*nulls); c++) {
		for (size_t s = 0; s < sizeof(sides) / sizeof(*sides); s++)
			check_null(&p, &nulls[c], sides[s]);
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
