/* Tests of significance against values from tables and exact sums. */
#include "analyzers/profile/match_name.h"
#include "analyzers/profile/significance.h"
#include "tests/lib/unit.h"

#include <math.h>

static bool near(double got, double want, double relative)
{
	if (fabs(got - want) <= relative * fabs(want))
		return true;
	printf("    %.12g, not %.12g\n", got, want);
	return false;
}

/* Two-sided points of Student's t: the usual table. */
static void test_student(void)
{
	CHECK(near(student_two_sided(12.7062, 1), 0.05, 1e-5));
	CHECK(near(student_two_sided(4.30265, 2), 0.05, 1e-5));
	CHECK(near(student_two_sided(-2.77645, 4), 0.05, 1e-5));
	CHECK(near(student_two_sided(9.92484, 2), 0.01, 1e-5));
	CHECK(near(student_two_sided(3.16927, 10), 0.01, 1e-5));
	CHECK(near(student_two_sided(1.95996, INFINITY), 0.05, 1e-4));
	CHECK(near(student_two_sided(1, 1), 0.5, 1e-12));
	CHECK(student_two_sided(0, 3) == 1);
	CHECK(student_two_sided(INFINITY, 3) == 0);
}

static struct test one_each(double a, double b, double worth)
{
	struct test_side before = { &a, &worth, 1 }, after = { &b, &worth, 1 };

	return test_amounts(&before, &after);
}

static double binomial_tail(int n, int k)
{
	double sum = 0, c = 1;

	for (int i = 0; i <= k; i++) {
		sum += c;
		c *= (double)(n - i) / (i + 1);
	}
	return sum / pow(2, n);
}

static void test_one_capture_each(void)
{
	struct test t = one_each(100, 144, 1);

	CHECK(t.delta == 44);
	CHECK(near(t.se, sqrt(244), 1e-12));
	CHECK(near(t.z, 44 / sqrt(244), 1e-12));
	CHECK(near(t.p, 2 * binomial_tail(244, 100), 1e-9));
	/* the same samples, of a million ns each */
	CHECK(near(one_each(100e6, 144e6, 1e6).z, t.z, 1e-12));
	/* 7 of 7: what the normal distribution calls 0.008 happens once in 64 */
	CHECK(near(one_each(7, 0, 1).p, 1.0 / 64, 1e-9));
	CHECK(near(one_each(0, 7, 1).p, 1.0 / 64, 1e-9));
	CHECK(one_each(5, 5, 1).p == 1);
	CHECK(one_each(0, 0, 1).p == 1);
}

static void test_pooled_shares(void)
{
	struct test t = test_shares(300, 1000, 400, 1000);
	double p = 0.35;

	CHECK(near(t.delta, 0.1, 1e-12));
	CHECK(near(t.z, 0.1 / sqrt(p * (1 - p) * 2 / 1000), 1e-12));
	CHECK(near(t.p, erfc(t.z / sqrt(2)), 1e-12));
	CHECK(test_shares(0, 0, 5, 10).p == 1);
	CHECK(test_shares(3, 1000, 0, 1000).p > 0.2);
}

/* Student's example of Welch: 10 11 12 against 20 22 24. */
static void test_welch(void)
{
	const double a[] = { 10, 11, 12 }, b[] = { 20, 22, 24 }, none[] = { 0, 0, 0 };
	const double ones[] = { 1, 1, 1 }, fives[] = { 5, 5, 5 }, sixes[] = { 6, 6, 6 };
	struct test_side before = { a, none, 3 }, after = { b, none, 3 };
	struct test t = test_amounts(&before, &after);
	double se = sqrt(1.0 / 3 + 4.0 / 3);
	double df = pow(5.0 / 3, 2) / (pow(1.0 / 3, 2) / 2 + pow(4.0 / 3, 2) / 2);

	CHECK(near(t.delta, 11, 1e-12));
	CHECK(near(t.se, se, 1e-12));
	CHECK(near(t.z, 11 / se, 1e-12));
	CHECK(near(t.p, student_two_sided(11 / se, df), 1e-12));
	/* counts that do not scatter at all are no proof */
	before = (struct test_side){ fives, ones, 3 };
	after = (struct test_side){ sixes, ones, 3 };
	t = test_amounts(&before, &after);
	CHECK(near(t.se, sqrt(5.0 / 3 + 6.0 / 3), 1e-12));
	CHECK(t.p > 0.5);
}

static void test_discoveries(void)
{
	struct test list[] = {
		{ .z = 9, .p = 1e-9 },	 { .z = -4, .p = 1e-4 }, { .z = 2.9, .p = 0.004 },
		{ .z = 3.1, .p = 0.03 }, { .z = 1, .p = 0.3 },	 { .z = 0, .p = 1 },
	};

	test_false_discovery(list, 6, 0.05);
	CHECK(list[0].significant);
	CHECK(list[1].significant);
	CHECK(!list[2].significant); /* passes the rate (0.025), not |z| >= 3 */
	CHECK(list[3].significant);  /* 0.03 <= 0.05 * 4 / 6 */
	CHECK(!list[4].significant);
	test_false_discovery(list, 0, 0.05);
}

static const char *matched(const char *name)
{
	static struct buf b;

	b.len = 0;
	match_name(name, strlen(name), &b);
	return b.data;
}

static void test_names(void)
{
	struct buf b = { 0 };

	CHECK_STR(matched("f.isra.0"), "f");
	CHECK_STR(matched("f.constprop.0.isra.12"), "f");
	CHECK_STR(matched("f.part.3.cold"), "f");
	CHECK_STR(matched("f.llvm.1234567890"), "f");
	CHECK_STR(matched("f.lto_priv.0"), "f");
	CHECK_STR(matched("core::fmt::write::h0123456789abcdef"), "core::fmt::write");
	CHECK_STR(matched("memcpy@plt"), "memcpy");
	CHECK_STR(matched("memcpy@@GLIBC_2.14"), "memcpy");
	CHECK_STR(matched("memcpy@GLIBC_2.2.5"), "memcpy");
	CHECK_STR(matched("[lib.so <0x7f12ab>]"), "[lib.so <0x...>]");
	CHECK_STR(matched("f.1"), "f.1");
	CHECK_STR(matched("foo@bar.com"), "foo@bar.com");
	CHECK_STR(matched("cold"), "cold");
	CHECK_STR(matched(".cold"), ".cold");
	CHECK_STR(matched("operator()"), "operator()");
	CHECK_STR(matched("::h0123456789abcdef"), "::h0123456789abcdef");
	strip_hex("0x12+0xZ 0x", 11, &b);
	CHECK_STR(b.data, "0x...+0xZ 0x");
	buf_release(&b);
}

int main(void)
{
	test_student();
	test_one_capture_each();
	test_pooled_shares();
	test_welch();
	test_discoveries();
	test_names();
	return unit_end();
}
