/* A heat map: how a number, mostly a latency, is spread and how that changes over time.
 *
 * The points come from I/Os put together by the rules of the block layer, from any two events
 * paired by a key, from a number of one event, or from text. */
#include "analyzers/analyzer.h"
#include "analyzers/heat/amount.h"
#include "analyzers/count/answer.h"
#include "analyzers/io/block_source.h"
#include "analyzers/heat/heat.h"
#include "analyzers/count/namer.h"
#include "analyzers/io/longest.h"
#include "analyzers/count/missing.h"
#include "analyzers/heat/pairs.h"
#include "analyzers/heat/single.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS 1000000000ull
#define LOST_MAX  1000
/* With fewer points in a column lines are noise over the cells, so they must be asked for. */
#define LINE_POINTS 20

enum points_from { UNDECIDED, BLOCK, PAIR, SINGLE, TEXT };
enum lane_by { NO_LANES, BY_DEVICE, BY_OP, BY_COMM, BY_CPU };
enum latency { USUAL, DEVICE, QUEUE, TOTAL };

struct heatmap {
	/* the options */
	const char *events, *key, *value_name, *units_label;
	enum { PRESET_NONE, PRESET_BLOCK, PRESET_SYSCALL } preset;
	enum { SCALE_USUAL, SCALE_LINEAR, SCALE_LOG } scale;
	enum lane_by by;
	enum latency latency;
	struct quantity min, max, row_step;
	struct quantity_list percents;
	unsigned unit_word, time_unit_word;
	uint64_t cell_px; /* 0: as it comes */
	enum grid_scale colors;
	bool units_given, percents_given, max_line, ruled;
	struct block_options block_options;

	enum points_from source;
	uint64_t unit, time_unit; /* ns */
	struct block_source block;
	struct pairs pairs;
	struct single single;
	uint64_t used, timeless, filtered, without_latency;
	uint64_t lines, ignored, cut; /* of text */
	struct grid_gap gaps[LOST_MAX];
	size_t gap_count;
	struct heat heat;
	struct longest longest;
	struct heat_options frame;
	struct answer answer;
	const char *title;
	struct column x, y;
	bool has_wall, leaves_filtered;
	int64_t wall_ns;
};

#define H(member) offsetof(struct heatmap, member)

static const char *const presets[] = { "", "block", "syscall", NULL };
static const char *const preset_events[] = { NULL, "block_rq_*",
					     "raw_syscalls:sys_enter,raw_syscalls:sys_exit" };
static const char *const lanes[] = { "none", "device|dev", "op", "comm", "cpu", NULL };
static const char *const latencies[] = { "", "device", "queue", "total", NULL };
static const char *const scales[] = { "", "linear", "log", NULL };
static const char *const color_scales[] = { "auto", "linear", "sqrt", "log", "rank", NULL };
static const char *const values[] = { "period", "delta", "subsecond", "symbol", NULL };
static const char *const units[] = { "ns", "us", "ms", "s", NULL };
static const char *const none[] = { "none", NULL };

static const uint64_t ns_of_unit[] = { 1, 1000, 1000000, SECOND_NS };

