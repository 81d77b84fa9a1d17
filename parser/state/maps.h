/* The mappings of one address space: sorted, not overlapping. Shared between parent and child until
 * one of them changes (copy on write). */
#ifndef PDTOOL_STATE_MAPS_H
#define PDTOOL_STATE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/state/module.h"

struct map {
	uint64_t start, end; /* end exclusive */
	uint64_t pgoff;	     /* bytes into the module's file of start */
	uint32_t module;
	bool used; /* an address was looked up in it */
	bool exec; /* code may run in it */
};

struct maps {
	uint32_t refs;
	uint32_t count, cap;
	uint32_t last; /* where the last lookup ended: the next is often near */
	struct map *list;
};

struct maps *maps_new(void);
struct maps *maps_ref(struct maps *m);
void maps_unref(struct maps *m);
/* A copy that is the caller's alone; M loses one reference. */
struct maps *maps_unshare(struct maps *m);
/* Insert NEW; what it covers of older mappings is cut off them. True when a used mapping was cut.
 */
bool maps_insert(struct maps *m, struct map new);
/* Remove what lies in [start, end). */
void maps_cut(struct maps *m, uint64_t start, uint64_t end);
/* The mapping that holds ADDR, or NULL. Several threads may ask at once. */
struct map *maps_find(struct maps *m, uint64_t addr);

#endif
