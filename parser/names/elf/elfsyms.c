/* Which symbols of an ELF file name code and data, and which of several aliases: as perf 6.1 does
 * it (1.3). Learned from the behaviour of tools/perf/util/symbol-elf.c and
 * symbol.c.
 *
 *   .symtab, fix-up; .dynsym added, fix-up; PLT entries added
 *
 * where fix-up is: sort, give symbols without a size the room up to the next, keep one of each
 * start. Where perf's own answer is not asked for (symtab.perftree), symbols end with their
 * section, and stubs of the PLT are decoded (plt.h) instead of counted. */
#include "parser/names/elf/elfsyms.h"
#include "parser/base/mem.h"
#include "parser/names/demangle.h"
#include "parser/names/elf/gopclntab.h"
#include "parser/names/elf/plt.h"
#include "parser/names/kernel/kmodule.h"
#include "parser/names/perftree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

/* A section header costs 40 bytes of file and a function descriptor 24: without a limit, a file of
 * a few MB would make the search below run for hours. */
#define OPD_SECTIONS_MAX 1024

struct section {
	uint64_t addr;
	uint64_t size;
	uint64_t offset;
	bool alloc;
	bool code;
	bool nobits;
	bool holds_labels; /* its name contains "text" or "data" */
};

struct sections {
	struct section *list; /* by section index */
	size_t count;
};

struct opd {
	size_t index;	     /* of the section .opd, 0 when there is none */
	uint64_t addr;	     /* of .opd in the symbol source */
	const uint8_t *data; /* of .opd in the runtime source */
	size_t size;
	bool big_endian;
};

struct loader {
	struct symtab *out;
	struct elf_file *syms;
	struct elf_file *runtime;
	struct sections syms_sections;
	struct sections run_sections;
	struct opd opd;
	uint16_t machine;
};

/* Longer names are no linker's. */
#define SECTION_NAME_MAX 256

static bool holds_labels(const char *name)
{
	size_t len = name ? strnlen(name, SECTION_NAME_MAX) : 0;

	return len && (memmem(name, len, "text", 4) || memmem(name, len, "data", 4));
}

static void sections_read(struct sections *s, struct elf_file *f)
{
	Elf *elf = elf_file_elf(f);
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrnum(elf, &s->count) || elf_getshdrstrndx(elf, &names))
		s->count = 0;
	s->list = xcalloc(s->count, sizeof(*s->list));
	while (s->count && (scn = elf_nextscn(elf, scn))) {
		size_t index = elf_ndxscn(scn);
		struct section *sec = &s->list[index];
		const char *name;
		GElf_Shdr sh;

		if (index >= s->count || !gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		*sec = (struct section){
			.addr = sh.sh_addr,
			.size = sh.sh_size,
			.offset = sh.sh_offset,
			.alloc = sh.sh_flags & SHF_ALLOC,
			.code = sh.sh_flags & SHF_ALLOC && sh.sh_flags & SHF_EXECINSTR,
			.nobits = sh.sh_type == SHT_NOBITS,
			.holds_labels = holds_labels(name),
		};
	}
}

static const struct section *section_at(const struct sections *s, size_t index)
{
	return index < s->count ? &s->list[index] : NULL;
}

static void opd_init(struct loader *l)
{
	size_t here = elf_file_section(l->syms, ".opd");
	const struct section *sec = section_at(&l->syms_sections, here);
	Elf_Data *data;

	if (!elf_file_info(l->runtime)->has_opd || !sec)
		return;
	l->opd.index = elf_file_section(l->runtime, ".opd");
	l->opd.addr = sec->addr;
	l->opd.big_endian = elf_file_info(l->runtime)->big_endian;
	data = elf_rawdata(elf_getscn(elf_file_elf(l->runtime), l->opd.index), NULL);
	if (data && data->d_buf) {
		l->opd.data = data->d_buf;
		l->opd.size = data->d_size;
	}
}

/* ppc64 ELFv1: a function's symbol is the address of its descriptor, whose first word is the code.
 */
static bool opd_follow(const struct loader *l, GElf_Sym *sym)
{
	uint64_t at = sym->st_value - l->opd.addr;
	const struct sections *s = &l->run_sections;
	uint64_t v = 0;

	if (at > l->opd.size || l->opd.size - at < 8)
		return false;
	for (unsigned int i = 0; i < 8; i++)
		v = v << 8 | l->opd.data[at + (l->opd.big_endian ? i : 7 - i)];
	for (size_t i = 1; i < s->count && i < OPD_SECTIONS_MAX; i++) {
		if (v >= s->list[i].addr && v - s->list[i].addr < s->list[i].size) {
			sym->st_value = v;
			sym->st_shndx = (GElf_Section)i;
			return true;
		}
	}
	return false;
}

