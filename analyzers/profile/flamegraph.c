/* A flame graph: the stacks of captures or of folded text, to be drawn. With --flamechart, time
 * goes from left to right: of a capture by its clock, of folded text by the order of its lines. */
#include "analyzers/count/answer.h"
#include "analyzers/lanes/callchart.h"
#include "analyzers/lanes/chart.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/missing.h"
#include "analyzers/profile/ordered.h"
#include "analyzers/profile/parts.h"
#include "parser/base/mem.h"

#include <stdlib.h>

struct flamegraph {
	struct folding folding;
	struct answer answer;
	bool flamechart;
	bool itrace;
	struct chart chart;	 /* of a capture */
	struct call_chart calls; /* of a trace of instructions */
	struct ordered ordered;	 /* of folded text */
};

static const struct option options[] = {
	{ .type = OPT_TABLE,
	  .table = weigh_options,
	  .offset = offsetof(struct flamegraph, folding.o.weigh) },
	{ .type = OPT_TABLE,
	  .table = folding_options,
	  .offset = offsetof(struct flamegraph, folding.o) },
	{ "reverse", 0, OPT_FLAG, offsetof(struct flamegraph, folding.o.reverse), NULL,
	  "merge stacks from their leaves" },
	{ "flamechart", 0, OPT_FLAG, offsetof(struct flamegraph, flamechart), NULL,
	  "over time: merge only adjacent frames" },
	{ "itrace", 0, OPT_FLAG, offsetof(struct flamegraph, itrace), NULL,
	  "with --flamechart: each call with its times, out of a trace of instructions (Intel PT)",
	  .needs = "flamechart" },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct flamegraph *g = state;

	if (g->flamechart && in->count > 1) {
		warn_add(w, SEV_FATAL, "usage",
			 "--flamechart takes one input: the times of several are unrelated");
		return ERR_USAGE;
	}
	if (g->flamechart && prune_any(&g->folding.o.prune)) {
		warn_add(w, SEV_FATAL, "usage",
			 "--flamechart has all stacks and frames: --include, --exclude, --base, "
			 "--skip and --collapse-recursion do not go with it");
		return ERR_USAGE;
	}
	if (g->flamechart && weigh_special(&g->folding.o.weigh)) {
		warn_add(w, SEV_FATAL, "usage",
			 "--flamechart is about time: fields and branches do not go with it");
		return ERR_USAGE;
	}
	g->folding.set.by_line = true;
	return folding_begin(&g->folding, w);
}

static void configure(void *state, struct asked *o)
{
	struct flamegraph *g = state;

	folding_configure(&g->folding, o);
	if (g->flamechart)
		o->renumbered = NULL; /* each sample is kept */
	o->itrace.calls = o->itrace.returns = g->itrace;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct flamegraph *g = state;

	if (!g->itrace || e->flow) /* what was sampled beside the trace is not in the drawing */
		folding_event(&g->folding, e, s);
	if (g->itrace)
		call_chart_add(&g->calls, e, s);
	else if (g->flamechart && e->desc == g->folding.only)
		chart_add(&g->chart, e);
}

static bool part(void *part, const void *state, const struct pdt_session *s)
{
	const struct flamegraph *g = state;

	return !g->flamechart &&
	       folding_part(&((struct flamegraph *)part)->folding, &g->folding, s);
}

static bool part_spoilt(const void *part)
{
	return ((const struct flamegraph *)part)->folding.samples.made_room;
}

static void part_end(void *state, void *part, const struct pdt_session *s,
		     const struct share_ids *ids)
{
	struct flamegraph *g = state, *one = part;

	folding_part_end(&g->folding, &one->folding, s, ids);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct flamegraph *g = state;
	int rc;

	answer_capture(&g->answer, s);
	if (!weigh_by_branches(&g->folding.o.weigh) && !g->itrace)
		missing_part(s, PART_STACK, w);
	rc = folding_finish(&g->folding, s, w);
	if (rc == 0 && g->itrace)
		call_chart_finish(&g->calls, s, &g->answer);
	else if (rc == 0 && g->flamechart)
		rc = chart_finish(&g->chart, &g->folding, s, w);
	return rc;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct flamegraph *g = state;

	answer_folded(&g->answer, f);
	if (!g->flamechart)
		return folding_text(&g->folding, f, w);
	return ordered_read(&g->ordered, f, g->folding.o.reverse, w);
}

static void result(void *state, struct result *out)
{
	struct flamegraph *g = state;

	ordered_finish(&g->ordered);
	answer_held(&g->answer, g->ordered.set.overflow);
	folding_result(&g->folding, &g->answer, out);
	if (g->ordered.set.row_count) {
		ordered_result(&g->ordered, out);
	} else if (g->itrace) {
		call_chart_result(&g->calls, out);
		out->stacks = NULL;
	} else if (g->flamechart) {
		chart_result(&g->chart, &g->folding, out);
		out->stacks = NULL;
	}
}

static void release(void *state)
{
	struct flamegraph *g = state;

	chart_release(&g->chart);
	call_chart_release(&g->calls);
	ordered_release(&g->ordered);
	folding_release(&g->folding);
	answer_release(&g->answer);
}

const struct analyzer analyzer_flamegraph = {
	.name = "flamegraph",
	.summary = "an interactive flame graph, of captures or folded text",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_STACKS | SHAPE_CHANGES | SHAPE_TIMELINE,
	.default_format = "svg",
	.options = options,
	.state_size = sizeof(struct flamegraph),
	.begin = begin,
	.configure = configure,
	.event = event,
	.part = part,
	.part_spoilt = part_spoilt,
	.part_end = part_end,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
