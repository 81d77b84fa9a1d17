/* zstd streaming decompression of COMPRESSED payloads. */
#include "parser/file/inflate.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <zstd.h>

struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	const char *error; /* the first one */
	bool midway;	   /* in a frame */
};

struct inflate *inflate_new(void)
{
	struct inflate *z = xcalloc(1, sizeof(*z));

	z->stream = ZSTD_createDStream();
	if (z->stream)
		return z;
	free(z);
	return NULL;
}

void inflate_free(struct inflate *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->stream);
	free(z);
}

void inflate_feed(struct inflate *z, const void *data, size_t len)
{
	z->in = (ZSTD_inBuffer){ data, len, 0 };
}

int64_t inflate_read(struct inflate *z, void *data, size_t len)
{
	ZSTD_outBuffer out = { data, len, 0 };

	while (out.pos < out.size) {
		size_t in_before = z->in.pos;
		size_t out_before = out.pos;
		size_t rc = ZSTD_decompressStream(z->stream, &out, &z->in);

		if (in_before < z->in.size)
			z->midway = rc != 0;
		if (ZSTD_isError(rc)) {
			z->error = z->error ?: ZSTD_getErrorName(rc);
			(void)ZSTD_DCtx_reset(z->stream, ZSTD_reset_session_only);
			z->in.pos = z->in.size;
			return out.pos ? (int64_t)out.pos : ERR_FORMAT;
		}
		if (z->in.pos == in_before && out.pos == out_before)
			break;
	}
	return (int64_t)out.pos;
}

const char *inflate_error(const struct inflate *z)
{
	return z->error;
}

bool inflate_is_midway(const struct inflate *z)
{
	return z->midway;
}
