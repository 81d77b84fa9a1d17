/* The rows of one function at a time. */
#include "parser/names/jit/jitlines.h"
#include "parser/base/buf.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/elf/filewindow.h"

#include <stdlib.h>
#include <string.h>

#define DEBUG_SIZE 32
#define ENTRY_SIZE 16
#define PATH_SIZE  4096
#define ROWS_MAX   (1u << 20)

struct row {
	uint64_t addr;
	uint32_t line, order;
	size_t file; /* in names */
};

struct jit_lines {
	const struct jitdump *dump;
	struct window w;
	size_t function; /* that these rows belong to; function_count: none */
	struct row *rows;
	size_t count, cap;
	uint64_t code; /* what the rows' addresses count from */
	struct buf names;
};

struct jit_lines *jit_lines_open(const struct jitdump *d)
{
	struct jit_lines *l = xcalloc(1, sizeof(*l));

	l->dump = d;
	l->function = d->function_count;
	if (window_open(&l->w, d->reach, d->path) == 0)
		return l;
	free(l);
	return NULL;
}

void jit_lines_close(struct jit_lines *l)
{
	if (!l)
		return;
	window_close(&l->w);
	buf_release(&l->names);
	free(l->rows);
	free(l);
}

/* One entry at *AT, which moves behind it. */
static bool read_entry(struct jit_lines *l, uint64_t *at, uint64_t end, struct row *out)
{
	size_t room =
		end - *at < ENTRY_SIZE + PATH_SIZE ? (size_t)(end - *at) : ENTRY_SIZE + PATH_SIZE;
	const uint8_t *p = window_at(&l->w, *at, room);
	struct cursor c = cursor_make(p, p ? room : 0, l->dump->swap);
	const char *file;
	size_t len;

	out->addr = cursor_u64(&c);
	out->line = cursor_u32(&c);
	cursor_skip(&c, 4);
	if (c.bad)
		return false;
	file = (const char *)c.pos;
	len = strnlen(file, cursor_left(&c));
	if (len == cursor_left(&c))
		return false;
	*at += ENTRY_SIZE + len + 1;
	if (len == 1 && (uint8_t)file[0] == 0xff)
		return l->count > 0; /* the file before, which is set already */
	out->file = l->names.len;
	buf_add(&l->names, file, len + 1);
	return true;
}

static int by_addr(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void read_rows(struct jit_lines *l, uint64_t at)
{
	const uint8_t *p = window_at(&l->w, at, DEBUG_SIZE);
	struct cursor c = cursor_make(p, p ? DEBUG_SIZE : 0, l->dump->swap);
	struct row row = { 0 };
	uint64_t end, entries;

	cursor_skip(&c, 4);
	end = at + cursor_u32(&c);
	cursor_skip(&c, 8);
	l->code = cursor_u64(&c) + l->dump->debug_shift;
	entries = cursor_u64(&c);
	at += DEBUG_SIZE;
	if (c.bad || end > l->w.size)
		return;
	for (; entries && at < end && l->count < ROWS_MAX; entries--) {
		if (!read_entry(l, &at, end, &row))
			break;
		row.order = (uint32_t)l->count;
		l->rows = xgrow(l->rows, &l->cap, l->count + 1, sizeof(*l->rows));
		l->rows[l->count++] = row;
	}
	if (l->count)
		qsort(l->rows, l->count, sizeof(*l->rows), by_addr);
}

/* The last row at or before ADDR, or NULL. */
static const struct row *row_at(const struct jit_lines *l, uint64_t addr)
{
	size_t lo = 0, hi = l->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->rows[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &l->rows[lo - 1] : NULL;
}

bool jit_lines_find(struct jit_lines *l, uint64_t offset, const char **file, uint32_t *line)
{
	const struct jitdump *d = l->dump;
	size_t i = jitdump_function_at(d, offset);
	const struct row *row;

	if (i == d->function_count || !d->functions[i].debug)
		return false;
	if (i != l->function) {
		l->function = i;
		l->count = l->names.len = 0;
		read_rows(l, d->functions[i].debug);
	}
	row = row_at(l, l->code + (offset - d->functions[i].offset));
	if (!row)
		return false;
	*file = l->names.data + row->file;
	*line = row->line;
	return true;
}
