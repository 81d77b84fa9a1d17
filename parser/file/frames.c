/* Compressing frames by zstd, on several threads. */
#include "parser/file/frames.h"
#include "parser/base/die.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define LEVEL	    3
#define BATCH_BYTES (FRAMES_ONCE * FRAME_BYTES)

struct frames {
	int fd;
	unsigned lanes;
	ZSTD_CCtx *lane[FRAMES_ONCE]; /* of a thread */
	char *held;		      /* what was added last: FRAMES_ONCE frames at most */
	size_t held_bytes;
	char *out[FRAMES_ONCE]; /* frames that are to be written */
	size_t out_bytes[FRAMES_ONCE];
};

/* What is compressed at a time. */
struct batch {
	struct frames *f;
	unsigned threads;	       /* at most as many as there are frames */
	const struct frames_input *in; /* NULL: what is held */
	uint64_t at;		       /* where it begins in that */
	size_t bytes;
	atomic_bool unread;
};

struct frames *frames_new(int fd, unsigned jobs)
{
	struct frames *f = xcalloc(1, sizeof(*f));

	f->fd = fd;
	f->lanes = jobs > FRAMES_ONCE ? FRAMES_ONCE : jobs ? jobs : 1;
	for (unsigned i = 0; i < f->lanes; i++) {
		f->lane[i] = ZSTD_createCCtx();
		if (!f->lane[i])
			mem_die(FRAME_BYTES);
		(void)ZSTD_CCtx_setParameter(f->lane[i], ZSTD_c_compressionLevel, LEVEL);
	}
	f->held = xmalloc(BATCH_BYTES);
	for (unsigned i = 0; i < FRAMES_ONCE; i++)
		f->out[i] = xmalloc(ZSTD_compressBound(FRAME_BYTES));
	return f;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	for (unsigned i = 0; i < f->lanes; i++)
		ZSTD_freeCCtx(f->lane[i]);
	for (unsigned i = 0; i < FRAMES_ONCE; i++)
		free(f->out[i]);
	free(f->held);
	free(f);
}

/* The LEN bytes of B from AT on. A thread reads to a place of its own, where they stay in its
 * cache until they are compressed. */
static const char *contents(struct batch *b, size_t thread, size_t at, size_t len)
{
	char *place;

	if (!b->in)
		return b->f->held + at;
	place = b->f->held + thread * FRAME_BYTES;
	if (b->in->read(b->in->ctx, place, len, b->at + at) != (ssize_t)len)
		b->unread = true;
	return b->unread ? NULL : place;
}

/* Each thread takes every so manieth frame. */
static void compress(void *ctx, size_t thread)
{
	struct batch *b = ctx;
	struct frames *f = b->f;

	for (size_t i = thread; i * FRAME_BYTES < b->bytes; i += b->threads) {
		size_t at = i * FRAME_BYTES, left = b->bytes - at;
		size_t len = left < FRAME_BYTES ? left : FRAME_BYTES;
		const char *data = contents(b, thread, at, len);

		if (!data)
			return;
		f->out_bytes[i] = ZSTD_compress2(f->lane[thread], f->out[i],
						 ZSTD_compressBound(FRAME_BYTES), data, len);
		if (ZSTD_isError(f->out_bytes[i])) /* there is room for all that comes out */
			mem_die(FRAME_BYTES);
	}
}

static int write_out(struct frames *f, size_t i)
{
	for (size_t at = 0; at < f->out_bytes[i];) {
		ssize_t n = write(f->fd, f->out[i] + at, f->out_bytes[i] - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ERR_IO;
		at += (size_t)n;
	}
	return 0;
}

/* At most FRAMES_ONCE frames, whole ones but for the last. */
static int compress_all(struct batch *b)
{
	size_t count = (b->bytes + FRAME_BYTES - 1) / FRAME_BYTES;
	struct frames *f = b->f;
	int rc = 0;

	b->threads = f->lanes < count ? f->lanes : (unsigned)count;
	pool_for(b->threads, b->threads, compress, b);
	if (b->unread)
		return ERR_FORMAT;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = write_out(f, i);
	return rc;
}

int frames_end(struct frames *f)
{
	struct batch b = { .f = f, .bytes = f->held_bytes };

	f->held_bytes = 0;
	return compress_all(&b);
}

int frames_add(struct frames *f, const void *data, size_t len)
{
	const char *from = data;
	int rc = 0;

	while (rc == 0 && len) {
		size_t n = BATCH_BYTES - f->held_bytes;

		n = n < len ? n : len;
		memcpy(f->held + f->held_bytes, from, n);
		f->held_bytes += n;
		if (f->held_bytes == BATCH_BYTES)
			rc = frames_end(f);
		from += n;
		len -= n;
	}
	return rc;
}

int frames_take(struct frames *f, const struct frames_input *in)
{
	int rc = frames_end(f);

	for (uint64_t at = 0; rc == 0 && at < in->size_bytes; at += BATCH_BYTES) {
		struct batch b = { .f = f, .in = in, .at = at };
		uint64_t left = in->size_bytes - at;

		b.bytes = left < BATCH_BYTES ? (size_t)left : BATCH_BYTES;
		rc = compress_all(&b);
	}
	return rc;
}
