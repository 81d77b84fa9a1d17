/* A file for each event (--per-event-dump): what they are called and which event has which. */
#ifndef PDTOOL_SCRIPT_DUMPS_H
#define PDTOOL_SCRIPT_DUMPS_H

#include "formats/model/result.h"
#include "parser/base/err.h"
#include "parser/pdtool_capture.h"

#define DUMPS_MAX 900 /* files: a process may have 1024 open by default */

struct dumps {
	struct lines_file *files;
	size_t count, cap;
	uint32_t *by; /* by event: its file */
};

/* All zero is empty. */
void dumps_release(struct dumps *d);
/* ERR_USAGE, with a message in W: there are too many. */
CHECKED int dumps_make(struct dumps *d, const struct pdt_session *s, struct warnings *w);
/* One more for the file of E; which that is. LINES_ALONE: E is a record of another kind. */
uint32_t dumps_count(struct dumps *d, const struct pdt_event *e);

#endif
