/* Stubs are looked for in the sections that are theirs by name (.plt, .plt.sec, .plt.got, .iplt,
 * .glink) and, on machines whose linkers put them among functions, around each address that is
 * wanted. Headers and contents are a stranger's: what overlaps is not read again and again. */
#include "parser/names/elf/plt.h"
#include "parser/base/mem.h"
#include "parser/names/elf/regions.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

enum stub_kind {
	STUB_UNKNOWN, /* no relocation fills its slot */
	STUB_SYMBOL,
	STUB_RESOLVER,
};

/* ---- the code of stubs ---- */

struct scan {
	struct plt *plt;
	const struct symtab *wants;
	const char *section;  /* its name, where it holds nothing but stubs; or NULL */
	struct plt_code code; /* of the section, from its beginning */
	uint64_t offset;      /* of that in the file */
	size_t budget;	      /* bytes that may still be looked at */
	struct plt_stub last; /* what pads it is not known yet */
	bool open;	      /* there is a last one */
};

static void add_stub(struct scan *s, const struct plt_stub *stub)
{
	struct plt *p = s->plt;

	if (stub->start >= stub->end || !symtab_wants(s->wants, stub->start, stub->end))
		return;
	p->stubs = xgrow(p->stubs, &p->cap, p->count + 1, sizeof(*p->stubs));
	p->stubs[p->count++] = *stub;
}

/* At AT of the section another stub begins, or the section ends. */
static void close_stub(struct scan *s, size_t at)
{
	const uint64_t end = s->offset + at;
	uint64_t rest = s->offset;

	if (s->open) {
		/* padding belongs to it, but not other code */
		if (s->section && end - s->last.start <= s->plt->machine->size_max)
			s->last.end = end;
		add_stub(s, &s->last);
		rest = s->last.end;
	}
	s->open = false;
	if (s->section)
		add_stub(s, &(struct plt_stub){ .start = rest, .end = end, .section = s->section });
}

/* Is there a stub at AT of the section? Returns its length. */
static size_t decode(struct scan *s, size_t at)
{
	const struct plt_machine *m = s->plt->machine;
	struct plt_stub stub = { .start = s->offset + at, .section = s->section };
	struct plt_code code = s->code;
	size_t len;

	code.bytes += at;
	code.left -= at;
	code.vaddr += at;
	len = m->decode(&code, &stub.target);
	if (!len)
		return 0;
	close_stub(s, at);
	stub.end = stub.start + len;
	s->last = stub;
	s->open = true;
	return len;
}

/* Stubs that begin in [FROM, TO) of the section. Returns where that ends. */
static size_t scan_range(struct scan *s, size_t from, size_t to)
{
	const size_t step = s->plt->machine->step;

	while (from < to && s->budget >= step) {
		size_t len = decode(s, from);

		len = len ? (len + step - 1) / step * step : step;
		s->budget -= len < s->budget ? len : s->budget;
		from += len;
	}
	return from;
}

/* Among functions: a stub that is wanted begins shortly before the address. */
static void scan_around(struct scan *s)
{
	const struct symtab *t = s->wants;
	const size_t before = s->plt->machine->size_max, step = s->plt->machine->step;
	size_t done = 0;

	for (size_t i = symtab_wanted_from(t, s->offset); i < t->wanted_count; i++) {
		uint64_t at = t->wanted[i] - s->offset;
		size_t from;

		if (at >= s->code.left)
			break;
		from = at < before ? 0 : (at - before) / step * step;
		done = scan_range(s, from > done ? from : done, at + 1);
	}
}

static bool is_stubs(const char *name)
{
	return !strncmp(name, ".plt", 4) || !strcmp(name, ".iplt") || !strcmp(name, ".glink");
}

