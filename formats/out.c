/* Buffered writing with write(2). */
#include "formats/out.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT_SIZE (1u << 18)

void out_init(struct out *o, int fd)
{
	*o = (struct out){ .fd = fd, .buf = xmalloc(OUT_SIZE) };
}

static void write_all(struct out *o, const char *p, size_t n)
{
	while (n && !o->error) {
		ssize_t done = write(o->fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			o->error = errno;
			return;
		}
		p += done;
		n -= (size_t)done;
	}
}

/* Apart: nearly all writes fit. */
static __attribute__((noinline)) void make_room(struct out *o)
{
	write_all(o, o->buf, o->used);
	o->used = 0;
}

void out_write(struct out *o, const void *data, size_t len)
{
	for (size_t n; len; data = (const char *)data + n, len -= n) {
		if (o->used == OUT_SIZE)
			make_room(o);
		n = len < OUT_SIZE - o->used ? len : OUT_SIZE - o->used;
		memcpy(o->buf + o->used, data, n);
		o->used += n;
	}
}

void out_u64(struct out *o, uint64_t v)
{
	char text[20];
	size_t i = sizeof(text);

	do {
		text[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	out_write(o, text + i, sizeof(text) - i);
}

int out_finish(struct out *o)
{
	write_all(o, o->buf, o->used);
	free(o->buf);
	o->buf = NULL;
	o->used = 0;
	return o->error;
}
