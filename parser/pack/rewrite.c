/* Bytes, in blocks to the spool, and what is written of every capture alike. */
#include "parser/pack/rewrite.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"
#include "parser/file/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (256u << 10)

/* What is read again is no news: its damage was told, and its symbols are known. */
void rewrite_begin(struct rewrite *r, const struct capture *f, struct warnings *scratch)
{
	r->capture = *f;
	r->capture.source = r->source;
	r->capture.warnings = scratch;
	r->capture.meta.symbol_section_count = SYMBOL_SECTIONS_MAX;
	r->capture.meta.tracing_data = NULL;
	source_seek(r->source, 0);
}

void rewrite_end(struct rewrite *r)
{
	free(r->capture.meta.tracing_data);
	buf_release(&r->block);
	buf_release(&r->text);
	free(r->moved);
}

void rewrite_flush(struct rewrite *r)
{
	if (r->rc == 0 && r->block.len)
		r->rc = spool_write(&r->out->spool, r->block.data, r->block.len);
	r->error = r->rc < 0 && !r->error ? errno : r->error;
	r->block.len = 0;
}

void rewrite_add(struct rewrite *r, const void *data, size_t len)
{
	buf_add(&r->block, data, len);
	if (r->block.len >= BLOCK_BYTES)
		rewrite_flush(r);
}

void rewrite_zeros(struct rewrite *r, uint64_t len)
{
	static const char zeros[4096];

	for (uint64_t n; len && r->rc == 0; len -= n) {
		n = len < sizeof(zeros) ? len : sizeof(zeros);
		rewrite_add(r, zeros, (size_t)n);
	}
}

void rewrite_copy(struct rewrite *r, uint64_t offset, uint64_t len)
{
	while (len && r->rc == 0) {
		size_t n = len < BLOCK_BYTES ? (size_t)len : BLOCK_BYTES;
		ssize_t got = source_pread(r->source, buf_reserve(&r->block, n), n, offset);

		if (got <= 0) {
			rewrite_zeros(r, len); /* the file became shorter meanwhile */
			return;
		}
		r->block.len += (size_t)got;
		offset += (uint64_t)got;
		len -= (uint64_t)got;
		if (r->block.len >= BLOCK_BYTES)
			rewrite_flush(r);
	}
}

uint64_t rewrite_at(const struct rewrite *r)
{
	return r->out->spool.size + r->block.len;
}

void rewrite_back(struct rewrite *r, const void *data, size_t len, uint64_t at)
{
	rewrite_flush(r);
	if (r->rc == 0 && temp_write(r->out->spool.fd, data, len, at))
		r->rc = ERR_IO;
}

void rewrite_moves(struct rewrite *r, const struct raw *raw)
{
	if (raw->type != RECORD_AUXTRACE || raw->inflated)
		return;
	r->moved = xgrow(r->moved, &r->moved_cap, r->moved_count + 1, sizeof(*r->moved));
	r->moved[r->moved_count++] = (struct moved){ raw->offset, rewrite_at(r) };
}

void put_number(void *to, uint64_t v, unsigned size, bool swap)
{
	uint32_t word = swap ? __builtin_bswap32((uint32_t)v) : (uint32_t)v;
	uint16_t half = swap ? __builtin_bswap16((uint16_t)v) : (uint16_t)v;

	if (size == sizeof(v))
		v = swap ? __builtin_bswap64(v) : v;
	memcpy(to,
	       size == sizeof(v)      ? (void *)&v
	       : size == sizeof(word) ? (void *)&word
				      : &half,
	       size);
}

void rewrite_events(struct rewrite *r)
{
	const struct file_header *h = &r->capture.header;
	size_t size = (size_t)h->attrs.size / (size_t)h->attr_size * (size_t)h->attr_size;
	uint64_t at = FILE_HEADER_SIZE + size, limit = source_size(r->source);
	uint8_t *attrs = xcalloc(1, size + 1);
	struct section *ids;

	ids = xcalloc(size / (size_t)h->attr_size + 1, sizeof(*ids));
	if (source_pread(r->source, attrs, size, h->attrs.offset) != (ssize_t)size)
		memset(attrs, 0, size);
	for (size_t i = 0; i < size / h->attr_size; i++) {
		uint8_t *where = attrs + (i + 1) * h->attr_size - 16;
		struct cursor c = cursor_make(where, 16, h->swap);

		ids[i].offset = cursor_u64(&c);
		ids[i].size = cursor_u64(&c);
		if (ids[i].offset > limit || ids[i].size > limit - ids[i].offset ||
		    at + ids[i].size > 2 * limit)
			ids[i].size = 0;
		put_number(where, at, 8, h->swap);
		put_number(where + 8, ids[i].size, 8, h->swap);
		at += ids[i].size;
	}
	rewrite_add(r, attrs, size);
	for (size_t i = 0; i < size / h->attr_size; i++)
		rewrite_copy(r, ids[i].offset, ids[i].size);
	rewrite_zeros(r, -rewrite_at(r) % 8);
	free(attrs);
	free(ids);
}

bool rewrite_place(struct rewrite *r, uint64_t table, struct section *at)
{
	uint64_t limit = source_size(r->source);
	uint8_t raw[16];
	struct cursor c = cursor_make(raw, sizeof(raw), r->capture.header.swap);

	*at = (struct section){ 0 };
	if (source_pread(r->source, raw, sizeof(raw), table) != sizeof(raw))
		return false;
	at->offset = cursor_u64(&c);
	at->size = cursor_u64(&c);
	return at->offset <= limit && at->size <= limit - at->offset;
}
