/* The flat table: self and inclusive weight by function, module, thread ..., or the callers or
 * callees of one function. */
#include "analyzers/count/answer.h"
#include "analyzers/count/folding.h"
#include "analyzers/count/rows.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_COLUMNS 5

struct report {
	/* the options */
	struct word_list sort;
	enum row_key group;
	bool has_group, children, no_children;
	const char *callers, *callees;
	double limit; /* percent */
	enum { ABSOLUTE, RELATIVE } percentage;
	enum fold_weight weight;
	struct rows rows;
	struct folding folding; /* collects folded text */
	struct answer answer;
	struct column columns[VALUE_COLUMNS + ROW_KEYS + 1];
	enum row_key shown[ROW_KEYS]; /* the keys that are columns */
	size_t shown_count;
	size_t left_out;
	bool reads_text;
};

#define R(member) offsetof(struct report, member)

static const char *const key_words[] = { [KEY_EVENT] = "event",
					 [KEY_COMM] = "comm",
					 [KEY_PID] = "pid",
					 [KEY_TID] = "tid",
					 [KEY_CPU] = "cpu",
					 [KEY_TIME] = "time",
					 [KEY_DSO] = "dso",
					 [KEY_SYM] = "sym|symbol",
					 [KEY_SRCFILE] = "srcfile",
					 [KEY_SRCLINE] = "srcline",
					 NULL };
static const char *const percentages[] = { "absolute", "relative", NULL };

static const struct option options[] = {
	{ "sort", 's', OPT_WORDS, R(sort), "KEYS",
	  "a row for each of these keys (default: comm,dso,sym)", .words = key_words },
	{ "group", 0, OPT_WORD, R(group), "KEY",
	  "a row for each KEY; with --sort, its rows below it", .words = key_words,
	  .given = R(has_group) },
	{ "children", 0, OPT_FLAG, R(children), NULL,
	  "order by inclusive weight (default where there are call chains)", .one_of = "order" },
	{ "no-children", 0, OPT_FLAG, R(no_children), NULL,
	  "order by self weight, without functions that only called", .one_of = "order" },
	{ "callers", 0, OPT_TEXT, R(callers), "SYM", "what called SYM, by weight",
	  .one_of = "view" },
	{ "callees", 0, OPT_TEXT, R(callees), "SYM", "what SYM called, by weight",
	  .one_of = "view" },
	{ "percent-limit", 0, OPT_PERCENT, R(limit), "P", "leave out rows below P percent",
	  .most = 100 },
	{ "percentage", 0, OPT_WORD, R(percentage), NULL, "of all, or of what passed the filters",
	  .words = percentages },
	{ "time-quantum", 0, OPT_DURATION, R(rows.o.quantum_ns), "DURATION",
	  "step of the key time: 1s, 50us", .initial = "100ms", .positive = true },
	{ "weight", 0, OPT_WORD, R(weight), NULL, "what a sample counts for",
	  .words = fold_weights },
	{ .type = OPT_TABLE, .table = namer_option_rows, .offset = R(rows.o.names) },
	{ 0 },
};

/* ---- options ---- */

static const struct {
	const char *column; /* unit last */
	enum column_type type;
} keys[ROW_KEYS] = {
	[KEY_EVENT] = { "event", COLUMN_TEXT },	    [KEY_COMM] = { "comm", COLUMN_TEXT },
	[KEY_PID] = { "pid", COLUMN_ID },	    [KEY_TID] = { "tid", COLUMN_ID },
	[KEY_CPU] = { "cpu", COLUMN_ID },	    [KEY_TIME] = { "time_ns", COLUMN_TIME_NS },
	[KEY_DSO] = { "dso", COLUMN_TEXT },	    [KEY_SYM] = { "sym", COLUMN_TEXT },
	[KEY_SRCFILE] = { "srcfile", COLUMN_TEXT }, [KEY_SRCLINE] = { "srcline", COLUMN_TEXT },
};

/* Once is enough, wherever it stands. */
static void add_key(struct rows_options *o, enum row_key key)
{
	for (size_t i = 0; i < o->key_count; i++) {
		if (o->keys[i] == key)
			return;
	}
	o->keys[o->key_count++] = key;
}

