/* What every drawing is framed by: one SVG document that needs no other file. From the top: the
 * title and the buttons, the subtitle (unit, weight, duration, losses), the legend; the drawing;
 * two lines for what is under the pointer; the footer with every input and the other facts.
 *
 * Attributes carry all that is needed for a right picture: viewers without style sheets, without
 * scripts show it, on a light ground. The style sheet only exchanges colours for a dark ground, and
 * the script (frame.js) wraps the head and the foot to the width of the window. */
#ifndef PDTOOL_SVG_FRAME_H
#define PDTOOL_SVG_FRAME_H

#include "formats/out.h"
#include "formats/model/result.h"
#include "formats/subtitle.h"

#define SVG_SIDE_PX 10 /* left and right of all */

/* Colours by what they are for, on a light ground. The style sheet has for each of them the one on
 * a dark ground: an attribute fill, stroke or stop-color of one of them follows by itself, any
 * other colour stays. */
#define SVG_PAGE       "#fffffe" /* not white: that is a colour of frames */
#define SVG_PLOT       "#f4f4f7" /* the ground of what has axes */
#define SVG_TEXT       "#1b1b1f"
#define SVG_DIM	       "#5a5a64" /* text that is read last */
#define SVG_LINE       "#d0d0d8" /* of axes and grids */
#define SVG_EDGE       "#83838f" /* of boxes that must be seen */
#define SVG_LINK       "#0055bb" /* what can be pressed */
#define SVG_LINE_1     "#0b5fc2" /* over a heat map */
#define SVG_LINE_2     "#00755c"
#define SVG_LINE_3     "#6a1fb0"
#define SVG_LINE_4     "#1b1b1e"
#define SVG_GAP	       "#8c8c97" /* what is not known */
#define SVG_BAR	       "#5b7fae" /* amounts that are compared with nothing */
#define SVG_BEFORE     "#b4b9c4" /* one side of two */
#define SVG_MORE       "#d6453d" /* than before; also for sure, and not for sure */
#define SVG_LESS       "#2f7fbf"
#define SVG_MAYBE_MORE "#e59a95"
#define SVG_MAYBE_LESS "#93bbdc"
#define SVG_NOISE      "#a3a3ad" /* a difference that says nothing */

/* An entry of the legend: a run of colours, what stands before it and behind it. */
#define SVG_KEY_COLORS 16

struct svg_key {
	const char *before, *after;	 /* NULL: nothing; they must last until svg_frame_open() */
	uint32_t colors[SVG_KEY_COLORS]; /* 0xrrggbb */
	const char *titles[SVG_KEY_COLORS]; /* of each; NULL: none */
	unsigned count;
	bool framed;	  /* white or the like: it has an edge */
	const char *fill; /* in place of the only colour; NULL: none */
};

#define SVG_KEYS 24

struct svg_frame {
	struct out *out;
	const struct result *result;
	const char *kind;     /* the class of the svg element, by which its script finds it */
	const char *title;    /* what the user calls it, or else the result, or else what it is */
	const char *own;      /* the user's line below it; may be NULL */
	const char *counted;  /* what weights count, or bars stand for; may be NULL */
	const char *note;     /* what is true of this drawing alone, for the footer; may be NULL */
	const char *notes;    /* of the user, for the description; may be NULL */
	const char *encoding; /* in which all that is not ASCII is a reference; NULL: UTF-8 */
	const char *font;     /* NULL: the usual one */
	double font_px;	      /* 0: the usual size */
	double width_px, height_px;	 /* height: when it is open */
	const char *ground[2], *dark[2]; /* of a gradient, "#rrggbb"; NULL: plain */
	const char *css, *dark_css;	 /* of the drawing; may be NULL */
	const char *defs;		 /* the same, what stands in <defs> */
	struct svg_key keys[SVG_KEYS];
	size_t key_count;
	bool is_live; /* it has a script */
	/* the frame's own */
	struct subtitle subtitle, footer;
	double head_px;	 /* height of all above the drawing */
	double status_y; /* below the drawing: where the two lines begin */
};

/* The scripts and style sheets: files of their own, put into the program when it is assembled.
 * Each ends with a NUL. */
extern const char svg_frame_script[], svg_number_script[], svg_frame_css[];
extern const char svg_timeline_script[], svg_timeline_css[];
extern const char svg_flame_script[], svg_flame_css[], svg_grid_script[], svg_bars_script[],
	svg_fit_script[];

struct drawing;

/* What the user chose for all drawings, in place of what F has: title, subtitle, notes, encoding,
 * font. D may be NULL. */
void svg_frame_style(struct svg_frame *f, const struct drawing *d);
/* For the legend. All keys come before svg_frame_head(). */
void svg_frame_key(struct svg_frame *f, const char *text, uint32_t color);
/* Lay out what stands above the drawing: where that begins. F has all but its height and note. */
double svg_frame_head(struct svg_frame *f);
/* The document up to the drawing, which ends at BOTTOM; the height follows. */
void svg_frame_open(struct svg_frame *f, double bottom);
/* A text with its base line at (X, Y). ATTRIBUTES: more of them, trusted. */
void svg_frame_text(const struct svg_frame *f, double x, double y, const char *attributes,
		    const char *text);
/* A button of the title's line, where the script places it, from right to left; TIP tells what it
 * does. Between svg_frame_open() and the drawing. */
void svg_frame_button(const struct svg_frame *f, const char *id, const char *text, const char *tip);
/* SCRIPT, behind what scripts share, to which the caller may add; */
void svg_frame_script_open(const struct svg_frame *f, const char *script);
/* svg_frame_close() ends it, and releases F. */
void svg_frame_close(struct svg_frame *f);

#endif
