/* One series after the other: only its own columns are in memory. */
#include "formats/page/series.h"
#include "formats/page/column.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>

/* Texts of one may be of use to another. */
static bool takes_part(const struct page_series *x)
{
	return x->rows || x->text_count;
}

void series_about(const struct page_part *p, struct out *out)
{
	bool first = true;

	out_str(out, "\"series\":[");
	for (size_t i = 0; i < p->series_count; i++) {
		const struct page_series *x = &p->series[i];

		if (!takes_part(x))
			continue;
		out_put(out, first ? "\n[%s," : ",\n[%s,", x->name);
		first = false;
		out_u64(out, x->rows);
		out_str(out, ",[");
		for (size_t c = 0; c < x->column_count; c++)
			out_put(out, c ? ",[%s,%d]" : "[%s,%d]", x->columns[c].name,
				(int)x->columns[c].kind);
		out_str(out, "],[");
		for (size_t k = 0; k < x->text_count; k++)
			out_put(out, k ? ",%s" : "%s", x->texts[k]);
		out_str(out, "]]");
	}
	out_str(out, "],\n");
}

static void put_rows(const struct page_part *p, size_t i, struct column_stream *columns,
		     uint64_t before_ns, struct out *out)
{
	const struct page_series *x = &p->series[i];
	uint64_t *row = xcalloc(x->column_count, sizeof(*row));

	p->begin_series(p->ctx, i);
	while (!out->error && p->next_of_series(p->ctx, i, row, &out->error)) {
		for (size_t c = 0; c < x->column_count; c++) {
			uint64_t v = row[c];

			if (x->columns[c].kind == PAGE_TIME) {
				v = v >= before_ns ? (v - before_ns) * 2 : (before_ns - v) * 2 + 1;
				before_ns = row[c];
			}
			column_put(&columns[c], v);
		}
	}
	free(row);
}

static void write_column(const struct page_series *x, size_t c, struct column_stream *column,
			 struct out *out)
{
	column_end(column);
	if (column->failed && !out->error)
		out->error = ENOMEM;
	out_str(out, "<script type=\"application/octet-stream\" id=\"column-");
	out_str(out, x->name);
	out_str(out, "-");
	out_str(out, x->columns[c].name);
	out_str(out, "\">");
	out_base64(out, column->packed.data, column->packed.len);
	out_str(out, "</script>\n");
	column_release(column);
}

void series_columns(const struct page_part *p, uint64_t base_ns, struct out *out)
{
	for (size_t i = 0; i < p->series_count; i++) {
		const struct page_series *x = &p->series[i];
		struct column_stream *columns;

		if (!takes_part(x))
			continue;
		columns = xmalloc(x->column_count * sizeof(*columns));
		for (size_t c = 0; c < x->column_count; c++)
			column_begin(&columns[c]);
		put_rows(p, i, columns, base_ns, out);
		for (size_t c = 0; c < x->column_count; c++)
			write_column(x, c, &columns[c], out);
		free(columns);
	}
}
