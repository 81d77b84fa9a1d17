/* The colours of a grid by what chance makes of its mean. */
#include "formats/grid_view.h"
#include "tests/lib/unit.h"

/* By chance: what a flat load makes of its mean looks flat, what it does not make stands out. */
static void test_chance(void)
{
	uint64_t edges[51], cells[2500];
	struct grid_part g = { .x = { "time_ns", COLUMN_TIME_NS, 0, NULL },
			       .x_step = 1000000000,
			       .columns = 50,
			       .y = { "subsecond_ns", COLUMN_NS, 0, NULL },
			       .rows = 50,
			       .edges = edges,
			       .cell = { "count", COLUMN_COUNT, 0, NULL },
			       .cells = cells,
			       .scale = GRID_SCALE_CHANCE };
	struct grid_view v;
	unsigned exact = 0;

	for (size_t i = 0; i < 51; i++)
		edges[i] = i * 20000000;
	for (size_t i = 0; i < 2500; i++)
		cells[i] = 86 + i * 13 % 29;
	cells[77] = 300;
	cells[78] = 20;
	grid_view_init(&v, &g, 50, 50);
	CHECK(v.shades.mean > 100 && v.shades.mean < 100.2);
	CHECK_EQ(grid_view_chance(&v), 132);
	CHECK(grid_view_level(&v, 109, 15) - grid_view_level(&v, 91, 15) <= 1);
	CHECK(grid_view_level(&v, 132, 15) - grid_view_level(&v, 70, 15) <= 2);
	CHECK(grid_view_level(&v, 160, 15) > grid_view_level(&v, 132, 15));
	CHECK(grid_view_level(&v, 20, 15) < grid_view_level(&v, 70, 15) - 2);
	CHECK_EQ(grid_view_level(&v, 300, 15), 15);
	CHECK_EQ(grid_view_level(&v, 0, 15), 0);
	for (unsigned level = 2; level <= 15; level++) {
		uint64_t low = grid_view_level_low(&v, level, 15);

		if (low == 20) /* the least that occurs */
			continue;
		CHECK_EQ(grid_view_level(&v, low, 15), level);
		CHECK_EQ(grid_view_level(&v, low - 1, 15), level - 1);
		exact++;
	}
	CHECK(exact > 10);
	grid_view_release(&v);
	/* one CPU or both, sampled at a fixed rate: that chance does not do */
	for (size_t i = 0; i < 2500; i++)
		cells[i] = 1 + i % 50 / 25;
	grid_view_init(&v, &g, 50, 50);
	CHECK(grid_view_level(&v, 2, 15) >= grid_view_level(&v, 1, 15) + 2);
	grid_view_release(&v);
}

int main(void)
{
	test_chance();
	return unit_end();
}
