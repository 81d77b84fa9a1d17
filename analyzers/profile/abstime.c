/* Absolute CPU time by name: T, the CPU time of a capture, times the share of its samples. One
 * capture, or two sides of one or several to compare; or the time of one, step by step. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/profile/abs_change.h"
#include "analyzers/profile/cputime/cpu_time.h"
#include "analyzers/profile/diff/match_name.h"
#include "analyzers/profile/groups.h"
#include "analyzers/profile/shares.h"
#include "analyzers/profile/shares_read.h"
#include "analyzers/profile/cputime/wall.h"
#include "analyzers/profile/noise/sides.h"
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

struct capture {
	bool after;
	struct cpu_total time;
	char *event; /* NULL: folded text */
	bool in_ns;  /* its periods are ns of CPU time */
	bool is_text;
	bool is_told;	  /* folded text that pdtool wrote */
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
	enum { MATCH_USUAL, MATCH_EXACT, MATCH_NORMALIZED } match;
	bool in_reals; /* the times are too large for ns in 64 bits, or have fractions of ns */
	const char *event_filter;
	int64_t anchor_ns; /* wall clock less the capture's */
	bool tod, anchored;
	enum share_by by;
	uint64_t step_ns; /* 0: no matrix */
	uint64_t top;	  /* 0: all */
	size_t inputs, done;
	struct sides sides;
	size_t side_count[2]; /* captures; one alone is before */
	struct pattern_list groups;
	struct capture *captures;
	struct shares shares;
	struct shares functions; /* for the noise, where there is something to compare */
	struct noise noise;
	struct samples samples;	   /* of the capture being read */
	bool knows_noise, no_time; /* a sample has none */
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

static const char *const match_words[] = { "", "exact", "normalized", NULL };

static const struct option options[] = {
	{ .type = OPT_TABLE, .table = sides_options, .offset = AT(sides) },
	{ "stat", 0, OPT_FILES, AT(time.o.stats), "FILE",
	  "CPU time from perf stat: text, -x, -j or a capture (one for each input)",
	  .one_of = "time" },
	{ "cpu-time", 0, OPT_QUANTITIES, AT(time.o.cpu_time), "LIST",
	  "CPU time of each input: 1.5,20ms or percent of the wall time: 5%,20%",
	  .units = 1 << QUANTITY_NS | 1 << QUANTITY_PERCENT, .unit = "s", .positive = true,
	  .one_of = "time", .wanted = "seconds, 20ms, or percent of the wall time" },
	{ "force", 'f', OPT_FLAG, AT(time.o.force), NULL,
	  "take a --stat file of another command, duration or scope" },
	{ "freq-ghz", 0, OPT_QUANTITIES, AT(time.o.freq_ghz), "LIST",
	  "CPU time from cycles at this frequency", .positive = true },
	{ "per", 0, OPT_QUANTITIES, AT(time.o.per), "LIST",
	  "cost per operation: how many requests, transactions ... each input did",
	  .positive = true, .one_of = "per" },
	{ "per-event", 0, OPT_TEXT, AT(time.o.per_event), "EVENT",
	  "cost per count of this event in the --stat files", .one_of = "per", .needs = "stat" },
	{ "match", 0, OPT_WORD, AT(match), NULL,
	  "which names are the same function (default: normalized; exact for folded text)",
	  .words = match_words },
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
	  "the event that counts (default: the first one that gives time)", .choices = "events" },
	{ 0 },
};

/* ---- options ---- */

