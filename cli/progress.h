/* A line on stderr that says how far reading is: for people, never in a file. */
#ifndef PDTOOL_PROGRESS_H
#define PDTOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/session.h"

struct progress {
	bool on;
	bool shown;
	uint64_t start_ns, next_ns;
	uint32_t countdown;
};

void progress_start(struct progress *p, bool on);
void progress_look(struct progress *p, const struct session *s);
/* Call for every event; looks at the clock now and then. */
static inline void progress_step(struct progress *p, const struct session *s)
{
	if (p->on && !--p->countdown)
		progress_look(p, s);
}
void progress_end(struct progress *p);

/* For `make bench`: NAME, which stays, is what the run does from now on. With PDTOOL_STAGES in the
 * environment a line for each stage goes to standard error in the end: its name, and in seconds the
 * time by the clock, the CPU time of all threads, and that of the first one. */
void stage(const char *name);

#endif
