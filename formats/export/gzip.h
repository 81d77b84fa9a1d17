/* One gzip member (RFC 1952), written as it comes. */
#ifndef PDTOOL_EXPORT_GZIP_H
#define PDTOOL_EXPORT_GZIP_H

#include "formats/out.h"

#include <zlib.h>

struct gzip {
	struct out *out; /* in which errors are kept */
	z_stream z;
	unsigned char buffer[1 << 16];
};

void gzip_begin(struct gzip *g, struct out *out);
void gzip_write(struct gzip *g, const void *data, size_t len);
void gzip_end(struct gzip *g);

#endif
