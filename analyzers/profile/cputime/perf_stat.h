/* CPU time as perf stat counted it: the task-clock (or cpu-clock) of its output, in any of the
 * forms that it has: text, -x, -j, each also with -r, -I, -A and --per-*; or a perf stat record
 * capture. */
#ifndef PDTOOL_PERF_STAT_H
#define PDTOOL_PERF_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

enum stat_form { STAT_TEXT, STAT_CSV, STAT_JSON, STAT_CAPTURE, STAT_FORMS };

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

/* "text", "-x", "-j", "capture" */
const char *stat_form_name(enum stat_form form);

/* Read PATH, also the count of the event COUNTER, unless that is NULL. Negative enum err with a
 * message in W when it tells no CPU time, or not this count. perf_stat_release() frees. */
CHECKED int perf_stat_read(struct perf_stat *out, const char *path, const char *counter,
			   struct warnings *w);
void perf_stat_release(struct perf_stat *s);

/* One line of the text or -x forms. */
struct stat_line {
	const char *event;
	size_t event_len;
	uint64_t ns;   /* of a counter: its count */
	double error;  /* -r: its part of it; 0: not told */
	bool counted;  /* else "<not counted>" or "<not supported>" */
	bool interval; /* begins with the time of an interval (-I) */
	bool csv;
	uint64_t running_ns; /* -x: the counter ran so long; 0: not told */
};

/* False when LINE (LEN bytes) tells of no clock; with COUNTER not of that event. */
bool stat_line_parse(struct stat_line *out, const char *counter, const char *line, size_t len);
/* Lines of the text form. "Performance counter stats for 'sh -c x' (5 runs):" */
bool stat_title_parse(const char *line, size_t len, char **command, uint64_t *runs);
/* "0.10771 +- 0.00649 seconds time elapsed" */
bool stat_elapsed_parse(const char *line, size_t len, uint64_t *ns);

#endif
