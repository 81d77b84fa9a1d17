/* Folded stacks counted in parts, by several threads: what struct analyzer asks for, of those that
 * count them. */
#ifndef PDTOOL_PROFILE_PARTS_H
#define PDTOOL_PROFILE_PARTS_H

#include "analyzers/count/fold/folding.h"

/* Let PART, all zero, count a part of what F would of S. False: that cannot be, or one has to see
 * all. Past the bound of memory no part is of use: its labels are not told anew. */
CHECKED bool folding_part(struct folding *part, const struct folding *f,
			  const struct pdt_session *s);
/* PART is released; its counts are F's, IDS as there. NULL: they are of no use. */
void folding_part_end(struct folding *f, struct folding *part, const struct pdt_session *s,
		      const struct share_ids *ids);

#endif
