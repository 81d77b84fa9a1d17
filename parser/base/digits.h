/* Numbers as text without printf(), which takes five times as long: for who writes many. */
#ifndef PDTOOL_BASE_DIGITS_H
#define PDTOOL_BASE_DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/buf.h"

#define DIGITS_MAX 20 /* of 64 bits in decimal */

/* The last two decimal digits of V. */
static inline void digit_pair(char *to, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930"
				    "31323334353637383940414243444546474849505152535455565758596061"
				    "62636465666768697071727374757677787980818283848586878889909192"
				    "93949596979899";

	memcpy(to, pairs + v % 100 * 2, 2);
}

/* The decimal digits of V end before END; how many. Two at a time: divisions are what takes long.
 */
static inline unsigned digits_before(char *end, uint64_t v)
{
	char *to = end;

	for (; v >= 100; v /= 100)
		digit_pair(to -= 2, v);
	if (v >= 10)
		digit_pair(to -= 2, v);
	else
		*--to = (char)('0' + v);
	return (unsigned)(end - to);
}

/* The same in hexadecimal. */
static inline unsigned hex_before(char *end, uint64_t v)
{
	char *to = end;

	do {
		*--to = "0123456789abcdef"[v & 15];
	} while (v >>= 4);
	return (unsigned)(end - to);
}

#define HEX_WIDE 16 /* columns */

/* The eight hexadecimal digits of V as they lie in memory, the first BLANKS of them blank. */
static inline uint64_t hex_eight(uint32_t v, unsigned blanks)
{
	uint64_t blank = blanks < 8 ? (UINT64_C(1) << 8 * blanks) - 1 : UINT64_MAX;
	uint64_t x = v, letters;

	x = (x | x << 16) & 0x0000ffff0000ffff; /* a nibble in each byte, the last in the first */
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
	letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	x = __builtin_bswap64(x + 0x3030303030303030 + letters * ('a' - '0' - 10));
	return htole64((x & ~blank) | (0x2020202020202020 & blank));
}

/* How many decimal digits V has. */
static inline unsigned digits_count(uint64_t v)
{
	static const uint64_t powers[] = { 0,
					   10,
					   100,
					   1000,
					   10000,
					   100000,
					   1000000,
					   10000000,
					   100000000,
					   1000000000,
					   10000000000,
					   100000000000,
					   1000000000000,
					   10000000000000,
					   100000000000000,
					   1000000000000000,
					   10000000000000000,
					   100000000000000000,
					   1000000000000000000,
					   10000000000000000000u };
	/* 1233 / 4096 is the logarithm of 2, as exact as 64 of them need */
	unsigned n = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= powers[n]);
}

static inline unsigned hex_count(uint64_t v)
{
	return (67 - (unsigned)__builtin_clzll(v | 1)) / 4;
}

/* "%16x" of V: HEX_WIDE bytes, without a loop, as most addresses of a process have as many digits.
 */
static inline void hex_wide(char *to, uint64_t v)
{
	unsigned blanks = HEX_WIDE - hex_count(v);
	const uint64_t halves[2] = { hex_eight((uint32_t)(v >> 32), blanks),
				     hex_eight((uint32_t)v, blanks > 8 ? blanks - 8 : 0) };

	memcpy(to, halves, sizeof(halves));
}

/* The eight decimal digits of V, which has no more, the first one in the lowest byte: two halves of
 * four, then four of two, then each by itself, all of them at once. */
static inline uint64_t digits_eight(uint32_t v)
{
	uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32;
	uint64_t part = x * 5243 >> 19 & 0x0000007f0000007f; /* hundreds */

	x = part | (x - part * 100) << 16;
	part = x * 103 >> 10 & 0x000f000f000f000f; /* tens */
	return (part | (x - part * 10) << 8) + 0x3030303030303030;
}

/* The same at TO. */
static inline char *digits_put_eight(char *to, uint32_t v)
{
	uint64_t x = htole64(digits_eight(v));

	memcpy(to, &x, sizeof(x));
	return to + sizeof(x);
}

#define DIGITS_EIGHT 100000000 /* numbers below it have no more */
#define DIGITS_ROOM  24	       /* bytes that digits_put() may write */

/* How many zeros the first WIDTH of EIGHT digits begin with; the last one of them is none. */
static inline unsigned digits_zeros(uint64_t eight, unsigned width)
{
	uint64_t others = eight & 0x0f0f0f0f0f0f0f0f & ((UINT64_C(1) << 8 * (width - 1)) - 1);

	return (unsigned)__builtin_ctzll(others | UINT64_C(1) << 8 * (width - 1)) / 8;
}

/* The digits of V, below DIGITS_EIGHT, at TO, where eight bytes are written; returns where they
 * end. */
static inline char *digits_put_few(char *to, uint32_t v)
{
	uint64_t x = digits_eight(v);
	unsigned zeros = digits_zeros(x, 8);

	x = htole64(x >> 8 * zeros);
	memcpy(to, &x, sizeof(x));
	return to + 8 - zeros;
}

/* Those of any V, where DIGITS_ROOM bytes are written. */
static inline char *digits_put(char *to, uint64_t v)
{
	uint64_t high = v / DIGITS_EIGHT;

	if (!high)
		return digits_put_few(to, (uint32_t)v);
	if (high < DIGITS_EIGHT) {
		to = digits_put_few(to, (uint32_t)high);
	} else {
		to = digits_put_few(to, (uint32_t)(high / DIGITS_EIGHT));
		to = digits_put_eight(to, (uint32_t)(high % DIGITS_EIGHT));
	}
	return digits_put_eight(to, (uint32_t)(v % DIGITS_EIGHT));
}

/* Append V with PAD before it, at least WIDTH. Digits are written where they belong: a copy of
 * bytes that were just written one by one waits for them. */
static inline void buf_number(struct buf *b, uint64_t v, bool hex, unsigned width, char pad)
{
	unsigned n = hex ? hex_count(v) : digits_count(v), all = width > n ? width : n;
	char *to = buf_reserve(b, all);

	for (unsigned i = n; i < width; i++)
		*to++ = pad;
	to[n] = '\0';
	(void)(hex ? hex_before : digits_before)(to + n, v);
	b->len += all;
}

/* The last WIDTH decimal digits of V. */
static inline void digits_fixed(char *to, uint32_t v, unsigned width)
{
	for (; width >= 2; v /= 100)
		digit_pair(to + (width -= 2), v);
	if (width)
		*to = (char)('0' + v % 10);
}

#endif
