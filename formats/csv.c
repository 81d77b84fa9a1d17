/* Comma-separated values, RFC 4180: a header row, CR LF left to those who want it (lines end in
 * LF). */
#include "formats/format.h"
#include "formats/lib/cell.h"

#include <string.h>

static void field(struct out *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		out_str(out, s);
		return;
	}
	out_write(out, "\"", 1);
	for (; *s; s++) {
		if (*s == '"')
			out_write(out, "\"", 1);
		out_write(out, s, 1);
	}
	out_write(out, "\"", 1);
}

static void render_table(const struct table_part *t, struct out *out)
{
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < t->column_count; c++) {
		out_str(out, c ? "," : "");
		field(out, t->columns[c].name);
	}
	out_str(out, "\n");
	for (size_t i = 0; i < t->row_count * t->column_count; i++) {
		size_t c = i % t->column_count;

		out_str(out, c ? "," : "");
		field(out, cell_text(&t->columns[c], &t->cells[i], false, buf));
		if (c + 1 == t->column_count)
			out_str(out, "\n");
	}
}

/* A line for each cell that holds something: sparse matrices stay small. */
static void grid_row(const struct grid_part *g, size_t row, struct out *out)
{
	for (size_t c = 0; c < g->columns; c++) {
		uint64_t value = g->cells[row * g->columns + c];

		if (!value)
			continue;
		out_u64(out, g->x_first + c * g->x_step);
		out_str(out, ",");
		if (g->labels) {
			field(out, g->labels[row]);
		} else {
			out_u64(out, g->edges[row]);
			out_str(out, ",");
			out_u64(out, g->edges[row + 1]);
		}
		out_str(out, ",");
		out_u64(out, value);
		out_str(out, "\n");
	}
}

static void render_grid(const struct grid_part *g, struct out *out)
{
	field(out, g->x_name);
	if (g->labels) {
		out_str(out, ",");
		field(out, g->y_name);
	} else {
		out_str(out, ",value_low,value_high");
	}
	out_str(out, ",");
	field(out, g->cell_name);
	out_str(out, "\n");
	for (size_t i = 0; i < g->rows; i++)
		grid_row(g, i, out);
}

static void render_facts(const struct result *r, struct out *out)
{
	for (size_t i = 0; i < r->fact_count; i++) {
		out_str(out, "# ");
		out_str(out, r->facts[i].name);
		out_str(out, ": ");
		out_str(out, r->facts[i].value);
		out_str(out, "\n");
	}
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	if (style->header)
		render_facts(r, out);
	if (r->table)
		render_table(r->table, out);
	else
		render_grid(r->grid, out);
}

const struct format format_csv = {
	.name = "csv",
	.summary = "comma-separated values with a header row (RFC 4180)",
	.shapes = SHAPE_TABLE | SHAPE_GRID,
	.render = render,
};