static void scan_section(struct scan *s, const GElf_Shdr *sh, const char *name)
{
	size_t bytes;
	const char *file = elf_rawfile(elf_file_elf(s->plt->file), &bytes);

	s->section = is_stubs(name) ? name : NULL;
	if ((!s->section && !s->plt->machine->anywhere) || sh->sh_type != SHT_PROGBITS ||
	    !(sh->sh_flags & SHF_EXECINSTR) || sh->sh_offset > bytes ||
	    sh->sh_size > bytes - sh->sh_offset)
		return;
	if (elf_file_offset(s->plt->file, sh->sh_addr, &s->offset))
		s->offset = sh->sh_offset;
	if (!symtab_wants(s->wants, s->offset, s->offset + sh->sh_size))
		return;
	if (!strcmp(name, ".plt.got"))
		s->plt->got_is_moved = sh->sh_addr != sh->sh_offset;
	s->code.vaddr = sh->sh_addr;
	s->code.bytes = (const uint8_t *)file + sh->sh_offset;
	s->code.left = sh->sh_size;
	if (s->section || !s->wants->wanted_count)
		scan_range(s, 0, s->code.left);
	else
		scan_around(s);
	if (s->open || (s->section && s->budget))
		close_stub(s, s->code.left);
}

/* The value of TAG in .dynamic; 0: it is not there. */
static uint64_t dynamic_value(struct elf_file *f, GElf_Sxword tag)
{
	Elf_Scn *scn = elf_getscn(elf_file_elf(f), elf_file_section(f, ".dynamic"));
	GElf_Shdr sh;
	Elf_Data *data;
	GElf_Dyn d;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC)
		return 0;
	data = elf_getdata(scn, NULL);
	for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++) {
		if (d.d_tag == tag)
			return d.d_un.d_val;
	}
	return 0;
}

static uint64_t section_address(struct elf_file *f, const char *name)
{
	GElf_Shdr sh;

	return gelf_getshdr(elf_getscn(elf_file_elf(f), elf_file_section(f, name)), &sh)
		       ? sh.sh_addr
		       : 0;
}

/* %ebx holds the address of .got.plt, but mold's holds .got's: its .plt begins with "endbr32;
 * push %ecx; lea .got.plt+4(%ebx), %ecx". */
static uint64_t i386_got(struct elf_file *f)
{
	static const uint8_t mold[] = { 0xf3, 0x0f, 0x1e, 0xfb, 0x51, 0x8d, 0x8b };
	const uint64_t got = section_address(f, ".got.plt");
	size_t left;
	const uint8_t *code = code_bytes(f, section_address(f, ".plt"), &left);
	uint32_t distance = 0;

	if (!code || left < sizeof(mold) + 4 || memcmp(code, mold, sizeof(mold)) != 0)
		return dynamic_value(f, DT_PLTGOT) ?: got;
	for (size_t i = 0; i < 4; i++)
		distance |= (uint32_t)code[sizeof(mold) + i] << (8 * i);
	return (uint32_t)(got + 4 - distance);
}

/* Of DT_PPC64_OPT, which <elf.h> knows without its bits: functions differ in what r2 holds. */
#define PPC64_MULTI_TOC 2
/* No slot is near. */
#define NOWHERE (UINT64_MAX / 2)

/* r2 points into .got, so that 16 bits reach all of it; the entries that bind lazily are 32 bytes
 * behind the tag's value. */
static void ppc64_conventions(struct plt_code *c, struct elf_file *f)
{
	const uint64_t got = section_address(f, ".got");
	const uint8_t *first = NULL;
	size_t left;

	c->got = NOWHERE;
	if (got && !(dynamic_value(f, DT_PPC64_OPT) & PPC64_MULTI_TOC))
		c->got = got + 0x8000;
	c->glink = dynamic_value(f, DT_PPC64_GLINK);
	if (c->glink)
		first = code_bytes(f, c->glink += 32, &left);
	if (first && left >= 4)
		c->glink_size = first[c->big_endian ? 0 : 3] == 0x38 ? 8 : 4; /* li, or b */
}

