/* Cells as columns: each a run of LEB128 numbers, all behind each other, by Zstandard. Neighbours
 * are alike, so a column takes a tenth of its rows.
 *
 *   count, bytes of the columns (LEB128), then compressed: steps and CPUs as differences, threads,
 *   stacks (below the same thread: as differences), weights, samples */
#include "parser/store/store.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <zstd.h>

#define LEVEL	  6
#define BYTES_MAX (CHUNK_CELLS * COLUMNS * 10)

enum column { STEP, CPU, THREAD, STACK, WEIGHT, SAMPLES, COLUMNS };

static bool same_thread(const struct chunk_cell *a, const struct chunk_cell *b)
{
	return a->step == b->step && a->cpu == b->cpu && a->thread == b->thread;
}

/* What stands in COLUMN for C, which comes after BEFORE. */
static uint64_t value_of(enum column column, const struct chunk_cell *c,
			 const struct chunk_cell *before)
{
	switch (column) {
	case STEP:
		return c->step - before->step;
	case CPU:
		return c->cpu - (c->step == before->step ? before->cpu : 0);
	case THREAD:
		return c->thread;
	case STACK:
		return c->stack - (same_thread(c, before) ? before->stack : 0);
	case WEIGHT:
		return c->weight;
	default:
		return c->samples;
	}
}

static void take_value(enum column column, struct chunk_cell *c, const struct chunk_cell *before,
		       uint64_t v)
{
	switch (column) {
	case STEP:
		c->step = before->step + v;
		break;
	case CPU:
		c->cpu = (uint32_t)v + (c->step == before->step ? before->cpu : 0);
		break;
	case THREAD:
		c->thread = (uint32_t)v;
		break;
	case STACK:
		c->stack = (uint32_t)v + (same_thread(c, before) ? before->stack : 0);
		break;
	case WEIGHT:
		c->weight = v;
		break;
	default:
		c->samples = v;
		break;
	}
}

bool chunk_pack(struct buf *out, ZSTD_CCtx *by, const struct chunk_cell *cells, size_t count)
{
	static const struct chunk_cell zero;
	struct buf columns = { 0 };
	size_t room, n;

	for (enum column column = 0; column < COLUMNS; column++) {
		const struct chunk_cell *before = &zero;

		for (size_t i = 0; i < count; before = &cells[i++])
			put_uleb(&columns, value_of(column, &cells[i], before));
	}
	put_uleb(out, count);
	put_uleb(out, columns.len);
	room = ZSTD_compressBound(columns.len);
	n = ZSTD_compressCCtx(by, buf_reserve(out, room), room, columns.data, columns.len, LEVEL);
	buf_release(&columns);
	if (ZSTD_isError(n))
		return false;
	out->len += n;
	return true;
}

/* False: they end early. */
static bool take_columns(struct chunk_cell *cells, size_t count, struct cursor c)
{
	static const struct chunk_cell zero;

	for (enum column column = 0; column < COLUMNS; column++) {
		const struct chunk_cell *before = &zero;

		for (size_t i = 0; i < count; before = &cells[i++])
			take_value(column, &cells[i], before, cursor_uleb(&c));
	}
	return !c.bad && !cursor_left(&c);
}

struct chunk_cell *chunk_unpack(const void *bytes, size_t len, size_t *count)
{
	struct cursor c = cursor_make(bytes, len, false);
	uint64_t cells = cursor_uleb(&c), size = cursor_uleb(&c);
	size_t left = cursor_left(&c);
	struct chunk_cell *out = NULL;
	char *columns;

	if (c.bad || cells > CHUNK_CELLS || size > BYTES_MAX || size < cells * COLUMNS)
		return NULL;
	columns = xmalloc(size);
	if (ZSTD_decompress(columns, size, (const char *)bytes + len - left, left) == size)
		out = xcalloc(cells + 1, sizeof(*out));
	if (out && !take_columns(out, cells, cursor_make(columns, size, false))) {
		free(out);
		out = NULL;
	}
	free(columns);
	*count = cells;
	return out;
}
