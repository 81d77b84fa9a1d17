/* From one store of chains to another, for rare.h. */
#ifndef PDTOOL_CHAINMOVE_H
#define PDTOOL_CHAINMOVE_H

#include "parser/stacks/callchain.h"

/* A copy of E, of the store FROM, which is not in C yet; and the one for those that made room. */
uint32_t chains_copy(struct chains *c, const struct chains *from, const struct chain *e);
uint32_t chains_rare(struct chains *c);
/* The chain behind E in its store, or the first one: *ID is 0 at first. NULL: there are no more. */
struct chain *chains_next(const struct chains *c, uint32_t *id);

#endif
