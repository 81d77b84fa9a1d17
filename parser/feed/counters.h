/* Values of counters that are read again and again, each time with all that was counted so far:
 * what each grew by. */
#ifndef PDTOOL_FEED_COUNTERS_H
#define PDTOOL_FEED_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/idmap.h"
#include "parser/feed/stats.h"
#include "parser/record/record.h"

struct last_values {
	struct idmap ids;
	uint64_t *values;
	size_t count, cap;
};

struct counters {
	struct last_values read; /* PERF_SAMPLE_READ: by event id */
	struct last_values stat; /* perf stat record: by a hash of id, CPU and thread */
	uint64_t left_out;	 /* values of counters past STAT_MAX */
};

/* All zero is an empty struct counters. */
void counters_release(struct counters *c);
/* By how much counter ID grew when a sample shows it at VALUE. */
uint64_t counters_read(struct counters *c, uint64_t id, uint64_t value);
/* E's counter was read by perf stat: with -I again and again. */
void counters_stat(struct counters *c, struct event_stats *e, const struct record_stat *s);

#endif
