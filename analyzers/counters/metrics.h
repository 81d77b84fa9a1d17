/* What follows from several counters: instructions per cycle, shares, rates. */
#ifndef PDTOOL_COUNTERS_METRICS_H
#define PDTOOL_COUNTERS_METRICS_H

#include "analyzers/counters/counts.h"

#define METRICS_MAX 2 /* of one event */

struct metric {
	double value;
	const char *unit;   /* perf's words: "insn per cycle", "of all branches", "M/sec" */
	const char *format; /* how perf prints the value */
};

struct metric_event; /* what an event counts */

struct metrics {
	struct metric_event *events; /* by index */
	size_t count;
	bool as_perf;	/* only what perf stat report (6.12) tells */
	double wall_ns; /* the time that what is loaded was counted in; 0: not known */
};

void metrics_init(struct metrics *m, const struct pdt_session *s);
void metrics_release(struct metrics *m);
/* Those of EVENT at PLACE, of what is loaded in C, to OUT. How many. */
size_t metrics_of(const struct metrics *m, const struct counts *c, size_t place, size_t event,
		  struct metric out[METRICS_MAX]);

#endif
