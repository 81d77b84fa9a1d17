/* What the CPUs did, or the threads, over time: lanes of spans, and who woke up whom. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/sched/runqueue.h"
#include "formats/model/squeeze.h"
#include "parser/base/compare.h"
#include "parser/base/buf.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE	       UINT32_MAX
#define SPANS_MOST     100000000
#define KEEP_TASKS     3
#define KEEP_STATES    8
#define STATE_LETTERS  256 /* blocked, by letter */
#define STATE_RUNNING  256
#define STATE_RUNNABLE 257
#define STATE_UNKNOWN  258
#define STATES	       259

/* A wake-up: the last one of a task, and the one that brought it onto its CPU. */
struct wakeup {
	uint64_t ns;	/* 0: none */
	uint32_t cpu;	/* where the waker ran */
	uint32_t waker; /* task; NONE: an interrupt while nobody ran, or not known */
};

struct woken {
	struct wakeup last, run;
	uint64_t run_ns; /* when RUN made it run */
};

struct show {
	enum { BY_CPU, BY_THREAD } by;
	uint64_t most;
	struct name_list processes; /* --process */
	struct sched_events events;
	struct runqueue rq;
	struct squeeze squeeze;
	struct woken *woken; /* by task */
	size_t woken_count, woken_cap;
	uint64_t unplaced_ns; /* ran on an unknown CPU */
	struct answer answer;
	struct timeline_part part;
	const char **names;
	const char **groups; /* by task: its command */
	uint8_t *kinds;
	struct lane *lanes;
	struct span *spans;
	uint32_t *lane_of; /* lane of SQUEEZE -> lane of PART */
	struct arrow *arrows;
};

/* What says more of a part of the time. */
static const char *const by_cpu[] = { "sched timeline", "sched timeline --by thread",
				      "sched latency", "sched blame", NULL };
static const char *const by_thread[] = { "sched timeline --by thread", "sched timeline",
					 "sched latency", "sched blame", NULL };

#define O(member) offsetof(struct show, member)

static const char *const bys[] = { "cpu", "thread", NULL };

static const struct option options[] = {
	{ "by", 0, OPT_WORD, O(by), NULL,
	  "what a lane is: a CPU, with the tasks that ran there, or a thread, with its states",
	  .words = bys },
	/* a drawing of some 10 MB */
	{ "spans", 0, OPT_COUNT, O(most), "N",
	  "add up the shortest spans where there are more; 0: keep every one", .initial = "1000000",
	  .most = SPANS_MOST },
	{ "process", 'p', OPT_TEXTS, O(processes), "PID|NAME",
	  "only this process, by its id or command (may be repeated)" },
	{ 0 },
};

static void on_interval(void *ctx, const struct rq_interval *i);

static int begin(void *state, const struct inputs *inputs, struct warnings *w)
{
	struct show *s = state;

	runqueue_init(&s->rq, on_interval, s);
	s->squeeze.most = s->most;
	s->squeeze.keep = s->by == BY_THREAD ? KEEP_STATES : KEEP_TASKS;
	return 0;
}

/* ---- intervals become spans ---- */

static struct woken *woken_of(struct show *s, uint32_t task)
{
	s->woken = xgrow_to(s->woken, &s->woken_count, &s->woken_cap, task, sizeof(*s->woken));
	return &s->woken[task];
}

/* The wake-up that the interval comes from; all zeros: none. */
static struct wakeup cause_of(struct show *s, const struct rq_interval *i)
{
	struct woken *w = woken_of(s, i->task);
	struct wakeup cause = { 0 };

	if (i->state == RQ_RUNNABLE) {
		if (i->cause != CAUSE_PREEMPTED)
			cause = w->last;
		w->last.ns = 0;
		w->run = cause;
		w->run_ns = i->end_ns;
	} else if (i->state == RQ_RUNNING) {
		if (w->run_ns == i->start_ns)
			cause = w->run;
		w->run.ns = 0;
	}
	return cause;
}

static uint32_t state_name(const struct rq_interval *i)
{
	switch (i->state) {
	case RQ_RUNNING:
		return STATE_RUNNING;
	case RQ_RUNNABLE:
		return STATE_RUNNABLE;
	case RQ_BLOCKED:
		return (unsigned char)i->letter;
	default:
		return STATE_UNKNOWN;
	}
}

