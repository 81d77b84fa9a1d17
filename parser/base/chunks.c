#include "parser/base/chunks.h"
#include "parser/base/mem.h"

#include <stdint.h>
#include <stdlib.h>

#define CHUNK_SIZE (2u << 20) /* also its alignment: a piece finds its chunk by its address */

struct chunk {
	struct chunk *next; /* in all */
	struct chunk *next_free;
	size_t used; /* bytes, with this header */
	size_t live; /* pieces */
};

static struct chunk *new_chunk(struct chunks *c)
{
	struct chunk *k = c->free;

	if (k) {
		c->free = k->next_free;
	} else {
		k = xaligned(CHUNK_SIZE);
		k->next = c->all;
		c->all = k;
	}
	k->used = sizeof(*k);
	k->live = 0;
	return k;
}

void *chunks_take(struct chunks *c, size_t size)
{
	void *p;

	size = (size + 7) & ~(size_t)7;
	if (!c->current || CHUNK_SIZE - c->current->used < size)
		c->current = new_chunk(c);
	p = (char *)c->current + c->current->used;
	c->current->used += size;
	c->current->live++;
	return p;
}

void chunks_give(struct chunks *c, void *piece)
{
	struct chunk *k = (struct chunk *)((uintptr_t)piece & ~(uintptr_t)(CHUNK_SIZE - 1));

	if (--k->live)
		return;
	if (k == c->current) {
		k->used = sizeof(*k);
		return;
	}
	k->next_free = c->free;
	c->free = k;
}

void chunks_release(struct chunks *c)
{
	while (c->all) {
		struct chunk *next = c->all->next;

		free(c->all);
		c->all = next;
	}
}
