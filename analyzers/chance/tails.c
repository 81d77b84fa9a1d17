/* Incomplete beta function, Student's t, normal distribution. */
#include "analyzers/chance/tails.h"

#include <float.h>
#include <math.h>

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

double normal_below(double z)
{
	return erfc(-z / sqrt(2)) / 2;
}

double student_two_sided(double t, double df)
{
	if (isinf(t))
		return 0;
	if (df > 1e6)
		return erfc(fabs(t) / sqrt(2));
	return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double student_upper(double t, double df)
{
	double half = student_two_sided(t, df) / 2;

	return t < 0 ? 1 - half : half;
}

double student_quantile(double p, double df)
{
	double lo = 0, hi = 1;

	while (student_upper(hi, df) > p && hi < 1e9)
		hi *= 2;
	for (int i = 0; i < 60; i++) {
		double mid = (lo + hi) / 2;

		if (student_upper(mid, df) > p)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
