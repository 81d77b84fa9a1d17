/* u64 -> u32 map, open addressing. No deletion: ids only grow. */
#ifndef PDTOOL_BASE_IDMAP_H
#define PDTOOL_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap {
	uint64_t *keys;
	uint32_t *values; /* IDMAP_NONE marks a free slot */
	size_t slots;	  /* power of two */
	size_t used;
};

void idmap_release(struct idmap *m);
static inline size_t idmap_bytes(const struct idmap *m)
{
	return m->slots * (sizeof(*m->keys) + sizeof(*m->values));
}
/* The value of KEY, or IDMAP_NONE. */
uint32_t idmap_get(const struct idmap *m, uint64_t key);
/* Where KEY's value is kept; a new key starts as IDMAP_NONE and must be given a value before the
 * next call. Valid until the next idmap_put(). */
uint32_t *idmap_put(struct idmap *m, uint64_t key);

#endif
