/* Stacks of named frames as a tree, numbered in the order of folded text once all are there. */
#ifndef PDTOOL_PAGE_TREE_H
#define PDTOOL_PAGE_TREE_H

#include "formats/model/page.h"
#include "parser/base/idmap.h"

/* All zero is empty. */
struct page_tree {
	struct idmap known;
	uint32_t *parents, *names; /* by node, as they were added; parents of a root: PAGE_NONE */
	size_t count, parent_cap, name_cap;
	struct page_node *nodes; /* after page_tree_order(), by their new numbers */
	uint32_t *now;		 /* by the old number the new one */
};

void page_tree_release(struct page_tree *t);
/* The node NAME below PARENT; PAGE_NONE: a root. */
uint32_t page_tree_node(struct page_tree *t, uint32_t parent, uint32_t name);
/* All are there: number them anew. NAMES: what their names are. */
void page_tree_order(struct page_tree *t, const char *const *names, size_t name_count);

#endif
