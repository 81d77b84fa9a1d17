/* Numbers as text without printf(), which takes five times as long: for who writes many. */
#ifndef PDTOOL_BASE_DIGITS_H
#define PDTOOL_BASE_DIGITS_H

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

/* Append the last WIDTH decimal digits of V. */
static inline void buf_fixed(struct buf *b, uint32_t v, unsigned width)
{
	char *to = buf_reserve(b, width), *end = to + width;

	*end = '\0';
	for (; end - to >= 2; v /= 100)
		digit_pair(end -= 2, v);
	if (end > to)
		*to = (char)('0' + v % 10);
	b->len += width;
}

#endif
