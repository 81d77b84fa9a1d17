/* Folded stacks: how much weight each call stack holds. */
#include "analyzers/count/answer.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/missing.h"
#include "analyzers/profile/parts.h"
#include "parser/base/mem.h"

#include <stdlib.h>

struct collapse {
	struct folding folding;
	struct answer answer;
	enum { COMPAT_NONE, COMPAT_STACKCOLLAPSE } compat;
};

static const char *const compats[] = { "", "stackcollapse", NULL };

static const struct option options[] = {
	{ .type = OPT_TABLE,
	  .table = weigh_options,
	  .offset = offsetof(struct collapse, folding.o.weigh) },
	{ .type = OPT_TABLE,
	  .table = folding_options,
	  .offset = offsetof(struct collapse, folding.o) },
	{ "compat", 0, OPT_WORD, offsetof(struct collapse, compat), NULL,
	  "exactly the bytes of perf script | stackcollapse-perf.pl", .words = compats },
	{ "pid", 0, OPT_SAME, 0, "--label-pid", "with --compat", .compat_only = true },
	{ "tid", 0, OPT_SAME, 0, "--label-tid", "with --compat", .compat_only = true },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct collapse *c = state;

	c->folding.o.compat = c->compat ? &compat_stackcollapse : NULL;
	return folding_begin(&c->folding, w);
}

static void configure(void *state, struct asked *o)
{
	struct collapse *c = state;

	folding_configure(&c->folding, o);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct collapse *c = state;

	folding_event(&c->folding, e, s);
}

static bool part(void *part, const void *state, const struct pdt_session *s)
{
	const struct collapse *c = state;

	return folding_part(&((struct collapse *)part)->folding, &c->folding, s);
}

static bool part_spoilt(const void *part)
{
	return ((const struct collapse *)part)->folding.samples.made_room;
}

static void part_end(void *state, void *part, const struct pdt_session *s,
		     const struct share_ids *ids)
{
	struct collapse *c = state, *one = part;

	folding_part_end(&c->folding, &one->folding, s, ids);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct collapse *c = state;

	answer_capture(&c->answer, s);
	if (!weigh_by_branches(&c->folding.o.weigh))
		missing_part(s, PART_STACK, w);
	return folding_finish(&c->folding, s, w);
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct collapse *c = state;

	if (c->compat) {
		warn_add(w, SEV_FATAL, "usage", "--compat takes captures, no folded text");
		return ERR_USAGE;
	}
	answer_folded(&c->answer, f);
	return folding_text(&c->folding, f, w);
}

static void result(void *state, struct result *out)
{
	struct collapse *c = state;

	folding_result(&c->folding, &c->answer, out);
}

static void release(void *state)
{
	struct collapse *c = state;

	folding_release(&c->folding);
	answer_release(&c->answer);
}

const struct analyzer analyzer_collapse = {
	.name = "collapse",
	.summary = "folded stacks: how much weight each call stack holds",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_STACKS,
	.default_format = "folded",
	.options = options,
	.state_size = sizeof(struct collapse),
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
