/* GRID: amounts by two axes; a cell holds [x, x + step) by row */
#ifndef PDTOOL_MODEL_GRID_H
#define PDTOOL_MODEL_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/column.h"

struct grid_gap {
	uint64_t start, end; /* on the x axis */
	const char *cause;   /* "throttled", "lost" */
};

/* One value for each column, beside the cells. */
#define GRID_NONE     UINT64_MAX
#define GRID_CELL_MAX 100

struct grid_series {
	struct column what;	/* "p99_ns", "depth" */
	const uint64_t *values; /* by column; GRID_NONE: there is none */
};

/* One of those that were counted. */
struct grid_event {
	uint64_t x, y;	 /* where it is */
	uint64_t number; /* what event_number says */
	uint32_t label;	 /* index into event_labels */
	uint32_t lane;	 /* index into grid_lanes, if there are lanes */
};

/* How dark a cell is, by its amount. */
enum grid_scale {
	GRID_SCALE_AUTO, /* by the square root; by the logarithm where that shows too little */
	GRID_SCALE_LINEAR,
	GRID_SCALE_SQRT,
	GRID_SCALE_LOG,
	GRID_SCALE_RANK,   /* as many cells of each colour */
	GRID_SCALE_CHANCE, /* by how far counts are from what chance alone makes of their mean */
};

struct grid_part {
	const char *name;	  /* of a lane: "254:0"; NULL: all of it */
	struct column x, y, cell; /* what the axes are, and what is counted */
	uint64_t x_first, x_step;
	size_t columns;
	size_t rows;
	const char *const *labels; /* by row; NULL where rows are ranges: */
	const uint64_t *edges;	   /* rows + 1 values, growing */
	const uint64_t *cells;	   /* rows * columns, row by row */
	const struct grid_gap *gaps;
	size_t gap_count;
	const struct grid_series *lines; /* on the axis of ranges: percentiles */
	size_t line_count;
	const struct grid_series *strips; /* each on an axis of its own: rates, depths */
	size_t strip_count;
	/* for a drawing that tells what is in a cell: some of the events, the largest first */
	const struct grid_event *events;
	size_t event_count;
	uint64_t event_total;		 /* with those that are not here */
	const char *const *event_labels; /* with amounts in them */
	size_t event_label_count;
	struct column event_number; /* "sector" */
	enum grid_scale scale;
	/* The user asked for these ranges, these columns: a drawing sums none of them that has
	 * room.
	 */
	bool keep_rows, keep_columns;
	bool ruled;	  /* a drawing has lines at the ticks of both axes */
	unsigned cell_px; /* a drawing's cells are so wide and high, at most GRID_CELL_MAX; 0: as it
			     comes */
	bool stacked; /* rows have labels and add up: a drawing shows them as a stacked area, too */
	/* wall clock of x = 0, in ns since 1970: has_wall says that it is known */
	int64_t wall_ns;
	bool has_wall, wall_is_exact;
};

#endif
