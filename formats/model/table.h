/* Tables: rows of cells under columns. */
#ifndef PDTOOL_MODEL_TABLE_H
#define PDTOOL_MODEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/cells.h"
#include "formats/model/column.h"

/* What a test says of a row or a node. MAYBE: of two captures, which says nothing of other runs. */
enum mark { MARK_NONE, MARK_NOISE, MARK_MORE, MARK_LESS, MARK_MAYBE_MORE, MARK_MAYBE_LESS };

/* A line that text for people has above a row. */
struct table_note {
	size_t row;
	const char *text;
};

/* How much stands out: colours for people. */
enum row_heat { HEAT_NONE, HEAT_WARM, HEAT_HOT };

/* What text for people shows of a table that is read from top to bottom. */
struct table_listing {
	const uint8_t *heat;	    /* by row: enum row_heat */
	const char *const *gutters; /* by row: drawn before the last column shown, all equally wide;
				       NULL: nothing */
	const struct table_note *notes; /* by row */
	size_t note_count;
};

/* Rows below rows: the call trees of a profile, or one level of sums below another. */
enum tree_look {
	TREE_BRANCHES, /* lines lead from each line to those below it, with their amounts */
	TREE_CHAINS,   /* the amount, and below it the parts of the text, which ';' joins */
	TREE_LINES,    /* the amount and the text */
};

struct table_tree {
	/* by row: 0 for a row of the table, else how deep it is in the tree below such a row; text
	 * for people draws these without their other cells */
	const uint32_t *depth;
	const bool *equal; /* by row: with all below it, it comes to what the row above does */
	const char *const *amounts; /* by row of a tree: it may hold amounts */
	size_t text_column;	    /* what stands there */
	enum tree_look look;
	/* by row of the table: how far its last column shown is indented, in steps; NULL: not */
	const uint32_t *indent;
};

/* Of a comparison: its columns, for a drawing of both sides with the interval of their ratio. */
struct table_sides {
	size_t before, after, ratio, low, high;
};

struct table_part {
	const struct column *columns;
	size_t column_count;
	const struct cells *cells; /* row by row */
	size_t row_count;
	const uint8_t *marks; /* by row: enum mark; NULL: none */
	/* for a drawing: a bar for each row, as long as this column says */
	size_t bar_column;
	size_t summary_columns;		     /* text for people shows these first ones; 0: all */
	const uint8_t *summary;		     /* or these, so many; NULL: the first ones */
	const struct table_listing *listing; /* NULL: a plain table */
	const struct table_tree *tree;	     /* NULL: no rows below rows */
	bool as_written; /* people see the columns in the order in which machines do, too */
	/* how wide people see the columns that are texts, by place; 0: as wide as they need */
	const unsigned *widths;
	const char *name;		 /* of one of several: "threads" */
	const struct table_sides *sides; /* NULL: there is one side only */
	size_t weight_column;		 /* 1 + the one that is the weight of a row; 0: none */
	const uint32_t *order; /* by row: which one of the cells' it is; NULL: as they come */
	/* for a drawing, bit by column: they say which row it is; 0: texts and numbers of things do
	 */
	uint64_t labels;
	/* 1 + a column: only bars of rows that have the same there compare; 0: all do */
	size_t bar_group;
	size_t bar_else; /* 1 + what bars are of where the bar column is empty; 0: there is none */
};

/* Where the cells of ROW begin. */
static inline size_t table_place(const struct table_part *t, size_t row)
{
	return (t->order ? t->order[row] : row) * t->column_count;
}

/* All cells of ROW, to OUT. */
static inline void table_row(const struct table_part *t, size_t row, struct cell *out)
{
	cells_get(t->cells, table_place(t, row), t->column_count, out);
}

static inline struct cell table_cell(const struct table_part *t, size_t row, size_t column)
{
	return cells_at(t->cells, table_place(t, row) + column);
}

/* The same for a call that wants to look at it: it lasts as long as the block around it. */
#define TABLE_CELL(t, row, column) ((struct cell[]){ table_cell(t, row, column) })

#endif
