/* What a number, or a text, is: of a column of a table, of an axis, of a line beside a grid. */
#ifndef PDTOOL_MODEL_COLUMN_H
#define PDTOOL_MODEL_COLUMN_H

#include <stdbool.h>

/* The type decides how a format shows a number. Machines read it as it was counted. */
enum column_type {
	COLUMN_TEXT,
	COLUMN_ID,	    /* cell.count, a number that is a name: of a process, a CPU, a sector */
	COLUMN_COUNT,	    /* cell.count */
	COLUMN_NS,	    /* cell.count, a time that passed */
	COLUMN_TIME_NS,	    /* cell.count, a point in time */
	COLUMN_BYTES,	    /* cell.count */
	COLUMN_DELTA,	    /* cell.delta, shown with its sign */
	COLUMN_DELTA_NS,    /* cell.delta */
	COLUMN_REAL,	    /* cell.real, with column.decimals digits after the point */
	COLUMN_REAL_NS,	    /* cell.real, a time that passed, likewise */
	COLUMN_PERCENT,	    /* cell.real */
	COLUMN_BYTES_PER_S, /* cell.real */
	COLUMN_WALL,	    /* cell.text, a point in time by the wall clock */
	COLUMN_COMMAND,	    /* cell.text, a command for a shell: whole, or it is none */
	COLUMN_TYPES
};

struct column {
	const char *name; /* what machines read, unit last: "wait_ns" */
	enum column_type type;
	unsigned decimals; /* of a real number, for machines */
	const char *label; /* what people read; NULL: made from the name */
	/* a time that passed, of which the short ones matter, too: in a finer unit than the others
	 */
	bool fine;
};

#endif
