/* Open-addressing hash map from u64 to u32, at most half full. */
#include "parser/base/idmap.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void idmap_release(struct idmap *m)
{
	free(m->keys);
	free(m->values);
	memset(m, 0, sizeof(*m));
}

static size_t slot_of(const struct idmap *m, uint64_t key)
{
	size_t i = hash_u64(key) & (m->slots - 1);

	while (m->values[i] != IDMAP_NONE && m->keys[i] != key)
		i = (i + 1) & (m->slots - 1);
	return i;
}

static void grow(struct idmap *m)
{
	struct idmap old = *m;

	m->slots = old.slots ? old.slots * 2 : 64;
	m->keys = xmalloc(m->slots * sizeof(*m->keys));
	m->values = xmalloc(m->slots * sizeof(*m->values));
	memset(m->values, 0xff, m->slots * sizeof(*m->values));
	for (size_t i = 0; i < old.slots; i++) {
		size_t to;

		if (old.values[i] == IDMAP_NONE)
			continue;
		to = slot_of(m, old.keys[i]);
		m->keys[to] = old.keys[i];
		m->values[to] = old.values[i];
	}
	free(old.keys);
	free(old.values);
}

uint32_t idmap_get(const struct idmap *m, uint64_t key)
{
	return m->slots ? m->values[slot_of(m, key)] : IDMAP_NONE;
}

uint32_t *idmap_put(struct idmap *m, uint64_t key)
{
	size_t i;

	if ((m->used + 1) * 2 > m->slots)
		grow(m);
	i = slot_of(m, key);
	if (m->values[i] == IDMAP_NONE) {
		m->used++;
		m->keys[i] = key;
	}
	return &m->values[i];
}
