/* A heat map: how a number, mostly a latency, is spread and how that changes over time.
 *
 * The points come from a source (source.h), or from text. */
#include "analyzers/analyzer.h"
#include "analyzers/count/namer.h"
#include "analyzers/count/quantile.h"
#include "analyzers/heat/callname.h"
#include "analyzers/heat/amount.h"
#include "analyzers/heat/histogram.h"
#include "analyzers/heat/single.h"
#include "analyzers/heat/source.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS 1000000000ull
#define LOST_MAX  1000
/* With fewer points in a column lines are noise over the cells, so they must be asked for. */
#define LINE_POINTS 20

struct heatmap {
	struct heat_map map;
	/* the options */
	_Alignas(8) char source_options[HEAT_SOURCES][HEAT_OPTIONS_SIZE];
	const char *units_label;
	struct word_or_text by;
	struct name_list events;
	enum { PRESET_NONE, PRESET_BLOCK, PRESET_SYSCALL } preset;
	enum { SCALE_USUAL, SCALE_LINEAR, SCALE_LOG } scale;
	struct quantity min, max, row_step;
	struct quantity_list percents;
	unsigned unit_word, time_unit_word;
	uint64_t cell_px; /* 0: as it comes */
	enum grid_scale colors;
	bool units_given, percents_given, max_line, ruled;
	bool zero, zero_seconds; /* times, or their seconds alone, begin at 0 */
	bool flat;		 /* no heat map: a histogram of all times */
	struct histogram histogram;
	struct column columns[6];

	const struct heat_source *source; /* NULL: not decided yet, or text */
	void *states[HEAT_SOURCES];	  /* of the sources; STATE: of the one */
	void *state;
	uint64_t unit, time_unit; /* ns */
	uint64_t timeless;
	uint64_t lines, ignored, cut; /* of text */
	struct grid_gap gaps[LOST_MAX];
	size_t gap_count;
	struct column x, y;
	bool clocked; /* the clock of the points is known */
	bool has_wall;
	int64_t wall_ns;
};

#define H(member)   offsetof(struct heatmap, member)
#define ASK(member) H(map.ask.member)

static const char *const presets[] = { "", "block", "syscall", NULL };
static const char *const preset_events[][2] = {
	[PRESET_BLOCK] = { "block_rq_*", NULL },
	[PRESET_SYSCALL] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" },
};
static const char *const lanes[] = { "", "none", "device|dev", "op", "comm", "cpu", NULL };
static const char *const scales[] = { "", "linear", "log", NULL };
static const char *const color_scales[] = { "auto", "linear", "sqrt", "log", "rank", NULL };
static const char *const units[] = { "ns", "us", "ms", "s", NULL };
static const char *const none[] = { "none", NULL };

static const uint64_t ns_of_unit[] = { 1, 1000, 1000000, SECOND_NS };

