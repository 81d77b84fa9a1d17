/* The headers of an ELF file, written in its class and byte order. */
#ifndef PDTOOL_PACK_ELFHEADS_H
#define PDTOOL_PACK_ELFHEADS_H

#include <gelf.h>
#include <stdbool.h>

/* Write H at TO as ELF has it, which has room for sizeof(*H) bytes. */
bool elfheads_put_section(char *to, const GElf_Shdr *h, Elf *elf);
bool elfheads_put_file(char *to, const GElf_Ehdr *h, Elf *elf);

#endif
