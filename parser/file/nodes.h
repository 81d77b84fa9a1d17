/* Which node (NUMA) CPUs and memory are of: runs of numbers, by the feature sections that tell. */
#ifndef PDTOOL_FILE_NODES_H
#define PDTOOL_FILE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/cursor.h"

/* Linux has 1,024 nodes at most, and few gaps in what is of each. */
#define NODE_RUNS_MAX 65536

/* All zero is empty. */
struct nodes {
	struct node_run {
		uint64_t first, last;
		uint32_t node;
	} * runs;
	size_t count, cap;
};

/* *N, which is made where it is NULL. */
struct nodes *nodes_make(struct nodes **n);
void nodes_free(struct nodes *n);
/* The CPUs LIST, of LEN bytes, are of NODE: "0-3,8". False: that is no such list, or too long. */
bool nodes_add_cpus(struct nodes *n, uint32_t node, const char *list, size_t len);
/* Physical addresses, by the section MEM_TOPOLOGY (4.17), of which C is the payload.
 * OFFSET SIZE MEANING: 0 8 version 1, 8 8 bytes of a block, 16 8 count of nodes; of each 8 node,
 * 8 count of blocks, 8 the same, then a bit for each in words of 8: is it of this node? */
bool nodes_add_memory(struct nodes *n, struct cursor *c);
/* When all is added. */
void nodes_sort(struct nodes *n);
/* -1: not told, as where N is NULL. */
int32_t nodes_find(const struct nodes *n, uint64_t at);

#endif
