/* What each function, or each call path, costs in each of several captures, and what of the
 * difference between the sides is noise. */
#ifndef PDTOOL_DIFF_AMOUNTS_H
#define PDTOOL_DIFF_AMOUNTS_H

#include "analyzers/count/stackset.h"
#include "analyzers/profile/noise/noise.h"

/* Weights of one set of ids in each capture: id * captures + capture. */
struct diff_sums {
	double *self, *total;
	size_t ids, captures;
};

/* By frame name, each counted once a stack; with SKIP_ROOT the outermost frames (process names) do
 * not count. SET is finished and has a side for each capture. */
void diff_sums_by_name(struct diff_sums *s, const struct stackset *set, bool skip_root);
/* All of them 0. */
void diff_sums_init(struct diff_sums *s, size_t ids, size_t captures);
void diff_sums_release(struct diff_sums *s);

struct diff_capture {
	bool after;
	double factor;	    /* its amounts times this are comparable with the others' */
	double unit_weight; /* of one sample, not normalised; 0: its noise is not known */
	double total;	    /* normalised; 0: totals are not compared */
};

/* How sure a change is, from knowing nothing on. */
enum certainty {
	CERTAINTY_UNKNOWN, /* how many samples a weight is, is not known */
	CERTAINTY_SMALL,   /* too few samples to be tested */
	CERTAINTY_NO,	   /* noise */
	CERTAINTY_PAIR,	   /* these two captures differ; how runs do is not known */
	CERTAINTY_SURE,	   /* these groups of runs differ */
};
extern const char *const certainty_words[];

/* Normalised means over the captures of a side: [0] before, [1] after. */
struct diff_amount {
	uint32_t id; /* frame id, or path */
	double self[2], total[2];
	struct noise_row noise;
	enum certainty certainty;
};

struct diff_amounts {
	struct diff_amount *list;
	size_t count;
	uint64_t all; /* ids that have something, also those that are not looked at by themselves */
	size_t family; /* hypotheses that were tested together */
	size_t found;
};

/* The test that speaks for a row: the one that found more. */
const struct noise_test *diff_amount_test(const struct diff_amount *a);

/* The noise of CAPTURES, by the self weights of S. NAMELESS, by id, are no functions. */
void diff_noise(struct noise *n, const struct diff_sums *s, const struct diff_capture *captures,
		const bool *nameless, const struct noise_asked *asked);
/* What the ids of other sums than those of the fit are to it. */
struct diff_ids {
	const uint32_t *names; /* by id: the id in the fit; NULL: the same */
	const bool *nameless;  /* by id in the fit */
};

/* Every id that any capture has something of; N NULL: nothing is known of noise. */
void diff_amounts_of(struct diff_amounts *d, const struct diff_sums *s,
		     const struct diff_capture *captures, const struct diff_ids *ids,
		     const struct noise *n);
void diff_amounts_release(struct diff_amounts *d);

#endif