static const struct option options[] = {
	{ "events", 0, OPT_TEXT, H(events), "PATTERN|A,B",
	  "a pattern of block events, two events to be paired, or one event", .one_of = "events" },
	{ "preset", 0, OPT_WORD, H(preset), NULL,
	  "events by name (waits for a CPU: pdtool sched latency --heatmap)", .words = presets,
	  .one_of = "events",
	  .wanted = "block or syscall (waits: pdtool sched latency --heatmap)" },
	{ "key", 0, OPT_TEXT, H(key), "FIELD,...[:FIELD,...]",
	  "fields that both of a pair have; of the second one behind a colon (thread)" },
	{ "value", 0, OPT_TEXT, H(value_name), "WHAT",
	  "of one event: a field's name, period, delta, subsecond or symbol", .words = values },
	{ "latency", 0, OPT_WORD, H(latency), NULL, "of I/Os (device)", .words = latencies },
	{ "by", 0, OPT_WORD, H(by), "WHAT", "lanes", .words = lanes },
	{ "lanes", 0, OPT_SAME, 0, "--by" },
	{ "y", 0, OPT_WORD, H(scale), NULL, "rows (log for latencies)", .words = scales },
	{ "log", 0, OPT_SAME, 0, "--y log" },
	{ "linear", 0, OPT_SAME, 0, "--y linear" },
	{ "min", 0, OPT_QUANTITY, H(min), "VALUE", "clip values below, 100 or 1.5ms",
	  .units = 1 << QUANTITY_NS, .given = H(frame.has_min) },
	{ "minlat", 0, OPT_SAME, 0, "--min" },
	{ "max", 0, OPT_QUANTITY, H(max), "VALUE", "clip values above", .units = 1 << QUANTITY_NS,
	  .given = H(frame.has_max) },
	{ "maxlat", 0, OPT_SAME, 0, "--max" },
	{ "rows", 0, OPT_COUNT, H(frame.rows), "N", "rows (50)", .least = 1 },
	{ "steplat", 0, OPT_QUANTITY, H(row_step), "VALUE",
	  "in place of --rows: the height of a row", .units = 1 << QUANTITY_NS, .positive = true },
	{ "step", 0, OPT_DURATION, H(frame.column_step_ns), "TIME",
	  "width of a column, 0.1 or 50ms (default: at most 600 columns)", .positive = true },
	{ "stepsec", 0, OPT_SAME, 0, "--step" },
	{ "maxcol", 0, OPT_COUNT, H(frame.columns_max), "N", "clip what is behind so many columns",
	  .least = 1 },
	{ "units", 0, OPT_WORD, H(unit_word), NULL,
	  "of values in options and in text (as they are: ns)", .words = units,
	  .given = H(units_given) },
	{ "unitslat", 0, OPT_SAME, 0, "--units" },
	{ "unitstime", 0, OPT_WORD, H(time_unit_word), NULL, "of times in text", .words = units,
	  .initial = "s" },
	{ "unitslabel", 0, OPT_TEXT, H(units_label), "TEXT", "what values are called" },
	{ "percentiles", 0, OPT_QUANTITIES, H(percents), "LIST",
	  "lines by column, or none; unless given, where columns hold enough",
	  .units = 1 << QUANTITY_PERCENT, .words = none, .positive = true, .most = 100,
	  .initial = "50,95,99", .given = H(percents_given),
	  .wanted = "numbers up to 100, or none" },
	{ "grid", 0, OPT_FLAG, H(ruled), NULL, "lines across the drawing where the ticks are" },
	{ "boxsize", 0, OPT_COUNT, H(cell_px), "N", "cells of N by N pixels in the drawing",
	  .least = 1 },
	{ "color-scale", 0, OPT_WORD, H(colors), NULL,
	  "colours by amount; rank: as many cells of each (sqrt, log where that shows more)",
	  .words = color_scales },
	{ "max-line", 0, OPT_FLAG, H(max_line), NULL, "a line of the largest values, too" },
	{ .type = OPT_TABLE, .table = block_options, .offset = H(block_options) },
	{ 0 },
};

/* ---- options ---- */

static bool is_pair(const struct heatmap *h)
{
	return h->events && strchr(h->events, ',');
}

/* A value in its own unit; above all numbers it is the largest. */
static uint64_t in_unit(const struct heatmap *h, const struct quantity *a)
{
	double v = a->unit == QUANTITY_NS ? a->number : a->number * (double)h->unit;

	return v < 1.8e19 ? (uint64_t)(v + 1e-6) : UINT64_MAX;
}

static int take_frame(struct heatmap *h, struct warnings *w)
{
	struct heat_options *f = &h->frame;

	h->unit = ns_of_unit[h->unit_word];
	h->time_unit = ns_of_unit[h->time_unit_word];
	f->min = in_unit(h, &h->min);
	f->max = in_unit(h, &h->max);
	f->row_step = in_unit(h, &h->row_step);
	for (size_t i = 0; i < h->percents.count && i + 1 < HEAT_PERCENTS; i++)
		f->percents[f->percent_count++] = h->percents.list[i].number;
	if (h->max_line)
		f->percents[f->percent_count++] = 100;
	h->longest.most = f->has_max ? f->max : UINT64_MAX;
	if (f->has_min && f->has_max && f->min > f->max) {
		warn_add(w, SEV_FATAL, "option", "--min: expected no more than --max");
		return ERR_USAGE;
	}
	return 0;
}

