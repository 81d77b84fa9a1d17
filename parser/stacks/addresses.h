/* Where the locations of a stack lay: a location is a place in a module, its address that of one
 * process. Only the chain that became the stack knows it. */
#ifndef PDTOOL_ADDRESSES_H
#define PDTOOL_ADDRESSES_H

#include "parser/stacks/callchain.h"
#include "parser/stacks/stacks.h"

/* The addresses in chain ID of C for the locations of STACK, STACK->count of them, into OUT. Those
 * that the chain does not have (a user part that came later) are the places in their modules. */
void stack_addresses(const struct stacks *s, const struct stack *stack, const struct chains *c,
		     uint32_t id, uint64_t *out);

/* Is value I of C the marker behind which all are addresses, as unwinding found them? perf's may be
 * any number. */
static inline bool chain_is_unwound_from(const struct chain *c, unsigned i)
{
	return chain_kind(c) == CHAIN_UNWOUND && c->values[i] == CONTEXT_USER;
}

#endif
