/* Absolute CPU time by name: T, the CPU time of a capture, times the share of its samples. One
 * capture, or two to compare; or the time of one, step by step. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/profile/cputime/cpu_time.h"
#include "analyzers/profile/groups.h"
#include "analyzers/profile/shares.h"
#include "analyzers/profile/shares_read.h"
#include "analyzers/profile/cputime/wall.h"
#include "parser/base/buf.h"
#include "parser/eventname.h"
#include "analyzers/count/missing.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAPS_SAID 40

struct side {
	struct cpu_total time;
	char *event; /* NULL: folded text */
	bool in_ns;  /* its periods are ns of CPU time */
	bool is_text;
	struct unit unit; /* of folded text */
};

/* When no samples could be taken. */
struct gap {
	uint64_t span_ns[2];
	int cause; /* enum pdt_gap_cause */
};

struct abstime {
	struct namer_options names;
	struct cpu_time time;
	const char *event_filter;
	int64_t anchor_ns; /* wall clock less the capture's */
	bool tod, anchored;
	enum share_by by;
	uint64_t step_ns; /* 0: no matrix */
	uint64_t top;	  /* 0: all */
	size_t inputs, done;
	struct pattern_list groups;
	struct side sides[SHARES_SIDES];
	struct shares shares;
	struct samples samples; /* of the capture being read */
	bool no_time;		/* a sample has none */
	struct wall wall;
	struct gap *gaps;
	size_t gap_count, gap_cap;
	struct answer answer;
	struct grid_part grid;
	struct grid_gap *grid_gaps;
	struct column columns[11]; /* a NULL name ends them */
};

#define AT(member) offsetof(struct abstime, member)

static const char *const bys[] = { "symbol", "dso", "comm", NULL };

static const struct option options[] = {
	{ "stat", 0, OPT_FILES, AT(time.o.stats), "FILE",
	  "CPU time from perf stat: text, -x, -j or a capture (one for each input)",
	  .one_of = "time" },
	{ "cpu-time", 0, OPT_QUANTITIES, AT(time.o.cpu_time), "LIST",
	  "CPU time of each input: 1.5,20ms or percent of the wall time: 5%,20%",
	  .units = 1 << QUANTITY_NS | 1 << QUANTITY_PERCENT, .unit = "s", .positive = true,
	  .one_of = "time", .wanted = "seconds, 20ms, or percent of the wall time" },
	{ "freq-ghz", 0, OPT_QUANTITIES, AT(time.o.freq_ghz), "LIST",
	  "CPU time from cycles at this frequency", .positive = true },
	{ "group", 0, OPT_PATTERNS, AT(groups), "NAME=REGEX",
	  "rows are groups: symbol, frame or dso matches (symbol: stack: dso: say which)",
	  .words = group_words },
	{ "by", 0, OPT_WORD, AT(by), NULL, "rows are the sampled functions, modules or commands",
	  .words = bys },
	{ "top", 0, OPT_COUNT, AT(top), "N", "only the N largest rows, the rest as Others",
	  .least = 1 },
	{ "step", 0, OPT_DURATION, AT(step_ns), "TIME",
	  "by time: a matrix with steps of 10ms, 1s ... (csv, svg)", .positive = true },
	{ "tod", 0, OPT_FLAG, AT(tod), NULL, "wall clock on the axis", .needs = "step" },
	{ "anchor", 0, OPT_ANCHOR, AT(anchor_ns), "SECONDS=ISO",
	  "the wall clock at a time of the capture", .needs = "tod", .given = AT(anchored) },
	{ .type = OPT_TABLE, .table = namer_option_rows, .offset = AT(names) },
	{ "event-filter", 0, OPT_TEXT, AT(event_filter), "EVENT",
	  "the event that counts (default: the first one that gives time)" },
	{ 0 },
};

