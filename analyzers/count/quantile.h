/* Percentiles by nearest rank: one of the values themselves, never an estimate from bins. */
#ifndef PDTOOL_QUANTILE_H
#define PDTOOL_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* The value at PERCENT (above 0, at most 100) of COUNT (at least 1) values, which are put into
 * another order: sorted[ceil(percent / 100 * count) - 1]. */
uint64_t quantile(uint64_t *values, size_t count, double percent);
/* The place of that value among the sorted ones. */
size_t quantile_rank(size_t count, double percent);
/* The same for N percentages: cheap where they rise. */
void quantiles(uint64_t *values, size_t count, const double *percents, size_t n, uint64_t *out);

#endif
