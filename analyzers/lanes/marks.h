/* What threads did over time, one thing after the other: who owns such facts offers them by one row
 * of functions, and who draws them by thread takes them. The rows are in export/marks.c, so the
 * exports know no subject and the subjects do not know each other. */
#ifndef PDTOOL_LANES_MARKS_H
#define PDTOOL_LANES_MARKS_H

#include "formats/model/marks.h"
#include "parser/pdtool.h"

/* Where a source puts its marks. */
struct mark_sink {
	/* One of thread TID; PROFILE_NONE: of no thread. */
	void (*add)(void *ctx, uint32_t tid, const struct profile_mark *m);
	/* Who TID is, where it has marks; its process is PROFILE_NONE when it is not known. Those
	 * that have no name in the end are left out: filters do not let them pass. */
	void (*name)(void *ctx, uint32_t tid, uint32_t pid, const char *comm);
	void *ctx;
};

struct mark_source {
	const char *system; /* it has no use for samples of another one's tracepoints */
	size_t state_size;  /* zero before begin() */
	unsigned wants;	    /* enum pdt_want */
	void (*begin)(void *state, const struct mark_sink *to);
	/* Any other event, in the order of time. */
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s);
	/* All are read. */
	void (*end)(void *state);
	void (*release)(void *state);
};

extern const struct mark_source sched_marks;
extern const struct mark_source io_marks;

#endif
