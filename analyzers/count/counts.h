/* Weights counted under ids while events flow: by event, command, stack and step of time. */
#ifndef PDTOOL_COUNTS_H
#define PDTOOL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/event.h"

struct count_entry {
	uint64_t step; /* of time: its number */
	uint32_t desc; /* event_desc.index */
	uint32_t comm; /* for session_comm() */
	uint32_t stack;
	bool pid0;
	uint64_t weight;
	double squares; /* of the weights of the samples */
};

struct counts {
	struct count_entry *list; /* in order of first appearance */
	size_t count, cap;
	uint32_t *table; /* index + 1; 0 is free */
	size_t slots;
	bool overflow; /* a sum passed 2^64 - 1 and was held there */
};

void counts_add(struct counts *t, const struct event *e, uint64_t step);
void counts_release(struct counts *t);

/* SUM + MORE, held at the greatest number. */
static inline uint64_t add_held(uint64_t sum, uint64_t more)
{
	return sum + more < sum ? UINT64_MAX : sum + more;
}

#endif
