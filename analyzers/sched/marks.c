/* What each thread did, as the run queue tells it: it ran, waited for a CPU, was blocked, and whom
 * it woke up. What is not known is no mark. */
#include "analyzers/lanes/marks.h"
#include "analyzers/sched/runqueue.h"
#include "parser/base/mem.h"

#include <stdlib.h>

/* By task of the run queue. */
struct marked_task {
	uint32_t stack; /* where it left the CPU, + 1; 0: not known */
	uint32_t waker; /* who woke it up from that, + 1 */
	bool interrupt; /* or one did */
};

struct sched_marks {
	const struct mark_sink *to;
	struct sched_events events;
	struct runqueue rq;
	struct marked_task *tasks;
	size_t count, cap;
};

static struct marked_task *task_at(struct sched_marks *m, uint32_t task)
{
	if (task >= m->count)
		m->tasks = xgrow_to(m->tasks, &m->count, &m->cap, task, sizeof(*m->tasks));
	return &m->tasks[task];
}

static void on_interval(void *ctx, const struct rq_interval *i)
{
	static const uint8_t kinds[] = { [RQ_RUNNING] = MARK_RUNNING,
					 [RQ_RUNNABLE] = MARK_RUNNABLE,
					 [RQ_BLOCKED] = MARK_BLOCKED };
	struct sched_marks *m = ctx;
	const struct rq_task *t = &m->rq.tasks[i->task];
	const struct marked_task *known = task_at(m, i->task);
	struct profile_mark mark = { .start_ns = i->start_ns, .end_ns = i->end_ns };

	if (i->state < RQ_RUNNING || i->state > RQ_BLOCKED || i->start_ns == i->end_ns)
		return;
	if (!t->tid || (i->state != RQ_BLOCKED && !num_list_passes(&m->rq.filter->cpus, i->cpu)))
		return;
	mark.kind = kinds[i->state];
	mark.cpu = i->state == RQ_BLOCKED ? PROFILE_NONE : i->cpu;
	mark.stack =
		i->state == RQ_RUNNING || i->cause == CAUSE_NEW ? PROFILE_NONE : known->stack - 1;
	mark.other = i->state == RQ_BLOCKED ? known->waker - 1 : PROFILE_NONE;
	mark.interrupt = i->state == RQ_BLOCKED && known->interrupt;
	mark.letter = i->letter;
	mark.preempted = i->cause == CAUSE_PREEMPTED;
	m->to->add(m->to->ctx, t->tid, &mark);
}

static void begin(void *state, const struct mark_sink *to)
{
	struct sched_marks *m = state;

	m->to = to;
	runqueue_init(&m->rq, on_interval, m);
}

/* Before the run queue hears of it: a wake-up that ends a sleep, and who it came from. */
static void take_wakeup(struct sched_marks *m, const struct sched_event *e)
{
	uint32_t task = e->pid ? runqueue_find(&m->rq, e->pid) : IDMAP_NONE;
	const struct filter *f = m->rq.filter;
	struct profile_mark mark = { .start_ns = e->time_ns,
				     .end_ns = e->time_ns,
				     .kind = MARK_WAKES,
				     .cpu = e->target_cpu,
				     .stack = e->sample ? e->sample->stack : PROFILE_NONE,
				     .other = e->pid };

	if (task != IDMAP_NONE && m->rq.tasks[task].state == RQ_BLOCKED) {
		struct marked_task *t = task_at(m, task);

		t->interrupt = e->interrupt != INTERRUPT_NONE;
		t->waker = t->interrupt || !e->current ? 0 : e->current + 1;
	}
	if (!e->interrupt && e->current && !e->left_out && num_list_passes(&f->cpus, e->cpu) &&
	    num_list_passes(&f->times, e->time_ns))
		m->to->add(m->to->ctx, e->current, &mark);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct sched_marks *m = state;
	struct sched_event se;
	uint32_t task;

	if (!sched_event_read(&m->events, e, s, &se))
		return;
	if (!m->rq.filter)
		runqueue_configure(&m->rq, s);
	if (se.kind == SCHED_WAKING || se.kind == SCHED_WAKEUP || se.kind == SCHED_WAKEUP_NEW)
		take_wakeup(m, &se);
	runqueue_event(&m->rq, &se);
	if (se.kind != SCHED_SWITCH && se.kind != SCHED_OUT)
		return;
	task = se.pid ? runqueue_find(&m->rq, se.pid) : IDMAP_NONE;
	if (task != IDMAP_NONE)
		*task_at(m, task) = (struct marked_task){ .stack = se.stack + 1 };
}

static void end(void *state)
{
	struct sched_marks *m = state;

	if (!m->rq.filter)
		return;
	runqueue_end(&m->rq);
	for (size_t i = 0; i < m->rq.count; i++) {
		const struct rq_task *t = &m->rq.tasks[i];
		char text[16];

		if (runqueue_wants(&m->rq, t))
			m->to->name(m->to->ctx, t->tid, t->process, runqueue_name(&m->rq, t, text));
	}
}

static void release(void *state)
{
	struct sched_marks *m = state;

	sched_events_release(&m->events);
	runqueue_release(&m->rq);
	free(m->tasks);
}

const struct mark_source sched_marks = {
	.system = "sched",
	.state_size = sizeof(struct sched_marks),
	.wants = SCHED_WANTS,
	.begin = begin,
	.event = event,
	.end = end,
	.release = release,
};
