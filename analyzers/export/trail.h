/* Rows of one size by series, in the order in which they came, in a temporary file: memory follows
 * the series, not the rows. A series is read as often as it is wanted. */
#ifndef PDTOOL_TRAIL_H
#define PDTOOL_TRAIL_H

#include "parser/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRAIL_MOST 16384

/* So many bytes of rows, and where the next ones of the series are. */
struct trail_block {
	uint64_t next;
	uint64_t next_room; /* bytes */
	unsigned char rows[TRAIL_MOST];
};

/* A series: where its first block lies, and the one that is being filled: the more rows there are,
 * the larger. */
struct trail_series {
	unsigned char *rows;
	uint64_t first, block; /* offsets in the file */
	uint64_t count;
	uint32_t used, held, room; /* bytes: of rows, of memory for them, of the block */
};

/* All zero, but for the size of a row, is empty. */
struct trail {
	uint32_t size; /* bytes, few */
	struct trail_series *list;
	size_t count, cap;
	uint64_t end; /* of the blocks that were begun */
	uint64_t rows;
	int fd; /* valid with opened */
	bool opened;
	int error; /* errno of the first failure */
	/* of the series that is being read: rows that were not handed out, and where in the block
	 * the next one is */
	struct trail_block block;
	uint64_t left;
	uint32_t at, had; /* bytes */
};

void trail_release(struct trail *t);
/* The number of a new series. */
uint32_t trail_new(struct trail *t);
void trail_add(struct trail *t, uint32_t series, const void *row);
/* No more come. */
void trail_end(struct trail *t);
/* Begin to read SERIES. */
void trail_begin(struct trail *t, uint32_t series);
/* False: there are no more, or error says why they cannot be read. */
bool trail_next(struct trail *t, void *row);

#endif