static void on_finished(void *ctx, const struct block_io *io);

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct heatmap *h = state;
	int rc;

	(void)in;
	block_source_begin(&h->block, &h->block_options);
	if (h->preset)
		h->events = preset_events[h->preset];
	answer_init(&h->answer);
	heat_init(&h->heat);
	longest_init(&h->longest);
	pairs_init(&h->pairs);
	h->block.finished = on_finished;
	h->block.ctx = h;
	h->pairs.oldest_first = h->block.model.oldest_first;
	h->x = (struct column){ "time_ns", COLUMN_TIME_NS, 0, NULL };
	rc = take_frame(h, w);
	if (rc == 0 && is_pair(h) && h->value_name) {
		warn_add(w, SEV_FATAL, "option", "--value %s: expected one event, not two",
			 h->value_name);
		rc = ERR_USAGE;
	}
	if (rc == 0 && is_pair(h))
		rc = pairs_parse(&h->pairs, h->events, h->key, w);
	else if (rc == 0)
		rc = single_begin(&h->single, h->events, h->value_name, h->key, w);
	return rc;
}

static void configure(void *state, struct session_options *o)
{
	const struct heatmap *h = state;
	const struct filter *f = &o->filter;

	if (h->single.value == VALUE_SYMBOL || f->no_idle || f->dsos.count || f->symbols.count)
		o->needs |= NEED_STACKS;
	if (h->by == BY_COMM || f->comms.count || h->key || h->value_name)
		o->needs |= NEED_COMMS;
}

/* ---- what is a point of what ---- */

/* Does PATTERN mean the issue and the completion of requests, or PAIR the one and the other? */
static bool means_block(const struct heatmap *h, const struct session *s)
{
	const struct event_list *l = &session_capture(s)->events;
	bool issue = false, complete = false;

	if (h->value_name || h->key)
		return false;
	for (size_t i = 0; i < l->count; i++) {
		const char *name = l->descs[i]->name;

		if (is_pair(h) ? !picked_matches(h->pairs.begin.pattern, l->descs[i]) &&
					 !picked_matches(h->pairs.end.pattern, l->descs[i])
			       : h->events && !picked_matches(h->events, l->descs[i]))
			continue;
		issue |= !strcmp(name, "block:block_rq_issue") ||
			 !strcmp(name, "block:block_bio_queue");
		complete |= !strcmp(name, "block:block_rq_complete") ||
			    !strcmp(name, "block:block_bio_complete");
	}
	return issue && complete;
}

/* A pattern that can mean nothing else than requests: that they are missing is to be said. */
static bool names_block(const struct heatmap *h)
{
	const char *p = h->events;

	if (!p || is_pair(h) || h->value_name)
		return false;
	p += !strncmp(p, "block:", 6) ? 6 : 0;
	return !strncmp(p, "block_", 6) && strpbrk(p, "*?[");
}

static void decide(struct heatmap *h, const struct session *s)
{
	if (means_block(h, s) || names_block(h))
		h->source = BLOCK;
	else
		h->source = is_pair(h) ? PAIR : SINGLE;
}

static uint32_t lane_of(struct heatmap *h, const char *comm, uint32_t cpu, bool has_cpu)
{
	char text[24];

	if (h->by == BY_COMM)
		return heat_lane(&h->heat, comm && *comm ? comm : "unknown");
	if (h->by != BY_CPU)
		return 0;
	snprintf(text, sizeof(text), "cpu %u", cpu);
	return heat_lane(&h->heat, has_cpu ? text : "unknown");
}

static uint32_t io_lane(struct heatmap *h, const struct block_io *io)
{
	char dev[BLOCK_DEV_TEXT];

	if (h->by == BY_DEVICE) {
		block_dev_text(dev, io->dev);
		return heat_lane(&h->heat, dev);
	}
	if (h->by == BY_OP)
		return heat_lane(&h->heat, io->op);
	return lane_of(h, io->comm, io->cpu, true);
}

