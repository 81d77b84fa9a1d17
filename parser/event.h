/* What an analyzer sees of one sample: ids, no names. Valid until the next session_next(). */
#ifndef PDTOOL_EVENT_H
#define PDTOOL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/file/attr.h"

struct event {
	uint64_t time_ns; /* the capture's clock; 0 when the event records no time */
	uint64_t weight;  /* the period: what this sample stands for, in the event's unit */
	const struct event_desc *desc;
	uint32_t pid, tid;
	uint32_t cpu;
	uint32_t comm;	/* id for session_comm(); COMM_NONE when the capture never told */
	uint32_t stack; /* id of the stack; 0 when the analyzer asked for none */
	uint8_t mode;	/* enum cpu_mode of the sampled address */
	bool has_cpu, has_time;
};

#endif
