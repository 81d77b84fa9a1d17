/* Behind whom tasks waited for a CPU. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/sched/blame.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct show {
	enum rq_by by;
	bool waiters;
	struct sched_events events;
	struct blame blame;
	struct answer answer;
};

#define O(member) offsetof(struct show, member)

static const char *const bys[] = {
	[RQ_BY_THREAD] = "thread", [RQ_BY_COMM] = "comm", [RQ_BY_PID] = "pid", NULL
};

static const struct option options[] = {
	{ "by", 0, OPT_WORD, O(by), NULL, "what identifies a task", .words = bys },
	{ "waiters", 0, OPT_FLAG, O(waiters), NULL,
	  "a row for each waiter and each it waited behind" },
	{ 0 },
};

static int begin(void *state, const struct inputs *inputs, struct warnings *w)
{
	struct show *s = state;

	blame_init(&s->blame, NULL);
	s->blame.by = s->by;
	s->blame.waiters = s->waiters;
	return 0;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct show *s = state;
	struct sched_event se;

	if (sched_event_read(&s->events, e, session, &se))
		runqueue_take(s->blame.rq, &se, session);
}

#define WHO_COLUMNS 3

/* What a row begins with when each waiter has rows of its own. */
static const struct column columns[] = {
	{ "waiter_comm", COLUMN_TEXT }, { "waiter_pid", COLUMN_ID },
	{ "waiter_tid", COLUMN_ID },	{ "comm", COLUMN_TEXT },
	{ "pid", COLUMN_ID },		{ "tid", COLUMN_ID },
	{ "wait_ns", COLUMN_NS },	{ "share_pct", COLUMN_PERCENT, 2, NULL },
	{ "count", COLUMN_COUNT },	{ 0 },
};

static void who_cells(struct show *s, uint32_t group)
{
	const struct blame_group *g = &s->blame.groups[group];
	const struct rq_task *t = group < BLAME_TASKS ? NULL : &s->blame.rq->tasks[g->task];
	char text[16];

	answer_cell_text(&s->answer, t			   ? runqueue_name(s->blame.rq, t, text)
				     : group == BLAME_IDLE ? "<idle>"
							   : "<unknown>");
	answer_cell_count_if(&s->answer,
			     t && t->process != UINT32_MAX &&
				     (s->blame.by != RQ_BY_COMM || g->tasks == 1),
			     t ? t->process : 0);
	answer_cell_count_if(&s->answer, t && g->tasks == 1, t ? t->tid : 0);
}

static void rows(struct show *s)
{
	for (size_t i = 0; i < s->blame.count; i++) {
		const struct blame_share *share = &s->blame.shares[i];

		if (s->waiters)
			who_cells(s, share->waiter);
		who_cells(s, share->blamed);
		answer_cell_sum(&s->answer, share->ns);
		answer_cell_real(&s->answer,
				 percent_of((double)share->ns, (double)share->waiter_ns));
		answer_cell_count(&s->answer, share->count);
	}
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct show *s = state;
	int rc = sched_answer(&s->events, session, &s->answer, w);

	if (rc < 0)
		return rc;
	blame_end(&s->blame);
	runqueue_facts(s->blame.rq, &s->answer);
	answer_fact(&s->answer, "waits", "%zu of some length, %s in all, the sum of the rows",
		    s->blame.waits.count, NS_TEXT(answer_sum(&s->answer, s->blame.wait_ns)));
	answer_leads(&s->answer);
	rows(s);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct show *s = state;

	answer_result(&s->answer, columns + (s->waiters ? 0 : WHO_COLUMNS), out);
	s->answer.table.bar_column = (s->waiters ? WHO_COLUMNS : 0) + WHO_COLUMNS;
	s->answer.table.weight_column = s->answer.table.bar_column + 1;
	out->title = "Behind whom tasks waited";
	out->none = "no task waited for a CPU";
	out->none_answers = true;
}

static void release(void *state)
{
	struct show *s = state;

	sched_events_release(&s->events);
	blame_release(&s->blame);
	answer_release(&s->answer);
}

const struct analyzer analyzer_sched_blame = {
	.name = "sched blame",
	.summary = "which tasks ran while others waited for a CPU",
	.question = QUESTION_WAIT,
	.wants = SCHED_WANTS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct show),
	.begin = begin,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
