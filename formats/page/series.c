/* Rows become columns one after the other; rows of a step that are equal but for their lengths
 * become one, if they may. */
#include "formats/page/series.h"
#include "formats/page/column.h"
#include "formats/page/merge.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>

#define NS_PER_US 1000
#define BOUND_ROWS 65536 /* after so many it is seen how large it is */

struct series_columns {
	const struct page_part *p;
	const struct series_way *way;
	struct packed {
		struct column_stream *list; /* NULL: it takes no part */
		size_t count;
		uint64_t rows;
	} * series;
};

/* Texts of one may be of use to another. */
static bool takes_part(const struct page_series *x)
{
	return x->rows || x->text_count;
}

static bool can_merge(const struct page_series *x)
{
	for (size_t c = 0; c < x->column_count; c++) {
		if (x->columns[c].kind == PAGE_SUM)
			return true;
	}
	return false;
}

uint64_t series_size(const struct series_columns *s)
{
	uint64_t size = 0;

	for (size_t i = 0; i < s->p->series_count; i++) {
		for (size_t c = 0; c < s->series[i].count; c++)
			size += OUT_BASE64(s->series[i].list[c].packed.len) + COLUMN_TAG;
	}
	return size;
}

/* ---- packing ---- */

struct packing {
	const struct page_series *x;
	struct packed *to;
	uint64_t before_ns;
	const struct series_columns *of;
	bool over; /* it is larger than it may be */
};

static void put_row(struct packing *g, const uint64_t *row)
{
	for (size_t c = 0; c < g->to->count; c++) {
		uint64_t v = row[c];

		if (c < g->x->column_count && g->x->columns[c].kind == PAGE_TIME) {
			v = v >= g->before_ns ? (v - g->before_ns) * 2 : (g->before_ns - v) * 2 + 1;
			g->before_ns = row[c];
		}
		column_put(&g->to->list[c], v);
	}
	if (!(++g->to->rows % BOUND_ROWS))
		g->over = series_size(g->of) > g->of->way->most_bytes;
}

static void put_all(struct packing *g, size_t i, int *error)
{
	const struct page_part *p = g->of->p;
	uint64_t row[MERGE_MOST];

	p->begin_series(p->ctx, i);
	while (!*error && !g->over && p->next_of_series(p->ctx, i, row, error))
		put_row(g, row);
}

static void flush(struct packing *g, struct merge *m)
{
	const uint64_t *row;

	while ((row = merge_next(m)))
		put_row(g, row);
}

/* The last number of each: how many it was. */
static void put_merged(struct packing *g, size_t i, int *error)
{
	const struct page_part *p = g->of->p;
	uint64_t row[MERGE_MOST], step = 0;
	enum merge_role roles[MERGE_MOST];
	struct merge m;

	for (size_t c = 0; c < g->x->column_count; c++)
		roles[c] = g->x->columns[c].kind == PAGE_TIME  ? MERGE_LEAST
			   : g->x->columns[c].kind == PAGE_SUM ? MERGE_SUM
							       : MERGE_KEY;
	roles[g->x->column_count] = MERGE_SUM;
	merge_begin(&m, roles, g->to->count);
	p->begin_series(p->ctx, i);
	while (!*error && !g->over && p->next_of_series(p->ctx, i, row, error)) {
		uint64_t now = (row[0] + row[1]) / NS_PER_US / g->of->way->step_us;

		if (now != step)
			flush(g, &m);
		step = now;
		row[g->x->column_count] = 1;
		merge_add(&m, row);
	}
	flush(g, &m);
	merge_release(&m);
}

static enum pack_way way_of(const struct page_series *x, size_t c)
{
	enum page_column_kind kind = c < x->column_count ? x->columns[c].kind : PAGE_NUMBER;

	return kind == PAGE_TIME || kind == PAGE_SUM || c == 1 ? PACK_AMOUNTS : PACK_CHOICES;
}

struct series_columns *series_new(const struct page_part *p, const struct series_way *way,
				  int *error)
{
	struct series_columns *s = xcalloc(1, sizeof(*s));
	bool over = false;

	s->p = p;
	s->way = way;
	s->series = xcalloc(p->series_count + 1, sizeof(*s->series));
	for (size_t i = 0; i < p->series_count && !over; i++) {
		const struct page_series *x = &p->series[i];
		struct packed *to = &s->series[i];
		struct packing g = { x, to, way->base_ns, s, false };
		bool merges = way->step_us > 1 && can_merge(x);

		if (!takes_part(x) || x->column_count + merges > MERGE_MOST)
			continue;
		to->count = x->column_count + merges;
		to->list = xmalloc(to->count * sizeof(*to->list));
		for (size_t c = 0; c < to->count; c++)
			column_begin(&to->list[c], way_of(x, c));
		if (merges)
			put_merged(&g, i, error);
		else
			put_all(&g, i, error);
		over = g.over;
		for (size_t c = 0; c < to->count; c++) {
			column_end(&to->list[c]);
			if (to->list[c].failed)
				*error = *error ?: ENOMEM;
		}
	}
	s->way = NULL; /* the caller's */
	return s;
}

void series_free(struct series_columns *s)
{
	for (size_t i = 0; i < s->p->series_count; i++) {
		for (size_t c = 0; c < s->series[i].count; c++)
			column_release(&s->series[i].list[c]);
		free(s->series[i].list);
	}
	free(s->series);
	free(s);
}

/* ---- writing ---- */

static const char *column_name(const struct page_series *x, size_t c)
{
	return c < x->column_count ? x->columns[c].name : "merged";
}

void series_about(const struct series_columns *s, struct out *out)
{
	bool first = true;

	out_str(out, "\"series\":[");
	for (size_t i = 0; i < s->p->series_count; i++) {
		const struct page_series *x = &s->p->series[i];

		if (!s->series[i].list)
			continue;
		out_put(out, first ? "\n[%s," : ",\n[%s,", x->name);
		first = false;
		out_u64(out, s->series[i].rows);
		out_str(out, ",[");
		for (size_t c = 0; c < s->series[i].count; c++)
			out_put(out, c ? ",[%s,%d]" : "[%s,%d]", column_name(x, c),
				c < x->column_count && x->columns[c].kind == PAGE_TIME);
		out_str(out, "],[");
		for (size_t k = 0; k < x->text_count; k++)
			out_put(out, k ? ",%s" : "%s", x->texts[k]);
		out_str(out, "]]");
	}
	out_str(out, "],\n");
}

void series_write(const struct series_columns *s, struct out *out)
{
	for (size_t i = 0; i < s->p->series_count; i++) {
		const struct packed *from = &s->series[i];

		for (size_t c = 0; c < from->count; c++) {
			out_str(out, "<script type=\"application/octet-stream\" id=\"column-");
			out_str(out, s->p->series[i].name);
			out_str(out, "-");
			out_str(out, column_name(&s->p->series[i], c));
			out_str(out, "\">");
			out_base64(out, from->list[c].packed.data, from->list[c].packed.len);
			out_str(out, "</script>\n");
		}
	}
}
