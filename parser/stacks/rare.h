/* Where stacks take more memory than they may, the rarest make room: their samples count under one
 * stack, "[others]".
 *
 * Chains are looked at whenever they have grown by a share of what is left. From half of the bound
 * on, samples are counted by stack; past it the chains and stacks with the fewest are forgotten
 * until a quarter is left, and the count begins anew; when a chain comes again it is a new one.
 * Who cannot follow new ids keeps the old ones, which then lead to "[others]". Where ids, or what
 * waits for its turn, take most of the room, chains that are not known are "[others]" at once.
 * Sums stay what they are.
 *
 * Where no stack is asked for (stacks.brief) there is none but those that wait for their user part,
 * and chains are forgotten long before that, unless a sample or such a stack waits for them. */
#ifndef PDTOOL_RARE_H
#define PDTOOL_RARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/stacks/callchain.h"

struct stacks;

#define RARE_NAME "[others]"

struct rare {
	struct chains *chains;
	struct stacks *stacks;
	size_t max_bytes; /* for both, and for what is held for each stack elsewhere */
	bool renumbers;	  /* stacks may get new ids */
	bool keeps;	  /* chains may not: none makes room, those that come are "[others]" */
	/* after rare_look() was true, and after rare_drop(): */
	struct chains old; /* what the chains were: the member own is the new id */
	uint32_t *now;	   /* by old id of a stack: the new one; NULL after rare_drop() */
	size_t count;	   /* of them */
};

/* In place of that where no stack is asked for. Chains of samples that wait have no space. False:
 * most of them are waited for, and all stay what they were. */
bool rare_drop(struct rare *r);
/* Chains have the bytes that they wanted to be looked at. True: some made room; rare_done() when
 * the ids were told. */
bool rare_look(struct rare *r);
/* In place of both for one that has a share of the samples (shares.h): there is no more room. */
bool rare_is_full(struct rare *r);
void rare_done(struct rare *r);

#endif
