/* One state per task, changed by each scheduler event; an interval ends where the state
 * changes. What contradicts the state before makes that time unknown. */
#include "analyzers/sched/runqueue.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

void runqueue_init(struct runqueue *rq, void (*interval)(void *ctx, const struct rq_interval *i),
		   void *ctx)
{
	memset(rq, 0, sizeof(*rq));
	rq->interval = interval;
	rq->ctx = ctx;
}

void runqueue_release(struct runqueue *rq)
{
	free(rq->tasks);
	idmap_release(&rq->by_tid);
	intern_release(&rq->comms);
	free(rq->cpus);
}

const char *runqueue_comm(const struct runqueue *rq, const struct rq_task *t)
{
	return t->comm == NONE ? NULL : intern_str(&rq->comms, t->comm);
}

void runqueue_configure(struct runqueue *rq, const struct pdt_session *s)
{
	rq->filter = filter_of(s);
	rq->wakeups = sched_records(s, "sched_waking") || sched_records(s, "sched_wakeup");
	rq->charges = sched_records(s, "sched_stat_runtime");
}

const char *runqueue_name(const struct runqueue *rq, const struct rq_task *t, char buf[16])
{
	const char *comm = runqueue_comm(rq, t);

	snprintf(buf, 16, ":%" PRIu32, t->tid);
	return comm ? comm : buf;
}

bool runqueue_wants(const struct runqueue *rq, const struct rq_task *t)
{
	return t->tid && t->state != RQ_NEW &&
	       filter_thread(rq->filter, t->process, t->tid, runqueue_comm(rq, t));
}

uint64_t runqueue_key(const struct runqueue *rq, uint32_t task, enum rq_by by)
{
	const struct rq_task *t = &rq->tasks[task];

	if (by == RQ_BY_COMM && t->comm != NONE)
		return t->comm;
	if (by == RQ_BY_PID && t->process != NONE)
		return t->process;
	return 1ull << 32 | task; /* of no group but its own */
}

void runqueue_facts(const struct runqueue *rq, struct answer *a)
{
	answer_fact(a, "switch mismatches",
		    "%s of %s (%s): switches missing without a reported loss",
		    COUNT_TEXT(rq->mismatches), COUNT_TEXT(rq->switches),
		    SHARE_TEXT(rq->mismatches, rq->switches));
	answer_warns_if(a, rq->mismatches);
	if (rq->mismatches)
		answer_tell(a, "%s of the switches missing",
			    SHARE_TEXT(rq->mismatches, rq->switches));
	if (rq->disordered)
		answer_warn(a, "out of order", "%" PRIu64 " events", rq->disordered);
}

/* NULL when CPU is not known, or makes no sense. Valid until the next call. */
static struct rq_cpu *cpu_of(struct runqueue *rq, uint32_t cpu)
{
	if (cpu < rq->cpu_count)
		return &rq->cpus[cpu];
	if (cpu >= SCHED_CPUS_MAX)
		return NULL;
	rq->cpus = xgrow(rq->cpus, &rq->cpu_cap, (size_t)cpu + 1, sizeof(*rq->cpus));
	for (; rq->cpu_count <= cpu; rq->cpu_count++)
		rq->cpus[rq->cpu_count] = (struct rq_cpu){ .current = NONE };
	return &rq->cpus[cpu];
}

/* ---- tasks ---- */

/* The idle tasks all have the id 0: one for each CPU. */
static uint64_t key_of(uint32_t tid, uint32_t cpu)
{
	return tid ? tid : 1ull << 32 | cpu;
}

static uint32_t add_task(struct runqueue *rq, uint32_t tid, uint32_t cpu)
{
	rq->tasks = xgrow(rq->tasks, &rq->cap, rq->count + 1, sizeof(*rq->tasks));
	rq->tasks[rq->count] = (struct rq_task){
		.tid = tid, .process = tid ? NONE : 0, .comm = NONE, .cpu = NONE
	};
	*idmap_put(&rq->by_tid, key_of(tid, cpu)) = (uint32_t)rq->count;
	if (tid)
		rq->recent[tid % RQ_RECENT] = (uint32_t)rq->count;
	return (uint32_t)rq->count++;
}

