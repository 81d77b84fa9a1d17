/* The map of perf sched: a row for each switch, with a code of two letters for each CPU that says
 * who runs there. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/sched/runqueue.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE	 UINT32_MAX
#define CPUS_MAX 128 /* columns; a row is kept for each switch, so that they cost */
#define CODES	 260 /* A0 to Z0, A1 ... Z9, and again from A0 */

struct coded {
	uint16_t code; /* 0: none yet; 1 is A0 */
	bool told;     /* under its present name */
};

struct show {
	bool compact, fuzzy;
	struct num_list colored, colored_cpus;
	struct name_list names; /* --task-name */
	struct sched_events events;
	struct runqueue rq;
	struct coded *tasks; /* by task of RQ */
	size_t task_count, task_cap;
	uint32_t current[CPUS_MAX]; /* task by CPU; NONE: not known */
	uint32_t order[CPUS_MAX];   /* --compact: CPUs as they came */
	size_t cpu_count;	    /* columns so far */
	bool idle_told;
	uint64_t coded, unshown;
	uint8_t *marks; /* by row */
	size_t row_count, mark_cap;
	struct answer answer;
};

#define O(member) offsetof(struct show, member)

static const struct option options[] = {
	{ "compact", 0, OPT_FLAG, O(compact), NULL,
	  "columns only for CPUs that had a switch, as they come" },
	{ "color-pids", 0, OPT_NUMS, O(colored), "TIDS",
	  "on a terminal, colour rows in which these threads get a CPU" },
	{ "color-cpus", 0, OPT_NUMS, O(colored_cpus), "CPUS",
	  "on a terminal, colour rows of these CPUs" },
	{ "task-name", 0, OPT_NAMES, O(names), "LIST",
	  "only rows in which one of these commands comes or leaves, and - for all others" },
	{ "fuzzy-name", 0, OPT_FLAG, O(fuzzy), NULL,
	  "with --task-name: also commands of which it is a part", .needs = "task-name" },
	{ 0 },
};

/* Only who is who is asked of the run queue. */
static void on_interval(void *ctx, const struct rq_interval *i)
{
}

static int begin(void *state, const struct inputs *inputs, struct warnings *w)
{
	struct show *s = state;

	runqueue_init(&s->rq, on_interval, s);
	memset(s->current, 0xff, sizeof(s->current));
	return 0;
}

static struct coded *coded_of(struct show *s, uint32_t task)
{
	s->tasks = xgrow_to(s->tasks, &s->task_count, &s->task_cap, task, sizeof(*s->tasks));
	return &s->tasks[task];
}

/* True when CPU is new to the map. */
static bool add_cpu(struct show *s, uint32_t cpu)
{
	if (!s->compact) {
		s->cpu_count = cpu < s->cpu_count ? s->cpu_count : (size_t)cpu + 1;
		return false;
	}
	for (size_t i = 0; i < s->cpu_count; i++) {
		if (s->order[i] == cpu)
			return false;
	}
	s->order[s->cpu_count++] = cpu;
	return true;
}

static bool shows_cpu(const struct show *s, uint32_t cpu)
{
	return num_list_passes(&s->rq.filter->cpus, cpu);
}

static const char *comm_of(const struct show *s, uint32_t task, char buf[16])
{
	const struct rq_task *t = &s->rq.tasks[task];

	return t->tid ? runqueue_name(&s->rq, t, buf) : "swapper";
}

/* Is TASK one of --task-name? */
static bool is_named(const struct show *s, uint32_t task)
{
	char buf[16];
	const char *comm = task == NONE ? "" : comm_of(s, task, buf);

	for (size_t i = 0; i < s->names.count; i++) {
		if (s->fuzzy ? strstr(comm, s->names.list[i]) != NULL
			     : !strcmp(comm, s->names.list[i]))
			return true;
	}
	return !s->names.count;
}

static void put_code(struct show *s, struct buf *b, uint32_t task)
{
	uint16_t code;

	if (task == NONE || !is_named(s, task)) {
		buf_str(b, task == NONE ? "  " : "- ");
		return;
	}
	if (!s->rq.tasks[task].tid) {
		buf_str(b, ". ");
		return;
	}
	code = coded_of(s, task)->code - 1;
	buf_printf(b, "%c%c", 'A' + code % 26, '0' + code / 26);
}

static void give_code(struct show *s, uint32_t task)
{
	struct coded *c = coded_of(s, task);

	if (s->rq.tasks[task].tid && !c->code && is_named(s, task))
		c->code = (uint16_t)(s->coded++ % CODES + 1);
}

static void cpus_cell(struct show *s, uint32_t here)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < s->cpu_count; i++) {
		uint32_t cpu = s->compact ? s->order[i] : (uint32_t)i;

		if (!shows_cpu(s, cpu))
			continue;
		buf_str(&b, cpu == here ? "*" : " ");
		put_code(s, &b, s->current[cpu]);
		buf_str(&b, " ");
	}
	answer_cell_text(&s->answer, b.len ? b.data : "");
	buf_release(&b);
}