static bool is_label(const GElf_Sym *sym)
{
	unsigned int visibility = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

static bool wanted_type(const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	default:
		return is_label(sym);
	}
}

/* $a, $d, $t, $x, each with an optional .suffix: they tell code from data for the assembler. */
static bool is_mapping_symbol(const struct loader *l, const char *name)
{
	if (l->machine != EM_ARM && l->machine != EM_AARCH64)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

/* Section INDEX as far as addresses go: a debug file keeps the headers but says NOBITS, with
 * offsets that mean nothing; then the runtime's header counts. NULL: not loaded, or not there. */
static const struct section *placing_section(const struct loader *l, size_t index)
{
	const struct section *sec = section_at(&l->syms_sections, index);

	if (!sec || !sec->alloc)
		return NULL;
	return sec->nobits ? section_at(&l->run_sections, index) : sec;
}

static uint64_t file_offset(const struct loader *l, uint64_t value, const struct section *sec)
{
	uint64_t offset;

	if (!elf_file_offset(l->runtime, value, &offset))
		return offset;
	return value - sec->addr + sec->offset;
}

static enum sym_bind bind_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_WEAK:
		return SYM_WEAK;
	case STB_GLOBAL:
		return SYM_GLOBAL;
	default:
		return SYM_LOCAL;
	}
}

/* "_etext": what begins there is not of that section. */
static bool is_end_of(const struct section *sec, const GElf_Sym *sym)
{
	return sec->size && !sym->st_size && sym->st_value - sec->addr == sec->size;
}

static void add_symbol(struct loader *l, GElf_Sym *sym, const char *name)
{
	const struct section *sec;
	uint64_t start, end;
	bool ifunc;

	if (is_mapping_symbol(l, name))
		return;
	if (l->opd.index && sym->st_shndx == l->opd.index && !opd_follow(l, sym))
		return;
	sec = placing_section(l, sym->st_shndx);
	if (!sec || (is_label(sym) && !sec->holds_labels))
		return;
	if (!l->out->perftree && is_end_of(sec, sym))
		return;
	ifunc = GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC && !l->out->perftree;
	/* Thumb code: bit 0 is the instruction set, not part of the address. */
	if (l->machine == EM_ARM && (ifunc || GELF_ST_TYPE(sym->st_info) == STT_FUNC))
		sym->st_value &= ~(GElf_Addr)1;
	start = file_offset(l, sym->st_value, sec);
	end = start + sym->st_size;
	symtab_add(l->out, &(struct symbol){ .start = start,
					     .end = end < start ? UINT64_MAX : end,
					     .name = name,
					     .bind = bind_of(sym),
					     .ifunc = ifunc });
}

static int load_table(struct loader *l, const char *name, GElf_Word type)
{
	Elf *elf = elf_file_elf(l->syms);
	Elf_Scn *scn = elf_getscn(elf, elf_file_section(l->syms, name));
	GElf_Shdr sh;
	struct elf_strings strings;
	Elf_Data *data;
	GElf_Sym sym;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != type)
		return ERR_ABSENT;
	data = elf_getdata(scn, NULL);
	if (!data)
		return ERR_FORMAT;
	strings = elf_file_strings(l->syms, sh.sh_link);
	for (int i = 0; gelf_getsym(data, i, &sym); i++) {
		const char *s;

		if (!sym.st_name || sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE ||
		    !wanted_type(&sym))
			continue;
		s = elf_string(&strings, sym.st_name);
		if (s)
			add_symbol(l, &sym, s);
	}
	return 0;
}

/* A symbol without size ends where the next begins; the last one at the end of the page after its
 * own. */
static void fix_ends(struct symtab *t)
{
	struct symbol *last;

	for (size_t i = 0; i + 1 < t->count; i++) {
		if (t->syms[i].end == t->syms[i].start)
			t->syms[i].end = t->syms[i + 1].start;
	}
	if (!t->count)
		return;
	last = &t->syms[t->count - 1];
	if (last->end == last->start)
		last->end = ((last->start + 4095) & ~4095ull) + 4096;
}

static int prefer(bool a, bool b)
{
	return (int)a - (int)b;
}

static bool is_syscall_alias(const char *name)
{
	return !strncmp(name, "SyS", 3) || !strncmp(name, "compat_SyS", 10);
}

