/* Reading a jitdump from one end to the other, without the bytes of the code. No size in it is
 * believed; what is kept of a record is smaller than the record. */
#include "parser/names/jit/jitdump.h"
#include "parser/base/cursor.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"
#include "parser/names/elf/filewindow.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC	      0x4a695444u
#define HEADER_SIZE   40
#define HEAD_SIZE     16
#define LOAD_SIZE     56 /* without the name */
#define MOVE_SIZE     64
#define DEBUG_SIZE    32
#define ENTRY_SIZE    16
#define NAME_MAX_SIZE 65536
#define FLAG_CYCLES   1
#define RANGES_MAX    (1u << 21)

/* Some compilers (V8) count addresses in DEBUG_INFO as if an ELF header stood before the code. Then
 * no function begins nearer than that; the addresses of others begin with those of their code. */
#define ELF_HEADER_SIZE 0x40

enum { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_UNWINDING_INFO = 4 };

struct loader {
	struct jitdump *dump;
	struct window w;
	struct idmap by_index;	/* index of the code -> function */
	struct idmap debug;	/* address -> number of its DEBUG_INFO */
	uint64_t *debug_places; /* by that number; 0: its LOAD has come */
	size_t debug_count, debug_cap;
	uint64_t least_shift; /* of the first entries */
	uint64_t unwinding;   /* where the UNWINDING_INFO of the next LOAD is; 0: it has none */
};

struct head {
	uint64_t at; /* offset of the record */
	uint32_t type, size;
	uint64_t time;
};

/* ---- the header ---- */

static int read_header(struct jitdump *d, struct window *w)
{
	const uint8_t *p = window_at(w, 0, HEADER_SIZE);
	struct cursor c = cursor_make(p, p ? HEADER_SIZE : 0, false);
	uint32_t magic = cursor_u32(&c), version;

	d->swap = c.swap = magic == __builtin_bswap32(MAGIC);
	version = cursor_u32(&c);
	cursor_skip(&c, 4);
	d->machine = (uint16_t)cursor_u32(&c);
	cursor_skip(&c, 4);
	d->pid = cursor_u32(&c);
	cursor_skip(&c, 8);
	d->cycles = cursor_u64(&c) & FLAG_CYCLES;
	return c.bad || (magic != MAGIC && !c.swap) || version != 1 ? ERR_FORMAT : 0;
}

int jitdump_open(struct jitdump **out, struct reach *r, const char *path)
{
	struct jitdump *d = xcalloc(1, sizeof(*d));
	struct window w;
	int rc = window_open(&w, r, path);

	arena_init(&d->names);
	d->path = xstrdup(path);
	d->reach = r;
	if (rc == 0) {
		rc = read_header(d, &w);
		window_close(&w);
	}
	if (rc < 0) {
		jitdump_free(d);
		d = NULL;
	}
	*out = d;
	return rc;
}

void jitdump_free(struct jitdump *d)
{
	if (!d)
		return;
	free(d->functions);
	free(d->ranges);
	arena_release(&d->names);
	free(d->path);
	free(d);
}

size_t jitdump_function_at(const struct jitdump *d, uint64_t offset)
{
	size_t lo = 0, hi = d->function_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->functions[mid].offset <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || offset - d->functions[lo - 1].offset >= d->functions[lo - 1].size)
		return d->function_count;
	return lo - 1;
}

/* ---- records ---- */

/* The first SIZE bytes of the record. */
static struct cursor body(struct loader *l, const struct head *h, size_t size)
{
	const uint8_t *p = h->size < size ? NULL : window_at(&l->w, h->at, size);
	struct cursor c = cursor_make(p, p ? size : 0, l->dump->swap);

	cursor_skip(&c, HEAD_SIZE);
	return c;
}

static void add_range(struct jitdump *d, uint64_t start, const struct jit_function *fn,
		      uint64_t time_ns)
{
	if (!fn->size || start > UINT64_MAX - fn->size)
		return;
	d->ranges = xgrow(d->ranges, &d->range_cap, d->range_count + 1, sizeof(*d->ranges));
	d->ranges[d->range_count++] =
		(struct code_range){ start, start + fn->size, fn->offset, time_ns };
}

/* The DEBUG_INFO that came for ADDR, taken. */
static uint64_t take_debug(struct loader *l, uint64_t addr)
{
	uint32_t i = idmap_get(&l->debug, addr);
	uint64_t place = i == IDMAP_NONE ? 0 : l->debug_places[i];

	if (place)
		l->debug_places[i] = 0;
	return place;
}

