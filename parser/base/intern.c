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

static void grow(struct intern *t)
{
	free(t->table);
	t->slots = t->slots ? t->slots * 2 : 256;
	t->table = xcalloc(t->slots, sizeof(*t->table));
	for (size_t id = 0; id < t->count; id++) {
		size_t i = t->list[id].hash & (t->slots - 1);

		while (t->table[i])
			i = (i + 1) & (t->slots - 1);
		t->table[i] = (uint32_t)id + 1;
	}
}

/* The slot of S, or the free one where it would be; there must be one. */
static size_t slot_of(const struct intern *t, const char *s, size_t len, uint32_t hash)
{
	size_t i;

	for (i = hash & (t->slots - 1); t->table[i]; i = (i + 1) & (t->slots - 1)) {
		const struct interned *e = &t->list[t->table[i] - 1];

		if (e->hash == hash && e->len == len && !memcmp(e->s, s, len))
			break;
	}
	return i;
}

uint32_t intern_find(const struct intern *t, const char *s, size_t len)
{
	size_t i = t->slots ? slot_of(t, s, len, (uint32_t)hash_bytes(s, len)) : 0;

	return t->slots && t->table[i] ? t->table[i] - 1 : INTERN_NONE;
}

uint32_t intern_add(struct intern *t, const char *s, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(s, len);
	size_t i;

	if ((t->count + 1) * 2 > t->slots)
		grow(t);
	i = slot_of(t, s, len, hash);
	if (t->table[i])
		return t->table[i] - 1;
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count] =
		(struct interned){ arena_strndup(&t->text, s, len), (uint32_t)len, hash };
	t->table[i] = (uint32_t)++t->count;
	return (uint32_t)t->count - 1;
}
