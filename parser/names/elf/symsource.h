/* The source file that the table of symbols tells of code without a line: the one that the function
 * before it is of, as addr2line of binutils 2.40 has it, and with it perf (--compat perf only).
 * Learned from its behaviour, and from what bfd/elf.c says of it (_bfd_elf_find_function()). */
#ifndef PDTOOL_SYMBOLS_SYMSOURCE_H
#define PDTOOL_SYMBOLS_SYMSOURCE_H

#include <stddef.h>
#include <stdint.h>

struct elf_file;

struct symsource {
	struct symsource_function *list; /* by start, then as in the file */
	size_t count;
};

/* The functions of F, which must outlive S; none where it cannot be read. */
void symsource_load(struct symsource *s, struct elf_file *f);
/* "crtstuff.c"; "??": the table tells none; NULL: there is no function before VADDR. */
const char *symsource_at(const struct symsource *s, uint64_t vaddr);
void symsource_release(struct symsource *s);

#endif
