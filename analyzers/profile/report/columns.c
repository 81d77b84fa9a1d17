/* The columns of a report, and its rows. */
#include "analyzers/profile/report/report.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With perf's names of the keys. */
static const struct column key_columns[ROW_KEYS] = {
	[KEY_EVENT] = { "event", COLUMN_TEXT, 0, "Event" },
	[KEY_COMM] = { "comm", COLUMN_TEXT, 0, "Command" },
	[KEY_PID] = { "pid", COLUMN_ID, 0, "PID" },
	[KEY_TID] = { "tid", COLUMN_ID, 0, "TID" },
	[KEY_CPU] = { "cpu", COLUMN_ID, 0, "CPU" },
	[KEY_TIME] = { "time_ns", COLUMN_TIME_NS, 0, "Time" },
	[KEY_PARENT] = { "parent", COLUMN_TEXT, 0, "Parent Symbol" },
	[KEY_DSO] = { "dso", COLUMN_TEXT, 0, "Shared Object" },
	[KEY_SYM] = { "sym", COLUMN_TEXT, 0, "Symbol" },
	[KEY_SRCFILE] = { "srcfile", COLUMN_TEXT, 0, "Source File" },
	[KEY_SRCLINE] = { "srcline", COLUMN_TEXT, 0, "Source:Line" },
};

/* ---- columns ---- */

enum counted { UNIT_PERIODS, UNIT_NS, UNIT_SAMPLES, UNIT_OTHER, UNITS };

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
	if (t->o.by_samples || t->o.own_weight)
		return t->o.by_samples ? UNIT_SAMPLES : UNIT_OTHER;
	return clocks && !others ? UNIT_NS : UNIT_PERIODS;
}

static void add_field(struct report *r, unsigned field)
{
	r->fields_shown[r->field_count++] = field;
}

/* Put FIELD, which tells rows apart, before the keys that were asked for. */
static void add_event(struct report *r)
{
	size_t at = 0;

	while (at < r->field_count && r->fields_shown[at] < FIELD_KEY)
		at++;
	memmove(r->fields_shown + at + 1, r->fields_shown + at,
		(r->field_count - at) * sizeof(*r->fields_shown));
	r->fields_shown[at] = FIELD_KEY + KEY_EVENT;
	r->field_count++;
}

/* All figures and keys, and between them the fields that '+' added. */
static void usual_fields(struct report *r)
{
	static const unsigned usual[] = { FIELD_CHILDREN_PERCENT, FIELD_PERCENT, FIELD_CHILDREN,
					  FIELD_WEIGHT, FIELD_SAMPLES };
	unsigned added[FIELDS_MAX];
	size_t count = r->field_count;
	bool flat = r->rows.o.view == VIEW_FLAT;

	memcpy(added, r->fields_shown, count * sizeof(*added));
	r->field_count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		if (flat || usual[i] != FIELD_CHILDREN)
			add_field(r, usual[i]);
	}
	for (size_t i = 0; i < count; i++) {
		if (added[i] < FIELD_CHILDREN && added[i] >= FIELD_MODE_PERCENT)
			add_field(r, added[i]);
		r->shows_samples |= added[i] == FIELD_SAMPLES;
		r->shows_period |= added[i] == FIELD_WEIGHT;
	}
	for (size_t i = 0; i < r->rows.o.key_count; i++)
		add_field(r, FIELD_KEY + r->rows.o.keys[i]);
}

static void choose_fields(struct report *r)
{
	const struct rows *t = &r->rows;
	size_t active = 0;

	if (!r->given_fields)
		usual_fields(r);
	for (size_t i = 0; i < t->event_count; i++)
		active += is_active(r, &t->events[i]);
	if (active > 1 && !(t->key_bits & KEY_BIT(KEY_EVENT)))
		add_event(r);
	if (r->hierarchy || r->graph.o.type)
		add_field(r, FIELD_DEPTH);
	if (r->hierarchy)
		add_field(r, FIELD_NAME);
	if (r->graph.o.type)
		add_field(r, FIELD_FRAME);
}

static struct column weight_column(const struct report *r, const char *const names[UNITS])
{
	unsigned decimals = r->rows.decimals;
	enum counted counted = counted_of(r);
	enum column_type whole = counted == UNIT_NS ? COLUMN_NS : COLUMN_COUNT;

	return (struct column){ names[counted], decimals ? COLUMN_REAL : whole, decimals, NULL };
}

