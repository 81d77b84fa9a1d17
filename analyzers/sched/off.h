/* Time off the CPU by stack: each interval of a thread between a switch-out and the next switch-in,
 * under the call chain of the switch-out, and who woke the thread up. A new thread waits from its
 * birth to its first switch-in, under no stack. What offcpu and wakeup begin with.
 *
 * Memory follows the threads and the different stacks, not the events. */
#ifndef PDTOOL_OFF_H
#define PDTOOL_OFF_H

#include "analyzers/analyzer.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/sched/runqueue.h"

/* What counts of an interval: until the wake-up, from it on, or both. */
enum off_part { OFF_BOTH, OFF_BLOCKED, OFF_RUNNABLE };

struct off_options {
	struct folding_options names;
	struct name_list states;
	uint64_t min_ns, max_ns;
	bool strip; /* leave out the scheduler's own innermost frames */
};

extern const struct option off_options[]; /* of a struct off_options */

/* Who woke a thread up, and from where. Keys are compared as a whole: no padding. */
struct off_link {
	uint32_t label; /* id in folding.labels; UINT32_MAX: not known */
	uint32_t stack;
	uint32_t interrupt; /* enum interrupt: STACK belongs to it up to the thread that it hit */
};

#define OFF_DEPTH_MAX 16

/* One interval, of the key KEY; WAKE_NS: from then on it waited for a CPU. */
struct off_interval {
	uint64_t out_ns, wake_ns, in_ns; /* within a window of time */
	uint32_t thread, cpu;		 /* cpu: that it left, or got first */
	size_t key;
	bool woken; /* who woke it up was seen */
};

/* One that counts, as it does: NS of it, under KEY. */
struct off_counted {
	uint64_t end_ns, ns;
	uint32_t thread, cpu; /* as above */
	size_t key;	      /* OFF_NO_KEY: it took no time */
};

#define OFF_NO_KEY SIZE_MAX

/* Who wants each interval, beside their sums. Any but thread() may be NULL. */
struct off_watch {
	/* The number of a thread, as off_interval.thread. */
	uint32_t (*thread)(void *ctx, const char *comm, uint32_t pid, uint32_t tid);
	void (*was_off)(void *ctx, const struct off_interval *i);
	/* It was on a CPU; or it waited for one, and when it left the last one was not seen. */
	void (*ran)(void *ctx, uint32_t thread, const struct rq_interval *i);
	void (*counted)(void *ctx, const struct off_counted *i);
	void *ctx;
};

struct off_task {
	uint32_t label, label_comm, label_pid; /* the label, and what it was made from */
	uint32_t thread;		       /* with a watch: its number */
	bool labeled, passes;		       /* passes: the filters, as it left */
	bool out;			       /* its switch-out was seen, its switch-in not yet */
	bool woken;			       /* its wake-up from that was seen */
	bool born;			       /* its birth was seen, its first switch-in not yet */
	bool birth_waits; /* that wait is over, but not counted: it may not have its name yet */
	char letter;
	uint32_t out_label, out_thread, out_cpu, stack;
	uint64_t out_ns, wake_ns;		      /* wake_ns: 0: not seen */
	uint64_t blocked_ns, runnable_ns, unknown_ns; /* since then, within the windows of time */
	uint64_t birth_ns, birth_whole_ns; /* the wait from the birth on, and unclipped */
	uint64_t born_ns;		   /* when it began */
	struct rq_interval ran;		   /* with a watch: not told yet, if it took any time */
	uint64_t away_ns;		   /* of all its time: not running */
	uint64_t off_ns; /* of that: from a switch-out or the birth to a switch-in */
	/* the key that was counted last, without wakers, and what it was made from */
	struct off_last {
		uint32_t label, stack, key;
		char letter;
		bool known;
	} last;
};

/* What the counted intervals come to. */
struct off_sums {
	uint64_t count, blocked_ns, runnable_ns;
	uint64_t undivided, undivided_ns; /* no wake-up was recorded: all counts as blocked */
	uint64_t births, births_ns;	  /* from the birth of a thread on, so without one */
	uint64_t chainless;		  /* the others without a call chain */
	uint64_t unwoken, unwoken_ns;	  /* with wakers: blocked, the waker is not known */
	uint64_t wakeups, irqs, softirqs; /* all, and those from interrupts */
	uint64_t unknown_ns, away_ns;	  /* of the threads that pass */
	uint64_t slept, preempted;	  /* their switch-outs */
};

struct off {
	struct off_options o; /* set before off_begin() */
	enum off_part part;
	uint64_t depth;		       /* wakers kept; 0: none, at most OFF_DEPTH_MAX */
	const struct off_watch *watch; /* NULL: none; set before off_begin() */
	struct folding folding;
	struct answer answer;
	bool states[128]; /* by letter */
	/* of the capture that is read, from here to the end: */
	struct sched_events events;
	struct runqueue rq;
	struct off_task *tasks; /* as rq.tasks */
	size_t task_count, task_cap;
	struct off_link *links; /* who woke the task, who woke that one ...: depth for each task */
	size_t link_cap;
	struct intern keys; /* of struct off_key, without the links that are not there */
	uint64_t *weights;  /* by key */
	size_t weight_cap;
	struct off_sums sums;
};

/* What is counted. */
struct off_key {
	uint32_t label, stack, letter;
	struct off_link links[OFF_DEPTH_MAX];
};

/* Of analyzers whose state is a struct off. */
int off_begin(void *state, const struct inputs *in, struct warnings *w);
void off_event(void *state, const struct pdt_event *e, const struct pdt_session *s);
void off_release(void *state);
/* What it means that OUT has no stacks. */
void off_none(const struct off *o, struct result *out);

/* A capture is read and named: what is open ends. The keys are valid until off_answer(). */
void off_end(struct off *o);
/* Key I; returns how many links it has. */
unsigned off_key(const struct off *o, size_t i, struct off_key *key);
/* Push into the row of TO that was begun: the stack of KEY and the state in which the thread left;
 * or, of its first LINKS wakers, the stacks turned round. TO is named. */
void off_push_off(const struct off *o, struct folding *to, const struct pdt_session *s,
		  const struct off_key *key);
void off_push_wakers(const struct off *o, struct folding *to, const struct pdt_session *s,
		     const struct off_key *key, unsigned links);
/* Does key K pass the filters by function? */
bool off_passes(const struct off_key *k, const struct pdt_session *s);
/* The rows are made: what was read, what counts, what is not known; notes about what the capture
 * lacks. Its keys are forgotten. */
void off_answer(struct off *o, const struct pdt_session *s, struct warnings *w);

#endif
