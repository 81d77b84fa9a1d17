/* By sections: their names and types say what they are for. */
#include "parser/pack/reduce.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define TAR_BLOCK 512

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

		/* GNU tar takes no part of a block from a range, but at the end of the file */
		one.start -= one.start % TAR_BLOCK;
		one.end = size - size % TAR_BLOCK < one.end
				  ? size
				  : (one.end + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
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

void reduce_elf(struct ranges *out, const struct elf_file *f, bool unwinding)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	Elf_Scn *scn = NULL;
	size_t names;

	if (is_whole(elf) || elf_getshdrstrndx(elf, &names)) {
		ranges_add(out, 0, UINT64_MAX);
		return;
	}
	add_headers(out, elf);
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (name && h.sh_type != SHT_NOBITS && is_needed(name, &h, unwinding) &&
		    h.sh_offset + h.sh_size >= h.sh_offset)
			ranges_add(out, h.sh_offset, h.sh_offset + h.sh_size);
	}
}
