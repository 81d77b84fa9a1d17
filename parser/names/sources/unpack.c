/* Decompress in memory, with a bound. */
#include "parser/names/sources/unpack.h"
#include "parser/base/mem.h"

#include <archive.h>
#include <string.h>

#define STEP (1u << 16) /* bytes decompressed at a time */

static const struct {
	uint8_t magic[UNPACK_MAGIC_MAX];
	uint8_t len;
	int (*allow)(struct archive *a);
} forms[] = {
	{ { 0x1f, 0x8b }, 2, archive_read_support_filter_gzip },
	{ { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, archive_read_support_filter_xz },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, archive_read_support_filter_zstd },
};

/* The form of the bytes at DATA, or -1. */
static int form_of(const void *data, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (size >= forms[i].len && !memcmp(data, forms[i].magic, forms[i].len))
			return (int)i;
	}
	return -1;
}

bool unpack_is_packed(const void *data, size_t size)
{
	return form_of(data, size) >= 0;
}

static size_t most(size_t packed)
{
	if (packed > (UNPACK_MAX - UNPACK_FREE) / UNPACK_RATIO)
		return UNPACK_MAX;
	return packed * UNPACK_RATIO + UNPACK_FREE;
}

/* libarchive takes off every layer that it finds; one bomb in another would keep it busy for hours
 * with little to show for it. */
static bool is_one_layer(struct archive *a)
{
	return archive_filter_count(a) == 2; /* the form, and the bytes themselves */
}

static int read_all(struct archive *a, size_t max, struct buf *out)
{
	la_ssize_t n;

	while ((n = archive_read_data(a, buf_reserve(out, STEP), STEP)) > 0) {
		out->len += (size_t)n;
		if (out->len > max)
			return ERR_LIMIT;
	}
	return n < 0 ? ERR_FORMAT : 0;
}

int unpack(const void *data, size_t size, struct buf *out)
{
	int form = form_of(data, size);
	struct archive *a = form < 0 ? NULL : archive_read_new();
	struct archive_entry *entry;
	int rc = ERR_FORMAT;

	if (a && forms[form].allow(a) == ARCHIVE_OK &&
	    archive_read_support_format_raw(a) == ARCHIVE_OK &&
	    archive_read_open_memory(a, data, size) == ARCHIVE_OK &&
	    archive_read_next_header(a, &entry) == ARCHIVE_OK && is_one_layer(a))
		rc = read_all(a, most(size) + out->len, out);
	archive_read_free(a);
	if (rc < 0)
		buf_release(out);
	return rc;
}
