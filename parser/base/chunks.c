/* Takes a chunk when the current one is full, and keeps empty ones for later. A chunk counts
 * its pieces and knows nothing else of them. */
#include "parser/base/chunks.h"
#include "parser/base/mem.h"

#include <stdlib.h>

/* Go on in a chunk that is empty. */
void chunks_next(struct chunks *c)
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
	c->current = k;
	c->in_use++;
}

/* Its last piece was given back. */
void chunks_put_back(struct chunks *c, struct chunk *k)
{
	if (k == c->current) {
		k->used = sizeof(*k);
		return;
	}
	c->in_use--;
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
