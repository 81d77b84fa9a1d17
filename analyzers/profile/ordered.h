/* Folded text in the order of its lines, as a flame chart wants it: nothing is sorted, nothing is
 * merged that does not stand together. */
#ifndef PDTOOL_ORDERED_H
#define PDTOOL_ORDERED_H

#include "analyzers/count/stackset.h"
#include "parser/folded.h"

struct ordered {
	/* its names, frames and rows, and whether their sum is held; it is never finished */
	struct stackset set;
	const char **name_list;
	uint64_t *before;  /* by row, where the text has two columns */
	uint8_t *decimals; /* by row, until the end */
	size_t before_cap, decimals_cap;
	unsigned decimals_most;
	bool two_sides;
	struct stacks_part part;
};

/* Add the lines of F; REVERSE turns their stacks round. */
CHECKED int ordered_read(struct ordered *o, struct folded *f, bool reverse, struct warnings *w);
/* All lines are there. */
void ordered_finish(struct ordered *o);
void ordered_result(struct ordered *o, struct result *out);
void ordered_release(struct ordered *o);

#endif
