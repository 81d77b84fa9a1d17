/* One way to write a result. */
#ifndef PDTOOL_FORMAT_H
#define PDTOOL_FORMAT_H

#include <stdbool.h>

#include "formats/out.h"
#include "formats/model/result.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"

/* How flame graphs are drawn: flamegraph.pl's options, by their names. Text is as it was given;
 * NULL or 0 is the default. */
struct flame_style {
	const char *title, *subtitle, *notes;
	const char *width;    /* pixels (1200) */
	const char *height;   /* of a frame, pixels (16) */
	const char *minwidth; /* pixels (0.1), or "1%" of the time */
	const char *fonttype, *fontsize, *fontwidth;
	const char *countname, *nametype, *nameattr, *encoding;
	const char *total, *factor;
	const char *colors, *bgcolors, *cp;
	bool hash, random, inverted, negate;
};

struct style {
	bool colour; /* a terminal that wants it */
	bool header; /* say in CSV too what the result is made of, as "# " lines */
	struct flame_style flame;
};

struct format {
	const char *name, *summary;
	unsigned shapes; /* enum shape: what it can draw */
	/* Is STYLE sound? Before the work begins: ERR_USAGE with a message in W. May be NULL. */
	int (*check)(const struct style *style, struct warnings *w);
	/* Errors of writing are kept in OUT. */
	void (*render)(const struct result *r, const struct style *style, struct out *out);
};

/* TEXT of a fact or a message with its amounts (formats/model/amount.h) as people, or machines,
 * read them, in B, which is emptied before. */
const char *fact_text(const char *text, bool people, struct buf *b);

extern const struct format format_folded;
extern const struct format format_text;
extern const struct format format_csv;
extern const struct format format_json;
extern const struct format format_svg;

#endif
