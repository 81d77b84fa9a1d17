/* Weight over time against a plain list of what was added; names of system calls. */
#include "analyzers/heat/callname.h"
#include "analyzers/lanes/load.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(void *ctx, uint64_t key)
{
	static const char *const names[] = { "a", "b", "c", "b", NULL };

	(void)ctx;
	return key < ARRAY_SIZE(names) ? names[key] : "d";
}

static uint64_t row_sum(const struct grid_part *g, size_t row)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < g->columns; i++)
		sum += g->cells[row * g->columns + i];
	return sum;
}

/* Whatever the span, no weight is lost and each lies in the column of its time. */
static void test_points(uint64_t start, uint64_t span)
{
	const struct load_view view = { 2, 54, name_of, NULL };
	struct load l = { 0 };
	struct arena a = { 0 };
	struct grid_part g;

	load_add(&l, 0, start, 1);
	for (uint64_t i = 1; i <= 1000; i++)
		load_add(&l, i % 3, start + span / 1000 * i, 10);
	load_add(&l, 3, start + span / 2, 5);
	load_add(&l, 4, start, 1e6); /* left out */
	CHECK(load_grid(&l, &view, &a, &g));
	CHECK(g.rows == 3 && g.columns <= 54 && g.x_first == start);
	CHECK(!strcmp(g.labels[0], "b") && !strcmp(g.labels[1], "a") && !strcmp(g.labels[2], "c"));
	CHECK(row_sum(&g, 0) == 334 * 10 + 5 && row_sum(&g, 1) == 333 * 10 + 1 &&
	      row_sum(&g, 2) == 333 * 10);
	CHECK(g.cells[g.columns] >= 1);
	CHECK(g.columns > 20 || span < 100000);
	load_release(&l);
	arena_release(&a);
}

/* The time of a span is divided among its columns. */
static void test_spans(void)
{
	const struct load_view view = { 1, 54, name_of, NULL };
	struct load l = { 0 };
	struct arena a = { 0 };
	struct grid_part g;

	load_span(&l, 0, 1000, 1000);
	load_span(&l, 0, 1000000, 3000000);
	load_span(&l, 1, 500, 1000500); /* what lies before the first one has no column */
	load_span(&l, 2, 2000000, 2000300);
	load_span(&l, 5, 9000000, 9000001);
	CHECK(load_grid(&l, &view, &a, &g));
	CHECK(g.rows == 2 && !strcmp(g.labels[1], "others"));
	CHECK(row_sum(&g, 0) == 2000000 && row_sum(&g, 1) == 500 + 300 + 1);
	for (size_t i = 0; i < g.columns; i++)
		CHECK(g.cells[i] <= g.x_step);
	load_release(&l);
	arena_release(&a);
}

/* Hostile times and keys: no end, no memory without a bound. */
static void test_hostile(void)
{
	const struct load_view view = { 2, 54, name_of, NULL };
	struct load l = { 0 };
	struct arena a = { 0 };
	struct grid_part g;

	for (uint64_t i = 0; i < 3 * LOAD_KEYS; i++)
		load_add(&l, i << 40, i, 1);
	load_add(&l, 1, UINT64_MAX, 1);
	load_span(&l, 1, 0, UINT64_MAX);
	load_span(&l, 1, 7, 3);
	CHECK(l.count == LOAD_KEYS);
	CHECK(load_grid(&l, &view, &a, &g) && g.columns <= 54);
	load_release(&l);
	arena_release(&a);
	memset(&l, 0, sizeof(l));
	CHECK(!load_grid(&l, &view, &a, &g));
}

static void check_call(const char *arch, unsigned bits, uint64_t number, const char *want)
{
	struct buf b = { 0 };

	call_name(arch, bits, number, &b);
	CHECK(!strcmp(b.data, want));
	buf_release(&b);
}

static void test_calls(void)
{
	check_call("x86_64", 64, 0, "read");
	check_call("x86_64", 64, 59, "execve");
	check_call("x86_64", 64, 232, "epoll_wait");
	check_call("x86_64", 64, 334, "rseq");
	check_call("x86_64", 64, 335, "id 335");
	check_call("x86_64", 64, 424, "pidfd_send_signal");
	check_call("aarch64", 64, 63, "read");
	check_call("aarch64", 64, 221, "execve");
	check_call("aarch64", 64, 244, "id 244");
	check_call("riscv64", 64, 293, "rseq");
	check_call("riscv64", 0, 462, "mseal");
	check_call("riscv64", 32, 463, "id 463");
	check_call("x86_64", 64, UINT64_MAX, "id 18446744073709551615");
	check_call("s390x", 64, 3, "id 3");
	check_call(NULL, 64, 0, "id 0");
}

/* Programs of 32 bits on kernels of 64, and kernels of 32. */
static void test_narrow_calls(void)
{
	check_call("x86_64", 32, 3, "read (i386)");
	check_call("x86_64", 32, 11, "execve (i386)");
	check_call("x86_64", 32, 386, "rseq (i386)");
	check_call("x86_64", 32, 402, "msgctl (i386)");
	check_call("x86_64", 32, 422, "futex_time64 (i386)");
	check_call("x86_64", 32, 435, "clone3 (i386)");
	check_call("x86_64", 32, 222, "id 222 (i386)");
	check_call("x86_64", 32, 9999, "id 9999 (i386)");
	check_call("x86_64", 0, 3, "id 3 (x86_64 or i386)");
	check_call("aarch64", 32, 3, "id 3 (arm)");
	check_call("aarch64", 0, 63, "id 63 (aarch64 or arm)");
	check_call("i686", 32, 3, "read");
	check_call("i686", 0, 252, "exit_group");
	check_call("armv7l", 32, 3, "id 3");
	check_call("x86_64", 32, 0x40000000, "read (x32)");
	check_call("x86_64", 0, 0x40000000 | 231, "exit_group (x32)");
	check_call("x86_64", 32, 0x40000000 | 512, "rt_sigaction (x32)");
	check_call("x86_64", 32, 0x40000000 | 520, "execve (x32)");
	check_call("x86_64", 32, 0x40000000 | 547, "pwritev2 (x32)");
	check_call("x86_64", 32, 0x40000000 | 548, "id 548 (x32)");
	check_call("x86_64", 64, 0x40000000, "id 1073741824");
	check_call("x86_64", 32, 0x80000000, "id 2147483648 (i386)");
}

int main(void)
{
	test_points(0, 0);
	test_points(77, 1000);
	test_points(1000000, 1000000000);
	test_points(123456789, 86400ull * 1000000000);
	test_spans();
	test_hostile();
	test_calls();
	test_narrow_calls();
	return unit_end();
}
