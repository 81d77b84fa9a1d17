/* Text and numbers as drawings need them: escaped, short, the same on every machine. */
#ifndef PDTOOL_SVG_TEXT_H
#define PDTOOL_SVG_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/out.h"

/* TEXT as xml_text() writes it; with ASCII every other character as a reference, so that the bytes
 * mean the same in any encoding. */
void svg_text(struct out *o, const char *text, bool ascii);
/* At most LEN bytes of it. */
void svg_text_n(struct out *o, const char *text, size_t len, bool ascii);
/* TEXT as a string of JavaScript and JSON, with its quotes: ASCII, and nothing in it can end a
 * script, a CDATA section or a comment. */
void svg_json(struct out *o, const char *text);
/* Pixels, at most three digits after the point and no zeros at the end. */
void svg_px(struct out *o, double px);
/* Several of them, each behind its text; the last text is NULL. */
struct svg_number {
	const char *before;
	double px;
};
void svg_pxs(struct out *o, const struct svg_number *list);
void svg_int(struct out *o, int64_t n);

#endif
