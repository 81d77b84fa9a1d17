/* How long things took in a capture, as who owns these facts tells (lanes/durations.h): histograms
 * by step for a store, and the stacks of the time off the CPU as those of one more event. */
#ifndef PDTOOL_STORE_ROOM_LATENCY_H
#define PDTOOL_STORE_ROOM_LATENCY_H

#include "analyzers/count/samples.h"
#include "analyzers/lanes/durations.h"
#include "analyzers/lanes/threads.h"
#include "analyzers/store/buckets.h"
#include "parser/base/intern.h"
#include "parser/store_latency.h"

struct latency_cell {
	uint64_t step, count, sum_ns, max_ns;
	uint32_t comm, what; /* of COMMS, of WHATS */
	uint8_t kind;	     /* enum duration_kind */
};

/* The cell that a thread's durations of a kind went to last, + 1. */
struct latency_last {
	uint64_t step;
	const char *what; /* the source's own */
	uint32_t cell;
};

/* Of one capture. */
struct latencies {
	uint64_t step_ns;
	const struct filter *filter; /* the session's; by its times durations are left out here */
	struct duration_sink sink;
	void **states; /* by source */
	uint32_t *sources; /* by desc: a bit for each that gets its samples; 0: not known yet */
	size_t source_count, source_cap;
	struct lane_threads threads;
	struct intern comms, whats;
	uint32_t *comm_of; /* by thread */
	size_t comm_cap;
	struct {
		struct latency_last of[DURATIONS];
	} * last; /* the same */
	size_t last_count, last_cap;
	struct intern keys; /* of cells: what tells them apart */
	struct latency_cell *cells;
	size_t cell_cap;
	struct buckets numbers; /* of cells */
	struct samples off; /* labels: threads; stacks: the source's keys; whos: by step and CPU */
	/* after latencies_end(): */
	struct store_latency *list;
	struct store_bucket *sorted; /* their buckets */
	size_t count;
};

/* What the session has to give, enum pdt_want. */
unsigned latencies_want(void);
void latencies_begin(struct latencies *l, uint64_t step_ns);
void latencies_event(struct latencies *l, const struct pdt_event *e, const struct pdt_session *s);
/* All are read: the list. */
void latencies_end(struct latencies *l);
void latencies_release(struct latencies *l);
/* The names of the kinds, as a store has them. */
extern const char *const latency_kinds[DURATIONS];
/* Push the stack of a sample of OFF into the row of TO that was begun. False: filters by function
 * leave it out. */
bool latencies_stack(const struct latencies *l, const struct pdt_session *s, struct folding *to,
		     uint32_t stack);

#endif
