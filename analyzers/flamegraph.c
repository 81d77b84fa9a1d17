/* A flame graph: the stacks of captures or of folded text, to be drawn. */
#include "analyzers/lib/answer.h"
#include "analyzers/lib/folding.h"

struct flamegraph {
	struct folding folding;
	struct answer answer;
};

static const struct option options[] = {
	FOLDING_OPTIONS(offsetof(struct flamegraph, folding.o)),
	{ "reverse", 0, OPT_FLAG, offsetof(struct flamegraph, folding.o.reverse), NULL,
	  "merge stacks from their leaves", false },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct flamegraph *g = state;

	(void)in;
	answer_init(&g->answer);
	return folding_begin(&g->folding, w);
}

static void configure(void *state, struct session_options *o)
{
	const struct flamegraph *g = state;

	folding_configure(&g->folding, o);
}

static void event(void *state, const struct event *e, const struct session *s)
{
	struct flamegraph *g = state;

	folding_event(&g->folding, e, s);
}

static int finish(void *state, const struct session *s, const struct filter *f, struct warnings *w)
{
	struct flamegraph *g = state;

	answer_capture(&g->answer, s, f);
	return folding_finish(&g->folding, s, f, w);
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct flamegraph *g = state;

	answer_folded(&g->answer, f);
	return folding_text(&g->folding, f, w);
}

static void result(void *state, struct result *out)
{
	struct flamegraph *g = state;

	folding_result(&g->folding, &g->answer, out);
}

static void release(void *state)
{
	struct flamegraph *g = state;

	folding_release(&g->folding);
	answer_release(&g->answer);
}

const struct analyzer analyzer_flamegraph = {
	.name = "flamegraph",
	.summary = "an interactive flame graph, of captures or folded text",
	.needs = NEED_STACKS | NEED_COMMS,
	.shapes = SHAPE_STACKS,
	.default_format = "svg",
	.options = options,
	.state_size = sizeof(struct flamegraph),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