/* The latency asked for. What is made of bios has no issue: its total is all there is. */
static bool io_latency(const struct heatmap *h, const struct block_io *io, uint64_t *out)
{
	if (h->latency == QUEUE)
		return block_queue_ns(io, out);
	if (h->latency == TOTAL || (h->latency == USUAL && !io->issue_ns))
		return block_total_ns(io, out);
	return block_device_ns(io, out);
}

static void on_finished(void *ctx, const struct block_io *io)
{
	struct heatmap *h = ctx;
	struct heat_point *p;
	uint64_t value;

	if (!io_latency(h, io, &value)) {
		h->without_latency++;
		return;
	}
	p = heat_add(&h->heat, io->complete_ns, value);
	if (!p)
		return;
	if (!block_device_ns(io, &p->span_ns))
		(void)block_total_ns(io, &p->span_ns);
	p->bytes = io->bytes < UINT32_MAX ? (uint32_t)io->bytes : UINT32_MAX;
	p->lane = h->by == NO_LANES ? 0 : (uint16_t)io_lane(h, io);
	if (longest_wants(&h->longest, value))
		longest_add_io(&h->longest, io, p);
}

static void add_sample(struct heatmap *h, const struct event *e, const struct session *s,
		       uint64_t value, uint64_t span_ns)
{
	struct heat_point *p = heat_add(&h->heat, e->time_ns, value);
	const char *comm = session_comm(s, e->comm);

	if (!p)
		return;
	p->span_ns = span_ns;
	p->stack = e->stack;
	p->idle_task = !e->pid;
	p->lane = (uint16_t)lane_of(h, comm, e->cpu, e->has_cpu);
	if (longest_wants(&h->longest, value))
		longest_add(&h->longest, p, e->tid, comm);
}

static void pair_event(struct heatmap *h, const struct event *e, const struct session *s)
{
	uint64_t begin_ns;

	if (!pairs_event(&h->pairs, e, &begin_ns))
		return;
	if (picked_passes(e, s))
		add_sample(h, e, s, e->time_ns - begin_ns, e->time_ns - begin_ns);
	else
		h->filtered++;
}

static void single_event(struct heatmap *h, const struct event *e, const struct session *s)
{
	const struct picked_binding *b = picked_bind(&h->single.picked, e);
	uint64_t value;

	if (!b)
		return;
	h->used++;
	if (!picked_passes(e, s))
		h->filtered++;
	else if (single_value(&h->single, b, e, &value))
		add_sample(h, e, s, value, 0);
}

static void lost_event(struct heatmap *h, const struct event *e)
{
	if (e->has_time && h->gap_count < LOST_MAX)
		h->gaps[h->gap_count++] = (struct grid_gap){ e->time_ns, e->time_ns + 1, "lost" };
}

static void event(void *state, const struct event *e, const struct session *s)
{
	struct heatmap *h = state;

	if (e->kind == EVENT_LOST)
		lost_event(h, e);
	if (e->kind == EVENT_SAMPLE)
		h->timeless += !e->has_time;
	if (e->kind != EVENT_SAMPLE || !e->has_time)
		return;
	if (h->source == UNDECIDED)
		decide(h, s);
	if (h->source == BLOCK)
		block_source_event(&h->block, e, s);
	else if (h->source == PAIR)
		pair_event(h, e, s);
	else
		single_event(h, e, s);
}

/* ---- the end of the capture ---- */

static int check_picked(const struct picked *p, const struct session *s, struct warnings *w)
{
	struct buf command = { 0 };

	if (p->lacking) {
		warn_add(w, SEV_FATAL, "no-field", "%s: %s",
			 source_path(session_capture(s)->source), p->lacking);
		return ERR_USAGE;
	}
	if (!p->pattern || picked_any(p->pattern, s))
		return 0;
	buf_printf(&command, "perf record -a -c1 -e '%s' -o /dev/shm/t.data -- sleep 10",
		   p->pattern);
	(void)missing_events(s, p->pattern, command.data, w);
	buf_release(&command);
	return ERR_USAGE;
}

