/* A bounded number of panels, lines and steps, however long it was counted: of many CPUs or threads
 * those with the largest sums have lines, of many intervals a step is the mean of several. */
#include "analyzers/counters/stat_series.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct stat_panel *panel_of(struct stat_series *s, size_t event, const char *metric)
{
	size_t order = 0;
	struct stat_panel *p;

	for (size_t i = 0; i < s->panel_count; i++) {
		p = &s->panels[i];
		if (p->event == event &&
		    (metric ? p->metric && !strcmp(metric, p->metric) : !p->metric))
			return p;
		order += p->event == event;
	}
	if (s->panel_count == SERIES_PANELS)
		return NULL;
	p = &s->panels[s->panel_count++];
	*p = (struct stat_panel){ .event = event, .metric = metric, .order = order };
	return p;
}

static void add_line(struct stat_series *s, struct stat_panel *p, size_t place)
{
	p->lines[p->line_count++] = (struct stat_line){
		.place = place,
		.sums = memset(arena_alloc(s->arena, s->steps * sizeof(double)), 0,
			       s->steps * sizeof(double)),
		.counts = memset(arena_alloc(s->arena, s->steps * sizeof(uint32_t)), 0,
				 s->steps * sizeof(uint32_t)),
	};
}

/* By cell: its sum over all rounds. */
static double *sums_of(const struct counts *c)
{
	double *sums = xcalloc(c->cells.count + 1, sizeof(*sums));

	for (size_t i = 0; i < c->entry_count; i++) {
		const struct count_entry *e = &c->entries[i];

		if (e->count.running_ns)
			sums[e->cell] += (double)e->count.scaled + 1;
	}
	return sums;
}

/* The cells of one event. */
struct ranked {
	size_t place;
	double sum;
};

static int by_sum(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void choose_lines(struct stat_series *s, size_t event, const double *sums,
			 struct ranked *list)
{
	struct stat_panel *p;
	size_t n = 0, place, of;

	for (size_t i = 0; i < s->counts->cells.count; i++) {
		counts_where(s->counts, (uint32_t)i, &place, &of);
		if (of == event && sums[i] > 0)
			list[n++] = (struct ranked){ place, sums[i] };
	}
	if (!n)
		return;
	p = panel_of(s, event, NULL);
	if (!p) {
		s->left_out++;
		return;
	}
	qsort(list, n, sizeof(*list), by_sum);
	p->left_out = n > SERIES_LINES ? n - SERIES_LINES : 0;
	n -= p->left_out;
	/* so that a line looks the same in all panels */
	for (size_t i = 0; i < n; i++)
		list[i].sum = -(double)s->rank[list[i].place];
	qsort(list, n, sizeof(*list), by_sum);
	for (size_t i = 0; i < n; i++)
		add_line(s, p, list[i].place);
}

void stat_series_begin(struct stat_series *s, const struct counts *c, const struct metrics *m,
		       const size_t *rank, struct arena *arena)
{
	double *sums = sums_of(c);
	struct ranked *list = xcalloc(c->cells.count + 1, sizeof(*list));
	size_t rounds = c->round_count;

	rounds -= rounds && c->rounds[rounds - 1].rest;
	*s = (struct stat_series){ .arena = arena, .counts = c, .metrics = m, .rank = rank };
	s->merged = (rounds + SERIES_STEPS - 1) / SERIES_STEPS;
	s->steps = s->merged ? (rounds + s->merged - 1) / s->merged : 0;
	/* the others have no panels, and are not looked for: events may be many */
	for (size_t e = 0; e < m->count && s->panel_count < SERIES_PANELS / 2; e++)
		choose_lines(s, e, sums, list);
	s->left_out = m->count > SERIES_PANELS / 2 ? m->count - SERIES_PANELS / 2 : 0;
	free(list);
	free(sums);
}

static void add_value(struct stat_series *s, struct stat_panel *p, size_t line, double value,
		      size_t r)
{
	struct stat_line *l = &p->lines[line];

	l->sums[r / s->merged] += value;
	l->counts[r / s->merged]++;
}

/* How often something came in a second looks as the counts do. */
static bool is_rate(const char *unit)
{
	size_t len = strlen(unit);

	return len >= 4 && !strcmp(unit + len - 4, "/sec");
}

static void add_metrics(struct stat_series *s, size_t panel, size_t line, size_t r)
{
	size_t event = s->panels[panel].event, place = s->panels[panel].lines[line].place;
	struct metric m[METRICS_MAX];
	size_t n = metrics_of(s->metrics, s->counts, place, event, m);

	for (size_t i = 0; i < n; i++) {
		struct stat_panel *p = is_rate(m[i].unit) ? NULL : panel_of(s, event, m[i].unit);

		if (!p)
			continue;
		/* as the panel of its counts */
		for (size_t k = p->line_count; k < s->panels[panel].line_count; k++)
			add_line(s, p, s->panels[panel].lines[k].place);
		p->left_out = s->panels[panel].left_out;
		add_value(s, p, line, m[i].value, r);
	}
}

void stat_series_add(struct stat_series *s, size_t r)
{
	for (size_t i = 0; i < s->panel_count && !s->counts->rounds[r].rest; i++) {
		struct stat_panel *p = &s->panels[i];
		const struct metric_event *e = &s->metrics->events[p->event];

		for (size_t k = 0; k < p->line_count && !p->metric; k++) {
			struct count count = counts_at(s->counts, p->lines[k].place, p->event);

			if (!count.running_ns || !count.enabled_ns)
				continue;
			add_value(s, p, k, (double)count.scaled * (e->unit ? e->scale : 1), r);
			add_metrics(s, i, k, r);
		}
	}
}

static int by_event(const void *a, const void *b)
{
	const struct stat_panel *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static const struct series_line *lines_of(const struct stat_series *s, const struct stat_panel *p,
					  const char *(*name)(void *ctx, size_t place), void *ctx)
{
	struct series_line *lines = arena_alloc(s->arena, p->line_count * sizeof(*lines));

	for (size_t i = 0; i < p->line_count; i++) {
		const struct stat_line *l = &p->lines[i];

		for (size_t k = 0; k < s->steps; k++)
			l->sums[k] = l->counts[k] ? l->sums[k] / l->counts[k] : NAN;
		lines[i] = (struct series_line){ name(ctx, l->place), l->sums };
	}
	return lines;
}

void stat_series_end(struct stat_series *s, const char *(*name)(void *ctx, size_t place), void *ctx)
{
	struct series_panel *panels = arena_alloc(s->arena, (s->panel_count + 1) * sizeof(*panels));
	uint64_t *ends = arena_alloc(s->arena, (s->steps + 1) * sizeof(*ends));
	size_t rounds = s->counts->round_count;

	qsort(s->panels, s->panel_count, sizeof(*s->panels), by_event);
	for (size_t i = 0; i < s->steps; i++) {
		size_t last = (i + 1) * s->merged;

		last = last < rounds ? last : rounds;
		last -= s->counts->rounds[last - 1].rest;
		ends[i] = s->counts->rounds[last - 1].time_ns;
	}
	for (size_t i = 0; i < s->panel_count; i++) {
		const struct stat_panel *p = &s->panels[i];
		const struct metric_event *e = &s->metrics->events[p->event];

		panels[i] = (struct series_panel){
			.name = e->name,
			.unit = p->metric ?: e->unit ?: "",
			.lines = lines_of(s, p, name, ctx),
			.line_count = p->line_count,
			.left_out = p->left_out,
		};
	}
	s->part = (struct series_part){ ends,	s->steps,	s->merged,
					panels, s->panel_count, s->left_out };
}
