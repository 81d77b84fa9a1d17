/* A file that is compressed as a whole: told by its first bytes, decompressed as it is read. */
#include "parser/file/outer.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/file/inflate.h"

#include <archive.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct outer {
	outer_input *input;
	void *ctx;
	struct archive *archive; /* one of both */
	struct inflate *zstd;
	uint8_t block[1 << 16]; /* of it */
};

static const struct kind {
	const char *name;
	uint8_t magic[OUTER_MAGIC];
	uint8_t len;
	int (*filter)(struct archive *a); /* NULL: libzstd's */
} kinds[] = {
	{ "gzip", { 0x1f, 0x8b }, 2, archive_read_support_filter_gzip },
	{ "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, archive_read_support_filter_xz },
	{ "bzip2", { 'B', 'Z', 'h' }, 3, archive_read_support_filter_bzip2 },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, NULL },
};

const char *outer_name(const uint8_t *magic, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (n >= kinds[i].len && !memcmp(magic, kinds[i].magic, kinds[i].len))
			return kinds[i].name;
	}
	return NULL;
}

void outer_free(struct outer *o)
{
	if (!o)
		return;
	if (o->archive)
		archive_read_free(o->archive);
	inflate_free(o->zstd);
	free(o);
}

/* libarchive pulls compressed bytes from here. */
static la_ssize_t feed(struct archive *a, void *ctx, const void **out)
{
	struct outer *o = ctx;
	ssize_t n = o->input(o->ctx, o->block, sizeof(o->block));

	if (n < 0)
		archive_set_error(a, errno, "read failed");
	*out = o->block;
	return n;
}

/* Why not; NULL: it is open. One layer is taken off, as one bomb in another keeps libarchive busy
 * for ever. */
static const char *open_archive(struct outer *o, const struct kind *kind)
{
	struct archive *a = o->archive = archive_read_new();
	struct archive_entry *entry;

	kind->filter(a);
	archive_read_support_format_raw(a);
	if (archive_read_open(a, o, NULL, feed, NULL) != ARCHIVE_OK ||
	    archive_read_next_header(a, &entry) != ARCHIVE_OK)
		return archive_error_string(a) ?: "unknown error";
	return NULL;
}

static const struct kind *kind_of(const char *name)
{
	const struct kind *k = kinds;

	while (strcmp(k->name, name))
		k++;
	return k;
}

struct outer *outer_open(const char *name, outer_input *input, void *ctx, struct buf *why)
{
	struct outer *o = xcalloc(1, sizeof(*o));
	const struct kind *kind = kind_of(name);
	const char *error = NULL;

	o->input = input;
	o->ctx = ctx;
	if (kind->filter)
		error = open_archive(o, kind);
	else if (!(o->zstd = inflate_new()))
		error = strerror(ENOMEM);
	if (!error)
		return o;
	buf_str(why, error);
	outer_free(o);
	return NULL;
}

/* One frame may follow another. */
static ssize_t read_zstd(struct outer *o, void *buf, size_t len, const char **why)
{
	int64_t n = 0;
	ssize_t more = 1;

	while (!inflate_error(o->zstd) && (n = inflate_read(o->zstd, buf, len)) == 0 && more > 0) {
		more = o->input(o->ctx, o->block, sizeof(o->block));
		if (more < 0)
			return -1;
		inflate_feed(o->zstd, o->block, (size_t)more);
	}
	if (n > 0)
		return (ssize_t)n;
	*why = inflate_error(o->zstd) ?: "it ends within a frame";
	return inflate_error(o->zstd) || inflate_is_midway(o->zstd) ? -1 : 0;
}

ssize_t outer_read(struct outer *o, void *buf, size_t len, const char **why)
{
	la_ssize_t n;

	*why = "unknown error";
	if (o->zstd)
		return read_zstd(o, buf, len, why);
	n = archive_read_data(o->archive, buf, len);
	if (n < 0)
		*why = archive_error_string(o->archive) ?: *why;
	return n < 0 ? -1 : n;
}
