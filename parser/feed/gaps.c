/* Keeps, for each stream, when it was throttled, and for each CPU, its last record; makes gaps
 * of them. The number of gaps is bounded, and what is over it is only counted. */
#include "parser/feed/gaps.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void add(struct gaps *g, enum pdt_gap_cause cause, uint64_t start_ns, uint64_t end_ns)
{
	struct gap *last = g->count ? &g->list[g->count - 1] : NULL;

	if (end_ns <= start_ns)
		end_ns = start_ns + 1;
	if (last && last->cause == cause && start_ns >= last->start_ns &&
	    start_ns <= last->end_ns) {
		last->end_ns = end_ns > last->end_ns ? end_ns : last->end_ns;
		return;
	}
	if (g->count == GAPS_MAX) {
		g->left_out++;
		return;
	}
	g->list = xgrow(g->list, &g->cap, g->count + 1, sizeof(*g->list));
	g->list[g->count++] = (struct gap){ start_ns, end_ns, cause };
}

static struct throttled *find(struct gaps *g, uint64_t stream_id)
{
	for (size_t i = 0; i < g->throttled_count; i++) {
		if (g->throttled[i].stream_id == stream_id)
			return &g->throttled[i];
	}
	return NULL;
}

void gaps_throttle(struct gaps *g, uint64_t stream_id, uint64_t time_ns)
{
	if (find(g, stream_id))
		return;
	if (g->throttled_count == GAPS_MAX_THROTTLED) {
		g->unknown++;
		return;
	}
	g->throttled = xgrow(g->throttled, &g->throttled_cap, g->throttled_count + 1,
			     sizeof(*g->throttled));
	g->throttled[g->throttled_count++] = (struct throttled){ stream_id, time_ns };
}

void gaps_unthrottle(struct gaps *g, uint64_t stream_id, uint64_t time_ns)
{
	struct throttled *t = find(g, stream_id);

	if (!t)
		return;
	add(g, PDT_GAP_THROTTLED, t->start_ns, time_ns);
	*t = g->throttled[--g->throttled_count];
}

void gaps_saw_first(struct gaps *g, uint32_t cpu, uint64_t time_ns)
{
	if (cpu >= GAPS_MAX_CPUS)
		return;
	g->cpu_last_ns = xgrow(g->cpu_last_ns, &g->cpu_cap, cpu + 1, sizeof(*g->cpu_last_ns));
	while (g->cpu_count <= cpu)
		g->cpu_last_ns[g->cpu_count++] = 0;
	g->cpu_last_ns[cpu] = time_ns;
}

void gaps_lost(struct gaps *g, uint32_t cpu, uint64_t time_ns)
{
	uint64_t last_ns = cpu < g->cpu_count ? g->cpu_last_ns[cpu] : 0;

	g->unplaced += cpu >= GAPS_MAX_CPUS;
	add(g, PDT_GAP_LOST, last_ns && last_ns < time_ns ? last_ns : time_ns, time_ns);
	gaps_saw(g, cpu, time_ns);
}

static int by_cause_and_time(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

void gaps_end(struct gaps *g, uint64_t last_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < g->throttled_count; i++)
		add(g, PDT_GAP_THROTTLED, g->throttled[i].start_ns, last_ns);
	g->throttled_count = 0;
	if (g->count)
		qsort(g->list, g->count, sizeof(*g->list), by_cause_and_time);
	for (size_t i = 0; i < g->count; i++) {
		struct gap *to = n ? &g->list[n - 1] : NULL;

		if (to && to->cause == g->list[i].cause && g->list[i].start_ns <= to->end_ns)
			to->end_ns =
				g->list[i].end_ns > to->end_ns ? g->list[i].end_ns : to->end_ns;
		else
			g->list[n++] = g->list[i];
	}
	g->count = n;
}

void gaps_release(struct gaps *g)
{
	free(g->list);
	free(g->cpu_last_ns);
	free(g->throttled);
	memset(g, 0, sizeof(*g));
}
