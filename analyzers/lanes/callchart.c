/* Follows the calls of each thread. */
#include "analyzers/lanes/callchart.h"
#include "analyzers/count/namer.h"
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
	uint32_t id = tracks_put(&c->tracks, e->pid, e->tid, e->comm);

	c->threads =
		xgrow_to(c->threads, &c->thread_count, &c->thread_cap, id, sizeof(*c->threads));
	return &c->threads[id];
}

static struct track *track_of(const struct call_chart *c, const struct call_thread *t)
{
	return &c->tracks.list[t - c->threads];
}

/* ---- calls ---- */

static void open_call(struct call_chart *c, struct call_thread *t, uint32_t name,
		      struct traced_call call)
{
	struct track *k = track_of(c, t);
	size_t depth = t->open_count;

	if (depth > UINT16_MAX) {
		t->over++;
		c->left_out++;
		return;
	}
	call.span = SIZE_MAX;
	if (c->spans < CALLS_MAX) {
		c->spans++;
		call.span = track_add(
			k, (struct span){ k->last_ns, k->last_ns, name, (uint16_t)depth });
	} else {
		c->left_out++;
	}
	t->open = xgrow(t->open, &t->open_cap, depth + 1, sizeof(*t->open));
	t->open[t->open_count++] = call;
	if (t->open_count > k->depth)
		k->depth = (uint32_t)t->open_count;
}

/* All but COUNT of them end now. */
static void close_calls(struct call_chart *c, struct call_thread *t, size_t count)
{
	struct track *k = track_of(c, t);

	while (t->open_count > count) {
		size_t span = t->open[--t->open_count].span;

		if (span != SIZE_MAX)
			k->spans[span].end_ns = k->last_ns;
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
			close_calls(c, t, i);
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
		close_calls(c, t, 0);
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
		close_calls(c, t, 0);
		open_call(c, t, place, (struct traced_call){ 0 });
		return;
	}
	t->outside = false;
	close_calls(c, t, t->open_count - 1);
	if (to >= t->resume && to - t->resume <= INSN_BYTES_MAX)
		return;
	handler = handler_of(t, to);
	if (handler < t->open_count)
		close_calls(c, t, handler);
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
	struct track *k;
	uint32_t place;

	if (!e->flow || !e->has_time || !e->values)
		return;
	t = thread_of(c, e);
	place = place_at(e, s);
	k = track_of(c, t);
	k->last_ns = e->time_ns > k->last_ns ? e->time_ns : k->last_ns;
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

static void name_spans(struct track *t, size_t places)
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
	for (size_t i = 0; i < c->tracks.count; i++) {
		close_calls(c, &c->threads[i], 0);
		name_spans(&c->tracks.list[i], places);
	}
	tracks_name(&c->tracks, s);
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

void call_chart_result(struct call_chart *c, struct result *out)
{
	tracks_result(&c->tracks, &(struct timeline_part){ .names = c->names }, out);
}

void call_chart_release(struct call_chart *c)
{
	tracks_release(&c->tracks);
	for (size_t i = 0; i < c->thread_count; i++)
		free(c->threads[i].open);
	free(c->threads);
	free(c->names);
}