/* The choice that needs readable names; they are long to make, so only real ties come here. */
static int compare_names(const char *a, const char *b)
{
	size_t under_a = strspn(a, "_"), under_b = strspn(b, "_");
	size_t len_a = strlen(a), len_b = strlen(b);

	if (under_a != under_b)
		return under_a < under_b ? 1 : -1;
	if (len_a != len_b)
		return len_a > len_b ? 1 : -1;
	return is_syscall_alias(a) ? -1 : 1;
}

/* Positive when A is the better name of one address, negative when B is. */
static int compare_aliases(const struct symbol *a, const struct symbol *b)
{
	int c = prefer(a->end > a->start, b->end > b->start);

	if (!c) /* what others call, not the function that chooses for them */
		c = prefer(a->ifunc, b->ifunc);
	if (!c)
		c = prefer(a->bind != SYM_WEAK, b->bind != SYM_WEAK);
	if (!c)
		c = prefer(a->bind == SYM_GLOBAL, b->bind == SYM_GLOBAL);
	return c;
}

/* What comparing the names of aliases may cost: bytes of names, for each symbol and in all. Honest
 * names are some hundred bytes long, and few are compared. */
#define TIES_RATIO 512
#define TIES_FREE  (4u << 20)

struct ties {
	size_t left;  /* to spend */
	unsigned how; /* enum demangle_how */
	struct arena names;
	const char *shown; /* the readable name of the symbol kept so far; NULL: not made */
};

static void spend(struct ties *t, size_t cost)
{
	t->left -= cost < t->left ? cost : t->left;
}

/* A mangled name that stays as it is was given up: that took its time, too. */
static const char *readable(struct ties *t, const char *name)
{
	const char *shown = demangle(name, t->how, &t->names, NULL);
	bool given_up = shown == name && name[0] == '_' && name[1] && strchr("ZRD", name[1]);

	spend(t, given_up ? DEMANGLE_OUTPUT_MAX : strnlen(shown, t->left));
	return shown;
}

/* compare_aliases() by name: of A, which is kept so far, and B. *SHOWN_B: B's readable name, if
 * needed. */
static int compare_tie(struct ties *t, const char *a, const char *b, const char **shown_b)
{
	spend(t, strnlen(a, t->left));
	spend(t, strnlen(b, t->left));
	if (!t->left)
		return 1;
	if (!strcmp(a, b))
		return is_syscall_alias(a) ? -1 : 1;
	t->shown = t->shown ? t->shown : readable(t, a);
	*shown_b = readable(t, b);
	return t->left ? compare_names(t->shown, *shown_b) : 1;
}

/* Keep one symbol of each start, deciding pair by pair from the left. */
static void drop_aliases(struct symtab *t)
{
	struct ties ties = {
		.left = TIES_FREE + TIES_RATIO * t->count,
		.how = DEMANGLE_AS_PERF | (t->whole_names ? DEMANGLE_BY_CXA : 0),
	};
	size_t keep = 0;

	arena_init(&ties.names);
	for (size_t i = 1; i < t->count; i++) {
		struct symbol *a = &t->syms[keep], *b = &t->syms[i];
		const char *shown_b = NULL;
		int c;

		if (a->start != b->start) {
			t->syms[++keep] = *b;
			ties.shown = NULL;
			continue;
		}
		c = compare_aliases(a, b);
		if (!c)
			c = compare_tie(&ties, a->name, b->name, &shown_b);
		if (t->perftree)
			perftree_erase(t->perftree, c < 0 ? a->order : b->order);
		if (c < 0) {
			*a = *b;
			ties.shown = shown_b;
		}
	}
	if (t->count)
		t->count = keep + 1;
	arena_release(&ties.names);
}

/* ---- where code ends ---- */

struct range {
	uint64_t start, end;
};

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* The sections of code, as offsets in the file, in order. */
static struct range *code_ranges(const struct loader *l, size_t *count)
{
	const struct sections *s = &l->run_sections;
	struct range *list = xmalloc((s->count + 1) * sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < s->count; i++) {
		uint64_t start = file_offset(l, s->list[i].addr, &s->list[i]);

		if (s->list[i].code && s->list[i].size <= UINT64_MAX - start)
			list[(*count)++] = (struct range){ start, start + s->list[i].size };
	}
	qsort(list, *count, sizeof(*list), by_start);
	return list;
}

/* No function reaches across the end of its section, and no data into code, whatever its size is or
 * was taken to be: behind _fini lld puts the PLT. */
