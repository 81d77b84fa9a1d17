/* Draws the lines over a heat map and the strips above it from values by column. A value that
 * is missing leaves a gap. */
#include "formats/svg/svg_series.h"
#include "formats/cell.h"
#include "parser/base/mem.h"

#include <stdlib.h>

#define LABEL_MAX ((SVG_LINE_LABEL - 10) * 100 / SVG_CHAR_X100) /* characters */

/* The values for the script, which knows GRID_NONE, and its name. */
static void put_data(struct out *o, const struct grid_series *s, const uint64_t *values, size_t n)
{
	out_put(o, " data-unit=\"%s\" data-series=\"%.40s\" data-v=\"",
		column_kinds[s->what.type].script, LABEL(&s->what));
	svg_runs(o, values, n);
	out_str(o, "\"");
}

static uint64_t *values_of(const struct grid_view *v, const struct grid_series *s)
{
	uint64_t *values = xcalloc(v->columns + 1, sizeof(*values));

	for (size_t c = 0; c < v->columns; c++)
		values[c] = grid_view_series(v, s, c);
	return values;
}

/* Above all ranges is at the top, below them at the bottom. */
static double line_y(const struct grid_view *v, const struct svg_box *box, uint64_t value)
{
	double up = grid_view_height(v, value);

	if (up < 0)
		up = value < grid_view_edge(v, 0) ? 0 : (double)v->rows;
	return box->top + box->height * (1 - up / (double)v->rows);
}

/* Level in each column, broken where there is no value; returns where it ends. */
static double put_steps(struct out *o, const struct grid_view *v, const struct svg_box *box,
			const uint64_t *values)
{
	double y = box->top;
	bool pen = false;

	for (size_t c = 0; c < v->columns; c++) {
		if (values[c] == GRID_NONE) {
			pen = false;
			continue;
		}
		y = line_y(v, box, values[c]);
		if (pen)
			out_put(o, "V%.1fh%u", y, box->cell_width);
		else
			out_put(o, "M%zu %.1fh%u", box->left + c * box->cell_width, y,
				box->cell_width);
		pen = true;
	}
	return y;
}

void svg_line(struct out *o, const struct grid_view *v, const struct svg_box *box, size_t map,
	      size_t i)
{
	static const char *const dashes[] = { "none", "6 3", "2 3", "10 3 2 3" };
	const struct grid_series *s = &v->grid->lines[i];
	uint64_t *values = values_of(v, s);
	double y;

	/* Twice, so that it is seen on every colour: broad, then thin. */
	out_put(o, "<g class=\"halo\"><path id=\"line%zu-%zu\" d=\"", map, i);
	y = put_steps(o, v, box, values);
	out_put(o,
		"\"/></g><use href=\"#line%zu-%zu\" class=\"over\" style=\"stroke-dasharray:%s\"",
		map, i, dashes[i % ARRAY_SIZE(dashes)]);
	put_data(o, s, values, v->columns);
	out_put(o, "/><text x=\"%u\" y=\"%.1f\">%.*s</text>\n", box->left + box->width + 6, y + 4,
		LABEL_MAX, LABEL(&s->what));
	free(values);
}

void svg_strip(struct out *o, const struct grid_view *v, const struct svg_box *box, size_t i)
{
	const struct grid_series *s = &v->grid->strips[i];
	uint64_t *values = values_of(v, s), most = 0;
	unsigned floor_y = box->top + box->height;

	for (size_t c = 0; c < v->columns; c++)
		most = values[c] != GRID_NONE && values[c] > most ? values[c] : most;
	out_str(o, "<path class=\"strip\"");
	put_data(o, s, values, v->columns);
	out_put(o, " d=\"M%u %u", box->left, floor_y);
	for (size_t c = 0; c < v->columns; c++) {
		uint64_t value = values[c] == GRID_NONE ? 0 : values[c];

		out_put(o, "V%.1fh%u",
			floor_y - (most ? (double)value / (double)most * box->height : 0),
			box->cell_width);
	}
	out_put(o,
		"V%uz\"/><text class=\"d e\" x=\"%u\" y=\"%u\">%s</text>"
		"<text class=\"d\" x=\"%u\" y=\"%u\">%.*s</text>\n",
		floor_y, box->left - 8, box->top + 10, ALONE(most, s->what.type),
		box->left + box->width + 6, box->top + 10, LABEL_MAX, LABEL(&s->what));
	free(values);
}
