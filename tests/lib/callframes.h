/* The bytes of a .debug_frame or .eh_frame section, for unit tests. In .debug_frame addresses are
 * absolute, so that it can be made before it has a place. */
#ifndef PDTOOL_TESTS_CALLFRAMES_H
#define PDTOOL_TESTS_CALLFRAMES_H

#include "tests/lib/elfimage.h"

static inline void frame_leb(struct buf *b, int64_t v)
{
	for (;;) {
		uint8_t byte = v & 0x7f;
		bool end;

		v >>= 7;
		end = (v == 0 && !(byte & 0x40)) || (v == -1 && byte & 0x40);
		buf_char(b, (char)(byte | (end ? 0 : 0x80)));
		if (end)
			return;
	}
}

static inline size_t frame_begin(const struct image *im, struct buf *b)
{
	image_put(im, b, 0, 4);
	return b->len;
}

/* Pad with DW_CFA_nop and write the length. */
static inline void frame_end(const struct image *im, struct buf *b, size_t began)
{
	struct buf n = { 0 };

	while ((b->len - began) % (im->narrow ? 4 : 8) != (im->narrow ? 0u : 4u))
		buf_char(b, 0);
	image_put(im, &n, b->len - began, 4);
	memcpy(b->data + began - 4, n.data, 4);
	buf_release(&n);
}

/* A CIE of .debug_frame: code alignment 1, data alignment DATA_ALIGN, return address in RA. */
static inline void frame_cie(const struct image *im, struct buf *b, int data_align, uint8_t ra)
{
	image_put(im, b, 0xffffffff, 4);
	buf_char(b, 3);
	buf_char(b, 0);
	frame_leb(b, 1);
	frame_leb(b, data_align);
	buf_char(b, (char)ra);
}

static inline void frame_fde(const struct image *im, struct buf *b, uint64_t start, uint64_t bytes)
{
	image_put(im, b, 0, 4);
	image_word(im, b, start);
	image_word(im, b, bytes);
}

#endif
