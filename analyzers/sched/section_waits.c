/* For the summary: who waited for a CPU longest, and behind whom; and what the CPUs ran over time.
 * The figures are those of sched latency and sched blame, by command. */
#include "analyzers/count/quantile.h"
#include "analyzers/count/section.h"
#include "analyzers/lanes/load.h"
#include "analyzers/sched/blame.h"
#include "analyzers/sched/waits.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN	   5
#define LOAD_ROWS  8
#define LOAD_WIDTH 54

struct waits_section {
	struct sched_events events;
	struct waits waits;
	struct blame blame;
	struct load load;
	/* an interval goes on to WAITS, and to BLAME */
	void (*next)(void *ctx, const struct rq_interval *i);
};

static void on_interval(void *ctx, const struct rq_interval *i)
{
	struct waits_section *w = ctx;
	const struct rq_task *t = &w->waits.rq.tasks[i->task];
	const struct filter *f = w->waits.rq.filter;

	w->next(&w->waits, i);
	blame_interval(&w->blame, i);
	if (i->state == RQ_RUNNING && t->comm != UINT32_MAX && runqueue_wants(&w->waits.rq, t) &&
	    num_list_passes(&f->cpus, i->cpu))
		load_span(&w->load, t->comm, i->start_ns, i->end_ns);
}

static void begin(void *state)
{
	struct waits_section *w = state;

	waits_init(&w->waits);
	w->waits.by = RQ_BY_COMM;
	w->next = w->waits.rq.interval;
	w->waits.rq.interval = on_interval;
	w->waits.rq.ctx = w;
	blame_init(&w->blame, &w->waits.rq);
	w->blame.by = RQ_BY_COMM;
	w->blame.waiters = true;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct waits_section *w = state;
	struct sched_event se;

	if (!sched_event_read(&w->events, e, s, &se))
		return;
	runqueue_take(&w->waits.rq, &se, s);
}

/* ---- the end ---- */

static const struct column columns[] = {
	{ "comm", COLUMN_TEXT, 0, "Who Waited" },
	{ "behind_comm", COLUMN_TEXT, 0, "Most Behind" },
	{ "wait_ns", COLUMN_NS },
	{ "count", COLUMN_COUNT, 0, "Waits" },
	{ "p99_ns", COLUMN_NS },
	{ "max_ns", COLUMN_NS },
	{ "max_end_ns", COLUMN_TIME_NS, 0, "Max At" },
	{ "behind_percent", COLUMN_PERCENT, 2, "Behind" },
	{ 0 },
};

static const uint8_t shown[] = { 0, 1, 2, 3, 5, 7 };

static int by_wait(const void *a, const void *b)
{
	const struct wait_group *x = a, *y = b;

	return compare_u64(y->sums->wait_ns, x->sums->wait_ns) ?:
	       compare_u64(y->sums->figures.count, x->sums->figures.count) ?:
	       compare_u64(x->task, y->task);
}

/* The largest share of TASK's waits that is a task's; NULL: none is. */
static const struct blame_share *most_blamed(const struct blame *b, uint32_t task)
{
	uint32_t waiter = b->group_of && task < b->rq->count ? b->group_of[task] : UINT32_MAX;

	for (size_t i = 0; i < b->count; i++) {
		if (b->shares[i].waiter == waiter && b->shares[i].blamed >= BLAME_TASKS)
			return &b->shares[i];
	}
	return NULL;
}

static void group_cells(struct waits_section *w, const struct wait_group *g, struct answer *a)
{
	const struct blame_share *share = most_blamed(&w->blame, g->task);
	const struct wait_figures *f = &g->sums->figures;
	char text[16];

	answer_cell_text(a, runqueue_name(&w->waits.rq, &w->waits.rq.tasks[g->task], text));
	answer_cell_text(
		a,
		share ? runqueue_name(&w->waits.rq,
				      &w->waits.rq.tasks[w->blame.groups[share->blamed].task], text)
		      : "");
	answer_cell_sum(a, g->sums->wait_ns);
	answer_cell_count(a, f->count);
	answer_cell_count_if(a, f->count,
			     f->count ? quantile(wait_values(&w->waits, g->sums), f->count, 99)
				      : 0);
	answer_cell_count_if(a, f->count, f->max_ns);
	answer_cell_count_if(a, f->count, f->max_end_ns);
	if (share)
		answer_cell_real(a, percent_of((double)share->ns, (double)share->waiter_ns));
	else
		answer_cell_empty(a);
}

static const char *load_name(void *ctx, uint64_t key)
{
	return intern_str(&((const struct waits_section *)ctx)->waits.rq.comms, (uint32_t)key);
}

static void make_load(struct waits_section *w, struct section_result *out)
{
	const struct load_view view = { LOAD_ROWS, LOAD_WIDTH, load_name, w };

	if (!load_grid(&w->load, &view, &out->answer.arena, &out->load))
		return;
	out->load.x = (struct column){ "time_ns", COLUMN_TIME_NS };
	out->load.y = (struct column){ "comm", COLUMN_TEXT };
	out->load.cell = (struct column){ "run_ns", COLUMN_NS, 0, "CPU time" };
}

static bool finish(void *state, const struct pdt_session *s, struct section_result *out)
{
	struct waits_section *w = state;

	if (!w->waits.rq.filter || !(w->events.seen[SCHED_SWITCH] + w->events.seen[SCHED_IN]))
		return false;
	waits_end(&w->waits);
	waits_group(&w->waits);
	blame_end(&w->blame);
	if (!w->waits.group_count)
		return false;
	qsort(w->waits.groups, w->waits.group_count, sizeof(*w->waits.groups), by_wait);
	for (size_t i = 0; i < w->waits.group_count && i < SHOWN; i++) {
		if (w->waits.groups[i].sums->wait_ns)
			group_cells(w, &w->waits.groups[i], &out->answer);
	}
	out->name = "waits";
	out->columns = columns;
	out->summary = shown;
	out->summary_columns = ARRAY_SIZE(shown);
	make_load(w, out);
	out->next[out->next_count++] =
		(struct section_next){ "who waited", "sched latency --by comm" };
	if (out->answer.cells.count)
		out->next[out->next_count++] =
			(struct section_next){ "behind whom", "sched blame --waiters --by comm" };
	out->next[out->next_count++] =
		(struct section_next){ "each CPU over time", "sched timeline -o sched.svg" };
	return true;
}

static void release(void *state)
{
	struct waits_section *w = state;

	sched_events_release(&w->events);
	waits_release(&w->waits);
	blame_release(&w->blame);
	load_release(&w->load);
}

const struct section section_waits = {
	.state_size = sizeof(struct waits_section),
	.wants = SCHED_WANTS,
	.begin = begin,
	.event = event,
	.finish = finish,
	.release = release,
};
