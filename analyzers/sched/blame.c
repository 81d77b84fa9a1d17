/* Watches the intervals of the run queue and charges each wait to those that ran in the
 * meantime. The shares of a wait add up to the wait exactly. */
#include "analyzers/sched/blame.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static void on_interval(void *ctx, const struct rq_interval *i);

void blame_init(struct blame *b, struct runqueue *rq)
{
	memset(b, 0, sizeof(*b));
	runqueue_init(&b->own, on_interval, b);
	b->rq = rq ?: &b->own;
}

void blame_release(struct blame *b)
{
	runqueue_release(&b->own);
	for (size_t i = 0; i < b->cpu_count; i++)
		free(b->runs[i].list);
	free(b->runs);
	free(b->waits.list);
	free(b->groups);
	free(b->group_of);
	free(b->shares);
}

static void append(struct stretches *s, const struct rq_interval *i)
{
	s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
	s->list[s->count++] = (struct stretch){ i->start_ns, i->end_ns, i->task, i->cpu };
}

static struct stretches *runs_of(struct blame *b, uint32_t cpu)
{
	b->runs = xgrow_to(b->runs, &b->cpu_count, &b->cpu_cap, cpu, sizeof(*b->runs));
	return &b->runs[cpu];
}

void blame_interval(struct blame *b, const struct rq_interval *i)
{
	const struct num_list *cpus = &b->rq->filter->cpus;

	if (i->start_ns == i->end_ns || !num_list_passes(cpus, i->cpu))
		return;
	if (i->state == RQ_RUNNING && i->cpu < SCHED_CPUS_MAX)
		append(runs_of(b, i->cpu), i);
	else if (i->state == RQ_RUNNABLE && !i->left_out && b->rq->tasks[i->task].tid)
		append(&b->waits, i);
}

static void on_interval(void *ctx, const struct rq_interval *i)
{
	blame_interval(ctx, i);
}

/* ---- one task at a time on a CPU ---- */

static int by_start(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return compare_u64(x->start_ns, y->start_ns) ?: compare_u64(x->end_ns, y->end_ns) ?:
	       compare_u64(x->task, y->task);
}

/* Most are in order already: the stretches of a CPU end one after the other, and so do those of a
 * task. */
static void sort_by_start(struct stretch *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (by_start(&list[i - 1], &list[i]) > 0) {
			qsort(list, count, sizeof(*list), by_start);
			return;
		}
	}
}

/* Records that contradict each other make two tasks run at once: the one that began first had the
 * CPU. */
static void part_runs(struct stretches *s)
{
	uint64_t end = 0;
	size_t n = 0;

	sort_by_start(s->list, s->count);
	for (size_t i = 0; i < s->count; i++) {
		struct stretch r = s->list[i];

		r.start_ns = r.start_ns > end ? r.start_ns : end;
		if (r.start_ns >= r.end_ns)
			continue;
		end = r.end_ns;
		s->list[n++] = r;
	}
	s->count = n;
}

/* The first of S that ends after TIME_NS, which is likely not far behind NEAR. */
static size_t first_after(const struct stretches *s, uint64_t time_ns, size_t near)
{
	size_t low = 0, high = s->count, step = 1;

	if (near < s->count && s->list[near].end_ns <= time_ns) {
		for (low = near + 1; step < high - low; low += step, step *= 2) {
			if (s->list[low + step].end_ns > time_ns) {
				high = low + step;
				break;
			}
		}
	}
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->list[mid].end_ns > time_ns)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* ---- groups ---- */

static uint32_t add_group(struct blame *b, uint32_t task)
{
	b->groups = xgrow(b->groups, &b->group_cap, b->group_count + 1, sizeof(*b->groups));
	b->groups[b->group_count] = (struct blame_group){ task, 0 };
	return (uint32_t)b->group_count++;
}

static void make_groups(struct blame *b)
{
	struct idmap map = { 0 };

	add_group(b, NONE);
	add_group(b, NONE);
	b->group_of = xcalloc(b->rq->count + 1, sizeof(*b->group_of));
	for (uint32_t i = 0; i < b->rq->count; i++) {
		const struct rq_task *t = &b->rq->tasks[i];
		uint32_t *slot;

		if (!t->tid) {
			b->group_of[i] = BLAME_IDLE;
			continue;
		}
		slot = idmap_put(&map, runqueue_key(b->rq, i, b->by));
		if (*slot == IDMAP_NONE)
			*slot = add_group(b, i);
		b->group_of[i] = *slot;
		b->groups[*slot].tasks++;
	}
	idmap_release(&map);
}

/* ---- shares ---- */

/* What one waiter, or all, waited for so far. */
struct account {
	struct blame_share *by_group;
	size_t *seen; /* by group: the last wait in which it ran, counted from 1 */
	uint32_t *used;
	size_t used_count;
	uint64_t ns;
};