/* ---- options ---- */

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct abstime *t = state;
	int rc;

	t->samples.wants = WANT_SQUARES;
	t->inputs = in->count;
	if (in->count > SHARES_SIDES) {
		warn_add(w, SEV_FATAL, "usage", "abstime takes one capture or two, not %zu",
			 in->count);
		return ERR_USAGE;
	}
	if (t->step_ns && in->count != 1) {
		warn_add(w, SEV_FATAL, "usage", "--step takes one capture");
		return ERR_USAGE;
	}
	rc = cpu_time_begin(&t->time, in->count, w);
	for (size_t i = 0; rc == 0 && i < t->groups.count; i++)
		(void)shares_name(&t->shares, t->groups.list[i].name,
				  strlen(t->groups.list[i].name));
	if (rc == 0 && t->groups.count)
		(void)shares_name(&t->shares, "Others", 6);
	t->shares.by_step = t->step_ns;
	return rc;
}

static void configure(void *state, struct asked *o)
{
	const struct abstime *t = state;

	namer_configure(&t->names, o);
	o->wants |= t->step_ns ? PDT_WANT_GAPS : 0;
}

/* ---- a capture ---- */

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct abstime *t = state;
	struct who who = share_who(e, s, t->step_ns ? e->time_ns / t->step_ns : 0);

	t->no_time |= !e->has_time;
	samples_add(&t->samples, samples_id(&t->samples, &who), e->stack, e->weight);
}

/* The event that counts: the one asked for, or the best that was seen. */
static const struct pdt_desc *choose_event(const struct abstime *t, const struct pdt_session *s)
{
	const struct pdt_desc *best = NULL;
	struct event_choice choice = { 0 };
	struct sample_sum sum;

	for (size_t at = 0; samples_next(&t->samples, &at, &sum);) {
		const struct pdt_desc *d = pdt_desc_at(s, samples_who(&t->samples, sum.who).desc);

		if (t->event_filter && !event_named(&choice, events_of(s), t->event_filter, d))
			continue;
		if (!best || cpu_time_rank(&t->time, d) < cpu_time_rank(&t->time, best))
			best = d;
	}
	event_choice_release(&choice);
	return best;
}

static int no_samples(const struct abstime *t, const struct pdt_session *s, struct warnings *w)
{
	struct buf have = { 0 };

	event_names(s, SIZE_MAX, &have);
	warn_add(w, SEV_FATAL, "no-samples", "%s: no samples%s%s%s; events: %s",
		 pdt_text(s, PDT_PATH), t->event_filter ? " of '" : "",
		 t->event_filter ? t->event_filter : "", t->event_filter ? "'" : "", have.data);
	buf_release(&have);
	return t->event_filter ? ERR_ABSENT : ERR_USAGE;
}

/* Samples of other events were not used: say so. */
static void say_others(const struct pdt_session *s, const struct pdt_desc *chosen,
		       struct warnings *w)
{
	const char *name = pdt_desc_name(chosen);
	struct buf others = { 0 };

	(void)other_events(s, name, &others);
	if (others.len)
		warn_add(w, SEV_NOTE, "other-events",
			 "counting %s; left out: %s (--event-filter chooses)", name, others.data);
	buf_release(&others);
}

static struct share_rule rule_of(const struct abstime *t)
{
	return (struct share_rule){
		.groups = &t->groups, .by = t->by, .names = &t->names, .side = (unsigned)t->done
	};
}

static int check_steps(struct abstime *t, const struct pdt_session *s, struct warnings *w)
{
	uint64_t first, columns;
	struct gap gap;

	if (t->no_time) {
		warn_add(w, SEV_FATAL, "no-times", "%s: --step needs samples with times",
			 pdt_text(s, PDT_PATH));
		return ERR_USAGE;
	}
	if (shares_columns(&t->shares, &first, &columns) < 0) {
		warn_add(w, SEV_FATAL, "step",
			 "--step: %" PRIu64 " steps for %zu names are too many; make them longer",
			 columns, t->shares.row_count);
		return ERR_USAGE;
	}
	while (pdt_gap(s, t->gap_count, gap.span_ns, &gap.cause)) {
		t->gaps = xgrow(t->gaps, &t->gap_cap, t->gap_count + 1, sizeof(*t->gaps));
		t->gaps[t->gap_count++] = gap;
	}
	return t->tod ? wall_of(&t->wall, s, t->anchored ? &t->anchor_ns : NULL, w) : 0;
}

