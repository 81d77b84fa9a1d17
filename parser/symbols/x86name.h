/* The names of the vector instructions that capstone 4 does not decode and that the string
 * functions of C libraries are made of: AVX-512 compares and tests into masks, and what works on
 * masks. Source: Intel SDM volume 2. */
#ifndef PDTOOL_SYMBOLS_X86NAME_H
#define PDTOOL_SYMBOLS_X86NAME_H

#include <stddef.h>
#include <stdint.h>

/* What the instruction of SIZE bytes at CODE, in 64-bit code, is called; NULL: not one of those. */
const char *x86_name(const uint8_t *code, size_t size_bytes);

#endif
