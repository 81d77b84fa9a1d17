/* perf 6.12's bookkeeping of waits, event by event, as builtin-sched.c does it; where perf is
 * wrong this must be wrong in the same way. Names are not needed before the rows are made. */
#include "analyzers/compat/perf_latency.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_MAX 4096 /* as many as perf takes */
#define NO_COMM UINT32_MAX
#define NOBODY	UINT32_MAX

enum atom_state { ATOM_NONE, ATOM_SLEEP, ATOM_WAIT, ATOM_IN, ATOM_IGNORE };

struct perf_thread {
	uint32_t tid, comm, process;
	enum atom_state state; /* of its newest atom; NONE: it has none and no row */
	uint64_t out_ns, wake_ns;
	struct wait_figures figures;
};

void perf_latency_release(struct perf_latency *p)
{
	free(p->threads);
	idmap_release(&p->by_tid);
	intern_release(&p->comms);
	free(p->current);
	free(p->rows);
}

static struct perf_thread *add_thread(struct perf_latency *p, uint32_t tid)
{
	struct perf_thread *t;

	p->threads = xgrow(p->threads, &p->cap, p->count + 1, sizeof(*p->threads));
	*idmap_put(&p->by_tid, tid) = (uint32_t)p->count;
	t = &p->threads[p->count++];
	*t = (struct perf_thread){ .tid = tid, .comm = NO_COMM, .process = NOBODY };
	if (!tid)
		t->comm = intern_add(&p->comms, "swapper", 7);
	return t;
}

/* Valid until the next call. */
static struct perf_thread *thread_of(struct perf_latency *p, uint32_t tid)
{
	uint32_t i = idmap_get(&p->by_tid, tid);

	return i == IDMAP_NONE ? add_thread(p, tid) : &p->threads[i];
}

static void add_atom(struct perf_thread *t, char state, uint64_t time_ns)
{
	t->out_ns = time_ns;
	t->wake_ns = state == 'R' ? time_ns : 0;
	t->state = state == 'R' ? ATOM_WAIT : ATOM_SLEEP;
}

static void switch_in(struct perf_thread *t, uint64_t time_ns)
{
	if (t->state != ATOM_WAIT)
		return;
	if (time_ns < t->wake_ns) {
		t->state = ATOM_IGNORE;
		return;
	}
	t->state = ATOM_IN;
	wait_figures_add(&t->figures, t->wake_ns, time_ns - t->wake_ns);
}

static void count_mismatch(struct perf_latency *p, const struct perf_sched *e)
{
	size_t old = p->cpu_cap;

	if (e->cpu >= CPU_MAX)
		return;
	p->current = xgrow(p->current, &p->cpu_cap, e->cpu + 1, sizeof(*p->current));
	for (size_t i = old; i < p->cpu_cap; i++)
		p->current[i] = NOBODY;
	p->mismatches += p->current[e->cpu] != NOBODY && p->current[e->cpu] != e->pid;
	p->current[e->cpu] = e->next_pid;
}

static void take_switch(struct perf_latency *p, const struct perf_sched *e)
{
	struct perf_thread *t;

	count_mismatch(p, e);
	add_atom(thread_of(p, e->pid), e->state, e->time_ns);
	t = thread_of(p, e->next_pid);
	if (t->state == ATOM_NONE)
		add_atom(t, 'R', e->time_ns);
	switch_in(t, e->time_ns);
}

static void take_wakeup(struct perf_latency *p, const struct perf_sched *e)
{
	struct perf_thread *t = thread_of(p, e->pid);

	if (t->state == ATOM_NONE)
		add_atom(t, 'S', e->time_ns);
	if (t->state != ATOM_SLEEP)
		return;
	p->wakeups++;
	if (t->out_ns > e->time_ns) {
		p->unordered++;
		return;
	}
	t->state = ATOM_WAIT;
	t->wake_ns = e->time_ns;
}

