/* The call tree of folded stacks. */
#ifndef PDTOOL_MODEL_STACK_TREE_H
#define PDTOOL_MODEL_STACK_TREE_H

#include "formats/model/result.h"

struct stack_node {
	uint64_t total; /* weight of all rows through it (of a difference: the side after) */
	uint64_t self;	/* of rows that end here */
	uint64_t before, before_self; /* the same of the side before, not scaled */
	uint32_t name;		      /* frame id; UINT32_MAX for the root */
	uint32_t parent;	      /* index; the root is its own */
	uint32_t depth;		      /* the root, which stands for all, has 0 */
	uint32_t next;		      /* index of the first node that is not below this one */
	uint8_t kind;		      /* enum frame_kind */
	uint32_t same; /* the first node with this path from the root; mostly the node itself */
};

/* Nodes depth first, in the order of the rows. As in FlameGraph only neighbours are merged: "a",
 * "a.b;x", "a;x" make two nodes called a, one of which is the other's SAME. */
struct stack_tree {
	struct stack_node *nodes;
	size_t count;
	uint32_t depth; /* of the deepest node */
	double fit;	/* as stack_fit() has it */
};

/* 1; where the rows sum up beyond 2^64 - 1, what all weights are multiplied by, so that no sum does
 * and parts stay parts of the whole. */
double stack_fit(const struct stacks_part *p);
static inline uint64_t stack_fitted(uint64_t weight, double fit)
{
	return fit < 1 ? (uint64_t)((double)weight * fit) : weight;
}

void stack_tree_build(struct stack_tree *t, const struct stacks_part *p);
void stack_tree_release(struct stack_tree *t);

/* ---- the same tree without holding it ---- */

/* Frames one below the other that the same rows lead through: each but the last has one child. */
struct stack_piece {
	const uint32_t *path; /* frame ids from the root on; the node of depth d is path[d - 1] */
	const uint8_t *kinds; /* merged, likewise; NULL: nothing is known */
	uint32_t above;	      /* depth of the node that the piece stands on */
	uint32_t end;	      /* depth of its last node; 0: the piece is the root, on nothing */
	uint64_t id;	      /* of its first node in stack_tree_build() */
	uint64_t below;	      /* nodes of other pieces below it */
	size_t row;	      /* the first one through it */
	/* of each side, after (or the only one) and before: of each node, of the last one's own,
	 * and of all rows before the first one through it */
	uint64_t total[2], self[2], start[2];
};

/* TAKE gets every piece when all below it came: the last one comes first, so that nodes come in the
 * reverse of their order; the root comes last. */
void stack_walk(const struct stacks_part *p,
		void (*take)(void *ctx, const struct stack_piece *piece), void *ctx);

#endif
