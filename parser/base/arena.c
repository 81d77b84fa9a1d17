/* Bump allocator over malloc'd blocks; blocks grow with what was already taken, up to 1 MiB. */
#include "parser/base/arena.h"
#include "parser/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_MIN 4096
#define BLOCK_MAX (1u << 20)

struct arena_block {
	struct arena_block *next;
	size_t size;
	char data[];
};

void arena_init(struct arena *a)
{
	memset(a, 0, sizeof(*a));
}

void arena_release(struct arena *a)
{
	struct arena_block *b = a->blocks;

	while (b) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
	arena_init(a);
}

static void arena_refill(struct arena *a, size_t need)
{
	size_t size = a->blocks ? a->blocks->size * 2 : BLOCK_MIN;
	struct arena_block *b;

	if (size > BLOCK_MAX)
		size = BLOCK_MAX;
	if (size < need)
		size = need;
	b = xmalloc(sizeof(*b) + size);
	b->next = a->blocks;
	b->size = size;
	a->blocks = b;
	a->pos = b->data;
	a->end = b->data + size;
}

char *arena_bytes(struct arena *a, size_t size)
{
	char *p;

	if ((size_t)(a->end - a->pos) < size)
		arena_refill(a, size);
	p = a->pos;
	a->pos += size;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t pad = -(uintptr_t)a->pos & 7;

	if ((size_t)(a->end - a->pos) < size + pad) {
		arena_refill(a, size + 8);
		pad = -(uintptr_t)a->pos & 7;
	}
	a->pos += pad;
	return arena_bytes(a, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_bytes(a, len + 1);

	if (len)
		memcpy(p, s, len);
	p[len] = '\0';
	return p;
}
