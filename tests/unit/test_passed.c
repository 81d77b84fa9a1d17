/* parser/feed/passed and the bound of cut: a sample past it is not forgotten silently. */
#include "parser/cut/cut.h"
#include "tests/lib/unit.h"

#include <string.h>

static void test_bits(void)
{
	struct passed *k = passed_new();

	passed_add(k, 1, 9);
	CHECK(passed_has(k, 1, 9));
	CHECK(!passed_has(k, 1, 8) && !passed_has(k, 0, 9) && !passed_has(k, 2, 9));
	CHECK(!passed_has(k, 1, PASSED_MAX - 1) && !k->full);
	passed_free(k);
}

static void test_bound(void)
{
	struct passed *k = passed_new();
	struct warnings w = { 0 };
	struct filter none = { 0 };
	struct cut_job job = {
		.passed = k, .filter = &none, .path = "/nowhere/made.data", .warnings = &w
	};

	passed_add(k, 0, 9);
	CHECK(!k->full);
	passed_add(k, 0, PASSED_MAX); /* takes no memory */
	CHECK(k->full && k->parts[0].bytes < 4096);
	CHECK(passed_has(k, 0, 9) && !passed_has(k, 0, PASSED_MAX));
	CHECK_EQ(cut_write(&job), ERR_LIMIT);
	CHECK_EQ(w.count, 1);
	CHECK(w.count && w.list[0].severity == SEV_FATAL && strstr(w.list[0].first, "8589934592"));
	warnings_release(&w);
	passed_free(k);
}

int main(void)
{
	test_bits();
	test_bound();
	return unit_end();
}