static void take_keys(struct report *r)
{
	struct rows_options *o = &r->rows.o;

	if (r->has_group)
		add_key(o, r->group);
	for (size_t i = 0; i < r->sort.count; i++)
		add_key(o, r->sort.list[i]);
	o->grouped = r->has_group && o->key_count > 1;
	if (!o->key_count && o->view == VIEW_FLAT)
		add_key(o, KEY_COMM);
	if (!r->has_group && !r->sort.count) {
		add_key(o, KEY_DSO);
		add_key(o, KEY_SYM);
	}
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct report *r = state;
	struct rows_options *o = &r->rows.o;

	o->view = r->callers ? VIEW_CALLERS : r->callees ? VIEW_CALLEES : VIEW_FLAT;
	o->symbol = r->callers ? r->callers : r->callees;
	o->by_samples = r->weight == FOLD_SAMPLES;
	take_keys(r);
	rows_begin(&r->rows);
	return folding_begin(&r->folding, w);
}

/* ---- inputs ---- */

static void configure(void *state, struct asked *o)
{
	const struct report *r = state;
	unsigned source = KEY_BIT(KEY_SRCFILE) | KEY_BIT(KEY_SRCLINE);

	namer_configure(&r->rows.o.names, o);
	o->wants |= r->rows.key_bits & source ? PDT_WANT_LINES : 0;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct report *r = state;

	rows_sample(&r->rows, e, s);
}

static int refuse_mix(struct warnings *w)
{
	warn_add(w, SEV_FATAL, "mixed-inputs",
		 "captures and folded text cannot be combined: the text does not state its unit");
	return ERR_USAGE;
}

static void warn_absent(const struct report *r, const char *path, struct warnings *w)
{
	warn_add(w, SEV_NOTE, "no-symbol", "%s: no stack has '%s'", path, r->rows.o.symbol);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct report *r = state;

	if (r->reads_text)
		return refuse_mix(w);
	answer_capture(&r->answer, s);
	r->rows.found = false;
	rows_finish(&r->rows, s);
	if (r->rows.o.symbol && !r->rows.found)
		warn_absent(r, pdt_text(s, PDT_PATH), w);
	return 0;
}

/* Folded text knows frames only. */
static int check_text(struct report *r, const struct folded *f, struct warnings *w)
{
	struct rows_options *o = &r->rows.o;

	if (r->rows.event_count)
		return refuse_mix(w);
	if (folded_columns(f) == 2) {
		warn_add(w, SEV_FATAL, "two-columns", "%s: has two columns, before and after",
			 folded_path(f));
		return ERR_USAGE;
	}
	if (!r->sort.count && !r->has_group)
		rows_only(&r->rows, KEY_SYM);
	for (size_t i = 0; i < o->key_count; i++) {
		if (o->keys[i] == KEY_COMM || o->keys[i] == KEY_SYM)
			continue;
		warn_add(w, SEV_FATAL, "no-key",
			 "%s: folded text has no %s; its keys are comm and sym", folded_path(f),
			 key_words[o->keys[i]]);
		return ERR_USAGE;
	}
	return 0;
}

static bool text_has(const struct report *r, const char *name)
{
	const struct intern *names = &r->folding.set.names;

	for (size_t i = 0; i < names->count; i++) {
		if (!strcmp(names->list[i].s, name))
			return true;
	}
	return false;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct report *r = state;
	int rc = check_text(r, f, w);

	r->reads_text = true;
	answer_folded(&r->answer, f);
	if (rc == 0)
		rc = folding_text(&r->folding, f, w);
	if (rc == 0 && r->rows.o.symbol && !text_has(r, r->rows.o.symbol))
		warn_absent(r, folded_path(f), w);
	return rc;
}

/* ---- the result ---- */

enum counted { UNIT_PERIODS, UNIT_NS, UNIT_SAMPLES };

static bool is_active(const struct report *r, const struct row_event *e)
{
	return e->samples || r->reads_text;
}

static enum counted counted_by(const char *name)
{
	return !name || !strcmp(name, "samples") ? UNIT_SAMPLES
	       : !strcmp(name, "ns")		 ? UNIT_NS
						 : UNIT_PERIODS;
}

