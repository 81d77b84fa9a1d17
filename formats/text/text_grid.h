/* A heat map that a terminal can show: at most 100 columns by 30 rows of shaded blocks. */
#ifndef PDTOOL_TEXT_GRID_H
#define PDTOOL_TEXT_GRID_H

#include <stdbool.h>

#include "formats/out.h"
#include "formats/model/result.h"

/* R's grid, or the first of its lanes, one below the other. COLOUR: by 256 colours; else by four
 * shades. */
void text_grids(const struct result *r, bool colour, struct out *out);

#endif
