/* Folded stacks, one line each: "root;frame;leaf weight". */
#include "formats/format.h"
#include "formats/stack_line.h"

static void render(const struct result *r, const struct style *style, struct out *out)
{
	const struct stacks_part *p = r->stacks;
	struct stack_lines lines = { 0 };

	(void)style;
	for (size_t i = 0; i < p->count; i++) {
		const struct buf *line = stack_line(&lines, p, i);

		out_write(out, line->data, line->len);
		out_write(out, " ", 1);
		if (p->before) {
			stack_before(out, p, i);
			out_write(out, " ", 1);
		}
		stack_weight(out, p, i);
		out_write(out, "\n", 1);
	}
	stack_lines_release(&lines);
}

const struct format format_folded = {
	.name = "folded",
	.summary = "one line for each stack, as FlameGraph's tools read it",
	.shapes = SHAPE_STACKS,
	.render = render,
};
