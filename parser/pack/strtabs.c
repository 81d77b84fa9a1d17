/* Where names begin, sorted: each ends where its string does, and what begins within one has its
 * end. */
#include "parser/pack/strtabs.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/pack/usedsyms.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct offsets {
	uint64_t *list;
	size_t count, cap;
	const struct elf_strings *strings; /* that they are in */
	const struct usedsyms *used;	   /* NULL: all */
};

static void add(struct offsets *o, uint64_t at)
{
	o->list = xgrow(o->list, &o->cap, o->count + 1, sizeof(*o->list));
	o->list[o->count++] = at;
}

/* But for those of source files. */
static void add_symbols(struct offsets *o, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_string(o->strings, sym.st_name);

		if (GELF_ST_TYPE(sym.st_info) != STT_FILE && sym.st_name && name &&
		    (!o->used || usedsyms_has(o->used, name)))
			add(o, sym.st_name);
	}
}

/* The names in the section of INDEX. */
static void find(struct offsets *o, Elf *elf, size_t index, size_t names)
{
	Elf_Scn *scn = NULL;

	o->count = 0;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h))
			continue;
		if (index == names)
			add(o, h.sh_name);
		if ((h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM) && h.sh_link == index)
			add_symbols(o, scn);
	}
	if (o->count)
		qsort(o->list, o->count, sizeof(*o->list), compare_numbers);
}

/* S begins at AT in the file. */
static void take(struct ranges *out, const struct offsets *o, uint64_t at)
{
	const struct elf_strings *s = o->strings;
	uint64_t end = 0;

	for (size_t i = 0; i < o->count && o->list[i] < s->size; i++) {
		uint64_t from = o->list[i];

		if (from < end)
			continue;
		end = from + strlen(s->data + from) + 1;
		ranges_add(out, at + from, at + end);
	}
}

void strtabs_select(struct ranges *out, const struct elf_file *f, size_t names,
		    const struct usedsyms *used)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	struct offsets o = { .used = used };
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		size_t index = elf_ndxscn(scn);
		struct elf_strings s;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_STRTAB)
			continue;
		s = elf_file_strings(f, index);
		o.strings = &s;
		find(&o, elf, index, names);
		take(out, &o, h.sh_offset);
	}
	free(o.list);
}
