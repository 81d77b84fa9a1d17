/* Counters of perf stat record, as perf script prints them: a line for each at the end of each
 * interval. */
#ifndef PDTOOL_SCRIPT_COUNTED_H
#define PDTOOL_SCRIPT_COUNTED_H

#include "analyzers/analyzer.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"

/* All zero is empty. */
struct counted {
	struct intern places;	   /* event, thread and CPU of each counter */
	struct counted_row *reads; /* the same: as it was read last */
	size_t cap;
	uint32_t *order; /* in which they are shown */
	size_t ordered;	 /* so many of them */
	bool begun;	 /* the heading is written */
};

/* Is S a capture of perf stat record? */
bool counted_is(const struct pdt_session *s);
/* Take E, which came last: true where it ends an interval, whose lines OUT then gets. */
bool counted_event(struct counted *c, const struct pdt_event *e, const struct pdt_session *s,
		   struct buf *out);
void counted_release(struct counted *c);

#endif
