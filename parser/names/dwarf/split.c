/* Finding split units, and reading their addresses and ranges. */
#include "parser/names/dwarf/split.h"
#include "parser/names/sources/symfiles.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dies.h"
#include "parser/names/dwarf/dwp.h"
#include "parser/names/sources/sources.h"
#include "parser/names/trust.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>

/* ---- numbers ---- */

static uint64_t of_size(struct cursor *c, unsigned size)
{
	const uint8_t *p;

	switch (size) {
	case 1:
		return cursor_u8(c);
	case 2:
		return cursor_u16(c);
	case 3:
		p = cursor_take(c, 3);
		if (!p)
			return 0;
		return c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
			       ? (uint64_t)p[0] << 16 | p[1] << 8 | p[2]
			       : (uint64_t)p[2] << 16 | p[1] << 8 | p[0];
	case 4:
		return cursor_u32(c);
	default:
		return cursor_u64(c);
	}
}

/* The bytes behind A: dies_next() has seen that the value is all there, and no number is longer. */
static struct cursor value_of(const struct split *s, const Dwarf_Attribute *a)
{
	return cursor_make(a->valp, 10, s->addrs.swap);
}

static int address_at(const struct split *s, uint64_t index, uint64_t *addr)
{
	struct cursor c = s->addrs;

	if (index >= cursor_left(&c) / s->address_size)
		return ERR_FORMAT;
	cursor_skip(&c, index * s->address_size);
	*addr = of_size(&c, s->address_size);
	return 0;
}

int split_addr(const struct split *s, const Dwarf_Attribute *a, uint64_t *addr)
{
	struct cursor c = value_of(s, a);

	switch (a->form) {
	case DW_FORM_addr:
		*addr = of_size(&c, s->address_size);
		return 0;
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		return address_at(s, cursor_uleb(&c), addr);
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		return address_at(s, of_size(&c, a->form - DW_FORM_addrx1 + 1), addr);
	default:
		return ERR_FORMAT;
	}
}

/* ---- ranges ---- */

/* DWARF 5: the header of the lists, which the index of a list counts from. */
static size_t lists_base(const struct split *s)
{
	return s->offset_size == 8 ? 20 : 12;
}

void split_ranges_begin(const struct split *s, const Dwarf_Attribute *a, struct split_ranges *r)
{
	struct cursor c = value_of(s, a), table = s->ranges;
	uint64_t at;

	r->at = s->ranges;
	r->base = s->low_pc;
	if (a->form == DW_FORM_rnglistx) {
		uint64_t index = cursor_uleb(&c);

		if (index >= cursor_left(&table) / s->offset_size) {
			cursor_skip(&r->at, SIZE_MAX);
			return;
		}
		cursor_skip(&table, lists_base(s) + index * s->offset_size);
		at = lists_base(s) + of_size(&table, s->offset_size);
	} else if (a->form == DW_FORM_sec_offset) {
		at = of_size(&c, s->offset_size);
	} else {
		at = SIZE_MAX;
	}
	cursor_skip(&r->at, at);
}

/* Before DWARF 5: pairs of addresses; the greatest address selects a base, zeroes are the end. */
static bool next_pair(const struct split *s, struct split_ranges *r, uint64_t *low, uint64_t *high)
{
	uint64_t select = s->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		uint64_t a = of_size(&r->at, s->address_size);
		uint64_t b = of_size(&r->at, s->address_size);

		if (r->at.bad || (!a && !b))
			return false;
		if (a != select) {
			*low = r->base + a;
			*high = r->base + b;
			return true;
		}
		r->base = b;
	}
}

/* One entry: 1 a range, 0 something else, ERR_FORMAT the end, or nonsense. */
static int read_entry(const struct split *s, struct split_ranges *r, uint64_t *low, uint64_t *high)
{
	struct cursor *c = &r->at;

	switch (cursor_u8(c)) {
	case DW_RLE_base_addressx:
		return address_at(s, cursor_uleb(c), &r->base);
	case DW_RLE_base_address:
		r->base = of_size(c, s->address_size);
		return 0;
	case DW_RLE_startx_endx:
		if (address_at(s, cursor_uleb(c), low) < 0)
			return ERR_FORMAT;
		return address_at(s, cursor_uleb(c), high) < 0 ? ERR_FORMAT : 1;
	case DW_RLE_startx_length:
		if (address_at(s, cursor_uleb(c), low) < 0)
			return ERR_FORMAT;
		*high = *low + cursor_uleb(c);
		return 1;
	case DW_RLE_offset_pair:
		*low = r->base + cursor_uleb(c);
		*high = r->base + cursor_uleb(c);
		return 1;
	case DW_RLE_start_end:
		*low = of_size(c, s->address_size);
		*high = of_size(c, s->address_size);
		return 1;
	case DW_RLE_start_length:
		*low = of_size(c, s->address_size);
		*high = *low + cursor_uleb(c);
		return 1;
	default: /* DW_RLE_end_of_list too */
		return ERR_FORMAT;
	}
}

