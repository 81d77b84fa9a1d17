/* How far the pieces of DWARF sections reach that other sections refer to by their offsets. */
#ifndef PDTOOL_SYMBOLS_PIECES_H
#define PDTOOL_SYMBOLS_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/cursor.h"

/* Bytes of the table of abbreviations at C, with its end. */
size_t pieces_abbrevs(struct cursor c);
/* Bytes of the list of ranges at C, of DWARF before 5, with its end. */
size_t pieces_ranges(struct cursor c, unsigned address_size);

/* The contributions of units to .debug_rnglists, one behind the other, each with its length before
 * it: tell TAKE of those in which any of the COUNT offsets lies, which are ascending. False: there
 * are none; SECTION is something else. */
bool pieces_contributions(struct cursor section, const uint64_t *offsets, size_t count,
			  void (*take)(void *ctx, uint64_t start, uint64_t end), void *ctx);

#endif
