/* May these inputs be compared, and how? */
#include "analyzers/profile/diff/diff_inputs.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SAMPLES 100 /* effective ones in a run: fewer say nothing of a function */
#define RATES_APART   2
#define LEAST_COMMON  0.01 /* share of what both sides have */
#define SAME_PROGRAM  0.5

const char *const diff_normalize_words[] = { "", "none", "total", "duration", "cpu", NULL };

bool diff_all_foreign_text(const struct diff_inputs *in)
{
	bool text = true;

	for (size_t i = 0; i < in->count; i++)
		text &= in->list[i].is_text && !in->list[i].is_told;
	return text;
}

void diff_inputs_another(struct diff_inputs *in)
{
	size_t at = in->read, left = in->count - at;

	in->list = xrealloc(in->list, (in->count + 1) * sizeof(*in->list));
	memmove(&in->list[at + 1], &in->list[at], left * sizeof(*in->list));
	in->list[at] = (struct diff_input){ .after = in->list[at - 1].after };
	in->count++;
}

/* ---- how ---- */

double diff_basis(enum diff_normalize by, const struct diff_input *i)
{
	switch (by) {
	case NORMALIZE_TOTAL:
		return i->total;
	case NORMALIZE_DURATION:
		return i->duration_ns;
	case NORMALIZE_CPU:
		return i->duration_ns * i->cpus;
	default:
		return 1;
	}
}

/* A whole machine for longer costs more without being slower; a program's run costs what it costs.
 */
const char *diff_normalize(struct diff_inputs *in)
{
	bool wide = true;

	if (in->normalize)
		return "as asked";
	for (size_t i = 0; i < in->count; i++)
		wide &= in->list[i].system_wide && in->list[i].duration_ns > 0;
	in->normalize = wide ? NORMALIZE_DURATION : NORMALIZE_NONE;
	return wide ? "the captures are of whole systems" : "the weights are amounts";
}

double diff_total_change(const struct diff_inputs *in, enum diff_normalize by)
{
	double mean[2] = { 0, 0 };
	size_t n[2] = { 0, 0 };

	for (size_t i = 0; i < in->count; i++) {
		const struct diff_input *one = &in->list[i];
		double basis = diff_basis(by, one);

		if (!(basis > 0))
			return NAN;
		mean[one->after] += one->total / basis;
		n[one->after]++;
	}
	return mean[0] > 0 ? mean[1] / (double)n[1] / (mean[0] / (double)n[0]) : NAN;
}

/* ---- whether ---- */

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

/* CPU time is comparable between machines; other events count different things. */
static bool pair_differs(const struct diff_inputs *in, const struct diff_input *a,
			 const struct diff_input *b, struct buf *said)
{
	if (a->is_text || b->is_text || (a->is_clock && b->is_clock))
		return false;
	if (differ(a->event, b->event))
		buf_printf(said, "the events differ: %s, %s", a->event, b->event);
	else if (differ(a->arch, b->arch))
		buf_printf(said, "the architectures differ: %s, %s", a->arch, b->arch);
	else if (in->by_samples && a->sample_rate != b->sample_rate)
		buf_printf(said, "the sampling rates differ: %" PRIu64 ", %" PRIu64, a->sample_rate,
			   b->sample_rate);
	return said->len > 0;
}

bool diff_differs(const struct diff_inputs *in, struct buf *b)
{
	bool differs = false;

	for (size_t i = 1; !differs && i < in->count; i++)
		differs = pair_differs(in, &in->list[0], &in->list[i], b);
	return differs;
}

static bool rates_are_apart(const struct diff_input *a, const struct diff_input *b)
{
	uint64_t least = a->sample_rate < b->sample_rate ? a->sample_rate : b->sample_rate;
	uint64_t most = a->sample_rate < b->sample_rate ? b->sample_rate : a->sample_rate;

	return least && most / RATES_APART >= least && most > RATES_APART * least;
}

static bool input_tells_little(const struct diff_input *i, double max_lost, struct buf *b)
{
	if (!(i->total > 0) && i->none.len)
		buf_printf(b, "%s: %s", i->path, i->none.data);
	else if (!(i->total > 0))
		buf_printf(b, "%s has no samples", i->path);
	else if (!(i->unit_weight > 0))
		buf_printf(b, "%s does not state how many samples its weights are", i->path);
	else if (round(i->total / i->unit_weight) < LEAST_SAMPLES)
		buf_printf(b, "%s has %s samples, and %d are the least", i->path,
			   COUNT_TEXT((uint64_t)round(i->total / i->unit_weight)), LEAST_SAMPLES);
	else if (percent_of(i->lost, i->samples + i->lost) > max_lost)
		buf_printf(b, "%s lost %s of its samples (limit %s)", i->path,
			   SHARE_TEXT(i->lost, i->samples + i->lost), PERCENT_TEXT(max_lost));
	return b->len > 0;
}

bool diff_tells_little(const struct diff_inputs *in, double max_lost, struct buf *b)
{
	for (size_t i = 0; i < in->count; i++) {
		if (input_tells_little(&in->list[i], max_lost, b))
			return true;
		if (!rates_are_apart(&in->list[0], &in->list[i]))
			continue;
		buf_printf(b, "the sampling rates are far apart: %" PRIu64 ", %" PRIu64,
			   in->list[0].sample_rate, in->list[i].sample_rate);
		return true;
	}
	return false;
}

/* What both sides' distributions over ids have in common: 1 when they are the same; *MOST is the
 * greatest share that one id has in both. VALUES are by id and input. */
static double overlap(const struct diff_inputs *in, const double *values, size_t ids, double *most)
{
	double all[2] = { 0, 0 }, common = 0;

	*most = 0;
	for (size_t i = 0; i < ids * in->count; i++)
		all[in->list[i % in->count].after] += values[i];
	for (size_t id = 0; id < ids && all[0] > 0 && all[1] > 0; id++) {
		double share[2] = { 0, 0 }, least;

		for (size_t c = 0; c < in->count; c++)
			share[in->list[c].after] +=
				values[id * in->count + c] / all[in->list[c].after];
		least = fmin(share[0], share[1]);
		common += least;
		*most = fmax(*most, least);
	}
	return common;
}

bool diff_is_other_program(const struct diff_inputs *in, const struct stackset *set,
			   const struct diff_sums *sums)
{
	const struct stacks_part *p = &set->part;
	double *roots = xcalloc(sums->ids * in->count + 1, sizeof(*roots)), most, commands,
	       functions;

	for (size_t i = 0; i < p->count; i++) {
		for (size_t c = 0; c < in->count && p->rows[i].count; c++)
			roots[p->frames[p->rows[i].first] * in->count + c] +=
				(double)set->amounts[i * in->count + c];
	}
	commands = overlap(in, roots, sums->ids, &most);
	functions = overlap(in, sums->self, sums->ids, &most);
	free(roots);
	return (commands < LEAST_COMMON && functions < SAME_PROGRAM) || most < LEAST_COMMON;
}

void diff_inputs_release(struct diff_inputs *in)
{
	for (size_t i = 0; in->list && i < in->count; i++) {
		free(in->list[i].path);
		free(in->list[i].event);
		free(in->list[i].arch);
		buf_release(&in->list[i].none);
		if (i < in->read)
			stackset_release(&in->list[i].set);
	}
	free(in->list);
}
