/* Where an axis has its ticks and what they are called: amounts of time in ns, us, ms and s, the
 * wall clock, plain counts; evenly spaced or by powers of ten. */
#ifndef PDTOOL_AXIS_H
#define PDTOOL_AXIS_H

#include <stddef.h>
#include <stdint.h>

#include "formats/number.h"

#define AXIS_TICKS 48

struct axis_tick {
	uint64_t at;
	char text[NUMBER_TEXT];
};

struct axis {
	size_t count;
	struct axis_tick ticks[AXIS_TICKS];
};

/* The part of an axis that is to be seen. */
struct axis_span {
	uint64_t low, high;
	unsigned want; /* about as many ticks, AXIS_TICKS at the most */
	enum column_type type;
};

/* Ticks at multiples of 1, 2 or 5 times a power of ten, all in one unit. */
void axis_linear(struct axis *a, const struct axis_span *span);
/* The same of a duration in ns: from two minutes on at whole seconds, minutes, hours. */
void axis_time(struct axis *a, const struct axis_span *span);
/* Ticks at powers of ten, with 2 and 5 times as much between them where there is room. */
void axis_log(struct axis *a, const struct axis_span *span);
/* Ticks at whole seconds, minutes, hours of the clock (UTC) that shows WALL_NS since 1970 at 0. */
void axis_wall(struct axis *a, const struct axis_span *span, int64_t wall_ns);

/* WALL_NS since 1970 plus AT_NS as "HH:MM:SS", with the digits that steps of STEP_NS need. */
const char *axis_clock(char text[NUMBER_TEXT], int64_t wall_ns, uint64_t at_ns, uint64_t step_ns);
/* The same as "2026-11-21". */
const char *axis_date(char text[NUMBER_TEXT], int64_t wall_ns, uint64_t at_ns);

#endif
