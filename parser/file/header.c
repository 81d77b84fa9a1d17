/* Decode the file header. Trusts no size in it: sections are compared with the file's size. */
#include "parser/file/header.h"
#include "parser/file/source.h"
#include "parser/base/cursor.h"
#include "parser/base/abi.h"

#include <string.h>

#define HEADER_SIZE_V0 72 /* before features */

static bool host_is_big(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static bool is_header_size(uint64_t size)
{
	return size == FILE_HEADER_SIZE || size == HEADER_SIZE_V0 || size == PIPE_HEADER_SIZE;
}

/* PERFILE2 is a number in the recorder's byte order; PERFFILE was text, so there the header's size,
 * which follows, tells the order. */
static int check_magic(struct file_header *h, uint64_t magic, uint64_t size)
{
	uint64_t text = host_is_big() ? __builtin_bswap64(PERF_MAGIC1) : PERF_MAGIC1;

	h->legacy = magic == text;
	if (h->legacy)
		h->swap = !is_header_size(size) && is_header_size(__builtin_bswap64(size));
	else if (magic == PERF_MAGIC2 || magic == __builtin_bswap64(PERF_MAGIC2))
		h->swap = magic != PERF_MAGIC2;
	else
		return ERR_FORMAT;
	h->big = h->swap != host_is_big();
	return 0;
}

/* A 32-bit big-endian recorder stored the bitmap as 32-bit words. HOSTNAME is in every finished
 * file, so its absence tells (as tools/perf/util/header.c does). */
static void read_features(struct file_header *h, struct cursor *c)
{
	for (int i = 0; i < 4; i++)
		h->features[i] = cursor_u64(c);
	if (!h->big || header_has_feature(h, FEAT_HOSTNAME))
		return;
	for (int i = 0; i < 4; i++)
		h->features[i] = h->features[i] >> 32 | h->features[i] << 32;
	if (header_has_feature(h, FEAT_HOSTNAME))
		return;
	for (int i = 0; i < 4; i++)
		h->features[i] = h->features[i] >> 32 | h->features[i] << 32;
}

static struct section read_section(struct cursor *c)
{
	struct section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

static void check_data(struct file_header *h, struct source *s, struct warnings *w)
{
	uint64_t file_size = source_size(s);
	uint64_t left;

	if (h->data.offset < FILE_HEADER_SIZE || h->data.offset > file_size)
		h->data.offset = h->attrs.offset + h->attrs.size < file_size
					 ? h->attrs.offset + h->attrs.size
					 : file_size;
	left = file_size - h->data.offset;
	if (h->data.size == 0 && left > 0) {
		h->unfinished = true;
		warn_add(w, SEV_WARN, "recorder-killed",
			 "%s: offset 48: the data size is 0: the recorder was killed; "
			 "reading on to the end "
			 "of the file, features are absent",
			 source_path(s));
	} else if (h->data.size > left) {
		h->unfinished = true;
		warn_add(w, SEV_WARN, "truncated",
			 "%s: offset %llu: the file ends %llu bytes before its data does; "
			 "features are absent",
			 source_path(s), (unsigned long long)file_size,
			 (unsigned long long)(h->data.size - left));
		warn_bytes(w, "truncated", h->data.size - left);
	}
	if (h->unfinished) {
		h->data.size = left;
		memset(h->features, 0, sizeof(h->features));
	}
}

static int read_file_header(struct file_header *h, struct source *s, struct warnings *w,
			    size_t want)
{
	uint8_t raw[FILE_HEADER_SIZE] = { 0 };
	struct cursor c;
	ssize_t n;

	if (!source_seekable(s)) {
		int rc = source_spool(s, w);

		if (rc < 0)
			return rc;
	}
	n = source_pread(s, raw, want, 0);
	if (n < 0)
		return source_failed(s, w);
	if ((size_t)n < want) {
		warn_add(w, SEV_FATAL, "header",
			 "%s: offset %zd: cut inside the file header (%zu bytes)", source_path(s),
			 n, want);
		return ERR_FORMAT;
	}
	c = cursor_make(raw, sizeof(raw), h->swap);
	cursor_skip(&c, 16);
	h->attr_size = cursor_u64(&c);
	h->attrs = read_section(&c);
	h->data = read_section(&c);
	(void)read_section(&c);
	read_features(h, &c);
	check_data(h, s, w);
	return 0;
}

int header_read(struct file_header *h, struct source *s, struct warnings *w)
{
	uint8_t raw[16];
	size_t n = source_peek(s, raw, sizeof(raw));
	struct cursor c;
	uint64_t magic, size;

	memset(h, 0, sizeof(*h));
	if (source_failed(s, w) < 0)
		return ERR_IO;
	if (n == 0) {
		warn_add(w, SEV_FATAL, "header", "%s: empty, expected a perf.data capture",
			 source_path(s));
		return ERR_FORMAT;
	}
	c = cursor_make(raw, n, false);
	magic = cursor_u64(&c);
	size = cursor_u64(&c);
	if (n < 8 || check_magic(h, magic, size) < 0) {
		warn_add(w, SEV_FATAL, "header",
			 "%s: offset 0: not a perf.data capture (expected PERFILE2 or PERFFILE)",
			 source_path(s));
		return ERR_FORMAT;
	}
	size = h->swap ? __builtin_bswap64(size) : size;
	if (size == PIPE_HEADER_SIZE && !c.bad) {
		h->pipe = true;
		n = (size_t)source_read(s, raw, PIPE_HEADER_SIZE, w);
		return n == PIPE_HEADER_SIZE ? 0 : ERR_IO;
	}
	if (size == FILE_HEADER_SIZE || size == HEADER_SIZE_V0)
		return read_file_header(h, s, w, (size_t)size);
	warn_add(w, SEV_FATAL, "header", "%s: offset 8: header size %llu, expected %d or %d (pipe)",
		 source_path(s), (unsigned long long)size, FILE_HEADER_SIZE, PIPE_HEADER_SIZE);
	return ERR_FORMAT;
}
