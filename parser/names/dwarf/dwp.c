/* Finding a unit in the index of a DWARF package, and cutting the sections to its parts. */
#include "parser/names/dwarf/dwp.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"

#include <string.h>

#include <gelf.h>
#include <libelf.h>

struct index {
	uint32_t version, columns, units, slots;
	struct cursor ids, rows, sections, offsets, sizes;
};

/* What the columns are about. */
static const char *const names_gnu[] = { [1] = ".debug_info.dwo",
					 [3] = ".debug_abbrev.dwo",
					 [4] = ".debug_line.dwo",
					 [6] = ".debug_str_offsets.dwo" };
static const char *const names_v5[] = { [1] = ".debug_info.dwo",
					[3] = ".debug_abbrev.dwo",
					[4] = ".debug_line.dwo",
					[6] = ".debug_str_offsets.dwo",
					[8] = ".debug_rnglists.dwo" };

static uint32_t u32_at(struct cursor c, uint64_t i)
{
	cursor_skip(&c, i * 4);
	return cursor_u32(&c);
}

static uint64_t u64_at(struct cursor c, uint64_t i)
{
	cursor_skip(&c, i * 8);
	return cursor_u64(&c);
}

static int read_index(struct index *x, struct cursor c)
{
	uint64_t cells;

	x->version = cursor_u32(&c);
	if (x->version != 2) /* the padding may come first or last: by byte order */
		x->version = x->version == 5 || x->version == 5u << 16 ? 5 : 0;
	x->columns = cursor_u32(&c);
	x->units = cursor_u32(&c);
	x->slots = cursor_u32(&c);
	cells = (uint64_t)x->columns * x->units;
	if (!x->version || x->columns > 16 || x->slots & (x->slots - 1) ||
	    cursor_left(&c) / 4 < cells)
		return ERR_FORMAT;
	x->ids = cursor_sub(&c, (size_t)x->slots * 8);
	x->rows = cursor_sub(&c, (size_t)x->slots * 4);
	x->sections = cursor_sub(&c, (size_t)x->columns * 4);
	x->offsets = cursor_sub(&c, cells * 4);
	x->sizes = cursor_sub(&c, cells * 4);
	return x->sizes.bad || x->offsets.bad ? ERR_FORMAT : 0;
}

/* The row of the unit with ID, from 0. */
static int find_row(const struct index *x, uint64_t id, uint32_t *row)
{
	uint64_t mask = (uint64_t)x->slots - 1, at = id & mask, step = (id >> 32 & mask) | 1;

	for (uint32_t tries = 0; tries < x->slots; tries++, at = (at + step) & mask) {
		uint32_t r = u32_at(x->rows, at);

		if (!r)
			break;
		if (u64_at(x->ids, at) != id)
			continue;
		*row = r - 1;
		return r <= x->units ? 0 : ERR_FORMAT;
	}
	return ERR_ABSENT;
}

static Elf_Scn *section(struct elf_file *f, const char *name)
{
	size_t index = elf_file_section(f, name);

	return index ? elf_getscn(elf_file_elf(f), index) : NULL;
}

static bool swapped(struct elf_file *f)
{
	return elf_file_info(f)->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Put V into the field of SIZE bytes at P, in the file's byte order. */
static void put(struct elf_file *f, char *p, uint64_t v, size_t size)
{
	uint32_t v32 = (uint32_t)v;

	if (swapped(f)) {
		v = __builtin_bswap64(v);
		v32 = __builtin_bswap32(v32);
	}
	memcpy(p, size == 8 ? (void *)&v : (void *)&v32, size);
}

/* Write where section SCN begins and its size into the bytes of F. */
static int move_section(struct elf_file *f, Elf_Scn *scn, const GElf_Shdr *sh)
{
	GElf_Ehdr eh;
	size_t size;
	char *file = elf_rawfile(elf_file_elf(f), &size);
	bool is_64 = elf_file_info(f)->is_64;
	size_t width = is_64 ? 8 : 4;
	uint64_t at;

	if (!file || !gelf_getehdr(elf_file_elf(f), &eh))
		return ERR_FORMAT;
	at = eh.e_shoff + elf_ndxscn(scn) * eh.e_shentsize;
	if (at > size || size - at < (is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		return ERR_FORMAT;
	at += is_64 ? offsetof(Elf64_Shdr, sh_offset) : offsetof(Elf32_Shdr, sh_offset);
	put(f, file + at, sh->sh_offset, width);
	put(f, file + at + width, sh->sh_size, width); /* the next field */
	return 0;
}

/* Cut the section called NAME to the SIZE bytes at OFFSET. */
static int cut(struct elf_file *f, const char *name, uint32_t offset, uint32_t size)
{
	Elf_Scn *scn = section(f, name);
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh))
		return 0; /* no such part, then */
	if (sh.sh_flags & SHF_COMPRESSED || offset > sh.sh_size || size > sh.sh_size - offset)
		return ERR_FORMAT;
	sh.sh_offset += offset;
	sh.sh_size = size;
	return move_section(f, scn, &sh);
}

static int cut_all(struct elf_file *f, const struct index *x, uint32_t row)
{
	const char *const *names = x->version == 5 ? names_v5 : names_gnu;
	size_t count = x->version == 5 ? ARRAY_SIZE(names_v5) : ARRAY_SIZE(names_gnu);
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < x->columns; i++) {
		uint32_t what = u32_at(x->sections, i);
		uint64_t cell = (uint64_t)row * x->columns + i;

		if (what < count && names[what])
			rc = cut(f, names[what], u32_at(x->offsets, cell), u32_at(x->sizes, cell));
	}
	return rc;
}

struct elf_file *dwp_choose(struct elf_file *f, uint64_t id)
{
	Elf_Scn *scn = section(f, ".debug_cu_index");
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	struct index x;
	uint32_t row;
	size_t size;
	char *file;

	if (!data || !data->d_buf ||
	    read_index(&x, cursor_make(data->d_buf, data->d_size, swapped(f))) < 0 ||
	    find_row(&x, id, &row) < 0 || cut_all(f, &x, row) < 0)
		return NULL;
	file = elf_rawfile(elf_file_elf(f), &size);
	return file ? elf_file_memory(file, size, NULL) : NULL;
}
