/* Keys of rows: packed under ids, and read. */
#include "analyzers/count/rows/row_keys.h"

#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* How many subtotals are above a row that is none. */
unsigned row_levels(const struct rows *t)
{
	if (t->o.hierarchy)
		return t->o.key_count ? (unsigned)t->o.key_count - 1 : 0;
	return t->o.grouped ? 1 : 0;
}

/* The I-th, the outermost first. */
struct row_level row_level(const struct rows *t, unsigned i)
{
	struct row_level l = { t->key_bits, i, i < row_levels(t) };

	if (!l.subtotal)
		return l;
	l.keys = 0;
	for (unsigned k = 0; k <= i; k++)
		l.keys |= KEY_BIT(t->o.keys[k]);
	return l;
}

/* ---- rows by the ids of their keys ---- */

/* Where the row is, or would be; there must be a free slot. */
static size_t pair_slot(const struct rows *t, uint32_t base, uint32_t frame)
{
	size_t i = hash_u64((uint64_t)base << 32 | frame) & (t->pair_slots - 1);

	for (; t->pairs[i]; i = (i + 1) & (t->pair_slots - 1)) {
		const struct row *r = &t->rows[t->pairs[i] - 1];

		if (r->base == base && r->frame == frame)
			break;
	}
	return i;
}

uint32_t row_find(const struct rows *t, uint32_t base, uint32_t frame)
{
	return t->pair_slots ? t->pairs[pair_slot(t, base, frame)] - 1 : ROW_NONE;
}

static void enter(struct rows *t, size_t row)
{
	t->pairs[pair_slot(t, t->rows[row].base, t->rows[row].frame)] = (uint32_t)row + 1;
}

void row_enter(struct rows *t)
{
	if (t->row_count * 2 <= t->pair_slots) {
		enter(t, t->row_count - 1);
		return;
	}
	free(t->pairs);
	t->pair_slots = t->pair_slots ? t->pair_slots * 2 : 64;
	t->pairs = xcalloc(t->pair_slots, sizeof(*t->pairs));
	for (size_t i = 0; i < t->row_count; i++)
		enter(t, i);
}

/* ---- keys ---- */

uint64_t row_text_id(struct rows *t, const char *text)
{
	return intern_add(&t->texts, text, strlen(text));
}

uint32_t row_frame_id(struct rows *t, const struct row_level *l, const struct row_place *key)
{
	struct row_place f;
	uint32_t id;

	for (unsigned k = KEY_DSO; k < ROW_KEYS; k++)
		f.key[k - KEY_DSO] = l->keys & KEY_BIT(k) ? key->key[k - KEY_DSO] : KEY_NONE;
	id = intern_add(&t->frames, (const char *)&f, sizeof(f));

	t->seen = xgrow(t->seen, &t->seen_cap, t->frames.count, sizeof(*t->seen));
	if (id + 1 == t->frames.count)
		t->seen[id] = 0;
	return id;
}

uint32_t row_symbol_frame(struct rows *t, const struct row_level *l, uint64_t sym)
{
	struct row_place f = { { KEY_NONE, sym, KEY_NONE, KEY_NONE } };

	return row_frame_id(t, l, &f);
}

uint32_t row_more_id(struct rows *t, const uint64_t *more)
{
	return intern_add(&t->mores, (const char *)more, MORE_KEYS * sizeof(*more));
}

static uint64_t more_key(const struct rows *t, uint64_t more, unsigned i)
{
	uint64_t keys[MORE_KEYS];

	if (more == KEY_NONE)
		return KEY_NONE;
	memcpy(keys, intern_str(&t->mores, (uint32_t)more), sizeof(keys));
	return keys[i];
}

/* Of the keys MORE, those that level L has. */
static uint64_t more_of(struct rows *t, const struct row_level *l, uint64_t more)
{
	uint64_t keys[MORE_KEYS];

	if (!(l->keys >> ROW_KEYS) || more == KEY_NONE)
		return KEY_NONE;
	for (unsigned i = 0; i < MORE_KEYS; i++)
		keys[i] = l->keys & KEY_BIT(ROW_KEYS + i) ? more_key(t, more, i) : KEY_NONE;
	return row_more_id(t, keys);
}

static uint64_t base_keys(const struct row_level *l)
{
	return (l->keys | KEY_BIT(KEY_EVENT)) & (KEY_BIT(KEY_DSO) - 1);
}

uint32_t row_base_id(struct rows *t, const struct row_level *l, const uint64_t *key, uint64_t more)
{
	struct row_base b = { .more = (uint32_t)more_of(t, l, more), .level = l->number };
	char bytes[sizeof(b) + KEY_DSO * sizeof(*key)];
	size_t len = sizeof(b);

	memcpy(bytes, &b, sizeof(b));
	for (unsigned k = 0; k < KEY_DSO; k++) {
		if (!(base_keys(l) & KEY_BIT(k)))
			continue;
		memcpy(bytes + len, &key[k], sizeof(*key));
		len += sizeof(*key);
	}
	return intern_add(&t->bases, bytes, len);
}

uint64_t row_more(const struct rows *t, const struct row *r)
{
	struct row_base b;

	memcpy(&b, intern_str(&t->bases, r->base), sizeof(b));
	return b.more == UINT32_MAX ? KEY_NONE : b.more;
}

static uint64_t base_key(const struct rows *t, const struct row *r, unsigned key)
{
	struct row_level l = row_level(t, r->level);
	uint64_t keys = base_keys(&l), value;
	int before = __builtin_popcountll(keys & (KEY_BIT(key) - 1));

	if (!(keys & KEY_BIT(key)))
		return KEY_NONE;
	memcpy(&value,
	       intern_str(&t->bases, r->base) + sizeof(struct row_base) +
		       (size_t)before * sizeof(value),
	       sizeof(value));
	return value;
}

uint64_t row_key(const struct rows *t, const struct row *r, unsigned key)
{
	struct row_place f;

	if (key < KEY_DSO)
		return base_key(t, r, key);
	if (key >= ROW_KEYS)
		return more_key(t, row_more(t, r), key - ROW_KEYS);
	memcpy(&f, intern_str(&t->frames, r->frame), sizeof(f));
	return f.key[key - KEY_DSO];
}

bool row_key_is_text(const struct rows *t, unsigned key)
{
	if (key >= ROW_KEYS)
		return t->o.more_texts >> (key - ROW_KEYS) & 1;
	return key == KEY_COMM || key >= KEY_PARENT;
}
