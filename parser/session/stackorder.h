/* The stacks of a session in an order in which neighbours begin alike. */
#ifndef PDTOOL_SESSION_STACKORDER_H
#define PDTOOL_SESSION_STACKORDER_H

#include <stddef.h>
#include <stdint.h>

#include "parser/stacks/stacks.h"

struct ordered_stacks {
	size_t count, room; /* room: of IDS */
	/* those of stack I are ids[first[I]] to ids[first[I + 1]], the root first; an own address
	 * that lies apart comes last */
	uint32_t *ids;
	uint64_t *first;
	uint32_t *order; /* stacks, ascending by these, their flags and themselves */
};

static inline uint32_t ordered_count(const struct ordered_stacks *o, uint32_t stack)
{
	return (uint32_t)(o->first[stack + 1] - o->first[stack]);
}

/* NUMBERS: by location. To be released by ordered_stacks_release(). */
void ordered_stacks_make(struct ordered_stacks *o, const struct stacks *st,
			 const uint32_t *numbers);
void ordered_stacks_release(struct ordered_stacks *o);

#endif
