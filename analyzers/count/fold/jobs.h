/* The two long loops over a capture that was read, by several threads, each over a part. What comes
 * of them is what one thread would make. */
#ifndef PDTOOL_FOLD_JOBS_H
#define PDTOOL_FOLD_JOBS_H

#include "analyzers/count/fold/folding.h"

/* folding_name() with NAME, which interns names in the set of the struct folding it is given. */
void fold_jobs_name(struct folding *f, const struct pdt_session *s, frames_namer *name);

/* PAIR takes each pair of samples: it adds to the set and the sums of the struct folding it is
 * given, and makes no new names. */
typedef void fold_pair(struct folding *f, const void *pass, const struct sample_sum *sum);
void fold_jobs_pairs(struct folding *f, const void *pass, fold_pair *pair);

#endif