static void charge(struct account *a, uint32_t group, uint64_t ns, size_t wait)
{
	struct blame_share *s = &a->by_group[group];

	if (!s->count)
		a->used[a->used_count++] = group;
	s->count += a->seen[group] != wait;
	(void)add_held(&s->ns, ns);
	a->seen[group] = wait;
	(void)add_held(&a->ns, ns);
}

static void divide(struct blame *b, struct account *a, const struct stretch *w, size_t wait)
{
	struct stretches *runs = w->cpu < b->cpu_count ? &b->runs[w->cpu] : NULL;
	uint64_t left = w->end_ns - w->start_ns;

	if (runs)
		runs->near = first_after(runs, w->start_ns, runs->near);
	for (size_t i = runs ? runs->near : 0;
	     runs && i < runs->count && runs->list[i].start_ns < w->end_ns; i++) {
		const struct stretch *r = &runs->list[i];
		uint64_t start = r->start_ns > w->start_ns ? r->start_ns : w->start_ns;
		uint64_t end = r->end_ns < w->end_ns ? r->end_ns : w->end_ns;

		charge(a, b->group_of[r->task], end - start, wait);
		left -= end - start;
	}
	if (left)
		charge(a, BLAME_UNKNOWN, left, wait);
}

/* The account is closed: its shares become rows of WAITER. */
static void settle(struct blame *b, struct account *a, uint32_t waiter)
{
	for (size_t i = 0; i < a->used_count; i++) {
		struct blame_share *s = &a->by_group[a->used[i]];

		b->shares = xgrow(b->shares, &b->cap, b->count + 1, sizeof(*b->shares));
		b->shares[b->count++] =
			(struct blame_share){ waiter, a->used[i], s->ns, s->count, a->ns };
		*s = (struct blame_share){ 0 };
	}
	(void)add_held(&b->wait_ns, a->ns);
	a->used_count = 0;
	a->ns = 0;
}

/* The waits of one group behind those of the other, each by their start. */
static void sort_by_waiter(struct blame *b)
{
	size_t *ends = xcalloc(b->group_count + 1, sizeof(*ends)), from = 0;
	struct stretch *list = xmalloc(b->waits.count * sizeof(*list));

	for (size_t i = 0; i < b->waits.count; i++)
		ends[b->group_of[b->waits.list[i].task] + 1]++;
	for (size_t i = 1; i <= b->group_count; i++)
		ends[i] += ends[i - 1];
	for (size_t i = 0; i < b->waits.count; i++)
		list[ends[b->group_of[b->waits.list[i].task]]++] = b->waits.list[i];
	for (size_t i = 0; i < b->group_count; from = ends[i++])
		sort_by_start(list + from, ends[i] - from);
	free(b->waits.list);
	b->waits.list = list;
	b->waits.cap = b->waits.count;
	free(ends);
}

static int by_share(const void *a, const void *b)
{
	const struct blame_share *x = a, *y = b;

	return compare_u64(y->waiter_ns, x->waiter_ns) ?: compare_u64(x->waiter, y->waiter) ?:
	       compare_u64(y->ns, x->ns) ?: compare_u64(x->blamed, y->blamed);
}

static void drop_unwanted(struct blame *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->waits.count; i++) {
		const struct stretch *w = &b->waits.list[i];

		if (runqueue_wants(b->rq, &b->rq->tasks[w->task]))
			b->waits.list[n++] = *w;
	}
	b->waits.count = n;
}

static void make_shares(struct blame *b)
{
	struct account a = { .by_group = xcalloc(b->group_count, sizeof(*a.by_group)),
			     .seen = xcalloc(b->group_count, sizeof(*a.seen)),
			     .used = xcalloc(b->group_count, sizeof(*a.used)) };
	const struct stretch *list;
	uint32_t waiter = NONE;

	if (b->waiters && b->waits.count)
		sort_by_waiter(b);
	list = b->waits.list;
	for (size_t i = 0; i < b->waits.count; i++) {
		uint32_t group = b->waiters ? b->group_of[list[i].task] : NONE;

		if (group != waiter)
			settle(b, &a, waiter);
		waiter = group;
		divide(b, &a, &list[i], i + 1);
	}
	settle(b, &a, waiter);
	free(a.by_group);
	free(a.seen);
	free(a.used);
}

void blame_end(struct blame *b)
{
	if (!b->rq->filter)
		return;
	if (b->rq == &b->own)
		runqueue_end(b->rq);
	make_groups(b);
	drop_unwanted(b);
	for (size_t i = 0; i < b->cpu_count; i++)
		part_runs(&b->runs[i]);
	make_shares(b);
	if (b->count)
		qsort(b->shares, b->count, sizeof(*b->shares), by_share);
}