/* Is TASK one of those that the user wants, also by --process? */
static bool wants(const struct show *s, uint32_t task)
{
	const struct rq_task *t = &s->rq.tasks[task];
	char name[16], pid[16];
	bool named = !s->processes.count;

	snprintf(pid, sizeof(pid), "%" PRIu32, t->process);
	for (size_t i = 0; i < s->processes.count && !named; i++)
		named = !strcmp(s->processes.list[i], pid) ||
			!strcmp(s->processes.list[i], runqueue_name(&s->rq, t, name));
	return named && runqueue_wants(&s->rq, t);
}

static void add_state(struct show *s, const struct rq_interval *i, const struct wakeup *cause)
{
	const struct num_list *cpus = &s->rq.filter->cpus;
	bool on_cpu = i->state == RQ_RUNNING || i->state == RQ_RUNNABLE;
	struct squeeze_span span = { i->start_ns,  i->end_ns,	 cause->ns,
				     cause->waker, cause->waker, state_name(i) };

	if (!s->rq.tasks[i->task].tid || (on_cpu && !num_list_passes(cpus, i->cpu)))
		return;
	squeeze_aside(&s->squeeze, i->task, !wants(s, i->task));
	squeeze_add(&s->squeeze, i->task, &span);
}

static void add_run(struct show *s, const struct rq_interval *i, const struct wakeup *cause)
{
	const struct num_list *cpus = &s->rq.filter->cpus;
	struct squeeze_span span = { i->start_ns, i->end_ns,	cause->ns,
				     cause->cpu,  cause->waker, i->task };

	if (i->state != RQ_RUNNING || !num_list_passes(cpus, i->cpu) || !wants(s, i->task))
		return;
	if (i->cpu < SCHED_CPUS_MAX)
		squeeze_add(&s->squeeze, i->cpu, &span);
	else
		(void)add_held(&s->unplaced_ns, i->end_ns - i->start_ns);
}

static void on_interval(void *ctx, const struct rq_interval *i)
{
	struct show *s = ctx;
	struct wakeup cause = cause_of(s, i);

	if (i->left_out)
		return;
	if (s->by == BY_THREAD)
		add_state(s, i, &cause);
	else
		add_run(s, i, &cause);
}

static void take_wakeup(struct show *s, const struct sched_event *e)
{
	uint32_t task = idmap_get(&s->rq.by_tid, e->pid);
	uint32_t waker =
		e->current && !e->interrupt ? idmap_get(&s->rq.by_tid, e->current) : IDMAP_NONE;
	const struct rq_task *t;
	struct woken *w;

	if (task >= s->rq.count)
		return;
	t = &s->rq.tasks[task];
	w = woken_of(s, task);
	if ((t->state == RQ_RUNNABLE && t->since_ns == e->time_ns) ||
	    (t->state == RQ_RUNNING && !w->last.ns))
		w->last = (struct wakeup){ e->time_ns, e->cpu, waker < s->rq.count ? waker : NONE };
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct show *s = state;
	struct sched_event se;

	if (!sched_event_read(&s->events, e, session, &se))
		return;
	runqueue_take(&s->rq, &se, session);
	if (se.kind == SCHED_WAKING || se.kind == SCHED_WAKEUP || se.kind == SCHED_WAKEUP_NEW)
		take_wakeup(s, &se);
}

/* ---- the result ---- */

static const char *task_name(struct show *s, uint32_t task)
{
	const struct rq_task *t = &s->rq.tasks[task];
	const char *comm = runqueue_comm(&s->rq, t), *name;
	struct buf b = { 0 };

	buf_str(&b, comm ? comm : "");
	if (!comm)
		buf_printf(&b, ":%" PRIu32, t->tid);
	else if (t->process == t->tid || t->process == NONE)
		buf_printf(&b, "[%" PRIu32 "]", t->tid);
	else
		buf_printf(&b, "[%" PRIu32 "/%" PRIu32 "]", t->tid, t->process);
	name = answer_string(&s->answer, b.data);
	buf_release(&b);
	return name;
}