static void cut_at_sections(struct loader *l)
{
	struct symtab *t = l->out;
	size_t count, at = 0;
	struct range *code = code_ranges(l, &count);

	for (size_t i = 0; i < t->count; i++) {
		struct symbol *s = &t->syms[i];
		uint64_t limit;

		while (at < count && code[at].end <= s->start)
			at++;
		if (at == count)
			break;
		limit = s->start < code[at].start ? code[at].start : code[at].end;
		if (s->end > limit)
			s->end = limit;
	}
	free(code);
}

static void fix_up(struct symtab *t)
{
	symtab_sort(t);
	fix_ends(t);
	drop_aliases(t);
}

/* ---- PLT entries as perf 6.1 counts them (plt.h: as they are) ---- */

/* A function has few entries in the PLT: their names together are not much longer than the table
 * that they are in. */
#define PLT_NAMES_RATIO 4
#define PLT_NAMES_FREE	(1u << 20)

struct counted_plt {
	uint64_t pos; /* file offset of the next entry */
	uint64_t entry_size;
	Elf_Data *syms;
	struct elf_strings strings;
	size_t left; /* bytes of names that the file can justify */
};

/* perf knows the layout of some machines; of the others it takes the header to be one entry long.
 */
static bool plt_layout(struct counted_plt *p, uint16_t machine, const GElf_Shdr *sh)
{
	static const struct {
		uint16_t machine;
		uint8_t header;
		uint8_t entry;
	} known[] = {
		{ EM_ARM, 20, 12 },
		{ EM_AARCH64, 32, 16 },
		{ EM_SPARC, 48, 12 },
		{ EM_SPARCV9, 128, 32 },
	};

	p->pos = sh->sh_offset + sh->sh_entsize;
	p->entry_size = sh->sh_entsize;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (known[i].machine == machine) {
			p->pos = sh->sh_offset + known[i].header;
			p->entry_size = known[i].entry;
		}
	}
	return p->pos >= sh->sh_offset;
}

static void add_plt_entry(struct symtab *t, struct counted_plt *p, size_t symbol)
{
	const char *name = NULL;
	size_t len;
	char *text;
	GElf_Sym sym;

	if (gelf_getsym(p->syms, (int)symbol, &sym))
		name = elf_string(&p->strings, sym.st_name);
	len = name ? strlen(name) : 0;
	if (name && len < p->left) {
		p->left -= len;
		text = arena_bytes(&t->strings, len + sizeof("@plt"));
		memcpy(text, name, len);
		memcpy(text + len, "@plt", sizeof("@plt"));
		symtab_add(t, &(struct symbol){ .start = p->pos,
						.end = p->pos + p->entry_size,
						.name = text,
						.bind = SYM_GLOBAL });
	}
	p->pos += p->entry_size;
}

/* One entry of the PLT for each relocation, in the same order; no fix-up after that. */
static void add_plt(struct symtab *t, struct elf_file *f)
{
	Elf *elf = elf_file_elf(f);
	struct counted_plt p = { 0 };
	size_t dynsym = elf_file_section(f, ".dynsym");
	size_t rel = elf_file_section(f, ".rela.plt");
	GElf_Shdr sh_plt, sh_rel, sh_dyn;
	Elf_Data *data;
	GElf_Rela a;
	GElf_Rel r;

	if (!rel)
		rel = elf_file_section(f, ".rel.plt");
	if (!dynsym || !rel || !gelf_getshdr(elf_getscn(elf, rel), &sh_rel) ||
	    !gelf_getshdr(elf_getscn(elf, dynsym), &sh_dyn) || sh_dyn.sh_type != SHT_DYNSYM ||
	    sh_rel.sh_link != dynsym ||
	    !gelf_getshdr(elf_getscn(elf, elf_file_section(f, ".plt")), &sh_plt) ||
	    !plt_layout(&p, elf_file_info(f)->machine, &sh_plt))
		return;
	/* lld states no entry size: perf then puts empty symbols, all at the start of .plt, into
	 * its tree, where they hide others. */
	data = elf_getdata(elf_getscn(elf, rel), NULL);
	p.syms = elf_getdata(elf_getscn(elf, dynsym), NULL);
	p.strings = elf_file_strings(f, sh_dyn.sh_link);
	p.left = PLT_NAMES_FREE + PLT_NAMES_RATIO * p.strings.size;
	if (!data || !p.syms)
		return;
	if (sh_rel.sh_type == SHT_RELA) {
		for (int i = 0; gelf_getrela(data, i, &a); i++)
			add_plt_entry(t, &p, GELF_R_SYM(a.r_info));
	} else if (sh_rel.sh_type == SHT_REL) {
		for (int i = 0; gelf_getrel(data, i, &r); i++)
			add_plt_entry(t, &p, GELF_R_SYM(r.r_info));
	}
	symtab_sort(t);
}

