/* Sums of what files say never wrap: they are held at 2^64 - 1, the greatest number. A sum that is
 * there may be more, and a result that shows one says so (answer_sum()). */
#ifndef PDTOOL_BASE_HELD_H
#define PDTOOL_BASE_HELD_H

#include <stdbool.h>
#include <stdint.h>

#define SUM_HELD UINT64_MAX

/* *SUM += N, held. True: it was more. */
static inline bool add_held(uint64_t *sum, uint64_t n)
{
	if (!__builtin_add_overflow(*sum, n, sum))
		return false;
	*sum = SUM_HELD;
	return true;
}

/* What is left of SUM without PART, which is in it: of a sum that is held that is not known, but it
 * is no less. */
static inline uint64_t held_without(uint64_t sum, uint64_t part)
{
	return sum == SUM_HELD ? sum : sum - part;
}

#endif
