/* Opening DWARF through libdw, with its alternate file. */
#include "parser/names/dwarf/dwarfs.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dies.h"
#include "parser/names/dwarf/relocate.h"
#include "parser/names/elf/inflated.h"
#include "parser/names/sources/sources.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>

#define INFO ".debug_info"

/* Compilers' output deflates to a quarter, long tables of zeroes to a fiftieth. */
#define INFLATE_MAX  64
#define INFLATE_FREE (64u << 20) /* bytes, whatever they came from */

/* An ELF file of this machine with one section of debug information, in which nothing is. */
struct elf_image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[32];
	char frame[8];
};

static const char image_names[] = "\0.shstrtab\0.debug_frame";

static void fill_image(struct elf_image *i)
{
	*i = (struct elf_image){
		.header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
										   : ELFDATA2MSB,
					 EV_CURRENT },
			    .e_type = ET_DYN,
			    .e_version = EV_CURRENT,
			    .e_shoff = offsetof(struct elf_image, sections),
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 3,
			    .e_shstrndx = 1 },
		.sections = { { 0 },
			      { .sh_name = 1,
				.sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct elf_image, names),
				.sh_size = sizeof(image_names) },
			      { .sh_name = 11,
				.sh_type = SHT_PROGBITS,
				.sh_offset = offsetof(struct elf_image, frame),
				.sh_size = sizeof(i->frame) } },
	};
	memcpy(i->names, image_names, sizeof(image_names));
}

static void open_empty(struct dwarfs *d)
{
	d->empty_image = xmalloc(sizeof(*d->empty_image));
	fill_image(d->empty_image);
	d->empty_elf = elf_memory((char *)d->empty_image, sizeof(*d->empty_image));
	d->empty = dwarf_begin_elf(d->empty_elf, DWARF_C_READ, NULL);
}

/* ---- what is missing ---- */

const char *dwarfs_keep(struct dwarfs *d, const char *text)
{
	return arena_strndup(d->arena, text, strlen(text));
}

static void cannot_read(struct dwarfs *d, const char *why)
{
	if (!d->missing->unreadable)
		d->missing->unreadable = why;
}

/* ---- compressed sections ---- */

static bool is_needed(const struct dwarfs *d, const char *name)
{
	static const char *const needed[] = { "line",	  "info",	 "abbrev", "str",
					      "line_str", "str_offsets", "addr",   "ranges",
					      "rnglists", "sup" };
	const char *what = name + (name[1] == 'z' ? 8 : 7);

	for (size_t i = !d->lines; i < ARRAY_SIZE(needed); i++) {
		size_t n = strlen(needed[i]);

		if (!strncmp(what, needed[i], n) && (!what[n] || what[n] == '.'))
			return true;
	}
	return false;
}

/* Keep what nobody will ask for (locations, mostly) from being inflated: in memory, such a section
 * becomes one without contents. It loses its name too: by the index of a package, libdw would take
 * that for a file that is not split. */
static void hide(Elf_Scn *scn, GElf_Shdr *sh)
{
	sh->sh_type = SHT_NOBITS;
	sh->sh_name = 0;
	(void)gelf_update_shdr(scn, sh);
}

/* The inflated size that a compressed section claims; 0 when it is not compressed. */
static uint64_t inflated_size(Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	GElf_Chdr ch;
	uint64_t size = 0;

	if (sh->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &ch) ? ch.ch_size : 0;
	if (!strncmp(name, ".zdebug", 7)) { /* "ZLIB", then the size, big endian */
		Elf_Data *data = elf_rawdata(scn, NULL);

		for (size_t i = 4; data && data->d_buf && data->d_size >= 12 && i < 12; i++)
			size = size << 8 | ((const uint8_t *)data->d_buf)[i];
	}
	return size;
}

/* Hide the debug sections that are not needed. Returns the size of the others when inflated, as
 * they claim it; 0 when no file has such. */
static uint64_t choose_sections(const struct dwarfs *d, Elf *elf)
{
	Elf_Scn *scn = NULL;
	uint64_t total = 0, stored = 0;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *name;
		uint64_t size;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		if (!name || (strncmp(name, ".debug_", 7) && strncmp(name, ".zdebug_", 8)))
			continue;
		if (!is_needed(d, name)) {
			hide(scn, &sh);
			continue;
		}
		size = inflated_size(scn, &sh, name);
		if (size > UINT64_MAX / 2 - total)
			return 0;
		total += size ? size : sh.sh_size;
		stored += sh.sh_size;
	}
	return total > INFLATE_FREE && total / INFLATE_MAX > stored ? 0 : total;
}

/* A section of debug information that stays compressed is told by its name. */
static void tell_compressed(struct dwarfs *d, Elf *elf)
{
	Elf_Scn *scn = NULL;
	const char *name;
	char why[160];
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_COMPRESSED) ||
		    sh.sh_type == SHT_NOBITS || sh.sh_flags & SHF_ALLOC)
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		snprintf(why, sizeof(why), "%.80s is compressed, and cannot be inflated",
			 name ?: "a section");
		cannot_read(d, dwarfs_keep(d, why));
		return;
	}
}

/* In place of *F the same with its sections inflated, if any are compressed. */
static void inflate(struct elf_file **f)
{
	struct elf_file *inflated = elf_file_inflated(*f, SIZE_MAX / 2, NULL);

	if (!inflated)
		return;
	elf_file_free(*f);
	*f = inflated;
}

/* ---- of a compressed file the units that are wanted, and those before them ---- */

