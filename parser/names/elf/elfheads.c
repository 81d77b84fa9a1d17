/* By libelf's translation, which wants the narrow forms of a narrow file. */
#include "parser/names/elf/elfheads.h"

#include <string.h>

static bool put(char *to, Elf_Data src, Elf *elf)
{
	Elf_Data dst = src;

	dst.d_buf = to;
	return gelf_xlatetof(elf, &dst, &src, (unsigned char)elf_getident(elf, NULL)[EI_DATA]) !=
	       NULL;
}

bool elfheads_put_section(char *to, const GElf_Shdr *h, Elf *elf)
{
	Elf32_Shdr narrow = { (Elf32_Word)h->sh_name,
			      h->sh_type,
			      (Elf32_Word)h->sh_flags,
			      (Elf32_Addr)h->sh_addr,
			      (Elf32_Off)h->sh_offset,
			      (Elf32_Word)h->sh_size,
			      h->sh_link,
			      h->sh_info,
			      (Elf32_Word)h->sh_addralign,
			      (Elf32_Word)h->sh_entsize };
	bool wide = gelf_getclass(elf) == ELFCLASS64;

	return put(to,
		   (Elf_Data){ .d_buf = wide ? (void *)h : &narrow,
			       .d_type = ELF_T_SHDR,
			       .d_size = wide ? sizeof(*h) : sizeof(narrow),
			       .d_version = EV_CURRENT },
		   elf);
}

bool elfheads_put_file(char *to, const GElf_Ehdr *h, Elf *elf)
{
	Elf32_Ehdr narrow = { .e_type = h->e_type,
			      .e_machine = h->e_machine,
			      .e_version = h->e_version,
			      .e_entry = (Elf32_Addr)h->e_entry,
			      .e_phoff = (Elf32_Off)h->e_phoff,
			      .e_shoff = (Elf32_Off)h->e_shoff,
			      .e_flags = h->e_flags,
			      .e_ehsize = h->e_ehsize,
			      .e_phentsize = h->e_phentsize,
			      .e_phnum = h->e_phnum,
			      .e_shentsize = h->e_shentsize,
			      .e_shnum = h->e_shnum,
			      .e_shstrndx = h->e_shstrndx };
	bool wide = gelf_getclass(elf) == ELFCLASS64;

	memcpy(narrow.e_ident, h->e_ident, EI_NIDENT);
	return put(to,
		   (Elf_Data){ .d_buf = wide ? (void *)h : &narrow,
			       .d_type = ELF_T_EHDR,
			       .d_size = wide ? sizeof(*h) : sizeof(narrow),
			       .d_version = EV_CURRENT },
		   elf);
}
