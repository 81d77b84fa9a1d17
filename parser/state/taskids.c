/* Open addressing, at most half full. */
#include "parser/state/taskids.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <string.h>

void taskids_release(struct taskids *t)
{
	big_free(t->table, t->slots * sizeof(*t->table));
	memset(t, 0, sizeof(*t));
}

static uint32_t id_at(struct tasklist of, uint32_t place)
{
	uint32_t id;

	memcpy(&id, (const char *)of.list + place * of.size, sizeof(id));
	return id;
}

/* Where ID is, or would be. */
static size_t slot_of(const struct taskids *t, struct tasklist of, uint32_t id)
{
	size_t i = hash_u64(id) & (t->slots - 1);

	while (t->table[i] && id_at(of, t->table[i] - 1) != id)
		i = (i + 1) & (t->slots - 1);
	return i;
}

static void grow(struct taskids *t, struct tasklist of)
{
	struct taskids old = *t;

	t->slots = old.slots ? old.slots * 2 : 64;
	t->table = big_alloc(t->slots * sizeof(*t->table));
	for (size_t i = 0; i < old.slots; i++) {
		if (old.table[i])
			t->table[slot_of(t, of, id_at(of, old.table[i] - 1))] = old.table[i];
	}
	taskids_release(&old);
}

uint32_t taskids_get(const struct taskids *t, struct tasklist of, uint32_t id)
{
	return t->slots ? t->table[slot_of(t, of, id)] - 1 : TASKIDS_NONE;
}

void taskids_put(struct taskids *t, struct tasklist of, uint32_t place)
{
	size_t slot;

	if ((t->used + 1) * 2 > t->slots)
		grow(t, of);
	slot = slot_of(t, of, id_at(of, place));
	t->used += !t->table[slot];
	t->table[slot] = place + 1;
}
