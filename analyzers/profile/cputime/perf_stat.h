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
};

/* "text", "-x", "-j", "capture" */
const char *stat_form_name(enum stat_form form);

/* Read PATH. Negative enum err with a message in W when it tells no CPU time. */
CHECKED int perf_stat_read(struct perf_stat *out, const char *path, struct warnings *w);

/* One line of the text or -x forms. */
struct stat_line {
	const char *event;
	size_t event_len;
	uint64_t ns;
	bool counted;  /* else "<not counted>" or "<not supported>" */
	bool interval; /* begins with the time of an interval (-I) */
	bool csv;
	uint64_t running_ns; /* -x: the counter ran so long; 0: not told */
};

/* False when LINE (LEN bytes) tells of no clock. */
bool stat_line_parse(struct stat_line *out, const char *line, size_t len);

#endif
