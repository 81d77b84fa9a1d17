/* Functions that have another name on the other side, and functions that were inlined into their
 * caller: told by their callers, their callees, their weight and their name. */
#ifndef PDTOOL_RENAMES_H
#define PDTOOL_RENAMES_H

#include "analyzers/profile/diff/diff_amounts.h"

#define NOT_RENAMED UINT32_MAX

/* Two names that are one row. */
struct rename {
	uint32_t kept,
		gone; /* after and before; or a caller and the callee that was inlined into it */
	bool inlined;
	bool sure; /* false: another candidate is as good */
};

struct renames {
	struct rename *list;
	size_t count;
	/* index into the list, of those that are sure; of callers that others were inlined into
	 * NOT_RENAMED */
	uint32_t *by_name;
};

/* The renames between the sides of SET, whose sums by name are SUMS. SKIP_ROOT: the outermost frame
 * is no function. */
void renames_find(struct renames *r, const struct stackset *set, const struct diff_sums *sums,
		  const struct diff_capture *captures, bool skip_root);
/* SET with one name for both: "new (was old)", "caller (with callee inlined)". SET is finished, and
 * is so again. */
void renames_apply(const struct renames *r, struct stackset *set);
void renames_release(struct renames *r);

#endif