/* One input is counted: what is its T? */
static int take_time(struct abstime *t, const char *path, const struct pdt_desc *d,
		     struct warnings *w)
{
	struct side *side = &t->sides[t->done];
	struct cpu_measured m = { path, d, t->shares.total[t->done] };
	int rc = cpu_time_of(&t->time, t->done, &m, &side->time, w);

	side->event = d ? xstrdup(pdt_desc_name(d)) : NULL;
	side->in_ns = d && cpu_time_in_ns(d);
	if (t->done && side->event && side[-1].event && strcmp(side->event, side[-1].event) != 0 &&
	    !(side->in_ns && side[-1].in_ns))
		warn_add(w, SEV_WARN, "events-differ",
			 "the shares of A are of %s, those of B of %s", side[-1].event,
			 side->event);
	t->done++;
	return rc;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct abstime *t = state;
	const struct pdt_desc *d = choose_event(t, s);
	struct share_rule rule;
	int rc = check_one_event(s, "event-filter", t->event_filter, w);

	if (rc < 0)
		return rc;
	answer_capture(&t->answer, s);
	if (!d)
		return no_samples(t, s, w);
	if (!t->event_filter)
		say_others(s, d, w);
	rule = rule_of(t);
	rule.desc = pdt_desc_index(d);
	shares_add_capture(&t->shares, &rule, &t->samples, s);
	if (t->samples.overflow)
		warn_add(w, SEV_WARN, "overflow", "sums above 2^64 - 1 were clipped");
	rc = take_time(t, pdt_text(s, PDT_PATH), d, w);
	if (rc == 0 && t->step_ns)
		rc = check_steps(t, s, w);
	samples_release(&t->samples);
	t->samples.wants = WANT_SQUARES;
	return rc;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct abstime *t = state;
	struct share_rule rule = rule_of(t);
	const char *lacks = t->step_ns				  ? "times, which --step needs"
			    : t->by == BY_DSO && !t->groups.count ? "modules, which --by dso needs"
								  : NULL;
	int rc;

	answer_folded(&t->answer, f);
	if (lacks) {
		warn_add(w, SEV_FATAL, "usage", "%s: folded text has no %s", folded_path(f), lacks);
		return ERR_USAGE;
	}
	t->sides[t->done].is_text = true;
	rc = shares_add_text(&t->shares, &rule, f, &t->sides[t->done].unit, w);
	return rc < 0 ? rc : take_time(t, folded_path(f), NULL, w);
}

/* ---- the result ---- */

/* The time of WEIGHT. */
static double percent_at(const struct abstime *t, unsigned side, uint64_t weight)
{
	return t->shares.total[side] ? t->sides[side].time.percent * (double)weight /
					       (double)t->shares.total[side]
				     : 0;
}

static uint64_t ns_of(const struct abstime *t, unsigned side, uint64_t weight)
{
	uint64_t total = t->shares.total[side];
	unsigned __int128 ns = (unsigned __int128)t->sides[side].time.ns * weight;

	return total ? (uint64_t)((ns + total / 2) / total) : 0;
}

static double value_of(const struct abstime *t, unsigned side, uint64_t weight)
{
	return t->time.in_percent ? percent_at(t, side, weight) : (double)ns_of(t, side, weight);
}

static double total_of(const struct abstime *t, unsigned side)
{
	return t->time.in_percent ? t->sides[side].time.percent : (double)t->sides[side].time.ns;
}

