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

struct counted_thread {
	uint32_t tid;
	char comm[16];
};

struct counters {
	struct last_values read; /* PERF_SAMPLE_READ: by event id */
	struct idmap stat_ids;	 /* perf stat record: by a hash of id, CPU and thread */
	struct record_stat *stat;
	size_t stat_count, stat_cap;
	uint64_t left_out;		/* values of counters past STAT_MAX */
	struct counted_thread *threads; /* perf stat record: by its index of a thread */
	size_t thread_count;
	uint64_t config[PDT_STAT_CONFIGS];
	bool has_config[PDT_STAT_CONFIGS];
};

/* All zero is an empty struct counters. */
void counters_release(struct counters *c);
/* The last value of counter KEY, 0 at first; until the next call. */
uint64_t *counters_last(struct last_values *v, uint64_t key);
/* By how much counter ID grew when a sample shows it at VALUE. */
uint64_t counters_read(struct counters *c, uint64_t id, uint64_t value);
/* E's counter was read by perf stat: with -I again and again. *S becomes what it grew by since.
 * Returns that scaled: what it would have counted had it run all the time that it was enabled,
 * unless perf was told --no-scale.
 */
uint64_t counters_stat(struct counters *c, struct event_stats *e, struct record_stat *s);
/* RAW is a THREAD_MAP, a STAT_CONFIG. */
void counters_threads(struct counters *c, const struct raw *raw);
void counters_config(struct counters *c, const struct raw *raw);

#endif