static struct column percent_column(const struct report *r, unsigned field)
{
	static const char *const modes[ROW_MODES][2] = {
		{ "us_percent", "User" },
		{ "sys_percent", "System" },
		{ "guest_us_percent", "Guest User" },
		{ "guest_sys_percent", "Guest System" },
	};
	bool flat = r->rows.o.view == VIEW_FLAT;

	if (field == FIELD_CHILDREN_PERCENT)
		return (struct column){ flat ? "children_percent" : "symbol_percent",
					COLUMN_PERCENT, 2, flat ? NULL : "Of Symbol" };
	if (field == FIELD_PERCENT)
		return (struct column){ flat ? "self_percent" : "total_percent", COLUMN_PERCENT, 2,
					flat ? NULL : "Of Total" };
	return (struct column){ modes[field - FIELD_MODE_PERCENT][0], COLUMN_PERCENT, 2,
				modes[field - FIELD_MODE_PERCENT][1] };
}

/* "Command / Shared Object / Symbol". */
static const char *levels_label(struct report *r)
{
	const struct rows_options *o = &r->rows.o;
	struct buf b = { 0 };
	const char *text;

	for (size_t i = 0; i < o->key_count; i++)
		buf_printf(&b, "%s%s", i ? " / " : "",
			   o->keys[i] < ROW_KEYS ? key_columns[o->keys[i]].label
						 : report_key_name(r, o->keys[i]));
	text = answer_string(&r->answer, b.data);
	buf_release(&b);
	return text;
}

static struct column column_of(struct report *r, unsigned field)
{
	static const char *const children[UNITS] = { "children_periods", "children_ns",
						     "children_samples", "children_weight" };
	static const char *const self[UNITS] = { "self_periods", "self_ns", "self_samples",
						 "self_weight" };
	static const char *const weight[UNITS] = { "weight_periods", "weight_ns", "weight_samples",
						   "weight" };

	switch (field) {
	case FIELD_CHILDREN:
		return weight_column(r, children);
	case FIELD_WEIGHT:
		return weight_column(r, r->rows.o.view == VIEW_FLAT ? self : weight);
	case FIELD_SAMPLES:
		return (struct column){ "samples", COLUMN_COUNT };
	case FIELD_DEPTH:
		return (struct column){ "depth", COLUMN_COUNT };
	case FIELD_NAME:
		return (struct column){ "name", COLUMN_TEXT, 0, levels_label(r) };
	case FIELD_FRAME:
		return (struct column){ "frame", COLUMN_TEXT };
	default:
		if (field < FIELD_CHILDREN)
			return percent_column(r, field);
		if (field - FIELD_KEY < ROW_KEYS)
			return key_columns[field - FIELD_KEY];
		return (struct column){ report_key_name(r, field - FIELD_KEY), COLUMN_TEXT, 0,
					report_key_name(r, field - FIELD_KEY) };
	}
}

/* As perf has it: weights and numbers of samples only where they are asked for. */
static bool people_see(const struct report *r, unsigned field)
{
	switch (field) {
	case FIELD_DEPTH:
	case FIELD_FRAME:
		return false;
	case FIELD_CHILDREN_PERCENT:
		return !r->hierarchy || r->rows.o.by_children;
	case FIELD_SAMPLES:
		return r->given_fields || r->shows_samples;
	case FIELD_CHILDREN:
		return r->shows_period && (!r->hierarchy || r->rows.o.by_children);
	case FIELD_WEIGHT:
		return r->given_fields || r->shows_period;
	default:
		return !r->hierarchy || field < FIELD_KEY || field == FIELD_KEY + KEY_EVENT;
	}
}

void report_make_columns(struct report *r)
{
	size_t shown = 0;

	choose_fields(r);
	for (size_t i = 0; i < r->field_count; i++) {
		r->columns[i] = column_of(r, r->fields_shown[i]);
		if (people_see(r, r->fields_shown[i]))
			r->summary[shown++] = (uint8_t)i;
	}
	r->summary_count = shown;
	for (size_t i = 0; i < r->widths.count && i < shown; i++)
		r->column_widths[r->summary[i]] = (unsigned)r->widths.list[i].lo;
}

/* ---- order ---- */

static uint64_t field_value(const struct report *r, const struct row *row, unsigned field)
{
	const struct rows *t = &r->rows;

	switch (field) {
	case FIELD_CHILDREN_PERCENT:
		return row->children;
	case FIELD_PERCENT:
	case FIELD_WEIGHT:
		return row->self;
	case FIELD_SAMPLES:
		return row->samples;
	default:
		return field < FIELD_CHILDREN ? t->modes[row - t->rows][field - FIELD_MODE_PERCENT]
					      : 0;
	}
}

