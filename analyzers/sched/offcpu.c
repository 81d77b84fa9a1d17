/* Where threads were when they left the CPU, by the time that they were off it. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/sched/off.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <string.h>

struct offcpu {
	struct off off;
	struct answer answer;
};

static const char *const parts[] = { "both", "blocked", "runnable", NULL };

static const struct option options[] = {
	{ "part", 0, OPT_WORD, offsetof(struct offcpu, off.part), NULL,
	  "all time, that until the wake-up, or that from it on", .words = parts },
	{ .type = OPT_TABLE, .table = off_options, .offset = offsetof(struct offcpu, off.o) },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct offcpu *c = state;

	off_begin(&c->off);
	return 0;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct offcpu *c = state;

	off_event(&c->off, e, s);
}

static void add_row(struct off *o, const struct pdt_session *s, const struct off_key *key,
		    uint64_t weight)
{
	struct stackset *set = &o->folding.set;
	char tag[8];
	int len = snprintf(tag, sizeof(tag), "[%c]", (int)key->letter);

	stackset_begin(set);
	off_push(o, s, key->label, key->stack);
	stackset_reserve(set, 1);
	stackset_push(set, stackset_frame(set, tag, (size_t)len));
	stackset_end(set, weight);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct offcpu *c = state;
	struct off *o = &c->off;
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
	answer_capture(&c->answer, s);
	off_facts(o, &c->answer, s, w);
	off_forget(o);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct offcpu *c = state;

	folding_result(&c->off.folding, &c->answer, out);
	out->title = "Off-CPU Flame Graph";
	out->palette = PALETTE_IO;
	out->count_name = "ns";
}

static void release(void *state)
{
	struct offcpu *c = state;

	off_release(&c->off);
	answer_release(&c->answer);
}

const struct analyzer analyzer_offcpu = {
	.name = "offcpu",
	.summary = "where threads were when they left the CPU, by their time off it",
	.wants = SCHED_WANTS | PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_STACKS,
	.default_format = "folded",
	.options = options,
	.state_size = sizeof(struct offcpu),
	.begin = begin,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
