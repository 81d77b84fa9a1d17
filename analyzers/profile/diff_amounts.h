/* What each function, or each call path, costs in each of several captures, and whether the two
 * sides differ. */
#ifndef PDTOOL_DIFF_AMOUNTS_H
#define PDTOOL_DIFF_AMOUNTS_H

#include "analyzers/profile/significance.h"
#include "analyzers/count/stackset.h"

struct diff_capture {
	bool after;
	double factor;	    /* its amounts times this are comparable with the others' */
	double unit_weight; /* of one sample, not normalised; 0: its noise is not known */
	double total;	    /* not normalised */
};

struct diff_captures {
	const struct diff_capture *list; /* in the order of the set's sides */
	size_t count;
	bool shares; /* factors make totals equal: what is compared is shares */
};

/* Normalised means over the captures of a side: [0] before, [1] after. */
struct diff_amount {
	uint32_t id; /* frame id, or node */
	double self[2], total[2];
	struct test test; /* of the totals */
};

struct diff_amounts {
	struct diff_amount *list;
	size_t count, significant;
};

#define DIFF_FALSE_DISCOVERY 0.05

/* By frame name, each counted once a stack; with SKIP_ROOT the outermost frames (process names) do
 * not count. SET is finished and has a side for each capture. */
void diff_amounts_by_name(struct diff_amounts *d, const struct stackset *set,
			  const struct diff_captures *captures, bool skip_root);
/* By node of the stack tree of SET's part; nodes of one path count as the first of them. */
void diff_amounts_by_node(struct diff_amounts *d, const struct stackset *set,
			  const struct diff_captures *captures);
void diff_amounts_release(struct diff_amounts *d);

#endif
