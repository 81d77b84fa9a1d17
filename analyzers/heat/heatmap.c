/* A heat map: how a number, mostly a latency, is spread and how that changes over time.
 *
 * The points come from I/Os put together by the rules of the block layer, from any two events
 * paired by a key, from a number of one event, or from text. */
#include "analyzers/analyzer.h"
#include "analyzers/heat/amount.h"
#include "analyzers/count/answer.h"
#include "analyzers/io/block_source.h"
#include "analyzers/heat/heat.h"
#include "analyzers/heat/heat_words.h"
#include "analyzers/count/word.h"
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
	/* options as they were given */
	const char *events, *key, *value_name, *latency_name, *lane_name, *scale, *percents;
	const char *min, *max, *rows, *row_step, *column_step, *columns_max;
	const char *units, *units_time, *units_label, *box_size, *preset, *color_scale;
	bool log, linear, max_line, ruled;
	struct block_options block_options;

	enum points_from source;
	enum lane_by by;
	enum latency latency;
	uint64_t unit, time_unit; /* ns */
	uint64_t cell_px;	  /* 0: as it comes */
	enum grid_scale colors;
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
	char *y_name;
	const char *title, *x_name;
	bool has_wall, leaves_filtered;
	int64_t wall_ns;
};

#define H(member) offsetof(struct heatmap, member)

static const struct option options[] = {
	{ "events", 0, OPT_TEXT, H(events), "PATTERN|A,B",
	  "a pattern of block events, two events to be paired, or one event", false },
	{ "preset", 0, OPT_TEXT, H(preset), "NAME", "events by name: block or syscall", false },
	{ "key", 0, OPT_TEXT, H(key), "FIELD,...[:FIELD,...]",
	  "fields that both of a pair have; of the second one behind a colon (thread)", false },
	{ "value", 0, OPT_TEXT, H(value_name), "WHAT",
	  "of one event: a field's name, period, delta, subsecond or symbol", false },
	{ "latency", 0, OPT_TEXT, H(latency_name), "WHICH",
	  "of I/Os: device, queue or total (device)", false },
	{ "by", 0, OPT_TEXT, H(lane_name), "WHAT", "lanes by device, op, comm or cpu", false },
	{ "lanes", 0, OPT_TEXT, H(lane_name), "WHAT", "as --by", false },
	{ "y", 0, OPT_TEXT, H(scale), "SCALE", "linear or log rows (log for latencies)", false },
	{ "log", 0, OPT_FLAG, H(log), NULL, "as --y log", false },
	{ "linear", 0, OPT_FLAG, H(linear), NULL, "as --y linear", false },
	{ "min", 0, OPT_TEXT, H(min), "VALUE", "clip values below, 100 or 1.5ms", false },
	{ "minlat", 0, OPT_TEXT, H(min), "VALUE", "as --min", false },
	{ "max", 0, OPT_TEXT, H(max), "VALUE", "clip values above", false },
	{ "maxlat", 0, OPT_TEXT, H(max), "VALUE", "as --max", false },
	{ "rows", 0, OPT_TEXT, H(rows), "N", "rows (50)", false },
	{ "steplat", 0, OPT_TEXT, H(row_step), "VALUE", "in place of --rows: the height of a row",
	  false },
	{ "step", 0, OPT_TEXT, H(column_step), "TIME",
	  "width of a column, 0.1 or 50ms (default: at most 600 columns)", false },
	{ "stepsec", 0, OPT_TEXT, H(column_step), "TIME", "as --step", false },
	{ "maxcol", 0, OPT_TEXT, H(columns_max), "N", "clip what is behind so many columns",
	  false },
	{ "units", 0, OPT_TEXT, H(units), "UNIT",
	  "of values in options and in text: ns, us, ms or s (as they are: ns)", false },
	{ "unitslat", 0, OPT_TEXT, H(units), "UNIT", "as --units", false },
	{ "unitstime", 0, OPT_TEXT, H(units_time), "UNIT", "of times in text (s)", false },
	{ "unitslabel", 0, OPT_TEXT, H(units_label), "TEXT", "what values are called", false },
	{ "percentiles", 0, OPT_TEXT, H(percents), "LIST",
	  "lines by column, or none (50,95,99 where columns hold enough)", false },
	{ "grid", 0, OPT_FLAG, H(ruled), NULL, "lines across the drawing where the ticks are",
	  false },
	{ "boxsize", 0, OPT_TEXT, H(box_size), "N", "cells of N by N pixels in the drawing",
	  false },
	{ "color-scale", 0, OPT_TEXT, H(color_scale), "SCALE",
	  "colours by linear, sqrt, log or rank (sqrt, log where that shows more)", false },
	{ "max-line", 0, OPT_FLAG, H(max_line), NULL, "a line of the largest values, too", false },
	BLOCK_OPTIONS(H(block_options)),
	{ 0 },
};

