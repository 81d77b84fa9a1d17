/* Which modules the capture identifies by a build-id, what stands in for it where there is none,
 * and whether another way to record would have kept more. */
#ifndef PDTOOL_IDENTITY_H
#define PDTOOL_IDENTITY_H

#include "analyzers/count/answer.h"
#include "analyzers/count/module_shares.h"

/* The facts "no build-id", "only callers", "namespaces" and "same path". ORDER: the COUNT rows of
 * SHARES that have samples. */
void identity_facts(struct answer *a, const struct pdt_session *s,
		    const struct module_shares *shares, const uint32_t *order, size_t count);

#endif
