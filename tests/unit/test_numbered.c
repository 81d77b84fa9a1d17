/* Numbers in order, those that are equal as they came. */
#include "parser/base/mem.h"
#include "parser/base/numbered.h"
#include "tests/lib/unit.h"

#include <stdlib.h>

/* COUNT numbers of the bits in MASK are put in order. */
static bool sorts(size_t count, uint64_t mask)
{
	struct numbered *list = xcalloc(count + 1, sizeof(*list));
	uint64_t *was = xcalloc(count + 1, sizeof(*was)), seed = mask + count;
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		was[i] = (unit_random(&seed) << 32 ^ unit_random(&seed)) & mask;
		list[i] = (struct numbered){ was[i], i };
	}
	numbered_sort(list, count);
	for (size_t i = 0; i < count; i++) {
		good = good && list[i].id < count && list[i].number == was[list[i].id];
		if (i)
			good = good && (list[i].number > list[i - 1].number ||
					(list[i].number == list[i - 1].number &&
					 list[i].id > list[i - 1].id));
	}
	free(list);
	free(was);
	return good;
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 2, 3, 64, 65, 1000, 300000 };
	static const uint64_t masks[] = { 0,	    1,	      0xff,	      0x1ff0ff,
					  0xffffff, 0xf00000000000000f, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(masks); k++)
			CHECK(sorts(counts[i], masks[k]));
	}
	return unit_end();
}
