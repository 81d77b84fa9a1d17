/* zlib, fast: what repeats in a profile is near. No name and no time in the header, so that the
 * same profile is the same file. */
#include "formats/export/gzip.h"

#include <errno.h>

#define LEVEL	1
#define AS_GZIP 16 /* deflateInit2(): added to the window's bits */

static void run(struct gzip *g, int flush)
{
	int rc;

	do {
		g->z.next_out = g->buffer;
		g->z.avail_out = sizeof(g->buffer);
		rc = deflate(&g->z, flush);
		out_write(g->out, g->buffer, sizeof(g->buffer) - g->z.avail_out);
	} while (rc == Z_OK && !g->z.avail_out);
}

void gzip_begin(struct gzip *g, struct out *out)
{
	g->out = out;
	g->z = (z_stream){ 0 };
	if (deflateInit2(&g->z, LEVEL, Z_DEFLATED, MAX_WBITS + AS_GZIP, MAX_MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		out->error = ENOMEM;
}

void gzip_write(struct gzip *g, const void *data, size_t len)
{
	g->z.next_in = (void *)data;
	while (len && !g->out->error) {
		unsigned n = len < UINT32_MAX ? (unsigned)len : UINT32_MAX;

		g->z.avail_in = n;
		run(g, Z_NO_FLUSH);
		len -= n;
	}
}

void gzip_end(struct gzip *g)
{
	if (!g->out->error)
		run(g, Z_FINISH);
	deflateEnd(&g->z);
}
