/* CPU time as perf stat counted it: the task-clock (or cpu-clock) of its output, in any of the
 * forms that it has: text, -x, -j, each also with -r, -I, -A and --per-*; or a perf stat record
 * capture. */
#ifndef PDTOOL_PERF_STAT_H
#define PDTOOL_PERF_STAT_H

#include <stdint.h>

#include "analyzers/perfstat/stat_row.h"
#include "parser/base/err.h"

struct perf_stat {
	uint64_t cpu_ns;
	char event[64]; /* "task-clock", "cpu-clock:u" */
	enum stat_form form;
	uint64_t values; /* how many were added up: intervals, CPUs, threads ... */
	double error; /* of cpu_ns as the mean of repeated runs (-r), its part of it; 0: not told */
	uint64_t runs;	     /* these; 0: not told */
	uint64_t elapsed_ns; /* of a run, by the clock on the wall; 0: not told */
	char *command;	     /* what was counted, 'true' or "process id '5'"; NULL: not told */
	uint64_t counter;    /* of the event that was asked for */
};

/* Read PATH, also the count of the event COUNTER, unless that is NULL. Negative enum err with a
 * message in W when it tells no CPU time, or not this count. perf_stat_release() frees. */
CHECKED int perf_stat_read(struct perf_stat *out, const char *path, const char *counter,
			   struct warnings *w);
void perf_stat_release(struct perf_stat *s);

#endif
