/* Apply the few kinds of relocations that compilers put into debug information (the psABI of each
 * machine; values from elf.h). */
#include "parser/names/dwarf/relocate.h"
#include "parser/base/mem.h"
#include "parser/names/kernel/kmodule.h"

#include <string.h>

#include <gelf.h>
#include <libelf.h>

enum action { PUT, ADD, SUB };

static const struct kind {
	uint16_t machine;
	uint16_t type;
	uint8_t size; /* bytes */
	uint8_t action;
} kinds[] = {
	{ EM_X86_64, R_X86_64_64, 8, PUT },	 { EM_X86_64, R_X86_64_32, 4, PUT },
	{ EM_X86_64, R_X86_64_32S, 4, PUT },	 { EM_386, R_386_32, 4, PUT },
	{ EM_AARCH64, R_AARCH64_ABS64, 8, PUT }, { EM_AARCH64, R_AARCH64_ABS32, 4, PUT },
	{ EM_ARM, R_ARM_ABS32, 4, PUT },	 { EM_S390, R_390_64, 8, PUT },
	{ EM_S390, R_390_32, 4, PUT },		 { EM_PPC64, R_PPC64_ADDR64, 8, PUT },
	{ EM_PPC64, R_PPC64_ADDR32, 4, PUT },	 { EM_RISCV, R_RISCV_64, 8, PUT },
	{ EM_RISCV, R_RISCV_32, 4, PUT },	 { EM_RISCV, R_RISCV_SET32, 4, PUT },
	{ EM_RISCV, R_RISCV_SET16, 2, PUT },	 { EM_RISCV, R_RISCV_SET8, 1, PUT },
	{ EM_RISCV, R_RISCV_ADD64, 8, ADD },	 { EM_RISCV, R_RISCV_ADD32, 4, ADD },
	{ EM_RISCV, R_RISCV_ADD16, 2, ADD },	 { EM_RISCV, R_RISCV_ADD8, 1, ADD },
	{ EM_RISCV, R_RISCV_SUB64, 8, SUB },	 { EM_RISCV, R_RISCV_SUB32, 4, SUB },
	{ EM_RISCV, R_RISCV_SUB16, 2, SUB },	 { EM_RISCV, R_RISCV_SUB8, 1, SUB },
};

struct relocation {
	uint64_t offset;
	uint64_t info;
	uint64_t addend;
	bool in_place; /* the addend is what is there */
};

struct relocator {
	Elf *elf;
	struct section_places places;
	uint16_t machine;
	bool big_endian;
	uint64_t
		bytes_left; /* of relocations: sections may lie over each other in a damaged file */
	/* of the section at hand */
	uint8_t *to;
	size_t to_size;
	Elf_Data *syms;
};

static const struct kind *kind_of(const struct relocator *r, uint64_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].machine == r->machine && kinds[i].type == type)
			return &kinds[i];
	}
	return NULL;
}

static uint64_t get(const struct relocator *r, const uint8_t *p, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v = v << 8 | p[r->big_endian ? i : size - 1 - i];
	return v;
}

static void put(const struct relocator *r, uint8_t *p, unsigned size, uint64_t v)
{
	for (unsigned i = 0; i < size; i++, v >>= 8)
		p[r->big_endian ? size - 1 - i : i] = (uint8_t)v;
}

static void apply(const struct relocator *r, const struct relocation *rel)
{
	const struct kind *k = kind_of(r, GELF_R_TYPE(rel->info));
	uint64_t value, there;
	uint8_t *at;
	GElf_Sym sym;

	if (!k || rel->offset > r->to_size || r->to_size - rel->offset < k->size ||
	    !gelf_getsym(r->syms, (int)GELF_R_SYM(rel->info), &sym) || sym.st_shndx == SHN_UNDEF)
		return;
	at = r->to + rel->offset;
	there = get(r, at, k->size);
	value = sym.st_value + (rel->in_place ? there : rel->addend);
	if (sym.st_shndx < r->places.count)
		value += r->places.list[sym.st_shndx];
	if (k->action == ADD)
		value = there + value;
	else if (k->action == SUB)
		value = there - value;
	put(r, at, k->size, value);
}

static void apply_all(const struct relocator *r, Elf_Data *data, bool with_addend)
{
	GElf_Rela a;
	GElf_Rel p;

	for (int i = 0; with_addend && gelf_getrela(data, i, &a); i++)
		apply(r, &(struct relocation){ a.r_offset, a.r_info, (uint64_t)a.r_addend, false });
	for (int i = 0; !with_addend && gelf_getrel(data, i, &p); i++)
		apply(r, &(struct relocation){ p.r_offset, p.r_info, 0, true });
}

/* libelf trusts the headers that it has looked at, and they are in the same memory: nothing may be
 * written there. */
static bool is_apart(const struct relocator *r)
{
	size_t size, count;
	const char *file = elf_rawfile(r->elf, &size);
	const char *to = (const char *)r->to;
	uint64_t from, end;
	GElf_Ehdr eh;

	if (!gelf_getehdr(r->elf, &eh) || elf_getshdrnum(r->elf, &count))
		return false;
	from = (uint64_t)(to - file);
	end = from + r->to_size;
	return from >= eh.e_ehsize && from >= sizeof(Elf64_Ehdr) &&
	       (end <= eh.e_shoff || from >= eh.e_shoff + count * sizeof(Elf64_Shdr));
}

/* The contents of the debug section SCN, to be changed in place. */
static bool begin_target(struct relocator *r, Elf_Scn *scn, size_t names)
{
	const char *name;
	Elf_Data *data;
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
	    sh.sh_flags & (SHF_ALLOC | SHF_COMPRESSED))
		return false;
	name = elf_strptr(r->elf, names, sh.sh_name);
	if (!name || strncmp(name, ".debug_", 7))
		return false;
	data = elf_rawdata(scn, NULL);
	r->to = data ? data->d_buf : NULL;
	r->to_size = r->to ? data->d_size : 0;
	return r->to_size > 0 && is_apart(r);
}

static void relocate_section(struct relocator *r, Elf_Scn *scn, const GElf_Shdr *sh, size_t names)
{
	Elf_Data *data;
	GElf_Shdr table;

	if ((sh->sh_type != SHT_RELA && sh->sh_type != SHT_REL) || sh->sh_size > r->bytes_left ||
	    !gelf_getshdr(elf_getscn(r->elf, sh->sh_link), &table) || table.sh_type != SHT_SYMTAB ||
	    !begin_target(r, elf_getscn(r->elf, sh->sh_info), names))
		return;
	r->bytes_left -= sh->sh_size;
	r->syms = elf_getdata(elf_getscn(r->elf, sh->sh_link), NULL);
	data = elf_getdata(scn, NULL);
	if (r->syms && data)
		apply_all(r, data, sh->sh_type == SHT_RELA);
}

int relocate_debug(struct elf_file *f)
{
	struct relocator r = { .elf = elf_file_elf(f),
			       .machine = elf_file_info(f)->machine,
			       .big_endian = elf_file_info(f)->big_endian };
	int rc = section_places_find(&r.places, f);
	Elf_Scn *scn = NULL;
	size_t names, size;
	bool known = false;

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		known |= kinds[i].machine == r.machine;
	if (!known || elf_getshdrstrndx(r.elf, &names) || !elf_rawfile(r.elf, &size)) {
		section_places_release(&r.places);
		return ERR_ABSENT;
	}
	r.bytes_left = size;
	while ((scn = elf_nextscn(r.elf, scn))) {
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh))
			relocate_section(&r, scn, &sh, names);
	}
	section_places_release(&r.places);
	return 0;
}
