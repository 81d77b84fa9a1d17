/* Allocation that never returns NULL. */
#include "parser/base/mem.h"
#include "parser/base/die.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define BIG_MIN	  (4u << 20)
#define GROW_HEAP (256u << 10) /* what grows further has a mapping */
#define GROW_STEP (256u << 10) /* in small pages, so many bytes of them at a time */
#define HUGE	  (2u << 20)
#define PAGE	  4096

/* Huge pages for what is big: its pages are touched one after the other, and each fault costs as
 * much as filling it. The advice covers whole mappings, or they could not grow in place any more.
 */
static void *advised(void *p, size_t size)
{
	uintptr_t start = (uintptr_t)p & ~(uintptr_t)(PAGE - 1), end;

	if (size < HUGE)
		return p;
	end = ((uintptr_t)p + malloc_usable_size(p) + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	(void)madvise((void *)start, end - start, MADV_HUGEPAGE);
	return p;
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_die(size);
	return advised(p, size);
}

void *xaligned(size_t size)
{
	void *p = aligned_alloc(size, size);

	if (!p)
		mem_die(size);
	return advised(p, size);
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		mem_die(count * size);
	return advised(p, count * size);
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		mem_die(size);
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

void *xgrow(void *p, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16;

	if (want <= *cap)
		return p;
	while (n < want)
		n += n / 2;
	if (n > SIZE_MAX / size)
		mem_die(SIZE_MAX);
	*cap = n;
	return advised(xrealloc(p, n * size), n * size);
}

void *xgrow_to(void *p, size_t *count, size_t *cap, size_t i, size_t size)
{
	char *list = p;

	if (i < *count)
		return p;
	list = xgrow(list, cap, i + 1, size);
	memset(list + *count * size, 0, (i + 1 - *count) * size);
	*count = i + 1;
	return list;
}

void mem_fill_soon(void *p, size_t size)
{
	uintptr_t start = (uintptr_t)p & ~(uintptr_t)(PAGE - 1);

	(void)madvise((void *)start, (uintptr_t)p + size - start, MADV_POPULATE_WRITE);
}

/* A mapping of whole huge pages is laid at a multiple of them (Linux 6.7). Advised before the first
 * byte is touched: where a small page lies no huge one comes any more. */
static size_t big_size(size_t size)
{
	return (size + HUGE - 1) & ~(size_t)(HUGE - 1);
}

static char *big_map(size_t size)
{
	char *p = mmap(NULL, big_size(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		mem_die(size);
	return p;
}

static void *big_map_from(size_t size, size_t small)
{
	char *p;

	if (size < BIG_MIN)
		return xcalloc(1, size);
	p = big_map(size);
	(void)madvise(p + small, big_size(size) - small, MADV_HUGEPAGE);
	return p;
}

void *big_alloc(size_t size)
{
	return big_map_from(size, 0);
}

void *big_alloc_part(size_t size)
{
	return big_map_from(size, HUGE);
}

void big_free(void *p, size_t size)
{
	if (p && size >= BIG_MIN)
		munmap(p, big_size(size));
	else
		free(p);
}

/* Of the mapping of what has grown to SIZE bytes; 0: it is in the heap. */
static size_t grown_size(size_t size)
{
	if (size <= GROW_HEAP)
		return 0;
	return size < BIG_MIN ? BIG_MIN : big_size(size);
}

/* The first pages are small, as most of them may stay empty: all of these are one mapping, as what
 * is not cannot move. */
static void *grown_move(void *old, size_t old_size, size_t have, size_t room)
{
	void *p;

	if (!have) {
		p = big_map(room);
		if (old)
			memcpy(p, old, old_size);
		free(old);
		return p;
	}
	p = mremap(old, have, room, MREMAP_MAYMOVE);
	if (p == MAP_FAILED)
		mem_die(room);
	(void)madvise(p, room, MADV_HUGEPAGE);
	return p;
}

void *big_grow(void *p, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16, old = *cap * size, have = grown_size(old), room;

	if (want <= *cap)
		return p;
	while (n < want)
		n += n / 2;
	if (n > (SIZE_MAX - HUGE) / size)
		mem_die(SIZE_MAX);
	if (n * size > GROW_HEAP && want * size <= BIG_MIN - GROW_STEP)
		n = (want * size + GROW_STEP) / GROW_STEP * GROW_STEP / size;
	*cap = n;
	room = grown_size(n * size);
	if (!room)
		return xrealloc(p, n * size);
	if (room != have)
		p = grown_move(p, old, have, room);
	if (old < BIG_MIN)
		mem_fill_soon((char *)p + old, (room == BIG_MIN ? n * size : BIG_MIN) - old);
	return p;
}

void big_grown_free(void *p, size_t size)
{
	size_t room = grown_size(size);

	if (room)
		munmap(p, room);
	else
		free(p);
}
