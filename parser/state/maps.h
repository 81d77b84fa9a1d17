/* The mappings of one address space: sorted, not overlapping. Parent and child share them; who
 * changes his has a layer of his own over those that both had, which holds what differs. A layer
 * hides what it covers of those below it. */
#ifndef PDTOOL_STATE_MAPS_H
#define PDTOOL_STATE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/state/module.h"

/* Mappings of one process: the kernel's own limit (vm.max_map_count), 65530 unless it was raised */
#define MAPS_MAX 65536

struct map {
	uint64_t start, end; /* end exclusive */
	uint64_t pgoff;	     /* bytes into the module's file of start */
	uint32_t module;     /* PDT_NONE: nothing is mapped here, whatever the layers below say */
	bool used;	     /* an address was looked up in it, in this space or in one that shares
				it */
	bool exec;	     /* code may run in it */
};

struct maps {
	uint32_t refs;
	uint32_t count, cap;
	uint32_t below; /* in all layers below */
	uint32_t depth; /* how many they are */
	uint32_t last;	/* where the last lookup ended: the next is often near */
	struct map *list;
	struct maps *base; /* the layer below, which is not changed any more; or NULL */
	uint64_t *held;	   /* bytes of all maps that were made with it */
};

/* *HELD counts the bytes of M and of all that is made of it; it must outlive them. */
struct maps *maps_new(uint64_t *held);
struct maps *maps_ref(struct maps *m);
void maps_unref(struct maps *m);
/* Maps that are the caller's alone, with what M has; M loses one reference. */
struct maps *maps_unshare(struct maps *m);
/* Insert NEW; what it covers of older mappings is cut off them. True when a used mapping was cut.
 * M must be the caller's alone, and have fewer than MAPS_MAX. */
bool maps_insert(struct maps *m, struct map new);
/* Remove what lies in [start, end). */
void maps_cut(struct maps *m, uint64_t start, uint64_t end);
/* The mapping that holds ADDR, or NULL. Several threads may ask at once. */
struct map *maps_find(struct maps *m, uint64_t addr);

/* How many there are, those that are hidden included. */
static inline uint32_t maps_count(const struct maps *m)
{
	return m->below + m->count;
}
/* The one of number I, which is below that; NULL: nothing is mapped there. */
const struct map *maps_at(const struct maps *m, uint32_t i);

#endif
