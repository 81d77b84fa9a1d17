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

struct off_task {
	uint32_t label, label_comm, label_pid; /* the label, and what it was made from */
	bool labeled, passes;		       /* passes: the filters, as it left */
	bool out;			       /* its switch-out was seen, its switch-in not yet */
	bool woken;			       /* its wake-up from that was seen */
	bool born;			       /* its birth was seen, its first switch-in not yet */
	bool birth_waits; /* that wait is over, but not counted: it may not have its name yet */
	char letter;
	uint32_t out_label, stack;
	uint64_t out_ns;
	uint64_t blocked_ns, runnable_ns, unknown_ns; /* since then, within the windows of time */
	uint64_t birth_ns, birth_whole_ns; /* the wait from the birth on, and unclipped */
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
	uint64_t depth; /* wakers kept; 0: none, at most OFF_DEPTH_MAX */
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
/* Push the label and stack of AT into the row of the folding that was begun. */
void off_push(struct off *o, const struct pdt_session *s, const struct off_link *at);
/* Does key K pass the filters by function? */
bool off_passes(const struct off_key *k, const struct pdt_session *s);
/* The rows are made: what was read, what counts, what is not known; notes about what the capture
 * lacks. Its keys are forgotten. */
void off_answer(struct off *o, const struct pdt_session *s, struct warnings *w);

#endif