static const struct option options[] = {
	{ "events", 0, OPT_EVENTS, H(events), "PATTERN|A,B",
	  "a pattern of block events, two events to be paired, or one event", .one_of = "events",
	  .most = 2, .wanted = "one pattern or two: A,B", .choices = "events" },
	{ "preset", 0, OPT_WORD, H(preset), NULL,
	  "events by name (waits for a CPU: pdtool sched latency --heatmap)", .words = presets,
	  .one_of = "events",
	  .wanted = "block or syscall (waits: pdtool sched latency --heatmap)" },
	{ "key", 0, OPT_FIELDS, ASK(key), "FIELD,...[:FIELD,...]",
	  "fields that pair two events; after a colon those of the second (default: thread)",
	  .most = PICKED_FIELDS,
	  .wanted =
		  "FIELD[,FIELD...][:FIELD...], the same number of them on both sides, at most 8" },
	{ "value", 0, OPT_CHOICE, ASK(value), "WHAT",
	  "of one event: a field's name, period, delta, subsecond or symbol",
	  .words = heat_values },
	{ "by", 0, OPT_CHOICE, H(by), "WHAT",
	  "lanes: none, device, op, comm, cpu, event, or a field's name (none, and device where "
	  "I/Os are of several)",
	  .words = lanes },
	{ "lanes", 0, OPT_SAME, 0, "--by" },
	{ "y", 0, OPT_WORD, H(scale), NULL, "rows (log for latencies)", .words = scales },
	{ "log", 0, OPT_SAME, 0, "--y log" },
	{ "linear", 0, OPT_SAME, 0, "--y linear" },
	{ "min", 0, OPT_QUANTITY, H(min), "VALUE", "clip values below, 100 or 1.5ms",
	  .units = 1 << QUANTITY_NS, .given = H(map.frame.has_min) },
	{ "minlat", 0, OPT_SAME, 0, "--min" },
	{ "max", 0, OPT_QUANTITY, H(max), "VALUE", "clip values above", .units = 1 << QUANTITY_NS,
	  .given = H(map.frame.has_max) },
	{ "maxlat", 0, OPT_SAME, 0, "--max" },
	{ "rows", 0, OPT_COUNT, H(map.frame.rows), "N", "rows (50)", .least = 1 },
	{ "steplat", 0, OPT_QUANTITY, H(row_step), "VALUE",
	  "in place of --rows: the height of a row", .units = 1 << QUANTITY_NS, .positive = true },
	{ "step", 0, OPT_DURATION, H(map.frame.column_step_ns), "TIME",
	  "width of a column, 0.1 or 50ms (default: at most 600 columns)", .positive = true },
	{ "stepsec", 0, OPT_SAME, 0, "--step" },
	{ "maxcol", 0, OPT_COUNT, H(map.frame.columns_max), "N", "clip what lies beyond N columns",
	  .least = 1 },
	{ "timezero", 0, OPT_FLAG, H(zero), NULL, "times count from the first point",
	  .one_of = "zero" },
	{ "timezerosecs", 0, OPT_FLAG, H(zero_seconds), NULL,
	  "times count from the second that the first point is in", .one_of = "zero" },
	{ "units", 0, OPT_WORD, H(unit_word), NULL,
	  "of values in options and in text (as they are: ns)", .words = units,
	  .given = H(units_given) },
	{ "unitslat", 0, OPT_SAME, 0, "--units" },
	{ "unitstime", 0, OPT_WORD, H(time_unit_word), NULL, "of times in text", .words = units,
	  .initial = "s" },
	{ "unitslabel", 0, OPT_TEXT, H(units_label), "TEXT", "what values are called" },
	{ "percentiles", 0, OPT_QUANTITIES, H(percents), "LIST",
	  "percentiles by column, or none (default: where columns hold enough)",
	  .units = 1 << QUANTITY_PERCENT, .words = none, .positive = true, .most = 100,
	  .initial = "50,95,99", .given = H(percents_given),
	  .wanted = "numbers up to 100, or none" },
	{ "grid", 0, OPT_FLAG, H(ruled), NULL, "lines across the drawing where the ticks are" },
	{ "boxsize", 0, OPT_COUNT, H(cell_px), "N", "cells of N by N pixels in the drawing",
	  .least = 1 },
	{ "color-scale", 0, OPT_WORD, H(colors), NULL,
	  "colours by amount; rank: as many cells of each (sqrt, log where that shows more; "
	  "within seconds by what chance alone does not make of the mean)",
	  .words = color_scales },
	{ "max-line", 0, OPT_FLAG, H(max_line), NULL, "a line of the largest values, too" },
	{ "histogram", 0, OPT_FLAG, H(flat), NULL,
	  "how often which values came, in powers of two, of all times together" },
	{ .type = OPT_TABLE, .table = pair_options, .offset = ASK(pairing) },
	{ .type = OPT_TABLE, .table = heat_source_options, .offset = H(source_options) },
	{ 0 },
};

/* ---- options ---- */

/* A value in its own unit; above all numbers it is the largest. */
static uint64_t in_unit(const struct heatmap *h, const struct quantity *a)
{
	double v = a->unit == QUANTITY_NS ? a->number : a->number * (double)h->unit;

	return v < 1.8e19 ? (uint64_t)(v + 1e-6) : UINT64_MAX;
}

