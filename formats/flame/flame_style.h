/* How a drawing looks: flamegraph.pl's options. */
#ifndef PDTOOL_FLAME_STYLE_H
#define PDTOOL_FLAME_STYLE_H

#include <stdbool.h>

#include "formats/model/option.h"
#include "formats/model/result.h"

struct drawing {
	/* the options; NULL or 0: not given */
	const char *title, *subtitle, *notes;
	const char *fonttype, *nametype, *countname;
	const char *encoding;	       /* completed: NULL is UTF-8 */
	const char *palette_path;      /* of --cp */
	const char *attributes_path;   /* of --nameattr */
	const char *ground;	       /* of --bgcolors: a name or "#rrggbb" */
	double width_px;	       /* of the picture */
	double frame_px;	       /* height of a frame */
	bool frame_given;	       /* the user chose it */
	struct quantity minwidth;      /* pixels, or percent of the weight */
	double fontsize_px, fontwidth; /* fontwidth: of a character, in fontsizes */
	double total, factor;
	enum palette palette;
	bool hash, random, inverted, negate;
	bool diffusion; /* the wider a frame, the redder */
	/* "#rrggbb"; NULL: the usual ones. Of buttons, of what a search found, of edges of frames
	 */
	const char *ui_color, *search_color, *stroke_color;
	const char *highlight; /* a regular expression */
	/* what follows from them */
	bool by_kind; /* no colours were asked for: kernel, JIT, inlined frames stand out from it */
	bool chosen;  /* the palette, by the user or the analyzer */
	const char *background[2]; /* of the gradient, "#rrggbb"; NULL: none was chosen */
	const char *dark[2];	   /* the same where dark is preferred */
};

extern const struct option drawing_options[]; /* of a struct drawing */

/* The options of D are set: what follows from them, for a result whose colours are USUAL. */
void drawing_complete(struct drawing *d, enum palette usual);
#endif