static void show_row(struct show *s, const struct sched_event *e, bool new_cpu)
{
	uint32_t task = s->current[e->cpu], tid = s->rq.tasks[task].tid;
	bool *told = tid ? &coded_of(s, task)->told : &s->idle_told;
	bool tell = !*told && is_named(s, task);
	struct buf b = { 0 };
	char buf[16];
	const char *comm = comm_of(s, task, buf);

	s->marks = xgrow(s->marks, &s->mark_cap, s->row_count + 1, sizeof(*s->marks));
	s->marks[s->row_count++] =
		num_list_has(&s->colored, tid) || num_list_has(&s->colored_cpus, e->cpu)
			? MARK_LESS
			: MARK_NONE;
	cpus_cell(s, e->cpu);
	answer_cell_count(&s->answer, e->time_ns);
	if (tell) {
		put_code(s, &b, task);
		buf_printf(&b, " => %s:%" PRIu32, comm, tid);
		*told = true;
	}
	if (new_cpu)
		buf_printf(&b, "%s(CPU %" PRIu32 ")", tell ? " " : "", e->cpu);
	answer_cell_text(&s->answer, b.len ? b.data : "");
	answer_cell_count(&s->answer, e->cpu);
	answer_cell_text(&s->answer, comm);
	answer_cell_count(&s->answer, tid);
	buf_release(&b);
}

static bool has_task_filter(const struct filter *f)
{
	return f->pids.count || f->tids.count || f->comms.count;
}

/* Is it a row that the user wants: of a chosen CPU, moment, and task that comes or leaves? */
static bool wants_row(const struct show *s, const struct sched_event *e, uint32_t task,
		      uint32_t left)
{
	const struct filter *f = s->rq.filter;

	if (e->left_out || !shows_cpu(s, e->cpu) || !num_list_passes(&f->times, e->time_ns) ||
	    (!is_named(s, task) && (left == NONE || !is_named(s, left))))
		return false;
	return !has_task_filter(f) || runqueue_wants(&s->rq, &s->rq.tasks[task]) ||
	       (left != NONE && runqueue_wants(&s->rq, &s->rq.tasks[left]));
}

static void take_switch(struct show *s, const struct sched_event *e)
{
	uint32_t task, left;
	bool new_cpu;

	if (e->cpu >= CPUS_MAX || e->cpu >= s->rq.cpu_count) {
		s->unshown++;
		return;
	}
	task = s->rq.cpus[e->cpu].current;
	left = s->current[e->cpu];
	s->current[e->cpu] = task;
	new_cpu = add_cpu(s, e->cpu);
	give_code(s, task);
	if (wants_row(s, e, task, left))
		show_row(s, e, new_cpu);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct show *s = state;
	struct sched_event se;
	uint32_t task;

	if (!s->rq.filter) {
		uint32_t cpus = (uint32_t)pdt_number(session, PDT_CPUS_AVAILABLE);

		runqueue_configure(&s->rq, session);
		s->cpu_count = s->compact ? 0 : cpus < CPUS_MAX ? cpus : CPUS_MAX;
	}
	if (!sched_event_read(&s->events, e, session, &se))
		return;
	runqueue_event(&s->rq, &se);
	if (se.kind == SCHED_SWITCH || se.kind == SCHED_IN)
		take_switch(s, &se);
	task = se.kind == SCHED_COMM ? idmap_get(&s->rq.by_tid, se.pid) : IDMAP_NONE;
	if (task < s->rq.count)
		coded_of(s, task)->told = false;
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct show *s = state;
	int rc = sched_answer(&s->events, session, &s->answer, w);

	if (rc < 0)
		return rc;
	runqueue_facts(&s->rq, &s->answer);
	if (s->coded > CODES)
		answer_warn(&s->answer, "codes", "%" PRIu64 " tasks share %d: each was used again",
			    s->coded, CODES);
	if (s->unshown)
		answer_warn(&s->answer, "not shown", "%" PRIu64 " switches of CPUs from %d on",
			    s->unshown, CPUS_MAX);
	return 0;
}

static const struct column columns[] = {
	{ "cpus", COLUMN_TEXT },
	{ "time_ns", COLUMN_TIME_NS },
	{ "task", COLUMN_TEXT },
	{ "cpu", COLUMN_ID },
	{ "comm", COLUMN_TEXT },
	{ "tid", COLUMN_ID },
	{ 0 },
};

static const uint8_t summary[] = { 1, 0, 2 };

static void result(void *state, struct result *out)
{
	struct show *s = state;

	answer_result(&s->answer, columns, out);
	s->answer.table.summary_columns = ARRAY_SIZE(summary);
	s->answer.table.summary = summary;
	s->answer.table.marks = s->colored.count || s->colored_cpus.count ? s->marks : NULL;
	out->title = "Who ran where";
}

static void release(void *state)
{
	struct show *s = state;

	sched_events_release(&s->events);
	runqueue_release(&s->rq);
	answer_release(&s->answer);
	free(s->tasks);
	free(s->marks);
}

const struct analyzer analyzer_sched_map = {
	.name = "sched map",
	.summary = "who ran on each CPU, switch by switch, in codes of two letters",
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
