/* String interning over an arena and an open-addressing table of ids. */
#include "parser/base/intern.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void intern_init(struct intern *t)
{
	memset(t, 0, sizeof(*t));
	arena_init(&t->text);
}

void intern_release(struct intern *t)
{
	free(t->list);
	free(t->table);
	arena_release(&t->text);
	memset(t, 0, sizeof(*t));
}

static uint64_t slot_value(uint32_t hash, size_t id)
{
	return (uint64_t)hash << 32 | (uint32_t)(id + 1);
}

/* From one table to the next without a look at the list: places of the one follow those of the
 * other. */
static void grow(struct intern *t)
{
	uint64_t *old = t->table;
	size_t n = t->slots;

	t->slots = n ? n * 2 : 128;
	t->table = xcalloc(t->slots, sizeof(*t->table));
	for (size_t k = 0; k < n; k++) {
		size_t i = (old[k] >> 32) & (t->slots - 1);

		while (old[k] && t->table[i])
			i = (i + 1) & (t->slots - 1);
		if (old[k])
			t->table[i] = old[k];
	}
	free(old);
}

/* The slot of S, or the free one where it would be; there must be one. */
static size_t slot_of(const struct intern *t, const char *s, size_t len, uint32_t hash)
{
	size_t i;

	for (i = hash & (t->slots - 1); t->table[i]; i = (i + 1) & (t->slots - 1)) {
		const struct interned *e;

		if (t->table[i] >> 32 != hash)
			continue;
		e = &t->list[(uint32_t)t->table[i] - 1];
		if (e->len == len && !memcmp(e->s, s, len))
			break;
	}
	return i;
}

uint32_t intern_find(const struct intern *t, const char *s, size_t len)
{
	size_t i = t->slots ? slot_of(t, s, len, (uint32_t)hash_bytes(s, len)) : 0;

	return t->slots && t->table[i] ? (uint32_t)t->table[i] - 1 : INTERN_NONE;
}

uint32_t intern_add(struct intern *t, const char *s, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(s, len);
	size_t i;

	if ((t->count + 1) * 4 > t->slots * 3)
		grow(t);
	i = slot_of(t, s, len, hash);
	if (t->table[i])
		return (uint32_t)t->table[i] - 1;
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count] = (struct interned){ arena_strndup(&t->text, s, len), (uint32_t)len };
	t->table[i] = slot_value(hash, t->count);
	t->bytes += len;
	return (uint32_t)t->count++;
}
