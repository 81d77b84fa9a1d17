/* A radix sort by bytes: addresses of one module differ in three or four of them. */
#include "parser/base/numbered.h"
#include "parser/base/mem.h"

#include <stdbool.h>
#include <string.h>

#define FEW 64 /* insertion is quicker */

static void insert(struct numbered *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct numbered moved = list[i];
		size_t at = i;

		for (; at && list[at - 1].number > moved.number; at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

/* The bits in which numbers differ; 0 where they are in order. */
static uint64_t differing(const struct numbered *list, size_t count)
{
	uint64_t bits = 0;
	bool ordered = true;

	for (size_t i = 1; i < count; i++) {
		bits |= list[i].number ^ list[0].number;
		ordered &= list[i].number >= list[i - 1].number;
	}
	return ordered ? 0 : bits;
}

/* By the byte at SHIFT. */
static void pass(struct numbered *to, const struct numbered *from, size_t count, unsigned shift)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		at[from[i].number >> shift & 0xff]++;
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		size_t here = at[i];

		at[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[at[from[i].number >> shift & 0xff]++] = from[i];
}

void numbered_sort(struct numbered *list, size_t count)
{
	struct numbered *other, *from = list;
	uint64_t bits;

	if (count <= FEW) {
		insert(list, count);
		return;
	}
	bits = differing(list, count);
	if (!bits)
		return;
	other = big_alloc(count * sizeof(*other));
	for (unsigned shift = 0; shift < 64; shift += 8) {
		struct numbered *to = from == list ? other : list;

		if (!(bits >> shift & 0xff))
			continue;
		pass(to, from, count, shift);
		from = to;
	}
	if (from == other)
		memcpy(list, other, count * sizeof(*list));
	big_free(other, count * sizeof(*other));
}
