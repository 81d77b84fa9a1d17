/* Where the level of a series changes. */
#ifndef PDTOOL_CHANGE_POINTS_H
#define PDTOOL_CHANGE_POINTS_H

#include <stddef.h>
#include <stdint.h>

struct ranked {
	double value;
	double rank; /* what else is here is for change_points() alone */
	size_t at;
};

/* MARKS, COUNT of them, all 0, become 1 where values change to another level: by Pettitt's test
 * (1979), which needs no distribution, of all values, then of those on either side of the change,
 * as long as one as large comes by chance with probability P at most. */
void change_points(struct ranked *values, size_t count, double p, uint8_t *marks);

#endif