static uint32_t task_of(struct runqueue *rq, uint32_t tid, uint32_t cpu)
{
	uint32_t i = tid ? runqueue_find(rq, tid) : idmap_get(&rq->by_tid, key_of(tid, cpu));

	return i == IDMAP_NONE ? add_task(rq, tid, cpu) : i;
}

/* A name from a tracepoint holds until a record tells. */
static void learn_comm(struct runqueue *rq, uint32_t task, const struct sched_event *e, bool next)
{
	struct rq_task *t = &rq->tasks[task];
	const char *comm;
	size_t len;

	if (t->comm_sure)
		return;
	comm = next ? sched_next_comm(e, &len) : sched_comm(e, &len);
	if (!comm || !len ||
	    (t->comm != NONE && rq->comms.list[t->comm].len == len &&
	     !memcmp(rq->comms.list[t->comm].s, comm, len)))
		return;
	t->comm = intern_add(&rq->comms, comm, len);
}

/* ---- intervals ---- */

/* Of --time; NULL: all time. */
static const struct num_list *windows_of(const struct runqueue *rq)
{
	return rq->filter && rq->filter->times.count ? &rq->filter->times : NULL;
}

static bool in_windows(const struct runqueue *rq, uint64_t time_ns)
{
	return !rq->filter || num_list_passes(&rq->filter->times, time_ns);
}

/* perf enables one event after the other: in the beginning of a capture a CPU tells switches, but
 * no sched_stat_runtime yet. What T ran there up to END is run time all the same. */
static void charge_early(struct runqueue *rq, struct rq_task *t, uint64_t end)
{
	uint64_t start = t->since_ns;

	(void)add_held(&start, t->charged_ns);
	if (rq->charges && t->cpu < rq->cpu_count && !rq->cpus[t->cpu].charges && start < end)
		(void)add_held(&t->early_ns,
			       rq->filter ? num_list_within(&rq->filter->times, start, end)
					  : end - start);
}

static void emit_clipped(struct runqueue *rq, const struct num_list *windows,
			 const struct rq_interval *whole)
{
	for (size_t i = 0; i < windows->count; i++) {
		const struct num_range *w = &windows->list[i];
		struct rq_interval part = *whole;

		part.start_ns = part.start_ns > w->lo ? part.start_ns : w->lo;
		if (part.end_ns > w->hi) {
			part.end_ns = w->hi;
			part.ends = false;
		}
		if (part.start_ns < part.end_ns || (part.ends && part.start_ns == part.end_ns))
			rq->interval(rq->ctx, &part);
	}
}

/* The current interval of TASK up to END was one of STATE; the next one begins. */
static void emit(struct runqueue *rq, uint32_t task, enum rq_state state, uint64_t end)
{
	struct rq_task *t = &rq->tasks[task];
	struct rq_interval i = { .task = task,
				 .state = state,
				 .cause = t->cause,
				 .letter = t->letter,
				 .cpu = t->cpu,
				 .start_ns = t->since_ns,
				 .end_ns = end,
				 .whole_ns = end - t->since_ns,
				 .ends = true,
				 .left_out = rq->leaving_out };

	if (state == RQ_RUNNING)
		charge_early(rq, t, end);
	t->since_ns = end;
	if (i.start_ns == end && state != RQ_RUNNABLE) /* a wait counts also when it took no time */
		return;
	if (windows_of(rq))
		emit_clipped(rq, windows_of(rq), &i);
	else
		rq->interval(rq->ctx, &i);
}

/* Did records get lost since the state of T began? */
static bool doubtful(const struct runqueue *rq, const struct rq_task *t)
{
	return rq->lost_ns > t->since_ns;
}

/* An event about TASK: when it really was, as nothing goes back in time. */
static uint64_t touch(struct runqueue *rq, uint32_t task, uint64_t time_ns)
{
	struct rq_task *t = &rq->tasks[task];

	if (t->state == RQ_NEW) {
		t->last_ns = t->since_ns = time_ns;
		t->state = RQ_UNKNOWN;
	}
	if (time_ns < t->since_ns) {
		rq->disordered++;
		time_ns = t->since_ns;
	}
	t->last_ns = time_ns > t->last_ns ? time_ns : t->last_ns;
	return time_ns;
}

