/* Small ELF files with symbols and PLT stubs, made by unit tests in memory, so that each rule has
 * its own smallest case. */
#ifndef PDTOOL_TESTS_SYMIMAGE_H
#define PDTOOL_TESTS_SYMIMAGE_H

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"

/* Two segments: code at vaddr 0x401000 = offset 0x1000, data at vaddr 0x503000 = offset 0x3000. */
#define TEXT	     0x401000
#define TEXT_OFFSET  0x1000
#define PLT_OFFSET   0x2000
#define DATA	     0x503000
#define DATA_OFFSET  0x3000
#define TABLE_OFFSET 0x4000

enum { S_NULL, S_TEXT, S_PLT, S_DATA, S_DEBUG, S_SYM };
enum { S_STR = S_SYM + 1, S_DYN, S_RELA, S_NOTE, S_LINK, S_NAMES, SECTIONS };

struct sym {
	const char *name;
	uint64_t value, size;
	uint8_t bind, type;
	uint16_t section;
	uint8_t visibility;
};

struct image {
	struct buf b;
	struct buf strings;
	Elf64_Shdr sh[SECTIONS];
	uint16_t machine;
};

static inline uint32_t add_string(struct image *im, const char *s)
{
	uint32_t at = (uint32_t)im->strings.len;

	buf_add(&im->strings, s, strlen(s) + 1);
	return at;
}

/* Append LEN bytes as the contents of section I. */
static inline void put_section(struct image *im, int i, const void *data, size_t len)
{
	while (im->b.len % 8)
		buf_char(&im->b, 0);
	im->sh[i].sh_offset = im->b.len;
	im->sh[i].sh_size = len;
	buf_add(&im->b, data, len);
}

static inline void put_symbols(struct image *im, int section, const struct sym *list, size_t n)
{
	Elf64_Sym *out = xcalloc(n + 1, sizeof(*out));

	for (size_t i = 0; i < n; i++) {
		out[i + 1] =
			(Elf64_Sym){ .st_name = list[i].name ? add_string(im, list[i].name) : 0,
				     .st_info = ELF64_ST_INFO(list[i].bind, list[i].type),
				     .st_other = list[i].visibility,
				     .st_shndx = list[i].section,
				     .st_value = list[i].value,
				     .st_size = list[i].size };
	}
	put_section(im, section, out, (n + 1) * sizeof(*out));
	im->sh[section].sh_link = S_STR;
	im->sh[section].sh_entsize = sizeof(Elf64_Sym);
	free(out);
}

static inline void set_section(struct image *im, int i, const char *name, uint32_t type)
{
	im->sh[i].sh_name = add_string(im, name);
	im->sh[i].sh_type = type;
}

static inline void place(struct image *im, int i, uint64_t addr, uint64_t offset)
{
	im->sh[i].sh_flags = SHF_ALLOC;
	im->sh[i].sh_addr = addr;
	im->sh[i].sh_offset = offset;
	im->sh[i].sh_size = 0x800;
}

static inline void image_begin(struct image *im, uint16_t machine)
{
	static const struct {
		uint32_t name, desc, type;
		char owner[4], id[4];
	} note = { 4, 4, NT_GNU_BUILD_ID, "GNU", { 1, 2, 3, 4 } };

	memset(im, 0, sizeof(*im));
	im->machine = machine;
	buf_char(&im->strings, 0);
	memset(buf_reserve(&im->b, TABLE_OFFSET), 0, TABLE_OFFSET);
	im->b.len = TABLE_OFFSET;
	set_section(im, S_TEXT, ".text", SHT_PROGBITS);
	set_section(im, S_PLT, ".plt", SHT_PROGBITS);
	set_section(im, S_DATA, ".data", SHT_PROGBITS);
	set_section(im, S_DEBUG, ".debug_str", SHT_PROGBITS);
	set_section(im, S_SYM, ".symtab", SHT_SYMTAB);
	set_section(im, S_STR, ".strtab", SHT_STRTAB);
	set_section(im, S_DYN, ".dynsym", SHT_DYNSYM);
	set_section(im, S_RELA, ".rela.plt", SHT_RELA);
	set_section(im, S_NOTE, ".note.gnu.build-id", SHT_NOTE);
	set_section(im, S_LINK, ".gnu_debuglink", SHT_PROGBITS);
	set_section(im, S_NAMES, ".shstrtab", SHT_STRTAB);
	place(im, S_TEXT, TEXT, TEXT_OFFSET);
	place(im, S_PLT, TEXT + 0x1000, PLT_OFFSET);
	place(im, S_DATA, DATA, DATA_OFFSET);
	im->sh[S_TEXT].sh_flags |= SHF_EXECINSTR;
	im->sh[S_PLT].sh_flags |= SHF_EXECINSTR;
	im->sh[S_PLT].sh_entsize = 16;
	put_section(im, S_NOTE, &note, sizeof(note));
	im->sh[S_NOTE].sh_addralign = 4;
	put_section(im, S_LINK, "x.debug\0\x78\x56\x34\x12", 12);
}

#define GOT 0x503700

/* ENTRIES stubs behind a header, each "jmp *slot(%rip)", and a relocation for each slot. */
static inline void put_plt(struct image *im, size_t entries)
{
	Elf64_Rela r = { .r_info = 0 };
	struct buf b = { 0 };

	for (size_t i = 0; i < entries; i++) {
		size_t at = 16 * (i + 1);
		uint32_t distance = (uint32_t)(GOT + 8 * i - (TEXT + 0x1000 + at + 6));

		memcpy(im->b.data + PLT_OFFSET + at, "\xff\x25", 2);
		memcpy(im->b.data + PLT_OFFSET + at + 2, &distance, 4);
		r.r_offset = GOT + 8 * i;
		r.r_info = ELF64_R_INFO(i + 1, R_X86_64_JUMP_SLOT);
		buf_add(&b, &r, sizeof(r));
	}
	put_section(im, S_RELA, b.data, b.len);
	im->sh[S_RELA].sh_flags = SHF_ALLOC;
	im->sh[S_RELA].sh_link = S_DYN;
	im->sh[S_RELA].sh_entsize = sizeof(r);
	buf_release(&b);
}

static inline void image_end(struct image *im)
{
	Elf64_Phdr ph[2] = {
		{ .p_type = PT_LOAD, .p_vaddr = TEXT, .p_offset = TEXT_OFFSET, .p_memsz = 0x2000 },
		{ .p_type = PT_LOAD, .p_vaddr = DATA, .p_offset = DATA_OFFSET, .p_memsz = 0x1000 },
	};
	Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_EXEC,
			  .e_machine = im->machine,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(eh),
			  .e_ehsize = sizeof(eh),
			  .e_phentsize = sizeof(ph[0]),
			  .e_phnum = 2,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = SECTIONS,
			  .e_shstrndx = S_NAMES };

	put_section(im, S_STR, im->strings.data, im->strings.len);
	im->sh[S_NAMES].sh_offset = im->sh[S_STR].sh_offset;
	im->sh[S_NAMES].sh_size = im->sh[S_STR].sh_size;
	while (im->b.len % 8)
		buf_char(&im->b, 0);
	eh.e_shoff = im->b.len;
	buf_add(&im->b, im->sh, sizeof(im->sh));
	memcpy(im->b.data, &eh, sizeof(eh));
	memcpy(im->b.data + sizeof(eh), ph, sizeof(ph));
	buf_release(&im->strings);
}

#define FN(n, at, len, b)                                   \
	{                                                   \
		n, TEXT + (at), len, b, STT_FUNC, S_TEXT, 0 \
	}

#endif
