/* What a grid has beside its cells, drawn: lines over the heat map, strips and an area above it. */
#ifndef PDTOOL_SVG_SERIES_H
#define PDTOOL_SVG_SERIES_H

#include "formats/grid_view.h"
#include "formats/svg/svg_scale.h"

#define SVG_STRIP_HEIGHT 44
#define SVG_LINE_LABEL	 90  /* pixels at the right of the box for the names of lines */
#define SVG_AREA_LEGEND	 230 /* for the legend of an area */

/* The lines of the grid over the ranges in BOX; MAP: which of the drawing's heat maps. */
void svg_lines(struct out *o, const struct grid_view *v, const struct svg_box *box, size_t map);
/* Strip number I of the grid, from 0 to its largest value. */
void svg_strip(struct out *o, const struct grid_view *v, const struct svg_box *box, size_t i);
/* A stacked area of the largest rows: steps, not slopes, as a cell is a sum. At most MAX_COLUMNS
 * columns, as the heat map below. */
void svg_area(struct out *o, const struct grid_part *g, const struct svg_box *box,
	      size_t max_columns);

#endif
