/* Bytes, in blocks to the spool. */
#include "parser/pack/rewrite.h"
#include "parser/file/source.h"

#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (256u << 10)

void rewrite_flush(struct rewrite *r)
{
	if (r->rc == 0 && r->block.len)
		r->rc = spool_write(&r->out->spool, r->block.data, r->block.len);
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
	if (r->rc == 0 && pwrite(r->out->spool.fd, data, len, (off_t)at) != (ssize_t)len)
		r->rc = ERR_IO;
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
