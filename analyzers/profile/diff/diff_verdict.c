/* The verdict, and the facts that it rests on. */
#include "analyzers/profile/diff/diff_verdict.h"
#include "parser/base/buf.h"

#include <math.h>
#include <stdio.h>

#define MUCH_UNNAMED 50 /* percent: then the unnamed part is the common factor */

static const double shown_shares[] = { 0.01, 0.1 };
#define WANTED_CHANGE 0.05

/* As many digits as an interval is worth. */
static const char *rounded(char text[AMOUNT_MAX], double part)
{
	double percent = 100 * fabs(part);

	snprintf(text, AMOUNT_MAX, percent < 9.95 ? "%.1f%%" : "%.0f%%", percent);
	return text;
}

#define PART(part)     rounded((char[AMOUNT_MAX]){ 0 }, part)
#define GROWTH(factor) PART((factor)-1)

/* "grew by 48 % (36 % to 61 %)". */
static void say_change(struct buf *b, const struct noise_test *t)
{
	double range[2], factor = exp(t->change);
	bool grew = t->change > 0;

	noise_interval(t->change, t->se, t->df, range);
	buf_printf(b, "%s by %s (%s%s to %s%s)", grew ? "grew" : "shrank", GROWTH(factor),
		   (grew ? range[0] < 1 : range[1] > 1) ? "-" : "", GROWTH(range[grew ? 0 : 1]),
		   (grew ? range[1] < 1 : range[0] > 1) ? "-" : "", GROWTH(range[grew ? 1 : 0]));
}

/* A row that is there on one side only has no ratio worth a number. */
static void say_row(struct buf *b, const struct diff_rows *rows, size_t i)
{
	const struct diff_amount *m = rows->amounts[i];

	buf_printf(b, "%s ", rows->names[i]);
	if (!(m->total[0] > 0) || !(m->total[1] > 0))
		buf_printf(b, "is %s", m->total[0] > 0 ? "gone" : "new");
	else
		say_change(b, diff_amount_test(m));
}

static void say_others(struct buf *b, const struct diff_outcome *o, size_t first)
{
	const struct diff_rows *rows = o->rows;
	size_t others = 0, callers = 0;
	uint32_t cause = (uint32_t)(rows->amounts[first] - rows->all->list);

	for (size_t i = 0; i < rows->count; i++) {
		const struct diff_amount *m = rows->amounts[i];

		if (i == first || m->certainty < CERTAINTY_PAIR)
			continue;
		others++;
		callers += rows->causes && rows->causes[m - rows->all->list] == cause;
	}
	if (!others)
		return;
	buf_printf(b, "; %s more changed", COUNT_TEXT(others));
	if (callers == others)
		buf_printf(b, ", %s", others > 1 ? "all callers of it" : "a caller of it");
	else if (callers)
		buf_printf(b, ", %s of them callers of it", COUNT_TEXT(callers));
}

/* The smallest changes that would be seen: "22 % in a function of 10 %". */
static void say_power(struct buf *b, const struct diff_outcome *o)
{
	const struct noise *n = o->noise;
	size_t runs = n->side_runs[0] < n->side_runs[1] ? n->side_runs[0] : n->side_runs[1];

	for (size_t i = 2; i-- > 0;) {
		double least = noise_least_change(n, shown_shares[i], runs, o->rows->all->family);

		buf_str(b, i == 1 ? "" : ", ");
		if (isfinite(least))
			buf_printf(b, "%s in one of %s", PART(least), PART(shown_shares[i]));
		else
			buf_printf(b, "none in one of %s", PART(shown_shares[i]));
	}
}

static void say_verdict(struct buf *b, const struct diff_outcome *o)
{
	const struct diff_rows *rows = o->rows;
	const struct noise *n = o->noise;
	size_t first = 0;

	if (o->void_because) {
		buf_printf(b, "%s: %s", o->gate ? "cannot compare" : "nothing is certain",
			   o->void_because);
		return;
	}
	if (!n) {
		buf_str(b, "nothing is certain");
		return;
	}
	while (first < rows->count && rows->amounts[first]->certainty < CERTAINTY_PAIR)
		first++;
	if (first == rows->count) {
		buf_printf(b, "no %s changed beyond noise; would have been seen: ", o->rows_are);
		say_power(b, o);
		return;
	}
	say_row(b, rows, first);
	if (rows->amounts[first]->certainty == CERTAINTY_SURE)
		buf_printf(b, ", sure: %zu and %zu runs", n->side_runs[0], n->side_runs[1]);
	else
		buf_str(b, " between these two captures; how runs differ is not known");
	say_others(b, o, first);
}

