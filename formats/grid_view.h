/* A grid as it is drawn: small enough to be seen, with its sums, and how dark each cell is.
 *
 * Neighbouring columns are summed, and neighbouring rows where they are ranges; of rows with labels
 * the largest stay and the others are summed in one last row. Nothing is left out. Sums stop at the
 * largest number instead of starting over. */
#ifndef PDTOOL_GRID_VIEW_H
#define PDTOOL_GRID_VIEW_H

#include "formats/axis.h"
#include "formats/model/result.h"

#include <stdbool.h>

#define GRID_CAUSES	4
#define GRID_RANGE_TEXT (2 * NUMBER_TEXT + 4)

struct grid_view {
	const struct grid_part *grid;
	size_t columns, rows;
	size_t fold_x, fold_y; /* columns and rows of the grid in one of these */
	size_t *starts;	       /* of ranges: the row of the grid that each begins with; rows + 1 */
	size_t below, above;   /* so many ranges of the grid are the lowest row, the highest one */
	size_t *sources;       /* of rows with labels: their rows in the grid; NULL for ranges */
	size_t rest;	       /* how many rows the last one sums; 0: it is a row like others */
	uint64_t *cells;
	uint64_t *column_sums, *row_sums;
	uint64_t total;
	size_t filled; /* cells that are not 0 */
	struct grid_shades {
		uint64_t most, least;  /* the largest cell, and the smallest that is not 0 */
		enum grid_scale scale; /* never AUTO */
		const uint64_t *ranks; /* of RANK: the cells that are not 0, ascending */
		size_t rank_count;
		/* of all cells, for CHANCE: the mean, and the standard deviation by chance in parts
		 * of that of counts that are independent */
		double mean, spread;
	} shades;	     /* its own, or those of all lanes */
	uint64_t *own_ranks; /* those that it has made */
};

/* What a view may take. BELOW and ABOVE ranges at the ends are one row each. */
struct grid_room {
	size_t columns, rows;
	size_t below, above;
};

void grid_view_init(struct grid_view *v, const struct grid_part *g, size_t max_columns,
		    size_t max_rows);
void grid_view_init_in(struct grid_view *v, const struct grid_part *g,
		       const struct grid_room *room);
/* For ROOM: the ranges at the ends that hold next to nothing, if they are many and grow. */
void grid_view_spare(const struct grid_part *g, struct grid_room *room);
void grid_view_release(struct grid_view *v);
/* One scale of colours for WHOLE and its COUNT lanes. */
void grid_view_share_scale(struct grid_view *whole, struct grid_view *lanes, size_t count);

/* Where column C begins; C may be columns: where the last one ends. */
uint64_t grid_view_x(const struct grid_view *v, size_t c);
/* Where row R, a range, begins; R may be rows. */
uint64_t grid_view_edge(const struct grid_view *v, size_t r);
/* What row R is called: its label, "(5 more)" for the rest, "1 ms to 2 ms". What is made here is
 * put into TEXT. */
const char *grid_view_row_name(const struct grid_view *v, size_t r, char text[GRID_RANGE_TEXT]);
/* Column C: "1 ms to 2 ms". */
void grid_view_column_name(const struct grid_view *v, size_t c, char text[GRID_RANGE_TEXT]);
/* The column that holds X; columns when none does. */
size_t grid_view_column(const struct grid_view *v, uint64_t x);
/* The range that holds VALUE; rows when none does. */
size_t grid_view_row(const struct grid_view *v, uint64_t value);
/* The largest value of S in column C, or GRID_NONE. */
uint64_t grid_view_series(const struct grid_view *v, const struct grid_series *s, size_t c);
/* How far up VALUE stands, in rows; negative when it is in none. */
double grid_view_height(const struct grid_view *v, uint64_t value);

/* How dark VALUE is: 0 for 0, else 1 to LEVELS. */
unsigned grid_view_level(const struct grid_view *v, uint64_t value, unsigned levels);
/* Of CHANCE: chance alone seldom makes more of the mean. */
uint64_t grid_view_chance(const struct grid_view *v);
/* About the smallest value of LEVEL. */
uint64_t grid_view_level_low(const struct grid_view *v, unsigned level, unsigned levels);

/* Ticks of the x axis, by the wall clock where it is known; of ranges. */
void grid_view_x_axis(const struct grid_view *v, struct axis *a, unsigned want);
void grid_view_y_axis(const struct grid_view *v, struct axis *a, unsigned want);
/* AT on the x axis in words; by the wall clock with the digits that steps need. */
const char *grid_view_x_text(const struct grid_view *v, uint64_t at, char text[NUMBER_TEXT]);
/* For "%s" in a call: they last as long as the block around it. */
#define X_TEXT(v, at)  grid_view_x_text(v, at, NUMBER_ROOM)
#define ROW_NAME(v, r) grid_view_row_name(v, r, (char[GRID_RANGE_TEXT]){ 0 })

/* By column, the first of the gaps that it meets, or NULL. */
void grid_view_gaps(const struct grid_view *v, const struct grid_gap **gaps);
/* The causes of these gaps, each once, the first GRID_CAUSES. How many. */
size_t grid_view_causes(const struct grid_view *v, const struct grid_gap *const *gaps,
			const char *causes[GRID_CAUSES]);

#endif
