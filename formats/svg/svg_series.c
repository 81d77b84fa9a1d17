/* Draws the lines over a heat map and the strips above it from values by column. A value that
 * is missing leaves a gap. */
#include "formats/svg/svg_series.h"
#include "formats/cell.h"
#include "formats/svg/svg_frame.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define LABEL_MAX    svg_text_room(SVG_LINE_LABEL - 10) /* characters */
#define LABEL_HEIGHT 14
#define JOIN_MAX     0.12 /* of the height */
#define LINES_MAX    16	  /* of one heat map */

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

/* Level in each column, joined with the one before unless that is far away: joins across the map
 * would hide it. Returns where it ends. */
static double put_steps(struct out *o, const struct grid_view *v, const struct svg_box *box,
			const uint64_t *values)
{
	double y = box->top, width = box->cell_width, last = 0;
	bool pen = false;

	for (size_t c = 0; c < v->columns; c++) {
		if (values[c] == GRID_NONE) {
			pen = false;
			continue;
		}
		last = y;
		y = line_y(v, box, values[c]);
		if (pen && fabs(y - last) < box->height * JOIN_MAX)
			out_put(o, "V%.1fH%g", y, (double)(c + 1) * width);
		else
			out_put(o, "M%g %.1fH%g", (double)c * width, y, (double)(c + 1) * width);
		pen = true;
	}
	return y;
}

/* Twice, so that it is seen on every colour: broad, then thin. */
static double put_line(struct out *o, const struct grid_view *v, const struct svg_box *box,
		       const struct grid_series *s, const char *color)
{
	uint64_t *values = values_of(v, s);
	double y;

	out_str(o, "<path stroke=\"" SVG_PAGE "\" stroke-width=\"4\" d=\"");
	put_steps(o, v, box, values);
	out_put(o, "\"/><path stroke=\"%s\" stroke-width=\"2\"", color);
	put_data(o, s, values, v->columns);
	out_str(o, " d=\"");
	y = put_steps(o, v, box, values);
	out_str(o, "\"/>\n");
	free(values);
	return y;
}

/* Of lines and their labels: none is a colour of heat. */
static const char *const colors[] = { SVG_LINE_1, SVG_LINE_2, SVG_LINE_3, SVG_LINE_4 };

/* Beside the ends of the lines, but never on each other. */
static void put_labels(struct out *o, const struct grid_view *v, const struct svg_box *box,
		       struct svg_label *labels, size_t n)
{
	svg_labels_spread(labels, n, box->top + box->height, LABEL_HEIGHT);
	out_put(o, SVG_RIGHT, box->left + box->width);
	for (size_t i = 0; i < n; i++)
		out_put(o, "<text fill=\"%s\" x=\"6\" y=\"%.1f\">%.*s</text>\n",
			colors[labels[i].line % ARRAY_SIZE(colors)], labels[i].y + 4, LABEL_MAX,
			LABEL(&v->grid->lines[labels[i].line].what));
	out_str(o, "</g>\n");
}

void svg_lines(struct out *o, const struct grid_view *v, const struct svg_box *box, size_t map)
{
	size_t n = v->grid->line_count < LINES_MAX ? v->grid->line_count : LINES_MAX;
	struct svg_label labels[LINES_MAX];

	out_put(o, "<g data-at=\"over\" fill=\"none\" data-map=\"%zu\">\n", map);
	out_put(o, SVG_LINES, box->left);
	for (size_t i = 0; i < n; i++)
		labels[i] = (struct svg_label){
			put_line(o, v, box, &v->grid->lines[i], colors[i % ARRAY_SIZE(colors)]), i
		};
	out_str(o, "</g>\n</g>\n<g data-at=\"over\">\n");
	put_labels(o, v, box, labels, n);
	out_str(o, "</g>\n");
}

void svg_strip(struct out *o, const struct grid_view *v, const struct svg_box *box, size_t i)
{
	const struct grid_series *s = &v->grid->strips[i];
	uint64_t *values = values_of(v, s), most = 0;
	unsigned floor_y = box->top + box->height;

	for (size_t c = 0; c < v->columns; c++)
		most = values[c] != GRID_NONE && values[c] > most ? values[c] : most;
	out_put(o, SVG_FIT, box->left, box->cell_width);
	out_str(o, "<path class=\"strip\" shape-rendering=\"crispEdges\" fill=\"" SVG_BAR "\"");
	put_data(o, s, values, v->columns);
	out_put(o, " d=\"M0 %u", floor_y);
	for (size_t c = 0; c < v->columns; c++) {
		uint64_t value = values[c] == GRID_NONE ? 0 : values[c];

		out_put(o, "V%.1fh1",
			floor_y - (most ? (double)value / (double)most * box->height : 0));
	}
	out_put(o, "V%uz\"/></g>\n", floor_y);
	out_put(o, SVG_LEFT, box->left);
	out_put(o, "<text " SVG_DIM_TEXT " x=\"-8\" y=\"%u\">%s</text></g>\n", box->top + 10,
		ALONE(most, s->what.type));
	out_put(o, SVG_RIGHT, box->left + box->width);
	out_put(o, "<text " SVG_DIM_TEXT " x=\"6\" y=\"%u\">%.*s</text></g>\n", box->top + 10,
		LABEL_MAX, LABEL(&s->what));
	free(values);
}
