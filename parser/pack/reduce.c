/* By sections: their names and types say what they are for. */
#include "parser/pack/reduce.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/units.h"
#include "parser/names/elf/elffile.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

void ranges_add(struct ranges *r, uint64_t start, uint64_t end)
{
	if (end <= start)
		return;
	r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
	r->list[r->count++] = (struct range){ start, end };
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void ranges_clean(struct ranges *r, uint64_t size)
{
	size_t n = 0;

	if (r->count)
		qsort(r->list, r->count, sizeof(*r->list), by_start);
	for (size_t i = 0; i < r->count; i++) {
		struct range one = r->list[i];

		one.end = one.end < size ? one.end : size;
		if (one.start >= one.end)
			continue;
		if (n && one.start <= r->list[n - 1].end)
			r->list[n - 1].end =
				one.end > r->list[n - 1].end ? one.end : r->list[n - 1].end;
		else
			r->list[n++] = one;
	}
	r->count = n;
}

void ranges_release(struct ranges *r)
{
	free(r->list);
}

static bool begins(const char *name, const char *const *list)
{
	for (; *list; list++) {
		if (!strncmp(name, *list, strlen(*list)))
			return true;
	}
	return false;
}

static bool is_needed(const char *name, const GElf_Shdr *h, bool unwinding)
{
	static const char *const always[] = { ".plt",
					      ".iplt",
					      ".got",
					      ".glink",
					      ".rela.plt",
					      ".rel.plt",
					      ".rela.",
					      ".rel.dyn",
					      ".rel.iplt",
					      ".opd",
					      ".gnu_debug",
					      ".gopclntab",
					      ".data.rel.ro.gopclntab",
					      NULL };
	static const char *const tables[] = { ".eh_frame", ".debug_frame", ".ARM.ex", NULL };
	static const char *const debug[] = { ".debug_", ".zdebug_", NULL };
	/* of variables, macros, and indexes for debuggers */
	static const char *const useless[] = { ".debug_loc",   ".debug_macro", ".debug_macinfo",
					       ".debug_pub",   ".debug_gnu",   ".debug_aranges",
					       ".debug_names", ".debug_types", NULL };

	switch (h->sh_type) {
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_STRTAB:
	case SHT_NOTE:
	case SHT_SYMTAB_SHNDX:
	case SHT_DYNAMIC:
	case SHT_ARM_ATTRIBUTES:
		return true;
	}
	if (begins(name, tables))
		return unwinding;
	return begins(name, always) || (begins(name, debug) && !begins(name, useless));
}

/* An object file (a module of the kernel) is of one piece. */
static bool is_whole(Elf *elf)
{
	GElf_Ehdr e;

	return !gelf_getehdr(elf, &e) || e.e_type == ET_REL;
}

static void add_headers(struct ranges *out, Elf *elf)
{
	GElf_Ehdr e;
	size_t phdrs = 0, shdrs = 0;

	if (!gelf_getehdr(elf, &e) || elf_getphdrnum(elf, &phdrs) || elf_getshdrnum(elf, &shdrs))
		return;
	ranges_add(out, 0, e.e_ehsize);
	ranges_add(out, e.e_phoff, e.e_phoff + phdrs * e.e_phentsize);
	ranges_add(out, e.e_shoff, e.e_shoff + shdrs * e.e_shentsize);
}

/* ---- debug information by parts ---- */

static const char *const parted[] = { ".debug_info", ".debug_line", ".debug_str" };

/* Pieces of a section of FILE. */
struct parts {
	struct ranges list;
	uint64_t offset[ARRAY_SIZE(parted)]; /* of the sections, in the file */
};

static int part_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(parted); i++) {
		if (!strcmp(name, parted[i]))
			return (int)i;
	}
	return -1;
}

static void take_part(void *ctx, const char *section, uint64_t start, uint64_t end)
{
	struct parts *p = ctx;
	uint64_t at = p->offset[part_of(section)];

	if (at)
		ranges_add(&p->list, at + start, at + end);
}

struct section {
	const char *name; /* NULL: it has no contents here */
	GElf_Shdr head;
};

static struct section section_of(Elf_Scn *scn, Elf *elf, size_t names)
{
	struct section s = { 0 };

	if (gelf_getshdr(scn, &s.head) && s.head.sh_type != SHT_NOBITS &&
	    s.head.sh_offset + s.head.sh_size >= s.head.sh_offset)
		s.name = elf_strptr(elf, names, s.head.sh_name);
	return s;
}

/* Are the parts of F's debug information told that WISH needs? */
static bool find_parts(struct parts *p, const struct elf_file *f, const struct reduce_wish *wish,
		       size_t names)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	Elf_Scn *scn = NULL;

	if (!elf_file_info(f)->has_dwarf)
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		struct section s = section_of(scn, elf, names);
		int part = s.name ? part_of(s.name) : -1;

		if (part >= 0 && s.head.sh_flags & SHF_COMPRESSED)
			return false;
		if (part >= 0)
			p->offset[part] = s.head.sh_offset;
	}
	return units_select(f, &(struct units_query){ wish->addrs, wish->count, take_part, p }) ==
	       0;
}

void reduce_elf(struct ranges *out, const struct elf_file *f, const struct reduce_wish *wish)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	struct parts parts = { 0 };
	Elf_Scn *scn = NULL;
	bool by_parts;
	size_t names;

	if (is_whole(elf) || elf_getshdrstrndx(elf, &names)) {
		ranges_add(out, 0, UINT64_MAX);
		return;
	}
	add_headers(out, elf);
	by_parts = find_parts(&parts, f, wish, names);
	for (size_t i = 0; by_parts && i < parts.list.count; i++)
		ranges_add(out, parts.list.list[i].start, parts.list.list[i].end);
	ranges_release(&parts.list);
	while ((scn = elf_nextscn(elf, scn))) {
		struct section s = section_of(scn, elf, names);

		if (s.name && is_needed(s.name, &s.head, wish->unwinding) &&
		    !(by_parts && part_of(s.name) >= 0))
			ranges_add(out, s.head.sh_offset, s.head.sh_offset + s.head.sh_size);
	}
}
