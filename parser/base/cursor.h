/* The only way to touch file bytes: a bounded reader that swaps byte order.
 *
 * Reading past the end gives 0 and sets `bad`; a decoder reads all its fields and checks `bad`
 * once. Nothing here allocates; pointers returned are into the caller's bytes. */
#ifndef PDTOOL_BASE_CURSOR_H
#define PDTOOL_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *pos;
	const uint8_t *end;
	bool swap; /* the file's byte order is not this host's */
	bool bad;  /* something was read that is not there */
};

static inline struct cursor cursor_make(const void *p, size_t len, bool swap)
{
	return (struct cursor){ p, p ? (const uint8_t *)p + len : NULL, swap, false };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->pos);
}

/* The next LEN bytes, or NULL (and bad) when fewer remain. */
static inline const void *cursor_take(struct cursor *c, size_t len)
{
	const void *p = c->pos;

	if (cursor_left(c) < len) {
		c->bad = true;
		c->pos = c->end;
		return NULL;
	}
	c->pos = len ? c->pos + len : c->pos; /* which is NULL where there is nothing */
	return p;
}

static inline void cursor_skip(struct cursor *c, size_t len)
{
	(void)cursor_take(c, len);
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 1);

	return p ? *p : 0;
}

#define CURSOR_READ(bits, swapfn)                                     \
	static inline uint##bits##_t cursor_u##bits(struct cursor *c) \
	{                                                             \
		const void *p = cursor_take(c, bits / 8);             \
		uint##bits##_t v = 0;                                 \
                                                                      \
		if (p)                                                \
			memcpy(&v, p, sizeof(v));                     \
		return c->swap ? swapfn(v) : v;                       \
	}

CURSOR_READ(16, __builtin_bswap16)
CURSOR_READ(32, __builtin_bswap32)
CURSOR_READ(64, __builtin_bswap64)
#undef CURSOR_READ

/* A cursor over the next LEN bytes (all that is left, and bad, when fewer remain). */
static inline struct cursor cursor_sub(struct cursor *c, size_t len)
{
	size_t n = cursor_left(c) < len ? cursor_left(c) : len;
	struct cursor sub = cursor_make(c->pos, n, c->swap);

	sub.bad = n < len;
	cursor_skip(c, len);
	return sub;
}

/* The NUL-terminated string in a field of LEN bytes; *OUT_LEN is its length without the NUL (the
 * whole field when there is no NUL). NULL when fewer than LEN bytes remain. */
static inline const char *cursor_str(struct cursor *c, size_t len, size_t *out_len)
{
	const char *p = cursor_take(c, len);

	*out_len = p ? strnlen(p, len) : 0;
	return p;
}

/* LEB128 (DWARF 5, 7.6); bits beyond 64 are dropped. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t b = cursor_u8(c);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
}

/* What put_step() put behind BEFORE. */
static inline uint64_t cursor_step(struct cursor *c, uint64_t before)
{
	uint64_t step = cursor_uleb(c);

	return before + (step >> 1 ^ -(step & 1));
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	if (shift < 64 && b & 0x40)
		v |= ~0ull << shift;
	return (int64_t)v;
}

#endif
