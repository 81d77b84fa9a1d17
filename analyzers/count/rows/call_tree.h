/* Call trees: what call chains of one row, or of several, have in common. */
#ifndef PDTOOL_CALL_TREE_H
#define PDTOOL_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/idmap.h"

#define CALL_NONE UINT32_MAX

struct call_node {
	uint64_t total, self; /* weight of the chains through it, and of those that end here */
	uint64_t total_samples, self_samples;
	uint32_t name;	      /* an id of the user's */
	uint32_t parent;      /* CALL_NONE: the root of a tree */
	uint32_t child, next; /* its first child, its next brother: CALL_NONE where there is none */
};

/* Many trees together. All zero is empty. */
struct call_trees {
	struct call_node *nodes;
	size_t count, cap;
	struct idmap children; /* (parent, name) -> node */
};

/* A new, empty tree: its root. */
uint32_t call_tree_new(struct call_trees *t);
struct call_chain {
	const uint32_t *names; /* from the root on */
	size_t count;
	uint64_t weight, samples;
};
/* Add C to the tree with ROOT. */
void call_tree_add(struct call_trees *t, uint32_t root, const struct call_chain *c);
/* How nodes that are brothers compare; CTX is the caller's. */
typedef int call_compare(const struct call_node *a, const struct call_node *b, void *ctx);
/* Order all brothers. The nodes stay where they are. */
void call_trees_sort(struct call_trees *t, call_compare *compare, void *ctx);
void call_trees_release(struct call_trees *t);

#endif
