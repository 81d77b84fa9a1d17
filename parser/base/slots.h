/* A table of ids by the hash of what they stand for, which lies elsewhere. Each slot has half of
 * the hash beside the id: what is not there is not looked at, and the table grows by itself. */
#ifndef PDTOOL_BASE_SLOTS_H
#define PDTOOL_BASE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/mem.h"

/* All zero is empty. */
struct slots {
	uint64_t *table; /* the hash's high half, and the id + 1 below it; 0 is free */
	size_t count;	 /* a power of two */
	size_t used;
};

#define SLOTS_NONE UINT32_MAX

static inline void slots_release(struct slots *t)
{
	big_free(t->table, t->count * sizeof(*t->table));
	*t = (struct slots){ 0 };
}

static inline size_t slots_first(const struct slots *t, uint64_t hash)
{
	return hash >> 32 & (t->count - 1);
}

/* The next id from slot *AT on whose half is HASH's; SLOTS_NONE: there is none, and *AT is free.
 * Who finds it to be another one goes on behind *AT. */
static inline uint32_t slots_next(const struct slots *t, uint64_t hash, size_t *at)
{
	uint64_t slot;

	for (; (slot = t->table[*at]); *at = (*at + 1) & (t->count - 1)) {
		if (slot >> 32 == hash >> 32)
			return (uint32_t)slot - 1;
	}
	return SLOTS_NONE;
}

#define SLOTS_EACH(t, hash, at, id)                                                          \
	for ((at) = slots_first(t, hash); ((id) = slots_next(t, hash, &(at))) != SLOTS_NONE; \
	     (at) = ((at) + 1) & ((t)->count - 1))

/* Slot AT, which is free, is ID's. */
static inline void slots_set(struct slots *t, size_t at, uint64_t hash, uint32_t id)
{
	t->table[at] = hash >> 32 << 32 | (id + 1);
	t->used++;
}

static inline void slots_grow(struct slots *t)
{
	struct slots old = *t;

	t->count = old.count ? old.count * 2 : 256;
	t->table = big_alloc(t->count * sizeof(*t->table));
	for (size_t i = 0; i < old.count; i++) {
		size_t at = slots_first(t, old.table[i]);

		while (old.table[i] && t->table[at])
			at = (at + 1) & (t->count - 1);
		if (old.table[i])
			t->table[at] = old.table[i];
	}
	big_free(old.table, old.count * sizeof(*old.table));
}

/* Room for one more; before slots_first(). */
static inline void slots_reserve(struct slots *t)
{
	if ((t->used + 1) * 4 > t->count * 3)
		slots_grow(t);
}

#endif