/* ---- options ---- */

static int usage(struct warnings *w, const char *option, const char *value, const char *wanted)
{
	warn_add(w, SEV_FATAL, "option", "--%s %s: expected %s", option, value, wanted);
	return ERR_USAGE;
}

static bool is_pair(const struct heatmap *h)
{
	return h->events && strchr(h->events, ',');
}

static int parse_words(struct heatmap *h, struct warnings *w)
{
	static const char *const lanes[] = { "none", "device", "op", "comm", "cpu", "dev", NULL };
	static const char *const latencies[] = { "", "device", "queue", "total", NULL };
	int by = h->lane_name ? word_of(h->lane_name, lanes) : NO_LANES;
	int latency = h->latency_name ? word_of(h->latency_name, latencies) : USUAL;

	if (heat_preset(h->preset, &h->events, w) < 0 ||
	    heat_scale(h->color_scale, &h->colors, w) < 0)
		return ERR_USAGE;
	if (by < 0)
		return usage(w, "by", h->lane_name, "device, op, comm, cpu or none");
	if (latency < 0)
		return usage(w, "latency", h->latency_name, "device, queue or total");
	if (is_pair(h) && h->value_name)
		return usage(w, "value", h->value_name, "one event, not two");
	if (h->scale && strcmp(h->scale, "log") && strcmp(h->scale, "linear"))
		return usage(w, "y", h->scale, "linear or log");
	h->by = by == 5 ? BY_DEVICE : (enum lane_by)by;
	h->latency = (enum latency)latency;
	h->log |= h->scale && *h->scale == 'l' && h->scale[1] == 'o';
	h->linear |= h->scale && h->scale[1] == 'i';
	return 0;
}

static int parse_units(struct heatmap *h, struct warnings *w)
{
	h->unit = h->units ? amount_unit(h->units) : 1;
	h->time_unit = h->units_time ? amount_unit(h->units_time) : SECOND_NS;
	if (!h->unit)
		return usage(w, "units", h->units, "ns, us, ms or s");
	if (!h->time_unit)
		return usage(w, "unitstime", h->units_time, "s, ms, us or ns");
	return 0;
}

static int parse_percents(struct heatmap *h, struct warnings *w)
{
	struct heat_options *f = &h->frame;
	const char *text = h->percents ? h->percents : "50,95,99";
	char *end;

	for (const char *p = text; strcmp(text, "none"); p = end + 1) {
		double v = strtod(p, &end);

		if (end == p || !(v > 0 && v <= 100) || f->percent_count + 1 >= HEAT_PERCENTS ||
		    (*end && *end != ','))
			return usage(w, "percentiles", text, "numbers up to 100, or none");
		f->percents[f->percent_count++] = v;
		if (!*end)
			break;
	}
	if (h->max_line)
		f->percents[f->percent_count++] = 100;
	return 0;
}

