/* An ELF file with compressed sections, these inflated: for libdw, which would inflate them itself,
 * more slowly and not by every method, and for who takes parts of them. */
#ifndef PDTOOL_SYMBOLS_INFLATED_H
#define PDTOOL_SYMBOLS_INFLATED_H

#include <stdint.h>

#include "parser/names/elf/elffile.h"

/* Of the section called SECTION only the first BYTES are wanted. */
struct section_cut {
	const char *section;
	uint64_t bytes;
};

/* The same file, in memory of its own: what lies in compressed sections (SHF_COMPRESSED) is
 * inflated there, what libelf was told about the sections of F (gelf_update_shdr()) holds there,
 * too, and contents that a section has not any more, as it became SHT_NOBITS, are zeroes. One that
 * cannot be inflated stays compressed. By CUT (NULL: none) a section that is compressed ends there,
 * and has not been checked by its checksum. NULL: F has none that can, or they claim more than
 * MAX_BYTES. */
struct elf_file *elf_file_inflated(const struct elf_file *f, uint64_t max_bytes,
				   const struct section_cut *cut) CHECKED;

/* A copy of what the section called NAME holds, inflated, for the caller to free; F stays as it is.
 * NULL: there is nothing, it cannot be inflated, or it claims more than ELF_INFLATED_MAX. */
uint8_t *elf_section_copy(const struct elf_file *f, const char *name, size_t *size_bytes) CHECKED;

#endif
