/* Is a difference more than noise? Tests for one capture a side and for several, and the share of
 * false discoveries among many rows. */
#ifndef PDTOOL_SIGNIFICANCE_H
#define PDTOOL_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The outcome of one test. Without any data: delta 0, z 0, p 1. */
struct test {
	double delta; /* after - before, normalised */
	double se;    /* its standard error */
	double z;     /* delta / se; of several captures Welch's t */
	double p;     /* two-sided: how often noise alone differs at least so much */
	bool significant;
};

/* One side of a test: of each capture the normalised amount, and what one sample is worth in it (0:
 * not known). Samples come as a Poisson process does: value / unit of them vary by its root. */
struct test_side {
	const double *value, *unit;
	size_t count;
};

/* Amounts of one capture each: z = delta / sqrt(v1 + v2), and p from the exact binomial test of how
 * the samples are split. Of several captures Welch's t on their means; where they scatter less than
 * sampling must make them (three counts of 5), the sampling variance counts instead. */
struct test test_amounts(const struct test_side *before, const struct test_side *after);

/* Shares K1 of N1 and K2 of N2 effective samples: pooled binomial z; p is exact where both are few.
 * delta is in shares. */
struct test test_shares(double k1, double n1, double k2, double n2);

/* Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995): mark as significant so many that of those
 * at most the share RATE is expected to be false; but none whose |z| is below 3: one changed
 * function changes all its callers, and among so many sure finds chance finds would pass. */
void test_false_discovery(struct test *tests, size_t count, double rate);

/* Two-sided tail of Student's t with DF degrees of freedom; DF may be infinite. */
double student_two_sided(double t, double df);

#endif
