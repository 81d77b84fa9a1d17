/* The call tree of a row: what its call chains have in common. */
#ifndef PDTOOL_CALL_TREE_H
#define PDTOOL_CALL_TREE_H

#include "analyzers/count/rows/rows.h"

#define CALL_NONE UINT32_MAX

/* Frames one below the other that the same chains lead through: each but the last has one child. */
struct call_piece {
	const uint32_t *path;	       /* names from the first on: that of depth d is path[d - 1] */
	uint32_t above, end;	       /* depths: of what it stands on, and of its last frame */
	uint64_t total, total_samples; /* of the chains through it */
	uint64_t self, self_samples;   /* of those that end with its last frame */
	uint64_t first;		       /* which chain was the first one through it */
	uint32_t child, next; /* the first piece on its end, its next brother; or CALL_NONE */
};

/* All zero is empty. */
struct call_tree {
	struct call_piece *pieces; /* the last one is the root, which has no frame */
	size_t count, cap;
	size_t roots; /* frames that chains begin with, also of pieces that are left out */
};

/* The tree of ROW's chains, without what weighs less than LEAST. Paths are those of C. */
void call_tree_build(struct call_tree *t, const struct row_chains *c, uint32_t row, uint64_t least);
/* How pieces that are brothers compare; CTX is the caller's. */
typedef int call_compare(const struct call_piece *a, const struct call_piece *b, void *ctx);
/* Order all brothers. The pieces stay where they are. */
void call_tree_sort(struct call_tree *t, call_compare *compare, void *ctx);
void call_tree_release(struct call_tree *t);

#endif
