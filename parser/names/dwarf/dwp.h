/* DWARF packages (.dwp): many .dwo files in one, with an index. libdw reads them only since 0.191;
 * so a package is made to look like the one .dwo file that is wanted.
 *
 * The index (.debug_cu_index; DWARF 5, 7.3.5, and GNU's version 2 before it):
 *
 *   OFFSET      SIZE        MEANING
 *   0           4           version: 2, or 5 in two bytes and two of padding
 *   4           4           C: number of columns
 *   8           4           U: number of units
 *   12          4           S: number of slots, a power of two
 *   16          8*S         ids of units, hashed
 *   16+8*S      4*S         their rows, from 1; 0 is a free slot
 *   16+12*S     4*C         which section each column is about
 *   then        4*C*U       where in that section each unit's part begins
 *   then        4*C*U       the sizes of the parts */
#ifndef PDTOOL_SYMBOLS_DWP_H
#define PDTOOL_SYMBOLS_DWP_H

#include "parser/names/elf/elffile.h"

/* What the package F, opened as private, has of the unit with ID, as a file of its own: F's bytes
 * (whose section headers are changed), so F must outlive it and is for no other use. NULL: F is no
 * package, has no such unit, its index makes no sense, or its sections are compressed. */
struct elf_file *dwp_choose(struct elf_file *f, uint64_t id) CHECKED;

#endif
