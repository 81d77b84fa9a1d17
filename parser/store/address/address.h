/* Where the stacks of a capture were, in a row of table "address". */
#ifndef PDTOOL_STORE_ADDRESS_H
#define PDTOOL_STORE_ADDRESS_H

#include "parser/store/add.h"
#include "parser/store_rename.h"

/* By leaf of A's capture: its place among all, by their chains and then by their first frames; two
 * that have both are one. To be freed by the caller. */
uint32_t *address_origins(const struct adding *a, size_t *count);
/* Of which there are COUNT. PARTS: for each cell, in the order of chunks, LEB128, which of the
 * leaves that have its name. */
CHECKED int address_add(struct adding *a, const uint32_t *origins, size_t count,
			const struct buf *parts);

#define ADDRESS_COLUMNS (KEPT_COLUMNS + 6)

/* What it holds, and of each cell which of the stacks with its name it was. */
struct address {
	struct store_origin of; /* without texts; frames: their ids are FRAMES */
	int64_t *frames;
	uint32_t *first, *loc_frames, *chains, *labels, *parts;
	size_t cell_count;
	struct kept_column columns[ADDRESS_COLUMNS];
	void *bytes[ADDRESS_COLUMNS]; /* of the same */
};

/* False: these bytes are none. */
bool address_unpack(struct address *a, const void *bytes, size_t len);
void address_release(struct address *a);

#endif
