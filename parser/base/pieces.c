/* Cutting by content: a piece ends where a hash of its last two words has five zero bits, as rsync
 * and borg cut files. */
#include "parser/base/pieces.h"
#include "parser/base/die.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define PIECES_BLOCK_WORDS (256u << 10)
#define PIECE_MIN	   4
#define PIECE_MAX	   8
#define CUT_SHIFT	   62
#define SLOTS_MIN	   1024
#define TAG_MASK	   0xffffffff00000000ull
#define LEVEL_SHIFT	   16

/* A piece: how many words, and its level above (0: words of an array; else: ids of pieces), then
 * those. */
static uint32_t *piece_at(const struct pieces *p, uint32_t id)
{
	return &p->blocks[id / PIECES_BLOCK_WORDS][id % PIECES_BLOCK_WORDS];
}

void pieces_release(struct pieces *p)
{
	for (size_t i = 0; i < p->block_count; i++)
		big_free(p->blocks[i], PIECES_BLOCK_WORDS * sizeof(uint32_t));
	free(p->blocks);
	big_free(p->table, p->slots * sizeof(*p->table));
	free(p->list);
	memset(p, 0, sizeof(*p));
}

size_t pieces_bytes(const struct pieces *p)
{
	size_t words = p->block_count ? (p->block_count - 1) * PIECES_BLOCK_WORDS + p->used : 0;

	return words * sizeof(uint32_t) + p->slots * sizeof(*p->table);
}

static void grow(struct pieces *p)
{
	size_t old_slots = p->slots;
	uint64_t *old = p->table;

	p->slots = old_slots ? old_slots * 2 : SLOTS_MIN;
	p->table = big_alloc(p->slots * sizeof(*p->table));
	for (size_t i = 0; i < old_slots; i++) {
		size_t to = old[i] >> 32 & (p->slots - 1);

		if (!old[i])
			continue;
		while (p->table[to])
			to = (to + 1) & (p->slots - 1);
		p->table[to] = old[i];
	}
	big_free(old, old_slots * sizeof(*old));
}

/* How many of the COUNT words at WORDS make the next piece. */
static size_t piece_length(const unsigned char *words, size_t count)
{
	size_t max = count < PIECE_MAX ? count : PIECE_MAX, n = PIECE_MIN;

	for (; n < max; n++) { /* words n - 2 and n - 1 are its last */
		if (!(hash_load(words + (n - 2) * 4) * HASH_K0 >> CUT_SHIFT))
			return n;
	}
	return max;
}

static uint32_t store(struct pieces *p, uint32_t head, const void *words, size_t count)
{
	uint32_t *piece, id;

	if (!p->block_count || p->used + 1 + count > PIECES_BLOCK_WORDS) {
		if (p->block_count >= UINT32_MAX / PIECES_BLOCK_WORDS)
			mem_die(PIECES_BLOCK_WORDS * sizeof(uint32_t));
		p->blocks = xrealloc(p->blocks, (p->block_count + 1) * sizeof(*p->blocks));
		p->blocks[p->block_count] = big_alloc(PIECES_BLOCK_WORDS * sizeof(uint32_t));
		p->block_count++;
		p->used = 1;
	}
	id = (uint32_t)((p->block_count - 1) * PIECES_BLOCK_WORDS + p->used);
	piece = piece_at(p, id);
	piece[0] = head;
	memcpy(piece + 1, words, count * sizeof(*piece));
	p->used += 1 + count;
	return id;
}

static uint32_t intern(struct pieces *p, const void *words, size_t count, unsigned level)
{
	uint32_t head = (uint32_t)count | level << LEVEL_SHIFT, id;
	size_t bytes = count * sizeof(uint32_t), i;
	uint64_t hash = hash_bytes(words, bytes) + level, tag = hash & TAG_MASK;

	if ((p->count + 1) * 4 > p->slots * 3)
		grow(p);
	for (i = hash >> 32 & (p->slots - 1); p->table[i]; i = (i + 1) & (p->slots - 1)) {
		const uint32_t *piece = piece_at(p, (uint32_t)p->table[i]);

		if ((p->table[i] & TAG_MASK) == tag && piece[0] == head &&
		    !memcmp(piece + 1, words, bytes))
			return (uint32_t)p->table[i];
	}
	id = store(p, head, words, count);
	p->table[i] = tag | id;
	p->count++;
	return id;
}

uint32_t pieces_put(struct pieces *p, const void *words, size_t count)
{
	const unsigned char *at = words;
	unsigned level = 0;

	p->list = xgrow(p->list, &p->list_cap, count / PIECE_MIN + 1, sizeof(*p->list));
	do { /* a piece's id takes the place of words that were read */
		size_t n = 0, len;

		for (size_t i = 0; i < count; i += len, n++) {
			len = piece_length(at + i * 4, count - i);
			p->list[n] = intern(p, at + i * 4, len, level);
		}
		at = (const unsigned char *)p->list;
		count = n;
		level++;
	} while (count > 1);
	return p->list[0];
}

static uint32_t *copy(const struct pieces *p, uint32_t id, uint32_t *out)
{
	const uint32_t *piece = piece_at(p, id);
	size_t count = piece[0] & ((1u << LEVEL_SHIFT) - 1);

	if (piece[0] >> LEVEL_SHIFT) {
		for (size_t i = 1; i <= count; i++)
			out = copy(p, piece[i], out);
		return out;
	}
	memcpy(out, piece + 1, count * sizeof(*out));
	return out + count;
}

void pieces_get(const struct pieces *p, uint32_t id, void *out)
{
	(void)copy(p, id, out);
}

size_t pieces_match(const struct pieces *p, uint32_t id, const void *words, size_t count)
{
	const unsigned char *at = words;
	const uint32_t *piece = piece_at(p, id);
	size_t n = piece[0] & ((1u << LEVEL_SHIFT) - 1), done = 0;

	if (!(piece[0] >> LEVEL_SHIFT))
		return n <= count && !memcmp(piece + 1, at, n * sizeof(*piece)) ? n : 0;
	for (size_t i = 1; i <= n; i++) {
		size_t len = pieces_match(p, piece[i], at + done * 4, count - done);

		if (!len)
			return 0;
		done += len;
	}
	return done;
}
