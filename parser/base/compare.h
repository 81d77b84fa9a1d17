/* For qsort(): -1, 0 or 1. Several keys: compare_u64(a, b) ?: compare_u64(c, d) ?: ... */
#ifndef PDTOOL_BASE_COMPARE_H
#define PDTOOL_BASE_COMPARE_H

#include <stdint.h>

static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Of two uint64_t. */
static inline int compare_numbers(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

#endif