static int take_frame(struct heatmap *h, struct warnings *w)
{
	struct heat_options *f = &h->map.frame;

	h->unit = ns_of_unit[h->unit_word];
	h->time_unit = ns_of_unit[h->time_unit_word];
	f->min = in_unit(h, &h->min);
	f->max = in_unit(h, &h->max);
	f->row_step = in_unit(h, &h->row_step);
	for (size_t i = 0; i < h->percents.count && i + 1 < HEAT_PERCENTS; i++)
		f->percents[f->percent_count++] = h->percents.list[i].number;
	if (h->max_line)
		f->percents[f->percent_count++] = 100;
	h->map.longest.most = f->has_max ? f->max : UINT64_MAX;
	if (f->has_min && f->has_max && f->min > f->max) {
		warn_add(w, SEV_FATAL, "option", "--min: expected no more than --max");
		return ERR_USAGE;
	}
	return 0;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct heatmap *h = state;
	int rc;

	for (size_t i = 0; i < 2; i++)
		h->map.ask.events[i] =
			i < h->events.count ? h->events.list[i] : preset_events[h->preset][i];
	h->map.ask.by = h->by.text && !h->by.word ? HEAT_BY_FIELD : (enum heat_by)h->by.word;
	h->map.ask.by_field = h->by.text;
	longest_init(&h->map.longest);
	h->x = (struct column){ "time_ns", COLUMN_TIME_NS };
	rc = take_frame(h, w);
	for (size_t i = 0; heat_sources[i]; i++) {
		h->states[i] = xcalloc(1, heat_sources[i]->state_size);
		if (rc == 0)
			rc = heat_sources[i]->begin(h->states[i], &h->map, h->source_options[i], w);
	}
	return rc;
}

static bool by_call(const struct heatmap *h)
{
	return h->map.ask.by == HEAT_BY_FIELD && !strcmp(h->map.ask.by_field, "call");
}

static void configure(void *state, struct asked *o)
{
	const struct heatmap *h = state;
	const struct heat_ask *a = &h->map.ask;
	const struct filter *f = &o->filter;

	for (size_t i = 0; heat_sources[i]; i++)
		o->wants |= heat_sources[i]->wants ? heat_sources[i]->wants(h->states[i]) : 0;
	if (f->no_idle || f->dsos.count || f->symbols.count)
		o->wants |= PDT_WANT_STACKS;
	if (o->wants & PDT_WANT_STACKS)
		namer_configure(&(struct namer_options){ 0 }, o);
	if (a->by == HEAT_BY_COMM || a->by == HEAT_BY_FIELD || f->comms.count || a->key[0].count ||
	    a->value.text)
		o->wants |= PDT_WANT_COMMS;
	if (by_call(h))
		o->wants |= PDT_WANT_PROGRAM;
}

static void name_call(const char *lane, const void *session, struct buf *out)
{
	call_lane_name(lane, pdt_text(session, PDT_ARCH), out);
}

/* ---- events ---- */

/* noinline: it is called once. */
static __attribute__((noinline)) void decide(struct heatmap *h, const struct pdt_session *s)
{
	size_t i = 0;

	while (!heat_sources[i]->means(h->states[i], s))
		i++;
	h->source = heat_sources[i];
	h->state = h->states[i];
}

static void lost_event(struct heatmap *h, const struct pdt_event *e)
{
	uint64_t at = e->time_ns + h->map.heat.shift_ns;

	if (e->has_time && h->gap_count < LOST_MAX)
		h->gaps[h->gap_count++] = (struct grid_gap){ at, at + 1, "lost" };
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct heatmap *h = state;

	if (!h->clocked)
		h->map.heat.shift_ns = clock_shift(s);
	h->clocked = true;
	if (e->kind == PDT_LOST)
		lost_event(h, e);
	else if (e->kind != PDT_SAMPLE)
		return;
	if (!e->has_time) {
		h->timeless += e->kind == PDT_SAMPLE;
		return;
	}
	if (!h->source)
		decide(h, s);
	h->source->event(h->state, e, s);
}

