/* Folded stacks, one line each: "root;frame;leaf weight". */
#include "formats/format.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

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
		out_u64(out, row->weight);
		out_write(out, "\n", 1);
	}
	free(ends);
	buf_release(&line);
}

const struct format format_folded = {
	.name = "folded",
	.summary = "one line for each stack, as FlameGraph's tools read it",
	.stacks = true,
	.render = render,
};
