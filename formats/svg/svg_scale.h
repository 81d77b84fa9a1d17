/* What the drawings of grids and tables share beside their frame: the colours of amounts and of
 * series, the widths of text, long lists of numbers. */
#ifndef PDTOOL_SVG_SCALE_H
#define PDTOOL_SVG_SCALE_H

#include <stddef.h>
#include <stdint.h>

#include "formats/out.h"
#include "parser/base/buf.h"

#define SVG_LEVELS 15 /* of heat */
#define SVG_SERIES 13 /* of areas, the last of which is the rest */

/* The colours of heat, "#rrggbb", on a light and on a dark ground; of series on both. */
extern const char *const svg_light_heat[SVG_LEVELS], *const svg_dark_heat[SVG_LEVELS];
extern const char *const svg_series[SVG_SERIES];

/* "#rrggbb" as 0xrrggbb */
uint32_t svg_rgb(const char *color);
/* The rules of a style sheet that exchange the colours of heat for those on a dark ground. */
void svg_dark_rules(struct buf *css);

/* Where something is drawn, in pixels, in columns of CELL_WIDTH. */
struct svg_box {
	unsigned left, top, width, height;
	double cell_width;
};

/* The name of a line beside where that ends. */
struct svg_label {
	double y;
	size_t line;
};

/* Order N labels from top to bottom, HEIGHT apart, none below BOTTOM. */
void svg_labels_spread(struct svg_label *labels, size_t n, double bottom, double height);
/* About how wide so many characters are, in pixels. */
unsigned svg_text_pixels(size_t characters);
/* How many characters fit. */
int svg_text_room(double pixels);

/* Many numbers as short text for a script: "0*12 5 7*3". */
void svg_runs(struct out *o, const uint64_t *values, size_t count);

/* What the script moves where the window is narrower than the drawing. In SVG_FIT, for the left end
 * of the axis of x and the width of a column, x counts columns; in SVG_LINES pixels, so that
 * strokes are as broad as they should be. The other two are beside the axis, at its left or right
 * end. */
#define SVG_FIT	  "<g data-at=\"fit\" transform=\"translate(%u 0) scale(%g 1)\">\n"
#define SVG_LINES "<g data-at=\"lines\" transform=\"translate(%u 0)\">\n"
#define SVG_LEFT  "<g data-at=\"left\" text-anchor=\"end\" transform=\"translate(%u 0)\">\n"
#define SVG_RIGHT "<g data-at=\"right\" transform=\"translate(%u 0)\">\n"

/* Attributes that many elements have. */
#define SVG_DIM_TEXT "fill=\"" SVG_DIM "\""
#define SVG_RULE     "fill=\"none\" stroke=\"" SVG_LINE "\" shape-rendering=\"crispEdges\""

#endif
