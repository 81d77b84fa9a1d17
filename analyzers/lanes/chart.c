/* Follows the stack of each thread from sample to sample and ends a frame when the next sample
 * does not have it. Works on ids; names are put in when all spans are there. */
#include "analyzers/lanes/chart.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static uint32_t thread_of(struct chart *c, const struct pdt_event *e)
{
	uint32_t tid = e->pid || !e->has_cpu ? e->tid : e->cpu;
	uint32_t *id = idmap_put(&c->index, (uint64_t)e->pid << 32 | tid);

	if (*id == IDMAP_NONE) {
		*id = (uint32_t)c->thread_count;
		c->threads =
			xgrow(c->threads, &c->thread_cap, c->thread_count + 1, sizeof(*c->threads));
		c->threads[c->thread_count++] = (struct chart_thread){ .pid = e->pid, .tid = tid };
	}
	c->threads[*id].comm = e->comm;
	return *id;
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
		struct chart_thread *t = &c->threads[c->samples[i].thread];

		if (t->last_ns && c->samples[i].time_ns > t->last_ns)
			gaps[n++] = c->samples[i].time_ns - t->last_ns;
		t->last_ns = c->samples[i].time_ns;
	}
	for (size_t i = 0; i < c->thread_count; i++)
		c->threads[i].last_ns = 0;
	if (n) {
		qsort(gaps, n, sizeof(*gaps), compare_numbers);
		median = gaps[n / 2];
	}
	free(gaps);
	return median;
}

/* Where sample S of thread T begins; *FOLLOWS: right behind the one before. */
static uint64_t start_of(const struct chart *c, const struct chart_thread *t,
			 const struct chart_sample *s, bool *follows)
{
	uint64_t most = s->period_ns ? s->period_ns : c->interval_ns + c->interval_ns / 2;
	uint64_t start = most < s->time_ns ? s->time_ns - most : 0;

	*follows = t->last_ns && start <= t->last_ns + most / 8;
	return *follows ? t->last_ns : start;
}

/* ---- spans ---- */

static void open_span(struct chart_thread *t, uint32_t name, uint64_t start, uint64_t end)
{
	t->spans = xgrow(t->spans, &t->cap, t->count + 1, sizeof(*t->spans));
	t->open = xgrow(t->open, &t->open_cap, t->open_count + 1, sizeof(*t->open));
	t->spans[t->count] = (struct span){ start, end, name, (uint16_t)t->open_count };
	t->open[t->open_count++] = t->count++;
	if (t->open_count > t->depth)
		t->depth = (uint32_t)t->open_count;
}

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
static void put_frame(struct chart_thread *t, uint32_t name, size_t depth, struct span time)
{
	if (depth < t->open_count && t->spans[t->open[depth]].name == name) {
		t->spans[t->open[depth]].end_ns = time.end_ns;
		return;
	}
	if (depth > UINT16_MAX)
		return;
	t->open_count = depth;
	open_span(t, name, time.start_ns, time.end_ns);
}

static void put_sample(struct chart *c, const struct folding *f, const struct pdt_session *s,
		       const struct chart_sample *sample)
{
	struct chart_thread *t = &c->threads[sample->thread];
	struct span time = { .end_ns = sample->time_ns };
	size_t depth = 0;
	bool follows;

	time.start_ns = start_of(c, t, sample, &follows);
	if (!follows)
		t->open_count = 0;
	(void)folding_frames(f, s, sample->stack, &c->list);
	for (size_t i = c->list.count; i--;)
		put_frame(t, take_kind(c, c->list.ids[i]), depth++, time);
	if (depth < t->open_count)
		t->open_count = depth;
	t->last_ns = sample->time_ns;
}

char *chart_thread_name(uint32_t pid, uint32_t tid, uint32_t comm_id, const struct pdt_session *s)
{
	const char *comm = pdt_comm(s, comm_id);
	struct buf b = { 0 };
	struct answer safe = { 0 };
	char *name;

	buf_printf(&b, "%s %s%u",
		   comm	 ? comm
		   : pid ? "thread"
			 : "idle",
		   pid ? "" : "cpu ", pid ? pid : tid);
	if (pid && tid != pid)
		buf_printf(&b, "/%u", tid);
	name = xstrdup(answer_string(&safe, b.data));
	answer_release(&safe);
	buf_release(&b);
	return name;
}

int chart_finish(struct chart *c, const struct folding *f, const struct pdt_session *s,
		 struct warnings *w)
{
	const struct filter *filter = filter_of(s);

	if (!c->sample_count && f->unit.weight > 0) {
		warn_add(w, SEV_FATAL, "usage",
			 "--flamechart: the capture's samples have no times (perf record -T)");
		return ERR_USAGE;
	}
	if (!c->interval_ns)
		c->interval_ns = median_interval(c);
	for (size_t i = 0; i < c->sample_count; i++) {
		const struct chart_sample *k = &c->samples[i];

		if (stack_passes(s, k->stack, filter, !c->threads[k->thread].pid))
			put_sample(c, f, s, k);
	}
	for (size_t i = 0; i < c->thread_count; i++) {
		struct chart_thread *t = &c->threads[i];

		t->name = chart_thread_name(t->pid, t->tid, t->comm, s);
	}
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct chart_thread *x = a, *y = b;

	return compare_u64(x->pid, y->pid) ?: compare_u64(x->tid, y->tid);
}

void chart_result(struct chart *c, const struct folding *f, struct result *out)
{
	static const char *const commands[] = { "report", "flamegraph", "flamegraph --flamechart",
						NULL };
	struct timeline_part *p = &c->part;

	for (size_t i = 0; i < c->kind_count; i++) /* a name that no span has */
		c->kinds[i] = c->kinds[i] == FRAME_KINDS ? FRAME_OTHER : c->kinds[i];
	*p = (struct timeline_part){ .names = f->set.part.names,
				     .start_ns = UINT64_MAX,
				     .unit = "ns",
				     .frame_kinds = c->kinds,
				     .commands = commands };
	if (c->thread_count)
		qsort(c->threads, c->thread_count, sizeof(*c->threads), by_id);
	c->lanes = xcalloc(c->thread_count + 1, sizeof(*c->lanes));
	for (size_t i = 0; i < c->thread_count; i++) {
		const struct chart_thread *t = &c->threads[i];

		if (!t->count)
			continue;
		c->lanes[p->lane_count++] =
			(struct lane){ t->name, t->spans, t->count, t->depth, t->pid };
		p->start_ns =
			t->spans[0].start_ns < p->start_ns ? t->spans[0].start_ns : p->start_ns;
		p->end_ns = t->last_ns > p->end_ns ? t->last_ns : p->end_ns;
	}
	if (!p->lane_count)
		p->start_ns = 0;
	p->lanes = c->lanes;
	out->timeline = p;
	out->title = "Flame Chart";
}

void chart_release(struct chart *c)
{
	for (size_t i = 0; i < c->thread_count; i++) {
		free(c->threads[i].name);
		free(c->threads[i].spans);
		free(c->threads[i].open);
	}
	idmap_release(&c->index);
	free(c->threads);
	free(c->samples);
	frame_list_release(&c->list);
	free(c->kinds);
	free(c->lanes);
}
