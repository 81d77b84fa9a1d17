/* How people see a table: which of its columns, in which order, how wide, and which of its rows.
 * The one place that decides it, for every command. */
#ifndef PDTOOL_SHEET_H
#define PDTOOL_SHEET_H

#include "formats/cell.h"
#include "formats/format.h"

/* One name of 64 KiB does not make every row as wide. */
#define SHEET_COLUMN_MAX 160
#define SHEET_INDENT	 3 /* of a level of a hierarchy */
/* On a terminal, where nobody asked for more. */
#define SHEET_ROWS_MAX 40

struct sheet {
	const struct table_part *t;
	struct people_column *columns; /* by place in T */
	size_t *order;		       /* places in T, as they are shown, so many: */
	size_t count;
	struct cell *cells; /* room for those of a row */
	size_t dropped;	    /* columns for which the terminal is too narrow */
	size_t rows;	    /* shown, with the trees below them */
	size_t more;	    /* rows, without these, that are not */
	size_t lines;	    /* of the heading */
	size_t gutter;	    /* columns of the terminal before the last text */
	bool cut;	    /* texts that are wider than their column are shortened */
};

/* The column at place C of those that are shown. */
static inline struct people_column *sheet_column(const struct sheet *s, size_t c)
{
	return &s->columns[s->order[c]];
}

/* It is right-aligned. */
static inline bool sheet_is_number(const struct sheet *s, size_t c)
{
	const struct column *column = sheet_column(s, c)->column;

	return !column_is_text(column) || column->type == COLUMN_WALL;
}

void sheet_init(struct sheet *s, const struct table_part *t, const struct style *style);
void sheet_release(struct sheet *s);
/* Line I of the heading at place C, which is LEN bytes long; 0: it is blank. */
const char *sheet_heading(const struct sheet *s, size_t c, size_t i, size_t *len);
/* How far the last text of ROW is from the left of its column: of a hierarchy. */
size_t sheet_indent(const struct sheet *s, size_t row);
/* The sum of the column that is the weight of rows, of the first ROWS of them. */
double table_weight(const struct table_part *t, size_t rows);

#endif
