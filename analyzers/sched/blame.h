/* Behind whom tasks waited for a CPU: every wait is divided among those that ran meanwhile on the
 * CPU that the waiter got in the end. What is left over is assigned to no task: the sum is the
 * wait, always.
 */
#ifndef PDTOOL_BLAME_H
#define PDTOOL_BLAME_H

#include "analyzers/sched/runqueue.h"

/* A stretch of time of a task: on a CPU, or in its queue. */
struct stretch {
	uint64_t start_ns, end_ns;
	uint32_t task; /* index in runqueue.tasks */
	uint32_t cpu;  /* UINT32_MAX: not known */
};

struct stretches {
	struct stretch *list;
	size_t count, cap;
	size_t near; /* where one was looked for last */
};

/* Tasks that are not told apart. The first two are no tasks. */
struct blame_group {
	uint32_t task; /* one of them */
	uint32_t tasks;
};

enum { BLAME_IDLE, BLAME_UNKNOWN, BLAME_TASKS };

/* A row: how long WAITER waited while BLAMED ran, and in how many of its waits that was. */
struct blame_share {
	uint32_t waiter, blamed; /* groups; waiter UINT32_MAX: all of them */
	uint64_t ns, count;
	uint64_t waiter_ns; /* of all shares of this waiter */
};

struct blame {
	struct runqueue *rq, own;
	enum rq_by by; /* set these two before the end */
	bool waiters;  /* rows of each waiter */
	struct stretches waits;
	struct stretches *runs; /* by CPU */
	size_t cpu_count, cpu_cap;
	/* after blame_end(): */
	struct blame_group *groups;
	size_t group_count, group_cap;
	uint32_t *group_of; /* by task */
	struct blame_share *shares;
	size_t count, cap;
	uint64_t wait_ns; /* of all */
};

/* RQ: whoever has it hands out its intervals with blame_interval(), and ends it before B. NULL: B
 * has one of its own. */
void blame_init(struct blame *b, struct runqueue *rq);
void blame_interval(struct blame *b, const struct rq_interval *i);
void blame_release(struct blame *b);
/* The last event was there: make the rows, by waiter the longest waits first, then the longest
 * shares. */
void blame_end(struct blame *b);

#endif
