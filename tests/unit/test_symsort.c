/* Tables of symbols: their order, and what is left out where only some addresses matter. */
#include "parser/base/mem.h"
#include "parser/names/symtab.h"
#include "tests/lib/unit.h"

static bool is_sorted(const struct symtab *t)
{
	for (size_t i = 1; i < t->count; i++) {
		const struct symbol *a = &t->syms[i - 1], *b = &t->syms[i];

		/* end tells when a symbol was added */
		if (a->start > b->start || (a->start == b->start && a->end >= b->end))
			return false;
	}
	return true;
}

/* Some are added to what is in order, more or fewer than there were: equals stay as they came. */
static void test_sort(void)
{
	static const unsigned adds[] = { 0, 1, 1, 700, 3, 300, 2000, 0, 1 };
	uint64_t seed = 5, added = 0;
	struct symtab t;
	bool good = true;

	symtab_init(&t);
	for (size_t i = 0; i < ARRAY_SIZE(adds); i++) {
		for (unsigned k = 0; k < adds[i]; k++) {
			symtab_add(&t, &(struct symbol){ .start = unit_random(&seed) & 0x1ff0ff,
							 .end = added++,
							 .name = "" });
		}
		symtab_sort(&t);
		good = good && t.count == added && is_sorted(&t);
	}
	CHECK(good);
	symtab_release(&t);
}

/* The last of the symbols at or before ADDR, and how many begin there; what begins next. */
struct around {
	uint64_t start, next;
	size_t count;
};

static struct around around(const struct symtab *t, uint64_t addr)
{
	struct around a = { 0, UINT64_MAX, 0 };

	for (size_t i = 0; i < t->count; i++) {
		uint64_t start = t->syms[i].start;

		if (start > addr && start < a.next)
			a.next = start;
		if (start > addr || (a.count && start < a.start))
			continue;
		a.count = a.count && start == a.start ? a.count + 1 : 1;
		a.start = start;
	}
	return a;
}

/* What is left out for some addresses does not matter for them, however the rest came in. */
static void test_want(void)
{
	static const size_t wanted[] = { 1, 2, 40, 400 };
	static const unsigned adds[] = { 6000, 10, 3000 };
	uint64_t seed = 9, addrs[400];
	bool same = true, fewer = true;

	for (size_t w = 0; w < ARRAY_SIZE(wanted); w++) {
		struct symtab all, few;

		symtab_init(&all);
		symtab_init(&few);
		addrs[0] = unit_random(&seed) % 0x400;
		for (size_t i = 1; i < wanted[w]; i++)
			addrs[i] = addrs[i - 1] + unit_random(&seed) % (0x40000 / wanted[w]);
		symtab_want(&few, addrs, wanted[w]);
		for (size_t i = 0; i < ARRAY_SIZE(adds); i++) {
			for (unsigned k = 0; k < adds[i]; k++) {
				struct symbol s = { .start = unit_random(&seed) & 0x3fff8,
						    .name = "" };

				symtab_add(&all, &s);
				symtab_add(&few, &s);
			}
			symtab_sort(&all);
			symtab_sort(&few);
			fewer = fewer && few.count < all.count;
			for (size_t k = 0; k < wanted[w]; k++) {
				struct around a = around(&all, addrs[k]);
				struct around b = around(&few, addrs[k]);

				same = same && a.count == b.count && a.next == b.next &&
				       (!a.count || a.start == b.start);
			}
		}
		fewer = fewer && few.cap < 8192;
		symtab_release(&all);
		symtab_release(&few);
	}
	CHECK(fewer);
	CHECK(same);
}

int main(void)
{
	test_sort();
	test_want();
	return unit_end();
}