static void read_conventions(struct plt_code *c, struct elf_file *f)
{
	const struct elf_info *info = elf_file_info(f);

	c->is_64 = info->is_64;
	c->big_endian = info->big_endian;
	if (info->machine == EM_386)
		c->got = i386_got(f);
	else if (info->machine == EM_PPC64)
		ppc64_conventions(c, f);
}

static void find_stubs(struct plt *p, const struct symtab *t)
{
	Elf *elf = elf_file_elf(p->file);
	struct scan s = { .plt = p, .wants = t };
	Elf_Scn *scn = NULL;
	size_t names;

	if (!elf_rawfile(elf, &s.budget) || elf_getshdrstrndx(elf, &names))
		return;
	read_conventions(&s.code, p->file);
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name;
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) && (name = elf_strptr(elf, names, sh.sh_name)))
			scan_section(&s, &sh, name);
	}
}

/* ---- relocations ---- */

struct slot {
	uint64_t at; /* address */
	uint64_t addend;
	uint32_t symbol;
	uint8_t kind;
	uint32_t order; /* in the file: of several for one slot the first one counts */
};

struct slots {
	const struct plt *plt;
	size_t dynsym;	   /* its section */
	struct slot *list; /* by address */
	size_t count, cap;
	size_t budget;	    /* bytes of sections that may still be read */
	Elf_Data *by_index; /* of .rela.plt or .rel.plt, whose relocations have numbers */
	bool by_index_rela;
};

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The word of the file at VADDR, of the size of an address. */
static uint64_t word_at(struct elf_file *f, uint64_t vaddr)
{
	const struct elf_info *info = elf_file_info(f);
	size_t bytes, size = info->is_64 ? 8 : 4;
	const char *file = elf_rawfile(elf_file_elf(f), &bytes);
	uint64_t at, v = 0;

	if (!file || elf_file_offset(f, vaddr, &at) || at > bytes || bytes - at < size)
		return 0;
	for (size_t i = 0; i < size; i++)
		v = v << 8 | (uint8_t)file[at + (info->big_endian ? i : size - 1 - i)];
	return v;
}

/* Relocation number I of DATA. False: it is not there. */
static bool read_reloc(Elf_Data *data, bool rela, size_t i, GElf_Rela *a)
{
	GElf_Rel r;

	if (i > INT32_MAX)
		return false;
	if (rela)
		return gelf_getrela(data, (int)i, a);
	if (!gelf_getrel(data, (int)i, &r))
		return false;
	*a = (GElf_Rela){ .r_offset = r.r_offset, .r_info = r.r_info };
	return true;
}

/* The address of the code that chooses a function: in a REL relocation's slot; on Arm perhaps of
 * Thumb code; with ELFv1 in a descriptor. */
static uint64_t resolver(const struct plt *p, const GElf_Rela *a, bool rela)
{
	uint64_t at = rela ? (uint64_t)a->r_addend : word_at(p->file, a->r_offset);

	if (p->machine->id == EM_ARM)
		at &= ~1ull;
	return elf_file_info(p->file)->has_opd ? word_at(p->file, at) ?: at : at;
}

/* What relocation A puts into its slot; STUB_UNKNOWN: no function that it tells. */
static struct slot slot_of(const struct slots *s, const GElf_Rela *a, bool rela)
{
	const struct plt_machine *m = s->plt->machine;
	const uint64_t type = GELF_R_TYPE(a->r_info), symbol = GELF_R_SYM(a->r_info);
	struct slot slot = { .at = a->r_offset, .order = (uint32_t)s->count };

	if (type == m->irelative || (m->jump_irelative && type == m->jump_irelative)) {
		slot.kind = STUB_RESOLVER;
		slot.addend = resolver(s->plt, a, rela);
	} else if (symbol && (type == m->jump_slot || type == m->glob_dat)) {
		slot.kind = STUB_SYMBOL;
		slot.symbol = (uint32_t)symbol;
		slot.addend = (uint64_t)a->r_addend;
	}
	return slot;
}

