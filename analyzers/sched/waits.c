/* Adds up the run queue's intervals by task. Single waits are kept only where percentiles or a
 * list are wanted. */
#include "analyzers/sched/waits.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define VALUES_MIN 4 /* most tasks wait a few times */

static void on_interval(void *ctx, const struct rq_interval *i);

void waits_init(struct waits *w)
{
	memset(w, 0, sizeof(*w));
	w->part = UINT32_MAX;
	runqueue_init(&w->rq, on_interval, w);
}

static void free_values(struct wait_sums *s)
{
	free(s->values);
	free(s->wide);
}

static void release_sums(struct wait_sums *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free_values(&list[i]);
	free(list);
}

void waits_release(struct waits *w)
{
	runqueue_release(&w->rq);
	release_sums(w->sums, w->sums_count);
	release_sums(w->cpu_sums, w->cpu_count);
	free(w->sums_of);
	free(w->groups);
	free(w->room);
	free(w->list);
}

/* Element I of a table of sums that grows with zeros. */
static struct wait_sums *sums_at(struct wait_sums **list, size_t *count, size_t *cap, size_t i)
{
	*list = xgrow_to(*list, count, cap, i, sizeof(**list));
	return *list + i;
}

/* Those of TASK. Most that are only announced never run: they have none. */
static struct wait_sums *sums_of(struct waits *w, size_t task)
{
	if (task >= w->task_count)
		w->sums_of = xgrow_to(w->sums_of, &w->task_count, &w->task_cap, task,
				      sizeof(*w->sums_of));
	if (!w->sums_of[task]) {
		(void)sums_at(&w->sums, &w->sums_count, &w->sums_cap, w->sums_count);
		w->sums_of[task] = (uint32_t)w->sums_count;
	}
	return &w->sums[w->sums_of[task] - 1];
}

/* The first N need more room from now on. */
static void widen(struct wait_sums *s, size_t n)
{
	s->wide = xmalloc(s->value_cap * sizeof(*s->wide));
	for (size_t i = 0; i < n; i++)
		s->wide[i] = s->values[i];
	free(s->values);
	s->values = NULL;
}

/* Behind the first N, which are there. */
static void put_value(struct wait_sums *s, size_t n, uint64_t ns)
{
	if (!s->wide && ns > UINT32_MAX)
		widen(s, n);
	if (s->wide)
		s->wide[n] = ns;
	else
		s->values[n] = (uint32_t)ns;
}

/* For COUNT waits, two at least; the first one comes with them. */
static void room_for_values(struct wait_sums *s, uint64_t count)
{
	if (!s->value_cap && count <= VALUES_MIN) {
		s->values = xmalloc(VALUES_MIN * sizeof(*s->values));
		s->value_cap = VALUES_MIN;
	}
	if (s->wide)
		s->wide = xgrow(s->wide, &s->value_cap, count, sizeof(*s->wide));
	else
		s->values = xgrow(s->values, &s->value_cap, count, sizeof(*s->values));
	if (s->figures.count == 1)
		put_value(s, 0, s->figures.max_ns);
}

uint64_t *wait_values(struct waits *w, struct wait_sums *s)
{
	size_t n = s->figures.count;

	if (n > 1 && s->wide)
		return s->wide;
	w->room = xgrow(w->room, &w->room_cap, n, sizeof(*w->room));
	for (size_t i = 0; n > 1 && i < n; i++)
		w->room[i] = s->values[i];
	if (n == 1)
		w->room[0] = s->figures.max_ns;
	return w->room;
}

static void add_wait(struct wait_sums *s, const struct rq_interval *i)
{
	s->cause_count[i->cause]++;
	(void)add_held(&s->cause_ns[i->cause], i->whole_ns);
	if (s->figures.count) {
		room_for_values(s, s->figures.count + 1);
		put_value(s, s->figures.count, i->whole_ns);
	}
	wait_figures_add(&s->figures, i->end_ns - i->whole_ns, i->whole_ns);
}

/* What of S an interval like I adds to. */
static uint64_t *part_of(struct wait_sums *s, const struct rq_interval *i)
{
	switch (i->state) {
	case RQ_RUNNING:
		return &s->run_ns;
	case RQ_RUNNABLE:
		return &s->wait_ns;
	case RQ_BLOCKED:
		return i->letter == 'S'	  ? &s->sleep_ns
		       : i->letter == 'D' ? &s->disk_ns
					  : &s->other_ns;
	default:
		return &s->unknown_ns;
	}
}

static void add_interval(struct wait_sums *s, const struct rq_interval *i)
{

	if (!s->last_ns)
		s->first_ns = i->start_ns;
	s->last_ns = i->end_ns;
	(void)add_held(part_of(s, i), i->end_ns - i->start_ns);
	if (i->state == RQ_RUNNABLE && i->ends)
		add_wait(s, i);
}

static bool is_on_cpu(const struct rq_interval *i)
{
	return i->state == RQ_RUNNING || i->state == RQ_RUNNABLE;
}

bool waits_counts(const struct runqueue *rq, const struct rq_interval *i)
{
	return rq->tasks[i->task].tid &&
	       (!is_on_cpu(i) || num_list_passes(&rq->filter->cpus, i->cpu)) &&
	       (i->state != RQ_RUNNABLE || !i->left_out);
}

