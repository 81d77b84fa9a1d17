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

#include "parser/base/idmap.h"
#include "parser/base/pieces.h"
#include "parser/base/slots.h"
#include "parser/pdtool_module.h"
#include "parser/stacks/deferred.h"
#include "parser/state/loc.h"

struct chain;
struct process;

/* Its location ids: the sample's own one if it is apart, then COUNT, leaf first. */
struct stack {
	uint32_t first; /* index in loc_ids; of a deep one: id of the pieces */
	uint16_t count;
	/* enum pdt_stack_flag. A stack whose user part comes later (deferred.h) loses APART when it
	 * turns out to begin there. */
	uint8_t flags;
	uint8_t hits; /* samples, up to 255, while there is little room (rare.h) */
};

/* So many that it shares equal parts with others. */
#define STACK_DEEP_MIN 255

static inline bool stack_is_deep(const struct stack *stack)
{
	return stack->count > STACK_DEEP_MIN;
}

/* When, of several sessions that see a part of the samples each, this one saw a program that called
 * exec, and the one that came. */
struct exec_seen {
	uint64_t old_ns; /* an address was found in the old one: the last time, + 1; 0: none was */
	uint64_t new_ns; /* the new one ran: the first time; UINT64_MAX: it was not seen */
};

struct stacks {
	struct loc *locs;
	size_t loc_count, loc_cap, twins; /* twins are the last ones */
	struct slots loc_places;
	struct stack *list;
	size_t count, cap;
	uint32_t *loc_ids; /* of all stacks but the deep ones */
	size_t id_count, id_cap;
	struct pieces pieces; /* location ids of the deep ones */
	uint32_t *whole;      /* id of the pieces that were put together last, and they */
	uint32_t *user_ids;   /* of a user part that comes later */
	size_t user_cap;
	/* second and further meanings of one chain: hash's high half, and id + 1 in the low half */
	uint64_t *table;
	size_t slots, variants;
	/* (address space, address) -> location: a cache, of bounded size */
	struct near *near;
	/* Chains that mean different stacks in several address spaces: a cache, of bounded size. */
	struct space_chain *shared;
	size_t near_slots, shared_slots; /* powers of two */
	/* Which value of chain C, of process P, is no caller? -1: none. NULL: there are none. */
	int (*skip)(void *ctx, struct process *p, const struct chain *c);
	void *skip_ctx;
	struct deferred deferred; /* stacks whose user part comes later */
	size_t joined_ids;	  /* of loc_ids, those that came so */
	uint64_t junk_entries;	  /* values in chains that are neither address nor known marker */
	struct idmap junk;	  /* chains that have some */
	/* the stack of those that made room (rare.h), whose one location stands for them, + 1 */
	uint32_t rare;
	uint64_t made_room;	 /* how many did */
	uint64_t refused;	 /* samples of those that found none: told at the end */
	bool counting;		 /* hits */
	struct exec_seen *execs; /* by exec: when samples showed what of it */
	size_t exec_count, exec_cap;
	bool in_part;	 /* there are samples that another session sees (shares.h) */
	uint64_t now_ns; /* then: of the sample */
	bool brief;	 /* none is asked for (rare.h), but locations are */
};

const uint32_t *stacks_expand(const struct stacks *s, uint32_t pieces);
static inline const uint32_t *stack_ids(const struct stacks *s, const struct stack *stack)
{
	return stack_is_deep(stack) ? stacks_expand(s, stack->first) : s->loc_ids + stack->first;
}

/* How many location ids lie before the leaf. */
static inline size_t stack_ids_before(uint8_t flags)
{
	return !!(flags & PDT_STACK_APART);
}

/* Location ids of STACK, leaf first; STACK->count of them. Valid until the next stacks_add(), those
 * of a deep stack until the next stack. */
static inline const uint32_t *stack_locs(const struct stacks *s, const struct stack *stack)
{
	return stack_ids(s, stack) + stack_ids_before(stack->flags);
}

/* The location of the sample's own address: where the instruction was, whatever the chain says.
 * PDT_NONE: not recorded. */
static inline uint32_t stack_ip(const struct stacks *s, const struct stack *stack)
{
	return stack->flags & PDT_STACK_APART || stack->count ? *stack_ids(s, stack) : PDT_NONE;
}

/* By location: it is a return address. An address that is one in some stacks and begins others, or
 * is where the kernel was entered, a sample's own or looked up by itself, becomes two locations, so
 * that the lines of a stack do not depend on which others there are: no ids may be added
 * afterwards. By up to JOBS threads. The caller frees the result. */
bool *stacks_returns(struct stacks *st, unsigned jobs);

#endif
