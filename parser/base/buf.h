/* A growing byte buffer, also used to build text. data is NUL-terminated whenever text was
 * appended. */
#ifndef PDTOOL_BASE_BUF_H
#define PDTOOL_BASE_BUF_H

#include <stddef.h>

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
void buf_str(struct buf *b, const char *s);
static inline void buf_char(struct buf *b, char c)
{
	char *p = buf_reserve(b, 1);

	p[0] = c;
	p[1] = '\0';
	b->len++;
}
/* LEN bytes as two digits each, BETWEEN them that. Payloads have 64 KiB: printf() takes ten times
 * as long. */
void buf_hex(struct buf *b, const void *bytes, size_t len, const char *between);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
