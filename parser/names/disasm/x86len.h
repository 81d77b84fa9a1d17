/* How long an x86 instruction is: prefixes, opcode maps, ModRM, SIB, displacement, immediate. Says
 * nothing of what it does, and so knows what a disassembler that is older than the code does not:
 * the encodings VEX and EVEX give each opcode map one form, whatever is added to it.
 *
 * Source: Intel SDM volume 2, chapter 2 and appendix A; AMD APM volume 3, appendix A (XOP, SSE4A).
 */
#ifndef PDTOOL_SYMBOLS_X86LEN_H
#define PDTOOL_SYMBOLS_X86LEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define X86_LENGTH_MAX 15

/* The length in bytes of the instruction at CODE, of which LEFT bytes are there; LONG_MODE: 64-bit
 * code, else 32-bit. 0: no instruction begins there, or it is cut. */
unsigned x86_length(const uint8_t *code, size_t left, bool long_mode);

#endif
