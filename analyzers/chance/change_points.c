/* Ranks within what is looked at, those of equal values their mean; then the largest difference of
 * the two sides' ranks. */
#include "analyzers/chance/change_points.h"

#include <math.h>
#include <stdlib.h>

#define LEAST 4

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value) ?: (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void rank(struct ranked *list, size_t n)
{
	size_t end;

	qsort(list, n, sizeof(*list), by_value);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && list[end].value == list[i].value; end++)
			;
		for (size_t j = i; j < end; j++)
			list[j].rank = ((double)i + (double)end + 1) / 2;
	}
	qsort(list, n, sizeof(*list), by_place);
}

/* Where the second part of N values at LIST begins; 0: they are of one level. */
static size_t find(struct ranked *list, size_t n, double p)
{
	double sum = 0, most = 0, size = (double)n;
	size_t at = 0;

	if (n < LEAST)
		return 0;
	rank(list, n);
	for (size_t i = 0; i + 1 < n; i++) {
		double u;

		sum += list[i].rank;
		u = fabs(2 * sum - (double)(i + 1) * (size + 1));
		if (u > most) {
			most = u;
			at = i + 1;
		}
	}
	return 2 * exp(-6 * most * most / (size * size * size + size * size)) <= p ? at : 0;
}

static void split(struct ranked *list, size_t n, double p, uint8_t *marks)
{
	size_t at = find(list, n, p);

	if (!at)
		return;
	marks[list[at].at] = 1;
	split(list, at, p, marks);
	split(list + at, n - at, p, marks);
}

void change_points(struct ranked *values, size_t count, double p, uint8_t *marks)
{
	for (size_t i = 0; i < count; i++)
		values[i].at = i;
	split(values, count, p, marks);
}
