/* Each series has blocks of the file, each of which says where the next one is: the place of that
 * is taken when a block is begun. */
#include "analyzers/export/trail.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ROWS 4 /* of a series that may stay small */

void trail_release(struct trail *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].rows);
	free(t->list);
	if (t->opened)
		close(t->fd);
	*t = (struct trail){ 0 };
}

uint32_t trail_new(struct trail *t)
{
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count] = (struct trail_series){ .first = t->blocks, .block = t->blocks };
	t->blocks++;
	return (uint32_t)t->count++;
}

/* The block numbered BLOCK, from or to the file. */
static void move_block(struct trail *t, struct trail_block *b, uint64_t block, bool to_file)
{
	char *p = (char *)b, *end = p + sizeof(*b);
	off_t offset = (off_t)(block * sizeof(*b));

	if (!t->opened && !t->error) {
		t->fd = temp_file();
		t->opened = t->fd >= 0;
		t->error = t->opened ? 0 : errno;
	}
	while (p < end && !t->error) {
		ssize_t n = to_file ? pwrite(t->fd, p, (size_t)(end - p), offset)
				    : pread(t->fd, p, (size_t)(end - p), offset);

		if (n == 0 || (n < 0 && errno != EINTR))
			t->error = n ? errno : EIO;
		if (n > 0) {
			p += n;
			offset += n;
		}
	}
}

/* The block of S is full, or the last one. */
static void put_block(struct trail *t, struct trail_series *s, bool last)
{
	struct trail_block b = { .next = last ? 0 : t->blocks };

	memcpy(b.rows, s->rows, s->used * sizeof(*s->rows));
	move_block(t, &b, s->block, true);
	s->block = t->blocks;
	s->used = 0;
	t->blocks += !last;
}

void trail_add(struct trail *t, uint32_t series, const struct trail_row *row)
{
	struct trail_series *s = &t->list[series];

	if (s->used == TRAIL_ROWS)
		put_block(t, s, false);
	if (s->used == s->room) {
		s->room = s->room ? TRAIL_ROWS : FIRST_ROWS;
		s->rows = xrealloc(s->rows, s->room * sizeof(*s->rows));
	}
	s->rows[s->used++] = *row;
	s->samples++;
	t->samples++;
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
	t->left = t->list[series].samples;
	t->at = TRAIL_ROWS;
}

bool trail_next(struct trail *t, struct trail_row *row)
{
	if (!t->left)
		return false;
	if (t->at == TRAIL_ROWS) {
		move_block(t, &t->block, t->block.next, false);
		t->at = 0;
	}
	if (t->error)
		return false;
	*row = t->block.rows[t->at++];
	t->left--;
	return true;
}
