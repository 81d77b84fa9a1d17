/* Stacks in an order in which neighbours begin alike: as by comparing them whole, for few and many,
 * with few and many different ids. */
#include "parser/base/mem.h"
#include "parser/session/stackorder.h"
#include "tests/lib/unit.h"

#include <stdlib.h>

static void add(struct stacks *st, uint32_t count, uint64_t *seed)
{
	struct stack k = { .first = (uint32_t)st->id_count,
			   .count = (uint16_t)count,
			   .flags = unit_random(seed) % 8 ? 0 : PDT_STACK_APART };

	count += !!k.flags;
	st->loc_ids = xgrow(st->loc_ids, &st->id_cap, st->id_count + count, sizeof(*st->loc_ids));
	for (uint32_t i = 0; i < count; i++) { /* mostly of few, so that many begin alike */
		size_t of = unit_random(seed) % 4 && st->loc_count > 2 ? 2 : st->loc_count;

		st->loc_ids[st->id_count++] = (uint32_t)(unit_random(seed) % of);
	}
	st->list = xgrow(st->list, &st->cap, st->count + 1, sizeof(*st->list));
	st->list[st->count++] = k;
}

static int compare(const struct ordered_stacks *o, const struct stacks *st, uint32_t a, uint32_t b)
{
	const uint32_t *x = o->ids + o->first[a], *y = o->ids + o->first[b];
	uint32_t n = ordered_count(o, a), m = ordered_count(o, b), i = 0;

	while (i < n && i < m && x[i] == y[i])
		i++;
	if (i < n && i < m)
		return x[i] < y[i] ? -1 : 1;
	if (n != m)
		return n < m ? -1 : 1;
	return st->list[a].flags != st->list[b].flags ? st->list[a].flags - st->list[b].flags
						      : (a > b) - (a < b);
}

static void test(size_t count, size_t locations, uint32_t depth)
{
	struct stacks st = { .loc_count = locations };
	uint32_t *numbers = xmalloc(locations * sizeof(*numbers));
	struct ordered_stacks o;
	uint64_t seed = count + locations;
	size_t wrong = 0;

	for (uint32_t i = 0; i < locations; i++)
		numbers[i] = (uint32_t)locations - 1 - i;
	for (size_t i = 0; i < count; i++)
		add(&st, (uint32_t)(unit_random(&seed) % depth), &seed);
	ordered_stacks_make(&o, &st, numbers);
	CHECK_EQ(o.count, count);
	for (size_t i = 1; i < count; i++)
		wrong += compare(&o, &st, o.order[i - 1], o.order[i]) >= 0;
	CHECK_EQ(wrong, 0);
	ordered_stacks_release(&o);
	free(numbers);
	free(st.list);
	free(st.loc_ids);
}

int main(void)
{
	const size_t counts[] = { 0, 1, 2, 7, 50, 3000, 20000 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		test(counts[i], 1, 4);
		test(counts[i], 3, 30);
		test(counts[i], 70000, 12);
		test(counts[i], 5000000, 12);
	}
	return unit_end();
}
