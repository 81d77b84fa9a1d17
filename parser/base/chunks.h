/* Many small pieces of memory with short lives that end roughly in the order in which they began:
 * they lie side by side in chunks, and a chunk is used again when all its pieces are gone. */
#ifndef PDTOOL_BASE_CHUNKS_H
#define PDTOOL_BASE_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_PIECE_MAX (128u << 10)

#define CHUNK_NEARLY 4096 /* so little is left of a chunk that it counts as full */

#define CHUNK_SIZE (2u << 20) /* also its alignment: a piece finds its chunk by its address */

struct chunk {
	struct chunk *next; /* in all */
	struct chunk *next_free;
	size_t used; /* bytes, with this header */
	size_t live; /* pieces */
};

struct chunks {
	struct chunk *current; /* where the next piece goes; NULL: nowhere yet */
	struct chunk *free;
	struct chunk *all;
	void *last;    /* the piece that was taken last; NULL: it was given back */
	size_t in_use; /* chunks: that with the next piece, and those with pieces */
};

void chunks_next(struct chunks *c);
void chunks_put_back(struct chunks *c, struct chunk *k);

/* SIZE bytes, at most CHUNK_PIECE_MAX, aligned to 8; not cleared. */
static inline void *chunks_take(struct chunks *c, size_t size)
{
	void *p;

	size = size ? (size + 7) & ~(size_t)7 : 8; /* each has a place of its own */
	if (!c->current || CHUNK_SIZE - c->current->used < size)
		chunks_next(c);
	p = (char *)c->current + c->current->used;
	c->current->used += size;
	c->current->live++;
	c->last = p;
	return p;
}

static inline void chunks_give(struct chunks *c, void *piece)
{
	struct chunk *k = (struct chunk *)((uintptr_t)piece & ~(uintptr_t)(CHUNK_SIZE - 1));

	if (piece == c->last) { /* as if it had not been taken */
		k->used = (size_t)((char *)piece - (char *)k);
		c->last = NULL;
	}
	if (!--k->live)
		chunks_put_back(c, k);
}

/* COUNT chunks are in use, or more, and the next piece begins another one, or nearly so. */
static inline bool chunks_full(const struct chunks *c, size_t count)
{
	return c->in_use > count ||
	       (c->in_use == count && CHUNK_SIZE - c->current->used < CHUNK_NEARLY);
}

/* All chunks, also those with pieces in them. */
void chunks_release(struct chunks *c);

#endif