static int compare_by(const struct report *r, const struct row *a, const struct row *b,
		      unsigned field)
{
	if (field >= FIELD_KEY)
		return compare_row_key(&r->rows, field - FIELD_KEY, a, b);
	return compare_u64(field_value(r, b, field), field_value(r, a, field));
}

static int compare_fields(const void *left, const void *right, void *report)
{
	const struct report *r = report;
	const struct row *a = &r->rows.rows[*(const uint32_t *)left];
	const struct row *b = &r->rows.rows[*(const uint32_t *)right];
	int rc = compare_row_key(&r->rows, KEY_EVENT, a, b);

	for (size_t i = 0; !rc && i < r->sort.count && i < r->rows.o.key_count; i++)
		rc = compare_row_key(&r->rows, r->rows.o.keys[i], a, b);
	for (size_t i = 0; !rc && i < r->field_count; i++)
		rc = compare_by(r, a, b, r->fields_shown[i]);
	return rc;
}

void report_order_by_fields(struct report *r, uint32_t *order)
{
	qsort_r(order, r->rows.row_count, sizeof(*order), compare_fields, r);
}

/* ---- rows ---- */

uint64_t report_whole(const struct report *r, const struct row *row)
{
	const struct row_event *e = &r->rows.events[row_key(&r->rows, row, KEY_EVENT)];

	return r->percentage == RELATIVE ? e->weight : e->all_weight;
}

/* WEIGHT counts them: decimals of folded text. */
static double real_weight(const struct report *r, uint64_t weight)
{
	double one = 1;

	for (unsigned i = 0; i < r->rows.decimals; i++)
		one *= 10;
	return (double)weight / one;
}

static void weight_cell(struct report *r, uint64_t weight)
{
	if (r->rows.decimals)
		answer_cell_real(&r->answer, real_weight(r, weight));
	else
		answer_cell_count(&r->answer, weight);
}

/* NULL: KEY is a number. */
static const char *key_text(const struct report *r, const struct row *row, unsigned key)
{
	const struct rows *t = &r->rows;
	uint64_t value = row_key(t, row, key);

	if (key == KEY_EVENT)
		value = t->events[value].name;
	else if (!row_key_is_text(t, key))
		return NULL;
	return value == KEY_NONE ? "" : intern_str(&t->texts, (uint32_t)value);
}

static void key_cell(struct report *r, const struct row *row, unsigned key)
{
	uint64_t value = row_key(&r->rows, row, key);
	const char *text = key_text(r, row, key);

	if (text)
		answer_cell_text(&r->answer, text);
	else
		answer_cell_count_if(&r->answer, value != KEY_NONE, value);
}

/* The key of the row's level in the hierarchy. */
static void name_cell(struct report *r, const struct row *row)
{
	unsigned key = r->rows.o.keys[row->level];
	uint64_t value = row_key(&r->rows, row, key);
	const char *text = key_text(r, row, key);
	char number[24] = "";

	if (value != KEY_NONE)
		snprintf(number, sizeof(number), "%" PRIu64, value);
	answer_cell_text(&r->answer, text ?: number);
}

/* The figures of one line, and what they are of. */
struct figures {
	uint64_t children, self, samples;
	uint64_t whole, children_whole;
	const uint64_t *modes; /* NULL: not known */
	uint32_t depth;
	const char *frame;
};

static void put_cell(struct report *r, const struct row *row, const struct figures *f,
		     unsigned field)
{
	switch (field) {
	case FIELD_CHILDREN_PERCENT:
		answer_cell_real(&r->answer, percent_of(f->children, f->children_whole));
		break;
	case FIELD_PERCENT:
		answer_cell_real(&r->answer, percent_of(f->self, f->whole));
		break;
	case FIELD_CHILDREN:
		weight_cell(r, f->children);
		break;
	case FIELD_WEIGHT:
		weight_cell(r, f->self);
		break;
	case FIELD_SAMPLES:
		answer_cell_count_if(&r->answer, !r->reads_text, f->samples);
		break;
	case FIELD_DEPTH:
		answer_cell_count(&r->answer, f->depth);
		break;
	case FIELD_NAME:
		name_cell(r, row);
		break;
	case FIELD_FRAME:
		answer_cell_text(&r->answer, f->frame);
		break;
	default:
		if (field >= FIELD_KEY)
			key_cell(r, row, field - FIELD_KEY);
		else if (f->modes)
			answer_cell_real(
				&r->answer,
				percent_of(f->modes[field - FIELD_MODE_PERCENT], f->whole));
		else
			answer_cell_empty(&r->answer);
	}
}

