/* What the drawings of grids and tables share: one self-contained SVG document that follows the
 * reader's light or dark scheme, its title, and the lines that say what it is made of. */
#ifndef PDTOOL_SVG_SHEET_H
#define PDTOOL_SVG_SHEET_H

#include "formats/format.h"
#include "formats/svg/svg_frame.h"

#define SVG_LEVELS 15 /* of heat: the classes c1 to c15 */
#define SVG_SERIES 13 /* of areas: the classes s0 to s12, the last of which is the rest */

/* A size of text: 12 pixel monospace, in hundredths of a pixel by character. */
#define SVG_CHAR_X100 725

/* The colours of heat, "#rrggbb", on a light and on a dark ground. */
extern const char *const svg_light_heat[SVG_LEVELS], *const svg_dark_heat[SVG_LEVELS];

/* Where something is drawn, in pixels, in columns of CELL_WIDTH. */
struct svg_box {
	unsigned left, top, cell_width, width, height;
};

/* From the XML declaration to the title of a drawing down to BOTTOM. */
void svg_sheet_open(struct svg_frame *f, unsigned bottom);
/* The SCRIPT, which may be NULL, the end. */
void svg_sheet_close(struct svg_frame *f, const char *script);

/* How wide so many characters are, in pixels. */
unsigned svg_text_pixels(size_t characters);

/* Many numbers as short text for a script: "0*12 5 7*3". */
void svg_runs(struct out *o, const uint64_t *values, size_t count);

#endif
