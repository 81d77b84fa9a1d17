/* By sections: their names and types say what they are for. */
#include "parser/pack/reduce.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/elf/gopclntab.h"
#include "parser/names/elf/pltcode.h"
#include "parser/pack/strtabs.h"
#include "parser/pack/usedsyms.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define PARTIAL_UNIT 3 /* DW_UT_partial */

void reduced_clean(struct reduced *out, uint64_t size)
{
	ranges_clean(&out->keep, size);
	ranges_clean(&out->slashes, size);
}

void reduced_fill(const struct reduced *r, void *buf, size_t len, uint64_t offset)
{
	const struct ranges *s = &r->slashes;

	for (size_t i = ranges_behind(s, offset); i < s->count && s->list[i].start < offset + len;
	     i++) {
		uint64_t from = s->list[i].start > offset ? s->list[i].start - offset : 0;
		uint64_t to = s->list[i].end - offset < len ? s->list[i].end - offset : len;

		memset((char *)buf + from, '/', (size_t)(to - from));
	}
	for (size_t i = 0; i < r->unit_count; i++) {
		const struct reduced_unit *u = &r->units[i];

		for (size_t k = 0; k < sizeof(u->head); k++) {
			uint64_t at = u->offset + k - offset;

			if (u->offset + k >= offset && at < len)
				((uint8_t *)buf)[at] = u->head[k];
		}
	}
}

void reduced_release(struct reduced *out)
{
	free(out->units);
	ranges_release(&out->keep);
	ranges_release(&out->slashes);
}

static bool begins(const char *name, const char *const *list)
{
	for (; *list; list++) {
		if (!strncmp(name, *list, strlen(*list)))
			return true;
	}
	return false;
}

static bool is_needed(const char *name, const GElf_Shdr *h, const struct reduce_wish *wish)
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
					      ".comment",
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
		return !wish->used;
	case SHT_NOTE:
		return strcmp(name, ".note.stapsdt") != 0;
	case SHT_SYMTAB_SHNDX:
	case SHT_DYNAMIC:
	case SHT_ARM_ATTRIBUTES:
		return true;
	}
	if (begins(name, tables))
		return wish->unwinding;
	return begins(name, always) || (begins(name, debug) && !begins(name, useless));
}

bool reduce_is_numbers(const char *name)
{
	static const char *const numbers[] = { ".debug_addr",
					       ".debug_str_offsets",
					       ".debug_frame",
					       ".debug_abbrev",
					       ".debug_ranges",
					       ".debug_rnglists",
					       NULL };

	return begins(name, numbers);
}

/* The same where paths are not to be there, besides what is there by parts. */
static bool is_needed_bare(const char *name, const GElf_Shdr *h, const struct reduce_wish *wish)
{
	static const char *const debug[] = { ".debug_", ".zdebug_", NULL };

	if (h->sh_type == SHT_STRTAB || !strcmp(name, ".comment") || parts_index(name) >= 0 ||
	    (begins(name, debug) && !reduce_is_numbers(name)))
		return false;
	return is_needed(name, h, wish);
}

/* An object file (a module of the kernel) is of one piece. */
static bool is_object(Elf *elf)
{
	GElf_Ehdr e;

	return !gelf_getehdr(elf, &e) || e.e_type == ET_REL;
}

/* Debug information that several files refer to (dwz): it has nothing to be relocated. */
static bool is_shared(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &h) || h.sh_type == SHT_REL || h.sh_type == SHT_RELA ||
		    h.sh_flags & SHF_EXECINSTR)
			return false;
	}
	return is_object(elf);
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

int parts_index(const char *name)
{
	for (size_t i = 0; i < UNITS_SECTIONS; i++) {
		if (!strcmp(name, units_sections[i]))
			return (int)i;
	}
	return -1;
}

static void add_part(const struct parts *p, struct ranges *to, const char *section,
		     const uint64_t at[2])
{
	uint64_t begin = p->offset[parts_index(section)];

	if (begin)
		ranges_add(to, begin + at[0], begin + at[1]);
}

static void take_part(void *ctx, const char *section, uint64_t start, uint64_t end)
{
	struct parts *p = ctx;

	add_part(p, parts_index(section) < UNITS_STR ? &p->list : &p->texts, section,
		 (uint64_t[]){ start, end });
}

