/* What a session is asked for, and what it counts on the way: what feed/ has to know of both. */
#ifndef PDTOOL_FEED_STATS_H
#define PDTOOL_FEED_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/state/loc.h"

/* How many samples each filter took out. */
struct filter_counts {
	uint64_t event, pid, tid, cpu, time, comm, fields;
};

/* Samples of one event. */
struct event_stats {
	uint64_t samples, weight;
	/* of those, what the filters by event, CPU and time took out */
	uint64_t outside_samples, outside_weight;
	/* of a capture made by perf stat record: what its counters came to, scaled to all the time
	 * that they were enabled, and how many those were. With room for all */
	unsigned __int128 counted;
	size_t counters;
};

struct session_stats {
	uint64_t samples;     /* all, also those that a filter took out */
	uint64_t used;	      /* handed out */
	uint64_t bad_samples; /* cut, or of no event */
	struct filter_counts filtered;
	uint64_t modes[PDT_MODES];
	uint64_t first_ns, last_ns; /* times of samples; 0 when there are none */
	uint64_t lost_records;	    /* sum of LOST: records of any kind */
	uint64_t lost_samples;	    /* sum of LOST_SAMPLES: mostly the same losses again */
	uint64_t throttles;
	uint64_t aux_records, aux_bytes, aux_truncated;
	uint64_t late; /* came after newer records had been used */
	uint64_t chains_recorded, chains_empty, user_stacks; /* samples with each */
	uint64_t lbr;
};

/* How many records were lost: LOST and LOST_SAMPLES mostly tell of the same losses twice. */
static inline uint64_t session_lost(const struct session_stats *st)
{
	return st->lost_records > st->lost_samples ? st->lost_records : st->lost_samples;
}

#endif
