/* Counts from what perf stat printed, one text after another. */
#ifndef PDTOOL_COUNTERS_STAT_READ_H
#define PDTOOL_COUNTERS_STAT_READ_H

#include "analyzers/counters/metrics.h"
#include "analyzers/perfstat/stat_row.h"
#include "parser/base/buf.h"
#include "parser/folded.h"

/* All zero but for COUNTS and METRICS, which are empty, is nothing read yet. */
struct stat_read {
	struct counts *counts; /* what they are by is set by the first row, unless BY_GIVEN */
	struct metrics *metrics;
	bool by_given;
	enum count_by rows_by; /* how rows are told apart */
	bool any, has_other;
	const char *refused; /* rows by that cannot be summed up as asked for */
	struct stat_rows rows;
	struct intern events; /* by index: a name, a NUL, and which of several of that name */
	struct intern words;  /* of units, commands, places */
	uint32_t runs;	      /* blocks and files */
	uint32_t repeats;     /* -r: what the last block says */
	bool open, timed;     /* a round goes on; it is an interval */
	bool put;	      /* something was put into it */
	uint64_t time_ns;     /* of that round */
	uint64_t elapsed_ns;
	size_t first_round; /* of the file at hand */
	bool has_interval;  /* the file has one */
	struct count_place first_place;
	uint32_t first_event; /* of the round */
	bool repeated;	      /* a deviation is told */
	char *command;
	uint64_t lines, unread, unread_line, full;
};

void stat_read_release(struct stat_read *r);
/* Negative enum err with a message in W. */
CHECKED int stat_read_text(struct stat_read *r, struct folded *text, struct warnings *w);
/* The thread of THREAD; its command to COMM. */
uint32_t stat_read_thread(const struct stat_read *r, int32_t thread, struct buf *comm);
const char *stat_read_other(const struct stat_read *r, int32_t other);

#endif