static void read_relocs(struct slots *s, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	const bool rela = sh->sh_type == SHT_RELA;
	Elf_Data *data;
	GElf_Rela a;

	if ((!rela && sh->sh_type != SHT_REL) || !(sh->sh_flags & SHF_ALLOC) ||
	    sh->sh_size > s->budget || !(data = elf_getdata(scn, NULL)))
		return;
	s->budget -= sh->sh_size;
	if (name && !strcmp(name, rela ? ".rela.plt" : ".rel.plt")) {
		s->by_index = data;
		s->by_index_rela = rela;
	}
	for (size_t i = 0; read_reloc(data, rela, i, &a); i++) {
		struct slot slot = slot_of(s, &a, rela);

		if (slot.kind == STUB_UNKNOWN || (slot.symbol && sh->sh_link != s->dynsym))
			continue;
		s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
		s->list[s->count++] = slot;
	}
}

static const struct slot *find_slot(const struct slots *s, uint64_t at)
{
	size_t lo = 0, hi = s->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->list[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->count && s->list[lo].at == at ? &s->list[lo] : NULL;
}

static void resolve(struct plt_stub *stub, const struct slots *s)
{
	uint64_t at = stub->target.slot;
	const struct slot *slot;
	GElf_Rela a;

	if (stub->target.by_index) {
		if (!s->by_index ||
		    !read_reloc(s->by_index, s->by_index_rela, stub->target.index, &a))
			return;
		at = a.r_offset;
	}
	slot = find_slot(s, at);
	if (!slot)
		return;
	stub->kind = slot->kind;
	stub->symbol = slot->symbol;
	stub->addend = slot->addend;
}

static void resolve_all(struct plt *p)
{
	Elf *elf = elf_file_elf(p->file);
	struct slots s = { .plt = p, .dynsym = elf_file_section(p->file, ".dynsym") };
	Elf_Scn *scn = NULL;
	size_t names;

	if (!elf_rawfile(elf, &s.budget) || elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh))
			read_relocs(&s, scn, &sh, elf_strptr(elf, names, sh.sh_name));
	}
	if (s.count)
		qsort(s.list, s.count, sizeof(*s.list), by_address);
	for (size_t i = 0; i < p->count; i++) {
		if (p->stubs[i].target.slot || p->stubs[i].target.by_index)
			resolve(&p->stubs[i], &s);
	}
	free(s.list);
}

static void want_resolvers(const struct plt *p, struct symtab *t)
{
	uint64_t *addrs = xmalloc((p->count + 1) * sizeof(*addrs));
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++) {
		if (p->stubs[i].kind == STUB_RESOLVER &&
		    !elf_file_offset(p->file, p->stubs[i].addend, &addrs[count]))
			count++;
	}
	symtab_want_also(t, addrs, count);
	free(addrs);
}

void plt_read(struct plt *p, struct elf_file *f, struct symtab *t)
{
	*p = (struct plt){ .file = f, .machine = plt_machine(elf_file_info(f)->machine) };
	if (!p->machine)
		return;
	find_stubs(p, t);
	if (!p->count)
		return;
	resolve_all(p);
	want_resolvers(p, t);
}

void plt_release(struct plt *p)
{
	free(p->stubs);
}

/* ---- names ---- */

/* A function has few stubs: their names together are not much longer than the table that they are
 * in. */
#define PLT_NAMES_RATIO 4
#define PLT_NAMES_FREE	(1u << 20)

struct namer {
	const struct plt *plt;
	struct symtab *table;
	Elf_Data *syms;
	struct elf_strings strings;
	size_t left; /* bytes of names that the file can justify */
};

/* NAME without its version, which perf keeps, with a distance where there is one, and @plt. */
static const char *named(struct namer *n, const char *name, uint64_t distance)
{
	char tail[sizeof("+0x@plt") + 16] = "@plt";
	size_t len = n->table->perftree ? strlen(name) : strcspn(name, "@"), tail_len;
	char *text;

	if (distance)
		snprintf(tail, sizeof(tail), "+0x%" PRIx64 "@plt", distance);
	tail_len = strlen(tail) + 1;
	if (len + tail_len > n->left)
		return NULL;
	n->left -= len + tail_len;
	text = arena_bytes(&n->table->strings, len + tail_len);
	memcpy(text, name, len);
	memcpy(text + len, tail, tail_len);
	return text;
}

