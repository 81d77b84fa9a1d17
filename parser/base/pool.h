/* The one threading primitive: run FN(ctx, i) for i in [0, n) on several threads.
 *
 * Jobs read what does not change meanwhile and write what is theirs alone (slot i), so the result
 * does not depend on the number of threads. */
#ifndef PDTOOL_BASE_POOL_H
#define PDTOOL_BASE_POOL_H

#include <stddef.h>

typedef void pool_fn(void *ctx, size_t i);

/* Returns when all is done. JOBS 0 or 1: on the calling thread. */
void pool_for(unsigned jobs, size_t n, pool_fn *fn, void *ctx);

#endif
