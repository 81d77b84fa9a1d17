/* Rows of one size by series, in the order in which they came, in a temporary file: memory follows
 * the series, not the rows, but for where blocks of these lie. A series is read as often as it is
 * wanted. */
#ifndef PDTOOL_TRAIL_H
#define PDTOOL_TRAIL_H

#include "parser/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Rows of a series that lie together in the file. */
struct trail_block {
	uint64_t at;
	uint32_t bytes, next; /* next: in blocks */
};

/* A series: its first and last block, and the rows of the one to come: the more rows there are, the
 * larger. */
struct trail_series {
	unsigned char *rows;
	uint64_t count;
	uint32_t first, last;
	uint32_t used, held, room; /* bytes: of rows, of memory for them, of the block */
};

/* All zero, but for the size of a row, is empty. */
struct trail {
	uint32_t size; /* bytes, few */
	struct trail_series *list;
	size_t count, cap;
	struct trail_block *blocks; /* of all series */
	size_t block_count, block_cap;
	unsigned char *buffer; /* what is to be written, and later what was read */
	size_t used;	       /* bytes of it */
	uint32_t large;	       /* bytes that blocks are larger than most may be */
	uint64_t end;	       /* of the file, with those */
	uint64_t rows;
	int fd; /* valid with opened */
	bool opened;
	int error; /* errno of the first failure */
	/* the series that is being read: */
	uint32_t series, block; /* block: the next one to be read */
	bool whole;		/* all of it lies in the buffer */
	uint64_t left;		/* rows */
	size_t at;		/* bytes of the buffer that were handed out */
};

void trail_release(struct trail *t);
/* The number of a new series. */
uint32_t trail_new(struct trail *t);
/* There is room for a row of S then. */
void trail_more(struct trail *t, struct trail_series *s);
/* Rows are copied where their size is known: SIZE is the trail's. */
static inline void trail_add(struct trail *t, uint32_t series, const void *row, uint32_t size)
{
	struct trail_series *s = &t->list[series];

	if (s->used == s->held || s->used == s->room)
		trail_more(t, s);
	memcpy(s->rows + s->used, row, size);
	s->used += size;
	s->count++;
	t->rows++;
}
/* No more come. */
void trail_end(struct trail *t);
/* Begin to read SERIES. */
void trail_begin(struct trail *t, uint32_t series);
/* False: there are no more, or error says why they cannot be read. */
bool trail_fill(struct trail *t);
static inline bool trail_next(struct trail *t, void *row, uint32_t size)
{
	if (!t->left || (t->at == t->used && !trail_fill(t)))
		return false;
	memcpy(row, t->buffer + t->at, size);
	t->at += size;
	t->left--;
	return true;
}

/* Those of them that are at hand: how many; 0: there are no more. */
static inline size_t trail_some(struct trail *t, const void **rows)
{
	size_t count;

	if (!t->left || (t->at == t->used && !trail_fill(t)))
		return 0;
	*rows = t->buffer + t->at;
	count = (t->used - t->at) / t->size;
	t->at = t->used;
	t->left -= count;
	return count;
}

#endif
