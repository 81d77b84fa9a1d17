#include "analyzers/lib/quantile.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS_MAX 64 /* usual are about 2 log2(count); more is an order made to be slow */

static void swap(uint64_t *a, uint64_t *b)
{
	uint64_t t = *a;

	*a = *b;
	*b = t;
}

/* A pivot that rising and falling sequences cannot spoil. */
static uint64_t median_of_three(uint64_t a, uint64_t b, uint64_t c)
{
	if (a > b)
		swap(&a, &b);
	if (c <= a)
		return a;
	return c < b ? c : b;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Selection after Hoare; parts that equal the pivot on both sides keep it from going astray where
 * there are many equal values. */
static uint64_t select_rank(uint64_t *v, size_t count, size_t rank)
{
	size_t low = 0, high = count - 1;
	unsigned rounds = 0;

	while (low < high && rounds++ < ROUNDS_MAX) {
		uint64_t pivot = median_of_three(v[low], v[low + (high - low) / 2], v[high]);
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&v[i++], &v[j--]);
		}
		/* v[low..j] <= pivot <= v[j+1..high]; two of three are not below the pivot, so
		 * neither is empty */
		if (rank <= j)
			high = j;
		else
			low = j + 1;
	}
	if (low < high)
		qsort(v + low, high - low + 1, sizeof(*v), compare);
	return v[rank];
}

static size_t rank_of(size_t count, double percent)
{
	/* 99.9 % of 1000 is 999, whatever a double makes of it */
	double rank = ceil(percent * (double)count / 100 - 1e-9);
	size_t at = rank < 1 ? 0 : (size_t)rank - 1;

	return at < count ? at : count - 1;
}

uint64_t quantile(uint64_t *values, size_t count, double percent)
{
	return select_rank(values, count, rank_of(count, percent));
}

void quantiles(uint64_t *values, size_t count, const double *percents, size_t n, uint64_t *out)
{
	size_t done = 0; /* values before this one are not above those from here on */

	for (size_t i = 0; i < n; i++) {
		size_t rank = rank_of(count, percents[i]), from = rank < done ? 0 : done;

		out[i] = select_rank(values + from, count - from, rank - from);
		done = rank;
	}
}
