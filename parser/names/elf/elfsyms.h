/* The symbols of an ELF file, chosen as perf 6.1 chooses them (1.3, points 1 to
 * 7).
 *
 * Addresses are file offsets: a sample is looked up at ip - map.start + map.pgoff. Names are raw
 * (mangled) and point into the ELF files' string tables, except `sym@plt`, which the table owns
 * (plt.h). */
#ifndef PDTOOL_SYMBOLS_ELFSYMS_H
#define PDTOOL_SYMBOLS_ELFSYMS_H

#include <stdint.h>

#include "parser/names/elf/elffile.h"
#include "parser/names/symtab.h"

/* Fill OUT (initialised and empty) and finish it. SYMS is the file with the symbols (a debug file
 * or the binary itself); RUNTIME is the binary as it was mapped, for program headers and the PLT;
 * both may be the same. RUNTIME may be NULL: then SYMS stands in. Both must outlive OUT. 0;
 * ERR_ABSENT when there is no symbol that qualifies; ERR_FORMAT when a table cannot be read. On
 * failure OUT is empty. After symtab_keep_order(OUT), symtab_find_as_perf() works on it. */
int elfsyms_load(struct symtab *out, struct elf_file *syms, struct elf_file *runtime) CHECKED;

/* The same where RUNTIME's own .symtab was stripped but for what is in MINI (elf_file_mini()):
 * that, and RUNTIME's .dynsym. */
int elfsyms_load_mini(struct symtab *out, struct elf_file *mini, struct elf_file *runtime) CHECKED;

/* The symbols of the code of a kernel module (ET_REL), by their distance from the address at which
 * it was loaded (kmodule.h). ERR_FORMAT also when F is no module. */
int elfsyms_load_module(struct symtab *out, struct elf_file *f) CHECKED;

/* st_value (not a file offset) of the first symbol called NAME in .symtab: for the kernel's
 * reference symbols _text and _stext. ERR_ABSENT when it is not there. */
int elfsyms_addr(struct elf_file *f, const char *name, uint64_t *vaddr) CHECKED;

#endif
