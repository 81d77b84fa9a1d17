/* How the absolute time of a row changed between two sides of captures, and how sure that is. */
#ifndef PDTOOL_ABS_CHANGE_H
#define PDTOOL_ABS_CHANGE_H

#include "analyzers/count/answer.h"
#include "analyzers/profile/noise/noise.h"
#include "analyzers/profile/shares.h"

/* One capture. */
struct abs_run {
	bool after;
	double time;	       /* T, in any unit */
	double error, time_df; /* what its source says of ln(T), see struct noise_run */
};

struct ratio {
	double ratio;
	double low, high; /* 95 % interval */
};

/* Samples of equal weight that would tell as much: (sum w)^2 / sum w^2; 0: not known. */
double effective_samples(const struct share_total *t);
/* The noise of RUNS, one for each capture of FUNCTIONS, by how functions differ. False: nothing
 * tells how many samples a weight is, and N is empty. noise_release() frees. */
bool abs_noise(struct noise *n, const struct shares *functions, const struct abs_run *runs,
	       const struct noise_asked *asked);
/* The interval of the ratio of a row's times, in parts of the ratio: SAMPLES are by run, and some
 * on both sides; ROW is its place among the functions of the fit, SIZE_MAX if it is none. */
void abs_interval(const struct noise *n, const double *samples, size_t row, double out[2]);
/* Of a row whose times are TIME: [0] before, [1] after. N is NULL where noise is not known; ROW as
 * above. What is not known is NaN: all of it where the time before is 0, the interval where the
 * time after is. */
struct ratio abs_ratio(const struct noise *n, const struct shares *s, uint32_t name, size_t row,
		       const double time[2]);

/* What an interval is made of; N as above. */
void abs_noise_facts(struct answer *a, const struct noise *n, bool runs_were_told);

#endif
