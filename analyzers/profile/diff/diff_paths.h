/* The call paths of stacks of several captures: what the same rows lead through is one piece,
 * however many frames it has, and only paths that are asked for have an amount of their own. */
#ifndef PDTOOL_DIFF_PATHS_H
#define PDTOOL_DIFF_PATHS_H

#include "analyzers/profile/diff/diff_amounts.h"

/* Paths that are tested, each by itself; of what comes beyond, the longest one of a piece stands
 * for all of it. Honest captures have some hundred. */
#define PATHS_MAX 250000

/* Nodes of a tree of paths, from depth ABOVE + 1 to END; the root is from 0 to 0. */
struct path_piece {
	uint32_t row; /* the first one of the set through it */
	uint32_t sorted_row;
	uint32_t above, end;
	uint32_t first; /* its first path in the list; PATH_NONE: it has none */
	uint8_t mark;	/* of nodes that have no path of their own */
};

#define PATH_NONE UINT32_MAX

struct diff_path {
	uint32_t row, depth;
	uint32_t piece;
};

struct diff_paths {
	const struct stackset *set; /* finished */
	uint32_t
		*rows; /* those of the set in an order in which equal paths are beside each other */
	uint32_t *shared; /* by place there: frames that the row has of the one before */
	size_t row_count;
	struct path_piece *pieces; /* root first, depth first, by that order */
	size_t count, cap;
	struct diff_sums sums; /* by piece: of each of its nodes, and of the last one's own */
	struct diff_path *list;
	size_t path_count, path_cap;
	uint64_t nodes; /* that have any weight */
};

struct paths_asked {
	const struct diff_capture *captures;
	const struct noise *noise; /* paths that can be tested by it; NULL: none */
	bool ends;		   /* and those that rows end with */
};

void diff_paths_init(struct diff_paths *p, const struct stackset *set,
		     const struct paths_asked *asked);
/* An amount for each path; NAMELESS is by name. */
void diff_paths_amounts(const struct diff_paths *p, const struct paths_asked *asked,
			const bool *nameless, struct diff_amounts *out);
/* The mark of each node of stack_tree_build() of the set's part; free it. */
uint8_t *diff_paths_marks(struct diff_paths *p, const struct diff_amounts *amounts);
/* The folded text of each path that a stack ends with, NULL for others; free them. */
char **diff_paths_names(const struct diff_paths *p, const struct diff_amounts *amounts);
void diff_paths_release(struct diff_paths *p);

#endif
