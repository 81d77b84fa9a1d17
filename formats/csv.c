/* Comma-separated values, RFC 4180: a header row, CR LF left to those who want it (lines end in
 * LF). A row is a line: control characters in text become U+FFFD. */
#include "formats/format.h"
#include "formats/cell.h"
#include "formats/shown.h"
#include "formats/stack_line.h"

#include <string.h>

static void field(struct out *out, const char *s)
{
	const char *quote;

	if (!strpbrk(s, ",\"")) {
		shown_text(out, s);
		return;
	}
	out_write(out, "\"", 1);
	while ((quote = strchr(s, '"'))) {
		shown_text_n(out, s, (size_t)(quote - s));
		out_write(out, "\"\"", 2);
		s = quote + 1;
	}
	shown_text(out, s);
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
		field(out, cell_machine(&t->columns[c], &t->cells[i], buf));
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
		if (g->name) {
			out_str(out, ",");
			field(out, g->name);
		}
		out_str(out, "\n");
	}
}

/* The grid, or its lanes one after the other. */
static void render_grid(const struct result *r, struct out *out)
{
	const struct grid_part *g = r->grid;
	const struct grid_part *parts = r->grid_lane_count ? r->grid_lanes : g;
	size_t count = r->grid_lane_count ? r->grid_lane_count : 1;

	field(out, g->x.name);
	if (g->labels) {
		out_str(out, ",");
		field(out, g->y.name);
	} else {
		out_str(out, ",value_low,value_high");
	}
	out_str(out, ",");
	field(out, g->cell.name);
	out_str(out, r->grid_lane_count ? ",lane\n" : "\n");
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
		field(out, stack_line(&lines, p, i)->data);
		out_str(out, ",");
		if (p->before) {
			stack_before(out, p, i);
			out_str(out, ",");
		}
		stack_weight(out, p, i);
		out_str(out, "\n");
	}
	stack_lines_release(&lines);
}

static void render_lane(const struct timeline_part *t, const struct lane *lane, struct out *out)
{
	for (size_t i = 0; i < lane->count; i++) {
		const struct span *s = &lane->spans[i];

		const uint64_t numbers[] = { s->depth, s->start_ns, s->end_ns };

		field(out, lane->name);
		for (size_t k = 0; k < 3; k++) {
			out_str(out, ",");
			out_u64(out, numbers[k]);
		}
		out_str(out, ",");
		field(out, t->names[s->name]);
		out_str(out, "\n");
	}
}

static void render_timeline(const struct timeline_part *t, struct out *out)
{
	out_str(out, "lane,depth,start_");
	field(out, t->unit);
	out_str(out, ",end_");
	field(out, t->unit);
	out_str(out, ",name\n");
	for (size_t i = 0; i < t->lane_count; i++)
		render_lane(t, &t->lanes[i], out);
}

static void render_facts(const struct result *r, struct out *out)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < r->fact_count; i++) {
		out_str(out, "# ");
		shown_text(out, r->facts[i].name);
		out_str(out, ": ");
		shown_text(out, fact_text(r->facts[i].value, false, &text));
		out_str(out, "\n");
	}
	buf_release(&text);
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

	if (o->header)
		render_facts(r, out);
	if (r->table)
		render_table(r->table, out);
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
	.shapes = SHAPE_TABLE | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE,
	.options = options,
	.options_size = sizeof(struct csv_options),
	.option_shapes = SHAPE_TABLE | SHAPE_GRID | SHAPE_STACKS | SHAPE_TIMELINE,
	.render = render,
};
