/* Call frame information of just-in-time compiled code, from the UNWINDING_INFO records of a
 * jitdump. It is read when it is asked for: most code is in no stack.
 *
 *   OFFSET SIZE MEANING
 *       16    8 bytes of both sections       24    8 bytes of .eh_frame_hdr, which comes last
 *       32    8 bytes that the process maps for them
 *       40      .eh_frame, .eh_frame_hdr
 *
 * Their addresses are those of an ELF file as perf inject makes one for each function
 * (tools/perf/util/genelf.c): the code where its first page's headers end, .eh_frame behind it. */
#ifndef PDTOOL_SYMBOLS_JITFRAMES_H
#define PDTOOL_SYMBOLS_JITFRAMES_H

#include "parser/names/jit/jitdump.h"

struct jit_frames;

/* NULL when the dump D cannot be opened again. D must outlive the result. */
struct jit_frames *jit_frames_open(const struct jitdump *d);
void jit_frames_close(struct jit_frames *f);
/* The .eh_frame of FN; *SIZE bytes, valid until the next call. NULL: there is none that can be
 * used. */
const uint8_t *jit_frames_read(struct jit_frames *f, const struct jit_function *fn,
			       size_t *size_bytes);

/* The addresses of FN's code and of its .eh_frame in its file of 64 or 32 bits. */
uint64_t jit_frames_code(bool is_64);
uint64_t jit_frames_section(const struct jit_function *fn, bool is_64);

#endif
