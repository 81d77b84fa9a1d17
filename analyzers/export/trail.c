/* Each series has blocks of the file, each of which says where the next one is: the place of that
 * is taken when a block is begun. */
#include "analyzers/export/trail.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ROWS  4 /* in memory, of a series that may stay small */
#define FIRST_BYTES 768
#define PARTS	    8 /* a block is as large as an eighth of what there is of the series */
#define HEADER	    offsetof(struct trail_block, rows)

void trail_release(struct trail *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].rows);
	free(t->list);
	if (t->opened)
		close(t->fd);
	*t = (struct trail){ 0 };
}

/* Of the block behind ROWS rows of a series: whole rows. */
static uint32_t block_room(const struct trail *t, uint64_t rows)
{
	uint64_t bytes = rows * t->size / PARTS;

	bytes = bytes > TRAIL_MOST ? TRAIL_MOST : bytes < FIRST_BYTES ? FIRST_BYTES : bytes;
	return (uint32_t)bytes / t->size * t->size;
}

/* Where the next block is to lie. */
static uint64_t begin_block(struct trail *t, struct trail_series *s)
{
	s->block = t->end;
	s->room = block_room(t, s->count);
	s->used = 0;
	t->end += HEADER + s->room;
	return s->block;
}

uint32_t trail_new(struct trail *t)
{
	struct trail_series *s;

	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	s = &t->list[t->count];
	*s = (struct trail_series){ 0 };
	s->first = begin_block(t, s);
	return (uint32_t)t->count++;
}

/* SIZE bytes of B, at OFFSET from or to the file. */
static void move_block(struct trail *t, struct trail_block *b, size_t size, uint64_t offset,
		       bool to_file)
{
	if (!t->opened && !t->error) {
		t->fd = temp_file();
		t->opened = t->fd >= 0;
		t->error = t->opened ? 0 : errno;
	}
	if (!t->error)
		t->error = to_file ? temp_write(t->fd, b, size, offset)
				   : temp_read(t->fd, b, size, offset);
}

/* The block of S is full, or the last one. */
static void put_block(struct trail *t, struct trail_series *s, bool last)
{
	struct trail_block *b = &t->block;
	uint64_t block = s->block;
	uint32_t used = s->used;

	if (used)
		memcpy(b->rows, s->rows, used);
	if (!last)
		(void)begin_block(t, s);
	b->next = last ? 0 : s->block;
	b->next_room = last ? 0 : s->room;
	move_block(t, b, HEADER + used, block, true);
}

void trail_add(struct trail *t, uint32_t series, const void *row)
{
	struct trail_series *s = &t->list[series];

	if (s->used == s->room)
		put_block(t, s, false);
	if (s->used == s->held) {
		uint32_t few = FIRST_ROWS * t->size;

		s->held = s->held || few > s->room ? s->room : few;
		s->rows = xrealloc(s->rows, s->held);
	}
	memcpy(s->rows + s->used, row, t->size);
	s->used += t->size;
	s->count++;
	t->rows++;
}

void trail_end(struct trail *t)
{
	for (size_t i = 0; i < t->count; i++) {
		put_block(t, &t->list[i], true);
		free(t->list[i].rows);
		t->list[i].rows = NULL;
	}
}

void trail_begin(struct trail *t, uint32_t series)
{
	t->block.next = t->list[series].first;
	t->block.next_room = block_room(t, 0);
	t->left = t->list[series].count;
	t->at = t->had = 0;
}

/* As many rows as are there of it. */
static void get_block(struct trail *t)
{
	uint64_t bytes = t->left * t->size;

	t->had = (uint32_t)(bytes < t->block.next_room ? bytes : t->block.next_room);
	t->at = 0;
	move_block(t, &t->block, HEADER + t->had, t->block.next, false);
}

bool trail_next(struct trail *t, void *row)
{
	if (!t->left)
		return false;
	if (t->at == t->had)
		get_block(t);
	if (t->error)
		return false;
	memcpy(row, t->block.rows + t->at, t->size);
	t->at += t->size;
	t->left--;
	return true;
}
