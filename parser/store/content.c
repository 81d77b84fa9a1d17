/* Hashes of what a capture holds, by xxHash (XXH3, 128 bits). */
#include "parser/store/content.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <endian.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static struct content_id id_of(XXH128_hash_t hash)
{
	XXH128_canonical_t canonical;
	struct content_id out;

	XXH128_canonicalFromHash(&canonical, hash);
	memcpy(out.bytes, canonical.digest, sizeof(out.bytes));
	return out;
}

/* Of a length that the compiler knows, when it sees all of it. */
__attribute__((flatten)) void store_hash_add(struct store_hash *h,
					     const uint64_t numbers[STORE_HASHED])
{
	uint64_t little[STORE_HASHED];
	XXH128_hash_t one;

	for (size_t i = 0; i < STORE_HASHED; i++)
		little[i] = htole64(numbers[i]);
	one = XXH3_128bits(little, sizeof(little));
	h->sum += (unsigned __int128)one.high64 << 64 | one.low64;
}

struct content_id content_of_capture(const struct store_hash *h)
{
	return id_of((XXH128_hash_t){ (uint64_t)h->sum, (uint64_t)(h->sum >> 64) });
}

/* A NUL is between the name and the module. */
struct content_id *content_of_frames(const struct store_capture *c)
{
	struct content_id *out = xcalloc(c->frame_count + 1, sizeof(*out));
	struct buf text = { 0 };

	for (size_t i = 0; i < c->frame_count; i++) {
		text.len = 0;
		buf_add(&text, c->frames[i].name, strlen(c->frames[i].name) + 1);
		buf_str(&text, c->frames[i].module);
		out[i] = id_of(XXH3_128bits(text.data, text.len));
	}
	buf_release(&text);
	return out;
}

struct content_id *content_of_stacks(const struct store_capture *c, const struct content_id *frames)
{
	struct content_id *out = xcalloc(c->stack_count + 1, sizeof(*out));
	struct buf text = { 0 };

	for (size_t i = 0; i < c->stack_count; i++) {
		const struct store_stack *s = &c->stacks[i];

		text.len = 0;
		for (uint32_t k = 0; k < s->count; k++)
			buf_add(&text, &frames[c->frame_ids[s->first + k]], sizeof(*frames));
		out[i] = id_of(XXH3_128bits(text.data, text.len));
	}
	buf_release(&text);
	return out;
}
