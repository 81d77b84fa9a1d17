/* For the summary: the functions and threads that used most, by the event that tells most of CPU
 * time, and the commands over time. The figures are those of report. */
#ifndef PDTOOL_TOP_H
#define PDTOOL_TOP_H

#include "analyzers/count/module_shares.h"
#include "analyzers/count/rows/rows.h"
#include "analyzers/count/section.h"
#include "analyzers/lanes/load.h"

struct top {
	struct samples samples; /* of all events: under thread and stack */
	struct load load;	/* by event and command */
	struct rows functions, threads;
	struct module_shares shares;
	const struct pdt_session *session; /* while names are asked for */
	size_t event;			   /* in the events of both */
	const char *event_name;		   /* NULL: none that tells anything */
	const char *function; /* the one with the most self weight that has a name; or NULL */
	struct buf label;
};

void top_begin(struct top *t);
void top_event(struct top *t, const struct pdt_event *e, const struct pdt_session *s);
/* The functions, with the load, and the threads. EXPLAINED: sections say what tracepoints mean, so
 * that they are not counted as if each were time. False: there is no event to count. */
bool top_finish(struct top *t, const struct pdt_session *s, bool explained,
		struct section_result out[2]);
void top_release(struct top *t);

#endif
