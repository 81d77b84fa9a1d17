/* mkperf: growing bytes in the recorded machine's byte order. */
#include "mkperf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERF_NAME_ALIGN = 64 };

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p) {
		fputs("mkperf: out of memory\n", stderr);
		abort();
	}
	return p;
}

char *xstrndup(const char *s, size_t n)
{
	char *p = xrealloc(NULL, n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

static uint8_t *grow(struct buf *b, size_t n)
{
	if (b->len + n > b->cap) {
		b->cap = (b->len + n) * 2;
		b->p = xrealloc(b->p, b->cap);
	}
	b->len += n;
	return b->p + b->len - n;
}

void put_bytes(struct buf *b, const void *p, size_t n)
{
	if (n)
		memcpy(grow(b, n), p, n);
}

void put_zero(struct buf *b, size_t n)
{
	if (n)
		memset(grow(b, n), 0, n);
}

static void store(uint8_t *to, uint64_t v, int bytes, bool big)
{
	for (int i = 0; i < bytes; i++)
		to[big ? bytes - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

void put_uint(struct buf *b, uint64_t v, int bytes)
{
	store(grow(b, (size_t)bytes), v, bytes, b->big);
}

void put_u16(struct buf *b, uint16_t v)
{
	put_uint(b, v, 2);
}

void put_u32(struct buf *b, uint32_t v)
{
	put_uint(b, v, 4);
}

void put_u64(struct buf *b, uint64_t v)
{
	put_uint(b, v, 8);
}

void put_align(struct buf *b, size_t align)
{
	put_zero(b, (align - b->len % align) % align);
}

/* The string, its NUL, and zeros up to a multiple of @align of the string's own length. */
void put_cstring(struct buf *b, const char *s, size_t align)
{
	size_t n = strlen(s) + 1;

	put_bytes(b, s, n);
	put_zero(b, (align - n % align) % align);
}

void put_fixed(struct buf *b, const char *s, size_t width)
{
	size_t n = strlen(s);

	if (n >= width)
		n = width - 1;
	put_bytes(b, s, n);
	put_zero(b, width - n);
}

/* The strings of the feature sections: u32 length with the padding, then the padded text. */
void put_perf_string(struct buf *b, const char *s)
{
	size_t n = strlen(s) + 1;

	put_u32(b, (uint32_t)((n + PERF_NAME_ALIGN - 1) / PERF_NAME_ALIGN * PERF_NAME_ALIGN));
	put_cstring(b, s, PERF_NAME_ALIGN);
}

void set_u16(struct buf *b, size_t at, uint16_t v)
{
	store(b->p + at, v, 2, b->big);
}

void set_u64(struct buf *b, size_t at, uint64_t v)
{
	store(b->p + at, v, 8, b->big);
}

/*
 * C bitfields of a u64 start at the least significant bit on a little-endian machine and at
 * the most significant one on a big-endian machine; within a field the value is the right way
 * round on both. @le is the word of the former; @widths covers the fields in their order.
 */
uint64_t bitfield_layout(uint64_t le, const uint8_t *widths, int n, bool big)
{
	uint64_t be = 0;
	int at = 0;

	if (!big)
		return le;
	for (int i = 0; i < n; i++) {
		uint64_t mask = (UINT64_C(1) << widths[i]) - 1;

		be |= (le >> at & mask) << (64 - at - widths[i]);
		at += widths[i];
	}
	return be;
}