void diff_verdict(struct answer *a, const struct diff_outcome *o)
{
	struct buf b = { 0 };
	struct fact verdict;

	say_verdict(&b, o);
	answer_fact(a, "verdict", "%s", b.data);
	answer_leads(a);
	buf_release(&b);
	verdict = a->facts[a->fact_count - 1];
	for (size_t i = a->fact_count - 1; i > 0; i--)
		a->facts[i] = a->facts[i - 1];
	a->facts[0] = verdict;
}

/* ---- facts ---- */

static void noise_fact(struct answer *a, const struct diff_outcome *o)
{
	const struct noise *n = o->noise;
	bool one = n->runs == 2;

	if (!n->fitted)
		answer_fact(a, "noise",
			    "too few %ss with samples to tell a run from a %s: all scatter between "
			    "runs by %s (assumed)",
			    o->rows_are, o->rows_are, PART(n->asked.between_runs));
	else
		answer_fact(
			a, "noise",
			"%s %ss, apart from what is common to a run: they scatter by %s between "
			"runs%s, samples %.3g times as chance has it",
			COUNT_TEXT(n->fitted), o->rows_are, PART(n->tau),
			one ? " (from the differences of this pair)" : "", n->phi);
	if (o->unnamed > MUCH_UNNAMED)
		answer_warn(
			a, "unnamed",
			"%s of the weight has no name, which is not tested: the rest is measured "
			"against itself",
			PERCENT_TEXT(o->unnamed));
}

static void total_fact(struct answer *a, const struct noise *n)
{
	double range[2];
	struct buf b = { 0 };

	if (isnan(n->total.change)) {
		answer_warn(a, "whole", "not compared: shares are");
		return;
	}
	noise_interval(n->total.change, n->total.se, n->total.df, range);
	buf_printf(&b, "%s%s, ", n->total.change < 0 ? "-" : "+", GROWTH(exp(n->total.change)));
	buf_printf(&b, "%s%s to %s%s by how runs differ", range[0] < 1 ? "-" : "+",
		   GROWTH(range[0]), range[1] < 1 ? "-" : "+", GROWTH(range[1]));
	if (n->runs == 2)
		buf_printf(&b, " (%s, assumed): one run a side cannot tell program from machine",
			   PART(n->asked.between_runs));
	answer_warn(a, "whole", "%s", b.data);
	buf_release(&b);
}

static void power_fact(struct answer *a, const struct diff_outcome *o)
{
	const struct noise *n = o->noise;
	size_t runs = n->side_runs[0] < n->side_runs[1] ? n->side_runs[0] : n->side_runs[1];
	struct buf b = { 0 };

	buf_str(&b, "smallest changes seen in 4 of 5 cases: ");
	say_power(&b, o);
	answer_fact(a, "power", "%s", b.data);
	b.len = 0;
	for (size_t i = 2; i-- > 0;) {
		size_t need =
			noise_runs_needed(n, shown_shares[i], WANTED_CHANGE, o->rows->all->family);

		buf_printf(&b, "%sin a %s of %s ", b.len ? "; " : "", o->rows_are,
			   PART(shown_shares[i]));
		if (need && need <= runs)
			buf_str(&b, "these are enough");
		else if (need)
			buf_printf(&b, "%s more runs a side", COUNT_TEXT(need - runs));
		else
			buf_str(&b, "more than 100 runs a side");
	}
	answer_fact(a, "runs needed", "to see a change of %s: %s", PART(WANTED_CHANGE), b.data);
	buf_release(&b);
}

void diff_noise_facts(struct answer *a, const struct diff_outcome *o)
{
	if (!o->noise) {
		answer_fact(a, "noise", "not known%s%s", o->void_because ? ": " : "",
			    o->void_because ?: "");
		return;
	}
	noise_fact(a, o);
	total_fact(a, o->noise);
	power_fact(a, o);
	answer_fact(a, "found",
		    "%s of %s rows, at a false-discovery rate of 5 %% among %s weights, self and "
		    "inclusive, of %s of the total and %d samples or more",
		    COUNT_TEXT(o->rows->all->found), COUNT_TEXT(o->rows->all->all),
		    COUNT_TEXT(o->rows->all->family), PART(NOISE_LEAST_SHARE), NOISE_LEAST_SAMPLES);
}
