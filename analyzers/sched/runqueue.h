/* The scheduler's run queue over time: what each task did from one event to the next. Hands out
 * intervals as they end; those of one task follow one another without gaps from its first event to
 * its last one.
 *
 * What was not recorded is UNKNOWN, never guessed: a wake-up that is missing before a switch-in, a
 * switch that the next one on the same CPU contradicts, whatever lasted across lost records. */
#ifndef PDTOOL_RUNQUEUE_H
#define PDTOOL_RUNQUEUE_H

#include "analyzers/sched/schedevent.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

enum rq_state {
	RQ_NEW, /* no event yet */
	RQ_RUNNING,
	RQ_RUNNABLE, /* waits for a CPU */
	RQ_BLOCKED,
	RQ_UNKNOWN,
	RQ_DEAD,
};

/* Why a task waits for a CPU. */
enum rq_cause {
	CAUSE_WAKEUP,
	CAUSE_NEW,	 /* it was just made */
	CAUSE_PREEMPTED, /* it could have run on */
	CAUSE_RACING,	 /* the wake-up came before it had gone to sleep: waits since the switch */
	CAUSE_COUNT,
};

struct rq_task {
	uint32_t tid, process; /* process: UINT32_MAX when not in the capture */
	uint32_t comm;	       /* id in runqueue.comms; UINT32_MAX: none */
	uint32_t cpu;	       /* where it runs or ran last; UINT32_MAX: not known */
	uint8_t state, cause;  /* enum rq_state, enum rq_cause */
	char letter;	       /* of a blocked or dead one: S D T ... */
	bool racy;	       /* woken up while it ran */
	bool comm_sure;	       /* from a COMM or FORK record */
	uint64_t since_ns;     /* when the state began */
	uint64_t seen_ns;      /* when it was last known to run */
	uint64_t last_ns;      /* of the events that are about it */
	uint64_t charged_ns;   /* by sched_stat_runtime since it got the CPU */
	/* within the windows of time: */
	uint64_t runtime_ns; /* sum of sched_stat_runtime */
	uint64_t early_ns;   /* what it ran while its CPU did not tell any yet */
	uint64_t sleeps, preemptions, migrations;
};

struct rq_interval {
	uint32_t task; /* index in runqueue.tasks */
	enum rq_state state;
	enum rq_cause cause;	   /* RUNNABLE */
	char letter;		   /* BLOCKED */
	uint32_t cpu;		   /* RUNNING; RUNNABLE: the one it got; else means nothing */
	uint64_t start_ns, end_ns; /* clipped to one window of time */
	uint64_t whole_ns;	   /* before that */
	bool ends;		   /* its end is in this window */
	bool left_out;		   /* the event that ended it was */
};

struct rq_cpu {
	uint64_t first_ns; /* of its switches */
	uint32_t current;  /* task; UINT32_MAX: not known */
	bool after_loss;   /* records of this CPU were lost since the last switch */
	bool charges;	   /* it has told a sched_stat_runtime of its current task */
};

#define RQ_RECENT 1024

struct runqueue {
	struct rq_task *tasks;
	size_t count, cap;
	struct idmap by_tid;	    /* the newest of that id; the idle tasks by CPU */
	uint32_t recent[RQ_RECENT]; /* the one of by_tid that was looked for last, by thread id */
	struct intern comms;
	struct rq_cpu *cpus;
	size_t cpu_count, cpu_cap;
	void (*interval)(void *ctx, const struct rq_interval *i);
	void *ctx;
	const struct filter *filter;   /* NULL: none, or there was no event yet */
	bool leaving_out;	       /* the event at hand is left out */
	bool wakeups, charges;	       /* the capture records them; and sched_stat_runtime */
	uint64_t first_ns, last_ns;    /* of all events */
	uint64_t lost_ns;	       /* when records were last lost */
	uint64_t lost_anywhere_ns;     /* the same, on a CPU that is not known */
	uint64_t lost;		       /* how many */
	uint64_t switches, mismatches; /* contradictions; those after losses are not counted */
	uint64_t disordered;	       /* events older than what they change */
};

void runqueue_init(struct runqueue *rq, void (*interval)(void *ctx, const struct rq_interval *i),
		   void *ctx);
void runqueue_release(struct runqueue *rq);
/* Before the first event: what the capture has and the user asked for. */
void runqueue_configure(struct runqueue *rq, const struct pdt_session *s);
void runqueue_event(struct runqueue *rq, const struct sched_event *e);
/* Both: an event of S, the first one perhaps. */
static inline void runqueue_take(struct runqueue *rq, const struct sched_event *e,
				 const struct pdt_session *s)
{
	if (!rq->filter)
		runqueue_configure(rq, s);
	runqueue_event(rq, e);
}
/* The last event was there: what is open ends, as far as it is known. */
void runqueue_end(struct runqueue *rq);
/* The newest task of TID, which is not 0, or IDMAP_NONE. */
static inline uint32_t runqueue_find(struct runqueue *rq, uint32_t tid)
{
	uint32_t *recent = &rq->recent[tid % RQ_RECENT];

	if (*recent >= rq->count || rq->tasks[*recent].tid != tid)
		*recent = idmap_get(&rq->by_tid, tid);
	return *recent;
}
/* Its name, or NULL. */
const char *runqueue_comm(const struct runqueue *rq, const struct rq_task *t);
/* Its name, or ":TID" in BUF. */
const char *runqueue_name(const struct runqueue *rq, const struct rq_task *t, char buf[16]);
/* Is T no idle task, has it an event, and do the filters by pid, tid and comm let it pass? */
bool runqueue_wants(const struct runqueue *rq, const struct rq_task *t);

/* What tasks are told apart by: a key for idmaps. */
enum rq_by { RQ_BY_THREAD, RQ_BY_COMM, RQ_BY_PID, RQ_BY_CPU, RQ_BY_PART };
uint64_t runqueue_key(const struct runqueue *rq, uint32_t task, enum rq_by by);
/* How far the switches can be trusted. */
void runqueue_facts(const struct runqueue *rq, struct answer *a);

#endif
