/* Joins the frames of a row with semicolons, taking over what the row before shares with it,
 * and writes weights as decimal numbers. */
#include "formats/stack_line.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct buf *stack_line(struct stack_lines *l, const struct stacks_part *p, size_t i)
{
	const struct stack_row *row = &p->rows[i];
	uint32_t depth = row->shared;

	l->ends = xgrow(l->ends, &l->cap, row->count + 1, sizeof(*l->ends));
	l->text.len = depth ? l->ends[depth - 1] : 0;
	for (; depth < row->count; depth++) {
		if (depth)
			buf_char(&l->text, ';');
		buf_str(&l->text, p->names[p->frames[row->first + depth]]);
		l->ends[depth] = l->text.len;
	}
	buf_reserve(&l->text, 0)[0] = '\0';
	return &l->text;
}

void stack_lines_release(struct stack_lines *l)
{
	free(l->ends);
	buf_release(&l->text);
}

void stack_amount(struct out *out, uint64_t value, unsigned decimals)
{
	char text[32];
	size_t n;

	for (; decimals && value % 10 == 0; decimals--)
		value /= 10;
	if (!decimals) {
		out_u64(out, value);
		return;
	}
	n = (size_t)snprintf(text, sizeof(text), "%0*" PRIu64, (int)decimals + 1, value);
	out_write(out, text, n - decimals);
	out_write(out, ".", 1);
	out_write(out, text + n - decimals, decimals);
}

void stack_weights(struct out *out, const struct stacks_part *p, size_t i, const char *between)
{
	double scaled = p->before ? (double)p->before[i] * p->scale : 0;

	if (p->before && (p->scale == 1 || !isfinite(scaled))) {
		stack_amount(out, p->before[i], p->decimals);
	} else if (p->before) {
		/* a fraction: as many digits as a double holds */
		for (unsigned k = 0; k < p->decimals; k++)
			scaled /= 10;
		out_put(out, "%.15g", scaled);
	}
	out_str(out, p->before ? between : "");
	stack_amount(out, p->rows[i].weight, p->decimals);
	out_str(out, "\n");
}
