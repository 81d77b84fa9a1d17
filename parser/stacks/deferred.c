/* Which stacks wait for which cookie. */
#include "parser/stacks/deferred.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void deferred_release(struct deferred *d)
{
	free(d->list);
	idmap_release(&d->first);
}

static uint64_t key_of(uint32_t pid, uint64_t cookie)
{
	return hash_fold(cookie ^ HASH_K0, pid ^ HASH_K1);
}

void deferred_wait(struct deferred *d, uint32_t pid, uint64_t cookie, uint32_t stack)
{
	uint32_t *first = idmap_put(&d->first, key_of(pid, cookie));

	d->list = xgrow(d->list, &d->cap, d->count + 1, sizeof(*d->list));
	if (*first == IDMAP_NONE)
		*first = DEFERRED_NONE;
	d->list[d->count] = (struct deferred_stack){ cookie, pid, stack, *first };
	*first = (uint32_t)d->count++;
	d->waiting++;
}

uint32_t deferred_take(struct deferred *d, uint32_t pid, uint64_t cookie)
{
	uint64_t key = key_of(pid, cookie);
	uint32_t at = idmap_get(&d->first, key);
	const struct deferred_stack *e = at < d->count ? &d->list[at] : NULL;

	if (!e || e->pid != pid || e->cookie != cookie)
		return DEFERRED_NONE;
	*idmap_put(&d->first, key) = e->next;
	d->waiting--;
	return e->stack;
}
