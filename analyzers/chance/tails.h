/* Tails and quantiles of the distributions that the tests need. Needs libm only. */
#ifndef PDTOOL_TAILS_H
#define PDTOOL_TAILS_H

/* Student's t with DF degrees of freedom, which may be infinite: both tails beyond T; the tail
 * above T; the T above which P (at most 0.5) lies. */
double student_two_sided(double t, double df);
double student_upper(double t, double df);
double student_quantile(double p, double df);
/* The standard normal distribution, below Z. */
double normal_below(double z);

#endif