static int parse_frame(struct heatmap *h, struct warnings *w)
{
	struct heat_options *f = &h->frame;
	const struct {
		const char *name, *text;
		uint64_t unit, *to;
		bool zero; /* is 0 a value? */
	} rows[] = {
		{ "min", h->min, h->unit, &f->min, true },
		{ "max", h->max, h->unit, &f->max, true },
		{ "rows", h->rows, 1, &f->rows, false },
		{ "steplat", h->row_step, h->unit, &f->row_step, false },
		{ "step", h->column_step, SECOND_NS, &f->column_step_ns, false },
		{ "maxcol", h->columns_max, 1, &f->columns_max, false },
		{ "boxsize", h->box_size, 1, &h->cell_px, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].text && (!amount_parse(rows[i].text, rows[i].unit, rows[i].to) ||
				     (!*rows[i].to && !rows[i].zero)))
			return usage(w, rows[i].name, rows[i].text, "a number");
	}
	f->has_min = h->min != NULL;
	f->has_max = h->max != NULL;
	h->longest.most = h->max ? f->max : UINT64_MAX;
	if (f->has_min && f->has_max && f->min > f->max)
		return usage(w, "min", h->min, "no more than --max");
	return parse_percents(h, w);
}

static void on_finished(void *ctx, const struct block_io *io);

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct heatmap *h = state;
	int rc = block_source_begin(&h->block, &h->block_options, w);

	(void)in;
	answer_init(&h->answer);
	heat_init(&h->heat);
	longest_init(&h->longest);
	pairs_init(&h->pairs);
	h->block.finished = on_finished;
	h->block.ctx = h;
	h->pairs.oldest_first = h->block.model.oldest_first;
	h->x_name = "time_ns";
	if (rc == 0)
		rc = parse_words(h, w);
	if (rc == 0)
		rc = parse_units(h, w);
	if (rc == 0)
		rc = parse_frame(h, w);
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
	uint64_t at[ARRAY_SIZE(percents)];

	answer_fact(&h->answer, "cells",
		    "%zu points = %" PRIu64 " in cells + %" PRIu64 " below + %" PRIu64
		    " above + %" PRIu64 " after the last column",
		    m->count, m->inside, m->below, m->above, m->after);
	if (m->count && !h->frame.labels) {
		heat_percentiles(m, percents, ARRAY_SIZE(percents), at);
		answer_fact(&h->answer, "values",
			    "p50 %" PRIu64 ", p90 %" PRIu64 ", p99 %" PRIu64 ", max %" PRIu64,
			    at[0], at[1], at[2], at[3]);
		answer_fact(&h->answer, "sum", "%" PRIu64, m->sum);
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

static void set_axis(struct heatmap *h, const char *name, const char *unit)
{
	struct buf b = { 0 };

	buf_str(&b, name);
	if (!unit) /* else the values are in it */
		unit = h->units_label;
	if (unit && *unit)
		buf_printf(&b, "_%s", unit);
	h->y_name = b.data;
}

/* What the rows are, by the kind of points. */
static void describe(struct heatmap *h)
{
	struct heat_options *f = &h->frame;
	bool latency = h->source == BLOCK || h->source == PAIR;

	f->log = h->log || (latency && !h->linear);
	f->rate_name = h->source == BLOCK ? "ios_per_s" : "events_per_s";
	f->has_bytes = h->source == BLOCK;
	f->has_spans = latency;
	f->in_ns = latency || h->single.value == VALUE_DELTA || (h->source == TEXT && h->units);
	f->from_zero = latency || h->source == TEXT || h->single.value == VALUE_DELTA;
	h->title = h->source == BLOCK			    ? latency_title(h)
		   : h->source == TEXT || h->source == PAIR ? "Latency"
							    : "Values";
	if (latency)
		set_axis(h, "latency", "ns");
	else if (h->source == TEXT)
		set_axis(h, "value", h->units ? "ns" : NULL);
	else if (h->single.value == VALUE_FIELD)
		set_axis(h, h->value_name, NULL);
	else if (h->single.value == VALUE_DELTA)
		set_axis(h, "delta", "ns");
	else
		set_axis(h, "period", NULL);
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
	free(h->y_name);
	h->y_name = NULL;
	set_axis(h, "subsecond", "ns");
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
		h->y_name[0] = 0;
	}
	h->frame.percent_least = h->percents || h->max_line ? 0 : LINE_POINTS;
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
	h->cut += !h->units && memchr(first, '.', (size_t)(*p - first)) != NULL;
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
		h->x_name = "line";
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
	g->x_name = h->x_name;
	g->y_name = *h->y_name ? h->y_name : "symbol";
	g->cell_name = "count";
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
	free(h->y_name);
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
