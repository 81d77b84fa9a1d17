/* Histograms in powers of two, with bars for people, as those of bcc. */
#ifndef PDTOOL_HEAT_HISTOGRAM_H
#define PDTOOL_HEAT_HISTOGRAM_H

#include "analyzers/count/answer.h"

#define OCTAVES 66 /* see octave_of() */

/* All zero is empty. */
struct histogram {
	size_t rows, bar_cap, heat_cap;
	const char **bars; /* by row */
	uint8_t *heat;	   /* the same: none */
	struct table_listing listing;
};

void histogram_release(struct histogram *h);
/* The cells of a row for each power of two between the least and the most that COUNTS has values
 * in: LANE, unless that is NULL, low, high, count, share. */
void histogram_add(struct histogram *h, struct answer *a, const char *lane,
		   const uint64_t counts[OCTAVES]);
/* The same of what has PART_COUNT parts, PARTS by power of two: low, high, the sum of its parts,
 * each of them. */
void histogram_add_parts(struct answer *a, const uint64_t *parts, size_t part_count);
/* Bars for people beside the rows of histogram_add(), which are all of T. */
void histogram_show(struct histogram *h, struct table_part *t);
/* A drawing of T has bars of the counts in COUNT_COLUMN, and says before them what they are of. */
void histogram_bars(struct table_part *t, size_t count_column);

#endif
