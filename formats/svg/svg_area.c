/* Stacks the largest rows of a grid on each other, column by column, and the others above them
 * as one. Does not change the grid. */
#include "formats/svg/svg_frame.h"
#include "formats/svg/svg_series.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SEEN_SHARE 50 /* less than one of so many is no area that can be seen */

struct area {
	struct out *out;
	struct grid_view view;
	struct svg_box box;
	uint64_t peak; /* the largest sum of a column */
	double *low;   /* by column: what lies below the series that is drawn */
	double *high;  /* and with it */
};

static double y_of(const struct area *a, double value)
{
	double part = a->peak ? value / (double)a->peak : 0;

	part = part > 1 ? 1 : part;
	return a->box.top + a->box.height * (1 - part);
}

/* Along the upper ends to the right, along the lower ends back. */
static void put_outline(const struct area *a)
{
	size_t n = a->view.columns;

	out_put(a->out, "M0 %.1f", y_of(a, a->low[0]));
	for (size_t c = 0; c < n; c++) {
		if (c && a->high[c] == a->high[c - 1])
			continue;
		if (c)
			out_put(a->out, "H%zu", c);
		out_put(a->out, "V%.1f", y_of(a, a->high[c]));
	}
	out_put(a->out, "H%zu", n);
	for (size_t c = n; c-- > 0;) {
		if (c + 1 < n && a->low[c] == a->low[c + 1])
			continue;
		if (c + 1 < n)
			out_put(a->out, "H%zu", c + 1);
		out_put(a->out, "V%.1f", y_of(a, a->low[c]));
	}
	out_str(a->out, "z");
}

static const char *color_of(const struct area *a, size_t row)
{
	return svg_series[a->view.rest && row + 1 == a->view.rows ? SVG_SERIES - 1 : row];
}

static void put_series(struct area *a, size_t row)
{
	const struct grid_view *v = &a->view;
	const uint64_t *cells = v->cells + row * v->columns;

	for (size_t c = 0; c < v->columns; c++)
		a->high[c] = a->low[c] + (double)cells[c];
	out_put(a->out, "<path fill=\"%s\" data-v=\"", color_of(a, row));
	svg_runs(a->out, cells, v->columns);
	out_str(a->out, "\" d=\"");
	put_outline(a);
	out_put(a->out, "\"><title>%s\n%s, %s of all</title></path>\n", ROW_NAME(v, row),
		ALONE(v->row_sums[row], v->grid->cell.type), SHARE(v->row_sums[row], v->total));
	memcpy(a->low, a->high, v->columns * sizeof(*a->low));
}

/* The uppermost series has the uppermost line. */
static void put_legend(struct area *a)
{
	const struct grid_view *v = &a->view;
	unsigned y = 0, right = SVG_AREA_LEGEND - 20;

	out_put(a->out, "<g id=\"shares\" transform=\"translate(%u %u)\" data-y=\"%u\">\n",
		a->box.left + a->box.width + 12, a->box.top, a->box.top);
	for (size_t row = v->rows; row-- > 0; y += 17) {
		const char *name = ROW_NAME(v, row), *share = SHARE(v->row_sums[row], v->total);

		out_put(a->out,
			"<g><rect fill=\"%s\" y=\"%u\" width=\"12\" height=\"12\"/>"
			"<text x=\"18\" y=\"%u\">%.*s</text>"
			"<text class=\"share\" " SVG_DIM_TEXT
			" text-anchor=\"end\" x=\"%u\" y=\"%u\">%s</text>"
			"<title>%s\n%s, %s of all</title></g>\n",
			color_of(a, row), y, y + 10, svg_text_room(right - 80), name, right, y + 10,
			share, name, ALONE(v->row_sums[row], v->grid->cell.type), share);
	}
	out_str(a->out, "</g>\n");
}

static void put_axis(const struct area *a)
{
	struct axis_span span = { 0, a->peak, 5, a->view.grid->cell.type };
	struct axis axis;

	axis_linear(&axis, &span);
	out_put(a->out, SVG_LEFT, a->box.left);
	for (size_t i = 0; i < axis.count; i++) {
		double y = y_of(a, (double)axis.ticks[i].at);

		out_put(a->out,
			"<path data-at=\"rule\" " SVG_RULE " d=\"M-4 %.1fh%u\"/><text " SVG_DIM_TEXT
			" x=\"-8\" y=\"%.1f\">%s</text>\n",
			y, a->box.width + 4, y + 4, axis.ticks[i].text);
	}
	out_str(a->out, "</g>\n");
}

/* As many as can be seen, and one for all others. */
static size_t series_count(const struct grid_part *g)
{
	struct grid_view all;
	size_t count = 1;

	grid_view_init(&all, g, 1, SVG_SERIES);
	for (size_t r = 0; r < all.rows; r++)
		count += all.row_sums[r] >= all.total / SEEN_SHARE &&
			 !(all.rest && r + 1 == all.rows);
	grid_view_release(&all);
	return count > 1 ? count : 2;
}

void svg_area(struct out *o, const struct grid_part *g, const struct svg_box *box,
	      size_t max_columns)
{
	struct area a = { .out = o, .box = *box };

	grid_view_init(&a.view, g, max_columns, series_count(g));
	a.low = xcalloc(a.view.columns + 1, sizeof(*a.low));
	a.high = xcalloc(a.view.columns + 1, sizeof(*a.high));
	for (size_t c = 0; c < a.view.columns; c++) {
		if (a.view.column_sums[c] > a.peak)
			a.peak = a.view.column_sums[c];
	}
	put_axis(&a);
	out_put(o, SVG_FIT, box->left, box->cell_width);
	out_str(o, "<g id=\"area\" shape-rendering=\"crispEdges\">\n");
	for (size_t row = 0; row < a.view.rows; row++)
		put_series(&a, row);
	out_str(o, "</g>\n</g>\n");
	put_legend(&a);
	free(a.low);
	free(a.high);
	grid_view_release(&a.view);
}
