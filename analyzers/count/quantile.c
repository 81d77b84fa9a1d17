/* Values, sorted when the first percentile is asked for. */
#include "analyzers/count/quantile.h"
#include "parser/base/compare.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS_MAX 64 /* usual are about 2 log2(count); more is an order made to be slow */
#define MANY	   256

static uint64_t median_of_three(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c <= low ? low : c < high ? c : high;
}

/* Rising and falling sequences cannot spoil it; of many it is the middle of the middles. */
static uint64_t choose_pivot(const uint64_t *v, size_t count)
{
	size_t step = count / 8;
	uint64_t m[3];

	if (count < MANY)
		return median_of_three(v[0], v[count / 2], v[count - 1]);
	for (size_t i = 0; i < 3; i++)
		m[i] = median_of_three(v[i * 3 * step], v[(i * 3 + 1) * step],
				       v[i < 2 ? (i * 3 + 2) * step : count - 1]);
	return median_of_three(m[0], m[1], m[2]);
}

/* Bring the values up to MOST to the front; how many those are. Without a branch: on which side a
 * value belongs is as good as random. */
static size_t bring_front(uint64_t *v, size_t count, uint64_t most)
{
	size_t front = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t t = v[i];

		v[i] = v[front];
		v[front] = t;
		front += t <= most;
	}
	return front;
}

static uint64_t select_rank(uint64_t *v, size_t count, size_t rank)
{
	for (unsigned rounds = 0; count > 1; rounds++) {
		uint64_t pivot = choose_pivot(v, count);
		size_t below = pivot ? bring_front(v, count, pivot - 1) : 0;

		if (rounds == ROUNDS_MAX) {
			qsort(v, count, sizeof(*v), compare_numbers);
			return v[rank];
		}
		if (rank < below) {
			count = below;
			continue;
		}
		if (!below) { /* the pivot is the least there is */
			below = bring_front(v, count, pivot);
			if (rank < below)
				return pivot;
		}
		v += below;
		count -= below;
		rank -= below;
	}
	return *v;
}

size_t quantile_rank(size_t count, double percent)
{
	/* 99.9 % of 1000 is 999, whatever a double makes of it */
	double rank = ceil(percent * (double)count / 100 - 1e-9);
	size_t at = rank < 1 ? 0 : (size_t)rank - 1;

	return at < count ? at : count - 1;
}

uint64_t quantile(uint64_t *values, size_t count, double percent)
{
	return select_rank(values, count, quantile_rank(count, percent));
}

void quantiles(uint64_t *values, size_t count, const double *percents, size_t n, uint64_t *out)
{
	size_t done = 0; /* values before this one are not above those from here on */

	for (size_t i = 0; i < n; i++) {
		size_t rank = quantile_rank(count, percents[i]), from = rank < done ? 0 : done;

		out[i] = select_rank(values + from, count - from, rank - from);
		done = rank;
	}
}
