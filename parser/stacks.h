/* Stacks: call chains whose addresses have become locations, (module, offset), in one address space.
 *
 * A location is the same for every process that maps the module, wherever it is mapped: two runs of one
 * program share their stacks. Locations get names once, at the end (names.h). */
#ifndef PDTOOL_STACKS_H
#define PDTOOL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/callchain.h"
#include "parser/state/machine.h"

enum cpu_mode { MODE_USER, MODE_KERNEL, MODE_HV, MODE_GUEST_USER, MODE_GUEST_KERNEL, MODE_COUNT };

struct loc {
	uint64_t addr; /* file offset in a MODULE_FILE or VDSO, else the address itself */
	uint32_t module; /* MODULE_NONE: no mapping held the address */
	uint8_t mode;  /* enum cpu_mode */
};

#define STACK_NO_CHAIN	 1 /* the event records no chains: one frame, the sampled address */
#define STACK_EMPTY	 2 /* the chain was empty: one frame, the sampled address */
#define STACK_PERF_DROPS 4 /* holds a marker for which perf discards the whole chain */

struct stack {
	const uint32_t *locs; /* leaf first */
	uint32_t count;
	uint8_t flags; /* STACK_* */
};

struct stacks {
	struct loc *locs;
	size_t loc_count, loc_cap;
	uint32_t *loc_table; /* id + 1; 0 is free */
	size_t loc_slots;
	struct stack *list;
	size_t count, cap;
	uint64_t *table; /* hash's high half, and id + 1 in the low half */
	size_t slots;
	/* (address space, chain) -> stack */
	struct space_chain *seen;
	size_t seen_slots, seen_count;
	struct arena arena;
	uint32_t *scratch;
	size_t scratch_cap;
	uint64_t junk_entries; /* values in chains that are neither address nor known marker */
};

void stacks_init(struct stacks *s);
void stacks_release(struct stacks *s);
/* The stack of CHAIN (id ID) as process P of M saw it just now. */
uint32_t stacks_get(struct stacks *s, struct machine *m, struct process *p, const struct chain *chain,
		    uint32_t id);

#endif
