/* Messages about events that a capture does not have. */
#include "analyzers/count/missing.h"
#include "parser/base/buf.h"

#define NAMES_MAX 12

int missing_events(const struct session *s, const char *what, const char *command,
		   struct warnings *w)
{
	const struct capture *c = session_capture(s);
	struct buf have = { 0 };

	for (size_t i = 0; i < c->events.count && i < NAMES_MAX; i++)
		buf_printf(&have, "%s%s", i ? ", " : "", c->events.descs[i]->name);
	if (c->events.count > NAMES_MAX)
		buf_printf(&have, " and %zu more", c->events.count - NAMES_MAX);
	warn_add(w, SEV_FATAL, "missing-events", "%s: no %s events (found: %s). Record with: %s",
		 session_path(s), what, have.len ? have.data : "none", command);
	buf_release(&have);
	return ERR_USAGE;
}
