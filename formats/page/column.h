/* A column of the page: numbers or bytes, one behind the other, deflated while they come. Memory
 * follows what is left after deflating. */
#ifndef PDTOOL_PAGE_COLUMN_H
#define PDTOOL_PAGE_COLUMN_H

#include <zlib.h>

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/buf.h"

enum pack_way {
	PACK_TEXT,	/* and what else is short */
	PACK_CHOICES, /* numbers of few values, which come again in the same order */
	PACK_AMOUNTS, /* numbers which differ, or are all the same */
};

#define COLUMN_STAGE 4096
#define COLUMN_TAG   80 /* bytes of text around one, about */

struct column_stream {
	z_stream z;
	struct buf packed;
	size_t used;
	bool failed; /* no memory */
	unsigned char stage[COLUMN_STAGE];
};

void column_begin(struct column_stream *c, enum pack_way way);
/* V in groups of 7 bits, the lowest first, all but the last with bit 7: LEB128. */
void column_put(struct column_stream *c, uint64_t v);
void column_bytes(struct column_stream *c, const void *data, size_t len);
/* No more come: PACKED is a zlib stream (RFC 1950). */
void column_end(struct column_stream *c);
void column_release(struct column_stream *c);

#endif
