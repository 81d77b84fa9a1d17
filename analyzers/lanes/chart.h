/* Samples in the order of time to a flame chart: for each thread the frames that were on its stack,
 * as long as they stayed. Samples on pid 0 go to their CPU, where each CPU has an idle thread.
 *
 * A sample of a clock covers its period up to its time. One of another event covers the time since
 * its thread's sample before, but no more than 1.5 times the usual interval. A gap of less than an
 * eighth of what a sample covers is the jitter of the timer and is closed; others stay. */
#ifndef PDTOOL_CHART_H
#define PDTOOL_CHART_H

#include "analyzers/count/fold/folding.h"
#include "analyzers/lanes/tracks.h"

struct chart_sample {
	uint64_t time_ns, period_ns; /* period: 0 when the event is no clock */
	uint32_t thread, stack;
};

struct chart {
	struct tracks
		tracks; /* LAST_NS: while lanes are made, the time of its last sample; 0: none */
	struct chart_sample *samples;
	size_t sample_count, sample_cap;
	uint64_t interval_ns;	/* the usual one, where the event says it; else 0 */
	struct frame_list list; /* of the stack at hand */
	uint8_t *kinds;		/* by name: what the function is */
	size_t kind_count, kind_cap;
};

void chart_add(struct chart *c, const struct pdt_event *e);
/* The capture is read, and F has just named its locations. Negative with a message in W when its
 * samples have no times. */
CHECKED int chart_finish(struct chart *c, const struct folding *f, const struct pdt_session *s,
			 struct warnings *w);
/* A timeline, with the names of F's set, which is finished. */
void chart_result(struct chart *c, const struct folding *f, struct result *out);
void chart_release(struct chart *c);

#endif
