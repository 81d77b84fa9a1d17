/* What a comparison says, in words: what changed and how sure that is, what could have been found.
 */
#ifndef PDTOOL_DIFF_VERDICT_H
#define PDTOOL_DIFF_VERDICT_H

#include "analyzers/profile/diff/diff_table.h"

struct diff_outcome {
	const struct diff_rows *rows;
	const struct noise *noise; /* NULL: not known */
	const char *void_because;  /* NULL: the comparison stands */
	const char *rows_are;	   /* "function" */
	bool gate;		   /* a limit was set */
	double unnamed;		   /* percent of the weight that no function has */
};

/* The verdict is the first fact of all. */
void diff_verdict(struct answer *a, const struct diff_outcome *o);
/* The facts about noise, power and the total. */
void diff_noise_facts(struct answer *a, const struct diff_outcome *o);

#endif
