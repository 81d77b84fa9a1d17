/* What a capture puts into a store's file, for those that put it there anew. */
#ifndef PDTOOL_STORE_ADD_H
#define PDTOOL_STORE_ADD_H

#include "parser/store/content.h"
#include "parser/store/store.h"

struct adding {
	struct sql *sql;
	const struct store_capture *c;
	struct content_id *keys; /* by frame */
	int64_t *frames;	 /* by frame: its id */
	int64_t *sorted;	 /* ids of stacks, each once, ascending */
	uint32_t *which;	 /* of each a stack that has it */
	size_t sorted_count;
	uint32_t *ranks; /* by stack: its place in them */
	int64_t capture;
	struct buf text;
};

/* Ids are made of what there is: KEYS, SORTED, WHICH and RANKS. */
void adding_rank(struct adding *a);
/* The same, and frames and stacks that are not there. */
CHECKED int adding_names(struct adding *a);
/* The cells of A's capture, whose row is there: chunks, totals, and where its stacks were. */
CHECKED int adding_cells(struct adding *a);
void adding_release(struct adding *a);

#endif
