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

/* What an event counts. */
struct metric_event {
	const char *name; /* not ours */
	const char *unit; /* NULL: none, it is a count */
	double scale;	  /* so much of UNIT is one that was counted */
	bool in_unit;	  /* what was counted is not told, only what it comes to in UNIT */
	int kind;	  /* metrics.c knows */
	uint64_t excludes, pmu;
	uint32_t group;
};

struct metrics {
	struct metric_event *events; /* by index */
	size_t count, cap;
	bool as_perf;	/* only what perf stat report (6.12) tells */
	double wall_ns; /* the time that what is loaded was counted in; 0: not known */
};

/* The events of S, which names live in. */
void metrics_init(struct metrics *m, const struct pdt_session *s);
/* The same of one. */
struct metric_event metrics_event(const struct pdt_session *s, const struct pdt_desc *d);
/* One more, of which there is a name, and of a clock, which counts ns, that it is one. */
struct metric_event *metrics_add(struct metrics *m, const char *name);
bool metrics_is_clock(const struct metric_event *e);
void metrics_release(struct metrics *m);
/* Those of EVENT at PLACE, of what is loaded in C, to OUT. How many. */
size_t metrics_of(const struct metrics *m, const struct counts *c, size_t place, size_t event,
		  struct metric out[METRICS_MAX]);

#endif
