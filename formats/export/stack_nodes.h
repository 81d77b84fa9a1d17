/* Stacks as a tree of frames, as readers want it that share what stacks begin with: a node is a
 * line of a location (profile_part.lines) and the node that called it, which comes before it. */
#ifndef PDTOOL_EXPORT_STACK_NODES_H
#define PDTOOL_EXPORT_STACK_NODES_H

#include "formats/model/profile.h"
#include "parser/base/slots.h"

/* All zero is empty. */
struct stack_nodes {
	struct slots known;
	uint32_t *frames, *callers; /* by node; callers of a root: PROFILE_NONE */
	size_t count, frame_cap, caller_cap;
	uint32_t *of; /* by stack, node + 1; 0: not yet */
	size_t of_count, of_cap;
	uint32_t *path; /* the nodes of the stack before, the outermost first */
	size_t depth, path_cap;
};

void stack_nodes_release(struct stack_nodes *n);
/* The first time that STACK is asked for. */
uint32_t stack_node_new(struct stack_nodes *n, const struct profile_part *p, uint32_t stack);
/* The node of the innermost frame of STACK. */
static inline uint32_t stack_node(struct stack_nodes *n, const struct profile_part *p,
				  uint32_t stack)
{
	uint32_t place = stack + 1; /* the first: no stack at all */

	return place < n->of_count && n->of[place] ? n->of[place] - 1 : stack_node_new(n, p, stack);
}

#endif
