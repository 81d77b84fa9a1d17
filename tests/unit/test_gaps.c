/* parser/gaps: throttling and losses become spans of time, merged and bounded. */
#include "parser/feed/gaps.h"
#include "tests/lib/unit.h"

static void check(const struct gap *g, uint64_t start, uint64_t end, enum pdt_gap_cause cause)
{
	CHECK_EQ(g->start_ns, start);
	CHECK_EQ(g->end_ns, end);
	CHECK_EQ(g->cause, cause);
}

static void test_throttle(void)
{
	struct gaps g = { 0 };

	gaps_unthrottle(&g, 7, 50); /* began before the capture, at an unknown time */
	gaps_throttle(&g, 7, 100);
	gaps_throttle(&g, 8, 150);
	gaps_throttle(&g, 7, 160); /* still is */
	gaps_unthrottle(&g, 7, 200);
	gaps_unthrottle(&g, 8, 260);
	gaps_throttle(&g, 8, 300);
	gaps_end(&g, 400); /* 8 until the end */
	CHECK_EQ(g.count, 2);
	check(&g.list[0], 100, 260, PDT_GAP_THROTTLED);
	check(&g.list[1], 300, 400, PDT_GAP_THROTTLED);
	gaps_release(&g);
}

static void test_lost(void)
{
	struct gaps g = { 0 };

	gaps_saw(&g, 0, 10);
	gaps_saw(&g, 3, 40);
	gaps_saw(&g, 0, 20);
	gaps_lost(&g, 0, 90);  /* since CPU 0's last record */
	gaps_lost(&g, 0, 95);  /* goes on */
	gaps_lost(&g, 2, 200); /* a CPU that was not seen before */
	gaps_lost(&g, 3, 190);
	gaps_throttle(&g, 1, 30);
	gaps_unthrottle(&g, 1, 35);
	gaps_end(&g, 300);
	CHECK_EQ(g.count, 3);
	check(&g.list[0], 30, 35, PDT_GAP_THROTTLED);
	check(&g.list[1], 20, 190, PDT_GAP_LOST);
	check(&g.list[2], 200, 201, PDT_GAP_LOST);
	gaps_release(&g);
}

/* What a damaged file says must not cost memory without end. */
static void test_bounds(void)
{
	struct gaps g = { 0 };

	gaps_saw(&g, UINT32_MAX, 5);
	CHECK_EQ(g.cpu_count, 0);
	for (uint64_t i = 0; i < GAPS_MAX_THROTTLED + 10; i++)
		gaps_throttle(&g, i, 1);
	CHECK_EQ(g.throttled_count, GAPS_MAX_THROTTLED);
	for (uint64_t i = 0; i < GAPS_MAX + 10; i++)
		gaps_lost(&g, GAPS_MAX_CPUS, 100 + 10 * i);
	CHECK_EQ(g.count, GAPS_MAX);
	CHECK_EQ(g.left_out, 10);
	CHECK_EQ(g.unknown, 10);
	CHECK_EQ(g.unplaced, GAPS_MAX + 10);
	gaps_end(&g, 50);
	gaps_release(&g);
}

int main(void)
{
	test_throttle();
	test_lost();
	test_bounds();
	return unit_end();
}