static struct ratio ratio_at(const struct abstime *t, uint32_t name)
{
	struct ratio_side side[SHARES_SIDES];

	for (unsigned i = 0; i < SHARES_SIDES; i++) {
		side[i] = shares_side(&t->shares, i, name);
		side[i].value = value_of(t, i, t->shares.rows[name].weight[i]);
	}
	return ratio_of(&side[0], &side[1]);
}

static void side_cells(struct abstime *t, unsigned side, uint32_t name)
{
	uint64_t weight = t->shares.rows[name].weight[side];
	uint64_t total = t->shares.total[side];

	if (t->time.in_percent)
		answer_cell_real(&t->answer, percent_at(t, side, weight));
	else
		answer_cell_count(&t->answer, ns_of(t, side, weight));
	answer_cell_real(&t->answer, percent_of((double)weight, (double)total));
}

static void change_cells(struct abstime *t, uint32_t name)
{
	const struct share_row *row = &t->shares.rows[name];
	double a = value_of(t, 0, row->weight[0]), b = value_of(t, 1, row->weight[1]);
	double all = total_of(t, 1) - total_of(t, 0);
	struct ratio r = ratio_at(t, name);

	answer_cell_real(&t->answer, r.ratio);
	answer_cell_real(&t->answer, r.low);
	answer_cell_real(&t->answer, r.high);
	if (t->time.in_percent)
		answer_cell_real(&t->answer, b - a);
	else
		answer_cell_delta(&t->answer, (int64_t)(ns_of(t, 1, row->weight[1]) -
							ns_of(t, 0, row->weight[0])));
	answer_cell_real(&t->answer,
			 all != 0 ? percent_of(all < 0 ? a - b : b - a, fabs(all)) : NAN);
}

/* As many digits as the narrowest interval is worth. */
static unsigned ratio_decimals(const struct abstime *t)
{
	double least = INFINITY;

	for (size_t i = 0; t->done > 1 && i < t->shares.order_count; i++) {
		struct ratio r = ratio_at(t, t->shares.order[i]);
		double width = (r.high - r.low) / r.ratio;

		if (width > 0 && width < least)
			least = width;
	}
	return least >= 0.1 ? 2 : least >= 0.01 ? 3 : 4;
}

static void columns(struct abstime *t)
{
	bool percent = t->time.in_percent;
	enum column_type amount = percent ? COLUMN_PERCENT : COLUMN_NS;
	enum column_type delta = percent ? COLUMN_PERCENT : COLUMN_DELTA_NS;
	unsigned decimals = ratio_decimals(t);
	struct column *c = t->columns;

	*c++ = (struct column){ "name", COLUMN_TEXT };
	*c++ = (struct column){ percent ? "abs_a_percent" : "abs_a_ns", amount, 4, "CPU time A" };
	*c++ = (struct column){ "share_a", COLUMN_PERCENT, 2, "Share A" };
	if (t->inputs == 1)
		return;
	*c++ = (struct column){ percent ? "abs_b_percent" : "abs_b_ns", amount, 4, "CPU time B" };
	*c++ = (struct column){ "share_b", COLUMN_PERCENT, 2, "Share B" };
	*c++ = (struct column){ "ratio", COLUMN_REAL, decimals, NULL };
	*c++ = (struct column){ "ratio_low", COLUMN_REAL, decimals, NULL };
	*c++ = (struct column){ "ratio_high", COLUMN_REAL, decimals, NULL };
	*c++ = (struct column){ percent ? "delta_percent" : "delta_ns", delta, 4, NULL };
	*c++ = (struct column){ "contribution", COLUMN_PERCENT, 1, NULL };
}