static void take_directory(void *ctx, const char *section, uint64_t start, uint64_t end)
{
	struct parts *p = ctx;

	add_part(p, &p->directories[parts_index(section) >= UNITS_STR], section,
		 (uint64_t[]){ start, end });
}

/* A partial unit of DWARF 5 (7.5.1): nobody looks into one to which nothing refers.
 *
 * OFFSET SIZE MEANING: 0 4 length of what follows, 4 2 version, 6 1 type, 7 1 bytes of an address,
 * 8 4 abbreviations. */
static void skip_units(void *ctx, uint64_t start, uint64_t end)
{
	struct parts *p = ctx;
	struct reduced *r = p->out;
	struct reduced_unit *u;
	uint32_t length = (uint32_t)(end - start - 4);
	bool big = p->info->big_endian;

	r->units = xgrow(r->units, &r->unit_cap, r->unit_count + 1, sizeof(*r->units));
	u = &r->units[r->unit_count++];
	*u = (struct reduced_unit){ .offset = p->offset[UNITS_INFO] + start };
	for (unsigned i = 0; i < 4; i++)
		u->head[big ? 3 - i : i] = (uint8_t)(length >> 8 * i);
	u->head[big ? 5 : 4] = 5;
	u->head[6] = PARTIAL_UNIT;
	u->head[7] = p->info->is_64 ? 8 : 4;
	ranges_add(&p->list, u->offset, u->offset + sizeof(u->head));
}

struct units_query parts_query(struct parts *p, const struct reduce_wish *wish)
{
	return (struct units_query){ .addrs = wish->addrs,
				     .count = wish->count,
				     .take = take_part,
				     .directory = wish->strip_paths ? take_directory : NULL,
				     .ctx = p };
}

/* A string may end another, longer one: what is needed as a name is no directory. */
void parts_add(struct parts *p)
{
	struct reduced *out = p->out;

	ranges_clean(&p->texts, UINT64_MAX);
	ranges_clean(&p->directories[1], UINT64_MAX);
	ranges_add_all(&out->keep, &p->list);
	ranges_add_all(&out->keep, &p->texts);
	ranges_add_all(&out->keep, &p->directories[1]);
	ranges_add_all(&out->slashes, &p->directories[0]);
	ranges_subtract(&out->slashes, &p->directories[1], &p->texts);
}

void parts_release(struct parts *p)
{
	ranges_release(&p->list);
	ranges_release(&p->texts);
	ranges_release(&p->directories[0]);
	ranges_release(&p->directories[1]);
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
	struct units_query q = parts_query(p, wish);
	Elf_Scn *scn = NULL;

	if (!elf_file_info(f)->has_dwarf)
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		struct section s = section_of(scn, elf, names);
		int part = s.name ? parts_index(s.name) : -1;

		if (part >= 0 && s.head.sh_flags & SHF_COMPRESSED)
			return false;
		if (part >= 0 && !p->offset[part])
			p->offset[part] = s.head.sh_offset;
	}
	p->info = elf_file_info(f);
	q.all = is_shared(elf);
	q.skip = skip_units;
	return units_select(f, &q) == 0;
}

/* ---- other sections with paths ---- */

/* .gnu_debuglink, .gnu_debugaltlink: a path, NUL, and what says which file it was. */
static void bare_link(struct reduced *out, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	const char *path = data ? data->d_buf : NULL;
	const char *slash = path ? memrchr(path, '/', strnlen(path, data->d_size)) : NULL;

	if (slash)
		ranges_add(&out->slashes, h->sh_offset, h->sh_offset + (uint64_t)(slash - path));
}

/* Texts that other files refer to: which are paths is told there. Of those of units (directories,
 * names, the options of the compiler) nothing is needed. */
static void bare_texts(struct reduced *out, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	const char *text = data ? data->d_buf : NULL;

	ranges_add(&out->keep, h->sh_offset, h->sh_offset + h->sh_size);
	for (size_t at = 0, len; text && at < data->d_size; at += len + 1) {
		len = strnlen(text + at, data->d_size - at);
		if (memchr(text + at, '/', len) && !memmem(text + at, len, "operator/", 9))
			ranges_add(&out->slashes, h->sh_offset + at, h->sh_offset + at + len);
	}
}

struct go_paths {
	struct ranges *out;
	uint64_t offset; /* of the section in the file */
};

