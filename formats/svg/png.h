/* A small picture by palette as "data:image/png;base64,...": for drawings of so many cells that
 * each of them cannot be an element. PNG 1.2; not compressed, as four bits by cell are little. */
#ifndef PDTOOL_PNG_H
#define PDTOOL_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "formats/out.h"

#define PNG_COLOURS 15

struct png {
	uint32_t width, height;
	const uint8_t *pixels;	    /* width * height, row by row from the top: 0 is transparent */
	const char *const *colours; /* of 1 to PNG_COLOURS, "#rrggbb" */
};

void png_data_uri(struct out *o, const struct png *p);

#endif
