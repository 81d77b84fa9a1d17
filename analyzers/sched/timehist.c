/* The rules of perf sched timehist, applied to one switch after the other. Makes rows of
 * numbers; how they look is not decided here. */
#include "analyzers/sched/timehist.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

void timehist_release(struct timehist *t)
{
	free(t->threads);
	free(t->runs);
	idmap_release(&t->by_tid);
	intern_release(&t->comms);
	free(t->cpus);
}

const char *timehist_comm(const struct timehist *t, const struct timehist_thread *th, char buf[16])
{
	if (th->idle)
		return "<idle>";
	if (th->comm != NONE)
		return intern_str(&t->comms, th->comm);
	snprintf(buf, 16, ":%d", (int)th->tid);
	return buf;
}

/* ---- threads ---- */

static uint32_t add_thread(struct timehist *t, uint32_t tid, uint32_t process)
{
	t->threads = xgrow(t->threads, &t->cap, t->count + 1, sizeof(*t->threads));
	t->threads[t->count] = (struct timehist_thread){
		.tid = tid, .process = process, .parent = NONE, .comm = NONE
	};
	return (uint32_t)t->count++;
}

static uint32_t put_thread(struct timehist *t, uint32_t tid, uint32_t process)
{
	uint32_t *slot = idmap_put(&t->by_tid, tid);

	return *slot = add_thread(t, tid, process);
}

static uint32_t thread_of(struct timehist *t, uint32_t tid, uint32_t process)
{
	uint32_t i = idmap_get(&t->by_tid, tid);

	/* an entry above COUNT stands for a thread that was forgotten */
	if (i == IDMAP_NONE || i >= t->count)
		return put_thread(t, tid, process);
	if (t->threads[i].process == NONE)
		t->threads[i].process = process;
	return i;
}

static void forget(struct timehist *t, uint32_t tid)
{
	uint32_t i = idmap_get(&t->by_tid, tid);

	if (i != IDMAP_NONE)
		*idmap_put(&t->by_tid, tid) = NONE - 1;
}

static struct timehist_cpu *cpu_of(struct timehist *t, uint32_t cpu)
{
	t->cpus = xgrow(t->cpus, &t->cpu_cap, (size_t)cpu + 1, sizeof(*t->cpus));
	for (; t->cpu_count <= cpu; t->cpu_count++)
		t->cpus[t->cpu_count] =
			(struct timehist_cpu){ .runs = NONE, .idle = NONE, .before_idle = NONE };
	return &t->cpus[cpu];
}

static uint32_t idle_thread(struct timehist *t, uint32_t cpu)
{
	if (cpu_of(t, cpu)->idle == NONE) {
		uint32_t i = add_thread(t, 0, 0);

		t->threads[i].idle = true;
		t->threads[i].cpu = cpu;
		cpu_of(t, cpu)->idle = i;
	}
	return cpu_of(t, cpu)->idle;
}

/* perf knows names only from records. */
static bool needs_comm(const struct timehist *t, uint32_t i)
{
	return !t->rules.names_from_records && t->threads[i].comm == NONE;
}

static void set_comm(struct timehist *t, uint32_t i, const char *comm, size_t len)
{
	if (comm && len)
		t->threads[i].comm = intern_add(&t->comms, comm, len);
}

static void learn_comm(struct timehist *t, uint32_t i, const struct sched_event *e)
{
	const char *comm;
	size_t len;

	if (!needs_comm(t, i))
		return;
	comm = sched_comm(e, &len);
	set_comm(t, i, comm, len);
}

static void learn_next_comm(struct timehist *t, const struct sched_event *e)
{
	const char *comm;
	uint32_t i;
	size_t len;

	if (t->rules.names_from_records || !e->next_pid || e->record)
		return;
	i = thread_of(t, e->next_pid, NONE);
	if (!needs_comm(t, i))
		return;
	comm = sched_next_comm(e, &len);
	set_comm(t, i, comm, len);
}

static void take_comm(struct timehist *t, const struct sched_event *e)
{
	size_t len;
	const char *comm = sched_comm(e, &len);

	set_comm(t, thread_of(t, e->pid, e->process), comm, len);
}

/* Who leaves the CPU. */
static uint32_t leaving(struct timehist *t, const struct sched_event *e)
{
	uint32_t tid = e->current ? e->current : e->current_process;

	if (!e->pid)
		return idle_thread(t, e->cpu);
	if (t->rules.leaver_is_sampled)
		return thread_of(t, tid, e->current_process);
	return thread_of(t, e->pid, e->current == e->pid ? e->current_process : NONE);
}

/* ---- times ---- */