static const struct symbol *symbol_at(const struct namer *n, uint64_t at)
{
	const struct symbol *s = symtab_find(n->table, at);

	return s && s->start == at ? s : NULL;
}

/* lld moves the symbol of a function whose address is taken from the resolver to the stub. */
static const char *resolver_name(struct namer *n, const struct plt_stub *stub)
{
	const struct symbol *s = NULL, *moved = symbol_at(n, stub->start);
	uint64_t at;

	if (!elf_file_offset(n->plt->file, stub->addend, &at))
		s = symbol_at(n, at);
	if (moved && stub->section && (!s || !s->ifunc))
		s = moved;
	return s ? named(n, s->name, 0) : named(n, "*ABS*", stub->addend);
}

/* perf 6.12 takes the place of a section in the file for its address: which slot a stub in .plt.got
 * jumps through is not found where the two differ (tools/perf/util/symbol-elf.c,
 * get_plt_got_name()). */
static bool misses_slots(const struct namer *n, const char *section)
{
	return n->table->perftree && section && !strcmp(section, ".plt.got") &&
	       n->plt->got_is_moved;
}

static const char *stub_name(struct namer *n, const struct plt_stub *stub)
{
	const char *name = NULL;
	GElf_Sym sym;
	char offset[sizeof("offset_0x") + 16];

	if (misses_slots(n, stub->section)) {
		snprintf(offset, sizeof(offset), "offset_0x%" PRIx64, stub->start);
		return named(n, offset, 0);
	}
	if (stub->kind == STUB_RESOLVER)
		return resolver_name(n, stub);
	if (stub->kind == STUB_SYMBOL && n->syms && gelf_getsym(n->syms, (int)stub->symbol, &sym))
		name = elf_string(&n->strings, sym.st_name);
	if (name && *name)
		return named(n, name, stub->addend);
	/* not over what the linker calls it */
	return symtab_find(n->table, stub->start) ? NULL : stub->section;
}

static void read_dynsym(struct namer *n, struct elf_file *f)
{
	Elf_Scn *scn = elf_getscn(elf_file_elf(f), elf_file_section(f, ".dynsym"));
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNSYM)
		return;
	n->syms = elf_getdata(scn, NULL);
	n->strings = elf_file_strings(f, sh.sh_link);
	n->left += PLT_NAMES_RATIO * n->strings.size;
}

/* A symbol without a size reaches up to the next one, but not into the stubs, as perf 6.12 has it
 * (tools/perf/util/symbol-elf.c, dso__synthesize_plt_symbols()). */
static void end_before_stubs(const struct plt *p, struct symtab *t)
{
	const uint64_t address = section_address(p->file, ".plt");
	const struct symbol *s = NULL;
	uint64_t at;

	if (address && !elf_file_offset(p->file, address, &at))
		s = symtab_find(t, at);
	if (s && s->start < at)
		t->syms[s - t->syms].end = at;
}

void plt_add(const struct plt *p, struct symtab *t)
{
	struct namer n = { .plt = p, .table = t, .left = PLT_NAMES_FREE };
	const char **names;

	if (!p->count)
		return;
	end_before_stubs(p, t);
	read_dynsym(&n, p->file);
	/* all names before the table changes: they are looked up in it */
	names = xmalloc(p->count * sizeof(*names));
	for (size_t i = 0; i < p->count; i++)
		names[i] = stub_name(&n, &p->stubs[i]);
	for (size_t i = 0; i < p->count; i++) {
		if (names[i])
			symtab_add(t, &(struct symbol){ .start = p->stubs[i].start,
							.end = p->stubs[i].end,
							.name = names[i],
							.bind = SYM_GLOBAL });
	}
	free(names);
	symtab_sort(t);
}
