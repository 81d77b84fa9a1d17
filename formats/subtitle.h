/* The lines above and below a drawing. Below its title: what the user says, then what is true of
 * all of it: the unit of its weights, its inputs where it has several, filters, losses, what has no
 * name. */
#ifndef PDTOOL_SUBTITLE_H
#define PDTOOL_SUBTITLE_H

#include "formats/model/result.h"
#include "parser/base/buf.h"

#define SUBTITLE_LINES 8  /* at most; what has no room is in the description */
#define FOOTER_LINES   24 /* the same below the drawing */

struct subtitle {
	struct buf text; /* the lines, each with a NUL */
	size_t count;
};

/* Lines of at most WIDTH characters. OWN: the user's text; COUNTNAME: what weights count, or bars
 * stand for; both may be NULL. */
void subtitle_make(struct subtitle *s, const struct result *r, const char *own,
		   const char *countname, size_t width);
/* The same for below the drawing: NOTE, which may be NULL, then all facts, with them each input. */
void footer_make(struct subtitle *s, const struct result *r, const char *note, size_t width);
/* Line I. */
const char *subtitle_line(const struct subtitle *s, size_t i);
void subtitle_release(struct subtitle *s);

#endif
