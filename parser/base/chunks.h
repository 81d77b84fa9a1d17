/* Many small pieces of memory with short lives that end roughly in the order in which they began:
 * they lie side by side in chunks, and a chunk is used again when all its pieces are gone. */
#ifndef PDTOOL_BASE_CHUNKS_H
#define PDTOOL_BASE_CHUNKS_H

#include <stddef.h>

#define CHUNK_PIECE_MAX (128u << 10)

struct chunk;

struct chunks {
	struct chunk *current; /* where the next piece goes; NULL: nowhere yet */
	struct chunk *free;
	struct chunk *all;
};

/* SIZE bytes, at most CHUNK_PIECE_MAX, aligned to 8; not cleared. */
void *chunks_take(struct chunks *c, size_t size) __attribute__((returns_nonnull));
void chunks_give(struct chunks *c, void *piece);
/* All chunks, also those with pieces in them. */
void chunks_release(struct chunks *c);

#endif
