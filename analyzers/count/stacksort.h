/* Puts stacks in order, and tells what each has in common with the one before it. */
#ifndef PDTOOL_STACKSORT_H
#define PDTOOL_STACKSORT_H

#include "formats/model/result.h"

struct stack_order {
	const uint32_t *frames; /* of all rows: row.first is an index into these */
	/* by frame * 2, + 1 where it is not the last frame of its stack: how they compare. NULL:
	 * frames compare by their ids, and a stack comes before those that begin with it. */
	const uint32_t *ranks;
	unsigned jobs; /* threads that may sort */
};

/* ROWS, of the heap, in order; equal ones stay in the order they have. The result is where they are
 * now: it takes the place of ROWS, which is not valid any more. */
struct stack_row *stack_rows_sort(const struct stack_order *o, struct stack_row *rows,
				  size_t count);

#endif