static void name_states(struct show *s)
{
	s->names = xcalloc(STATES + 1, sizeof(*s->names));
	s->kinds = xcalloc(STATES + 1, sizeof(*s->kinds));
	for (unsigned i = 0; i < STATE_LETTERS; i++) {
		char text[] = "blocked ?";

		text[sizeof(text) - 2] = (char)(i ? i : '?');
		s->names[i] = answer_string(&s->answer, text);
		s->kinds[i] = i == 'S' ? SPAN_SLEEP : i == 'D' ? SPAN_DISK : SPAN_BLOCKED;
	}
	s->names[STATE_RUNNING] = "running";
	s->kinds[STATE_RUNNING] = SPAN_RUNNING;
	s->names[STATE_RUNNABLE] = "waits for a CPU";
	s->kinds[STATE_RUNNABLE] = SPAN_RUNNABLE;
	s->names[STATE_UNKNOWN] = "unknown";
	s->kinds[STATE_UNKNOWN] = SPAN_UNKNOWN;
	s->names[STATES] = "others";
	s->kinds[STATES] = SPAN_OTHERS;
}

/* Where only some tasks are shown, others may have run when none of them did. */
static bool shows_all(const struct show *s)
{
	const struct filter *f = s->rq.filter;

	return !s->processes.count && (!f || !(f->pids.count + f->tids.count + f->comms.count));
}

static void name_tasks(struct show *s)
{
	size_t n = s->rq.count;

	s->names = xcalloc(n + 1, sizeof(*s->names));
	s->groups = xcalloc(n + 1, sizeof(*s->groups));
	s->kinds = xcalloc(n + 1, sizeof(*s->kinds));
	for (uint32_t i = 0; i < n; i++) {
		const char *comm = runqueue_comm(&s->rq, &s->rq.tasks[i]);

		s->names[i] = task_name(s, i);
		s->groups[i] = comm ? answer_string(&s->answer, comm) : s->names[i];
		s->kinds[i] = SPAN_TASK;
	}
	s->names[n] = "other tasks";
	s->kinds[n] = SPAN_OTHERS;
	s->part.groups = s->groups;
	s->part.grouped = "commands";
	s->part.empty = shows_all(s) ? "idle" : "idle, or others";
}

static int by_process(const void *a, const void *b, void *ctx)
{
	const struct rq_task *tasks = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	return compare_u64(tasks[i].process, tasks[k].process) ?:
	       compare_u64(tasks[i].tid, tasks[k].tid) ?: compare_u64(i, k);
}

/* Which lanes are shown: those of CPUs in their order, those of threads by process. */
static size_t choose_lanes(struct show *s, uint32_t *order)
{
	const struct squeeze *q = &s->squeeze;
	size_t n = 0;

	for (uint32_t i = 0; i < q->lane_count; i++) {
		if (s->by == BY_THREAD ? q->lanes[i].count && wants(s, (uint32_t)i)
				       : num_list_passes(&s->rq.filter->cpus, i))
			order[n++] = i;
	}
	if (s->by == BY_THREAD && n)
		qsort_r(order, n, sizeof(*order), by_process, s->rq.tasks);
	return n;
}

static void take_spans(struct show *s, const struct squeeze_lane *from, struct span *to)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct squeeze_span *f = &from->spans[i];
		uint32_t others = s->by == BY_THREAD ? STATES : (uint32_t)s->rq.count;

		to[i] = (struct span){ f->start_ns, f->end_ns,
				       f->name == SQUEEZE_OTHERS ? others : f->name, 0 };
	}
}

static void take_arrows(struct show *s, uint32_t to_lane, const struct squeeze_lane *from)
{
	struct timeline_part *p = &s->part;

	for (size_t i = 0; i < from->count; i++) {
		const struct squeeze_span *f = &from->spans[i];
		struct buf b = { 0 };

		if (!f->cause_ns)
			continue;
		buf_printf(&b, "woken by %s",
			   f->cause == NONE ? "an interrupt" : task_name(s, f->cause));
		s->arrows[p->arrow_count++] = (struct arrow){
			.from_ns = f->cause_ns,
			.to_ns = f->start_ns,
			.from_lane = f->cause_lane < s->squeeze.lane_count
					     ? s->lane_of[f->cause_lane]
					     : NONE,
			.to_lane = to_lane,
			.cause = answer_string(&s->answer, b.data),
		};
		buf_release(&b);
	}
}

