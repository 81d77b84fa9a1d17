/* Read one capture by several threads, each with a session and a state that take a part of its
 * samples (parser/shares.h), and put them together; and the capture after it beside it. */
#ifndef PDTOOL_CLI_PARTS_H
#define PDTOOL_CLI_PARTS_H

#include "analyzers/analyzer.h"
#include "cli/progress.h"
#include "parser/session.h"

/* What was read of one capture. */
struct reading;

struct parts {
	const struct analyzer *analyzer;
	void *state;
	const char *path, *next; /* NEXT: the capture after it; NULL: there is none */
	struct progress *progress;
	unsigned jobs;
	bool asked; /* the user said how many jobs: else as many as help */
};

#define PARTS_NONE 1

/* Read all of S, which was opened with O, into the state. PARTS_NONE: that cannot be done in parts,
 * and S is as it was; ERR_ALONE: the same, but S was read, and has to be opened again; else as
 * session_next(). *NEXT: what was read of the next one, to be taken or freed; NULL: nothing. */
CHECKED int parts_read(const struct parts *p, struct pdt_session *s,
		       const struct session_options *o, struct reading **next);

/* The session of R, which is freed, as if it had been opened and read just now: its samples are in
 * the state if they are to COUNT, and what there is to say of it is in W, where the rest will be,
 * too. NULL: it has to be read, and nothing was said. */
struct pdt_session *beside_take(struct reading *r, bool counts, struct warnings *w);
/* R: NULL does nothing. */
void beside_free(struct reading *r);

#endif
