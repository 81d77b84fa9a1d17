/* A table as bars: the text of a row at the left, its bar, its number at the right. One complete
 * SVG document. */
#ifndef PDTOOL_SVG_BARS_H
#define PDTOOL_SVG_BARS_H

#include "formats/format.h"

void svg_bars_draw(const struct table_part *t, const struct result *r, const char *title,
		   struct out *out);

#endif
