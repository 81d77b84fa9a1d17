/* What perf diff computes: a row for each entry (command, module, function) with its share in the
 * first input, the baseline, and what became of it in each of the others. No word about noise: the
 * figures as they are. */
#ifndef PDTOOL_DIFF_COMPUTE_H
#define PDTOOL_DIFF_COMPUTE_H

#include "analyzers/count/answer.h"
#include "analyzers/profile/diff/diff_inputs.h"

struct diff_compute {
	const char *separator; /* of cells; NULL: columns */
	const char *how;       /* "delta-abs", "wdiff:1,2" ...; NULL: not given */
	struct word_list keys;
	uint64_t order;
	bool ordered, periods, formula, baseline_only;
	unsigned percentage; /* 1: relative */
	bool percentage_given;
	/* of HOW */
	unsigned method;
	long weights[2]; /* wdiff: of the baseline, and of what is compared with it */
	struct column *columns;
	size_t input_count, key_count;
	bool shown[FOLD_KEYS];
	bool in_ns;
};

/* Of a struct diff_compute. */
extern const struct option diff_compute_options[];

/* Was any of it asked for? */
bool diff_compute_asked(const struct diff_compute *c);
/* Take the options. BY_KEYS: which keys hold unless --sort says. */
void diff_compute_begin(struct diff_compute *c, const bool by_keys[FOLD_KEYS]);
/* SET has a side for each input of IN; its frames are the keys. The rows go into A. */
void diff_compute_rows(struct diff_compute *c, const struct stackset *set,
		       const struct diff_inputs *in, struct answer *a);
void diff_compute_release(struct diff_compute *c);

#endif