/* What text for people knows of one line. */
struct shown_line {
	uint32_t depth, indent;
	uint64_t weight;
	const char *amount;
};

static bool has_trees(const struct report *r)
{
	return r->graph.o.type || r->hierarchy;
}

static void show_line(struct report *r, const struct shown_line *line)
{
	struct report_lines *l = &r->lines;
	size_t n = l->count;

	if (!has_trees(r))
		return;
	l->count++;
	l->depths = xgrow(l->depths, &l->depth_cap, n + 1, sizeof(*l->depths));
	l->depths[n] = line->depth;
	if (r->hierarchy) {
		l->indents = xgrow(l->indents, &l->indent_cap, n + 1, sizeof(*l->indents));
		l->indents[n] = line->indent;
	}
	if (!r->graph.o.type)
		return;
	l->equal = xgrow(l->equal, &l->equal_cap, n + 1, sizeof(*l->equal));
	l->amounts = xgrow(l->amounts, &l->amount_cap, n + 1, sizeof(*l->amounts));
	l->equal[n] = line->weight == l->weight;
	l->amounts[n] = line->amount;
	l->weight = line->weight;
}

static void add_line(struct report *r, const struct row *row, const struct figures *f)
{
	for (size_t i = 0; i < r->field_count; i++)
		put_cell(r, row, f, r->fields_shown[i]);
}

void report_add_row(struct report *r, const struct row *row)
{
	const struct row_event *e = &r->rows.events[row_key(&r->rows, row, KEY_EVENT)];
	const uint64_t *modes = r->rows.o.by_mode ? r->rows.modes[row - r->rows.rows] : NULL;
	bool flat = r->rows.o.view == VIEW_FLAT;
	uint64_t whole = report_whole(r, row);

	add_line(r, row,
		 &(struct figures){ row->children, row->self, row->samples, whole,
				    flat ? whole : e->symbol, modes, row->level, "" });
	show_line(r, &(struct shown_line){ 0, row->level, row_weight(&r->rows, row), NULL });
}

/* As the option says, what B comes to. */
static const char *amount_text(struct report *r, const struct call_branch *b)
{
	const char *text = r->graph.o.value == CALL_VALUE_PERIOD
				   ? REAL_TEXT(counted_of(r) == UNIT_NS, real_weight(r, b->weight))
			   : r->graph.o.value == CALL_VALUE_COUNT ? COUNT_TEXT(b->samples)
								  : SHARE_TEXT(b->weight, b->whole);
	struct intern *t = &r->lines.amount_texts;

	return intern_str(t, intern_add(t, text, strlen(text)));
}

void report_add_branch(struct report *r, const struct row *row, const struct call_branch *b)
{
	add_line(r, row,
		 &(struct figures){ b->weight, b->self, b->samples, b->whole, b->whole, NULL,
				    row->level + b->depth, b->text });
	show_line(r, &(struct shown_line){ b->depth, 0, b->weight, amount_text(r, b) });
}

void report_shape(struct report *r, struct table_part *t)
{
	static const enum tree_look looks[] = { [CALL_GRAPH_FLAT] = TREE_CHAINS,
						[CALL_GRAPH_FOLDED] = TREE_LINES,
						[CALL_GRAPH_GRAPH] = TREE_BRANCHES,
						[CALL_GRAPH_FRACTAL] = TREE_BRANCHES };
	const struct report_lines *l = &r->lines;

	r->tree = (struct table_tree){ .depth = l->depths,
				       .equal = l->equal,
				       .amounts = l->amounts,
				       .look = looks[r->graph.o.type],
				       .indent = r->hierarchy ? l->indents : NULL };
	t->tree = has_trees(r) ? &r->tree : NULL;
	t->summary = r->summary;
	t->summary_columns = r->summary_count;
	t->as_written = r->given_fields;
	t->widths = r->widths.count ? r->column_widths : NULL;
	for (size_t i = 0; i < r->field_count; i++) {
		if (r->fields_shown[i] == FIELD_PERCENT)
			t->weight_column = i + 1;
		if (r->fields_shown[i] == FIELD_FRAME)
			r->tree.text_column = i;
	}
	t->bar_column = r->rows.o.view == VIEW_FLAT && r->rows.o.by_children ? 0 : 1;
}

void report_lines_release(struct report_lines *l)
{
	free(l->depths);
	free(l->indents);
	free(l->equal);
	free(l->amounts);
	intern_release(&l->amount_texts);
}
