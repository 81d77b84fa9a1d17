/* Rows of a series wait in memory until they fill a block, which goes behind all others: the file
 * is written from its begin to its end, and read from block to block. */
#include "analyzers/export/trail.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER	    (1u << 18)
#define FIRST_ROWS  4 /* in memory, of a series that may stay small */
#define FIRST_BYTES 768
#define BLOCK_MOST  4096
#define BLOCK_LARGE 65536	/* of a few series: what is above that is BUFFER for all of them */
#define PARTS	    4 /* a block is as large as a quarter of what there is of the series */
#define NONE	    UINT32_MAX

void trail_release(struct trail *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].rows);
	free(t->list);
	free(t->blocks);
	free(t->buffer);
	if (t->opened)
		close(t->fd);
	*t = (struct trail){ 0 };
}

/* Of the next block of S: whole rows. */
static uint32_t block_room(struct trail *t, const struct trail_series *s)
{
	uint64_t bytes = s->count * t->size / PARTS;
	uint32_t had = s->room > BLOCK_MOST ? s->room : BLOCK_MOST, most = had + BUFFER - t->large;

	most = most > BLOCK_LARGE ? BLOCK_LARGE : most;
	bytes = bytes > most ? most : bytes < FIRST_BYTES ? FIRST_BYTES : bytes;
	t->large += bytes > had ? (uint32_t)bytes - had : 0;
	return (uint32_t)bytes / t->size * t->size;
}

uint32_t trail_new(struct trail *t)
{
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count] = (struct trail_series){ .first = NONE, .last = NONE };
	t->list[t->count].room = block_room(t, &t->list[t->count]);
	return (uint32_t)t->count++;
}

/* SIZE bytes at P, at OFFSET from or to the file. */
static void move(struct trail *t, unsigned char *p, size_t size, uint64_t offset, bool to_file)
{
	if (!t->opened && !t->error) {
		t->fd = temp_file();
		t->opened = t->fd >= 0;
		t->error = t->opened ? 0 : errno;
	}
	if (!t->error)
		t->error = to_file ? temp_write(t->fd, p, size, offset)
				   : temp_read(t->fd, p, size, offset);
}

static void flush(struct trail *t)
{
	if (t->used)
		move(t, t->buffer, t->used, t->end - t->used, true);
	t->used = 0;
}

/* The rows that S has in memory are a block. */
static void put_block(struct trail *t, struct trail_series *s)
{
	uint32_t id = (uint32_t)t->block_count;

	if (!s->used)
		return;
	t->buffer = t->buffer ?: xmalloc(BUFFER);
	if (BUFFER - t->used < s->used)
		flush(t);
	memcpy(t->buffer + t->used, s->rows, s->used);
	t->blocks = xgrow(t->blocks, &t->block_cap, t->block_count + 1, sizeof(*t->blocks));
	t->blocks[t->block_count++] = (struct trail_block){ t->end, s->used, NONE };
	*(s->last == NONE ? &s->first : &t->blocks[s->last].next) = id;
	s->last = id;
	t->used += s->used;
	t->end += s->used;
	s->used = 0;
	s->room = block_room(t, s);
}

void trail_more(struct trail *t, struct trail_series *s)
{
	uint32_t few = FIRST_ROWS * t->size;

	if (s->used == s->room)
		put_block(t, s);
	if (s->used < s->held)
		return;
	s->held = s->held || few > s->room ? s->room : few;
	s->rows = xrealloc(s->rows, s->held);
}

void trail_end(struct trail *t)
{
	for (size_t i = 0; i < t->count; i++) {
		put_block(t, &t->list[i]);
		free(t->list[i].rows);
		t->list[i].rows = NULL;
	}
	flush(t);
	t->series = NONE;
}

void trail_begin(struct trail *t, uint32_t series)
{
	const struct trail_series *s = &t->list[series];

	t->left = s->count;
	t->at = 0;
	if (t->series == series && t->whole)
		return;
	t->series = series;
	t->block = s->first;
	t->used = 0;
}

/* As many blocks of the series as there is room for. */
static void get_blocks(struct trail *t)
{
	t->whole = t->block == t->list[t->series].first;
	t->used = t->at = 0;
	while (t->block != NONE && !t->error) {
		const struct trail_block *b = &t->blocks[t->block];

		if (BUFFER - t->used < b->bytes) {
			t->whole = false;
			return;
		}
		move(t, t->buffer + t->used, b->bytes, b->at, false);
		t->used += b->bytes;
		t->block = b->next;
	}
}

bool trail_fill(struct trail *t)
{
	get_blocks(t);
	return !t->error;
}
