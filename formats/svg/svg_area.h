/* A stacked area of the largest rows of a grid: steps, not slopes, as a cell is a sum. */
#ifndef PDTOOL_SVG_AREA_H
#define PDTOOL_SVG_AREA_H

#include "formats/svg/svg_sheet.h"
#include "formats/model/result.h"

#define SVG_AREA_LEGEND 300 /* pixels at the right of the box */

/* At most MAX_COLUMNS columns, as the heat map below. */
void svg_area(struct out *o, const struct grid_part *g, const struct svg_box *box,
	      size_t max_columns);

#endif
