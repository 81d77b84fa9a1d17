/* Several captures of perf stat record as runs of one measurement: their events are the same where
 * they have the same name, of several of one name in their order. */
#ifndef PDTOOL_COUNTERS_STAT_RUNS_H
#define PDTOOL_COUNTERS_STAT_RUNS_H

#include "analyzers/counters/metrics.h"

/* All zero is before the first capture. */
struct stat_runs {
	struct intern keys;  /* by event: its name, a NUL, and which of several of that name */
	struct intern units; /* of events */
	struct intern names; /* of the capture at hand */
	uint32_t *seen;	     /* by name: how many of the capture have it */
	size_t seen_count, seen_cap;
	uint32_t *map; /* by event of the capture: what it is of all */
	size_t map_count, map_cap;
};

void stat_runs_release(struct stat_runs *r);
/* By event of S, up to D's: which one of M it is. A name that is not in M yet is added. Valid until
 * it is asked for again. */
const uint32_t *stat_runs_map(struct stat_runs *r, struct metrics *m, const struct pdt_session *s,
			      const struct pdt_desc *d);
/* The capture is read. */
void stat_runs_end(struct stat_runs *r);

#endif
