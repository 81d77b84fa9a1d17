/* A growing byte buffer, also used to build text. data is NUL-terminated whenever text was
 * appended. */
#ifndef PDTOOL_BASE_BUF_H
#define PDTOOL_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
	char *data;
	size_t len;
	size_t cap;
};

void buf_release(struct buf *b);
char *buf_grow(struct buf *b, size_t extra);
/* Make room for EXTRA more bytes and return where they go; len is unchanged. */
static inline char *buf_reserve(struct buf *b, size_t extra)
{
	return b->cap > b->len && b->cap - b->len > extra ? b->data + b->len : buf_grow(b, extra);
}
void buf_add(struct buf *b, const void *data, size_t len);
/* C, so many times; nothing ends it as a text. */
static inline void buf_fill(struct buf *b, char c, size_t n)
{
	memset(buf_reserve(b, n), c, n);
	b->len += n;
}
void buf_str(struct buf *b, const char *s);
static inline void buf_char(struct buf *b, char c)
{
	char *p = buf_reserve(b, 1);

	p[0] = c;
	p[1] = '\0';
	b->len++;
}
/* V in groups of 7 bits, the lowest first: LEB128, as cursor_uleb() reads it. */
static inline void put_uleb(struct buf *out, uint64_t v)
{
	char *p = buf_reserve(out, 10); /* of 64 bits */
	size_t n = 0;

	for (; v >= 128; v >>= 7)
		p[n++] = (char)(v | 128);
	p[n++] = (char)v;
	p[n] = '\0';
	out->len += n;
}
/* V - BEFORE, so that small ones of either sign are short, as cursor_step() reads it. */
static inline void put_step(struct buf *out, uint64_t v, uint64_t before)
{
	int64_t step = (int64_t)(v - before);

	put_uleb(out, (uint64_t)step << 1 ^ (uint64_t)(step >> 63));
}
/* LEN of the ROOM bytes at DATA, all of which can be read: with a ROOM that is constant and small,
 * copied without a call. */
static inline void buf_add_part(struct buf *b, const void *data, size_t room, size_t len)
{
	char *to = buf_reserve(b, room);

	memcpy(to, data, room);
	to[len] = '\0';
	b->len += len;
}
/* A text behind which so many bytes can be read. */
#define BUF_SHORT 32
static inline void buf_add_short(struct buf *b, const char *text, size_t len)
{
	if (len <= BUF_SHORT)
		buf_add_part(b, text, BUF_SHORT, len);
	else
		buf_add(b, text, len);
}
/* LEN bytes as two digits each, BETWEEN them that. Payloads have 64 KiB: printf() takes ten times
 * as long. */
void buf_hex(struct buf *b, const void *bytes, size_t len, const char *between);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
