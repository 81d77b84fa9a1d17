/* One row for each switch, about the thread that left: how long it ran, how long it had been away
 * before, and how much of that it waited for the CPU. The rules are those of "perf sched timehist"
 * 6.12; those in which perf errs are in compat/perf_timehist.h, and
 * hold only where they are asked for. */
#ifndef PDTOOL_TIMEHIST_H
#define PDTOOL_TIMEHIST_H

#include "analyzers/compat/perf_timehist.h"
#include "analyzers/sched/schedevent.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

struct timehist_thread {
	uint32_t tid, process, parent; /* UINT32_MAX: not known */
	uint32_t comm;		       /* id in timehist.comms; UINT32_MAX: none */
	uint32_t cpu;		       /* idle: which one's */
	uint32_t runs;		       /* 1 + index in timehist.runs; 0: it has none */
	bool idle;
	char state;	   /* when it left last */
	uint64_t last_ns;  /* when that was; 0: never */
	uint64_t ready_ns; /* when it was woken up or preempted; 0: not */
};

/* Most threads that are only announced never run: they have none. */
struct timehist_runs {
	uint64_t slept_ns, io_ns, preempted_ns; /* before the last one: one of them */
	uint64_t delay_ns, run_ns;
	uint64_t count, total_ns, min_ns, max_ns, migrations;
	uint64_t total_slept_ns, total_io_ns, total_preempted_ns, total_delay_ns;
	double mean, squares;
};

enum timehist_kind { TIMEHIST_SWITCH, TIMEHIST_WAKEUP, TIMEHIST_MIGRATE };

struct timehist_row {
	enum timehist_kind kind;
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t thread;    /* index: who left; who woke up or moved OTHER */
	uint32_t other;	    /* index: the thread woken up or moved */
	bool by_interrupt;  /* not by THREAD, which it hit */
	bool delay_unknown; /* SWITCH: no wake-up is recorded, and it had not been preempted */
	uint64_t wait_start_ns, run_start_ns; /* SWITCH; 0: not known */
	const struct sched_event *event;
};

struct timehist_cpu {
	uint64_t switch_ns;   /* the last one; 0: none. Of SWITCH records: when RUNS came */
	uint32_t runs;	      /* SWITCH records: the thread id that came last */
	uint32_t idle;	      /* thread; UINT32_MAX: none yet */
	uint32_t before_idle; /* who went to sleep when it became idle; UINT32_MAX: not known */
};

struct timehist {
	struct timehist_thread *threads;
	size_t count, cap;
	struct timehist_runs *runs;
	size_t runs_count, runs_cap;
	struct idmap by_tid;
	struct intern comms;
	struct timehist_cpu *cpus;
	size_t cpu_count, cpu_cap;
	struct timehist_rules rules;
	bool shows_migrations;
	bool idle_only; /* only switches from and to idle; idle time goes to who went to sleep */
	uint64_t start_ns, end_ns; /* the window of time; end 0: none */
	uint64_t switches;
	/* may be NULL */
	void (*row)(void *ctx, const struct timehist_row *row);
	/* does the user want rows about thread I? NULL: all */
	bool (*wants)(void *ctx, uint32_t i);
	void *ctx;
};

void timehist_release(struct timehist *t);
void timehist_event(struct timehist *t, const struct sched_event *e);
/* ":123" into BUF when it has no name. */
const char *timehist_comm(const struct timehist *t, const struct timehist_thread *th, char buf[16]);
/* Those of thread I; valid until the next event. */
const struct timehist_runs *timehist_runs(const struct timehist *t, uint32_t i);
uint64_t timehist_average(const struct timehist_runs *r);
/* Standard error of the mean, in percent of it. */
double timehist_deviation(const struct timehist_runs *r);

#endif