/* It ran until it was seen last; what it did then is not known. */
static void lose_running(struct runqueue *rq, uint32_t task)
{
	struct rq_task *t = &rq->tasks[task];

	if (t->state != RQ_RUNNING)
		return;
	emit(rq, task, RQ_RUNNING, t->seen_ns > t->since_ns ? t->seen_ns : t->since_ns);
	t->state = RQ_UNKNOWN;
	t->racy = false;
}

/* End what is open of TASK at its last event. */
static void finish(struct runqueue *rq, uint32_t task)
{
	struct rq_task *t = &rq->tasks[task];

	lose_running(rq, task);
	if (t->state != RQ_NEW && t->state != RQ_DEAD && t->last_ns > t->since_ns)
		emit(rq, task, RQ_UNKNOWN, t->last_ns);
}

/* The id belongs to another task from now on. */
static uint32_t replace(struct runqueue *rq, uint32_t task, uint32_t cpu)
{
	finish(rq, task);
	rq->tasks[task].state = RQ_DEAD;
	return add_task(rq, rq->tasks[task].tid, cpu);
}

/* An event of a task that has ended is about a new one with its id. */
static uint32_t living(struct runqueue *rq, uint32_t task, uint32_t cpu)
{
	return rq->tasks[task].state == RQ_DEAD ? replace(rq, task, cpu) : task;
}

/* ---- switches ---- */

/* CPU's current task, which is not EXCEPT, must have left unseen. */
static void evict(struct runqueue *rq, struct rq_cpu *c, uint32_t except)
{
	uint32_t old = c->current;

	c->current = NONE;
	if (old == NONE || old == except)
		return;
	rq->mismatches += !c->after_loss;
	lose_running(rq, old);
}

/* TASK is on CPU; if it was believed to run on another one, it left that unseen. */
static void lose_elsewhere(struct runqueue *rq, uint32_t task, uint32_t cpu)
{
	const struct rq_task *t = &rq->tasks[task];

	if (t->state == RQ_RUNNING && t->cpu != NONE && cpu != NONE && t->cpu != cpu)
		lose_running(rq, task);
}

static void leave(struct runqueue *rq, const struct sched_event *e)
{
	uint32_t task = living(rq, task_of(rq, e->pid, e->cpu), e->cpu);
	struct rq_cpu *c = cpu_of(rq, e->cpu);
	uint64_t now = touch(rq, task, e->time_ns);
	struct rq_task *t = &rq->tasks[task];
	bool known;

	if (c)
		evict(rq, c, task);
	lose_elsewhere(rq, task, e->cpu);
	if (c && t->cpu == NONE && (!c->first_ns || c->first_ns > t->seen_ns))
		lose_running(rq, task); /* this CPU tells no switches before that */
	if (c && !c->first_ns)
		c->first_ns = now;
	known = t->state == RQ_RUNNING && rq->lost_anywhere_ns <= t->since_ns;
	emit(rq, task, known ? RQ_RUNNING : RQ_UNKNOWN, now);
	learn_comm(rq, task, e, false);
	if (t->process == NONE)
		t->process = e->process;
	t->cpu = e->cpu;
	t->letter = e->state;
	if (in_windows(rq, now))
		e->state == 'R' ? t->preemptions++ : t->sleeps++;
	if (e->state == 'R') {
		t->state = RQ_RUNNABLE;
		t->cause = CAUSE_PREEMPTED;
		t->racy = false;
	} else {
		t->state = e->state == 'X' || e->state == 'Z' || e->state == 'x' ? RQ_DEAD
										 : RQ_BLOCKED;
	}
}

