/* flamegraph.pl's options, checked and as numbers. */
#ifndef PDTOOL_FLAME_STYLE_H
#define PDTOOL_FLAME_STYLE_H

#include <stdbool.h>

#include "formats/format.h"

enum palette {
	PALETTE_HOT,
	PALETTE_MEM,
	PALETTE_IO,
	PALETTE_WAKEUP,
	PALETTE_CHAIN,
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_PERL,
	PALETTE_RUST,
	PALETTE_PYTHON,
	PALETTE_RED,
	PALETTE_GREEN,
	PALETTE_BLUE,
	PALETTE_AQUA,
	PALETTE_YELLOW,
	PALETTE_PURPLE,
	PALETTE_ORANGE,
};

struct drawing {
	const char *title, *subtitle, *notes; /* NULL: none given */
	const char *fonttype, *nametype, *encoding;
	const char *countname;	     /* NULL: none given */
	const char *palette_path;    /* of --cp */
	const char *attributes_path; /* of --nameattr */
	double width_px;	     /* of the picture */
	double frame_px;	     /* height of a frame */
	double minwidth;	     /* pixels, or percent of the weight: */
	bool minwidth_is_percent;
	double fontsize_px, fontwidth; /* fontwidth: of a character, in fontsizes */
	double total;		       /* 0: none given */
	double factor;
	enum palette palette;
	const char *background[2]; /* of the gradient, "#rrggbb" */
	const char *dark[2];	   /* the same where dark is preferred */
	bool hash, random, inverted, negate;
	bool ascii; /* the encoding is not UTF-8: other characters are written as references */
};

/* Fill D, which points into S. Negative enum err with a message in W, which may be NULL when S was
 * checked before. */
CHECKED int flame_style_parse(struct drawing *d, const struct flame_style *s, struct warnings *w);

#endif
