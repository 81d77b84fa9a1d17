/* Where threads were when they left the CPU, by the time that they were off it. */
#include "analyzers/sched/off.h"

static const char *const parts[] = { "both", "blocked", "runnable", NULL };

static const struct option options[] = {
	{ "part", 0, OPT_WORD, offsetof(struct off, part), NULL,
	  "all time, that until the wake-up, or that from it on", .words = parts },
	{ .type = OPT_TABLE, .table = off_options, .offset = offsetof(struct off, o) },
	{ 0 },
};

static void add_row(struct off *o, const struct pdt_session *s, const struct off_key *key,
		    uint64_t weight)
{
	stackset_begin(&o->folding.set);
	off_push_off(o, &o->folding, s, key);
	(void)folding_end(&o->folding, weight);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct off *o = state;
	int rc = sched_check_chains(s, w);

	if (rc < 0)
		return rc;
	off_end(o);
	folding_name(&o->folding, s);
	for (size_t i = 0; i < o->keys.count; i++) {
		struct off_key key;

		(void)off_key(o, i, &key);
		if (off_passes(&key, s))
			add_row(o, s, &key, o->weights[i]);
	}
	off_answer(o, s, w);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct off *o = state;

	folding_result(&o->folding, &o->answer, out);
	out->title = "Off-CPU Flame Graph";
	off_none(o, out);
	out->palette = PALETTE_IO;
	out->count_name = "ns";
}

const struct analyzer analyzer_offcpu = {
	.name = "offcpu",
	.summary = "where threads were when they left the CPU, by their time off it",
	.question = QUESTION_WAIT,
	.wants = SCHED_WANTS | PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_STACKS,
	.default_format = "folded",
	.options = options,
	.state_size = sizeof(struct off),
	.begin = off_begin,
	.event = off_event,
	.finish = finish,
	.result = result,
	.release = off_release,
};
