/* Stacks: call chains whose addresses have become locations, (module, offset), in one address
 * space.
 *
 * A location is the same for every process that maps the module, wherever it is mapped: two runs of
 * one program share their stacks. Locations get names once, at the end (names.h). */
#ifndef PDTOOL_STACKS_H
#define PDTOOL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/pdtool_module.h"
#include "parser/stacks/deferred.h"
#include "parser/state/loc.h"

struct chain;
struct process;

struct stack {
	uint32_t first; /* index of its leaf in loc_ids */
	uint16_t count;
	/* enum pdt_stack_flag. APART: the location of the sample's own address lies before the
	 * leaf's. A stack whose user part comes later (deferred.h) loses this when it turns out to
	 * begin there. */
	uint8_t flags;
};

struct stacks {
	struct loc *locs;
	size_t loc_count, loc_cap;
	uint32_t *loc_table; /* id + 1; 0 is free */
	size_t loc_slots;
	struct stack *list;
	size_t count, cap;
	uint32_t *loc_ids; /* of all stacks */
	size_t id_count, id_cap;
	/* second and further meanings of one chain: hash's high half, and id + 1 in the low half */
	uint64_t *table;
	size_t slots, variants;
	/* (address space, address) -> location: a cache of fixed size */
	struct near *near;
	/* Chains that mean different stacks in several address spaces: a cache of fixed size. */
	struct space_chain *shared;
	/* Which value of chain C, of process P, is no caller? -1: none. NULL: there are none. */
	int (*skip)(void *ctx, struct process *p, const struct chain *c);
	void *skip_ctx;
	struct deferred deferred; /* stacks whose user part comes later */
	size_t joined_ids;	  /* of loc_ids, those that came so */
	uint64_t junk_entries;	  /* values in chains that are neither address nor known marker */
};

/* Location ids of S, leaf first; S->count of them. Valid until the next stacks_add(). */
static inline const uint32_t *stack_locs(const struct stacks *s, const struct stack *stack)
{
	return s->loc_ids + stack->first;
}

/* The location of the sample's own address: where the instruction was, whatever the chain says.
 * PDT_NONE: not recorded. */
static inline uint32_t stack_ip(const struct stacks *s, const struct stack *stack)
{
	if (stack->flags & PDT_STACK_APART)
		return s->loc_ids[stack->first - 1];
	return stack->count ? s->loc_ids[stack->first] : PDT_NONE;
}

/* By location: it is a return address in all stacks. An address where a stack begins, or where the
 * kernel was entered, counts as such; and one that is in no stack, but only a sample's own. The
 * caller frees the result. */
bool *stacks_returns(const struct stacks *st);

#endif
