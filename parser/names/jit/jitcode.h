/* The machine code that a jitdump holds. */
#ifndef PDTOOL_SYMBOLS_JITCODE_H
#define PDTOOL_SYMBOLS_JITCODE_H

#include "parser/names/disasm/disasm.h"
#include "parser/names/jit/jitdump.h"

/* Read SIZE bytes of code at OFFSET of the dump D into TO; returns how many are there. */
size_t jitcode_read(const struct jitdump *d, uint64_t offset, uint8_t *to, size_t size_bytes);
/* Where the code at OFFSET was when it was written; OFFSET itself if the dump does not tell. */
uint64_t jitcode_address(const struct jitdump *d, uint64_t offset);
/* What it was made for. */
struct disasm_machine jitcode_machine(const struct jitdump *d);

#endif