/* There the relocations are the entries, in their order. */
static bool is_sparc(const struct elf_file *f)
{
	const uint16_t machine = elf_file_info(f)->machine;

	return machine == EM_SPARC || machine == EM_SPARCV9;
}

/* One table of SYMS, with the addresses of RUNTIME. */
static int load_from(struct symtab *out, struct elf_file *syms, struct elf_file *runtime,
		     GElf_Word type)
{
	struct loader l = { .out = out, .syms = syms, .runtime = runtime };
	int rc;

	l.machine = elf_file_info(syms)->machine;
	sections_read(&l.syms_sections, syms);
	sections_read(&l.run_sections, runtime);
	opd_init(&l);
	rc = load_table(&l, type == SHT_SYMTAB ? ".symtab" : ".dynsym", type);
	if (!rc)
		fix_up(out);
	if (!rc && !out->perftree)
		cut_at_sections(&l);
	free(l.syms_sections.list);
	free(l.run_sections.list);
	return rc;
}

/* STATIC_SYMS has .symtab, DYNAMIC has .dynsym. */
static int load_both(struct symtab *out, struct elf_file *static_syms, struct elf_file *dynamic,
		     struct elf_file *runtime)
{
	struct plt plt = { 0 };
	int symtab, dynsym;

	if (!out->counts_plt)
		plt_read(&plt, runtime, out);
	symtab = load_from(out, static_syms, runtime, SHT_SYMTAB);
	dynsym = load_from(out, dynamic, runtime, SHT_DYNSYM);
	if (out->count && (out->counts_plt || is_sparc(runtime)))
		add_plt(out, runtime);
	if (!out->perftree) /* perf does not know it */
		gopclntab_add(out, runtime);
	if (!out->counts_plt)
		plt_add(&plt, out);
	plt_release(&plt);
	if (out->count)
		return 0;
	return symtab == ERR_FORMAT || dynsym == ERR_FORMAT ? ERR_FORMAT : ERR_ABSENT;
}

int elfsyms_load(struct symtab *out, struct elf_file *syms, struct elf_file *runtime)
{
	return load_both(out, syms, syms, runtime ? runtime : syms);
}

int elfsyms_load_mini(struct symtab *out, struct elf_file *mini, struct elf_file *runtime)
{
	return load_both(out, mini, runtime, runtime);
}

/* A section of a module has no address: its place stands in for the offset in the file. */
static void set_places(struct sections *s, const struct section_places *places)
{
	for (size_t i = 0; i < s->count; i++) {
		uint64_t at = i < places->count ? places->list[i] : PLACE_ELSEWHERE;

		s->list[i] = (struct section){ .offset = at,
					       .alloc = s->list[i].alloc && at < PLACE_ELSEWHERE,
					       .holds_labels = s->list[i].holds_labels };
	}
}

int elfsyms_load_module(struct symtab *out, struct elf_file *f)
{
	struct loader l = { .out = out, .syms = f, .runtime = f };
	struct section_places places;
	int rc = section_places_find(&places, f);

	if (rc < 0)
		return rc;
	l.machine = elf_file_info(f)->machine;
	sections_read(&l.syms_sections, f);
	set_places(&l.syms_sections, &places);
	section_places_release(&places);
	rc = load_table(&l, ".symtab", SHT_SYMTAB);
	if (!rc)
		fix_up(out);
	free(l.syms_sections.list);
	return rc || out->count ? rc : ERR_ABSENT;
}

int elfsyms_addr(struct elf_file *f, const char *name, uint64_t *vaddr)
{
	Elf *elf = elf_file_elf(f);
	Elf_Scn *scn = elf_getscn(elf, elf_file_section(f, ".symtab"));
	struct elf_strings strings;
	GElf_Shdr sh;
	Elf_Data *data;
	GElf_Sym sym;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
		return ERR_ABSENT;
	strings = elf_file_strings(f, sh.sh_link);
	data = elf_getdata(scn, NULL);
	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *s = elf_string(&strings, sym.st_name);

		if (s && sym.st_shndx != SHN_UNDEF && !strcmp(s, name)) {
			*vaddr = sym.st_value;
			return 0;
		}
	}
	return ERR_ABSENT;
}