bool split_ranges_next(const struct split *s, struct split_ranges *r, uint64_t *low, uint64_t *high)
{
	int rc = 0;

	if (s->version < 5)
		return next_pair(s, r, low, high);
	while (rc == 0 && !r->at.bad)
		rc = read_entry(s, r, low, high);
	return rc == 1 && !r->at.bad;
}

/* ---- finding ---- */

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) ? dwarf_formstring(&a) : NULL;
}

/* The unit with ID in S's file; sizes and version must be the skeleton's, too. */
static bool find_unit(struct split *s, uint64_t id)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type, address_size, offset_size;
	uint64_t have;

	while (!dwarf_get_units(s->dbg, cu, &cu, NULL, NULL, NULL, NULL)) {
		if (!dwarf_cu_info(cu, &version, &type, &s->unit, NULL, &have, &address_size,
				   &offset_size) &&
		    type == DW_UT_split_compile && s->unit.addr && have == id)
			return version == s->version && address_size == s->address_size &&
			       offset_size == s->offset_size;
	}
	return false;
}

static void close_file(struct split *s)
{
	dwarf_end(s->dbg);
	elf_file_free(s->file);
	elf_file_free(s->package);
	free(s->path);
	s->path = NULL;
	s->dbg = NULL;
	s->file = s->package = NULL;
}

static bool take_file(struct split *s, struct dwarfs *d, uint64_t id)
{
	s->dbg = s->file ? dwarfs_begin(d, &s->file) : NULL;
	if (s->dbg)
		dwarf_setalt(s->dbg, d->empty);
	if (s->dbg && find_unit(s, id))
		return true;
	close_file(s);
	return false;
}

static bool try_path(struct split *s, struct dwarfs *d, const char *path, uint64_t id)
{
	s->file = sources_elf(d->symbols, path, true, NULL);
	s->path = s->file ? xstrdup(path) : NULL;
	return take_file(s, d, id);
}

static bool try_package(struct split *s, struct dwarfs *d, const char *path, uint64_t id)
{
	s->package = sources_elf(d->symbols, path, true, NULL);
	s->file = s->package ? dwp_choose(s->package, id) : NULL;
	return take_file(s, d, id);
}

/* The package beside the file at ROOT, FILE. */
static bool try_beside(struct split *s, struct dwarfs *d, const char *root, const char *file)
{
	struct buf path = { 0 };
	bool ok;

	buf_printf(&path, "%s%s.dwp", root, file);
	ok = try_package(s, d, path.data, s->id);
	buf_release(&path);
	return ok;
}

/* Beside the recorded file, whose copy D's may be: below the roots that the user named and on this
 * host. */
static bool try_beside_recorded(struct split *s, struct dwarfs *d)
{
	struct sources *sources = d->symbols->sources;
	const char *file = d->recorded;

	if (!file || file[0] != '/')
		return false;
	if (d->symbols->symfs && try_beside(s, d, d->symbols->symfs, file))
		return true;
	for (size_t i = 0; i < sources_count(sources); i++) {
		const char *dir = sources_dir(sources, i);

		if (dir && try_beside(s, d, dir, file))
			return true;
	}
	return trust_host(d->symbols, true) && try_beside(s, d, "", file);
}

/* Is BASE the file name at the end of PATH, which may be ARCHIVE:MEMBER, with ".dwp" behind it? */
static bool is_package(const char *base, const char *path)
{
	size_t len = strlen(base), all = strlen(path);

	if (len < 5 || strcmp(base + len - 4, ".dwp") || all < len - 4)
		return false;
	path += all - (len - 4);
	return !strncmp(path, base, len - 4) &&
	       (all == len - 4 || path[-1] == '/' || path[-1] == ':');
}

#define NAMESAKES_MAX 64 /* files of one name that are looked into */

/* What the user's sources hold under the file's own name, or as the package of D's file. */
static bool try_sources(struct split *s, struct dwarfs *d, const char *name, uint64_t id)
{
	struct sources *sources = d->symbols->sources;
	unsigned tries = 0;
	bool ok = false;

	for (size_t i = 0; i < sources_count(sources) && !ok; i++) {
		const struct symfiles *l = sources_files(sources, i);

		for (size_t k = 0; k < l->count && !ok && tries < NAMESAKES_MAX; k++) {
			const struct symfile *f = &l->list[k];
			const char *base = symfile_base(f->name);
			bool is_file = !strcmp(base, name);

			if (!is_file && !is_package(base, d->path))
				continue;
			tries++;
			ok = is_file ? try_path(s, d, f->path, id) : try_package(s, d, f->path, id);
		}
	}
	return ok;
}

/* Try ROOT, DIR, NAME as one path. */
static bool try_parts(struct split *s, struct dwarfs *d, const char *const part[3], uint64_t id)
{
	struct buf path = { 0 };
	bool ok;

	buf_printf(&path, "%s%s%s%s", part[0], part[1], *part[1] ? "/" : "", part[2]);
	ok = try_path(s, d, path.data, id);
	buf_release(&path);
	return ok;
}

