/* Text for people: facts first, then the table in aligned columns. */
#include "formats/format.h"
#include "formats/lib/cell.h"
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

/* Columns on a screen: characters, not bytes. */
static size_t text_width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static void render_facts(const struct result *r, struct out *out)
{
	size_t width = 0;

	for (size_t i = 0; i < r->fact_count; i++)
		width = strlen(r->facts[i].name) > width ? strlen(r->facts[i].name) : width;
	for (size_t i = 0; i < r->fact_count; i++) {
		out_str(out, r->facts[i].name);
		pad(out, width + 2 - strlen(r->facts[i].name));
		out_str(out, r->facts[i].value);
		out_str(out, "\n");
	}
}

static void render_cell(struct out *out, const char *text, size_t width, bool right, bool last)
{
	size_t gap = width - text_width(text);

	if (right)
		pad(out, gap);
	out_str(out, text);
	if (!right && !last)
		pad(out, gap);
}

static void render_row(const struct table_part *t, size_t row, const size_t *width, struct out *out)
{
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < t->column_count; c++) {
		const struct cell *cell = &t->cells[row * t->column_count + c];

		out_str(out, c ? "  " : "");
		render_cell(out, cell_text(&t->columns[c], cell, true, buf), width[c],
			    t->columns[c].type != COLUMN_TEXT, c + 1 == t->column_count);
	}
}

static size_t *column_widths(const struct table_part *t)
{
	size_t *width = xcalloc(t->column_count, sizeof(*width));
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < t->column_count; c++) {
		width[c] = text_width(t->columns[c].name);
		for (size_t r = 0; r < t->row_count; r++) {
			const struct cell *cell = &t->cells[r * t->column_count + c];
			size_t n = text_width(cell_text(&t->columns[c], cell, true, buf));

			width[c] = n > width[c] ? n : width[c];
		}
	}
	return width;
}

static void render_table(const struct table_part *t, const struct style *style, struct out *out)
{
	size_t *width = column_widths(t);

	out_str(out, style->colour ? "\033[1m" : "");
	for (size_t c = 0; c < t->column_count; c++) {
		out_str(out, c ? "  " : "");
		render_cell(out, t->columns[c].name, width[c], t->columns[c].type != COLUMN_TEXT,
			    c + 1 == t->column_count);
	}
	out_str(out, style->colour ? "\033[0m\n" : "\n");
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
	if (!r->table || !r->table->row_count)
		return;
	out_str(out, r->fact_count ? "\n" : "");
	render_table(r->table, style, out);
}

const struct format format_text = {
	.name = "text",
	.summary = "aligned columns for people",
	.shapes = SHAPE_TABLE,
	.render = render,
};
