/* The text of perf stat report (6.12). */
#ifndef PDTOOL_COUNTERS_STAT_TEXT_H
#define PDTOOL_COUNTERS_STAT_TEXT_H

#include "analyzers/counters/metrics.h"
#include "parser/base/buf.h"

struct stat_text {
	const struct pdt_session *session;
	struct counts *counts;
	struct metrics *metrics;
	size_t round;	/* the next one */
	size_t *order;	/* of places */
	size_t headers; /* rounds since the last line of headers */
	bool intervals;
	size_t runs; /* that ended: their mean is metrics->wall_ns */
};

/* COUNTS were read to their end; METRICS are perf's. All live as long as T. */
void stat_text_init(struct stat_text *t, const struct pdt_session *s, struct counts *counts,
		    struct metrics *metrics);
void stat_text_release(struct stat_text *t);
/* Lines that perf prints and T does not: they repeat what was not read in a round (REPEATS_MAX). */
uint64_t stat_text_left_out(const struct stat_text *t);
/* Append all of the next round, safe to show. False: there is none. */
bool stat_text_next(struct stat_text *t, struct buf *out);

#endif