/* Which side an input is on: A, A B, or all by --before and --after. */
static int take_sides(struct abstime *t, const struct inputs *in, struct warnings *w)
{
	t->captures = xcalloc(in->count + 1, sizeof(*t->captures));
	for (size_t i = 0; i < in->count; i++) {
		t->captures[i].after = sides_is_after(in, i);
		t->side_count[t->captures[i].after]++;
	}
	if (sides_complete(&t->sides, in, 0, 2))
		return 0;
	warn_add(w, SEV_FATAL, "usage",
		 "expected one capture or two, or --before FILE... --after FILE...");
	return ERR_USAGE;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct abstime *t = state;
	int rc = take_sides(t, in, w);

	t->samples.wants = WANT_SQUARES;
	t->inputs = in->count;
	shares_init(&t->shares, in->count);
	shares_init(&t->functions, in->count);
	if (rc < 0)
		return rc;
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
	struct abstime *t = state;

	samples_follow(&t->samples, o);
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
	return ERR_ABSENT;
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

static struct share_rule rule_of(struct abstime *t)
{
	return (struct share_rule){ .groups = &t->groups,
				    .by = t->by,
				    .names = &t->names,
				    .capture = t->done,
				    .functions = t->inputs > 1 ? &t->functions : NULL };
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

static bool is_clock_name(const char *event)
{
	return !strncmp(event, "task-clock", 10) || !strncmp(event, "cpu-clock", 9);
}

/* One input is counted: what is its T? */
static int take_time(struct abstime *t, const struct pdt_session *s, const char *path,
		     const struct pdt_desc *d, struct warnings *w)
{
	struct capture *c = &t->captures[t->done], *first = &t->captures[0];
	const struct share_total *all = &t->shares.totals[t->done];
	const char *unit = unit_name(&c->unit);
	struct cpu_measured m = { .path = path,
				  .event = d,
				  .weight = all->weight,
				  .samples = effective_samples(all),
				  .in_ns = d && cpu_time_in_ns(d),
				  .session = s };
	int rc;

	c->event = d ? xstrdup(pdt_desc_name(d)) : NULL;
	c->in_ns = m.in_ns;
	if (c->is_text) {
		m.text_event = c->unit.event;
		m.in_ns = unit && !strcmp(unit, "ns") && is_clock_name(c->unit.event);
	}
	rc = cpu_time_of(&t->time, t->done, &m, &c->time, w);
	if (t->done && c->event && first->event && strcmp(c->event, first->event) != 0 &&
	    !(c->in_ns && first->in_ns))
		warn_add(w, SEV_WARN, "events-differ",
			 "the shares of %s are of %s, those before of %s", path, c->event,
			 first->event);
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
	answer_held(&t->answer, t->samples.overflow);
	rc = take_time(t, s, pdt_text(s, PDT_PATH), d, w);
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
	t->captures[t->done].is_text = true;
	rc = shares_add_text(&t->shares, &rule, f, &t->captures[t->done].unit, w);
	t->captures[t->done].is_told = folded_unit(f) != NULL;
	return rc < 0 ? rc : take_time(t, NULL, folded_path(f), NULL, w);
}

/* ---- what the values of a row are ---- */

/* The time of WEIGHT in capture C. */
static double percent_at(const struct abstime *t, size_t c, uint64_t weight)
{
	uint64_t total = t->shares.totals[c].weight;

	return total ? t->captures[c].time.percent * (double)weight / (double)total : 0;
}

static uint64_t ns_of(const struct abstime *t, size_t c, uint64_t weight)
{
	uint64_t total = t->shares.totals[c].weight;
	unsigned __int128 ns = (unsigned __int128)t->captures[c].time.ns * weight;

	return total ? (uint64_t)((ns + total / 2) / total) : 0;
}

/* The same as a number of any size, of one operation. */
static double real_at(const struct abstime *t, size_t c, uint64_t weight)
{
	const struct cpu_total *time = &t->captures[c].time;
	double total = (double)t->shares.totals[c].weight;

	if (t->time.in_percent)
		return percent_at(t, c, weight);
	return total > 0 ? time->exact_ns * (double)weight / total / time->operations : 0;
}

/* One row, or all: a run of one side costs that much, as a mean over its captures. */
struct cost {
	uint64_t ns;  /* where they are whole */
	double value; /* in ns, of one operation, or in percent */
};

static struct cost mean_cost(const struct abstime *t, bool after, const uint32_t *name)
{
	unsigned __int128 ns = 0;
	size_t n = t->side_count[after];
	struct cost mean = { 0 };

	for (size_t c = 0; c < t->inputs; c++) {
		const struct share_total *all = &t->shares.totals[c];
		uint64_t weight = name ? shares_weight(&t->shares, c, *name) : all->weight;

		if (t->captures[c].after != after)
			continue;
		ns += ns_of(t, c, weight);
		mean.value += real_at(t, c, weight) / (double)n;
	}
	mean.ns = n ? (uint64_t)((ns + n / 2) / n) : 0;
	if (!t->in_reals)
		mean.value = (double)mean.ns;
	return mean;
}

/* Percent of the side's T that a row of COST is. */
static double share_of(const struct abstime *t, bool after, uint32_t name, const struct cost *cost)
{
	if (t->side_count[after] == 1)
		return percent_of((double)shares_weight(&t->shares, after, name),
				  (double)t->shares.totals[after].weight);
	return percent_of(cost->value, mean_cost(t, after, NULL).value);
}

static struct ratio ratio_at(const struct abstime *t, uint32_t name)
{
	double time[2] = { mean_cost(t, false, &name).value, mean_cost(t, true, &name).value };
	const struct interned *text = &t->shares.names.list[name];
	bool is_function = t->by == BY_SYMBOL && !t->groups.count;
	uint32_t at =
		is_function ? intern_find(&t->functions.names, text->s, text->len) : INTERN_NONE;

	return abs_ratio(t->knows_noise ? &t->noise : NULL, &t->shares, name,
			 at == INTERN_NONE ? SIZE_MAX : at, time);
}

/* Not a whole number of ns, or a difference of two would not fit. */
static bool is_real(const struct cpu_total *time)
{
	double ns = time->exact_ns;

	return ns > 9.2e18 || fabs(ns - round(ns)) > 1e-6 * ns;
}

/* One name for the same function in different builds. */
static void match_names(struct abstime *t)
{
	bool exact = t->match == MATCH_EXACT;
	bool text = !t->match;

	for (size_t c = 0; c < t->inputs; c++)
		text &= t->captures[c].is_text && !t->captures[c].is_told;
	if (exact || text)
		return;
	shares_rename(&t->functions, match_name);
	if (t->by == BY_SYMBOL && !t->groups.count)
		shares_rename(&t->shares, match_name);
}

static int complete(void *state, struct warnings *w)
{
	struct abstime *t = state;
	struct noise_asked asked = sides_noise(&t->sides, 0);
	struct abs_run *runs;

	(void)w;
	t->in_reals = t->time.in_percent || t->time.per_operation;
	for (size_t c = 0; c < t->inputs; c++)
		t->in_reals |= is_real(&t->captures[c].time);
	if (t->inputs < 2)
		return 0;
	match_names(t);
	runs = xcalloc(t->inputs, sizeof(*runs));
	for (size_t c = 0; c < t->inputs; c++) {
		const struct cpu_total *time = &t->captures[c].time;

		runs[c] = (struct abs_run){ .after = t->captures[c].after,
					    .time = t->time.in_percent
							    ? time->percent
							    : time->exact_ns / time->operations,
					    .error = time->error,
					    .time_df = time->error_df };
	}
	t->knows_noise = abs_noise(&t->noise, &t->functions, runs, &asked);
	free(runs);
	return 0;
}

/* ---- the result ---- */

static void side_cells(struct abstime *t, bool after, uint32_t name)
{
	struct cost cost = mean_cost(t, after, &name);

	if (t->in_reals)
		answer_cell_real(&t->answer, cost.value);
	else
		answer_cell_count(&t->answer, cost.ns);
	answer_cell_real(&t->answer, share_of(t, after, name, &cost));
}

static void change_cells(struct abstime *t, uint32_t name)
{
	struct cost a = mean_cost(t, false, &name), b = mean_cost(t, true, &name);
	double all = mean_cost(t, true, NULL).value - mean_cost(t, false, NULL).value;
	double delta = b.value - a.value;
	struct ratio r = ratio_at(t, name);

	answer_cell_real(&t->answer, r.ratio);
	answer_cell_real(&t->answer, r.low);
	answer_cell_real(&t->answer, r.high);
	if (t->in_reals)
		answer_cell_real(&t->answer, delta);
	else
		answer_cell_delta(&t->answer, (int64_t)(b.ns - a.ns));
	answer_cell_real(&t->answer,
			 all != 0 ? percent_of(all < 0 ? -delta : delta, fabs(all)) : NAN);
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

/* Of one side alone, of the side before, of the side after. */
static const char *const cost_labels[2][3] = {
	{ "CPU time", "CPU time before", "CPU time after" },
	{ "CPU time per operation", "CPU time per operation before",
	  "CPU time per operation after" },
};

static void columns(struct abstime *t)
{
	bool percent = t->time.in_percent;
	bool per = t->time.per_operation;
	enum column_type amount = percent	? COLUMN_PERCENT
				  : t->in_reals ? COLUMN_REAL_NS
						: COLUMN_NS;
	enum column_type delta = t->in_reals ? amount : COLUMN_DELTA_NS;
	unsigned decimals = ratio_decimals(t);
	struct column *c = t->columns;

	*c++ = (struct column){ "name", COLUMN_TEXT };
	*c++ = (struct column){ percent ? "abs_a_percent"
				: per	? "abs_a_ns_per_op"
					: "abs_a_ns",
				amount, 4, cost_labels[per][t->inputs > 1 ? 1 : 0] };
	*c++ = (struct column){ "share_a", COLUMN_PERCENT, 2,
				t->inputs > 1 ? "Share before" : "Share" };
	if (t->inputs == 1)
		return;
	*c++ = (struct column){ percent ? "abs_b_percent"
				: per	? "abs_b_ns_per_op"
					: "abs_b_ns",
				amount, 4, cost_labels[per][2] };
	*c++ = (struct column){ "share_b", COLUMN_PERCENT, 2, "Share after" };
	*c++ = (struct column){ "ratio", COLUMN_REAL, decimals, NULL };
	*c++ = (struct column){ "ratio_low", COLUMN_REAL, decimals, NULL };
	*c++ = (struct column){ "ratio_high", COLUMN_REAL, decimals, NULL };
	*c++ = (struct column){ percent ? "delta_percent"
				: per	? "delta_ns_per_op"
					: "delta_ns",
				delta, 4, per ? "Delta per operation" : NULL };
	*c++ = (struct column){ "contribution", COLUMN_PERCENT, 1, NULL };
}

#define DELTA_COLUMN 8
/* Of two sides people read the change first. */
static const uint8_t summary[] = { 0, DELTA_COLUMN, 9, 5, 6, 7, 1, 3, 2, 4 };

static void period_fact(struct abstime *t, size_t c, const char *name)
{
	const struct capture *k = &t->captures[c];
	uint64_t sum = answer_sum(&t->answer, t->shares.totals[c].weight);
	const char *unit = unit_name(&k->unit);

	if (k->is_text)
		answer_fact(&t->answer, name, "%s%s%s",
			    REAL_TEXT(unit && !strcmp(unit, "ns"), k->unit.weight),
			    unit && strcmp(unit, "ns") != 0 ? " " : "",
			    unit && strcmp(unit, "ns") != 0 ? unit : "");
	else if (k->in_ns && !t->time.in_percent)
		answer_fact(&t->answer, name, "%s of %s, %s of the CPU time", NS_TEXT(sum),
			    k->event, PERCENT_TEXT(percent_of((double)sum, k->time.exact_ns)));
	else
		answer_fact(&t->answer, name, "%s %s%s",
			    AMOUNT(k->in_ns ? COLUMN_NS : COLUMN_COUNT, sum), k->in_ns ? "of " : "",
			    k->event);
}

/* As ns where they are whole. */
#define time_text(t) (is_real(t) ? REAL_TEXT(true, (t)->exact_ns) : NS_TEXT((t)->ns))

static void capture_facts(struct abstime *t, size_t c)
{
	static const char *const names[3][4] = {
		{ "CPU time", "sum of periods", "effective samples", "operations" },
		{ "CPU time A", "sum of periods A", "effective samples A", "operations A" },
		{ "CPU time B", "sum of periods B", "effective samples B", "operations B" },
	};
	static const struct weight_part_names parts[3] = { { "unresolved", "apart" },
							   { "unresolved A", "apart A" },
							   { "unresolved B", "apart B" } };
	size_t side = t->inputs == 1 ? 0 : t->captures[c].after + 1;
	const char *const *name = names[side];
	const struct share_total *all = &t->shares.totals[c];
	const struct cpu_total *time = &t->captures[c].time;

	if (t->time.in_percent)
		answer_fact(&t->answer, name[0], "%s of the wall time, from %s",
			    PERCENT_TEXT(time->percent), time->source);
	else
		answer_fact(&t->answer, name[0], "%s, from %s", time_text(time), time->source);
	answer_leads(&t->answer);
	(void)answer_sum(&t->answer, time->ns);
	if (t->time.per_operation)
		answer_fact(&t->answer, name[3], "%s%s%s", REAL_TEXT(false, time->operations),
			    t->time.o.per_event ? " of " : "", t->time.o.per_event ?: "");
	period_fact(t, c, name[1]);
	if (all->squares > 0)
		answer_fact(&t->answer, name[2], "%s",
			    COUNT_TEXT((uint64_t)round(effective_samples(all))));
	else
		answer_fact(&t->answer, name[2],
			    "not known: the text does not state what a sample weighs");
	if (t->captures[c].event)
		answer_parts(&t->answer, &parts[side], NULL,
			     (struct weight_parts){ all->weight, all->unnamed, all->apart });
}

static const char *cost_text(const struct abstime *t, const struct cost *c, char text[AMOUNT_MAX])
{
	if (t->time.in_percent)
		return amount_percent(text, c->value);
	return t->in_reals ? amount_real(text, true, c->value) : amount_of(text, COLUMN_NS, c->ns);
}

static void mean_fact(struct abstime *t, bool after)
{
	struct cost mean = mean_cost(t, after, NULL);

	if (t->side_count[after] > 1)
		answer_fact(&t->answer, after ? "mean B" : "mean A", "%s a run, of %zu captures",
			    cost_text(t, &mean, (char[AMOUNT_MAX]){ 0 }), t->side_count[after]);
}

static void facts(struct abstime *t)
{
	for (size_t c = 0; c < t->inputs; c++)
		capture_facts(t, c);
	mean_fact(t, false);
	mean_fact(t, true);
	answer_fact(&t->answer, "unit", "%s; shares and contributions in percent",
		    t->time.in_percent	    ? "percent of the wall time"
		    : t->time.per_operation ? "ns of CPU time for an operation"
					    : "ns of CPU time");
	if (t->inputs > 1)
		abs_noise_facts(&t->answer, t->knows_noise ? &t->noise : NULL,
				t->sides.has_between_runs);
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
	answer_warns_if(&t->answer, g->gap_count);
	for (size_t i = 0; i < g->gap_count && i < GAPS_SAID; i++)
		answer_fact(&t->answer, "gap", "%s, %s to %s", g->gaps[i].cause,
			    TIME_TEXT(g->gaps[i].start), TIME_TEXT(g->gaps[i].end));
	if (g->gap_count > GAPS_SAID)
		answer_fact(&t->answer, "gap", "and %zu more", g->gap_count - GAPS_SAID);
}

static void result_grid(struct abstime *t, struct result *out)
{
	const char *cells = t->captures[0].in_ns ? "cpu_ns" : t->captures[0].event;

	shares_grid(&t->shares, &t->answer, t->step_ns, &t->grid);
	t->grid.x = (struct column){ "time_ns", COLUMN_TIME_NS };
	t->grid.y = (struct column){ "name", COLUMN_TEXT };
	t->grid.cell = (struct column){ answer_string(&t->answer, cells),
					t->captures[0].in_ns ? COLUMN_NS : COLUMN_COUNT, 0,
					t->captures[0].in_ns ? "CPU time" : NULL };
	grid_gaps(t);
	if (t->tod)
		set_wall(t);
	gap_facts(t);
	t->grid.stacked = true;
	out->grid = &t->grid;
}

/* As columns() makes them. */
static const struct table_sides sides = { 1, 3, .ratio = 5, .low = 6, .high = 7 };

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
		side_cells(t, false, name);
		if (t->inputs == 1)
			continue;
		side_cells(t, true, name);
		change_cells(t, name);
	}
	answer_result(&t->answer, t->step_ns ? NULL : t->columns, out);
	t->answer.table.bar_column = 1;
	t->answer.table.sides = t->inputs > 1 && !t->step_ns ? &sides : NULL;
	t->answer.table.weight_column = 1 + (t->inputs > 1 ? DELTA_COLUMN : 1);
	t->answer.table.summary_columns = t->inputs > 1 ? ARRAY_SIZE(summary) : 0;
	t->answer.table.summary = t->inputs > 1 ? summary : NULL;
}

static void release(void *state)
{
	struct abstime *t = state;

	for (size_t i = 0; t->captures && i < t->inputs; i++) {
		free(t->captures[i].time.source);
		free(t->captures[i].event);
	}
	free(t->captures);
	shares_release(&t->shares);
	shares_release(&t->functions);
	noise_release(&t->noise);
	samples_release(&t->samples);
	free(t->gaps);
	free(t->grid_gaps);
	answer_release(&t->answer);
}

const struct analyzer analyzer_abstime = {
	.name = "abstime",
	.summary = "absolute CPU time by symbol or group, of one capture or two sides, or by step",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE | SHAPE_GRID,
	.usage = { "FILE [FILE]", "--before FILE... --after FILE..." },
	.options = options,
	.state_size = sizeof(struct abstime),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.complete = complete,
	.result = result,
	.release = release,
};