static void take_runtime(struct perf_latency *p, const struct perf_sched *e)
{
	struct perf_thread *t = thread_of(p, e->pid);

	if (t->state == ATOM_NONE)
		add_atom(t, 'R', e->time_ns);
	(void)add_held(&t->figures.runtime_ns, e->amount_ns);
}

static void take_fork(struct perf_latency *p, const struct perf_sched *e)
{
	uint32_t comm = thread_of(p, e->next_pid)->comm;
	struct perf_thread *t;

	if (e->pid == e->next_pid)
		return;
	t = add_thread(p, e->pid);
	t->comm = comm;
	t->process = e->process;
}

static void take_comm(struct perf_latency *p, const struct perf_sched *e)
{
	struct perf_thread *t = thread_of(p, e->pid);

	if (e->comm)
		t->comm = intern_add(&p->comms, e->comm, e->comm_len);
	t->process = e->process;
}

void perf_latency_event(struct perf_latency *p, const struct perf_sched *e)
{
	static void (*const take[])(struct perf_latency * p, const struct perf_sched *e) = {
		[PERF_SWITCH] = take_switch,   [PERF_WAKEUP] = take_wakeup,
		[PERF_RUNTIME] = take_runtime, [PERF_FORK] = take_fork,
		[PERF_COMM] = take_comm,
	};

	take[e->kind](p, e);
}

/* ---- rows ---- */

static const char *comm_of(struct perf_latency *p, const struct perf_thread *t)
{
	char text[16];
	int n = snprintf(text, sizeof(text), ":%u", t->tid);

	return intern_str(&p->comms,
			  t->comm == NO_COMM ? intern_add(&p->comms, text, (size_t)n) : t->comm);
}

/* perf visits threads by falling id, and of one id the newest first. */
static int by_visit(const void *a, const void *b)
{
	const struct perf_row *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? 1 : -1;
	return x->order < y->order ? 1 : -1;
}

/* Falling comms, as perf's tree has them; within one the order of the visit. */
static int by_comm(const void *a, const void *b)
{
	const struct perf_row *x = a, *y = b;

	return strcmp(y->comm, x->comm) ?: by_visit(a, b);
}

static void merge_rows(struct perf_latency *p)
{
	size_t n = 0;

	qsort(p->rows, p->row_count, sizeof(*p->rows), by_comm);
	for (size_t i = 0; i < p->row_count; i++) {
		if (n && !strcmp(p->rows[n - 1].comm, p->rows[i].comm)) {
			p->rows[n - 1].merged++;
			wait_figures_merge(&p->rows[n - 1].figures, &p->rows[i].figures);
			continue;
		}
		p->rows[n] = p->rows[i];
		p->rows[n++].merged = 1;
	}
	p->row_count = n;
}

static int by_order(const void *a, const void *b, void *arg)
{
	const struct perf_row *x = a, *y = b;

	return wait_order_compare(arg, &x->figures, &y->figures) ?: compare_u64(x->order, y->order);
}

/* perf hides those without a wait, and idle. */
static void drop_hidden(struct perf_latency *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->row_count; i++) {
		p->rows[i].order = (uint32_t)i;
		if (p->rows[i].figures.count && strcmp(p->rows[i].comm, "swapper") != 0)
			p->rows[n++] = p->rows[i];
	}
	p->row_count = n;
}

void perf_latency_rows(struct perf_latency *p, bool merged, const struct word_list *order)
{
	struct word_list keys = *order;

	p->rows = xcalloc(p->count + 1, sizeof(*p->rows));
	for (size_t i = 0; i < p->count; i++) {
		const struct perf_thread *t = &p->threads[i];

		if (t->state != ATOM_NONE)
			p->rows[p->row_count++] =
				(struct perf_row){ t->tid, t->process,	  (uint32_t)i,
						   0,	   comm_of(p, t), t->figures };
	}
	if (merged)
		merge_rows(p);
	else
		qsort(p->rows, p->row_count, sizeof(*p->rows), by_visit);
	drop_hidden(p);
	qsort_r(p->rows, p->row_count, sizeof(*p->rows), by_order, &keys);
}
