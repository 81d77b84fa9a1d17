/* The commands that a person should run next, filled in for the capture at hand: each of them has
 * something to show of it. */
#ifndef PDTOOL_NEXT_H
#define PDTOOL_NEXT_H

#include "analyzers/count/section.h"
#include "parser/base/buf.h"

#define NEXT_COMMANDS 3

struct next {
	struct answer answer; /* rows of next_columns */
	struct buf file;      /* the capture, as a word for a shell */
	char *const *shared;  /* options of each command, see struct inputs */
	size_t shared_count, count;
};

extern const struct column next_columns[];

void next_begin(struct next *n, const struct pdt_session *s);
/* Add one, unless there are enough, or the same is there. ARGS: as in struct section_next; what
 * they give themselves is not given again. */
void next_add(struct next *n, const char *why, const char *args);
void next_release(struct next *n);

#endif
