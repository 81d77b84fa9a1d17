/* The tests themselves. Needs libm only. */
#include "analyzers/profile/significance.h"
#include "parser/base/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define Z_LEAST	    3
#define FEW_SAMPLES 100 /* below, the normal distribution promises too much */

/* Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated by
 * Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
	f = d;
	for (int m = 1; m <= 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
		c = fabs(c) < DBL_MIN ? DBL_MIN : c;
		f *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
		c = fabs(c) < DBL_MIN ? DBL_MIN : c;
		step = d * c;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_two_sided(double t, double df)
{
	if (isinf(t))
		return 0;
	if (df > 1e6)
		return erfc(fabs(t) / sqrt(2));
	return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

static struct test decide(double delta, double variance, double df)
{
	struct test t = { .delta = delta, .se = sqrt(variance), .p = 1 };

	if (delta == 0)
		return t;
	t.z = variance > 0 ? delta / t.se : copysign(INFINITY, delta);
	t.p = student_two_sided(t.z, df);
	return t;
}

/* The mean of a side, the variance of that mean, and how well the variance is known. */
struct mean {
	double value, variance, df;
};

static struct mean mean_of(const struct test_side *s)
{
	struct mean m = { 0, 0, INFINITY };
	double sampling = 0, scatter = 0, n = (double)s->count;

	for (size_t i = 0; i < s->count; i++) {
		m.value += s->value[i] / n;
		sampling += s->value[i] * s->unit[i] / (n * n);
	}
	m.variance = sampling;
	if (s->count < 2)
		return m;
	for (size_t i = 0; i < s->count; i++)
		scatter += (s->value[i] - m.value) * (s->value[i] - m.value) / (n * (n - 1));
	if (scatter > sampling) {
		m.variance = scatter;
		m.df = n - 1;
	}
	return m;
}

/* K1 and K2 samples where each comes to the first side with probability SHARE: two-sided tail. */
static double split_p(double k1, double k2, double share)
{
	double at_least = k1 > 0 ? incomplete_beta(k1, k2 + 1, share) : 1;
	double at_most = k2 > 0 ? 1 - incomplete_beta(k1 + 1, k2, share) : 1;

	return fmin(1, 2 * fmin(at_least, at_most));
}

/* One sample of a side is worth UNIT: a side without any is measured with the other's. */
static double split_amounts(const struct test_side *a, const struct test_side *b)
{
	double ua = a->unit[0] > 0 ? a->unit[0] : b->unit[0];
	double ub = b->unit[0] > 0 ? b->unit[0] : ua;

	return ua > 0 ? split_p(a->value[0] / ua, b->value[0] / ub, ub / (ua + ub)) : 1;
}

struct test test_amounts(const struct test_side *before, const struct test_side *after)
{
	struct mean a = mean_of(before), b = mean_of(after);
	double variance = a.variance + b.variance;
	/* Welch and Satterthwaite */
	double spread = a.variance * a.variance / a.df + b.variance * b.variance / b.df;
	struct test t = decide(b.value - a.value, variance,
			       spread > 0 ? variance * variance / spread : INFINITY);

	if (before->count == 1 && after->count == 1 && t.delta != 0)
		t.p = split_amounts(before, after);
	return t;
}

struct test test_shares(double k1, double n1, double k2, double n2)
{
	double p = (k1 + k2) / (n1 + n2);
	struct test t = { .p = 1 };

	if (!(n1 > 0) || !(n2 > 0))
		return t;
	t = decide(k2 / n2 - k1 / n1, p * (1 - p) * (1 / n1 + 1 / n2), INFINITY);
	if (k1 + k2 < FEW_SAMPLES && t.delta != 0)
		t.p = fmax(t.p, split_p(k1, k2, n1 / (n1 + n2)));
	return t;
}

static int by_p(const void *a, const void *b)
{
	const struct test *x = *(struct test *const *)a, *y = *(struct test *const *)b;

	return x->p < y->p ? -1 : x->p > y->p;
}

void test_false_discovery(struct test *tests, size_t count, double rate)
{
	struct test **order = xmalloc((count + 1) * sizeof(struct test *));
	size_t pass = 0;

	for (size_t i = 0; i < count; i++)
		order[i] = &tests[i];
	qsort(order, count, sizeof(struct test *), by_p);
	for (size_t i = 0; i < count; i++) {
		if (order[i]->p <= rate * (double)(i + 1) / (double)count)
			pass = i + 1;
	}
	for (size_t i = 0; i < pass; i++)
		order[i]->significant = fabs(order[i]->z) >= Z_LEAST;
	free(order);
}
