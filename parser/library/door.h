/* What stands behind a struct pdt_session, for the files that answer the public headers, and for
 * the tool itself, which opens captures with more options than pdt_set() has words for. */
#ifndef PDTOOL_LIBRARY_DOOR_H
#define PDTOOL_LIBRARY_DOOR_H

#include "parser/library/owner.h"
#include "parser/pdtool.h"
#include "parser/session.h"

enum stage { STAGE_NEW, STAGE_EVENTS, STAGE_END, STAGE_NAMES, STAGE_DEAD };

struct pdt_session {
	struct owner owner;
	enum stage stage;
	struct warnings warnings; /* while there is no session that has others */
	struct session_options options;
	struct session *session; /* NULL: not open, or no memory is left */
	struct pdt_event event;
	const char *message;
};

/* FN(ARG), which may fail, and run out of memory: what it returns, S having a message of it. It is
 * PDT_ERR_USAGE where S is not at STAGE. */
CHECKED int door_run(struct pdt_session *s, enum stage stage, int (*fn)(void *arg), void *arg);
/* The same of what hands out events: 1; 0 is the end, also when it was there before. */
CHECKED int door_read(struct pdt_session *s, int (*fn)(void *arg), void *arg);

/* As session_open(): *OUT has the session, to be closed by pdt_close(). */
CHECKED int door_open(struct pdt_session **out, const char *path, const struct session_options *o,
		      struct warnings *w);

#endif
