/* What flame graphs and flame charts share: the SVG element, style sheet, title, background, the
 * places of the controls, the facts about the result, the script. One file that needs no other. */
#ifndef PDTOOL_SVG_PAGE_H
#define PDTOOL_SVG_PAGE_H

#include "formats/flame/flame_style.h"
#include "formats/svg/svg_frame.h"
#include "parser/base/buf.h"

#define PAGE_SIDE_PX 10 /* left and right of the drawing */

struct svg_page {
	struct svg_frame frame;
	const struct drawing *drawing;
	double top_px;	  /* above the drawing: set by svg_page_init() */
	double bottom_px; /* below it */
	struct buf note;  /* a small line below the title: what was left out, what colours say */
};

/* The caller then says what the drawing needs: the frame's height_px, note. */
void svg_page_init(struct svg_page *p, const struct result *r, const struct drawing *d,
		   struct out *out);
/* The smallest frame worth drawing, of SPAN, which is as wide as the drawing. */
double svg_page_least(const struct drawing *d, double span);
/* All before the drawing. */
void svg_page_begin(const struct svg_page *p);
/* After the drawing: the script up to the argument of its function, which the caller writes; none
 * where there are no frames to zoom and search. */
void svg_page_script(const struct svg_page *p);
/* The rest; releases P. */
void svg_page_end(struct svg_page *p);
/* A picture that says only TEXT. */
void svg_page_message(const struct result *r, const struct drawing *d, struct out *out,
		      const char *text);

#endif