static int check_pairs(struct heatmap *h, const struct session *s, struct warnings *w)
{
	struct pairs *p = &h->pairs;
	const char *missing = !picked_any(p->begin.pattern, s) ? p->begin.pattern
			      : !picked_any(p->end.pattern, s) ? p->end.pattern
							       : NULL;
	struct buf command = { 0 };

	if (missing) {
		buf_printf(&command,
			   "perf record -a -c1 -e '%s' -e '%s' -o /dev/shm/t.data "
			   "-- sleep 10",
			   p->begin.pattern, p->end.pattern);
		(void)missing_events(s, missing, command.data, w);
		buf_release(&command);
		return ERR_USAGE;
	}
	pairs_end(p);
	return check_picked(p->begin.lacking ? &p->begin : &p->end, s, w);
}

/* The filters by the leaf, where stacks were asked for. */
static void filter_leaves(struct heatmap *h, const struct session *s, const struct filter *f)
{
	size_t kept = 0;

	if (!f->no_idle && !f->dsos.count && !f->symbols.count)
		return;
	h->leaves_filtered = true;
	for (size_t i = 0; i < h->heat.count; i++) {
		const struct heat_point *p = &h->heat.points[i];

		if (where_passes(where_name(s, p->stack), f, p->idle_task))
			h->heat.points[kept++] = *p;
	}
	h->filtered += h->heat.count - kept;
	h->heat.count = kept;
}

/* ---- facts ---- */

static void count_to(struct buf *b, uint64_t count, const char *what)
{
	if (count)
		buf_printf(b, "%s%" PRIu64 " %s", b->len ? ", " : "", count, what);
}

static void sample_facts(struct heatmap *h, struct warnings *w)
{
	const struct pairs *p = &h->pairs;
	struct buf b = { 0 };

	if (h->source == PAIR)
		answer_fact(&h->answer, "events used",
			    "%" PRIu64 " begins, %" PRIu64 " ends: %" PRIu64 " pairs, %" PRIu64
			    " of them filtered out",
			    p->begins, p->ends, p->matched, h->filtered);
	else
		answer_fact(&h->answer, "events used",
			    "%" PRIu64 ", %" PRIu64 " of them filtered out", h->used, h->filtered);
	count_to(&b, p->unended, "begins without an end");
	count_to(&b, p->stray_ends, "ends without a begin");
	count_to(&b, p->keyless, "without a key");
	count_to(&b, p->nested, "ends that could be another's");
	count_to(&b, h->single.unreadable, "without the field");
	count_to(&b, h->single.negative, "below 0");
	if (h->source == SINGLE && h->single.value == VALUE_DELTA)
		count_to(&b, h->single.last_count, "with nothing before them");
	answer_fact(&h->answer, "unmatched", "%s", b.len ? b.data : "nothing");
	if (b.len)
		warn_add(w, SEV_NOTE, "unmatched", "unmatched: %s", b.data);
	buf_release(&b);
}

static void value_facts(struct heatmap *h)
{
	static const double percents[] = { 50, 90, 99, 100 };
	const struct heat *m = &h->heat;
	enum column_type type = h->y.type;
	uint64_t at[ARRAY_SIZE(percents)];

	answer_fact(&h->answer, "cells",
		    "%zu points = %" PRIu64 " in cells + %" PRIu64 " below + %" PRIu64
		    " above + %" PRIu64 " after the last column",
		    m->count, m->inside, m->below, m->above, m->after);
	if (m->count && !h->frame.labels) {
		heat_percentiles(m, percents, ARRAY_SIZE(percents), at);
		answer_fact(&h->answer, "values", "p50 %s, p90 %s, p99 %s, max %s",
			    AMOUNT(type, at[0]), AMOUNT(type, at[1]), AMOUNT(type, at[2]),
			    AMOUNT(type, at[3]));
		answer_fact(&h->answer, "sum", "%s", AMOUNT(type, m->sum));
	}
	if (h->without_latency)
		answer_fact(&h->answer, "left out", "%" PRIu64 " I/Os without this latency",
			    h->without_latency);
	if (h->timeless)
		answer_fact(&h->answer, "left out", "%" PRIu64 " events without a time",
			    h->timeless);
	if (m->refused)
		answer_fact(&h->answer, "left out", "%" PRIu64 " points: too many", m->refused);
}

/* ---- the picture ---- */

