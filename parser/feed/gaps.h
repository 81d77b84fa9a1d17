/* When a capture could not take samples: the kernel throttled an event, or lost records because a
 * buffer was full. Told apart from idle, when there was nothing to sample. */
#ifndef PDTOOL_GAPS_H
#define PDTOOL_GAPS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/pdtool_capture.h"

#define GAP_CAUSES (PDT_GAP_LOST + 1)

/* From a THROTTLE to its UNTHROTTLE, or from the last record of a CPU before a LOST to that. */
struct gap {
	uint64_t start_ns, end_ns; /* end_ns > start_ns */
	enum pdt_gap_cause cause;
};

#define GAPS_MAX	   100000
#define GAPS_MAX_CPUS	   65536 /* losses on CPUs beyond have no known start */
#define GAPS_MAX_THROTTLED 4096

struct gaps {
	struct gap *list; /* after gaps_end(): by cause, then time; no two of a cause touch */
	size_t count, cap;
	uint64_t left_out;     /* beyond GAPS_MAX */
	uint64_t unknown;      /* beyond GAPS_MAX_THROTTLED */
	uint64_t unplaced;     /* losses on CPUs beyond GAPS_MAX_CPUS */
	uint64_t *cpu_last_ns; /* by CPU: its last record; 0: none yet */
	size_t cpu_count, cpu_cap;
	struct throttled {
		uint64_t stream_id, start_ns;
	} * throttled; /* not over yet */
	size_t throttled_count, throttled_cap;
};

/* In time order, what the records say. All zero is an empty struct gaps. */
void gaps_throttle(struct gaps *g, uint64_t stream_id, uint64_t time_ns);
void gaps_unthrottle(struct gaps *g, uint64_t stream_id, uint64_t time_ns);
void gaps_lost(struct gaps *g, uint32_t cpu, uint64_t time_ns);
void gaps_saw_first(struct gaps *g, uint32_t cpu, uint64_t time_ns);
/* The capture ends: whoever is throttled stays so until LAST_NS. Sorts and merges. */
void gaps_end(struct gaps *g, uint64_t last_ns);
void gaps_release(struct gaps *g);

/* A sample came from CPU. */
static inline void gaps_saw(struct gaps *g, uint32_t cpu, uint64_t time_ns)
{
	if (cpu < g->cpu_count)
		g->cpu_last_ns[cpu] = time_ns;
	else
		gaps_saw_first(g, cpu, time_ns);
}

#endif