static bool is_swapped(const struct elf_file *f)
{
	return (elf_file_ident(f)[EI_DATA] == ELFDATA2MSB) !=
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Does .debug_info consist of units, to its end? */
static bool ends_with_unit(struct elf_file *f)
{
	struct elf_section info;
	struct cursor c;

	if (elf_file_contents(f, INFO, &info) < 0)
		return false;
	c = cursor_make(info.data, info.size, is_swapped(f));
	while (cursor_left(&c)) {
		uint64_t length = cursor_u32(&c);

		length = length == UINT32_MAX ? cursor_u64(&c) : length;
		if (!length || length > cursor_left(&c))
			return false;
		cursor_skip(&c, (size_t)length);
	}
	return !c.bad;
}

/* Units that lie behind those that are wanted need not be inflated, unless these refer to them;
 * then the caller must open it again, whole. */
static void inflate_units(struct dwarfs *d, uint64_t end)
{
	const struct section_cut cut = { INFO, end };
	struct elf_file *f = elf_file_inflated(d->file, SIZE_MAX / 2, &cut);

	d->cut = f && ends_with_unit(f);
	if (d->cut) {
		elf_file_free(d->file);
		d->file = f;
		return;
	}
	elf_file_free(f);
	inflate(&d->file);
}

/* Which units are wanted, and where the next one begins; UINT64_MAX: it is not told. */
static uint64_t find_units(struct dwarfs *d)
{
	size_t size;
	uint8_t *data = d->count && elf_file_info(d->file)->type != ET_REL
				? elf_section_copy(d->file, ".debug_aranges", &size)
				: NULL;
	struct cursor c;
	uint64_t end = UINT64_MAX;

	if (!data)
		return end;
	c = cursor_make(data, size, is_swapped(d->file));
	d->told = aranges_find(&d->units, c, d->addrs, d->count);
	if (d->told && !d->whole)
		end = aranges_end(&d->units, c);
	free(data);
	return end;
}

Dwarf *dwarfs_begin(struct dwarfs *d, struct elf_file **f)
{
	bool main = f == &d->file;
	uint64_t end = main ? find_units(d) : UINT64_MAX; /* libdw is not asked for it */
	uint64_t size = choose_sections(d, elf_file_elf(*f));
	Dwarf *dbg;

	if (!size) {
		cannot_read(d, "its compressed sections have impossible sizes");
		return NULL;
	}
	d->size_bytes += size;
	if (end == UINT64_MAX)
		inflate(f);
	else
		inflate_units(d, end);
	if (main && elf_file_info(*f)->type == ET_REL && relocate_debug(*f) < 0) {
		cannot_read(d, "its relocations are not known");
		return NULL;
	}
	dbg = dwarf_begin_elf(elf_file_elf(*f), DWARF_C_READ, NULL);
	tell_compressed(d, elf_file_elf(*f));
	return dbg;
}

/* ---- the alternate file (dwz) ---- */

/* DWARF 5 has a form of its own for this (7.3.6), which libdw does not read: a version, a flag (we
 * are the supplementary file), the other's path. */
static void look_for_sup(struct dwarfs *d)
{
	size_t size;
	const uint8_t *sup = dwarf_section(d->dbg, ".debug_sup", &size);

	if (sup && size > 4 && !sup[2] && memchr(sup + 3, 0, size - 3))
		d->missing->alt = dwarfs_keep(d, (const char *)sup + 3);
}

static void open_alt(struct dwarfs *d, const struct dwarf_finder *finder)
{
	const char *name;
	const void *bytes;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(d->dbg, &name, &bytes);
	struct build_id id;

	if (len <= 0) {
		look_for_sup(d);
		return;
	}
	id = build_id_make(bytes, (size_t)len);
	if (id.len && !d->alt_file && finder->find)
		d->alt_file = finder->find(finder->ctx, name, &id);
	if (d->alt_file)
		d->alt = dwarfs_begin(d, &d->alt_file);
	if (!d->alt) {
		d->missing->alt = dwarfs_keep(d, name);
		d->missing->alt_id = id;
	}
}

static void set_alts(struct dwarfs *d)
{
	if (d->alt)
		dwarf_setalt(d->alt, d->empty);
	dwarf_setalt(d->dbg, d->alt ?: d->empty);
}

/* ---- the whole ---- */

static char *directory_of(const char *path)
{
	char *real = realpath(path, NULL);

	if (real)
		strrchr(real, '/')[1] = '\0';
	return real;
}

int dwarfs_open(struct dwarfs *d, const char *path, const struct dwarf_finder *finder)
{
	int rc;

	d->file = sources_elf(finder->symbols, path, true, &rc);
	if (!d->file)
		return rc;
	if (!elf_file_info(d->file)->has_dwarf)
		return ERR_ABSENT;
	d->path = path;
	d->dir = directory_of(path);
	d->symbols = finder->symbols;
	d->recorded = finder->recorded;
	open_empty(d);
	d->dbg = dwarfs_begin(d, &d->file);
	if (!d->dbg || !d->empty)
		return ERR_FORMAT;
	open_alt(d, finder);
	set_alts(d);
	return 0;
}

int dwarfs_renew(struct dwarfs *d)
{
	dwarf_end(d->dbg);
	dwarf_end(d->alt);
	d->dbg = dwarf_begin_elf(elf_file_elf(d->file), DWARF_C_READ, NULL);
	if (d->alt)
		d->alt = dwarf_begin_elf(elf_file_elf(d->alt_file), DWARF_C_READ, NULL);
	if (!d->dbg)
		return ERR_FORMAT;
	set_alts(d);
	return 0;
}

void dwarfs_close(struct dwarfs *d)
{
	dwarf_end(d->dbg);
	dwarf_end(d->alt);
	dwarf_end(d->empty);
	aranges_release(&d->units);
	elf_end(d->empty_elf);
	free(d->empty_image);
	elf_file_free(d->alt_file);
	elf_file_free(d->file);
	free(d->dir);
}
