/* The figures of perf 6.12's "perf sched latency", its rules with their faults: see
 * tools/perf/builtin-sched.c. Waits only from wake-ups of sleeping tasks, run time only from
 * sched_stat_runtime, one row for all idle tasks, a new thread for each FORK. */
#ifndef PDTOOL_PERF_LATENCY_H
#define PDTOOL_PERF_LATENCY_H

#include "analyzers/count/wait_figures.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

struct perf_row {
	uint32_t tid, process; /* process: UINT32_MAX when not told */
	uint32_t order;	       /* of appearance */
	uint32_t merged;       /* threads; 0: rows were not merged */
	const char *comm;
	struct wait_figures figures;
};

/* What perf sched latency has a handler for (builtin-sched.c, latency_ops). */
enum perf_sched_kind { PERF_SWITCH, PERF_WAKEUP, PERF_RUNTIME, PERF_FORK, PERF_COMM };

struct perf_sched {
	enum perf_sched_kind kind;
	uint32_t pid, next_pid; /* FORK: the child, its parent */
	uint32_t process;	/* FORK, COMM: PID's; UINT32_MAX: not told */
	uint32_t cpu;
	char state;	  /* of PID after a SWITCH: R S D ... */
	const char *comm; /* COMM_LEN bytes, of a COMM; NULL: not told */
	size_t comm_len;
	uint64_t time_ns, amount_ns;
};

struct perf_thread;

struct perf_latency {
	struct perf_thread *threads;
	size_t count, cap;
	struct idmap by_tid; /* the newest of that id */
	struct intern comms;
	uint32_t *current; /* by CPU: who was switched in last; UINT32_MAX: none yet */
	size_t cpu_cap;
	uint64_t wakeups, unordered, mismatches;
	struct perf_row *rows; /* after perf_latency_rows() */
	size_t row_count;
};

void perf_latency_release(struct perf_latency *p);
void perf_latency_event(struct perf_latency *p, const struct perf_sched *e);
/* The rows that perf shows, in ORDER: one for each thread, or MERGED by comm. */
void perf_latency_rows(struct perf_latency *p, bool merged, const struct word_list *order);

#endif