/* Clocks alone count ns; the periods of other events are their own units. */
static enum counted counted_of(const struct report *r)
{
	const struct rows *t = &r->rows;
	size_t clocks = 0, others = 0;

	for (size_t i = 0; i < t->event_count; i++) {
		if (is_active(r, &t->events[i]))
			++*(t->events[i].in_ns ? &clocks : &others);
	}
	if (r->reads_text)
		return counted_by(unit_name(&r->folding.unit));
	if (t->o.by_samples)
		return UNIT_SAMPLES;
	return clocks && !others ? UNIT_NS : UNIT_PERIODS;
}

static void choose_keys(struct report *r)
{
	const struct rows *t = &r->rows;
	size_t active = 0;

	for (size_t i = 0; i < t->event_count; i++)
		active += is_active(r, &t->events[i]);
	if (active > 1 && !(t->key_bits & KEY_BIT(KEY_EVENT)))
		r->shown[r->shown_count++] = KEY_EVENT;
	for (size_t i = 0; i < t->o.key_count; i++)
		r->shown[r->shown_count++] = t->o.keys[i];
}

static struct column weight_column(const struct report *r, const char *const names[3])
{
	unsigned decimals = r->rows.decimals;
	enum counted counted = counted_of(r);
	enum column_type whole = counted == UNIT_NS ? COLUMN_NS : COLUMN_COUNT;

	return (struct column){ names[counted], decimals ? COLUMN_REAL : whole, decimals, NULL };
}

static void make_columns(struct report *r)
{
	static const char *const children[] = { "children_periods", "children_ns",
						"children_samples" };
	static const char *const self[] = { "self_periods", "self_ns", "self_samples" };
	static const char *const weight[] = { "weight_periods", "weight_ns", "weight_samples" };
	bool flat = r->rows.o.view == VIEW_FLAT;
	struct column *c = r->columns;

	*c++ = (struct column){ flat ? "children_percent" : "symbol_percent", COLUMN_PERCENT, 2,
				flat ? NULL : "Of Symbol" };
	*c++ = (struct column){ flat ? "self_percent" : "total_percent", COLUMN_PERCENT, 2,
				flat ? NULL : "Of Total" };
	if (flat)
		*c++ = weight_column(r, children);
	*c++ = weight_column(r, flat ? self : weight);
	*c++ = (struct column){ "samples", COLUMN_COUNT };
	choose_keys(r);
	for (size_t i = 0; i < r->shown_count; i++)
		*c++ = (struct column){ keys[r->shown[i]].column, keys[r->shown[i]].type, 0, NULL };
}

static uint64_t whole_of(const struct report *r, const struct row_event *e)
{
	return r->percentage == RELATIVE ? e->weight : e->all_weight;
}

static void weight_cell(struct report *r, uint64_t weight)
{
	double one = 1;

	for (unsigned i = 0; i < r->rows.decimals; i++)
		one *= 10;
	if (r->rows.decimals)
		answer_cell_real(&r->answer, (double)weight / one);
	else
		answer_cell_count(&r->answer, weight);
}

static void key_cell(struct report *r, const struct row *row, enum row_key key)
{
	const struct rows *t = &r->rows;
	uint64_t value = row->key[key];

	if (key == KEY_EVENT)
		value = t->events[value].name;
	if (value == KEY_NONE && keys[key].type == COLUMN_TEXT)
		answer_cell_text(&r->answer, "");
	else if (value == KEY_NONE)
		answer_cell_empty(&r->answer);
	else if (keys[key].type == COLUMN_TEXT)
		answer_cell_text(&r->answer, intern_str(&t->texts, (uint32_t)value));
	else
		answer_cell_count(&r->answer, value);
}

static void add_row(struct report *r, const struct row *row)
{
	const struct row_event *e = &r->rows.events[row->key[KEY_EVENT]];
	bool flat = r->rows.o.view == VIEW_FLAT;
	uint64_t whole = whole_of(r, e);

	if (!r->rows.o.by_children && !row->self && !row->samples)
		return; /* it called only; as perf has it */
	if (percent_of(row_weight(&r->rows, row), whole) < r->limit) {
		r->left_out++;
		return;
	}
	answer_cell_real(&r->answer, percent_of(row->children, flat ? whole : e->symbol));
	answer_cell_real(&r->answer, percent_of(row->self, whole));
	if (flat)
		weight_cell(r, row->children);
	weight_cell(r, row->self);
	if (r->reads_text)
		answer_cell_empty(&r->answer);
	else
		answer_cell_count(&r->answer, row->samples);
	for (size_t i = 0; i < r->shown_count; i++)
		key_cell(r, row, r->shown[i]);
}