/* TASK got CPU at NOW: what it did until then. */
static void end_wait(struct runqueue *rq, uint32_t task, uint32_t cpu, uint64_t now)
{
	struct rq_task *t = &rq->tasks[task];
	enum rq_state state = RQ_UNKNOWN;

	if (doubtful(rq, t)) {
		state = RQ_UNKNOWN;
	} else if (t->state == RQ_RUNNABLE) {
		state = RQ_RUNNABLE;
	} else if (t->state == RQ_BLOCKED && t->racy) {
		state = RQ_RUNNABLE;
		t->cause = CAUSE_RACING;
	} else if (t->state == RQ_BLOCKED && !rq->wakeups) {
		state = RQ_BLOCKED;
	}
	t->cpu = cpu;
	emit(rq, task, state, now);
}

static void start_running(struct rq_task *t, uint32_t cpu, uint64_t seen)
{
	t->state = RQ_RUNNING;
	t->cpu = cpu;
	t->seen_ns = seen;
	t->charged_ns = 0;
	t->racy = false;
}

static uint32_t arrive(struct runqueue *rq, uint32_t tid, const struct sched_event *e)
{
	uint32_t task = living(rq, task_of(rq, tid, e->cpu), e->cpu);
	struct rq_cpu *c = cpu_of(rq, e->cpu);
	uint64_t now = touch(rq, task, e->time_ns);

	lose_running(rq, task);
	end_wait(rq, task, e->cpu, now);
	start_running(&rq->tasks[task], e->cpu, now);
	if (c) {
		evict(rq, c, task);
		c->current = task;
		c->after_loss = false;
	}
	return task;
}

static void take_switch(struct runqueue *rq, const struct sched_event *e)
{
	rq->switches++;
	leave(rq, e);
	learn_comm(rq, arrive(rq, e->next_pid, e), e, true);
}

/* ---- everything else ---- */

static void take_wakeup(struct runqueue *rq, const struct sched_event *e)
{
	uint32_t task = living(rq, task_of(rq, e->pid, e->cpu), e->cpu);
	bool is_new = e->kind == SCHED_WAKEUP_NEW;
	struct rq_task *t;
	uint64_t now;

	if (is_new && rq->tasks[task].state != RQ_NEW)
		task = replace(rq, task, e->cpu);
	now = touch(rq, task, e->time_ns);
	learn_comm(rq, task, e, false);
	t = &rq->tasks[task];
	if (t->state == RQ_RUNNABLE && !doubtful(rq, t))
		return;
	if (t->state == RQ_RUNNING) {
		t->racy = true;
		return;
	}
	emit(rq, task, t->state == RQ_BLOCKED && !doubtful(rq, t) ? RQ_BLOCKED : RQ_UNKNOWN, now);
	t->state = RQ_RUNNABLE;
	t->cause = is_new ? CAUSE_NEW : CAUSE_WAKEUP;
	t->racy = false;
}

/* A task that is charged for run time runs, also when its switch-in was not seen: then it came so
 * long ago as it is charged for. */
static void take_runtime(struct runqueue *rq, const struct sched_event *e)
{
	uint32_t task = task_of(rq, e->pid, e->cpu);
	uint32_t cpu = e->current == e->pid ? e->cpu : NONE;
	uint64_t now, start;
	struct rq_cpu *c;
	struct rq_task *t = &rq->tasks[task];

	if (t->state == RQ_DEAD)
		return;
	now = touch(rq, task, e->time_ns);
	learn_comm(rq, task, e, false);
	(void)add_held(&t->runtime_ns, in_windows(rq, now) ? e->amount_ns : 0);
	lose_elsewhere(rq, task, cpu);
	if (t->cpu == NONE && e->current != e->pid) /* it may have been off that CPU meanwhile */
		lose_running(rq, task);
	(void)add_held(&t->charged_ns, e->amount_ns);
	c = cpu_of(rq, cpu);
	if (t->state == RQ_RUNNING) {
		t->seen_ns = now;
		if (c && t->cpu == cpu) {
			charge_early(rq, t, now);
			c->charges = true;
		}
		return;
	}
	if (t->state != RQ_UNKNOWN && e->amount_ns > now - t->since_ns)
		return; /* charged late for what was before its last switch */
	start = now - (e->amount_ns < now - t->since_ns ? e->amount_ns : now - t->since_ns);
	end_wait(rq, task, cpu, start);
	start_running(t, cpu, now);
	t->charged_ns = now - start;
	if (!c)
		return;
	c->charges = true;
	evict(rq, c, task);
	c->current = task;
}

