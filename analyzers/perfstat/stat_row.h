/* What perf stat prints, line by line, in each of its forms: text, -x, -j, each also with -r, -I,
 * -A and --per-*, as perf 2.6.32 to 6.12 write it (tools/perf/util/stat-display.c), in any locale.
 * It is text of others: a line is a row only as a whole, and numbers that 64 bits do not hold are
 * none. */
#ifndef PDTOOL_STAT_ROW_H
#define PDTOOL_STAT_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stat_form { STAT_TEXT, STAT_CSV, STAT_JSON, STAT_CAPTURE, STAT_FORMS };

/* "text", "-x", "-j", "capture" */
const char *stat_form_name(enum stat_form form);

struct stat_span {
	const char *start;
	size_t len;
};

enum stat_state { STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED };

/* A number as it is printed: DIGITS * 10^-DECIMALS. */
struct stat_number {
	uint64_t digits;
	unsigned decimals;
};

struct stat_row {
	enum stat_form form;
	bool has_time; /* -I: the end of its interval */
	uint64_t time_ns;
	struct stat_span place; /* "CPU3", "S0-D0-C1", "sh-123"; empty: all */
	bool is_thread;		/* PLACE is a command and a thread */
	uint64_t counters;	/* of CPUs, which were added up; 0: not told */
	enum stat_state state;
	struct stat_number value;
	struct stat_span unit, event, cgroup;
	bool has_error;	  /* -r */
	double error_pct; /* the standard error of the mean of the runs */
	bool has_running; /* -x, -j: the counter ran so many ns */
	uint64_t running_ns;
	double running_pct; /* of the time that it was enabled */
	bool has_metric;
	double metric;
	struct stat_span metric_unit;
	bool more; /* nothing but one more metric of the row before */
};

/* All zero at first. What separates the columns of -x is kept from line to line. */
struct stat_rows {
	char separator[8];
	void *object; /* of -j, which the spans of the last row are in */
};

void stat_rows_release(struct stat_rows *r);
/* False: LINE (LEN bytes, without its end) is no row. The spans of OUT are good until the next
 * call, and as long as LINE. */
bool stat_row_read(struct stat_rows *r, struct stat_row *out, const char *line, size_t len);
/* Forms of their own: stat_row_read() asks them. */
bool stat_row_text(struct stat_row *out, struct stat_span line);
bool stat_row_csv(struct stat_rows *r, struct stat_row *out, struct stat_span line);
bool stat_row_object(struct stat_rows *r, struct stat_row *out, struct stat_span line);

/* Is NAME, with modifiers or not, EVENT? */
bool stat_event_is(struct stat_span event, const char *name);
bool stat_event_is_clock(struct stat_span event);
/* The value of a counted clock. *EXACT: -x rounds it to 10 us; a clock runs as long as it counts,
 * so that its running time, where it agrees, is the value with all its digits. False: in no unit of
 * time, or too much. */
bool stat_row_ns(const struct stat_row *r, uint64_t *ns);
/* Such a running time is there, but tells something else. */
bool stat_row_is_odd(const struct stat_row *r);
/* A count; false: it has decimals, or is in a unit. */
bool stat_row_count(const struct stat_row *r, uint64_t *count);
double stat_number(struct stat_number n);

/* Lines of the text form. "Performance counter stats for 'sh -c x' (5 runs):"; *COMMAND is the
 * caller's to free. */
bool stat_title_parse(const char *line, size_t len, char **command, uint64_t *runs);
/* "0.10771 +- 0.00649 seconds time elapsed" */
bool stat_elapsed_parse(const char *line, size_t len, uint64_t *ns);
/* Nothing, or what perf stat prints beside counters and the two above. */
bool stat_line_is_other(const char *line, size_t len);

#endif
