/* Numbers as text without printf(), which takes five times as long: for who writes many. */
#ifndef PDTOOL_BASE_DIGITS_H
#define PDTOOL_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#include "parser/base/buf.h"

#define DIGITS_MAX 20 /* of 64 bits in decimal */

/* The decimal digits of V end before END; how many. Two at a time: divisions are what takes long.
 */
static inline unsigned digits_before(char *end, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930"
				    "31323334353637383940414243444546474849505152535455565758596061"
				    "62636465666768697071727374757677787980818283848586878889909192"
				    "93949596979899";
	char *to = end;

	for (; v >= 100; v /= 100)
		memcpy(to -= 2, pairs + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(to -= 2, pairs + v * 2, 2);
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

/* Append the N digits at FROM, and PAD before them up to WIDTH. */
static inline void put_digits(struct buf *b, const char *from, unsigned n, unsigned width, char pad)
{
	char *to = buf_reserve(b, width > n ? width : n);

	for (unsigned i = n; i < width; i++)
		*to++ = pad;
	memcpy(to, from, n);
	to[n] = '\0';
	b->len += width > n ? width : n;
}

#endif
