/* One table from caller and frame to node, and one from stack to node. */
#include "formats/export/stack_nodes.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void stack_nodes_release(struct stack_nodes *n)
{
	idmap_release(&n->known);
	free(n->frames);
	free(n->callers);
	free(n->of);
	*n = (struct stack_nodes){ 0 };
}

static uint32_t child(struct stack_nodes *n, uint32_t caller, uint32_t frame)
{
	uint32_t *id = idmap_put(&n->known, (uint64_t)caller << 32 | frame);

	if (*id != IDMAP_NONE)
		return *id;
	*id = (uint32_t)n->count;
	n->frames = xgrow(n->frames, &n->frame_cap, n->count + 1, sizeof(*n->frames));
	n->callers = xgrow(n->callers, &n->caller_cap, n->count + 1, sizeof(*n->callers));
	n->frames[n->count] = frame;
	n->callers[n->count] = caller;
	return (uint32_t)n->count++;
}

static uint32_t walk(struct stack_nodes *n, const struct profile_part *p, uint32_t stack)
{
	const uint32_t *locations;
	uint32_t node = PROFILE_NONE;

	for (size_t i = p->stack(p->ctx, stack, &locations); i-- > 0;) {
		const struct profile_location *l = &p->locations[locations[i]];

		for (uint32_t k = l->count; k-- > 0;)
			node = child(n, node, l->first + k);
	}
	return node;
}

uint32_t stack_node(struct stack_nodes *n, const struct profile_part *p, uint32_t stack)
{
	uint32_t place = stack == PROFILE_NONE ? 0 : stack + 1; /* the first: no stack at all */

	n->of = xgrow_to(n->of, &n->of_count, &n->of_cap, place, sizeof(*n->of));
	if (!n->of[place]) {
		uint32_t node = walk(n, p, stack);

		n->of[place] = node + 1;
	}
	return n->of[place] - 1;
}
