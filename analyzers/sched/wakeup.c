/* Who ended the sleeps of threads: the stack in which a thread went to sleep, "--", and the stack
 * of its waker turned round, so that the two ends meet; then the waker's own waker, and so on.
 * Weighted by the time blocked. */
#include "analyzers/count/missing.h"
#include "analyzers/sched/off.h"

#include <stdlib.h>

static const struct option options[] = {
	{ "depth", 0, OPT_COUNT, offsetof(struct off, depth), "N",
	  "follow the wakers of wakers, to N of them", .initial = "1", .least = 1,
	  .most = OFF_DEPTH_MAX },
	{ .type = OPT_TABLE, .table = off_options, .offset = offsetof(struct off, o) },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	((struct off *)state)->part = OFF_BLOCKED;
	return off_begin(state, in, w);
}

static void add_row(struct off *o, const struct pdt_session *s, size_t i)
{
	struct off_key key;
	unsigned links = off_key(o, i, &key);

	if (!off_passes(&key, s))
		return;
	stackset_begin(&o->folding.set);
	off_push_wakers(o, &o->folding, s, &key, links);
	(void)folding_end(&o->folding, o->weights[i]);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct off *o = state;
	int rc = sched_check_chains(s, w);

	if (rc < 0)
		return rc;
	if (!sched_records(s, "sched_waking") && !sched_records(s, "sched_wakeup"))
		return missing_events(s, "sched:sched_waking",
				      "perf record -a -g -c1 -m 1024 -e sched:sched_switch,"
				      "sched:sched_waking,sched:sched_wakeup_new -- sleep 10",
				      w);
	off_end(o);
	folding_name(&o->folding, s);
	for (size_t i = 0; i < o->keys.count; i++)
		add_row(o, s, i);
	off_answer(o, s, w);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct off *o = state;

	folding_result(&o->folding, &o->answer, out);
	out->title = o->depth > 1 ? "Chain Graph" : "Off-Wake Time Flame Graph";
	off_none(o, out);
	out->palette = PALETTE_CHAIN;
	out->count_name = "ns";
}

const struct analyzer analyzer_wakeup = {
	.name = "wakeup",
	.summary = "who ended the sleeps of threads, by the time that these were blocked",
	.question = QUESTION_WAIT,
	.wants = SCHED_WANTS | PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_STACKS,
	.default_format = "folded",
	.options = options,
	.state_size = sizeof(struct off),
	.begin = begin,
	.event = off_event,
	.finish = finish,
	.result = result,
	.release = off_release,
};