static const char *latency_title(const struct heatmap *h)
{
	static const char *const titles[] = {
		[USUAL] = "Block I/O latency",
		[DEVICE] = "Block I/O device latency",
		[QUEUE] = "Block I/O time in queue",
		[TOTAL] = "Block I/O total latency",
	};

	return titles[h->latency];
}

/* The rows' axis. Values whose unit nobody tells may have one that the user names. */
static void set_axis(struct heatmap *h, const char *name, enum column_type type)
{
	const char *unit = type == COLUMN_NS ? "ns" : h->units_label;
	struct buf b = { 0 };

	buf_str(&b, name);
	if (unit && *unit)
		buf_printf(&b, "_%s", unit);
	h->y = (struct column){ answer_string(&h->answer, b.data), type, 0,
				name == h->value_name ? name : NULL };
	buf_release(&b);
}

/* What the rows are, by the kind of points. */
static void describe(struct heatmap *h)
{
	struct heat_options *f = &h->frame;
	bool latency = h->source == BLOCK || h->source == PAIR;

	f->log = h->scale == SCALE_LOG || (latency && h->scale != SCALE_LINEAR);
	f->rate = h->source == BLOCK
			  ? (struct column){ "ios_per_s", COLUMN_COUNT, 0, "IOPS" }
			  : (struct column){ "events_per_s", COLUMN_COUNT, 0, "Events/s" };
	f->has_bytes = h->source == BLOCK;
	f->has_spans = latency;
	f->in_ns =
		latency || h->single.value == VALUE_DELTA || (h->source == TEXT && h->units_given);
	f->from_zero = latency || h->source == TEXT || h->single.value == VALUE_DELTA;
	h->title = h->source == BLOCK			    ? latency_title(h)
		   : h->source == TEXT || h->source == PAIR ? "Latency"
							    : "Values";
	if (latency)
		set_axis(h, "latency", COLUMN_NS);
	else if (h->source == TEXT)
		set_axis(h, "value", h->units_given ? COLUMN_NS : COLUMN_COUNT);
	else if (h->single.value == VALUE_FIELD)
		set_axis(h, h->value_name, COLUMN_COUNT);
	else if (h->single.value == VALUE_DELTA)
		set_axis(h, "delta", COLUMN_NS);
	else
		set_axis(h, "period", COLUMN_COUNT);
}

/* FlameScope's picture: whole seconds across, their parts upwards. */
static void describe_subsecond(struct heatmap *h)
{
	struct heat_options *f = &h->frame;

	f->log = false;
	f->column_step_ns = f->align_ns = SECOND_NS;
	f->min = f->has_min ? f->min : 0;
	f->max = f->has_max ? f->max : SECOND_NS - 1;
	f->has_min = f->has_max = true;
	f->percent_count = 0;
	h->title = "Activity within seconds";
	set_axis(h, "subsecond", COLUMN_NS);
}

/* Where values are amounts, and all events are of the picture. */
static bool lists_events(const struct heatmap *h)
{
	return h->longest.count && !h->leaves_filtered &&
	       (h->source != SINGLE || h->single.value < VALUE_SUBSECOND);
}

static int build(struct heatmap *h, struct warnings *w)
{
	int rc;

	describe(h);
	if (h->source == SINGLE && h->single.value == VALUE_SUBSECOND)
		describe_subsecond(h);
	if (h->source == SINGLE && h->single.value == VALUE_SYMBOL) {
		h->title = "Functions over time";
		h->y = (struct column){ "symbol", COLUMN_TEXT, 0, NULL };
	}
	h->frame.percent_least = h->percents_given || h->max_line ? 0 : LINE_POINTS;
	rc = heat_build(&h->heat, &h->frame, h->by != NO_LANES, w);
	if (rc < 0)
		return rc;
	value_facts(h);
	if (lists_events(h))
		longest_result(&h->longest, h->heat.lane_number, h->heat.count, &h->heat.grid);
	return 0;
}

