/* The values of a sample's chain (callchain.h). */
#ifndef PDTOOL_GATHER_H
#define PDTOOL_GATHER_H

#include "parser/stacks/callchain.h"

struct sample;

/* S's chain, *COUNT values, at least 1: where they lie, or put together in a buffer of C's, which
 * is then valid until the next call. NULL: it has none. */
const void *chains_gather(struct chains *c, const struct sample *s, uint16_t *count);

#endif
