/* One table from caller and frame to node, and one from stack to node. Stacks that follow each
 * other mostly begin alike: what they share is not looked up again. */
#include "formats/export/stack_nodes.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void stack_nodes_release(struct stack_nodes *n)
{
	slots_release(&n->known);
	free(n->frames);
	free(n->callers);
	free(n->of);
	free(n->path);
	*n = (struct stack_nodes){ 0 };
}

static uint32_t child(struct stack_nodes *n, uint32_t caller, uint32_t frame)
{
	uint64_t hash = hash_u64((uint64_t)caller << 32 | frame);
	uint32_t id;
	size_t at;

	slots_reserve(&n->known);
	SLOTS_EACH(&n->known, hash, at, id)
	{
		if (n->frames[id] == frame && n->callers[id] == caller)
			return id;
	}
	slots_set(&n->known, at, hash, (uint32_t)n->count);
	n->frames = xgrow(n->frames, &n->frame_cap, n->count + 1, sizeof(*n->frames));
	n->callers = xgrow(n->callers, &n->caller_cap, n->count + 1, sizeof(*n->callers));
	n->frames[n->count] = frame;
	n->callers[n->count] = caller;
	return (uint32_t)n->count++;
}

/* The next frame of the stack at hand, which has DEPTH by now. */
static void step(struct stack_nodes *n, size_t depth, uint32_t frame)
{
	uint32_t caller = depth ? n->path[depth - 1] : PROFILE_NONE;

	if (depth < n->depth && n->frames[n->path[depth]] == frame)
		return;
	n->path = xgrow(n->path, &n->path_cap, depth + 1, sizeof(*n->path));
	n->path[depth] = child(n, caller, frame);
	n->depth = depth + 1; /* what the stack before had from here on is no part of this one */
}

static uint32_t walk(struct stack_nodes *n, const struct profile_part *p, uint32_t stack)
{
	const uint32_t *locations;
	size_t depth = 0;

	for (size_t i = p->stack(p->ctx, stack, &locations); i-- > 0;) {
		const struct profile_location *l = &p->locations[locations[i]];

		for (uint32_t k = l->count; k-- > 0;)
			step(n, depth++, l->first + k);
	}
	return n->path[depth - 1];
}

uint32_t stack_node_new(struct stack_nodes *n, const struct profile_part *p, uint32_t stack)
{
	uint32_t node = walk(n, p, stack), place = stack + 1;

	n->of = xgrow_to(n->of, &n->of_count, &n->of_cap, place, sizeof(*n->of));
	n->of[place] = node + 1;
	return node;
}
