/* How much is looked for depends on what can be found. In amounts (times and lengths in ns) no
 * bytes come again but runs of equal ones: the codes of Huffman alone are about as small as level 6
 * (those of a scheduler's smaller, those of I/Os 0.3 % larger), in a third to a half of the time of
 * level 1. In choices level 4 takes a quarter of the time of level 6 for a tenth more where there
 * is much to find, and as long for as much where there is not. */
#include "formats/page/column.h"

#include <string.h>

#define DEFAULT_MEM_LEVEL 8 /* of zlib, which does not tell it */
#define NUMBER_BYTES 10 /* bytes of a number */

void column_begin(struct column_stream *c, enum pack_way way)
{
	static const struct {
		int level, strategy;
	} ways[] = {
		[PACK_TEXT] = { Z_DEFAULT_COMPRESSION, Z_DEFAULT_STRATEGY },
		[PACK_CHOICES] = { 4, Z_DEFAULT_STRATEGY },
		[PACK_AMOUNTS] = { 1, Z_RLE },
	};

	memset(&c->z, 0, sizeof(c->z));
	c->packed = (struct buf){ 0 };
	c->used = 0;
	c->failed = deflateInit2(&c->z, ways[way].level, Z_DEFLATED, MAX_WBITS, DEFAULT_MEM_LEVEL,
				 ways[way].strategy) != Z_OK;
}

static void run(struct column_stream *c, int flush)
{
	c->z.next_in = c->stage;
	c->z.avail_in = (unsigned)c->used;
	c->used = 0;
	do {
		c->z.next_out = (unsigned char *)buf_reserve(&c->packed, COLUMN_STAGE);
		c->z.avail_out = COLUMN_STAGE;
		if (c->failed || deflate(&c->z, flush) == Z_STREAM_ERROR) {
			c->failed = true;
			return;
		}
		c->packed.len += COLUMN_STAGE - c->z.avail_out;
	} while (!c->z.avail_out);
}

void column_put(struct column_stream *c, uint64_t v)
{
	if (COLUMN_STAGE - c->used < NUMBER_BYTES)
		run(c, Z_NO_FLUSH);
	for (; v >= 0x80; v >>= 7)
		c->stage[c->used++] = (unsigned char)(v | 0x80);
	c->stage[c->used++] = (unsigned char)v;
}

void column_bytes(struct column_stream *c, const void *data, size_t len)
{
	const char *from = data;

	while (len) {
		size_t room = COLUMN_STAGE - c->used, n = len < room ? len : room;

		memcpy(c->stage + c->used, from, n);
		c->used += n;
		from += n;
		len -= n;
		if (c->used == COLUMN_STAGE)
			run(c, Z_NO_FLUSH);
	}
}

void column_end(struct column_stream *c)
{
	run(c, Z_FINISH);
}

void column_release(struct column_stream *c)
{
	deflateEnd(&c->z);
	buf_release(&c->packed);
}
