/* How people see a table: which of its columns, in which order, how wide. The one place that
 * decides it, for every command. */
#ifndef PDTOOL_SHEET_H
#define PDTOOL_SHEET_H

#include "formats/cell.h"

/* One name of 64 KiB does not make every row as wide. */
#define SHEET_COLUMN_MAX 160

struct sheet {
	const struct table_part *t;
	struct people_column *columns; /* by place in T */
	size_t *order;		       /* places in T, as they are shown, so many: */
	size_t count;
	bool cut; /* texts that are wider than their column */
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

/* For a TERMINAL so wide; 0: for none. */
void sheet_init(struct sheet *s, const struct table_part *t, size_t terminal);
void sheet_release(struct sheet *s);

#endif
