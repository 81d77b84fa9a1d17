/* Rows of stacks as folded text: "root;frame;leaf", and their weights as decimal numbers. */
#ifndef PDTOOL_STACK_LINE_H
#define PDTOOL_STACK_LINE_H

#include "formats/out.h"
#include "formats/model/result.h"
#include "parser/base/buf.h"

/* Rows share their beginnings with the row before, so a line is built by going back to where they
 * part: ask for the rows in their order. Begins as zeroes. */
struct stack_lines {
	struct buf text;
	size_t *ends; /* of each frame in text */
	size_t cap;
};

/* The line of row I, valid until the next call. */
const struct buf *stack_line(struct stack_lines *l, const struct stacks_part *p, size_t i);
void stack_lines_release(struct stack_lines *l);

/* VALUE * 10^-DECIMALS, without zeros at the end. */
void stack_amount(struct out *out, uint64_t value, unsigned decimals);
/* The weights of row I, up to the end of the line. What was before is scaled, to be comparable, and
 * BETWEEN stands behind it. */
void stack_weights(struct out *out, const struct stacks_part *p, size_t i, const char *between);

#endif
