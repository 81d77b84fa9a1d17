/* Open-addressing hash map from u64 to u32, at most half full. */
#include "parser/base/idmap.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void idmap_release(struct idmap *m)
{
	big_free(m->table, idmap_bytes(m));
	memset(m, 0, sizeof(*m));
}

static size_t slot_of(const struct idmap *m, uint64_t key)
{
	const uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);
	size_t i = hash_u64(key) & (m->slots - 1);

	while (m->table[i].value != IDMAP_NONE &&
	       (m->table[i].key[0] != low || m->table[i].key[1] != high))
		i = (i + 1) & (m->slots - 1);
	return i;
}

static void grow(struct idmap *m)
{
	struct idmap old = *m;

	m->slots = old.slots ? old.slots * 2 : 64;
	m->table = big_alloc(idmap_bytes(m));
	memset(m->table, 0xff, idmap_bytes(m));
	for (size_t i = 0; i < old.slots; i++) {
		const struct idmap_slot *s = &old.table[i];

		if (s->value != IDMAP_NONE)
			m->table[slot_of(m, idmap_key(s))] = *s;
	}
	big_free(old.table, idmap_bytes(&old));
}

uint32_t idmap_get(const struct idmap *m, uint64_t key)
{
	return m->slots ? m->table[slot_of(m, key)].value : IDMAP_NONE;
}

uint32_t *idmap_put(struct idmap *m, uint64_t key)
{
	struct idmap_slot *s;

	if ((m->used + 1) * 2 > m->slots)
		grow(m);
	s = &m->table[slot_of(m, key)];
	if (s->value == IDMAP_NONE) {
		m->used++;
		s->key[0] = (uint32_t)key;
		s->key[1] = (uint32_t)(key >> 32);
	}
	return &s->value;
}
