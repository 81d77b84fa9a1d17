/* The columns of a table as machines and as people read them: headings and cells. */
#ifndef PDTOOL_CELL_H
#define PDTOOL_CELL_H

#include "formats/model/result.h"
#include "formats/number.h"

#define CELL_TEXT_MAX 352 /* the longest number that "%.*f" can make, with few decimals */

static inline bool column_is_text(const struct column *column)
{
	return column_kinds[column->type].held == HELD_NONE;
}

/* CELL as machines read it: its text, or a number as it was counted, written into BUF. "" when it
 * is empty. */
const char *cell_machine(const struct column *column, const struct cell *cell,
			 char buf[CELL_TEXT_MAX]);
/* Its number; 0 where there is none, or none that is finite. */
double cell_number(const struct column *column, const struct cell *cell);

/* A column for people: one unit for all of its numbers, which the heading names. */
struct people_column {
	const struct column *column;
	double most;	       /* of its numbers, without the sign */
	uint64_t most_counted; /* the same of counts, all of which are numbers if only they are: */
	bool counted;	       /* each cell is a count, or empty without a text in its place */
	bool any;	       /* there is a count */
	struct number_scale scale;
	char heading[CELL_TEXT_MAX];
	size_t cells; /* columns of a terminal that they take; 0 until it is measured */
	size_t width; /* with the heading */
	bool fits;    /* no count is wider than that */
};

/* The columns of T by its first ROWS rows; the caller's to free. Durations share a unit, so that
 * they compare along a row, too. */
struct people_column *people_columns(const struct table_part *t, size_t rows);
/* Make P as wide as its heading and the first ROWS of its cells, but not wider than MOST. */
void people_measure(struct people_column *p, const struct table_part *t, size_t rows, size_t most);
const char *people_cell(const struct people_column *p, const struct cell *cell,
			char buf[CELL_TEXT_MAX]);
/* How the counts of P look, if it has counts. */
const struct number_scale *people_scale(const struct people_column *p);

/* What people read instead of the name of COLUMN, without its unit: "Command" for "comm". */
const char *column_label(const struct column *column, char buf[CELL_TEXT_MAX]);
/* The same for "%s" in a call: it lasts as long as the block around it. */
#define LABEL(column) column_label(column, (char[CELL_TEXT_MAX]){ 0 })

#endif
