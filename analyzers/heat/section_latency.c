/* For the summary: the latencies of I/Os by device and operation, and of system calls by number,
 * the points of the heat map's own sources. */
#include "analyzers/count/quantile.h"
#include "analyzers/count/section.h"
#include "analyzers/heat/callname.h"
#include "analyzers/heat/picked.h"
#include "analyzers/heat/source.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 5

/* What is asked of the heat map's sources. */
struct latency_ask {
	const char *name;
	const struct column *columns;
	const char *events[2];
	const struct heat_source *source;
	enum heat_by by;
	const char *by_field;
	struct section_next next[3];
};

struct latency_section {
	const struct latency_ask *ask;
	struct heat_map map;
	_Alignas(8) char options[HEAT_OPTIONS_SIZE];
	struct warnings warnings; /* what cannot be had is not shown, so nobody misses it */
	void *source;
	bool means, asked;
	struct kind *kinds;
	size_t kind_count;
};

struct kind {
	uint32_t id;
	uint64_t *values;
	size_t count;
	uint64_t sum, max_ns, max_at_ns;
};

static void begin(struct latency_section *l, const struct latency_ask *ask)
{
	l->ask = ask;
	l->map.ask.events[0] = ask->events[0];
	l->map.ask.events[1] = ask->events[1];
	l->map.ask.by = ask->by;
	l->map.ask.by_field = ask->by_field;
	longest_init(&l->map.longest);
	l->source = xcalloc(1, ask->source->state_size);
	l->means = ask->source->begin(l->source, &l->map, l->options, &l->warnings) == 0;
}

/* Both events must be there: else each tracepoint would be looked at for nothing. */
static bool means(const struct latency_section *l, const struct pdt_session *s)
{
	const struct latency_ask *a = l->ask;

	return (!a->events[0] || picked_any(a->events[0], s)) &&
	       (!a->events[1] || picked_any(a->events[1], s)) && a->source->means(l->source, s);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct latency_section *l = state;

	if (!l->asked)
		l->means = l->means && means(l, s);
	l->asked = true;
	if (l->means && e->has_time && (e->raw || e->kind == PDT_LOST))
		l->ask->source->event(l->source, e, s);
}

/* ---- kinds ---- */

static int by_longest(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return compare_u64(y->max_ns, x->max_ns) ?: compare_u64(y->count, x->count) ?:
	       compare_u64(x->id, y->id);
}

static void part_points(struct latency_section *l)
{
	const struct heat *h = &l->map.heat;
	size_t names = h->lane_names.count ? h->lane_names.count : 1;

	l->kinds = xcalloc(names, sizeof(*l->kinds));
	l->kind_count = names;
	for (size_t i = 0; i < h->count; i++)
		l->kinds[heat_more_at(h, i).lane].count++;
	for (size_t i = 0; i < names; i++) {
		l->kinds[i].id = (uint32_t)i;
		l->kinds[i].values = xcalloc(l->kinds[i].count + 1, sizeof(uint64_t));
		l->kinds[i].count = 0;
	}
	for (size_t i = 0; i < h->count; i++) {
		const struct heat_point *p = &h->points[i];
		struct kind *kind = &l->kinds[heat_more_at(h, i).lane];

		if (!kind->count || p->value > kind->max_ns) {
			kind->max_ns = p->value;
			kind->max_at_ns = p->time_ns;
		}
		kind->values[kind->count++] = p->value;
		(void)add_held(&kind->sum, p->value);
	}
	qsort(l->kinds, names, sizeof(*l->kinds), by_longest);
}

/* Who or what had KIND's longest, as far as that was kept. */
static void longest_cell(const struct latency_section *l, const struct kind *kind, struct answer *a)
{
	const struct longest *kept = &l->map.longest;

	for (size_t i = 0; i < kept->count; i++) {
		const struct longest_event *e = &kept->list[i];

		if (e->lane != kind->id || e->value != kind->max_ns ||
		    e->time_ns != kind->max_at_ns)
			continue;
		answer_cell_text(a, kept->who ? kept->who(e->detail) : e->detail);
		return;
	}
	answer_cell_text(a, "");
}

/* What it is by number, and what people call it; of others than system calls the same. */
static void name_cells(const char *lane, const struct pdt_session *s, struct answer *a)
{
	struct buf b = { 0 };

	call_lane_id(lane, &b);
	answer_cell_text(a, b.len ? b.data : lane);
	b.len = 0;
	call_lane_name(lane, pdt_text(s, PDT_ARCH), &b);
	answer_cell_text(a, b.len ? b.data : lane);
	buf_release(&b);
}

