/* The order of rows that changed: the deepest function that did, then the callers that changed
 * because of it. */
#ifndef PDTOOL_DIFF_ORDER_H
#define PDTOOL_DIFF_ORDER_H

#include "analyzers/profile/diff/diff_amounts.h"

#define NO_CAUSE UINT32_MAX

/* For each row of D the row whose change explains its own, NO_CAUSE: none; the caller's to free. A
 * found row is explained where what is left of it without the stacks of deeper found ones did not
 * change in the same direction, beyond 95 % of the noise. */
uint32_t *diff_causes(const struct diff_amounts *d, const struct stackset *set,
		      const struct diff_capture *captures, const struct noise *n);

#endif
