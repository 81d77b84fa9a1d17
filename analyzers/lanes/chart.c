/* Follows the stack of each thread from sample to sample and ends a frame when the next sample
 * does not have it. Works on ids; names are put in when all spans are there. */
#include "analyzers/lanes/chart.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static uint32_t thread_of(struct chart *c, const struct pdt_event *e)
{
	return tracks_put(&c->tracks, e->pid, e->pid || !e->has_cpu ? e->tid : e->cpu, e->comm);
}

void chart_add(struct chart *c, const struct pdt_event *e)
{
	uint64_t frequency;

	if (!e->has_time)
		return;
	c->samples = xgrow(c->samples, &c->sample_cap, c->sample_count + 1, sizeof(*c->samples));
	c->samples[c->sample_count++] =
		(struct chart_sample){ .time_ns = e->time_ns,
				       .period_ns = pdt_desc_in_ns(e->desc) ? e->weight : 0,
				       .thread = thread_of(c, e),
				       .stack = e->stack };
	frequency = pdt_desc_number(NULL, e->desc, PDT_DESC_PERIOD);
	if (frequency && pdt_desc_number(NULL, e->desc, PDT_DESC_IS_FREQ))
		c->interval_ns = 1000000000 / frequency;
}

/* ---- how long a sample lasts ---- */

/* Where the event has no frequency: the median time between two samples of a thread. */
static uint64_t median_interval(struct chart *c)
{
	uint64_t *gaps = xmalloc((c->sample_count + 1) * sizeof(*gaps)), median = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->sample_count; i++) {
		struct track *t = &c->tracks.list[c->samples[i].thread];

		if (t->last_ns && c->samples[i].time_ns > t->last_ns)
			gaps[n++] = c->samples[i].time_ns - t->last_ns;
		t->last_ns = c->samples[i].time_ns;
	}
	for (size_t i = 0; i < c->tracks.count; i++)
		c->tracks.list[i].last_ns = 0;
	if (n) {
		qsort(gaps, n, sizeof(*gaps), compare_numbers);
		median = gaps[n / 2];
	}
	free(gaps);
	return median;
}

/* Where sample S of thread T begins; *FOLLOWS: right behind the one before. */
static uint64_t start_of(const struct chart *c, const struct track *t, const struct chart_sample *s,
			 bool *follows)
{
	uint64_t most = s->period_ns ? s->period_ns : c->interval_ns + c->interval_ns / 2;
	uint64_t start = most < s->time_ns ? s->time_ns - most : 0;

	*follows = t->last_ns && start <= t->last_ns + most / 8;
	return *follows ? t->last_ns : start;
}

/* ---- spans ---- */

/* By depth: the spans of a thread that last until its LAST_NS. */
struct open_spans {
	size_t *list;
	size_t count, cap;
};

/* A name may be inlined here and called there: the lesser kind stands, as where frames are merged.
 */
static uint32_t take_kind(struct chart *c, uint32_t frame)
{
	uint32_t name = frame & STACKSET_ID;
	uint8_t kind = (uint8_t)(frame >> STACKSET_KIND_SHIFT);
	bool known = name < c->kind_count && c->kinds[name] != FRAME_KINDS;

	while (c->kind_count <= name) {
		c->kinds = xgrow(c->kinds, &c->kind_cap, c->kind_count + 1, 1);
		c->kinds[c->kind_count++] = FRAME_KINDS;
	}
	if (!known || kind < c->kinds[name])
		c->kinds[name] = kind;
	return name;
}

/* One frame of a sample that lasts until END: the span of the sample before goes on while its
 * callers do. */
static void put_frame(struct track *t, struct open_spans *open, size_t depth, struct span span)
{
	if (depth < open->count && t->spans[open->list[depth]].name == span.name) {
		t->spans[open->list[depth]].end_ns = span.end_ns;
		return;
	}
	if (depth > UINT16_MAX)
		return;
	span.depth = (uint16_t)depth;
	open->list = xgrow(open->list, &open->cap, depth + 1, sizeof(*open->list));
	open->list[depth] = track_add(t, span);
	open->count = depth + 1;
	if (open->count > t->depth)
		t->depth = (uint32_t)open->count;
}

static void put_sample(struct chart *c, const struct folding *f, const struct pdt_session *s,
		       const struct chart_sample *sample, struct open_spans *open)
{
	struct track *t = &c->tracks.list[sample->thread];
	struct span span = { .end_ns = sample->time_ns };
	size_t depth = 0;
	bool follows;

	span.start_ns = start_of(c, t, sample, &follows);
	if (!follows)
		open->count = 0;
	(void)folding_frames(f, s, sample->stack, &c->list);
	for (size_t i = c->list.count; i--;) {
		span.name = take_kind(c, c->list.ids[i]);
		put_frame(t, open, depth++, span);
	}
	if (depth < open->count)
		open->count = depth;
	t->last_ns = sample->time_ns;
}

int chart_finish(struct chart *c, const struct folding *f, const struct pdt_session *s,
		 struct warnings *w)
{
	const struct filter *filter = filter_of(s);
	struct open_spans *open;

	if (!c->sample_count && f->unit.weight > 0) {
		warn_add(w, SEV_FATAL, "usage",
			 "--flamechart: the capture's samples have no times (perf record -T)");
		return ERR_USAGE;
	}
	if (!c->interval_ns)
		c->interval_ns = median_interval(c);
	open = xcalloc(c->tracks.count + 1, sizeof(*open));
	for (size_t i = 0; i < c->sample_count; i++) {
		const struct chart_sample *k = &c->samples[i];

		if (stack_passes(s, k->stack, filter, !c->tracks.list[k->thread].pid))
			put_sample(c, f, s, k, &open[k->thread]);
	}
	for (size_t i = 0; i < c->tracks.count; i++)
		free(open[i].list);
	free(open);
	tracks_name(&c->tracks, s);
	return 0;
}

void chart_result(struct chart *c, const struct folding *f, struct result *out)
{
	static const char *const commands[] = { "report", "flamegraph", "flamegraph --flamechart",
						NULL };

	for (size_t i = 0; i < c->kind_count; i++) /* a name that no span has */
		c->kinds[i] = c->kinds[i] == FRAME_KINDS ? FRAME_OTHER : c->kinds[i];
	tracks_result(&c->tracks,
		      &(struct timeline_part){ .names = f->set.part.names,
					       .frame_kinds = c->kinds,
					       .commands = commands },
		      out);
}

void chart_release(struct chart *c)
{
	tracks_release(&c->tracks);
	free(c->samples);
	frame_list_release(&c->list);
	free(c->kinds);
}