static void period_fact(struct abstime *t, unsigned side, const char *name)
{
	const struct side *s = &t->sides[side];
	uint64_t sum = t->shares.total[side];
	const char *unit = unit_name(&s->unit);

	if (s->is_text)
		answer_fact(&t->answer, name, "%s%s%s",
			    REAL_TEXT(unit && !strcmp(unit, "ns"), s->unit.weight),
			    unit && strcmp(unit, "ns") != 0 ? " " : "",
			    unit && strcmp(unit, "ns") != 0 ? unit : "");
	else if (s->in_ns && !t->time.in_percent)
		answer_fact(&t->answer, name, "%s of %s, %s of the CPU time", NS_TEXT(sum),
			    s->event, SHARE_TEXT(sum, s->time.ns));
	else
		answer_fact(&t->answer, name, "%s %s%s",
			    AMOUNT(s->in_ns ? COLUMN_NS : COLUMN_COUNT, sum), s->in_ns ? "of " : "",
			    s->event);
}

static void side_facts(struct abstime *t, unsigned side)
{
	static const char *const names[3][3] = {
		{ "CPU time", "sum of periods", "effective samples" },
		{ "CPU time A", "sum of periods A", "effective samples A" },
		{ "CPU time B", "sum of periods B", "effective samples B" },
	};
	static const struct weight_part_names parts[3] = { { "unresolved", "apart" },
							   { "unresolved A", "apart A" },
							   { "unresolved B", "apart B" } };
	const char *const *name = names[t->inputs == 1 ? 0 : side + 1];
	const struct cpu_total *time = &t->sides[side].time;

	if (t->time.in_percent)
		answer_fact(&t->answer, name[0], "%s of the wall time, from %s",
			    PERCENT_TEXT(time->percent), time->source);
	else
		answer_fact(&t->answer, name[0], "%s, from %s", NS_TEXT(time->ns), time->source);
	period_fact(t, side, name[1]);
	if (t->shares.squares[side] > 0)
		answer_fact(&t->answer, name[2], "%s",
			    COUNT_TEXT((uint64_t)round(effective_samples(
				    (double)t->shares.total[side], t->shares.squares[side]))));
	else
		answer_fact(&t->answer, name[2],
			    "not known: the text does not state what a sample weighs");
	if (t->sides[side].event)
		answer_parts(&t->answer, &parts[t->inputs == 1 ? 0 : side + 1], NULL,
			     (struct weight_parts){ t->shares.total[side], t->shares.unnamed[side],
						    t->shares.apart[side] });
}

static void facts(struct abstime *t)
{
	for (unsigned side = 0; side < t->inputs; side++)
		side_facts(t, side);
	answer_fact(&t->answer, "unit", "%s; shares and contributions in percent",
		    t->time.in_percent ? "percent of the wall time" : "ns of CPU time");
	if (t->inputs == 2)
		answer_fact(&t->answer, "ratio",
			    "B to A with its 95 %% interval, from the effective samples; the CPU "
			    "times are taken as exact");
}

/* Gaps that lie on the axis, cut to it. */
static void grid_gaps(struct abstime *t)
{
	static const char *const causes[] = {
		[PDT_GAP_THROTTLED] = "throttled", [PDT_GAP_LOST] = "lost"
	};
	struct grid_part *g = &t->grid;
	uint64_t end = g->x_first + g->columns * g->x_step;
	size_t n = 0;

	t->grid_gaps = xcalloc(t->gap_count + 1, sizeof(*t->grid_gaps));
	for (size_t i = 0; i < t->gap_count; i++) {
		const struct gap *from = &t->gaps[i];
		struct grid_gap *to = &t->grid_gaps[n];

		if (from->span_ns[1] <= g->x_first || from->span_ns[0] >= end)
			continue;
		to->start = from->span_ns[0] > g->x_first ? from->span_ns[0] : g->x_first;
		to->end = from->span_ns[1] < end ? from->span_ns[1] : end;
		to->cause = causes[from->cause];
		n++;
	}
	g->gaps = t->grid_gaps;
	g->gap_count = n;
}

