/* A heat map that a terminal can show, of shaded blocks: at most 100 columns by 30 rows, but on a
 * terminal as wide as that is, and not much higher. */
#ifndef PDTOOL_TEXT_GRID_H
#define PDTOOL_TEXT_GRID_H

#include "formats/format.h"
#include "formats/out.h"
#include "formats/model/result.h"

/* R's grid, or the first of its lanes, one below the other. In colour: by 256 colours; else by four
 * shades. */
void text_grids(const struct result *r, const struct style *style, struct out *out);

#endif
