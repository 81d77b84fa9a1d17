/* The stacks of rows that have call chains, each once. */
#ifndef PDTOOL_KEPT_H
#define PDTOOL_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/slots.h"

/* A stack that counts, with its weight; steps from the leaf to the root, at least one. */
struct kept_stack {
	uint64_t first; /* in steps */
	uint32_t base, count;
	uint64_t weight, samples;
};

/* All zero is empty. */
struct kept {
	struct kept_stack *list; /* in the order in which they first came */
	size_t count, cap;
	uint32_t *steps;
	size_t step_count, step_cap;
	uint64_t frames; /* of all stacks that came, however often */
	struct slots places;
};

/* K comes with its STEPS; its member first is not looked at. */
void kept_add(struct kept *t, const struct kept_stack *k, const uint32_t *steps);
void kept_release(struct kept *t);

#endif
