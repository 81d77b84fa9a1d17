/* Long arrays of words that have much in common.
 *
 * An array is cut where its content says so, each piece is held once, and the list of its pieces is
 * an array in turn, until one piece is left. Two arrays that differ in one word, wherever that is,
 * share all but one piece of each level; equal arrays have the same id. No piece is longer than
 * PIECE_MAX words, so an array takes at most a few percent more than a copy of it. */
#ifndef PDTOOL_BASE_PIECES_H
#define PDTOOL_BASE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pieces {
	uint32_t **blocks; /* a piece's id is its place in all of them */
	size_t block_count;
	size_t used;	 /* words of the newest block */
	uint64_t *table; /* hash's high half, and the id in the low half; 0 is free */
	size_t slots, count;
	uint32_t *list; /* of the pieces of the array that is put in */
	size_t list_cap;
};

/* All zero is empty. */
void pieces_release(struct pieces *p);
/* The id, never 0, of the array of COUNT (at least 1) u32 at WORDS, at any alignment. */
uint32_t pieces_put(struct pieces *p, const void *words, size_t count);
/* Copy the array ID to OUT, which has room for it. */
void pieces_get(const struct pieces *p, uint32_t id, void *out);
/* What they take. */
size_t pieces_bytes(const struct pieces *p);
/* Do the COUNT words at WORDS begin with the array ID? How many words that has; 0: they do not. */
size_t pieces_match(const struct pieces *p, uint32_t id, const void *words, size_t count);

#endif
