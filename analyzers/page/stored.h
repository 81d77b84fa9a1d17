/* A store, or a part of it, for the page: its stacks as parts of the tree, and what they had over
 * time. */
#ifndef PDTOOL_PAGE_STORED_H
#define PDTOOL_PAGE_STORED_H

#include "analyzers/count/stackset.h"
#include "analyzers/page/tree.h"
#include "parser/store_steps.h"

struct stored {
	struct store_steps steps;
	uint32_t *leaves; /* by a stack's place: its node as it was added */
	size_t leaf_count, leaf_cap;
	double weight;
};

/* Where a name of the set that is new was first seen. MODULE is valid during the call. */
typedef void stored_place_fn(void *ctx, uint32_t name, const char *module, uint8_t kind);

/* What a store gives to. */
struct stored_into {
	struct stackset *set; /* of the names; no row is begun */
	struct page_tree *tree;
	stored_place_fn *place;
	void *ctx;
};

/* All of F, which is a store. Negative, with a message in W. To be released in either case. */
CHECKED int stored_read(struct stored *s, struct folded *f, const struct stored_into *into,
			struct warnings *w);
void stored_release(struct stored *s);

#endif
