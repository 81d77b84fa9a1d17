/* Sorted when they are cleaned. */
#include "parser/pack/ranges.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void ranges_add(struct ranges *r, uint64_t start, uint64_t end)
{
	if (end <= start)
		return;
	r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
	r->list[r->count++] = (struct range){ start, end };
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void ranges_clean(struct ranges *r, uint64_t size)
{
	size_t n = 0;

	if (r->count)
		qsort(r->list, r->count, sizeof(*r->list), by_start);
	for (size_t i = 0; i < r->count; i++) {
		struct range one = r->list[i];

		one.end = one.end < size ? one.end : size;
		if (one.start >= one.end)
			continue;
		if (n && one.start <= r->list[n - 1].end)
			r->list[n - 1].end =
				one.end > r->list[n - 1].end ? one.end : r->list[n - 1].end;
		else
			r->list[n++] = one;
	}
	r->count = n;
}

void ranges_release(struct ranges *r)
{
	free(r->list);
}

void ranges_add_all(struct ranges *out, const struct ranges *from)
{
	for (size_t i = 0; i < from->count; i++)
		ranges_add(out, from->list[i].start, from->list[i].end);
}

size_t ranges_behind(const struct ranges *r, uint64_t at)
{
	size_t lo = 0, hi = r->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->list[mid].end <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void ranges_subtract(struct ranges *out, const struct ranges *from, const struct ranges *without)
{
	for (size_t i = 0; i < from->count; i++) {
		uint64_t at = from->list[i].start, end = from->list[i].end;

		for (size_t k = ranges_behind(without, at);
		     k < without->count && without->list[k].start < end; k++) {
			ranges_add(out, at, without->list[k].start);
			at = without->list[k].end;
		}
		ranges_add(out, at, end);
	}
}