static void take_fork(struct runqueue *rq, const struct sched_event *e)
{
	uint32_t parent = task_of(rq, e->next_pid, e->cpu);
	uint32_t task = task_of(rq, e->pid, e->cpu), comm;
	struct rq_task *t;

	/* those that perf makes up for what runs already come without a time, or late */
	if (e->time_ns && rq->tasks[task].state != RQ_NEW)
		task = replace(rq, task, e->cpu);
	t = &rq->tasks[task];
	if (e->process != NONE && e->record)
		t->process = e->process;
	comm = rq->tasks[parent].comm;
	if (t->comm == NONE && comm != NONE) {
		t->comm = comm;
		t->comm_sure = rq->tasks[parent].comm_sure;
	}
}

static void take_migrate(struct runqueue *rq, const struct sched_event *e)
{
	uint32_t task = living(rq, task_of(rq, e->pid, e->cpu), e->cpu);
	uint64_t now = touch(rq, task, e->time_ns);

	learn_comm(rq, task, e, false);
	rq->tasks[task].migrations += in_windows(rq, now);
}

static void take_comm(struct runqueue *rq, const struct sched_event *e)
{
	uint32_t task = task_of(rq, e->pid, e->cpu);
	size_t len;
	const char *comm = sched_comm(e, &len);

	if (comm && len) {
		rq->tasks[task].comm = intern_add(&rq->comms, comm, len);
		rq->tasks[task].comm_sure = true;
	}
	if (e->process != NONE)
		rq->tasks[task].process = e->process;
}

static void take_loss(struct runqueue *rq, const struct sched_event *e)
{
	struct rq_cpu *c = cpu_of(rq, e->cpu);

	(void)add_held(&rq->lost, e->amount_ns);
	rq->lost_ns = e->time_ns > rq->lost_ns ? e->time_ns : rq->lost_ns;
	if (!c) {
		rq->lost_anywhere_ns = rq->lost_ns;
		return;
	}
	c->after_loss = true;
	if (c->current != NONE)
		lose_running(rq, c->current);
}

/* Whoever is current while something is recorded runs there. */
static void see_current(struct runqueue *rq, const struct sched_event *e)
{
	struct rq_task *t;

	if (e->cpu >= rq->cpu_count || rq->cpus[e->cpu].current == NONE)
		return;
	t = &rq->tasks[rq->cpus[e->cpu].current];
	if (t->tid != e->current || t->state != RQ_RUNNING || e->time_ns < t->seen_ns)
		return;
	t->seen_ns = e->time_ns;
	t->last_ns = e->time_ns > t->last_ns ? e->time_ns : t->last_ns;
}

void runqueue_event(struct runqueue *rq, const struct sched_event *e)
{
	static void (*const takers[SCHED_KINDS])(struct runqueue *, const struct sched_event *) = {
		[SCHED_SWITCH] = take_switch,	  [SCHED_OUT] = leave,
		[SCHED_WAKING] = take_wakeup,	  [SCHED_WAKEUP] = take_wakeup,
		[SCHED_WAKEUP_NEW] = take_wakeup, [SCHED_RUNTIME] = take_runtime,
		[SCHED_MIGRATE] = take_migrate,	  [SCHED_FORK] = take_fork,
		[SCHED_COMM] = take_comm,	  [SCHED_LOST] = take_loss,
	};
	bool dated = !e->record || e->kind == SCHED_IN || e->kind == SCHED_OUT;

	rq->leaving_out = e->left_out;

	if (dated && e->time_ns) {
		rq->first_ns = rq->first_ns ? rq->first_ns : e->time_ns;
		rq->last_ns = e->time_ns > rq->last_ns ? e->time_ns : rq->last_ns;
		see_current(rq, e);
	}
	if (e->kind == SCHED_IN) {
		rq->switches++;
		(void)arrive(rq, e->pid, e);
	} else if (takers[e->kind]) {
		takers[e->kind](rq, e);
	}
}

void runqueue_end(struct runqueue *rq)
{
	for (size_t i = 0; i < rq->count; i++)
		finish(rq, (uint32_t)i);
}
