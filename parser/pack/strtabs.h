/* The strings of an ELF file that symbols and sections are called by: the tables have others, too,
 * among them paths of sources and of libraries. */
#ifndef PDTOOL_PACK_STRTABS_H
#define PDTOOL_PACK_STRTABS_H

#include <stddef.h>

#include "parser/names/elf/elffile.h"
#include "parser/pack/ranges.h"

struct usedsyms;

/* Add where they are in F, whose sections are called by the strings in the section of index NAMES;
 * of symbols those of USED (NULL: all). */
void strtabs_select(struct ranges *out, const struct elf_file *f, size_t names,
		    const struct usedsyms *used);

#endif
