/* u64 -> u32 map, open addressing. No deletion: ids only grow. */
#ifndef PDTOOL_BASE_IDMAP_H
#define PDTOOL_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

/* Side by side, so that a probe is one miss of the cache; without room between them. */
struct idmap_slot {
	uint32_t key[2]; /* its halves, the lower one first */
	uint32_t value;	 /* IDMAP_NONE marks a free slot */
};

struct idmap {
	struct idmap_slot *table;
	size_t slots; /* power of two */
	size_t used;
};

static inline uint64_t idmap_key(const struct idmap_slot *s)
{
	return (uint64_t)s->key[1] << 32 | s->key[0];
}

void idmap_release(struct idmap *m);
static inline size_t idmap_bytes(const struct idmap *m)
{
	return m->slots * sizeof(*m->table);
}
/* The value of KEY, or IDMAP_NONE. */
uint32_t idmap_get(const struct idmap *m, uint64_t key);
/* Where KEY's value is kept; a new key starts as IDMAP_NONE and must be given a value before the
 * next call. Valid until the next idmap_put(). */
uint32_t *idmap_put(struct idmap *m, uint64_t key);

#endif
