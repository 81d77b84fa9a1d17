/* Writes the chunks of a PNG with stored blocks and their checksums.
 * The palette is given; pixels are indices in it. */
#include "formats/svg/png.h"
#include "parser/base/buf.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_MAX 65535 /* of deflate, when it only stores (RFC 1951 3.2.4) */

static void put_u32(struct buf *b, uint32_t v)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_char(b, (char)(v >> shift));
}

/* PNG 1.2, appendix D. */
static uint32_t crc32_of(const char *data, size_t len)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned char)data[i];
		for (int k = 0; k < 8; k++)
			crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
	}
	return ~crc;
}

/* RFC 1950, 8.2 */
static uint32_t adler32_of(const char *data, size_t len)
{
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < len; i++) {
		a = (a + (unsigned char)data[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static void put_chunk(struct buf *b, const char type[4], const struct buf *data)
{
	size_t at = b->len + 4;

	put_u32(b, (uint32_t)data->len);
	buf_add(b, type, 4);
	buf_add(b, data->data, data->len);
	put_u32(b, crc32_of(b->data + at, b->len - at));
}

/* Rows of four-bit pixels, each behind the number of its filter: none. */
static void pack(struct buf *b, const struct png *p)
{
	for (uint32_t y = 0; y < p->height; y++) {
		const uint8_t *row = p->pixels + (size_t)y * p->width;

		buf_char(b, 0);
		for (uint32_t x = 0; x < p->width; x += 2)
			buf_char(b, (char)(row[x] << 4 | (x + 1 < p->width ? row[x + 1] : 0)));
	}
}

/* A zlib stream of DATA, which is only stored. */
static void store(struct buf *b, const struct buf *data)
{
	buf_add(b, "\x78\x01", 2);
	for (size_t i = 0; i < data->len; i += BLOCK_MAX) {
		size_t left = data->len - i, n = left > BLOCK_MAX ? BLOCK_MAX : left;

		buf_char(b, n == left);
		buf_char(b, (char)(n & 0xff));
		buf_char(b, (char)(n >> 8));
		buf_char(b, (char)(~n & 0xff));
		buf_char(b, (char)(~n >> 8 & 0xff));
		buf_add(b, data->data + i, n);
	}
	put_u32(b, adler32_of(data->data, data->len));
}

static void put_palette(struct buf *b, const struct png *p)
{
	buf_add(b, "\0\0\0", 3);
	for (size_t i = 0; i < PNG_COLOURS; i++) {
		unsigned long rgb = strtoul(p->colours[i] + 1, NULL, 16);

		buf_char(b, (char)(rgb >> 16));
		buf_char(b, (char)(rgb >> 8));
		buf_char(b, (char)rgb);
	}
}

void png_data_uri(struct out *o, const struct png *p)
{
	struct buf file = { 0 }, chunk = { 0 }, rows = { 0 };

	buf_add(&file, "\x89PNG\r\n\x1a\n", 8);
	put_u32(&chunk, p->width);
	put_u32(&chunk, p->height);
	buf_add(&chunk, "\x04\x03\0\0\0", 5); /* four bits, by palette */
	put_chunk(&file, "IHDR", &chunk);
	chunk.len = 0;
	put_palette(&chunk, p);
	put_chunk(&file, "PLTE", &chunk);
	chunk.len = 0;
	buf_char(&chunk, 0);
	put_chunk(&file, "tRNS", &chunk);
	chunk.len = 0;
	pack(&rows, p);
	store(&chunk, &rows);
	put_chunk(&file, "IDAT", &chunk);
	chunk.len = 0;
	put_chunk(&file, "IEND", &chunk);
	out_str(o, "data:image/png;base64,");
	out_base64(o, file.data, file.len);
	buf_release(&file);
	buf_release(&chunk);
	buf_release(&rows);
}
