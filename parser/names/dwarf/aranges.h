/* Which units of a file's debug information hold some addresses, as its .debug_aranges says (DWARF
 * 5, 6.1.2): many compilers leave them out, but what is in there need not be looked for. */
#ifndef PDTOOL_SYMBOLS_ARANGES_H
#define PDTOOL_SYMBOLS_ARANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/cursor.h"

struct aranges {
	uint64_t *units; /* in .debug_info, ascending */
	size_t count, cap;
};

/* The units that hold any of ADDRS, which ascend, as SECTION has it. A is zeroed. False: it is not
 * said of all of them; then A tells nothing. To be released in any case. */
bool aranges_find(struct aranges *a, struct cursor section, const uint64_t *addrs, size_t count);
void aranges_release(struct aranges *a);
/* Is the unit at OFFSET one of them? */
bool aranges_has(const struct aranges *a, uint64_t offset);
/* A unit of SECTION that begins behind the last of them, as near as is said; UINT64_MAX: there is
 * none. */
uint64_t aranges_end(const struct aranges *a, struct cursor section);

#endif
