/* The stubs of an ELF file through which it calls functions of other files, by relocation: the code
 * of a stub tells through which slot of the GOT it jumps, and a relocation whose function the
 * dynamic linker puts there. Linkers order stubs and relocations as they like, give sections many
 * names and entries no size, so nothing is counted.
 *
 * A stub is called `name@plt`, as objdump and perf call it. Where the function is chosen at start
 * (IRELATIVE) no symbol stands in the relocation but the address of the resolver: that one's symbol
 * is the function's own, as perf 6.12 has it; where there is none, objdump's `*ABS*+0x1234@plt`
 * tells stubs apart. The rest of such a section (what binds lazily, what no relocation fills) has
 * the section's name, `.plt`, as both have it. */
#ifndef PDTOOL_SYMBOLS_PLT_H
#define PDTOOL_SYMBOLS_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/names/elf/elffile.h"
#include "parser/names/elf/pltcode.h"
#include "parser/names/symtab.h"

struct plt_stub {
	uint64_t start, end; /* offsets in the file */
	struct plt_target target;
	const char *section; /* its name, where nothing but stubs is in it; or NULL */
	uint64_t addend;     /* the address of a resolver; else the symbol's distance */
	uint32_t symbol;     /* in .dynsym; 0: none */
	uint8_t kind;	     /* enum stub_kind */
};

struct plt {
	struct elf_file *file;
	const struct plt_machine *machine; /* NULL: its stubs are not known */
	struct plt_stub *stubs;
	size_t count, cap;
	bool got_is_moved; /* .plt.got is elsewhere in memory than in the file */
};

/* Find the stubs of F that T wants, before T gets its symbols: from now on it wants those of
 * resolvers, too. F must outlive P and T. */
void plt_read(struct plt *p, struct elf_file *f, struct symtab *t);
/* Name them in T, which has its symbols and is sorted, and is again after that. */
void plt_add(const struct plt *p, struct symtab *t);
void plt_release(struct plt *p);

#endif
