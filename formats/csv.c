/* Comma-separated values, RFC 4180: a header row, CR LF left to those who want it (lines end in
 * LF). A row is a line: control characters in text become U+FFFD. */
#include "formats/format.h"
#include "formats/cell.h"
#include "formats/shown.h"
#include "formats/stack_line.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_row(const struct column *columns, const struct cell *row, size_t count,
		      struct out *out)
{
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < count; c++) {
		const char *text = cell_machine(&columns[c], &row[c], buf);

		out_str(out, c ? "," : "");
		shown_put(out, text, strlen(text));
	}
	out_str(out, "\n");
}

static void write_header(const struct column *columns, size_t count, struct out *out)
{
	for (size_t c = 0; c < count; c++)
		out_put(out, c ? ",%s" : "%s", columns[c].name);
	out_str(out, "\n");
}

static void render_table(const struct table_part *t, struct out *out)
{
	struct cell *row = xcalloc(t->column_count + 1, sizeof(*row));

	write_header(t->columns, t->column_count, out);
	for (size_t r = 0; r < t->row_count; r++) {
		table_row(t, r, row);
		write_row(t->columns, row, t->column_count, out);
	}
	free(row);
}

static void render_lines(const struct lines_part *l, struct out *out)
{
	struct cell *row = xcalloc(l->column_count + 1, sizeof(*row));

	write_header(l->columns, l->column_count, out);
	while (!out->error && l->cells(l->ctx, row, &out->error))
		write_row(l->columns, row, l->column_count, out);
	free(row);
}

static void render_table_and_sums(const struct result *r, struct out *out)
{
	render_table(r->table, out);
	for (size_t i = 0; i < r->table_count; i++) {
		out_str(out, "\n");
		render_table(&r->tables[i], out);
	}
}

/* Tables have different columns: a row for each of their cells. */
static void render_tables(const struct result *r, struct out *out)
{
	char buf[CELL_TEXT_MAX];

	out_str(out, "table,row,column,value\n");
	for (size_t i = 0; i < r->table_count; i++) {
		const struct table_part *t = &r->tables[i];

		for (size_t k = 0; k < t->row_count * t->column_count; k++) {
			const struct column *c = &t->columns[k % t->column_count];

			out_put(out, "%s,%zu,%s,", t->name, k / t->column_count + 1, c->name);
			out_put(out, "%s\n",
				cell_machine(
					c, TABLE_CELL(t, k / t->column_count, k % t->column_count),
					buf));
		}
	}
}

/* A line for each cell that holds something: sparse matrices stay small. */
static void grid_row(const struct grid_part *g, size_t row, struct out *out)
{
	for (size_t c = 0; c < g->columns; c++) {
		uint64_t value = g->cells[row * g->columns + c];

		if (!value)
			continue;
		out_put(out, "%" PRIu64 ",", g->x_first + c * g->x_step);
		if (g->labels)
			out_put(out, "%s", g->labels[row]);
		else
			out_put(out, "%" PRIu64 ",%" PRIu64, g->edges[row], g->edges[row + 1]);
		out_put(out, ",%" PRIu64, value);
		if (g->name)
			out_put(out, ",%s", g->name);
		out_str(out, "\n");
	}
}

/* The grid, or its lanes one after the other. */
static void render_grid(const struct result *r, struct out *out)
{
	const struct grid_part *g = r->grid;
	const struct grid_part *parts = r->grid_lane_count ? r->grid_lanes : g;
	size_t count = r->grid_lane_count ? r->grid_lane_count : 1;

	out_put(out, "%s,", g->x.name);
	if (g->labels)
		out_put(out, "%s,", g->y.name);
	else
		out_str(out, "value_low,value_high,");
	out_put(out, r->grid_lane_count ? "%s,lane\n" : "%s\n", g->cell.name);
	for (size_t p = 0; p < count; p++) {
		for (size_t i = 0; i < parts[p].rows; i++)
			grid_row(&parts[p], i, out);
	}
}

static void render_stacks(const struct stacks_part *p, struct out *out)
{
	struct stack_lines lines = { 0 };

	out_str(out, p->before ? "stack,before,after\n" : "stack,weight\n");
	for (size_t i = 0; i < p->count; i++) {
		out_put(out, "%s,", stack_line(&lines, p, i)->data);
		stack_weights(out, p, i, ",");
	}
	stack_lines_release(&lines);
}

static void render_timeline(const struct timeline_part *t, struct out *out)
{
	out_put(out, "lane,depth,start_%s,end_%s,name\n", t->unit, t->unit);
	for (size_t i = 0; i < t->lane_count; i++) {
		for (size_t k = 0; k < t->lanes[i].count; k++) {
			const struct span *s = &t->lanes[i].spans[k];

			out_put(out, "%s,%u,%" PRIu64 ",%" PRIu64 ",%s\n", t->lanes[i].name,
				s->depth, s->start_ns, s->end_ns, t->names[s->name]);
		}
	}
}

struct csv_options {
	bool header;
};

static const struct option options[] = {
	{ "header", 0, OPT_FLAG, offsetof(struct csv_options, header), NULL,
	  "begin with lines that say what it is made of" },
	{ 0 },
};

static void render(const struct result *r, const struct style *style, struct out *out)
{
	const struct csv_options *o = style->options;
	struct buf text = { 0 };

	for (size_t i = 0; o->header && i < r->fact_count; i++)
		out_put(out, "# %s: %s\n", r->facts[i].name,
			fact_text(r->facts[i].value, false, &text));
	buf_release(&text);
	out->quoting = QUOTE_CSV;
	if (r->lines)
		render_lines(r->lines, out);
	else if (r->table)
		render_table_and_sums(r, out);
	else if (r->table_count)
		render_tables(r, out);
	else if (r->grid)
		render_grid(r, out);
	else if (r->stacks)
		render_stacks(r->stacks, out);
	else
		render_timeline(r->timeline, out);
}

const struct format format_csv = {
	.name = "csv",
	.summary = "comma-separated values with a header row (RFC 4180)",
	.shapes = SHAPE_TABLE | SHAPE_TABLES | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE |
		  SHAPE_CHANGES | SHAPE_LINES,
	.options = options,
	.options_size = sizeof(struct csv_options),
	.option_shapes = SHAPE_TABLE | SHAPE_TABLES | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE |
			 SHAPE_CHANGES,
	.render = render,
};