/* ---- the end of the capture ---- */

static const double fact_percents[] = { 50, 90, 99, 100 };

#define FACT_PERCENTS ARRAY_SIZE(fact_percents)

static void amount_facts(struct heatmap *h)
{
	const struct heat *m = &h->map.heat;
	struct answer *a = &h->map.answer;
	enum column_type type = h->y.type;
	uint64_t at[FACT_PERCENTS];

	heat_percentiles(m, fact_percents, FACT_PERCENTS, at);
	answer_fact(a, "values", "p50 %s, p90 %s, p99 %s, max %s", AMOUNT(type, at[0]),
		    AMOUNT(type, at[1]), AMOUNT(type, at[2]), AMOUNT(type, at[3]));
	answer_leads(a);
	answer_fact(a, "sum", "%s", AMOUNT(type, answer_sum(a, m->sum)));
}

/* The same of each lane, one by one. */
static void lane_facts(struct heatmap *h)
{
	struct heat *m = &h->map.heat;
	enum column_type type = h->y.type;

	for (size_t i = 0; i < m->lane_count; i++) {
		uint64_t sum, at[FACT_PERCENTS];
		size_t count = heat_lane_values(m, i, &sum);

		quantiles(m->values, count, fact_percents, FACT_PERCENTS, at);
		answer_fact(&h->map.answer, "values",
			    "%s: %s points, p50 %s, p90 %s, p99 %s, max %s, sum %s",
			    m->lanes[i].name, COUNT_TEXT(count), AMOUNT(type, at[0]),
			    AMOUNT(type, at[1]), AMOUNT(type, at[2]), AMOUNT(type, at[3]),
			    AMOUNT(type, answer_sum(&h->map.answer, sum)));
		answer_leads(&h->map.answer);
	}
}

static void value_facts(struct heatmap *h)
{
	const struct heat *m = &h->map.heat;
	struct answer *a = &h->map.answer;

	if (m->below || m->above || m->after)
		answer_tell(a, "not in cells: %s below, %s above, %s after the last column",
			    COUNT_TEXT(m->below), COUNT_TEXT(m->above), COUNT_TEXT(m->after));
	answer_fact(a, "cells",
		    "%s points%s = %s in cells + %s below + %s above + %s after the last column",
		    COUNT_TEXT(m->count), h->map.theme.overlap ? " of all lanes" : "",
		    COUNT_TEXT(m->inside), COUNT_TEXT(m->below), COUNT_TEXT(m->above),
		    COUNT_TEXT(m->after));
	if (!h->map.theme.overlap && m->count && !h->map.theme.labels)
		amount_facts(h);
	if (!h->map.theme.labels)
		lane_facts(h);
	if (h->map.theme.left_out)
		answer_warn(a, "left out", "%s %s", COUNT_TEXT(h->map.theme.left_out),
			    h->map.theme.left_out_what);
	if (h->timeless)
		answer_warn(a, "left out", "%s events without a time", COUNT_TEXT(h->timeless));
	if (m->refused)
		answer_warn(a, "left out", "%s points: too many", COUNT_TEXT(m->refused));
}

/* ---- the picture ---- */

/* The rows' axis. Values without a known unit may have one that the user names. */
static void set_axis(struct heatmap *h, const struct heat_theme *t)
{
	const char *unit = t->y_type == COLUMN_NS      ? "ns"
			   : t->y_type == COLUMN_COUNT ? h->units_label
						       : NULL;
	struct buf b = { 0 };

	buf_str(&b, t->y_name);
	if (unit && *unit)
		buf_printf(&b, "_%s", unit);
	h->y = (struct column){ answer_string(&h->map.answer, b.data), t->y_type, 0,
				t->y_is_label ? t->y_name : NULL };
	buf_release(&b);
}

