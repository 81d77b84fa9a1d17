/* Is there anything to show? The one place that decides it, for every command: a filter that
 * matches nothing, a range outside the capture, an input without samples and a result without rows
 * are no success. One line says what was asked, what is there, and what is nearest to it. */
#ifndef PDTOOL_NOTHING_H
#define PDTOOL_NOTHING_H

#include "analyzers/analyzer.h"

/* Over the inputs of a run. All zero is empty. */
struct nothing {
	bool found;	 /* an input has what was asked for, as far as it is known before the end */
	bool has_all;	 /* an input has something of each filter */
	struct buf now;	 /* why the input that was looked at last has nothing, if it has */
	struct buf path; /* the first input's */
	struct buf line; /* why there is nothing, of the first input: if there turns out to be */
	struct buf lines; /* what nothing_why() made */
};

/* The events of S were read, and locations have names if they were asked for. False: it has nothing
 * of what is asked for. */
bool nothing_look(struct nothing *n, const struct analyzer *a, const struct pdt_session *s);
/* Folded text was read. */
void nothing_text(struct nothing *n, const char *path);
/* Which name of --event means several of S's? Says so in W: ERR_USAGE. */
CHECKED int nothing_check_events(const struct pdt_session *s, struct warnings *w);
/* A filter of samples that is given; NULL: there is none. */
const char *nothing_filter(const struct filter *f);
/* R is empty. Is that what was asked, so that it is no failure? */
bool nothing_answers(const struct nothing *n, const struct result *r);
/* Why it is. Valid until nothing_release(). */
const char *nothing_why(struct nothing *n, const struct result *r);
void nothing_release(struct nothing *n);

#endif
