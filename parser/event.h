/* What an analyzer sees of one sample, or of another record that it asked for: ids, no names. Valid
 * until the next session_next(). */
#ifndef PDTOOL_EVENT_H
#define PDTOOL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/file/attr.h"

struct payload;

enum event_kind {
	EVENT_SAMPLE,
	EVENT_SWITCH_IN, /* NEED_SWITCH: the thread pid/tid got a CPU */
	EVENT_SWITCH_OUT,
	EVENT_FORK, /* NEED_TASKS: pid/tid was made by other_pid/other_tid */
	EVENT_EXIT,
	EVENT_COMM, /* pid/tid has the new name comm */
	EVENT_LOST, /* NEED_LOST: weight records of this CPU's buffer, before now */
};

struct event {
	uint64_t time_ns; /* the capture's clock; 0 when the event records no time */
	uint64_t weight;  /* the period: what this sample stands for, in the event's unit */
	/* Where the instruction was (PERF_SAMPLE_IP), with NEED_STACKS or NEED_IP; 0: not recorded.
	 * The stack tells how it got there, and its leaf may be another address. Under PEBS, asked
	 * for by precise_ip, ip is the hardware's (MISC_EXACT_IP: that of the very instruction),
	 * the chain begins where the interrupt came (linux/perf_event.h;
	 * arch/x86/events/intel/ds.c).
	 */
	uint64_t ip;
	const struct event_desc *desc; /* NULL: no sample */
	const struct payload *payload; /* tracepoints, with NEED_RAW; else NULL */
	uint32_t pid, tid;
	uint32_t cpu;
	uint32_t comm;	/* id for session_comm(); COMM_NONE when the capture has none */
	uint32_t stack; /* id of the stack; 0 when the analyzer asked for none */
	/* a switch that names both sides (SWITCH_CPU_WIDE): who ran before, or runs next; else
	 * UINT32_MAX */
	uint32_t other_pid, other_tid;
	uint8_t mode; /* enum cpu_mode of the sampled address */
	uint8_t kind; /* enum event_kind */
	bool has_cpu, has_time;
	bool preempted; /* EVENT_SWITCH_OUT: it could have run on (since 4.17) */
	bool exec;	/* EVENT_COMM */
	bool exact;	/* ip is that of the instruction itself: MISC_EXACT_IP */
	bool apart;	/* ip is not the leaf of the stack, as far as that is known by now:
			 * STACK_APART */
};

#endif
