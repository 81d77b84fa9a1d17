/* The arithmetic of one ratio and its interval. Works on numbers alone. */
#include "analyzers/profile/cputime/ratio.h"

#include <math.h>

#define Z95 1.959963984540054

double effective_samples(double weight, double squares)
{
	return squares > 0 ? weight * weight / squares : 0;
}

/* The share is a ratio of two sums, p = sum(w x) / sum(w); to first order its variance is
 * sum(w^2 (x - p)^2) / sum(w)^2. */
double share_error(const struct ratio_side *s)
{
	double p = s->weight / s->total;
	double rest = s->total_squares - s->squares;
	double sum = (1 - p) * (1 - p) * s->squares + p * p * (rest > 0 ? rest : 0);

	return sqrt(sum) / s->weight;
}

struct ratio ratio_of(const struct ratio_side *a, const struct ratio_side *b)
{
	struct ratio r = { NAN, NAN, NAN };
	double error;

	if (!(a->value > 0))
		return r;
	r.ratio = b->value / a->value;
	if (!(a->weight > 0 && b->weight > 0 && a->squares > 0 && b->squares > 0))
		return r;
	error = hypot(share_error(a), share_error(b));
	r.low = r.ratio * exp(-Z95 * error);
	r.high = r.ratio * exp(Z95 * error);
	return r;
}
