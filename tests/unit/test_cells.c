/* Packed cells against a plain list of them; and what they take. */
#include "formats/model/cells.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 5000

static char long_text[100000];
static const char kept[] = "kept";

/* What is put in at I, and what is to come out. */
struct put {
	struct cell cell;
	size_t len; /* of a text that is copied; SIZE_MAX: none is */
};

static uint64_t some_number(uint64_t *seed)
{
	return unit_random(seed) >> unit_random(seed) % 64;
}

static struct put some_cell(uint64_t *seed)
{
	static const double reals[] = { 0, -0.0, 0.1, 100, -1e300, INFINITY };
	static const size_t lengths[] = { 0, 1, 15, 62, 63, 64, 65, 255, 256, 70000 };
	struct put p = { .len = SIZE_MAX };

	switch (unit_random(seed) % 6) {
	case 0:
		p.cell.empty = true;
		break;
	case 1:
		p.cell.real = reals[unit_random(seed) % ARRAY_SIZE(reals)];
		break;
	case 2:
		p.cell.delta = -(int64_t)some_number(seed);
		break;
	case 3:
		p.cell = (struct cell){ .text = kept, .empty = true };
		break;
	case 4:
		p.cell.empty = true;
		p.len = lengths[unit_random(seed) % ARRAY_SIZE(lengths)];
		break;
	default:
		p.cell.count = some_number(seed);
	}
	return p;
}

static void add(struct cells *c, const struct put *p)
{
	char *copy;

	if (p->len == SIZE_MAX) {
		cells_add(c, &p->cell);
		return;
	}
	copy = cells_add_text(c, long_text, p->len);
	CHECK_EQ(strlen(copy), p->len);
	if (p->len)
		copy[p->len - 1] = 'z';
}

static void check(const struct cell *got, const struct put *p)
{
	CHECK_EQ(got->empty, p->cell.empty);
	if (p->len == SIZE_MAX) {
		CHECK(got->text == p->cell.text);
		CHECK(got->empty || got->count == p->cell.count);
		return;
	}
	CHECK_EQ(strlen(got->text), p->len);
	CHECK(!p->len ||
	      (got->text[p->len - 1] == 'z' && !memcmp(got->text, long_text, p->len - 1)));
}

static void test_all_kinds(void)
{
	struct put *list = xcalloc(CELLS, sizeof(*list));
	struct cell *all = xcalloc(CELLS, sizeof(*all));
	struct cells c = { 0 }, copy = { 0 };
	uint64_t seed = 5;

	for (size_t i = 0; i < CELLS; i++) {
		list[i] = some_cell(&seed);
		add(&c, &list[i]);
	}
	CHECK_EQ(c.count, CELLS);
	cells_get(&c, 0, CELLS, all);
	for (size_t i = 0; i < CELLS; i++) {
		struct cell one = cells_at(&c, i);

		check(&one, &list[i]);
		check(&all[i], &list[i]);
		cells_copy(&copy, &c, i);
	}
	CHECK_EQ(copy.used, c.used);
	CHECK(!memcmp(copy.bytes, c.bytes, c.used));
	cells_release(&c);
	cells_release(&copy);
	CHECK_EQ(c.count, 0);
	free(all);
	free(list);
}

/* A place for a text that comes later, between cells of any length. */
static void test_set_text(void)
{
	struct cells c = { 0 };

	for (uint64_t i = 0; i < 100; i++) {
		cells_add(&c, &(struct cell){ .count = 1ull << i % 64 });
		cells_add_kept(&c, NULL);
	}
	for (size_t i = 0; i < 100; i++) {
		CHECK(!cells_at(&c, 2 * i + 1).text && cells_at(&c, 2 * i + 1).empty);
		cells_set_text(&c, 2 * i + 1, i % 2 ? kept : long_text);
	}
	for (size_t i = 0; i < 100; i++) {
		CHECK_EQ(cells_at(&c, 2 * i).count, 1ull << i % 64);
		CHECK(cells_at(&c, 2 * i + 1).text == (i % 2 ? kept : long_text));
	}
	cells_release(&c);
}

/* What the table of a million threads stands on: a small number takes a byte, and as much the way
 * to find it. */
static void test_size(void)
{
	struct cells c = { 0 };

	for (size_t i = 0; i < 16000; i++)
		cells_add(&c, &(struct cell){ .count = i % 4 ? i % 100 : 1000 + i });
	CHECK(c.used + c.start_count * sizeof(*c.starts) <= 16000 * (1.5 + 1));
	cells_release(&c);
}

int main(void)
{
	memset(long_text, 'a', sizeof(long_text) - 1);
	test_all_kinds();
	test_set_text();
	test_size();
	return unit_end();
}
