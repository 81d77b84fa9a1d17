/* What every drawing is framed by: one SVG document that needs no other file, with its title, a
 * description that has the facts, a style sheet for light and for dark, and its script. */
#ifndef PDTOOL_SVG_FRAME_H
#define PDTOOL_SVG_FRAME_H

#include "formats/out.h"
#include "formats/model/result.h"
#include "formats/subtitle.h"

struct svg_frame {
	struct out *out;
	const struct result *result;
	const char *kind;     /* the class of the svg element, by which its script finds it */
	const char *title;    /* what the user calls it, or else the result, or else what it is */
	const char *notes;    /* of the user, for the description; may be NULL */
	const char *encoding; /* in which all that is not ASCII is a reference; NULL: UTF-8 */
	struct subtitle subtitle; /* who makes it draws it */
	double width_px, height_px;
};

/* The scripts and the style sheet: files of their own, put into the program when it is assembled.
 * Each ends with a NUL. */
extern const char svg_flame_script[], svg_flame_css[], svg_grid_script[], svg_number_script[];

/* All up to the style sheet, which the caller writes, for a dark ground last and without its end;
 */
void svg_frame_open(const struct svg_frame *f);
/* up to the drawing. */
void svg_frame_body(const struct svg_frame *f);
/* A text with its base line at (X, Y). ATTRIBUTES: more of them, trusted. */
void svg_frame_text(const struct svg_frame *f, double x, double y, const char *attributes,
		    const char *text);
/* SCRIPT, behind what scripts share, to which the caller may add; svg_frame_close() ends it. */
void svg_frame_script(const struct svg_frame *f, const char *script);
void svg_frame_close(const struct svg_frame *f, bool has_script);

#endif
