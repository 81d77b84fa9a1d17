/* What of the tree of stacks a flame graph draws: frames that are wide enough, and not more than a
 * drawing can hold. All others are added up while the tree is walked, and never held. */
#ifndef PDTOOL_FLAME_TREE_H
#define PDTOOL_FLAME_TREE_H

#include "formats/flame/flame_kinds.h"
#include "formats/model/result.h"

/* Frames of one panel: the drawing has some 40 bytes of each. All that is wide enough of honest
 * captures is a tenth of that. */
#define FLAME_FRAMES_MAX 250000

/* By side: [0] after, or the only one; [1] before. */
struct flame_node {
	uint64_t total[2], self[2]; /* weight of all rows through it, and of those that end here */
	uint64_t start[2];	    /* weight of the rows before the first one through it */
	uint32_t name;		    /* frame id; UINT32_MAX for the root */
	uint32_t depth;		    /* the root, which stands for all, has 0 */
	uint8_t kind;		    /* enum frame_kind */
	uint8_t mark;		    /* enum mark */
	bool drawn[2];
};

struct flame_tree {
	/* the members up to here and including least are the caller's */
	const struct stacks_part *part;
	uint64_t total[2]; /* see flame_totals() */
	double least[2];   /* narrower frames are not drawn */

	struct flame_node *nodes; /* those that are drawn: depth first, in the order of the rows */
	size_t count, cap;
	uint64_t all; /* with those that are not drawn */
	/* by side: frames left out for being narrow and what they hold together, and frames left
	 * out for being too many */
	struct flame_left {
		uint64_t narrow, narrow_weight, cut;
	} left[2];
	double change_max; /* the greatest change of one frame, but for the root */
	struct flame_kinds kinds;
};

/* The weights of all rows of P, held at 2^64 - 1. */
void flame_totals(const struct stacks_part *p, uint64_t total[2]);
void flame_tree_build(struct flame_tree *t);
void flame_tree_release(struct flame_tree *t);
/* The kind of function that a frame called NAME is, of which KIND is known. */
enum frame_kind flame_kind_of(const struct stacks_part *p, uint32_t name, enum frame_kind kind);

#endif
