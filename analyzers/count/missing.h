/* The one line about a capture that does not hold what an analyzer needs. */
#ifndef PDTOOL_MISSING_H
#define PDTOOL_MISSING_H

#include "parser/session.h"

/* "FILE: no WHAT events (found: ...). Record with: COMMAND" as a fatal warning. Returns ERR_USAGE.
 */
int missing_events(const struct session *s, const char *what, const char *command,
		   struct warnings *w);

#endif
