/* Buffered writing with write(2). */
#include "formats/out.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void out_init(struct out *o, int fd)
{
	*o = (struct out){ .fd = fd, .buf = xmalloc(OUT_SIZE) };
}

static void write_all(struct out *o, const char *data, size_t len)
{
	for (size_t at = 0; at < len && !o->error;) {
		ssize_t done = write(o->fd, data + at, len - at);

		if (done < 0 && errno != EINTR)
			o->error = errno;
		at += done > 0 ? (size_t)done : 0;
	}
}

void out_flush(struct out *o)
{
	write_all(o, o->buf, o->used);
	o->used = 0;
}

void out_write_beyond(struct out *o, const void *data, size_t len)
{
	out_flush(o);
	if (len >= OUT_LARGE) {
		write_all(o, data, len);
		return;
	}
	memcpy(o->buf, data, len);
	o->used = len;
}

void out_base64(struct out *o, const void *data, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = data;

	for (size_t left = len; left; p += 3, left -= left < 3 ? left : 3) {
		uint32_t v = (uint32_t)p[0] << 16 | (left > 1 ? (uint32_t)p[1] << 8 : 0) |
			     (left > 2 ? p[2] : 0);
		const char text[] = { digits[v >> 18], digits[v >> 12 & 63],
				      left > 1 ? digits[v >> 6 & 63] : '=',
				      left > 2 ? digits[v & 63] : '=' };

		out_write(o, text, sizeof(text));
	}
}

void out_u64(struct out *o, uint64_t v)
{
	char *to = out_room(o, DIGITS_ROOM);

	if (v > 9) {
		out_filled(o, digits_put(to, v));
		return;
	}
	*to = (char)('0' + v);
	o->used++;
}

int out_finish(struct out *o)
{
	out_flush(o);
	free(o->buf);
	o->buf = NULL;
	return o->error;
}
