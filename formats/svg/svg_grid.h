/* A grid as a heat map: rows are ranges of values or have labels; where those add up, a stacked
 * area stands above it on the same axis. One complete SVG document. */
#ifndef PDTOOL_SVG_GRID_H
#define PDTOOL_SVG_GRID_H

#include "formats/format.h"

/* R's grid; its lanes in place of it, where there are some, on one axis and one scale of colours.
 */
void svg_grid_draw(const struct result *r, const char *title, struct out *out);

#endif
