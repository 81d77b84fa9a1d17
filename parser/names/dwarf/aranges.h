/* Which units of a file's debug information hold some addresses, as its .debug_aranges says (DWARF
 * 5, 6.1.2): many compilers leave them out, but what is in there need not be looked for. */
#ifndef PDTOOL_SYMBOLS_ARANGES_H
#define PDTOOL_SYMBOLS_ARANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

struct aranges {
	uint64_t *units; /* in .debug_info, ascending */
	size_t count, cap;
};

/* The units in DBG that hold any of ADDRS, which ascend. A is zeroed. False: it is not said of all
 * of them; then A tells nothing. To be released in any case. */
bool aranges_find(struct aranges *a, Dwarf *dbg, const uint64_t *addrs, size_t count);
void aranges_release(struct aranges *a);
/* Is the unit at OFFSET one of them? */
bool aranges_has(const struct aranges *a, uint64_t offset);

#endif