static void on_interval(void *ctx, const struct rq_interval *i)
{
	struct waits *w = ctx;
	struct wait_sums *s = sums_of(w, i->task);
	bool on_cpu = is_on_cpu(i);

	if (!waits_counts(&w->rq, i))
		return;
	add_interval(s, i);
	if (w->by == RQ_BY_CPU && on_cpu && i->cpu < SCHED_CPUS_MAX &&
	    runqueue_wants(&w->rq, &w->rq.tasks[i->task]))
		add_interval(sums_at(&w->cpu_sums, &w->cpu_count, &w->cpu_cap, i->cpu), i);
	if (w->by == RQ_BY_PART && i->state == RQ_RUNNABLE && i->ends && w->part < SCHED_CPUS_MAX &&
	    runqueue_wants(&w->rq, &w->rq.tasks[i->task]))
		add_interval(sums_at(&w->cpu_sums, &w->cpu_count, &w->cpu_cap, w->part), i);
	if (!w->keep_list || i->state != RQ_RUNNABLE || !i->ends)
		return;
	w->list = xgrow(w->list, &w->cap, w->count + 1, sizeof(*w->list));
	w->list[w->count++] = (struct wait){ i->end_ns - i->whole_ns, i->whole_ns, i->task,
					     i->cpu & 0xffffff, i->cause };
}

/* ---- rows ---- */

void waits_end(struct waits *w)
{
	size_t n = 0;

	if (!w->rq.filter)
		return;
	runqueue_end(&w->rq);
	for (size_t i = 0; i < w->rq.count; i++) {
		const struct rq_task *t = &w->rq.tasks[i];
		struct wait_sums *s;

		if (!runqueue_wants(&w->rq, t))
			continue;
		s = sums_of(w, i);
		s->figures.runtime_ns = t->runtime_ns ?: s->run_ns;
		if (t->runtime_ns)
			(void)add_held(&s->figures.runtime_ns, t->early_ns);
		s->sleeps = t->sleeps;
		s->preemptions = t->preemptions;
		s->migrations = t->migrations;
	}
	for (size_t i = 0; i < w->count; i++) {
		if (runqueue_wants(&w->rq, &w->rq.tasks[w->list[i].task]))
			w->list[n++] = w->list[i];
	}
	w->count = n;
}

/* FROM's values go to TO, too. */
static void merge_sums(struct wait_sums *to, struct wait_sums *from)
{
	size_t n = to->figures.count, count = from->figures.count;

	if (!n) {
		free_values(to);
		to->values = from->values;
		to->wide = from->wide;
		to->value_cap = from->value_cap;
		from->values = NULL;
		from->wide = NULL;
	} else if (count) {
		room_for_values(to, n + count);
		for (size_t i = 0; i < count; i++)
			put_value(to, n + i,
				  count == 1   ? from->figures.max_ns
				  : from->wide ? from->wide[i]
					       : from->values[i]);
	}
	wait_figures_merge(&to->figures, &from->figures);
	for (int i = 0; i < CAUSE_COUNT; i++) {
		to->cause_count[i] += from->cause_count[i];
		(void)add_held(&to->cause_ns[i], from->cause_ns[i]);
	}
	(void)add_held(&to->run_ns, from->run_ns);
	(void)add_held(&to->wait_ns, from->wait_ns);
	(void)add_held(&to->unknown_ns, from->unknown_ns);
	(void)add_held(&to->sleep_ns, from->sleep_ns);
	(void)add_held(&to->disk_ns, from->disk_ns);
	(void)add_held(&to->other_ns, from->other_ns);
	to->sleeps += from->sleeps;
	to->preemptions += from->preemptions;
	to->migrations += from->migrations;
	if (from->last_ns && (!to->last_ns || from->first_ns < to->first_ns))
		to->first_ns = from->first_ns;
	if (from->last_ns > to->last_ns)
		to->last_ns = from->last_ns;
}

static void group_tasks(struct waits *w)
{
	struct idmap map = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < w->rq.count; i++) {
		const struct rq_task *t = &w->rq.tasks[i];
		struct wait_sums *own;
		uint32_t *slot;

		if (!runqueue_wants(&w->rq, t))
			continue;
		slot = idmap_put(&map, runqueue_key(&w->rq, (uint32_t)i, w->by));
		if (*slot == IDMAP_NONE) {
			*slot = (uint32_t)w->group_count++;
			w->groups = xgrow(w->groups, &cap, w->group_count, sizeof(*w->groups));
			w->groups[*slot] = (struct wait_group){ .task = (uint32_t)i };
		}
		own = sums_of(w, i);
		if (!w->groups[*slot].tasks++)
			w->groups[*slot].sums = own;
		else
			merge_sums(w->groups[*slot].sums, own);
	}
	idmap_release(&map);
}

static void group_cpus(struct waits *w)
{
	w->groups = xcalloc(w->cpu_count + 1, sizeof(*w->groups));
	for (size_t i = 0; i < w->cpu_count; i++) {
		struct wait_group *g = &w->groups[w->group_count];

		if (w->by == RQ_BY_PART && !w->cpu_sums[i].figures.count)
			continue;
		*g = (struct wait_group){ .task = UINT32_MAX,
					  .cpu = (uint32_t)i,
					  .sums = &w->cpu_sums[i] };
		g->sums->figures.runtime_ns = g->sums->run_ns;
		w->group_count++;
	}
}

void waits_group(struct waits *w)
{
	if (!w->rq.filter)
		return;
	if (w->by == RQ_BY_CPU || w->by == RQ_BY_PART)
		group_cpus(w);
	else
		group_tasks(w);
}
