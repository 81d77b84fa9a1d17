/* One way to write a result. */
#ifndef PDTOOL_FORMAT_H
#define PDTOOL_FORMAT_H

#include <stdbool.h>

#include "formats/out.h"
#include "formats/model/option.h"
#include "formats/model/result.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"

struct style {
	bool colour;	     /* a terminal that wants it */
	unsigned width;	     /* of the terminal, in columns; 0: it is none */
	unsigned height;     /* of the terminal, in lines */
	bool wide;	     /* whole names and all columns, also on a terminal */
	bool limited;	     /* so many rows are wanted: */
	uint64_t limit;	     /* 0: all */
	const void *options; /* the format's, as its rows filled them */
};

struct format {
	const char *name, *summary;
	unsigned shapes;	      /* enum shape: what it can draw */
	bool draws;		      /* it makes a picture, which says nothing when it is empty */
	const struct option *options; /* ends with an all-zero entry; NULL: it has none */
	size_t options_size;
	unsigned option_shapes; /* of the results that options are for; all others refuse them */
	/* Are STYLE's options sound? Before the work begins: ERR_USAGE with a message in W. May be
	 * NULL. */
	int (*check)(const struct style *style, struct warnings *w);
	/* Errors of writing are kept in OUT. */
	void (*render)(const struct result *r, const struct style *style, struct out *out);
};

/* TEXT of a fact or a message with its amounts (formats/model/amount.h) as people, or machines,
 * read them, in B, which is emptied before. */
const char *fact_text(const char *text, bool people, struct buf *b);
/* TEXT in lines of at most WIDTH (at least 2) columns, each with an end of line, in B, which is
 * emptied before. At most LINES of them, then the last one ends with an ellipsis; 0: all. */
void text_wrap(const char *text, size_t width, size_t lines, struct buf *b);

#endif