/* FlameScope's picture: whole seconds across, their parts upwards. */
static void lay_seconds(struct heat_options *f)
{
	f->log = false;
	f->column_step_ns = f->align_ns = SECOND_NS;
	f->min = f->has_min ? f->min : 0;
	f->max = f->has_max ? f->max : SECOND_NS - 1;
	f->has_min = f->has_max = true;
	f->percent_count = 0;
}

static uint64_t since(uint64_t time_ns, uint64_t zero_ns)
{
	return time_ns > zero_ns ? time_ns - zero_ns : 0;
}

/* What was lost may have been before the first point. */
static void count_from_zero(struct heatmap *h)
{
	struct heat *m = &h->map.heat;
	uint64_t zero_ns = UINT64_MAX;

	for (size_t i = 0; i < m->count; i++)
		zero_ns = m->points[i].time_ns < zero_ns ? m->points[i].time_ns : zero_ns;
	zero_ns -= h->zero_seconds ? zero_ns % SECOND_NS : 0;
	for (size_t i = 0; i < m->count; i++) {
		m->points[i].time_ns -= zero_ns;
		if (h->map.theme.seconds)
			m->points[i].value = m->points[i].time_ns % SECOND_NS;
	}
	for (size_t i = 0; i < h->gap_count; i++) {
		h->gaps[i].start = since(h->gaps[i].start, zero_ns);
		h->gaps[i].end = since(h->gaps[i].end, zero_ns);
	}
	for (size_t i = 0; i < h->map.longest.count; i++)
		h->map.longest.list[i].time_ns = since(h->map.longest.list[i].time_ns, zero_ns);
	if (m->count)
		answer_fact(&h->map.answer, "times", "count from %s", TIME_TEXT(zero_ns));
}

static int build(struct heatmap *h, struct warnings *w)
{
	const struct heat_theme *t = &h->map.theme;
	struct heat_options *f = &h->map.frame;
	struct heat *m = &h->map.heat;
	int rc;

	if (h->flat && t->labels) {
		warn_add(w, SEV_FATAL, "usage", "heatmap: --histogram is of numbers, not of names");
		return ERR_USAGE;
	}
	f->log = h->scale == SCALE_LOG || (t->spans && h->scale != SCALE_LINEAR);
	f->rate = t->rate.name ? t->rate
			       : (struct column){ "events_per_s", COLUMN_COUNT, 0, "Events/s" };
	f->has_bytes = t->bytes;
	f->has_spans = t->spans;
	f->in_ns = t->y_type == COLUMN_NS;
	f->from_zero = t->spans || t->from_zero;
	f->labels = t->labels;
	f->percent_least = h->percents_given || h->max_line ? 0 : LINE_POINTS;
	if ((h->zero || h->zero_seconds) && h->x.type == COLUMN_TIME_NS)
		count_from_zero(h);
	if (t->seconds)
		lay_seconds(f);
	set_axis(h, t);
	rc = heat_build(m, f, h->map.ask.by > HEAT_NO_LANES, w);
	if (rc < 0)
		return rc;
	value_facts(h);
	if (h->map.longest.count && !h->map.partial && !t->no_amounts)
		longest_result(&h->map.longest, m->lane_number, m->count, &m->grid);
	return 0;
}

/* The axis is the capture's clock, drawn by the wall clock if that is known, or the wall clock. */
static int take_clock(struct heatmap *h, const struct pdt_session *s, struct warnings *w)
{
	enum clock_shown clock = filter_of(s)->clock;

	if (h->zero || h->zero_seconds) {
		if (clock == CLOCK_WALL)
			warn_add(w, SEV_FATAL, "clock",
				 "--clock wall: the times of --timezero and --timezerosecs are of "
				 "no clock");
		return clock == CLOCK_WALL ? ERR_USAGE : 0;
	}
	h->has_wall = pdt_number(s, PDT_HAS_WALL) && clock != CLOCK_CAPTURE;
	h->wall_ns = (int64_t)(pdt_number(s, PDT_WALL_NS) - pdt_number(s, PDT_CLOCK_NS));
	if (clock == CLOCK_WALL) {
		h->x = (struct column){ "wall_ns", COLUMN_TIME_NS, 0, "Time" };
		h->wall_ns = 0;
	}
	return 0;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct heatmap *h = state;
	int rc;

	if (!h->source)
		decide(h, s);
	rc = h->source->end(h->state, s, w);
	if (rc < 0)
		return rc;
	answer_capture(&h->map.answer, s);
	h->source->describe(h->state, s, w);
	if (by_call(h))
		heat_name_lanes(&h->map.heat, name_call, s);
	rc = take_clock(h, s, w);
	return rc < 0 ? rc : build(h, w);
}

