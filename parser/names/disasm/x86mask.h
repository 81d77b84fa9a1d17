/* AVX-512 instructions that capstone 4 does not decode and that the string functions of C libraries
 * are made of, as text: compares and tests into masks, what works on masks, and a few more.
 * Source: Intel SDM volume 2; how operands are written is capstone's. */
#ifndef PDTOOL_SYMBOLS_X86MASK_H
#define PDTOOL_SYMBOLS_X86MASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/buf.h"

/* Append to OUT the instruction of SIZE bytes at CODE, in 64-bit code, as Intel writes it or as
 * AT&T does. SIZE is what x86_length() says. False: it is not one of those. */
bool x86_mask_text(const uint8_t *code, size_t size_bytes, bool intel, struct buf *out);

#endif
