/* What a session of the library took from outside: memory, descriptors, mappings, handles of other
 * libraries. Each is known to its owner from the moment it is there, so that a lack of memory
 * anywhere below may leave all frames at once: see owner.c. */
#ifndef PDTOOL_LIBRARY_OWNER_H
#define PDTOOL_LIBRARY_OWNER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct block;
struct resource;

#define RESOURCE_SLOTS 256

struct owner {
	pthread_mutex_t lock; /* of the lists: jobs of a pool share their owner */
	struct block *blocks;
	struct resource *resources; /* newest first */
	struct resource *table[RESOURCE_SLOTS];
	atomic_bool failed; /* memory ran out: what hangs on this owner may be half built */
};

/* SIZE zeroed bytes that no owner knows, for what an owner lies in; NULL: there are none. */
void *outside_alloc(size_t size_bytes) __attribute__((malloc, warn_unused_result));
void outside_free(void *p);

void owner_init(struct owner *o);
/* Give back all that O still has. Nothing that lay in it may be looked at any more. */
void owner_release(struct owner *o);

/* Run FN(ARG); what it takes belongs to O. False when memory ran out, now or in an earlier run (FN
 * is not called then): of what O has, only owner_release() may be asked. */
bool owner_run(struct owner *o, void (*fn)(void *arg), void *arg)
	__attribute__((warn_unused_result));

#endif