/* ---- text: "TIME VALUE" in each line, or only a value ---- */

static bool next_number(const char **p, const char *end, uint64_t unit, uint64_t *out)
{
	while (*p < end && (isspace((unsigned char)**p) || **p == ','))
		(*p)++;
	return amount_decimal(p, end, unit, out) &&
	       (*p == end || isspace((unsigned char)**p) || **p == ',');
}

/* A value. Without a known unit its decimals are lost, which is counted. */
static bool next_value(struct heatmap *h, const char **p, const char *end, uint64_t *out)
{
	const char *first = *p;

	if (!next_number(p, end, h->unit, out))
		return false;
	h->cut += !h->units_given && memchr(first, '.', (size_t)(*p - first)) != NULL;
	return true;
}

static void text_line(struct heatmap *h, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	uint64_t line = h->lines++, time_ns, value;

	if (next_number(&p, end, h->time_unit, &time_ns) && next_value(h, &p, end, &value)) {
		(void)heat_add(&h->map.heat, time_ns, value);
		return;
	}
	p = text;
	if (next_value(h, &p, end, &value) && (size_t)(end - p) == strspn(p, " \t\r")) {
		h->x = (struct column){ "line", COLUMN_COUNT };
		(void)heat_add(&h->map.heat, line, value);
		return;
	}
	h->ignored++;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct heatmap *h = state;
	const char *line;
	size_t len;
	int rc;

	while ((rc = folded_line_text(f, &line, &len)) == 1)
		text_line(h, line, len);
	if (rc < 0)
		return rc;
	if (!h->map.heat.count) {
		warn_add(w, SEV_FATAL, "no-numbers",
			 "%s: neither a perf capture nor lines of a time and a value",
			 folded_path(f));
		return ERR_FORMAT;
	}
	answer_folded(&h->map.answer, f);
	answer_fact(&h->map.answer, "lines",
		    "%" PRIu64 " read, %" PRIu64 " of them without numbers", h->lines, h->ignored);
	if (h->cut)
		answer_warn(&h->map.answer, "cut off",
			    "the decimals of %" PRIu64 " values; --units us keeps three of them as "
			    "nanoseconds",
			    h->cut);
	if (h->ignored > 1) /* one is a header */
		warn_add(w, SEV_WARN, "lines",
			 "%s: %" PRIu64 " of %" PRIu64 " lines are not numbers", folded_path(f),
			 h->ignored, h->lines);
	h->map.theme = (struct heat_theme){ .title = "Latency",
					    .y_name = "value",
					    .y_type = h->units_given ? COLUMN_NS : COLUMN_COUNT,
					    .from_zero = true };
	return build(h, w);
}

static void name_axes(const struct heatmap *h, struct grid_part *g)
{
	const struct heat_options *f = &h->map.frame;

	g->x = h->x;
	g->y = h->y;
	g->cell = (struct column){ "count", COLUMN_COUNT };
	g->ruled = h->ruled;
	/* within seconds the usual is what fills the map, and a pattern is what chance alone does
	 * not make of it */
	g->scale = !h->colors && h->map.theme.seconds ? GRID_SCALE_CHANCE : h->colors;
	g->keep_rows = h->cell_px || f->has_min || f->has_max || f->rows || f->row_step;
	g->keep_columns = h->cell_px || f->column_step_ns;
	g->cell_px = h->cell_px < GRID_CELL_MAX ? (unsigned)h->cell_px : GRID_CELL_MAX;
	g->gaps = h->gaps;
	g->gap_count = h->gap_count;
	g->has_wall = g->wall_is_exact = h->has_wall;
	g->wall_ns = h->wall_ns;
}

