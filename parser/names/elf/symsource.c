/* Symbols of files stand before those of the functions in them. Local ones are of the file before
 * them; global ones stand behind all, and only where there is one file are they of that. */
#include "parser/names/elf/symsource.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>

#define SECTIONS_BACK 16 /* symbols of other sections at one address, at most */

struct symsource_function {
	uint64_t start, size;
	uint64_t from, end; /* its section */
	const char *file;   /* NULL: not told */
	uint32_t order;
	uint8_t type;
};

/* Of what is no data: functions, and labels that are not of a plugin of the compiler's. */
static bool is_function(const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	if (type == STT_NOTYPE)
		return sym->st_size || GELF_ST_BIND(sym->st_info) != STB_LOCAL ||
		       GELF_ST_VISIBILITY(sym->st_other) != STV_HIDDEN;
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

static int by_start(const void *pa, const void *pb)
{
	const struct symsource_function *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void read_table(struct symsource *s, Elf *elf, Elf_Data *data,
		       const struct elf_strings *names)
{
	bool seen = false, apart = false; /* a symbol; behind one, that of a file */
	const char *file = NULL;
	size_t cap = 0;
	GElf_Shdr sh;
	GElf_Sym sym;

	for (int i = 1; gelf_getsym(data, i, &sym); i++) {
		if (GELF_ST_TYPE(sym.st_info) == STT_FILE) {
			apart |= seen;
			file = elf_string(names, sym.st_name);
			continue;
		}
		seen = true;
		if (!is_function(&sym) || !gelf_getshdr(elf_getscn(elf, sym.st_shndx), &sh))
			continue;
		s->list = xgrow(s->list, &cap, s->count + 1, sizeof(*s->list));
		s->list[s->count++] = (struct symsource_function){
			.start = sym.st_value,
			.size = sym.st_size ?: 1,
			.from = sh.sh_addr,
			.end = sh.sh_addr + sh.sh_size,
			.file = GELF_ST_BIND(sym.st_info) == STB_LOCAL || !apart ? file : NULL,
			.order = (uint32_t)i,
			.type = GELF_ST_TYPE(sym.st_info),
		};
	}
}

void symsource_load(struct symsource *s, struct elf_file *f)
{
	Elf *elf = elf_file_elf(f);
	Elf_Scn *scn = elf_getscn(elf, elf_file_section(f, ".symtab"));
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	struct elf_strings names;
	GElf_Shdr sh;

	*s = (struct symsource){ 0 };
	if (!data || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
		return;
	names = elf_file_strings(f, sh.sh_link);
	read_table(s, elf, data, &names);
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), by_start);
}

/* Is A, which begins where B does, the better one? B is in the file before it. */
static bool is_better(const struct symsource_function *a, const struct symsource_function *b,
		      uint64_t vaddr)
{
	bool reaches_a = vaddr - a->start < a->size, reaches_b = vaddr - b->start < b->size;

	if (!reaches_b)
		return a->size > b->size;
	if (!reaches_a)
		return false;
	if ((a->type == STT_FUNC) != (b->type == STT_FUNC))
		return a->type == STT_FUNC;
	if ((a->type == STT_NOTYPE) != (b->type == STT_NOTYPE))
		return b->type == STT_NOTYPE;
	return a->size < b->size;
}

const char *symsource_at(const struct symsource *s, uint64_t vaddr)
{
	const struct symsource_function *best = NULL, *f;
	size_t low = 0, high = s->count, back = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->list[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low && (best || back < SECTIONS_BACK); low--, back++) {
		f = &s->list[low - 1];
		if (best && f->start != best->start)
			break;
		if (vaddr < f->from || vaddr >= f->end)
			continue;
		if (!best || !is_better(best, f, vaddr))
			best = f;
	}
	return !best ? NULL : best->file ?: "??";
}

void symsource_release(struct symsource *s)
{
	free(s->list);
	*s = (struct symsource){ 0 };
}