static void kind_cells(const struct latency_section *l, struct kind *kind,
		       const struct pdt_session *s, struct answer *a)
{
	static const double percents[] = { 50, 90, 99 };
	const char *lane = intern_str(&l->map.heat.lane_names, kind->id);
	uint64_t at[ARRAY_SIZE(percents)];

	name_cells(lane, s, a);
	longest_cell(l, kind, a);
	answer_cell_count(a, kind->count);
	quantiles(kind->values, kind->count, percents, ARRAY_SIZE(percents), at);
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++)
		answer_cell_count(a, at[i]);
	answer_cell_count(a, kind->max_ns);
	answer_cell_count(a, kind->max_at_ns);
}

/* People see no p90: there is more to say of the longest. */
static const uint8_t shown[] = { 1, 2, 3, 4, 6, 7, 8 };

static bool finish(void *state, const struct pdt_session *s, struct section_result *out)
{
	struct latency_section *l = state;
	const struct latency_ask *a = l->ask;

	if (!l->means || !l->asked || a->source->end(l->source, s, &l->warnings) < 0)
		return false;
	a->source->describe(l->source, s, &l->warnings);
	if (!l->map.heat.count)
		return false;
	part_points(l);
	out->name = a->name;
	out->columns = a->columns;
	out->summary = shown;
	out->summary_columns = ARRAY_SIZE(shown);
	for (size_t i = 0; i < l->kind_count && i < SHOWN && l->kinds[i].count; i++)
		kind_cells(l, &l->kinds[i], s, &out->answer);
	for (size_t i = 0; i < ARRAY_SIZE(a->next) && a->next[i].args; i++)
		out->next[out->next_count++] = a->next[i];
	return true;
}

static void release(void *state)
{
	struct latency_section *l = state;

	l->ask->source->release(l->source);
	free(l->source);
	for (size_t i = 0; i < l->kind_count; i++)
		free(l->kinds[i].values);
	free(l->kinds);
	heat_release(&l->map.heat);
	longest_release(&l->map.longest);
	answer_release(&l->map.answer);
	warnings_release(&l->warnings);
}

/* The numbers of a kind, last. */
#define LATENCIES                                                                  \
	{ "p50_ns", COLUMN_NS }, { "p90_ns", COLUMN_NS }, { "p99_ns", COLUMN_NS }, \
		{ "max_ns", COLUMN_NS },                                           \
	{                                                                          \
		"max_end_ns", COLUMN_TIME_NS, 0, "Max At"                          \
	}

/* ---- I/Os ---- */

static const struct column io_columns[] = {
	{ "io", COLUMN_TEXT },
	{ "name", COLUMN_TEXT, 0, "Device" },
	{ "longest_comm", COLUMN_TEXT, 0, "Longest By" },
	{ "count", COLUMN_COUNT, 0, "I/Os" },
	LATENCIES,
	{ 0 },
};

static const struct latency_ask ios = {
	.name = "ios",
	.columns = io_columns,
	.source = &heat_ios,
	.by = HEAT_BY_OP,
	.by_field = "op",
	.next = { { "disks over time", "heatmap -o io.svg" },
		  { "disks in numbers", "block" },
		  { "the longest I/Os", "block --each --sort device --limit 20" } },
};

static void ios_begin(void *state)
{
	begin(state, &ios);
}

const struct section section_ios = {
	.state_size = sizeof(struct latency_section),
	.wants = PDT_WANT_FIELDS | PDT_WANT_ALL,
	.begin = ios_begin,
	.event = event,
	.finish = finish,
	.release = release,
};

/* ---- system calls ---- */

static const struct column call_columns[] = {
	{ "call", COLUMN_TEXT },
	{ "name", COLUMN_TEXT, 0, "System Call" },
	{ "longest_comm", COLUMN_TEXT, 0, "Longest By" },
	{ "count", COLUMN_COUNT, 0, "Calls" },
	LATENCIES,
	{ 0 },
};

static const struct latency_ask calls = {
	.name = "calls",
	.columns = call_columns,
	.events = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" },
	.source = &heat_pairs,
	.by = HEAT_BY_FIELD,
	.by_field = "call",
	.next = { { "calls over time", "heatmap --preset syscall --by call -o calls.svg" },
		  { "calls by command", "heatmap --preset syscall --by comm -o comms.svg" } },
};

static void calls_begin(void *state)
{
	begin(state, &calls);
}

const struct section section_calls = {
	.state_size = sizeof(struct latency_section),
	.wants = PDT_WANT_FIELDS | PDT_WANT_PROGRAM | PDT_WANT_LOST | PDT_WANT_ALL,
	.begin = calls_begin,
	.event = event,
	.finish = finish,
	.release = release,
};
