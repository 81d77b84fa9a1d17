/* Folded stacks, one line each: "root;frame;leaf weight". */
#include "formats/format.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* VALUE * 10^-DECIMALS, without zeros at the end. */
static void out_decimal(struct out *out, uint64_t value, unsigned decimals)
{
	char text[32];
	size_t n;

	while (decimals && value % 10 == 0) {
		value /= 10;
		decimals--;
	}
	n = (size_t)snprintf(text, sizeof(text), "%0*" PRIu64, (int)decimals + 1, value);
	out_write(out, text, n - decimals);
	if (decimals) {
		out_write(out, ".", 1);
		out_write(out, text + n - decimals, decimals);
	}
}

/* Scaled, a weight is a fraction: as many digits as a double holds. */
static void out_before(struct out *out, uint64_t value, const struct stacks_part *p)
{
	char text[64];
	double scaled = (double)value * p->scale;

	if (p->scale == 1) {
		out_decimal(out, value, p->decimals);
		return;
	}
	for (unsigned i = 0; i < p->decimals; i++)
		scaled /= 10;
	snprintf(text, sizeof(text), "%.15g", scaled);
	out_str(out, text);
}

/* Rows share their beginnings with the row before, so a line is built by going back to where they
 * part. */
static void render(const struct result *r, const struct style *style, struct out *out)
{
	const struct stacks_part *p = r->stacks;
	struct buf line = { 0 };
	size_t *ends = NULL;
	size_t cap = 0;

	(void)style;
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_row *row = &p->rows[i];
		uint32_t depth = row->shared;

		ends = xgrow(ends, &cap, row->count + 1, sizeof(*ends));
		line.len = depth ? ends[depth - 1] : 0;
		for (; depth < row->count; depth++) {
			if (depth)
				buf_char(&line, ';');
			buf_str(&line, p->names[p->frames[row->first + depth]]);
			ends[depth] = line.len;
		}
		out_write(out, line.data, line.len);
		out_write(out, " ", 1);
		if (p->before) {
			out_before(out, p->before[i], p);
			out_write(out, " ", 1);
		}
		out_decimal(out, row->weight, p->decimals);
		out_write(out, "\n", 1);
	}
	free(ends);
	buf_release(&line);
}

const struct format format_folded = {
	.name = "folded",
	.summary = "one line for each stack, as FlameGraph's tools read it",
	.shapes = SHAPE_STACKS,
	.render = render,
};