static int finish(void *state, const struct session *s, const struct filter *f, struct warnings *w)
{
	struct heatmap *h = state;
	const struct capture_meta *m = &session_capture(s)->meta;
	int rc;

	if (h->source == UNDECIDED)
		decide(h, s);
	rc = h->source == BLOCK	 ? block_source_end(&h->block, s, w)
	     : h->source == PAIR ? check_pairs(h, s, w)
				 : check_picked(&h->single.picked, s, w);
	if (rc < 0)
		return rc;
	answer_capture(&h->answer, s, f);
	if (h->source != BLOCK)
		filter_leaves(h, s, f);
	if (h->source == SINGLE && h->single.value == VALUE_SYMBOL)
		h->frame.labels = single_labels(&h->single, &h->heat, h->frame.rows, s);
	if (h->source == BLOCK)
		block_source_facts(&h->block, &h->answer, w);
	else
		sample_facts(h, w);
	h->has_wall = m->has_clock_data;
	h->wall_ns = (int64_t)(m->wall_ns - m->clock_ns);
	return build(h, w);
}

/* ---- text: "TIME VALUE" in each line, or only a value ---- */

static bool next_number(const char **p, const char *end, uint64_t unit, uint64_t *out)
{
	while (*p < end && (isspace((unsigned char)**p) || **p == ','))
		(*p)++;
	return amount_decimal(p, end, unit, out) &&
	       (*p == end || isspace((unsigned char)**p) || **p == ',');
}

/* A value. Where nobody tells its unit, what is behind its point is lost, which is counted. */
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
		(void)heat_add(&h->heat, time_ns, value);
		return;
	}
	p = text;
	if (next_value(h, &p, end, &value) && (size_t)(end - p) == strspn(p, " \t\r")) {
		h->x = (struct column){ "line", COLUMN_COUNT, 0, NULL };
		(void)heat_add(&h->heat, line, value);
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

	h->source = TEXT;
	while ((rc = folded_line_text(f, &line, &len)) == 1)
		text_line(h, line, len);
	if (rc < 0)
		return rc;
	if (!h->heat.count) {
		warn_add(w, SEV_FATAL, "no-numbers",
			 "%s: neither a capture of perf nor lines of a time and a value",
			 folded_path(f));
		return ERR_FORMAT;
	}
	answer_folded(&h->answer, f);
	answer_fact(&h->answer, "lines", "%" PRIu64 " read, %" PRIu64 " of them without numbers",
		    h->lines, h->ignored);
	if (h->cut)
		answer_fact(&h->answer, "cut off",
			    "the decimals of %" PRIu64 " values; --units us keeps three of them as "
			    "nanoseconds",
			    h->cut);
	if (h->ignored > 1) /* one is a header */
		warn_add(w, SEV_WARN, "lines",
			 "%s: %" PRIu64 " of %" PRIu64 " lines are no numbers", folded_path(f),
			 h->ignored, h->lines);
	return build(h, w);
}

static void name_axes(const struct heatmap *h, struct grid_part *g)
{
	g->x = h->x;
	g->y = h->y;
	g->cell = (struct column){ "count", COLUMN_COUNT, 0, NULL };
	g->ruled = h->ruled;
	g->scale = h->colors;
	g->cell_px = h->cell_px < GRID_CELL_MAX ? (unsigned)h->cell_px : GRID_CELL_MAX;
	g->gaps = h->gaps;
	g->gap_count = h->gap_count;
	g->has_wall = g->wall_is_exact = h->has_wall;
	g->wall_ns = h->wall_ns;
}

static void result(void *state, struct result *out)
{
	struct heatmap *h = state;

	answer_result(&h->answer, NULL, out);
	name_axes(h, &h->heat.grid);
	for (size_t i = 0; i < h->heat.lane_count; i++)
		name_axes(h, &h->heat.lanes[i]);
	out->title = h->title;
	out->count_name = "count";
	out->grid = &h->heat.grid;
	out->grid_lanes = h->heat.lanes;
	out->grid_lane_count = h->heat.lane_count;
}

static void release(void *state)
{
	struct heatmap *h = state;

	block_source_release(&h->block);
	pairs_release(&h->pairs);
	single_release(&h->single);
	heat_release(&h->heat);
	longest_release(&h->longest);
	answer_release(&h->answer);
}

const struct analyzer analyzer_heatmap = {
	.name = "heatmap",
	.summary = "how latencies, or any numbers of events, are spread over time",
	.needs = NEED_RAW | NEED_LOST | NEED_ALL,
	.shapes = SHAPE_GRID,
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
