/* SERIES: what a table has by time, for a drawing: lines over a common axis, those that compare on
 * one scale. */
#ifndef PDTOOL_MODEL_SERIES_H
#define PDTOOL_MODEL_SERIES_H

#include <stddef.h>
#include <stdint.h>

struct series_line {
	const char *name;     /* "CPU 3"; "": the only one */
	const double *values; /* by step; not finite: there is none */
};

/* Lines on one scale, which begins at 0. */
struct series_panel {
	const char *name; /* "cycles" */
	const char *unit; /* "msec", "insn per cycle"; "": a count */
	const struct series_line *lines;
	size_t line_count;
	size_t left_out; /* lines that are not here */
};

struct series_part {
	/* a step begins where the one before ends, the first one at 0 */
	const uint64_t *ends_ns;
	size_t steps;
	size_t merged; /* so many of the intervals of the table make a step, by their mean */
	const struct series_panel *panels;
	size_t panel_count;
	size_t left_out; /* panels that are not here */
};

#endif
