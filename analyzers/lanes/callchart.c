/* Follows the calls of each thread. */
#include "analyzers/lanes/callchart.h"
#include "analyzers/count/namer.h"
#include "analyzers/lanes/chart.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"

#include <inttypes.h>
#include <stdlib.h>

#define INSN_BYTES_MAX 15

/* Names of spans that are no place, from the last number down; PDT_NONE is nowhere. */
enum { OUTSIDE_SYSTEM = 1, OUTSIDE_INTERRUPT, OUTSIDE_OTHER, OUTSIDE_KINDS };

static const char *const outside_names[OUTSIDE_KINDS] = {
	[0] = "[unknown]",
	[OUTSIDE_SYSTEM] = "[system call]",
	[OUTSIDE_INTERRUPT] = "[interrupt]",
	[OUTSIDE_OTHER] = "[not traced]",
};

static struct call_thread *thread_of(struct call_chart *c, const struct pdt_event *e)
{
	uint32_t *id = idmap_put(&c->index, (uint64_t)e->pid << 32 | e->tid);

	if (*id == IDMAP_NONE) {
		*id = (uint32_t)c->thread_count;
		c->threads =
			xgrow(c->threads, &c->thread_cap, c->thread_count + 1, sizeof(*c->threads));
		c->threads[c->thread_count++] =
			(struct call_thread){ .pid = e->pid, .tid = e->tid };
	}
	c->threads[*id].comm = e->comm;
	return &c->threads[*id];
}

/* ---- calls ---- */

static void open_call(struct call_chart *c, struct call_thread *t, uint32_t name,
		      struct traced_call call)
{
	size_t depth = t->open_count;

	if (depth > UINT16_MAX) {
		t->over++;
		c->left_out++;
		return;
	}
	call.span = SIZE_MAX;
	if (c->spans < CALLS_MAX) {
		c->spans++;
		call.span = t->count;
		t->spans = xgrow(t->spans, &t->cap, t->count + 1, sizeof(*t->spans));
		t->spans[t->count++] =
			(struct span){ t->last_ns, t->last_ns, name, (uint16_t)depth };
	} else {
		c->left_out++;
	}
	t->open = xgrow(t->open, &t->open_cap, depth + 1, sizeof(*t->open));
	t->open[t->open_count++] = call;
	if (t->open_count > t->depth)
		t->depth = (uint32_t)t->open_count;
}

/* All but COUNT of them end now. */
static void close_calls(struct call_thread *t, size_t count)
{
	while (t->open_count > count) {
		size_t span = t->open[--t->open_count].span;

		if (span != SIZE_MAX)
			t->spans[span].end_ns = t->last_ns;
	}
	t->over = 0;
}

static uint32_t place_at(const struct pdt_event *e, const struct pdt_session *s)
{
	uint64_t to = e->values ? e->values->addr : 0;
	uint32_t place;

	if (!to || pdt_locate(s, e, to, (int64_t)to < 0 ? PDT_KERNEL : PDT_USER, &place) < 0)
		return PDT_NONE;
	return place;
}

/* Back behind the call that was made last from there. */
static void take_return(struct call_chart *c, struct call_thread *t, const struct pdt_event *e,
			uint32_t place)
{
	uint64_t to = e->values->addr;

	c->returns++;
	for (size_t i = t->open_count; i-- > 0;) {
		uint64_t back = t->open[i].back;

		if (back && to > back && to - back <= INSN_BYTES_MAX) {
			close_calls(t, i);
			return;
		}
	}
	if (t->over) {
		t->over--;
		return;
	}
	c->unmatched++;
	/* a function that was there before the trace, or before it was lost */
	if (t->open_count == 1 && !t->open[0].back) {
		close_calls(t, 0);
		open_call(c, t, place, (struct traced_call){ 0 });
	}
}

/* Which call is the handler that RESUME is behind? The number of calls: none. */
static size_t handler_of(const struct call_thread *t, uint64_t resume)
{
	for (size_t i = t->open_count; i-- > 0;) {
		if (t->open[i].resume == resume)
			return i;
	}
	return t->open_count;
}

static void take_begin(struct call_chart *c, struct call_thread *t, const struct pdt_event *e,
		       uint32_t place)
{
	uint64_t to = e->values->addr;
	size_t handler;

	if (!t->outside) {
		c->lost += t->open_count != 0;
		close_calls(t, 0);
		open_call(c, t, place, (struct traced_call){ 0 });
		return;
	}
	t->outside = false;
	close_calls(t, t->open_count - 1);
	if (to >= t->resume && to - t->resume <= INSN_BYTES_MAX)
		return;
	handler = handler_of(t, to);
	if (handler < t->open_count)
		close_calls(t, handler);
	else
		open_call(c, t, place, (struct traced_call){ .resume = t->resume });
}

