/* Stacks that wait for their user part: the kernel (since 6.19) may leave it for when the thread
 * goes back to user mode. The sample's chain then ends in a cookie; a CALLCHAIN_DEFERRED record
 * brings the frames under that cookie, one for all samples taken on the way. */
#ifndef PDTOOL_DEFERRED_H
#define PDTOOL_DEFERRED_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/idmap.h"

#define DEFERRED_NONE (IDMAP_NONE - 1)

struct deferred_stack {
	uint64_t cookie;
	uint32_t pid, stack;
	uint32_t next; /* of those with the same hash; DEFERRED_NONE: the last */
};

struct deferred {
	struct deferred_stack *list;
	size_t count, cap;
	struct idmap first; /* by hash of pid and cookie: index in list */
	uint64_t waiting;   /* stacks that nothing came for so far */
};

void deferred_release(struct deferred *d);
/* STACK of process PID waits for COOKIE. */
void deferred_wait(struct deferred *d, uint32_t pid, uint64_t cookie, uint32_t stack);
/* A stack that waits for COOKIE, which from now on waits no more; DEFERRED_NONE: there is none. */
uint32_t deferred_take(struct deferred *d, uint32_t pid, uint64_t cookie);

#endif
