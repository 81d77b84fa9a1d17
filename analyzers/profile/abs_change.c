/* Weights become effective samples, and a sample of a capture so many units of T that they add up
 * to it: then the noise model of profiles applies, with T as the total of each run. */
#include "analyzers/profile/abs_change.h"
#include "analyzers/profile/diff/match_name.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double effective_samples(const struct share_total *t)
{
	return t->squares > 0 ? (double)t->weight * (double)t->weight / t->squares : 0;
}

/* What one sample of capture C weighs. */
static double sample_weight(const struct shares *s, size_t c)
{
	return s->totals[c].squares / (double)s->totals[c].weight;
}

static bool is_known(const struct shares *s, const struct abs_run *runs)
{
	bool known = true;

	for (size_t c = 0; c < s->captures; c++)
		known &= effective_samples(&s->totals[c]) > 0 && runs[c].time > 0;
	return known;
}

static void take_samples(const struct shares *s, uint32_t name, double *out)
{
	for (size_t c = 0; c < s->captures; c++)
		out[c] = (double)shares_weight(s, c, name) / sample_weight(s, c);
}

bool abs_noise(struct noise *n, const struct shares *functions, const struct abs_run *runs,
	       const struct noise_asked *asked)
{
	size_t captures = functions->captures, count = functions->row_count;
	struct noise_run *run;
	bool *nameless;
	double *self;

	if (!is_known(functions, runs))
		return false;
	run = xcalloc(captures, sizeof(*run));
	self = xcalloc(count * captures + 1, sizeof(*self));
	nameless = xcalloc(count + 1, sizeof(*nameless));
	for (size_t c = 0; c < captures; c++)
		run[c] = (struct noise_run){ .after = runs[c].after,
					     .unit = runs[c].time /
						     effective_samples(&functions->totals[c]),
					     .total = runs[c].time,
					     .total_error = runs[c].error,
					     .total_df = runs[c].time_df };
	for (uint32_t i = 0; i < count; i++) {
		const struct interned *name = &functions->names.list[i];

		take_samples(functions, i, &self[i * captures]);
		nameless[i] = is_no_function(name->s, name->len);
	}
	noise_fit(n, run, captures,
		  &(struct noise_rows){ .self = self, .nameless = nameless, .count = count },
		  asked);
	free(run);
	free(self);
	free(nameless);
	return true;
}

/* The variance of the logarithm of a ratio of sums is that of samples at least: logarithms of
 * single runs with next to none tell less than that. */
static double least_variance(const struct noise *n, const double *samples)
{
	double sum[2] = { 0, 0 }, variance = 0;

	for (size_t r = 0; r < n->runs; r++)
		sum[n->run[r].after] += samples[r];
	for (int side = 0; side < 2; side++)
		variance += n->phi / sum[side] + n->tau * n->tau / (double)n->side_runs[side];
	return n->lambda * variance;
}

void abs_interval(const struct noise *n, const double *samples, size_t row, double out[2])
{
	struct noise_test test = { 0 };

	noise_test_one(n, samples, row, &test);
	test.se = fmax(test.se, sqrt(least_variance(n, samples)));
	test = noise_amount(n, &test);
	noise_interval(0, test.se, test.df, out);
}

struct ratio abs_ratio(const struct noise *n, const struct shares *s, uint32_t name, size_t row,
		       const double time[2])
{
	struct ratio r = { NAN, NAN, NAN };
	double *samples, range[2];

	if (!(time[0] > 0))
		return r;
	r.ratio = time[1] / time[0];
	if (!n || !(time[1] > 0))
		return r;
	samples = xmalloc(s->captures * sizeof(*samples));
	take_samples(s, name, samples);
	abs_interval(n, samples, row, range);
	free(samples);
	r.low = r.ratio * range[0];
	r.high = r.ratio * range[1];
	return r;
}

/* ---- in words ---- */

/* As many digits as a scatter is worth. */
static const char *rounded(char text[AMOUNT_MAX], double part)
{
	snprintf(text, AMOUNT_MAX, 100 * part < 9.95 ? "%.1f %%" : "%.0f %%", 100 * part);
	return text;
}

#define PART(part) rounded((char[AMOUNT_MAX]){ 0 }, part)

static void say_total(struct buf *b, const struct noise *n, bool runs_were_told)
{
	double h = 1 / (double)n->side_runs[0] + 1 / (double)n->side_runs[1];

	buf_printf(b, "CPU times scatter by %s between runs (", PART(n->total.se / sqrt(h)));
	if (n->total.is_told)
		buf_str(b, "as their sources state");
	else if (n->runs == 2)
		buf_printf(b, "%s: one run a side does not show it",
			   runs_were_told ? "as given" : "assumed");
	else
		buf_printf(b, "of %zu and %zu%s", n->side_runs[0], n->side_runs[1],
			   n->runs < 6 ? ", and what is assumed" : "");
	buf_char(b, ')');
}

static void say_functions(struct buf *b, const struct noise *n)
{
	buf_printf(b, ", shares of functions by %s", PART(n->tau));
	if (n->runs == 2)
		buf_str(b, " (from the differences of this pair)");
	if (n->phi > 1)
		buf_printf(b, ", samples %.3g times as chance has it", n->phi);
}

void abs_noise_facts(struct answer *a, const struct noise *n, bool runs_were_told)
{
	struct buf b = { 0 };
	double range[2];

	if (!n) {
		answer_fact(a, "ratio",
			    "B to A; its interval is not known: an input does not "
			    "state how many samples its weights are");
		return;
	}
	if (n->fitted) {
		say_total(&b, n, runs_were_told);
		say_functions(&b, n);
	} else {
		buf_printf(&b,
			   "too few functions with samples to tell a run from a function: all "
			   "scatter by %s between runs (%s)",
			   PART(n->asked.between_runs), runs_were_told ? "as given" : "assumed");
	}
	answer_fact(a, "ratio", "B to A with its 95 %% interval, made of samples and runs: %s",
		    b.data);
	buf_release(&b);
	noise_interval(n->total.change, n->total.se, n->total.df, range);
	answer_fact(a, "whole", "CPU time B is %.3g times A, %.3g to %.3g by how runs differ",
		    exp(n->total.change), range[0], range[1]);
	answer_leads(a);
}
