/* How long tasks ran, waited for a CPU, slept: sums by task from the run queue's intervals, and
 * every single wait, for percentiles and lists. */
#ifndef PDTOOL_WAITS_H
#define PDTOOL_WAITS_H

#include "analyzers/sched/runqueue.h"
#include "analyzers/count/wait_figures.h"

struct wait {
	uint64_t start_ns, ns;
	uint32_t task; /* index in runqueue.tasks */
	uint32_t cpu   : 24;
	uint32_t cause : 8;
};

struct wait_sums {
	struct wait_figures
		figures; /* runtime_ns: of sched_stat_runtime; run_ns where it has none */
	uint64_t cause_count[CAUSE_COUNT], cause_ns[CAUSE_COUNT]; /* whole waits that ended */
	uint64_t run_ns, wait_ns, unknown_ns;			  /* of intervals */
	uint64_t sleep_ns, disk_ns, other_ns;			  /* blocked: S, D, else */
	uint64_t sleeps, preemptions, migrations;
	uint64_t first_ns, last_ns;
	/* every wait in ns, from the second one on: wait_values(). WIDE holds them, and VALUES
	 * nothing, once one of them has more than 32 bits. */
	uint32_t *values;
	uint64_t *wide;
	size_t value_cap;
};

/* A row of the answer. */
struct wait_group {
	uint32_t task; /* one of them, UINT32_MAX: a CPU */
	uint32_t cpu;
	size_t tasks;		/* how many */
	struct wait_sums *sums; /* in those of the tasks or CPUs, one of whose they were */
};

struct waits {
	struct runqueue rq;
	enum rq_by by;		/* set these two before the first event */
	uint32_t part;		/* BY_PART: what the waits that the event at hand ends belong to */
	bool keep_list;		/* fill LIST */
	struct wait_sums *sums; /* of tasks with an interval, and of those that have a row */
	size_t sums_count, sums_cap;
	uint32_t *sums_of; /* by task: which one + 1; 0: none */
	size_t task_count, task_cap;
	struct wait_sums *cpu_sums; /* BY_CPU; BY_PART by that */
	size_t cpu_count, cpu_cap;
	struct wait *list;
	size_t count, cap;
	/* after waits_group(): */
	struct wait_group *groups;
	size_t group_count;
	uint64_t *room; /* see wait_values() */
	size_t room_cap;
};

/* Every wait of S in ns, S->figures.count of them, in any order; the caller may change it. Valid
 * until the next call. */
uint64_t *wait_values(struct waits *w, struct wait_sums *s);

/* Does interval I of RQ count: of no idle task, on a CPU that passes, not left out? Whether its
 * task does, too, is known in the end: runqueue_wants(). */
bool waits_counts(const struct runqueue *rq, const struct rq_interval *i);
void waits_init(struct waits *w);
void waits_release(struct waits *w);
/* The last event was there: drops waits and tasks that the filter takes out. */
void waits_end(struct waits *w);
/* Make the rows, of tasks that pass the filter and have an event. */
void waits_group(struct waits *w);

#endif