/* Columns are called as the rows of the map would be: "low_ns". */
static void name_columns(struct heatmap *h, bool by_lane)
{
	const char *unit = h->y.type == COLUMN_NS ? "_ns" : "";
	struct answer *a = &h->map.answer;
	struct column *c = h->columns;
	struct buf name = { 0 };

	if (by_lane)
		*c++ = (struct column){ "lane", COLUMN_TEXT };
	for (int i = 0; i < 2; i++) {
		name.len = 0;
		buf_printf(&name, "%s%s", i ? "high" : "low", unit);
		*c++ = (struct column){ answer_string(a, name.data), h->y.type, .fine = true };
	}
	*c++ = (struct column){ "count", COLUMN_COUNT };
	*c = (struct column){ "share_pct", COLUMN_PERCENT, 2 };
	buf_release(&name);
}

/* Of LANE; NULL: of all. */
static void add_histogram(struct heatmap *h, const size_t *lane)
{
	const struct heat_options *f = &h->map.frame;
	struct heat *m = &h->map.heat;
	uint64_t counts[OCTAVES] = { 0 };

	for (size_t i = 0; i < m->count; i++) {
		uint64_t value = m->points[i].value;

		if ((!lane || heat_more_at(m, i).lane == *lane) &&
		    !(f->has_min && value < f->min) && !(f->has_max && value > f->max))
			counts[octave_of(value)]++;
	}
	histogram_add(&h->histogram, &h->map.answer, lane ? m->lanes[*lane].name : NULL, counts);
}

static void histogram_result(struct heatmap *h, struct result *out)
{
	size_t lane_count = h->map.heat.lane_count;

	for (size_t i = 0; i < lane_count; i++)
		add_histogram(h, &i);
	if (!lane_count)
		add_histogram(h, NULL);
	name_columns(h, lane_count > 0);
	answer_result(&h->map.answer, h->columns, out);
	histogram_show(&h->histogram, &h->map.answer.table);
	histogram_bars(&h->map.answer.table, 2 + (lane_count > 0));
}

static void result(void *state, struct result *out)
{
	struct heatmap *h = state;

	out->title = h->map.theme.title;
	if (h->flat) {
		histogram_result(h, out);
		return;
	}
	answer_result(&h->map.answer, NULL, out);
	name_axes(h, &h->map.heat.grid);
	for (size_t i = 0; i < h->map.heat.lane_count; i++)
		name_axes(h, &h->map.heat.lanes[i]);
	out->title = h->map.theme.title;
	out->count_name = "count";
	if (h->map.heat.count)
		out->none = "all values are below --min, above --max or after --maxcol";
	else
		out->none =
			answer_none(&h->map.answer,
				    h->timeless ? "events do not tell their time (perf record -T)"
						: "no event that passes has a value");
	out->grid = &h->map.heat.grid;
	out->grid_lanes = h->map.heat.lanes;
	out->grid_lane_count = h->map.heat.lane_count;
	out->lanes_overlap = h->map.theme.overlap;
}

static void release(void *state)
{
	struct heatmap *h = state;

	for (size_t i = 0; heat_sources[i]; i++) {
		if (h->states[i])
			heat_sources[i]->release(h->states[i]);
		free(h->states[i]);
	}
	heat_release(&h->map.heat);
	longest_release(&h->map.longest);
	histogram_release(&h->histogram);
	answer_release(&h->map.answer);
}

const struct analyzer analyzer_heatmap = {
	.name = "heatmap",
	.summary = "how latencies, or any numbers of events, are spread over time",
	.question = QUESTION_DISK,
	.wants = PDT_WANT_FIELDS | PDT_WANT_LOST | PDT_WANT_ALL,
	.shapes = SHAPE_GRID | SHAPE_TABLE,
	.single = true,
	.default_format = "svg",
	.options = options,
	.state_size = sizeof(struct heatmap),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
