/* Calls and returns out of a trace of instructions to a flame chart: for each thread its calls,
 * each from when it was made to when it returned.
 *
 * A return ends the call that it goes back behind, and all that were made since. While a thread is
 * outside the trace (in the kernel) that is a span of its own. What goes on elsewhere than it
 * stopped is a handler of a signal, until it goes on there. Where the trace was lost all calls end,
 * and what it goes on in begins anew. A jump to another function is no call: what that does counts
 * as its caller's. */
#ifndef PDTOOL_CALLCHART_H
#define PDTOOL_CALLCHART_H

#include "analyzers/count/answer.h"
#include "analyzers/lanes/tracks.h"

/* Spans of 24 bytes. */
#define CALLS_MAX (1u << 24)

struct traced_call {
	size_t span;	 /* SIZE_MAX: it is left out */
	uint64_t back;	 /* the call, just before the address that it returns to */
	uint64_t resume; /* of a handler: where it goes on behind it; 0: it is none */
};

struct call_thread {
	uint64_t resume;
	bool outside; /* the trace: the last open call stands for that */
	struct traced_call *open;
	size_t open_count, open_cap;
	uint64_t over; /* calls that are deeper than spans may be */
};

/* All zero is empty. */
struct call_chart {
	struct tracks tracks;	     /* names of their spans are places until call_chart_finish() */
	struct call_thread *threads; /* of each */
	size_t thread_count, thread_cap;
	size_t spans;
	uint64_t calls, returns, unmatched, left_out, lost;
	const char **names;
	size_t name_count;
};

/* E is a branch of the trace (pdt_event.flow). */
void call_chart_add(struct call_chart *c, const struct pdt_event *e, const struct pdt_session *s);
/* The capture is read, and locations have names; facts and names go to A. */
void call_chart_finish(struct call_chart *c, const struct pdt_session *s, struct answer *a);
void call_chart_result(struct call_chart *c, struct result *out);
void call_chart_release(struct call_chart *c);

#endif
