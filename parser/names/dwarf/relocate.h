/* The debug information of a kernel module counts from sections that have no addresses yet: give
 * them those of kmodule.h, and put them where the relocations want them. In memory only. */
#ifndef PDTOOL_SYMBOLS_RELOCATE_H
#define PDTOOL_SYMBOLS_RELOCATE_H

#include "parser/names/elf/elffile.h"

/* F is from elf_file_open_private(). Compressed sections of debug information are decompressed: the
 * caller has looked at what they claim. ERR_FORMAT: no module; ERR_ABSENT: of a machine whose
 * relocations are not known. */
int relocate_debug(struct elf_file *f) CHECKED;

#endif