/* A call into the kernel goes on behind its instruction, after what else stops it at that. */
static void take_end(struct call_chart *c, struct call_thread *t, const struct pdt_event *e)
{
	uint32_t kind = e->flow & PDT_FLOW_SYSTEM  ? OUTSIDE_SYSTEM
			: e->flow & PDT_FLOW_ASYNC ? OUTSIDE_INTERRUPT
						   : OUTSIDE_OTHER;

	t->outside = t->open_count <= UINT16_MAX;
	t->resume = e->ip;
	if (t->outside)
		open_call(c, t, PDT_NONE - kind, (struct traced_call){ 0 });
}

void call_chart_add(struct call_chart *c, const struct pdt_event *e, const struct pdt_session *s)
{
	struct call_thread *t;
	uint32_t place;

	if (!e->flow || !e->has_time || !e->values)
		return;
	t = thread_of(c, e);
	place = place_at(e, s);
	t->last_ns = e->time_ns > t->last_ns ? e->time_ns : t->last_ns;
	if (e->flow & PDT_FLOW_BEGIN) {
		take_begin(c, t, e, place);
	} else if (e->flow & PDT_FLOW_END) {
		take_end(c, t, e);
	} else if (e->flow & PDT_FLOW_CALL) {
		c->calls++;
		open_call(c, t, place, (struct traced_call){ .back = e->ip });
	} else if (e->flow & PDT_FLOW_RETURN) {
		take_return(c, t, e, place);
	}
}

/* ---- names ---- */

static const char *name_of(uint32_t place, const struct pdt_session *s, struct answer *a)
{
	const struct namer_options plain = { 0 };
	struct place p = { s, place };
	size_t n = pdt_function_count(s, place);
	struct pdt_function f = pdt_function_at(s, place, n ? n - 1 : 0);
	struct buf b = { 0 };
	const char *name;

	function_text(&plain, &f, p, &b);
	name = answer_string(a, b.data ?: "");
	buf_release(&b);
	return name;
}

static void name_spans(struct call_chart *c, struct call_thread *t, size_t places)
{
	for (size_t i = 0; i < t->count; i++) {
		uint32_t *name = &t->spans[i].name;

		if (PDT_NONE - *name < OUTSIDE_KINDS)
			*name = (uint32_t)places + (PDT_NONE - *name);
		else if (*name >= places)
			*name = (uint32_t)places;
	}
}

void call_chart_finish(struct call_chart *c, const struct pdt_session *s, struct answer *a)
{
	size_t places = pdt_location_count(s);

	c->name_count = places + OUTSIDE_KINDS;
	c->names = xcalloc(c->name_count, sizeof(*c->names));
	for (uint32_t i = 0; i < places; i++)
		c->names[i] = name_of(i, s, a);
	for (size_t i = 0; i < OUTSIDE_KINDS; i++)
		c->names[places + i] = outside_names[i];
	for (size_t i = 0; i < c->thread_count; i++) {
		struct call_thread *t = &c->threads[i];

		close_calls(t, 0);
		name_spans(c, t, places);
		t->name = chart_thread_name(t->pid, t->tid, t->comm, s);
	}
	answer_fact(a, "calls", "%s, and %s returns", COUNT_TEXT(c->calls), COUNT_TEXT(c->returns));
	answer_leads(a);
	if (c->unmatched)
		answer_fact(a, "returns without call",
			    "%s: to callers from before the trace, or from where none is known",
			    COUNT_TEXT(c->unmatched));
	if (c->lost)
		answer_warn(a, "trace lost", "%s times: the calls that were open then end there",
			    COUNT_TEXT(c->lost));
	if (c->left_out)
		answer_warn(a, "calls left out",
			    "%s: past 16777216, or deeper than 65536 within each other",
			    COUNT_TEXT(c->left_out));
}

static int by_id(const void *a, const void *b)
{
	const struct call_thread *x = a, *y = b;

	return compare_u64(x->pid, y->pid) ?: compare_u64(x->tid, y->tid);
}

void call_chart_result(struct call_chart *c, struct result *out)
{
	struct timeline_part *p = &c->part;

	*p = (struct timeline_part){ .names = c->names, .start_ns = UINT64_MAX, .unit = "ns" };
	if (c->thread_count)
		qsort(c->threads, c->thread_count, sizeof(*c->threads), by_id);
	c->lanes = xcalloc(c->thread_count + 1, sizeof(*c->lanes));
	for (size_t i = 0; i < c->thread_count; i++) {
		const struct call_thread *t = &c->threads[i];

		if (!t->count)
			continue;
		c->lanes[p->lane_count++] =
			(struct lane){ t->name, t->spans, t->count, t->depth, t->pid };
		if (t->spans[0].start_ns < p->start_ns)
			p->start_ns = t->spans[0].start_ns;
		p->end_ns = t->last_ns > p->end_ns ? t->last_ns : p->end_ns;
	}
	if (!p->lane_count)
		p->start_ns = 0;
	p->lanes = c->lanes;
	out->timeline = p;
	out->title = "Flame Chart";
}

void call_chart_release(struct call_chart *c)
{
	for (size_t i = 0; i < c->thread_count; i++) {
		free(c->threads[i].name);
		free(c->threads[i].spans);
		free(c->threads[i].open);
	}
	idmap_release(&c->index);
	free(c->threads);
	free(c->names);
	free(c->lanes);
}