static void take_go_directory(void *ctx, uint64_t start, uint64_t end)
{
	const struct go_paths *g = ctx;

	ranges_add(g->out, g->offset + start, g->offset + end);
}

static bool is_go(const char *name)
{
	return !strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab");
}

/* False: the section S is better left out. */
static bool bare_section(struct reduced *out, struct elf_file *f, Elf_Scn *scn,
			 const struct section *s)
{
	struct go_paths go = { &out->slashes, s->head.sh_offset };

	if (!strncmp(s->name, ".gnu_debug", 10) && strcmp(s->name, ".gnu_debugdata"))
		bare_link(out, scn, &s->head);
	return !is_go(s->name) || gopclntab_directories(f, take_go_directory, &go) == 0;
}

/* ---- relocations ---- */

static bool fills_slot(const struct plt_machine *m, uint64_t type)
{
	return type && (type == m->jump_slot || type == m->glob_dat || type == m->irelative ||
			type == m->jump_irelative);
}

/* Of the relocations in SCN those of slots that stubs read. False: all are needed, or they are
 * none. */
static bool add_relocs(struct ranges *out, const struct elf_file *f, Elf_Scn *scn,
		       const struct section *s)
{
	const struct plt_machine *m = plt_machine(elf_file_info(f)->machine);
	const GElf_Shdr *h = &s->head;
	bool rela = h->sh_type == SHT_RELA;
	Elf_Data *data;
	GElf_Rela a;
	GElf_Rel r;

	if (!m || elf_file_info(f)->type == ET_REL || (!rela && h->sh_type != SHT_REL) ||
	    !h->sh_entsize || !strcmp(s->name, ".rela.plt") || !strcmp(s->name, ".rel.plt"))
		return false;
	data = elf_getdata(scn, NULL);
	for (int i = 0; data; i++) {
		uint64_t at = h->sh_offset + (uint64_t)i * h->sh_entsize;

		if (rela ? !gelf_getrela(data, i, &a) : !gelf_getrel(data, i, &r))
			break;
		if (fills_slot(m, GELF_R_TYPE(rela ? a.r_info : r.r_info)))
			ranges_add(out, at, at + h->sh_entsize);
	}
	return true;
}

/* ---- a file ---- */

static void add_section(struct reduced *out, const struct elf_file *f, Elf_Scn *scn,
			const struct section *s)
{
	if (!add_relocs(&out->keep, f, scn, s))
		ranges_add(&out->keep, s->head.sh_offset, s->head.sh_offset + s->head.sh_size);
}

static void reduce_bare(struct reduced *out, struct elf_file *f, const struct reduce_wish *wish,
			size_t names)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	bool object = is_object(elf), shared = is_shared(elf);
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		struct section s = section_of(scn, elf, names);
		bool code = object && s.head.sh_flags & SHF_EXECINSTR;

		if (s.name && shared && parts_index(s.name) == UNITS_STR)
			bare_texts(out, scn, &s.head);
		if (s.name && (code || is_needed_bare(s.name, &s.head, wish)) &&
		    bare_section(out, f, scn, &s))
			add_section(out, f, scn, &s);
	}
}

void reduce_elf(struct reduced *out, struct elf_file *f, const struct reduce_wish *wish)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	bool object = is_object(elf), by_parts;
	struct parts parts = { .out = out };
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) || (object && !wish->strip_paths)) {
		ranges_add(&out->keep, 0, wish->strip_paths ? 0 : UINT64_MAX);
		return;
	}
	add_headers(&out->keep, elf);
	if (wish->used)
		usedsyms_select(&out->keep, f, wish->used);
	if (wish->used || wish->strip_paths)
		strtabs_select(&out->keep, f, names, wish->used);
	by_parts = (!object || is_shared(elf)) && find_parts(&parts, f, wish, names);
	if (by_parts)
		parts_add(&parts);
	else
		out->unit_count = 0;
	parts_release(&parts);
	if (wish->strip_paths) {
		out->no_lines = elf_file_info(f)->has_dwarf && !by_parts;
		reduce_bare(out, f, wish, names);
		return;
	}
	while ((scn = elf_nextscn(elf, scn))) {
		struct section s = section_of(scn, elf, names);

		if (s.name && is_needed(s.name, &s.head, wish) &&
		    !(by_parts && parts_index(s.name) >= 0))
			add_section(out, f, scn, &s);
	}
}
