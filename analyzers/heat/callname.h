/* What a system call is called. */
#ifndef PDTOOL_CALLNAME_H
#define PDTOOL_CALLNAME_H

#include <stdint.h>

#include "parser/base/buf.h"

/* Append what NUMBER is called on ARCH, as uname -m says it, in a program of BITS, 32 or 64; 0: not
 * known. "read"; of another table than that of ARCH "read (i386)"; where there is no name, or it
 * cannot be known of which table it is, the number: "id 3", "id 3 (x86_64 or i386)". */
void call_name(const char *arch, unsigned bits, uint64_t number, struct buf *out);

/* Lanes of system calls are "call NUMBER of BITS bits", as the field "call" has it (picked.h),
 * until all is read and the architecture is known. Append what one is called; nothing: LANE is
 * none. */
void call_lane_name(const char *lane, const char *arch, struct buf *out);
/* The same as "id NUMBER". */
void call_lane_id(const char *lane, struct buf *out);

#endif
