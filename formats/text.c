/* Text for people: facts first, then the table in aligned columns, or the grid as a heat map. */
#include "formats/format.h"
#include "formats/lib/cell.h"
#include "formats/lib/shown.h"
#include "formats/lib/text_grid.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const mark_colours[] = {
	[MARK_NONE] = "",
	[MARK_NOISE] = "\033[90m",
	[MARK_MORE] = "\033[31m",
	[MARK_LESS] = "\033[32m",
};

static void pad(struct out *out, size_t n)
{
	while (n--)
		out_write(out, " ", 1);
}

/* One name of 64 KiB does not make every row as wide. */
#define WIDTH_MAX 160

static size_t wider(size_t width, const char *text)
{
	size_t n = shown_width(text);

	n = n > WIDTH_MAX ? WIDTH_MAX : n;
	return n > width ? n : width;
}

static void render_cell(struct out *out, const char *text, size_t width, bool right, bool last)
{
	size_t has = shown_width(text), gap = has < width ? width - has : 0;

	if (right)
		pad(out, gap);
	shown_text(out, text);
	if (!right && !last)
		pad(out, gap);
}

static void render_facts(const struct result *r, struct out *out)
{
	size_t width = 0;

	for (size_t i = 0; i < r->fact_count; i++)
		width = wider(width, r->facts[i].name);
	for (size_t i = 0; i < r->fact_count; i++) {
		render_cell(out, r->facts[i].name, width + 2, false, false);
		shown_text(out, r->facts[i].value);
		out_str(out, "\n");
	}
}

static size_t shown_columns(const struct table_part *t)
{
	return t->summary_columns ? t->summary_columns : t->column_count;
}

/* "wait_ns" of a column that is shown in another unit is "wait_ms" or "wait_s". */
static const char *column_title(const struct column *c, char buf[CELL_TEXT_MAX])
{
	size_t n = strlen(c->name);

	if (c->type != COLUMN_NS || n < 2 || n >= CELL_TEXT_MAX || strcmp(c->name + n - 2, "ns"))
		return c->name;
	memcpy(buf, c->name, n - 2);
	strcpy(buf + n - 2, c->decimals == 6 ? "s" : "ms");
	return buf;
}

static void render_row(const struct table_part *t, size_t row, const size_t *width, struct out *out)
{
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < shown_columns(t); c++) {
		const struct cell *cell = &t->cells[row * t->column_count + c];

		out_str(out, c ? "  " : "");
		render_cell(out, cell_text(&t->columns[c], cell, true, buf), width[c],
			    t->columns[c].type != COLUMN_TEXT, c + 1 == shown_columns(t));
	}
}

static size_t *column_widths(const struct table_part *t)
{
	size_t *width = xcalloc(t->column_count, sizeof(*width));
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < shown_columns(t); c++) {
		width[c] = wider(0, column_title(&t->columns[c], buf));
		for (size_t r = 0; r < t->row_count; r++) {
			const struct cell *cell = &t->cells[r * t->column_count + c];

			width[c] = wider(width[c], cell_text(&t->columns[c], cell, true, buf));
		}
	}
	return width;
}

static void render_titles(const struct table_part *t, const size_t *width,
			  const struct style *style, struct out *out)
{
	char buf[CELL_TEXT_MAX];

	out_str(out, style->colour ? "\033[1m" : "");
	for (size_t c = 0; c < shown_columns(t); c++) {
		out_str(out, c ? "  " : "");
		render_cell(out, column_title(&t->columns[c], buf), width[c],
			    t->columns[c].type != COLUMN_TEXT, c + 1 == shown_columns(t));
	}
	out_str(out, style->colour ? "\033[0m\n" : "\n");
}

static void render_table(const struct table_part *t, const struct style *style, struct out *out)
{
	size_t *width = column_widths(t);

	if (!t->bare)
		render_titles(t, width, style, out);
	for (size_t r = 0; r < t->row_count; r++) {
		unsigned mark = style->colour && t->marks ? t->marks[r] : MARK_NONE;

		out_str(out, mark_colours[mark]);
		render_row(t, r, width, out);
		out_str(out, mark ? "\033[0m\n" : "\n");
	}
	free(width);
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	render_facts(r, out);
	if (r->table && r->table->row_count) {
		out_str(out, r->fact_count ? "\n" : "");
		render_table(r->table, style, out);
	} else if (!r->table && r->grid) {
		out_str(out, r->fact_count ? "\n" : "");
		text_grids(r, style->colour, out);
	}
}

const struct format format_text = {
	.name = "text",
	.summary = "aligned columns and heat maps for people",
	.shapes = SHAPE_TABLE | SHAPE_GRID,
	.render = render,
};