const struct timehist_runs *timehist_runs(const struct timehist *t, uint32_t i)
{
	static const struct timehist_runs none = { .min_ns = UINT64_MAX };

	return t->threads[i].runs ? &t->runs[t->threads[i].runs - 1] : &none;
}

/* The same, to change them: made when there are none. */
static struct timehist_runs *runs_of(struct timehist *t, uint32_t i)
{
	struct timehist_thread *th = &t->threads[i];

	if (!th->runs) {
		t->runs = xgrow(t->runs, &t->runs_cap, t->runs_count + 1, sizeof(*t->runs));
		t->runs[t->runs_count] = *timehist_runs(t, i);
		th->runs = (uint32_t)++t->runs_count;
	}
	return &t->runs[th->runs - 1];
}

static void add_run(struct timehist_runs *r, uint64_t run)
{
	double delta = (double)run - r->mean;

	r->count++;
	r->mean += delta / (double)r->count;
	r->squares += delta * ((double)run - r->mean);
	r->min_ns = run < r->min_ns ? run : r->min_ns;
	r->max_ns = run > r->max_ns ? run : r->max_ns;
	(void)add_held(&r->total_ns, run);
}

uint64_t timehist_average(const struct timehist_runs *r)
{
	if (r->total_ns < SUM_HELD)
		return r->total_ns / r->count;
	return r->mean < 0x1p64 ? (uint64_t)r->mean : SUM_HELD;
}

double timehist_deviation(const struct timehist_runs *r)
{
	double n = (double)r->count;

	if (n < 2 || r->mean <= 0)
		return 0;
	return percent_of(sqrt(r->squares / (n - 1) / n), r->mean);
}

static void forget_last(struct timehist_runs *r)
{
	r->run_ns = r->delay_ns = r->slept_ns = r->io_ns = r->preempted_ns = 0;
}

/* Thread I ran from SINCE (0: not known) to NOW. */
static struct timehist_runs *account(struct timehist *t, uint32_t i, uint64_t now, uint64_t since)
{
	const struct timehist_thread *th = &t->threads[i];
	struct timehist_runs *r = runs_of(t, i);

	forget_last(r);
	if (since) {
		r->run_ns = now > since ? now - since : 0;
		if (th->ready_ns && th->ready_ns <= since)
			r->delay_ns = since - th->ready_ns;
		*(th->state == 'R'   ? &r->preempted_ns
		  : th->state == 'D' ? &r->io_ns
				     : &r->slept_ns) =
			th->last_ns && th->last_ns <= since ? since - th->last_ns : 0;
	}
	add_run(r, r->run_ns);
	(void)add_held(&r->total_slept_ns, r->slept_ns);
	(void)add_held(&r->total_io_ns, r->io_ns);
	(void)add_held(&r->total_preempted_ns, r->preempted_ns);
	(void)add_held(&r->total_delay_ns, r->delay_ns);
	return r;
}

/* Does the window let this switch through? Clips *SINCE and *NOW. */
static bool clip(const struct timehist *t, uint64_t *since, uint64_t *now)
{
	if (t->start_ns > *now)
		return false;
	if (*since && t->start_ns > *since)
		*since = t->start_ns;
	if (!t->end_ns)
		return true;
	if (!*since || *since > t->end_ns)
		return false;
	if (*now > t->end_ns)
		*now = t->end_ns;
	return true;
}

static bool wanted(const struct timehist *t, uint32_t i)
{
	return !t->wants || t->wants(t->ctx, i);
}

/* Idle time belongs to whoever went to sleep before it; its own times are not touched. */
static bool credit_idle(struct timehist *t, uint32_t idle, uint64_t now, uint64_t since)
{
	struct timehist_cpu *c = cpu_of(t, t->threads[idle].cpu);

	if (c->before_idle == NONE)
		return false;
	forget_last(account(t, c->before_idle, now, since));
	c->before_idle = NONE;
	return true;
}

static void show_switch(struct timehist *t, const struct sched_event *e, uint32_t i, uint64_t now,
			uint64_t since)
{
	const struct timehist_thread *th = &t->threads[i];
	struct timehist_runs *r;
	struct timehist_row row = { .kind = TIMEHIST_SWITCH,
				    .time_ns = now,
				    .cpu = e->cpu,
				    .thread = i,
				    .run_start_ns = since,
				    .event = e };

	bool delay_unknown = e->record && th->state != 'R';

	if (t->idle_only && !th->idle)
		return;
	r = account(t, i, now, since);
	if (th->idle && !t->rules.idle_waits)
		r->delay_ns = 0;
	row.wait_start_ns = r->delay_ns ? since - r->delay_ns : 0;
	if (t->idle_only && !credit_idle(t, i, now, since))
		return;
	row.delay_unknown = delay_unknown;
	t->switches++;
	if (t->row)
		t->row(t->ctx, &row);
}

