/* What is known of a sampled thread's memory: the part of its stack that the kernel copied, and the
 * bytes of mapped files that programs do not write to. Never the memory of a process here. */
#ifndef PDTOOL_UNWIND_MEMORY_H
#define PDTOOL_UNWIND_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum memory_result {
	MEMORY_OK,
	MEMORY_CUT, /* further up the stack than was copied */
	MEMORY_UNKNOWN,
	MEMORY_ENDLESS, /* where it lies takes more steps than are made */
};

struct unwind_memory {
	const uint8_t *stack; /* STACK_BYTES from address START on */
	uint64_t start;
	size_t stack_bytes;
	bool swap; /* the capture's byte order is not this host's */
	/* SIZE constant bytes at ADDR of a mapped file, or NULL; may itself be NULL */
	const uint8_t *(*file)(void *ctx, uint64_t addr, size_t size_bytes);
	/* NULL, or: is ADDR mapped? What is mapped and not known is 0 then */
	bool (*zero)(void *ctx, uint64_t addr);
	void *ctx;
};

/* Read a number of BYTES (1, 2, 4 or 8) at ADDR, zero-extended. */
enum memory_result memory_read(const struct unwind_memory *m, uint64_t addr, unsigned bytes,
			       uint64_t *out);

/* The same; mostly it is eight bytes of the stack. */
static inline enum memory_result memory_word(const struct unwind_memory *m, uint64_t addr,
					     unsigned bytes, uint64_t *out)
{
	uint64_t at = addr - m->start;

	if (bytes != 8 || m->stack_bytes < 8 || at > m->stack_bytes - 8)
		return memory_read(m, addr, bytes, out);
	memcpy(out, m->stack + at, 8);
	if (m->swap)
		*out = __builtin_bswap64(*out);
	return MEMORY_OK;
}

#endif
