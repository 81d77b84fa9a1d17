/* What the parts of `report` share: its options, its keys, its columns. */
#ifndef PDTOOL_REPORT_H
#define PDTOOL_REPORT_H

#include "analyzers/count/answer.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/rows/rows.h"
#include "analyzers/profile/report/call_graph.h"
#include "analyzers/profile/report/more_keys.h"
#include "analyzers/profile/report/tally.h"

/* What a column shows. */
enum field_kind {
	FIELD_CHILDREN_PERCENT,
	FIELD_PERCENT,
	FIELD_MODE_PERCENT, /* and from here on, by enum row_mode */
	FIELD_CHILDREN = FIELD_MODE_PERCENT + ROW_MODES,
	FIELD_WEIGHT,
	FIELD_SAMPLES,
	FIELD_DEPTH, /* of the row in a hierarchy, or in a call tree */
	FIELD_NAME,  /* --hierarchy: the key of its level */
	FIELD_FRAME, /* --call-graph: the function */
	FIELD_KEY,   /* plus the key */
};

#define FIELDS_MAX (FIELD_KEY + ROW_KEYS + MORE_KEYS)

/* What text for people knows of each row of the answer: see struct table_tree. */
struct report_lines {
	uint32_t *depths, *indents;
	uint64_t weight; /* of the last one */
	bool *equal;
	const char **amounts;
	struct intern amount_texts;
	size_t count, depth_cap, indent_cap, equal_cap, amount_cap;
};

struct report {
	/* the options */
	struct name_list sort, fields;
	const char *group;
	bool children, no_children, hierarchy;
	bool shows_samples, shows_period;
	const char *callers, *callees;
	double limit; /* percent */
	enum { ABSOLUTE, RELATIVE } percentage;
	struct weigh_options weigh_options;
	const char *call_graph; /* NULL: not asked for */
	bool inverted;
	const char *parent, *ignore_callees, *symbol_filter, *separator;
	struct num_list widths;
	bool exclude_other, hide_unresolved;
	bool no_effect; /* of options that are accepted only */
	const char *switch_on, *switch_off;
	bool shows_switches;
	bool off;		       /* as the events that switch have it by now */
	bool shows_tasks, shows_stats; /* in place of all else */

	regex_t parent_regex, ignore_regex;
	struct rows rows;
	struct weigh weigh;
	bool special; /* what it is for */
	struct more_keys more;
	struct call_graph graph;
	struct tasks tasks;
	struct records records;
	struct folding folding; /* collects folded text */
	struct answer answer;
	unsigned fields_shown[FIELDS_MAX]; /* enum field_kind */
	size_t field_count;
	bool given_fields; /* they are those of --fields alone, which also order the rows */

	struct column columns[FIELDS_MAX + 1];
	uint8_t summary[FIELDS_MAX]; /* those of them that people see */
	size_t summary_count;
	unsigned column_widths[FIELDS_MAX];
	struct report_lines lines;
	struct table_tree tree;
	size_t left_out, others; /* rows, and whos that made room */
	bool reads_text;
};

/* ---- keys ---- */

/* The keys of rows: by their enum row_key, as --sort knows them. */
extern const char *const row_key_words[];
/* Append all names of keys that are no fields, each with ", " behind it. */
void put_key_words(struct buf *b);
/* Those of --fields that are no keys; both end with NULL. */
extern const char *const field_words[];
/* Take the keys that the options ask for. ERR_USAGE with a message in W. */
CHECKED int report_take_keys(struct report *r, struct warnings *w);
/* A capture is read: with trace_fields its fields are keys. */
void report_add_more_keys(struct report *r);
/* What KEY is called in --sort. */
const char *report_key_name(const struct report *r, unsigned key);

/* ---- columns ---- */

/* After the last input: choose them, and what people see of them. */
void report_make_columns(struct report *r);
/* A row of the answer: of ROW, or of a line of its call tree. */
void report_add_row(struct report *r, const struct row *row);
void report_add_branch(struct report *r, const struct row *row, const struct call_branch *b);
/* --fields: by what it shows, from left to right. */
void report_order_by_fields(struct report *r, uint32_t *order);
/* After the last row: how people see T. */
void report_shape(struct report *r, struct table_part *t);
void report_lines_release(struct report_lines *l);
/* What the percentages of its event are of. */
uint64_t report_whole(const struct report *r, const struct row *row);

#endif
