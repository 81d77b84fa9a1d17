/* Jitdumps made by tests, in either byte order. The layout is that in parser/names/jit/jitdump.h.
 */
#ifndef PDTOOL_TESTS_JITIMAGE_H
#define PDTOOL_TESTS_JITIMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/buf.h"

struct jit_image {
	struct buf b;
	bool big;
	uint32_t pid;
	size_t record; /* where the last one begins */
};

static inline void jit_put(struct jit_image *im, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_char(&im->b, (char)(v >> 8 * (im->big ? bytes - 1 - i : i)));
}

static inline void jit_text(struct jit_image *im, const char *s)
{
	buf_add(&im->b, s, strlen(s) + 1);
}

static inline void jit_header(struct jit_image *im, uint32_t machine, uint32_t pid, uint64_t flags)
{
	im->pid = pid;
	jit_put(im, 0x4a695444, 4);
	jit_put(im, 1, 4);
	jit_put(im, 40, 4);
	jit_put(im, machine, 4);
	jit_put(im, 0, 4);
	jit_put(im, pid, 4);
	jit_put(im, 1, 8);
	jit_put(im, flags, 8);
}

static inline void jit_begin(struct jit_image *im, uint32_t type, uint64_t time)
{
	im->record = im->b.len;
	jit_put(im, type, 4);
	jit_put(im, 0, 4);
	jit_put(im, time, 8);
}

/* The size is known now. */
static inline void jit_end(struct jit_image *im)
{
	size_t size = im->b.len - im->record;

	for (unsigned i = 0; i < 4; i++)
		im->b.data[im->record + 4 + i] = (char)(size >> 8 * (im->big ? 3 - i : i));
}

struct jit_code {
	uint64_t addr, size, index;
};

static inline void jit_load(struct jit_image *im, uint64_t time, struct jit_code code,
			    const char *name)
{
	jit_begin(im, 0, time);
	jit_put(im, im->pid, 4);
	jit_put(im, im->pid, 4);
	jit_put(im, code.addr, 8);
	jit_put(im, code.addr, 8);
	jit_put(im, code.size, 8);
	jit_put(im, code.index, 8);
	jit_text(im, name);
	for (uint64_t i = 0; i < code.size; i++)
		buf_char(&im->b, (char)0x90);
	jit_end(im);
}

/* CODE as it is after the move. */
static inline void jit_move(struct jit_image *im, uint64_t time, uint64_t old, struct jit_code code)
{
	jit_begin(im, 1, time);
	jit_put(im, im->pid, 4);
	jit_put(im, im->pid, 4);
	jit_put(im, code.addr, 8);
	jit_put(im, old, 8);
	jit_put(im, code.addr, 8);
	jit_put(im, code.size, 8);
	jit_put(im, code.index, 8);
	jit_end(im);
}

struct jit_line {
	uint64_t addr;
	uint32_t line;
	const char *file;
};

static inline void jit_debug(struct jit_image *im, uint64_t addr, const struct jit_line *lines,
			     unsigned count)
{
	jit_begin(im, 2, 0);
	jit_put(im, addr, 8);
	jit_put(im, count, 8);
	for (unsigned i = 0; i < count; i++) {
		jit_put(im, lines[i].addr, 8);
		jit_put(im, lines[i].line, 4);
		jit_put(im, 0, 4);
		jit_text(im, lines[i].file);
	}
	jit_end(im);
}

/* Unwinding information of the next load, of SIZE bytes of code for x86-64: throughout, the CFA is
 * the stack pointer + CFA, and the return address is just below that. */
static inline void jit_unwinding(struct jit_image *im, uint64_t size, uint8_t cfa)
{
	/* .eh_frame is as far from the code as in the ELF file that perf inject makes of it */
	uint64_t from_code = (size + 7) & ~7ull;
	size_t at;

	jit_begin(im, 4, 0);
	jit_put(im, 24 + 24 + 4 + 12, 8); /* a CIE, an FDE, the end; .eh_frame_hdr without a list */
	jit_put(im, 12, 8);
	jit_put(im, 64, 8);
	at = im->b.len;
	jit_put(im, 20, 4);
	jit_put(im, 0, 4);
	buf_add(&im->b, "\1zR\0\1\x78\x10\1\x1b", 9); /* ra in column 16, addresses pcrel|sdata4 */
	buf_add(&im->b, (char[]){ 0x0c, 7, (char)cfa, (char)0x90, 1, 0, 0 }, 7);
	jit_put(im, 20, 4);
	jit_put(im, im->b.len - at, 4);
	jit_put(im, -(from_code + (im->b.len - at)), 4);
	jit_put(im, size, 4);
	jit_put(im, 0, 8);
	jit_put(im, 0, 4);
	jit_put(im, 0xffffff01, 4); /* omitted, all of it */
	jit_put(im, 0, 8);
	jit_end(im);
}

/* A record of another TYPE. */
static inline void jit_other(struct jit_image *im, uint32_t type, unsigned bytes)
{
	jit_begin(im, type, 0);
	for (unsigned i = 0; i < bytes; i++)
		buf_char(&im->b, (char)0xaa);
	jit_end(im);
}

#endif
