/* The one line about a capture that does not hold what an analyzer needs. */
#ifndef PDTOOL_MISSING_H
#define PDTOOL_MISSING_H

#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/pdtool_capture.h"

/* "FILE: no WHAT events (found: ...). Record with: COMMAND" as a fatal warning. Returns ERR_USAGE.
 */
int missing_events(const struct pdt_session *s, const char *what, const char *command,
		   struct warnings *w);
/* What samples may not tell. */
enum sample_part {
	PART_STACK,
	PART_CPU,
	PART_TIME,
	PART_CGROUP,
	PART_WEIGHT,
	PART_NAMESPACES,
};
/* Figures are by PART: where no sample of S tells it, a note in W says which option records it. */
void missing_part(const struct pdt_session *s, enum sample_part part, struct warnings *w);
/* NAME (NULL: nothing is asked for) of OPTION shall mean one event: ERR_USAGE, with a message in W,
 * when it only seems to. */
CHECKED int check_one_event(const struct pdt_session *s, const char *option, const char *name,
			    struct warnings *w);
/* Append the names of the first MOST events of S. */
void event_names(const struct pdt_session *s, size_t most, struct buf *out);
/* Samples of other events than CHOSEN (NULL: none was chosen) were not used: append which. True:
 * CHOSEN is one of the capture's. */
bool other_events(const struct pdt_session *s, const char *chosen, struct buf *out);

#endif