/* Where it was compiled, below the roots that the user named and on this host. */
static bool try_roots(struct split *s, struct dwarfs *d, const char *const part[3], uint64_t id)
{
	struct sources *sources = d->symbols->sources;
	const char *symfs = d->symbols->symfs;

	if (symfs && try_parts(s, d, (const char *[]){ symfs, part[1], part[2] }, id))
		return true;
	for (size_t i = 0; i < sources_count(sources); i++) {
		const char *dir = sources_dir(sources, i);

		if (dir && try_parts(s, d, (const char *[]){ dir, part[1], part[2] }, id))
			return true;
	}
	return trust_host(d->symbols, true) && try_parts(s, d, part, id);
}

/* Where a pack has it, or a directory that one was unpacked to. */
static bool try_packed(struct split *s, struct dwarfs *d, uint64_t id)
{
	struct sources *sources = d->symbols->sources;
	struct buf name = { 0 };
	bool ok = false;

	buf_printf(&name, SPLIT_PACKED, id);
	for (size_t i = 0; i < sources_count(sources) && !ok; i++) {
		const struct symfiles *l = sources_files(sources, i);
		const char *dir = sources_dir(sources, i);

		ok = dir && try_parts(s, d, (const char *[]){ "", dir, name.data }, id);
		for (size_t k = 0; k < l->count && !ok; k++)
			ok = !strcmp(l->list[k].name, name.data) &&
			     try_path(s, d, l->list[k].path, id);
	}
	buf_release(&name);
	return ok;
}

static bool find_file(struct split *s, struct dwarfs *d, Dwarf_Die *skeleton, const char *name)
{
	const char *dir = d->dir, *slash = strrchr(name, '/');
	const char *comp_dir = text_of(skeleton, DW_AT_comp_dir);
	uint64_t id;

	if (dwarf_cu_info(skeleton->cu, &s->version, NULL, NULL, NULL, &s->id, &s->address_size,
			  &s->offset_size))
		return false;
	id = s->id;
	if (try_packed(s, d, id))
		return true;
	if (name[0] == '/' || !comp_dir || comp_dir[0] != '/')
		comp_dir = "";
	if ((name[0] == '/' || *comp_dir) &&
	    try_roots(s, d, (const char *[]){ "", comp_dir, name }, id))
		return true;
	if (dir && name[0] != '/' && try_parts(s, d, (const char *[]){ dir, "", name }, id))
		return true;
	if (dir && slash && try_parts(s, d, (const char *[]){ dir, "", slash + 1 }, id))
		return true;
	return try_beside(s, d, "", d->path) || try_beside_recorded(s, d) ||
	       try_sources(s, d, symfile_base(name), id);
}

/* ---- the skeleton's part ---- */

/* A section offset in SKELETON; 0 without it. */
static uint64_t offset_of(Dwarf_Die *skeleton, unsigned name)
{
	Dwarf_Attribute a;
	Dwarf_Word at;

	return dwarf_attr(skeleton, name, &a) && !dwarf_formudata(&a, &at) ? at : 0;
}

static struct cursor section_from(const struct split *s, Dwarf *dbg, const char *name, uint64_t at)
{
	size_t size = 0;
	const uint8_t *data = dwarf_section(dbg, name, &size);
	struct cursor c = cursor_make(data, data ? size : 0, s->addrs.swap);

	cursor_skip(&c, at);
	c.bad = false;
	return c;
}

static void read_skeleton(struct split *s, struct dwarfs *d, Dwarf_Die *skeleton)
{
	Dwarf_Addr low_pc;
	bool gnu = s->version < 5;

	s->addrs.swap = dwarf_swapped(d->dbg);
	s->low_pc = dwarf_lowpc(skeleton, &low_pc) ? 0 : low_pc;
	s->addrs = section_from(s, d->dbg, ".debug_addr",
				offset_of(skeleton, gnu ? DW_AT_GNU_addr_base : DW_AT_addr_base));
	s->ranges = gnu ? section_from(s, d->dbg, ".debug_ranges",
				       offset_of(skeleton, DW_AT_GNU_ranges_base))
			: section_from(s, s->dbg, ".debug_rnglists", 0);
}

bool split_open(struct split *s, struct dwarfs *d, const Dwarf_Die *skeleton)
{
	Dwarf_Die die = *skeleton;
	const char *name = text_of(&die, DW_AT_dwo_name) ?: text_of(&die, DW_AT_GNU_dwo_name);
	uint8_t type;

	*s = (struct split){ 0 };
	if (!name || dwarf_cu_info(die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return false;
	if (find_file(s, d, &die, name)) {
		read_skeleton(s, d, &die);
		return true;
	}
	split_close(s);
	if (!d->missing->dwo_count++)
		d->missing->dwo = dwarfs_keep(d, name);
	return false;
}

void split_close(struct split *s)
{
	close_file(s);
	*s = (struct split){ 0 };
}
