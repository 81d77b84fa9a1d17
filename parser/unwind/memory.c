/* Read numbers from a stack dump or from files. */
#include "parser/unwind/memory.h"

#include <string.h>

/* How far above the dump an address can still be of the same stack. */
#define STACK_MAX (1ull << 30)

static uint64_t number(const uint8_t *p, unsigned bytes, bool swap)
{
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (bytes) {
	case 8:
		memcpy(&v64, p, sizeof(v64));
		return swap ? __builtin_bswap64(v64) : v64;
	case 4:
		memcpy(&v32, p, sizeof(v32));
		return swap ? __builtin_bswap32(v32) : v32;
	case 2:
		memcpy(&v16, p, sizeof(v16));
		return swap ? __builtin_bswap16(v16) : v16;
	default:
		return *p;
	}
}

enum memory_result memory_read(const struct unwind_memory *m, uint64_t addr, unsigned bytes,
			       uint64_t *out)
{
	uint64_t at = addr - m->start;
	const uint8_t *p;

	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		return MEMORY_UNKNOWN;
	if (at < m->stack_bytes && bytes <= m->stack_bytes - at) {
		*out = number(m->stack + at, bytes, m->swap);
		return MEMORY_OK;
	}
	p = m->file ? m->file(m->ctx, addr, bytes) : NULL;
	if (!p && m->zero && m->zero(m->ctx, addr)) {
		*out = 0;
		return MEMORY_OK;
	}
	if (!p)
		return addr >= m->start && at < STACK_MAX ? MEMORY_CUT : MEMORY_UNKNOWN;
	*out = number(p, bytes, m->swap);
	return MEMORY_OK;
}
