/* The texts of tracepoints: each format is compiled once. Some show names of addresses in the
 * kernel, which are noted while events flow and looked up when a text is made. */
#ifndef PDTOOL_SCRIPT_TEXTS_H
#define PDTOOL_SCRIPT_TEXTS_H

#include "analyzers/compat/print_format.h"
#include "parser/base/idmap.h"

struct texts {
	struct print_format **formats; /* by event; NULL: not compiled yet */
	size_t count, cap;
	struct idmap locations; /* by address */
	struct buf scratch;
	/* of the call that is made */
	const struct pdt_session *session;
	const struct pdt_event *event;
};

/* All zero is empty. */
void texts_release(struct texts *t);
/* E came just now: note the addresses that its text shows. */
void texts_note(struct texts *t, const struct pdt_event *e, const struct pdt_session *s);
/* Append the text of E, once there are names; safe to show. */
void texts_put(struct texts *t, const struct pdt_event *e, const struct pdt_session *s,
	       struct buf *out);

#endif
