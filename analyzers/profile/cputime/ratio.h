/* The ratio of two absolute times, and how well the samples know it. */
#ifndef PDTOOL_RATIO_H
#define PDTOOL_RATIO_H

/* One name in one capture. */
struct ratio_side {
	double value;		       /* its absolute time: T * weight / total */
	double weight, total;	       /* of its samples and of all */
	double squares, total_squares; /* sums of the squares of the weights */
};

struct ratio {
	double ratio;
	double low, high; /* 95 % interval */
};

/* Samples of equal weight that would tell as much: (sum w)^2 / sum w^2. */
double effective_samples(double weight, double squares);
/* The standard error of the logarithm of the share of one side. With equal weights it is
 * sqrt((1 - p) / n), n the samples of that name; T is taken as exact. */
double share_error(const struct ratio_side *s);
/* What is not known is NaN: all of it where A's time is 0, the interval where B's is, or where
 * nothing tells how many samples a weight is (squares are 0). */
struct ratio ratio_of(const struct ratio_side *a, const struct ratio_side *b);

#endif
