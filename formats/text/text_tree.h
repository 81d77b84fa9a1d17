/* Call trees below the rows of a table, as perf report draws them. */
#ifndef PDTOOL_TEXT_TREE_H
#define PDTOOL_TEXT_TREE_H

#include "formats/format.h"

/* The lines of the tree that begins at row FIRST of T; returns the row behind it. WIDTH is that of
 * the terminal; 0: there is none. */
size_t text_tree(const struct table_part *t, size_t first, size_t width, struct out *out);

#endif