static void take_load(struct loader *l, const struct head *h)
{
	struct jitdump *d = l->dump;
	struct cursor c = body(l, h, LOAD_SIZE);
	struct jit_function fn = { .unwinding = l->unwinding };
	uint64_t addr, index, room;
	const char *name;
	size_t len;

	l->unwinding = 0;
	cursor_skip(&c, 16);
	addr = cursor_u64(&c);
	fn.size = cursor_u64(&c);
	index = cursor_u64(&c);
	if (c.bad || !fn.size || fn.size > h->size - LOAD_SIZE)
		return;
	room = h->size - LOAD_SIZE - fn.size;
	if (room > NAME_MAX_SIZE)
		room = NAME_MAX_SIZE;
	name = (const char *)window_at(&l->w, h->at + LOAD_SIZE, room);
	len = name ? strnlen(name, room) : 0;
	if (!len)
		return;
	/* the code is the last thing in the record */
	fn.offset = h->at + h->size - fn.size;
	fn.name = arena_strndup(&d->names, name, len);
	fn.debug = take_debug(l, addr);
	d->functions =
		xgrow(d->functions, &d->function_cap, d->function_count + 1, sizeof(*d->functions));
	d->functions[d->function_count] = fn;
	*idmap_put(&l->by_index, index) = (uint32_t)d->function_count++;
	add_range(d, addr, &fn, h->time);
}

static void take_move(struct loader *l, const struct head *h)
{
	struct cursor c = body(l, h, MOVE_SIZE);
	uint64_t addr, index;
	uint32_t fn;

	cursor_skip(&c, 24);
	addr = cursor_u64(&c);
	cursor_skip(&c, 8);
	index = cursor_u64(&c);
	fn = c.bad ? IDMAP_NONE : idmap_get(&l->by_index, index);
	if (fn != IDMAP_NONE)
		add_range(l->dump, addr, &l->dump->functions[fn], h->time);
}

static void take_debug_info(struct loader *l, const struct head *h)
{
	struct cursor c = body(l, h, DEBUG_SIZE + ENTRY_SIZE);
	uint64_t addr = cursor_u64(&c), entries = cursor_u64(&c), first = cursor_u64(&c);
	uint64_t shift = first < addr ? 0 : first - addr;
	uint32_t *slot;

	if (c.bad || !entries)
		return;
	if (shift < l->least_shift)
		l->least_shift = shift;
	slot = idmap_put(&l->debug, addr);
	if (*slot == IDMAP_NONE) {
		*slot = (uint32_t)l->debug_count;
		l->debug_places = xgrow(l->debug_places, &l->debug_cap, l->debug_count + 1,
					sizeof(*l->debug_places));
		l->debug_count++;
	}
	l->debug_places[*slot] = h->at;
}

static bool read_head(struct loader *l, struct head *h)
{
	const uint8_t *p = window_at(&l->w, h->at, HEAD_SIZE);
	struct cursor c = cursor_make(p, p ? HEAD_SIZE : 0, l->dump->swap);

	h->type = cursor_u32(&c);
	h->size = cursor_u32(&c);
	h->time = cursor_u64(&c);
	return !c.bad && h->size >= HEAD_SIZE && h->size <= l->w.size - h->at;
}

static void read_records(struct loader *l, uint64_t from)
{
	struct head h = { .at = from };

	for (; h.at < l->w.size; h.at += h.size) {
		if (l->dump->range_count >= RANGES_MAX || !read_head(l, &h)) {
			l->dump->damaged = h.at;
			return;
		}
		if (h.type == CODE_LOAD)
			take_load(l, &h);
		else if (h.type == CODE_MOVE)
			take_move(l, &h);
		else if (h.type == CODE_DEBUG_INFO)
			take_debug_info(l, &h);
		else if (h.type == CODE_UNWINDING_INFO)
			l->unwinding = h.at;
	}
}

/* Threads write as they come. At equal times the order is that of the file. */
static int by_time(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->pgoff != y->pgoff)
		return x->pgoff < y->pgoff ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

int jitdump_load(struct jitdump *d)
{
	struct loader l = { .dump = d, .least_shift = UINT64_MAX };
	const uint8_t *p;
	struct cursor c;
	uint32_t size;
	int rc = window_open(&l.w, d->reach, d->path);

	if (rc < 0)
		return rc;
	p = window_at(&l.w, 8, 4);
	c = cursor_make(p, p ? 4 : 0, d->swap);
	size = cursor_u32(&c);
	read_records(&l, size < HEADER_SIZE ? HEADER_SIZE : size);
	if (d->range_count)
		qsort(d->ranges, d->range_count, sizeof(*d->ranges), by_time);
	if (l.least_shift == ELF_HEADER_SIZE)
		d->debug_shift = ELF_HEADER_SIZE;
	window_close(&l.w);
	idmap_release(&l.by_index);
	idmap_release(&l.debug);
	free(l.debug_places);
	return 0;
}
