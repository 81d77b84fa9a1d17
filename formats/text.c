/* Text for people: facts first, then the table in aligned columns. */
#include "formats/format.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pad(struct out *out, size_t n)
{
	while (n--)
		out_write(out, " ", 1);
}

static size_t cell_width(const struct column *c, const struct cell *cell, char number[24])
{
	if (!c->number || cell->empty)
		return cell->text ? strlen(cell->text) : 0;
	return (size_t)snprintf(number, 24, "%llu", (unsigned long long)cell->number);
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

static void render_row(const struct table_part *t, size_t row, const size_t *width, struct out *out)
{
	char number[24];

	for (size_t c = 0; c < t->column_count; c++) {
		const struct cell *cell = &t->cells[row * t->column_count + c];
		size_t n = cell_width(&t->columns[c], cell, number);
		bool right = t->columns[c].number;

		out_str(out, c ? "  " : "");
		if (right)
			pad(out, width[c] - n);
		if (n)
			out_str(out, right && !cell->empty ? number : cell->text);
		if (!right && c + 1 < t->column_count)
			pad(out, width[c] - n);
	}
	out_str(out, "\n");
}

static void render_table(const struct table_part *t, const struct style *style, struct out *out)
{
	size_t *width = xcalloc(t->column_count, sizeof(*width));
	char number[24];

	for (size_t c = 0; c < t->column_count; c++) {
		width[c] = strlen(t->columns[c].name);
		for (size_t r = 0; r < t->row_count; r++) {
			size_t n = cell_width(&t->columns[c], &t->cells[r * t->column_count + c],
					      number);

			width[c] = n > width[c] ? n : width[c];
		}
	}
	out_str(out, style->colour ? "\033[1m" : "");
	for (size_t c = 0; c < t->column_count; c++) {
		size_t gap = width[c] - strlen(t->columns[c].name);

		out_str(out, c ? "  " : "");
		pad(out, t->columns[c].number ? gap : 0);
		out_str(out, t->columns[c].name);
		pad(out, t->columns[c].number || c + 1 == t->column_count ? 0 : gap);
	}
	out_str(out, style->colour ? "\033[0m\n" : "\n");
	for (size_t r = 0; r < t->row_count; r++)
		render_row(t, r, width, out);
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
	.table = true,
	.render = render,
};
