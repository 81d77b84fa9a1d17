/* The noise model on rows whose answer is known, Student's t against the usual table, names of one
 * function. */
#include "analyzers/profile/diff/match_name.h"
#include "analyzers/profile/noise/noise.h"
#include "analyzers/chance/tails.h"
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

static void test_quantiles(void)
{
	CHECK(near(student_quantile(0.025, 4), 2.77645, 1e-5));
	CHECK(near(student_quantile(0.25, 10), 0.699812, 1e-5));
	CHECK(near(student_quantile(0.025, INFINITY), 1.95996, 1e-4));
	CHECK(near(student_upper(-2.77645, 4), 0.975, 1e-5));
	CHECK(near(normal_below(1.959964), 0.975, 1e-6));
}

#define ROWS 20
#define RUNS 6

/* A program of ROWS functions with 1,000 samples each in three runs a side, scattering a little and
 * never the same. */
struct program {
	struct noise_run run[RUNS];
	double x[ROWS * RUNS];
	bool nameless[ROWS];
};

static void make(struct program *p)
{
	*p = (struct program){ 0 };
	for (int r = 0; r < RUNS; r++) {
		p->run[r] = (struct noise_run){ .after = r >= RUNS / 2, .unit = 1 };
		for (int j = 0; j < ROWS; j++)
			p->x[j * RUNS + r] = 1000 + (j * 37 + r * 53 + j * r * 11) % 71 - 35;
	}
}

static size_t test_program(struct program *p, int runs, struct noise *n, struct noise_row out[ROWS])
{
	static double x[ROWS * RUNS];
	struct noise_run run[RUNS];
	struct noise_rows rows = { x, x, p->nameless, ROWS };

	/* the runs in the middle: as many before as after */
	for (int r = 0; r < runs; r++) {
		run[r] = p->run[RUNS / 2 - runs / 2 + r];
		run[r].total = 0;
		for (int j = 0; j < ROWS; j++) {
			x[j * runs + r] = p->x[j * RUNS + RUNS / 2 - runs / 2 + r];
			run[r].total += x[j * runs + r] * run[r].unit;
		}
	}
	noise_fit(n, run, (size_t)runs, &rows,
		  &(struct noise_asked){ 0, NOISE_BETWEEN_RUNS, 0.05 });
	return noise_test_rows(n, &rows, NULL, out);
}

static int found(const struct noise_row *out)
{
	int count = 0;

	for (int j = 0; j < ROWS; j++)
		count += out[j].self.found;
	return count;
}

static void test_one_changed(int runs)
{
	struct noise_row out[ROWS];
	struct program p;
	struct noise n;

	make(&p);
	CHECK(test_program(&p, runs, &n, out) == 2 * ROWS);
	CHECK(n.fitted == ROWS);
	CHECK(found(out) == 0);
	CHECK(!n.total.over);
	noise_release(&n);
	for (int r = RUNS / 2; r < RUNS; r++)
		p.x[7 * RUNS + r] *= 1.5;
	(void)test_program(&p, runs, &n, out);
	CHECK(found(out) == 1 && out[7].self.found);
	CHECK(near(out[7].self.change, log(1.5), 0.1));
	CHECK(out[7].self.over == (runs > 2)); /* one run a side has to bear more */
	noise_release(&n);
	/* what has no name is not tested */
	p.nameless[7] = true;
	CHECK(test_program(&p, runs, &n, out) == 2 * ROWS - 2);
	CHECK(found(out) == 0 && !out[7].self.over);
	noise_release(&n);
}

/* A slower machine changes no function; whether it is the machine or the program depends on how
 * runs scatter. */
static void test_all_slower(void)
{
	struct noise_row out[ROWS];
	struct noise_test amount;
	struct program p;
	struct noise n;

	make(&p);
	for (int i = 0; i < ROWS * RUNS; i++)
		p.x[i] *= i % RUNS >= RUNS / 2 ? 1.4 : 1;
	(void)test_program(&p, 2, &n, out);
	CHECK(found(out) == 0);
	CHECK(!n.total.over); /* one run a side cannot tell */
	noise_release(&n);
	(void)test_program(&p, RUNS, &n, out);
	CHECK(found(out) == 0);
	CHECK(near(n.total.change, log(1.4), 0.05));
	amount = noise_amount(&n, &out[3].self);
	CHECK(near(amount.change, log(1.4), 0.1));
	noise_release(&n);
	/* half as many samples, each worth twice as much, change nothing */
	for (int r = RUNS / 2; r < RUNS; r++) {
		p.run[r].unit = 2;
		for (int j = 0; j < ROWS; j++)
			p.x[j * RUNS + r] /= 2.8;
	}
	(void)test_program(&p, RUNS, &n, out);
	CHECK(found(out) == 0);
	CHECK(fabs(n.total.change) < 0.01);
	CHECK(fabs(noise_amount(&n, &out[3].self).change) < 0.05);
	noise_release(&n);
}

/* Too few functions to tell a run from a function: the runs' assumed scatter counts for all. */
static void test_few_functions(void)
{
	const struct noise_run run[2] = { { false, 1, 2000 }, { true, 1, 2600 } };
	const double x[] = { 1000, 1600, 1000, 1000 };
	struct noise_rows rows = { x, x, NULL, 2 };
	struct noise_row out[2];
	struct noise n;

	noise_fit(&n, run, 2, &rows, &(struct noise_asked){ 0, NOISE_BETWEEN_RUNS, 0.05 });
	CHECK(noise_test_rows(&n, &rows, NULL, out) == 4);
	CHECK(n.fitted == 0);
	CHECK(!out[0].self.found && !out[0].self.over && !n.total.over);
	noise_release(&n);
}

static void test_power(void)
{
	struct noise_row out[ROWS];
	double one, three, five;
	struct program p;
	struct noise n;
	size_t family, need;

	make(&p);
	family = test_program(&p, RUNS, &n, out);
	one = noise_least_change(&n, 0.1, 1, family);
	three = noise_least_change(&n, 0.1, 3, family);
	five = noise_least_change(&n, 0.1, 5, family);
	CHECK(one > three && three > five && five > 0);
	CHECK(noise_least_change(&n, 0.01, 3, family) > three);
	need = noise_runs_needed(&n, 0.1, five, family);
	CHECK(need <= 5 && need > 3);
	CHECK(noise_runs_needed(&n, 0.1, 1e-9, family) == 0);
	noise_release(&n);
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

static void test_no_functions(void)
{
	CHECK(is_no_function("[unknown]", 9));
	CHECK(is_no_function("0x...", 5));
	CHECK(is_no_function("0x4011a0", 8));
	CHECK(is_no_function("ffffffff81000000", 16));
	CHECK(!is_no_function("deadbeef", 8));
	CHECK(!is_no_function("add", 3));
	CHECK(!is_no_function("[libc.so.6]", 11));
}

int main(void)
{
	test_student();
	test_quantiles();
	test_one_changed(RUNS);
	test_one_changed(2);
	test_all_slower();
	test_few_functions();
	test_power();
	test_names();
	test_no_functions();
	return unit_end();
}
