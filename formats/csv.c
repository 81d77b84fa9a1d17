/* Comma-separated values, RFC 4180: a header row, CR LF left to those who want it (lines end in
 * LF). */
#include "formats/format.h"

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
	for (size_t c = 0; c < t->column_count; c++) {
		out_str(out, c ? "," : "");
		field(out, t->columns[c].name);
	}
	out_str(out, "\n");
	for (size_t i = 0; i < t->row_count * t->column_count; i++) {
		size_t c = i % t->column_count;
		const struct cell *cell = &t->cells[i];

		out_str(out, c ? "," : "");
		if (t->columns[c].number && !cell->empty)
			out_u64(out, cell->number);
		else if (cell->text)
			field(out, cell->text);
		if (c + 1 == t->column_count)
			out_str(out, "\n");
	}
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	(void)style;
	render_table(r->table, out);
}

const struct format format_csv = {
	.name = "csv",
	.summary = "comma-separated values with a header row (RFC 4180)",
	.table = true,
	.render = render,
};
