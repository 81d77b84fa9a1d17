/* The counts of intervals, and the metrics that are no rates of these, as lines over time. */
#ifndef PDTOOL_COUNTERS_STAT_SERIES_H
#define PDTOOL_COUNTERS_STAT_SERIES_H

#include "analyzers/counters/metrics.h"
#include "formats/model/series.h"
#include "parser/base/arena.h"

#define SERIES_PANELS 24
#define SERIES_LINES  8 /* of a panel: as many as can be told apart */
#define SERIES_STEPS  1000

struct stat_line {
	size_t place;
	double *sums;	  /* by step */
	uint32_t *counts; /* the same: of so many intervals */
};

struct stat_panel {
	size_t event;
	const char *metric; /* its unit; NULL: the counts themselves */
	size_t order;	    /* among those of an event */
	struct stat_line lines[SERIES_LINES];
	size_t line_count, left_out;
};

/* All zero is empty. What is made lies in the arena. */
struct stat_series {
	struct arena *arena;
	const struct counts *counts;
	const struct metrics *metrics;
	const size_t *rank; /* by place: where it stands in their order */
	size_t steps, merged;
	struct stat_panel panels[SERIES_PANELS];
	size_t panel_count, left_out;
	struct series_part part;
};

/* Before the first round is loaded: which panels there are. */
void stat_series_begin(struct stat_series *s, const struct counts *c, const struct metrics *m,
		       const size_t *rank, struct arena *arena);
/* Interval R is loaded. */
void stat_series_add(struct stat_series *s, size_t r);
/* All are added. NAME says what the line of a place is called. */
void stat_series_end(struct stat_series *s, const char *(*name)(void *ctx, size_t place),
		     void *ctx);

#endif
