/* Read one capture by several threads, each with a session and a state that take a part of its
 * samples (parser/shares.h), and put them together. */
#ifndef PDTOOL_CLI_PARTS_H
#define PDTOOL_CLI_PARTS_H

#include "analyzers/analyzer.h"
#include "cli/progress.h"
#include "parser/session.h"

struct parts {
	const struct analyzer *analyzer;
	void *state;
	const char *path;
	struct progress *progress;
	unsigned jobs;
	bool asked; /* the user said how many jobs: else as many as help */
};

#define PARTS_NONE 1

/* Read all of S, which was opened with O, into the state. PARTS_NONE: that cannot be done in parts,
 * and S is as it was; ERR_ALONE: the same, but S was read, and has to be opened again; else as
 * session_next(). */
CHECKED int parts_read(const struct parts *p, struct pdt_session *s,
		       const struct session_options *o);

#endif
