/* Folded stacks, one line each: "root;frame;leaf weight". */
#include "formats/format.h"
#include "formats/shown.h"
#include "formats/stack_line.h"

#include <string.h>

/* The line about the weights, in its place among the sorted ones. */
static void unit_line(struct out *out, const char **line, const char *next)
{
	if (!*line || (next && strcmp(next, *line) <= 0))
		return;
	shown_put_lines(out, *line, strlen(*line));
	out_write(out, "\n", 1);
	*line = NULL;
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	const struct stacks_part *p = r->stacks;
	struct stack_lines lines = { 0 };
	const char *unit = p->unit_line;

	(void)style;
	for (size_t i = 0; i < p->count; i++) {
		const struct buf *line = stack_line(&lines, p, i);

		unit_line(out, &unit, line->data);
		shown_put_lines(out, line->data, line->len);
		out_write(out, " ", 1);
		stack_weights(out, p, i, " ");
	}
	unit_line(out, &unit, NULL);
	stack_lines_release(&lines);
}

const struct format format_folded = {
	.name = "folded",
	.summary = "one line for each stack, as FlameGraph's tools read it",
	.shapes = SHAPE_STACKS | SHAPE_CHANGES,
	.render = render,
};