static void event_facts(struct report *r)
{
	const struct rows *t = &r->rows;

	for (size_t i = 0; i < t->event_count && !r->reads_text; i++) {
		const struct row_event *e = &t->events[i];
		bool in_ns = e->in_ns && !t->o.by_samples;

		if (!is_active(r, e))
			continue;
		answer_fact(&r->answer, "event", "%s: %s samples, weight %s%s",
			    intern_str(&t->texts, e->name), COUNT_TEXT(e->samples),
			    AMOUNT(in_ns ? COLUMN_NS : COLUMN_COUNT, e->weight),
			    in_ns	      ? ""
			    : t->o.by_samples ? " samples"
					      : " periods");
		answer_leads(&r->answer);
		answer_parts(&r->answer, &weight_part_names, intern_str(&t->texts, e->name),
			     (struct weight_parts){ e->weight, e->unnamed, e->apart });
	}
}

static void symbol_facts(struct report *r)
{
	const struct rows *t = &r->rows;

	for (size_t i = 0; i < t->event_count && t->o.symbol; i++) {
		const struct row_event *e = &t->events[i];

		if (!is_active(r, e))
			continue;
		answer_fact(&r->answer, t->o.view == VIEW_CALLERS ? "callers of" : "callees of",
			    "%s: %s of %s", t->o.symbol, SHARE_TEXT(e->symbol, whole_of(r, e)),
			    r->reads_text ? "the weight" : intern_str(&t->texts, e->name));
		answer_leads(&r->answer);
	}
}

static void order_facts(struct report *r)
{
	const struct rows *t = &r->rows;

	if (!t->o.symbol)
		answer_fact(&r->answer, "order", "by %s weight",
			    t->o.by_children ? "inclusive (children)" : "self");
	answer_fact(&r->answer, "percentage",
		    r->percentage == RELATIVE ? "relative: of what passed the filters"
					      : "absolute: of all samples of the event");
	if (r->left_out)
		answer_fact(&r->answer, "left out", "%zu rows below %s", r->left_out,
			    PERCENT_TEXT(r->limit));
	if (t->overflow)
		answer_fact(&r->answer, "overflow", "sums above 2^64 - 1 were clipped");
}

static const char *no_stack(struct report *r)
{
	struct buf b = { 0 };
	const char *text;

	buf_printf(&b, "no stack has '%s'", r->rows.o.symbol);
	text = answer_string(&r->answer, b.data);
	buf_release(&b);
	return text;
}

static void result(void *state, struct result *out)
{
	struct report *r = state;
	struct rows *t = &r->rows;
	uint32_t *order;

	if (r->reads_text) {
		stackset_finish(&r->folding.set);
		rows_stacks(t, &r->folding.set.part, r->folding.set.names.count);
	}
	t->o.by_children =
		t->o.view == VIEW_FLAT && !r->no_children && (t->has_chains || r->children);
	make_columns(r);
	order = rows_sorted(t);
	for (size_t i = 0; i < t->row_count; i++)
		add_row(r, &t->rows[order[i]]);
	free(order);
	event_facts(r);
	symbol_facts(r);
	order_facts(r);
	answer_result(&r->answer, r->columns, out);
	r->answer.table.bar_column = t->o.view == VIEW_FLAT && t->o.by_children ? 0 : 1;
	out->title = "Report";
	out->none_answers = r->left_out;
	out->none = r->left_out	  ? "no row reaches --percent-limit"
		    : t->o.symbol ? no_stack(r)
				  : NULL;
}

static void release(void *state)
{
	struct report *r = state;

	rows_release(&r->rows);
	folding_release(&r->folding);
	answer_release(&r->answer);
}

const struct analyzer analyzer_report = {
	.name = "report",
	.summary = "self and inclusive weight by function, module, thread ...",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE,
	.options = options,
	.state_size = sizeof(struct report),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
