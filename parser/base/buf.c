/* Growing byte buffer. */
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_release(struct buf *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

char *buf_grow(struct buf *b, size_t extra)
{
	b->data = xgrow(b->data, &b->cap, b->len + extra + 1, 1);
	return b->data + b->len;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	char *p = buf_reserve(b, len);

	if (len)
		memcpy(p, data, len);
	p[len] = '\0';
	b->len += len;
}

void buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_hex(struct buf *b, const void *bytes, size_t len, const char *between)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *from = bytes;
	size_t gap = strlen(between);
	char *to = buf_reserve(b, len * (2 + gap) + 1);

	for (size_t i = 0; i < len; i++) {
		for (size_t k = 0; i && k < gap; k++)
			*to++ = between[k];
		*to++ = digits[from[i] >> 4];
		*to++ = digits[from[i] & 15];
	}
	*to = '\0';
	b->len += len ? len * (2 + gap) - gap : 0;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	if (n > 0) {
		vsnprintf(buf_reserve(b, (size_t)n), (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
	va_end(ap);
}
