/* Where stacks take more memory than they may, the rarest make room: their samples count under one
 * stack, "[others]".
 *
 * Chains are looked at whenever they have grown by a share of what is left. From half of the bound
 * on, samples are counted by stack; past it the chains and stacks with the fewest are forgotten
 * until a quarter is left, and the count begins anew. A stack's id stays what it is and then leads
 * to "[others]"; when its chain comes again it is a new one. Where ids alone take most of the room,
 * chains that are not known are "[others]" at once. Sums stay what they are. */
#ifndef PDTOOL_RARE_H
#define PDTOOL_RARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chains;
struct stacks;

#define RARE_NAME "[others]"

/* Look at C, which has C->look_at bytes, and at S: they, and what is held for each stack elsewhere,
 * may take MAX_BYTES. True: some made room, *OLD is what C was, and in it the
 * member own of each chain is its new id; the caller releases it. */
bool rare_look(size_t max_bytes, struct stacks *s, struct chains *c, struct chains *old);

#endif