static void make_lanes(struct show *s, const uint32_t *order, size_t count)
{
	size_t spans = 0;

	for (size_t i = 0; i < count; i++) {
		spans += s->squeeze.lanes[order[i]].count;
		s->lane_of[order[i]] = (uint32_t)i;
	}
	s->lanes = xcalloc(count + 1, sizeof(*s->lanes));
	s->spans = xcalloc(spans + 1, sizeof(*s->spans));
	s->arrows = xcalloc(spans + 1, sizeof(*s->arrows));
	spans = 0;
	for (size_t i = 0; i < count; i++) {
		const struct squeeze_lane *l = &s->squeeze.lanes[order[i]];
		struct buf b = { 0 };

		buf_printf(&b, "CPU %" PRIu32, order[i]);
		s->lanes[i] = (struct lane){ s->by == BY_THREAD ? task_name(s, order[i])
								: answer_string(&s->answer, b.data),
					     s->spans + spans, l->count, 1 };
		take_spans(s, l, s->spans + spans);
		take_arrows(s, (uint32_t)i, l);
		spans += l->count;
		buf_release(&b);
	}
}

static void make_part(struct show *s)
{
	const struct squeeze *q = &s->squeeze;
	uint32_t *order = xcalloc(q->lane_count + 1, sizeof(*order));
	struct timeline_part *p = &s->part;

	*p = (struct timeline_part){ .start_ns = q->start_ns,
				     .end_ns = q->end_ns,
				     .unit = "ns",
				     .noun = s->by == BY_THREAD ? "State:" : "Task:",
				     .step_ns = q->step_ns,
				     .commands = s->by == BY_THREAD ? by_thread : by_cpu };
	if (s->by == BY_THREAD)
		name_states(s);
	else
		name_tasks(s);
	s->lane_of = xcalloc(q->lane_count + 1, sizeof(*s->lane_of));
	memset(s->lane_of, 0xff, q->lane_count * sizeof(*s->lane_of));
	p->lane_count = q->lane_count ? choose_lanes(s, order) : 0;
	make_lanes(s, order, p->lane_count);
	p->names = s->names;
	p->kinds = s->kinds;
	p->lanes = s->lanes;
	p->arrows = s->arrows;
	free(order);
}

static void facts(struct show *s)
{
	struct answer *a = &s->answer;

	runqueue_facts(&s->rq, a);
	if (s->squeeze.step_ns)
		answer_fact(a, "reduced",
			    "spans shorter than %" PRIu64
			    " ns are added up where they begin in the same %" PRIu64 " ns",
			    s->squeeze.step_ns, s->squeeze.step_ns);
	if (s->squeeze.overlap_ns)
		answer_warn(a, "contradictions", "%s of two tasks on one CPU: cut off",
			    NS_TEXT(s->squeeze.overlap_ns));
	if (s->unplaced_ns)
		answer_warn(a, "CPU unknown", "%s of run time, left out",
			    NS_TEXT(answer_sum(a, s->unplaced_ns)));
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct show *s = state;
	int rc = sched_answer(&s->events, session, &s->answer, w);

	if (rc < 0)
		return rc;
	if (s->rq.filter)
		runqueue_end(&s->rq);
	squeeze_end(&s->squeeze);
	facts(s);
	make_part(s);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct show *s = state;

	answer_result(&s->answer, NULL, out);
	out->timeline = &s->part;
	out->title = s->by == BY_THREAD ? "What the threads did" : "What the CPUs ran";
}

static void release(void *state)
{
	struct show *s = state;

	sched_events_release(&s->events);
	runqueue_release(&s->rq);
	squeeze_release(&s->squeeze);
	answer_release(&s->answer);
	free(s->woken);
	free(s->names);
	free(s->groups);
	free(s->kinds);
	free(s->lanes);
	free(s->spans);
	free(s->lane_of);
	free(s->arrows);
}

const struct analyzer analyzer_sched_timeline = {
	.name = "sched timeline",
	.summary = "a drawing of what CPUs or threads did over time, and who woke up whom",
	.question = QUESTION_WAIT,
	.wants = SCHED_WANTS,
	.shapes = SHAPE_TIMELINE,
	.single = true,
	.default_format = "svg",
	.options = options,
	.state_size = sizeof(struct show),
	.begin = begin,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
