/* Bytes of code come from the section that holds the address; kinds of regions from mapping
 * symbols. Everything is checked against the file's size first. */
#include "parser/names/elf/regions.h"
#include "parser/base/mem.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

/* Does the section hold instructions, and VADDR among them? */
static bool holds(const GElf_Shdr *sh, uint64_t vaddr)
{
	return sh->sh_type == SHT_PROGBITS && sh->sh_flags & SHF_EXECINSTR &&
	       sh->sh_flags & SHF_ALLOC && vaddr >= sh->sh_addr &&
	       vaddr - sh->sh_addr < sh->sh_size;
}

const uint8_t *code_bytes(const struct elf_file *f, uint64_t vaddr, size_t *left)
{
	Elf *elf = elf_file_elf(f);
	Elf_Scn *scn = NULL;
	bool sections = false;
	size_t file_bytes;
	const char *file = elf_rawfile(elf, &file_bytes);
	const uint8_t *code;
	GElf_Shdr sh;

	while (file && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		sections = true;
		if (!holds(&sh, vaddr) || sh.sh_offset >= file_bytes ||
		    vaddr - sh.sh_addr >= file_bytes - sh.sh_offset)
			continue;
		*left = sh.sh_size - (vaddr - sh.sh_addr);
		if (*left > file_bytes - sh.sh_offset - (vaddr - sh.sh_addr))
			*left = file_bytes - sh.sh_offset - (vaddr - sh.sh_addr);
		return (const uint8_t *)file + sh.sh_offset + (vaddr - sh.sh_addr);
	}
	/* the section headers were stripped: by segment */
	code = sections ? NULL : elf_file_constant(f, vaddr, 1);
	*left = code ? file_bytes - (size_t)((const char *)code - file) : 0;
	return code;
}

/* ---- regions ---- */

static int by_start(const void *a, const void *b)
{
	const struct region *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool has_regions(uint16_t machine)
{
	return machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV;
}

/* "$d", "$d.realdata", "$xrv64i": what NAME says of what follows; false: nothing. */
static bool kind_of(const char *name, uint8_t *kind)
{
	static const char letters[] = "axtd";
	static const uint8_t kinds[] = { REGION_CODE, REGION_CODE, REGION_THUMB, REGION_DATA };
	const char *at;

	if (!name || name[0] != '$' || !name[1])
		return false;
	at = strchr(letters, name[1]);
	if (!at || (name[2] && name[2] != '.' && name[1] != 'x'))
		return false;
	*kind = kinds[at - letters];
	return true;
}

struct range {
	uint64_t start, end;
	struct region first; /* what holds at the start */
	bool marked;	     /* a mapping symbol told it */
	bool thumb;	     /* bit 0 of the function's own symbol says so */
};

static void add_symbol(struct regions *r, struct range *range, const GElf_Sym *s, const char *name)
{
	struct region here = { .start = s->st_value, .order = (uint32_t)r->count };

	if (kind_of(name, &here.kind)) {
		if (here.start > range->start && here.start < range->end) {
			r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
			r->list[r->count++] = here;
		} else if (here.start <= range->start &&
			   (!range->marked || here.start >= range->first.start)) {
			range->first = here;
			range->marked = true;
		}
	} else if (GELF_ST_TYPE(s->st_info) == STT_FUNC && s->st_value == range->start + 1) {
		range->thumb = true;
	}
}

static void read_table(struct regions *r, struct range *range, Elf *elf, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr sh;
	GElf_Sym s;

	if (!gelf_getshdr(scn, &sh))
		return;
	for (int i = 0; data && gelf_getsym(data, i, &s); i++) {
		if (s.st_shndx != SHN_UNDEF)
			add_symbol(r, range, &s, elf_strptr(elf, sh.sh_link, s.st_name));
	}
}

void regions_read(struct regions *r, const struct elf_file *f, uint64_t start, uint64_t end)
{
	struct range range = { .start = start, .end = end };
	Elf *elf = elf_file_elf(f);
	Elf_Scn *scn = NULL;
	unsigned tables = 0;

	/* a file has one table of each kind, a damaged one more */
	while (has_regions(elf_file_info(f)->machine) && tables < 4 &&
	       (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) ||
		    (sh.sh_type != SHT_SYMTAB && sh.sh_type != SHT_DYNSYM))
			continue;
		tables++;
		read_table(r, &range, elf, scn);
	}
	if (range.thumb && elf_file_info(f)->machine == EM_ARM)
		range.first.kind = REGION_THUMB;
	range.first.start = start;
	range.first.order = 0;
	r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
	r->list[r->count++] = range.first;
	qsort(r->list, r->count, sizeof(*r->list), by_start);
}

void regions_release(struct regions *r)
{
	free(r->list);
}
