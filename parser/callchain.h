/* The call chain of a sample, as recorded: an array of u64 with context markers in it, leaf first.
 *
 * Chains are interned: one copy of each, whatever process it came from. What its addresses mean is decided
 * in stacks.h, for one address space at a time. */
#ifndef PDTOOL_CALLCHAIN_H
#define PDTOOL_CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/record/sample.h"

enum chain_kind {
	CHAIN_RECORDED, /* PERF_SAMPLE_CALLCHAIN (or LBR) */
	CHAIN_NONE,	/* the event records no chains: the sampled address alone */
	CHAIN_EMPTY,	/* it does, but this one is empty: the sampled address alone */
};

struct chain {
	const uint64_t *values;
	uint32_t count;
	uint8_t kind; /* enum chain_kind */
	bool kernel_only; /* means the same in every process */
};

struct chains {
	struct chain *list;
	size_t count, cap;
	uint64_t *table; /* hash's high half, and id + 1 in the low half; 0 is free */
	size_t slots;
	struct arena values;
	uint64_t *scratch; /* a chain that had to be put together or swapped */
	size_t scratch_cap;
};

void chains_init(struct chains *c);
void chains_release(struct chains *c);
/* The id of S's chain. */
uint32_t chains_add(struct chains *c, const struct sample *s);

#endif
