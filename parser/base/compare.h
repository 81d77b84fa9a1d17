/* For qsort(): -1, 0 or 1. Several keys: compare_u64(a, b) ?: compare_u64(c, d) ?: ... For
 * searching what was sorted so, and how much two have in common. */
#ifndef PDTOOL_BASE_COMPARE_H
#define PDTOOL_BASE_COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Of two uint64_t. */
static inline int compare_numbers(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* The index of the first of COUNT numbers, ascending, that is LEAST or more; COUNT: there is none.
 */
static inline size_t first_number(const uint64_t *list, size_t count, uint64_t least)
{
	size_t lo = 0, hi = count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (list[mid] < least)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* How many of MAX bytes are the same from the begin on. */
static inline size_t common_bytes(const void *a, const void *b, size_t max)
{
	const unsigned char *p = a, *q = b;
	uint64_t x, y;
	size_t n;

	for (n = 0; n + sizeof(x) <= max; n += sizeof(x)) {
		memcpy(&x, p + n, sizeof(x));
		memcpy(&y, q + n, sizeof(y));
		if (x != y)
			break;
	}
	while (n < max && p[n] == q[n])
		n++;
	return n;
}

#endif