/* The axis is ns since 1970, so that its zero is the wall clock's. */
static void set_wall(struct abstime *t)
{
	struct grid_part *g = &t->grid;

	g->x.name = "wall_ns";
	g->has_wall = true;
	g->wall_is_exact = t->wall.exact;
	g->x_first += (uint64_t)t->wall.offset_ns;
	for (size_t i = 0; i < g->gap_count; i++) {
		t->grid_gaps[i].start += (uint64_t)t->wall.offset_ns;
		t->grid_gaps[i].end += (uint64_t)t->wall.offset_ns;
	}
	answer_fact(&t->answer, "wall clock", "%s", t->wall.source);
}

/* Gaps one by one, as long as there are few, and what they come to. */
static void gap_facts(struct abstime *t)
{
	const struct grid_part *g = &t->grid;
	uint64_t ns[2] = { 0 };

	for (size_t i = 0; i < t->gap_count; i++)
		ns[t->gaps[i].cause] += t->gaps[i].span_ns[1] - t->gaps[i].span_ns[0];
	answer_fact(&t->answer, "gaps", "throttled %s, lost %s", NS_TEXT(ns[PDT_GAP_THROTTLED]),
		    NS_TEXT(ns[PDT_GAP_LOST]));
	for (size_t i = 0; i < g->gap_count && i < GAPS_SAID; i++)
		answer_fact(&t->answer, "gap", "%s, %s to %s", g->gaps[i].cause,
			    TIME_TEXT(g->gaps[i].start), TIME_TEXT(g->gaps[i].end));
	if (g->gap_count > GAPS_SAID)
		answer_fact(&t->answer, "gap", "and %zu more", g->gap_count - GAPS_SAID);
}

static void result_grid(struct abstime *t, struct result *out)
{
	const char *cells = t->sides[0].in_ns ? "cpu_ns" : t->sides[0].event;

	shares_grid(&t->shares, &t->answer, t->step_ns, &t->grid);
	t->grid.x = (struct column){ "time_ns", COLUMN_TIME_NS };
	t->grid.y = (struct column){ "name", COLUMN_TEXT };
	t->grid.cell = (struct column){ answer_string(&t->answer, cells),
					t->sides[0].in_ns ? COLUMN_NS : COLUMN_COUNT, 0,
					t->sides[0].in_ns ? "CPU time" : NULL };
	grid_gaps(t);
	if (t->tod)
		set_wall(t);
	gap_facts(t);
	t->grid.stacked = true;
	out->grid = &t->grid;
}

static void result(void *state, struct result *out)
{
	struct abstime *t = state;

	shares_order(&t->shares, t->groups.count && !t->step_ns, t->top);
	facts(t);
	out->title = "CPU time";
	out->count_name = t->time.in_percent ? "percent" : "ns";
	if (t->step_ns)
		result_grid(t, out);
	columns(t);
	for (size_t i = 0; !t->step_ns && i < t->shares.order_count; i++) {
		uint32_t name = t->shares.order[i];

		answer_cell_text(&t->answer, intern_str(&t->shares.names, name));
		for (unsigned side = 0; side < t->inputs; side++)
			side_cells(t, side, name);
		if (t->inputs == 2)
			change_cells(t, name);
	}
	answer_result(&t->answer, t->step_ns ? NULL : t->columns, out);
	t->answer.table.bar_column = 1;
}

static void release(void *state)
{
	struct abstime *t = state;

	for (size_t i = 0; i < SHARES_SIDES; i++) {
		free(t->sides[i].time.source);
		free(t->sides[i].event);
	}
	shares_release(&t->shares);
	samples_release(&t->samples);
	free(t->gaps);
	free(t->grid_gaps);
	answer_release(&t->answer);
}

const struct analyzer analyzer_abstime = {
	.name = "abstime",
	.summary = "absolute CPU time by symbol or group, of one capture or two, or step by step",
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE | SHAPE_GRID,
	.judges = true,
	.usage = { "FILE [FILE]" },
	.options = options,
	.state_size = sizeof(struct abstime),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
