/* Text for people: facts first, then the table in aligned columns, or the grid as a heat map. */
#include "formats/format.h"
#include "formats/cell.h"
#include "formats/shown.h"
#include "formats/text/sheet.h"
#include "formats/text/text_grid.h"
#include "formats/text/text_screen.h"
#include "formats/text/text_tree.h"
#include "parser/base/mem.h"

#include <limits.h>
#include <string.h>

/* Of a terminal; 0: none. */
static const uint8_t mark_colours[] = { [MARK_NOISE] = 90,
					[MARK_MORE] = 31,
					[MARK_LESS] = 32,
					[MARK_MAYBE_MORE] = 33,
					[MARK_MAYBE_LESS] = 36 };
static const uint8_t heat_colours[] = { [HEAT_WARM] = 32, [HEAT_HOT] = 31 };

#define NOTE_COLOUR "\033[34m"
#define INDENT	    3 /* of a level of a hierarchy */

static void render_facts(const struct result *r, struct out *out)
{
	struct buf text = { 0 };
	size_t width = 0;

	for (size_t i = 0; i < r->fact_count; i++) {
		size_t n = shown_width(r->facts[i].name);

		width = n > width ? n : width;
	}
	width = width > SHEET_COLUMN_MAX ? SHEET_COLUMN_MAX : width;
	for (unsigned leads = 2; leads--;) {
		for (size_t i = 0; i < r->fact_count; i++) {
			const struct fact *f = &r->facts[i];

			if (f->leads == leads)
				out_put(out, "%-*s%s\n", (int)width + 2, f->name,
					fact_text(f->value, true, &text));
		}
	}
	buf_release(&text);
}

/* Numbers stand at the right; nothing follows the last text. */
static void put_cell(const struct sheet *s, size_t c, const char *text, struct out *out)
{
	int width = (int)sheet_column(s, c)->width;

	if (sheet_is_number(s, c))
		out_put(out, "%*s", width, text);
	else
		out_put(out, "%-*.*s", c + 1 < s->count ? width : 0, s->cut ? width : INT_MAX,
			text);
}

static void render_row(const struct sheet *s, size_t row, struct out *out)
{
	const struct table_part *t = s->t;
	char buf[CELL_TEXT_MAX];

	for (size_t c = 0; c < s->count; c++) {
		const struct cell *cell = &t->cells[row * t->column_count + s->order[c]];

		out_str(out, c ? "  " : "");
		if (t->listing && t->listing->gutters && c + 1 == s->count)
			out_put(out, "%s", t->listing->gutters[row]);
		if (t->tree && t->tree->indent && c + 1 == s->count)
			out_put(out, "%*s", (int)t->tree->indent[row] * INDENT, "");
		put_cell(s, c, people_cell(sheet_column(s, c), cell, buf), out);
	}
}

/* NOTE begins where the last column does. */
static void render_note(const struct sheet *s, const struct table_note *note, bool colour,
			struct out *out)
{
	for (size_t c = 0; c + 1 < s->count; c++)
		out_put(out, "%*s", (int)sheet_column(s, c)->width + 2, "");
	out_str(out, colour ? NOTE_COLOUR : "");
	out_put(out, "%s", note->text);
	out_str(out, colour ? "\033[0m\n" : "\n");
}

static unsigned row_colour(const struct table_part *t, size_t row)
{
	if (t->listing)
		return heat_colours[t->listing->heat[row]];
	return t->marks ? mark_colours[t->marks[row]] : 0;
}

static void render_table(const struct table_part *t, const struct style *style, struct out *out)
{
	size_t notes = t->listing ? t->listing->note_count : 0;
	struct sheet s = { 0 };

	sheet_init(&s, t, style->width);
	out_str(out, style->colour ? "\033[1m" : "");
	for (size_t c = 0; c < s.count; c++) {
		out_str(out, c ? "  " : "");
		put_cell(&s, c, sheet_column(&s, c)->heading, out);
	}
	out_str(out, style->colour ? "\033[0m\n" : "\n");
	for (size_t r = 0, n = 0; r < t->row_count; r++) {
		unsigned colour = style->colour ? row_colour(t, r) : 0;

		if (t->tree && t->tree->depth[r]) {
			r = text_tree(t, r, style->width, out) - 1;
			continue;
		}

		for (; n < notes && t->listing->notes[n].row == r; n++)
			render_note(&s, &t->listing->notes[n], style->colour, out);
		if (colour)
			out_put(out, "\033[%um", colour);
		render_row(&s, r, out);
		out_str(out, colour ? "\033[0m\n" : "\n");
	}
	sheet_release(&s);
}

/* TEXT without SEPARATOR, in place of which perf puts a dot. */
static void put_separated(const char *text, const char *separator, struct out *out)
{
	size_t len = strlen(separator);
	struct buf b = { 0 };

	while (*text) {
		bool found = !strncmp(text, separator, len);

		buf_char(&b, found ? '.' : *text);
		text += found ? len : 1;
	}
	out_put(out, "%s", b.len ? b.data : "");
	buf_release(&b);
}

/* The columns that people see, for a program. */
static void render_separated(const struct table_part *t, const char *separator, struct out *out)
{
	struct sheet s = { 0 };
	char buf[CELL_TEXT_MAX];

	sheet_init(&s, t, 0);
	out_str(out, "# ");
	for (size_t c = 0; c < s.count; c++) {
		out_put(out, "%s", c ? separator : "");
		put_separated(column_label(sheet_column(&s, c)->column, buf), separator, out);
	}
	out_str(out, "\n");
	for (size_t r = 0; r < t->row_count; r++) {
		for (size_t c = 0; c < s.count; c++) {
			const struct cell *cell = &t->cells[r * t->column_count + s.order[c]];

			out_put(out, "%s", c ? separator : "");
			put_separated(cell_machine(sheet_column(&s, c)->column, cell, buf),
				      separator, out);
		}
		out_str(out, "\n");
	}
	sheet_release(&s);
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	const struct table_part *t = r->table;
	char buf[CELL_TEXT_MAX];

	if (r->bare && t) {
		for (size_t i = 0; i < t->row_count; i++)
			out_put(out, "%s\n",
				cell_machine(t->columns, &t->cells[i * t->column_count], buf));
		return;
	}
	if (r->table_count) {
		text_screen(r, style, out);
		return;
	}
	if (r->separator && t) {
		render_separated(t, r->separator, out);
		return;
	}
	render_facts(r, out);
	out_str(out, r->fact_count && (t ? t->row_count > 0 : r->grid != NULL) ? "\n" : "");
	if (t && t->row_count)
		render_table(t, style, out);
	else if (!t && r->grid)
		text_grids(r, style->colour, out);
}

const struct format format_text = {
	.name = "text",
	.summary = "aligned columns and heat maps for people",
	.shapes = SHAPE_TABLE | SHAPE_TABLES | SHAPE_GRID,
	.render = render,
};