/* When who leaves got the CPU; 0: not known. SWITCH records tell both ends, so that one of which
 * the beginning is missing has none, where sched_switch ends what the one before began. */
static uint64_t running_since(struct timehist *t, const struct sched_event *e)
{
	const struct timehist_cpu *c = cpu_of(t, e->cpu);

	return e->record && c->runs != e->pid ? 0 : c->switch_ns;
}

static void take_in(struct timehist *t, const struct sched_event *e)
{
	if (e->cpu >= SCHED_CPUS_MAX)
		return;
	cpu_of(t, e->cpu)->runs = e->pid;
	cpu_of(t, e->cpu)->switch_ns = e->time_ns;
}

static void take_switch(struct timehist *t, const struct sched_event *e)
{
	uint32_t i;
	uint64_t since, now = e->time_ns;
	bool show = !e->left_out && (!t->idle_only || !e->pid || !e->next_pid);

	if (e->cpu >= SCHED_CPUS_MAX)
		return;
	i = leaving(t, e);
	if (!t->threads[i].idle) {
		learn_comm(t, i, e);
		if (t->idle_only)
			cpu_of(t, e->cpu)->before_idle = i;
	}
	since = running_since(t, e);
	if (show && wanted(t, i) && clip(t, &since, &now))
		show_switch(t, e, i, now, since);
	t->threads[i].last_ns = e->time_ns;
	t->threads[i].state = e->state;
	t->threads[i].ready_ns = e->state == 'R' ? now : 0;
	cpu_of(t, e->cpu)->switch_ns = e->time_ns;
	cpu_of(t, e->cpu)->runs = NONE;
	learn_next_comm(t, e);
}

/* ---- everything else ---- */

static void show_other(struct timehist *t, const struct sched_event *e, enum timehist_kind kind,
		       uint32_t other)
{
	uint32_t i = thread_of(t, e->current, e->current_process);
	struct timehist_row row = { .kind = kind,
				    .time_ns = e->time_ns,
				    .cpu = e->cpu,
				    .thread = i,
				    .other = other,
				    .by_interrupt = e->interrupt && !t->rules.hit_thread_wakes,
				    .event = e };

	if (!t->row || t->idle_only || e->left_out || e->time_ns < t->start_ns ||
	    (t->end_ns && e->time_ns > t->end_ns) ||
	    ((row.by_interrupt || !wanted(t, i)) && !wanted(t, other)))
		return;
	t->row(t->ctx, &row);
}

static void take_wakeup(struct timehist *t, const struct sched_event *e)
{
	uint32_t i = thread_of(t, e->pid, t->rules.woken_in_process_0 ? 0 : NONE);

	learn_comm(t, i, e);
	if (!t->threads[i].ready_ns)
		t->threads[i].ready_ns = e->time_ns;
	show_other(t, e, TIMEHIST_WAKEUP, i);
}

static void take_migrate(struct timehist *t, const struct sched_event *e)
{
	uint32_t i;

	if (t->rules.migrations_if_shown && !t->shows_migrations)
		return;
	i = thread_of(t, e->pid, t->rules.woken_in_process_0 ? 0 : NONE);
	learn_comm(t, i, e);
	runs_of(t, i)->migrations++;
	show_other(t, e, TIMEHIST_MIGRATE, i);
}

static void take_fork(struct timehist *t, const struct sched_event *e)
{
	uint32_t parent, i;

	if (!e->record)
		return;
	parent = thread_of(t, e->next_pid, e->next_process);
	if (t->threads[parent].process != e->next_process)
		parent = put_thread(t, e->next_pid, e->next_process);
	i = put_thread(t, e->pid, e->process);
	t->threads[i].comm = t->threads[parent].comm;
	t->threads[i].parent = e->next_process;
}

void timehist_event(struct timehist *t, const struct sched_event *e)
{
	switch (e->kind) {
	case SCHED_SWITCH:
	case SCHED_OUT:
		take_switch(t, e);
		break;
	case SCHED_IN:
		take_in(t, e);
		break;
	case SCHED_WAKING:
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		take_wakeup(t, e);
		break;
	case SCHED_MIGRATE:
		take_migrate(t, e);
		break;
	case SCHED_FORK:
		take_fork(t, e);
		break;
	case SCHED_EXIT:
		if (t->rules.forgets_exited)
			forget(t, e->pid);
		break;
	case SCHED_COMM:
		take_comm(t, e);
		break;
	default:
		break;
	}
}
