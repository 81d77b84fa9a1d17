/* A symbol counts by its name: what is called the same counts, too, which changes nothing, as more
 * of a file's symbols never do. */
#include "parser/pack/usedsyms.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/disasm/code.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/resolve.h"
#include "parser/names/sources/sources.h"
#include "parser/pack/strtabs.h"
#include "parser/pdtool_module.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Where a capture has more code, symbols are not what takes the room. */
#define CODE_MAX  (1u << 20) /* bytes of a module */
#define TRIES_MAX 8
/* What tells that GHC made a file (modfiles.c). */
#define GHC_SIGN "stg_upd_frame_info"

struct addrs {
	uint64_t *list;
	size_t count, cap;
};

static void add_addr(struct addrs *a, uint64_t addr)
{
	a->list = xgrow(a->list, &a->cap, a->count + 1, sizeof(*a->list));
	a->list[a->count++] = addr;
}

/* ---- where jumps and calls lead ---- */

/* The function RANGE, in which the first COUNT locations at LOCS lie. False: its code cannot be
 * read. */
static bool add_targets(struct addrs *out, const struct usedsyms_query *q, const struct loc *locs,
			size_t count)
{
	uint64_t *sampled = xmalloc(count * sizeof(*sampled));
	const struct pdt_code_query asked = { .sampled = sampled,
					      .count = count,
					      .max_bytes = CODE_MAX };
	struct pdt_code c;
	bool ok;

	for (size_t i = 0; i < count; i++)
		sampled[i] = locs[i].addr;
	ok = code_load(&c, q->names, &(struct code_query){ locs[0], q->symbols, &asked }) &&
	     !c.refusal;
	for (size_t i = 0; ok && i < c.count; i++) {
		if (c.insns[i].target != PDT_NO_TARGET)
			add_addr(out, c.insns[i].target - c.shift);
	}
	code_release(&c);
	free(sampled);
	return ok;
}

/* The function around the location of index I; *NEXT: the first one behind it. */
static bool function_at(const struct usedsyms_query *q, size_t i, size_t *next,
			struct symbol_range *r)
{
	const struct loc *l = &q->locs[i];
	bool is = names_range(q->names, l->module, l->addr, r);

	for (*next = i + 1; is && *next < q->count && q->locs[*next].addr < r->end;)
		++*next;
	return is;
}

static bool add_all_targets(struct addrs *out, const struct usedsyms_query *q)
{
	struct symbol_range r;
	uint64_t bytes = 0;
	size_t next;

	for (size_t i = 0; i < q->count; i = next)
		bytes += function_at(q, i, &next, &r) ? r.end - r.start : 0;
	if (bytes > CODE_MAX)
		return false;
	for (size_t i = 0; i < q->count; i = next) {
		if (function_at(q, i, &next, &r) && !add_targets(out, q, &q->locs[i], next - i))
			return false;
	}
	return true;
}

static size_t unique(uint64_t *list, size_t count)
{
	size_t n = 0;

	if (count)
		qsort(list, count, sizeof(*list), compare_numbers);
	for (size_t i = 0; i < count; i++) {
		if (!n || list[n - 1] != list[i])
			list[n++] = list[i];
	}
	return n;
}

/* ---- symbols ---- */

static void add_name(struct usedsyms *u, const char *name)
{
	const char *stub = strrchr(name, '@');

	(void)intern_add(&u->names, name, strlen(name));
	if (stub && !strcmp(stub, "@plt")) /* what the stub leads to */
		(void)intern_add(&u->names, name, strcspn(name, "@+"));
}

/* ---- files with some of their symbols ---- */

void usedsyms_select(struct ranges *out, struct elf_file *f, const struct usedsyms *u)
{
	Elf *elf = elf_file_elf(f);
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;
		struct elf_strings strings;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &h) || !h.sh_entsize ||
		    (h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNSYM))
			continue;
		data = elf_getdata(scn, NULL);
		strings = elf_file_strings(f, h.sh_link);
		for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
			const char *name = elf_string(&strings, sym.st_name);
			uint64_t at = h.sh_offset + (uint64_t)i * h.sh_entsize;

			if (name && GELF_ST_TYPE(sym.st_info) != STT_FILE && usedsyms_has(u, name))
				ranges_add(out, at, at + h.sh_entsize);
		}
	}
}

static bool is_table(const GElf_Shdr *h)
{
	return h->sh_type == SHT_SYMTAB || h->sh_type == SHT_DYNSYM || h->sh_type == SHT_STRTAB;
}

uint64_t usedsyms_bytes(const struct elf_file *f)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	Elf_Scn *scn = NULL;
	uint64_t bytes = 0;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &h) && is_table(&h))
			bytes += h.sh_size;
	}
	return bytes;
}

/* Clear what is not in KEEP, clean, of the bytes [START, END). */
static void clear(char *image, const struct ranges *keep, uint64_t start, uint64_t end)
{
	for (size_t i = ranges_behind(keep, start); start < end; i++) {
		uint64_t next =
			i < keep->count && keep->list[i].start < end ? keep->list[i].start : end;

		if (next > start)
			memset(image + start, 0, next - start);
		start = i < keep->count ? keep->list[i].end : end;
	}
}

/* PATH's file with U's symbols alone; NULL: it cannot be made. */
static struct elf_file *open_cut(const struct usedsyms_query *q, const char *path,
				 const struct usedsyms *u)
{
	struct elf_file *f = path ? sources_elf(q->symbols, path, true, NULL) : NULL;
	Elf *elf = f ? elf_file_elf(f) : NULL;
	Elf_Scn *scn = NULL;
	struct ranges keep = { 0 };
	size_t size = 0, names;
	char *image = f ? elf_rawfile(elf, &size) : NULL;

	if (!image || elf_getshdrstrndx(elf, &names)) {
		elf_file_free(f);
		return NULL;
	}
	usedsyms_select(&keep, f, u);
	strtabs_select(&keep, f, names, u);
	ranges_clean(&keep, size);
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && h.sh_offset <= size &&
		    h.sh_size <= size - h.sh_offset && is_table(&h))
			clear(image, &keep, h.sh_offset, h.sh_offset + h.sh_size);
	}
	ranges_release(&keep);
	return f;
}

/* ---- the whole ---- */

struct pair {
	struct elf_file *syms, *runtime;
};

static void pair_release(struct pair *p)
{
	if (p->runtime != p->syms)
		elf_file_free(p->runtime);
	elf_file_free(p->syms);
}

/* Both files, U's symbols of them or, without U, all. */
static bool open_pair(struct pair *p, const struct usedsyms_query *q, const struct usedsyms *u)
{
	bool one = q->syms && q->runtime && !strcmp(q->syms, q->runtime);

	*p = (struct pair){ 0 };
	if (q->syms)
		p->syms =
			u ? open_cut(q, q->syms, u) : sources_elf(q->symbols, q->syms, true, NULL);
	if (one)
		p->runtime = p->syms;
	else if (q->runtime)
		p->runtime = u ? open_cut(q, q->runtime, u)
			       : sources_elf(q->symbols, q->runtime, true, NULL);
	return (!q->syms || p->syms) && (!q->runtime || p->runtime);
}

/* All symbols, by our rules and in the order that perf's need. */
struct tables {
	struct symtab plain, ordered;
};

static bool tables_load(struct tables *t, const struct pair *p)
{
	symtab_init(&t->plain);
	symtab_init(&t->ordered);
	symtab_keep_order(&t->ordered);
	return elfsyms_load(&t->plain, p->syms ?: p->runtime, p->runtime) == 0 &&
	       elfsyms_load(&t->ordered, p->syms ?: p->runtime, p->runtime) == 0;
}

static void tables_release(struct tables *t)
{
	symtab_release(&t->plain);
	symtab_release(&t->ordered);
}

/* ---- choosing ---- */

/* The addresses that are to be named: all, and for perf those that were sampled. */
struct wanted {
	struct addrs all, sampled;
};

static bool find_wanted(struct wanted *w, const struct usedsyms_query *q)
{
	for (size_t i = 0; i < q->count; i++) {
		add_addr(&w->sampled, q->locs[i].addr);
		add_addr(&w->all, q->locs[i].addr);
		add_addr(&w->all, q->locs[i].addr - 1); /* the call, of a return address */
	}
	if (!q->count || !add_all_targets(&w->all, q))
		return false;
	w->all.count = unique(w->all.list, w->all.count);
	return true;
}

typedef const struct symbol *finder(const struct symtab *t, uint64_t addr);

static void add_found(struct usedsyms *u, finder *find, const struct symtab *t,
		      const struct addrs *a)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct symbol *s = find(t, a->list[i]);

		if (s)
			add_name(u, s->name);
	}
}

static bool is_same(const struct symbol *a, const struct symbol *b)
{
	if (!a || !b)
		return a == b;
	return a->start == b->start && a->end == b->end && !strcmp(a->name, b->name);
}

static bool is_named_so(finder *find, const struct symtab *whole, const struct symtab *cut,
			const struct addrs *a)
{
	for (size_t i = 0; i < a->count; i++) {
		if (!is_same(find(whole, a->list[i]), find(cut, a->list[i])))
			return false;
	}
	return true;
}

/* A symbol without a size reaches up to the next one, so what is left out could get its name: then
 * it is not left out. Were there such? */
static bool add_hidden(struct usedsyms *u, finder *find, const struct symtab *whole,
		       const struct symtab *cut)
{
	bool any = false;

	for (size_t i = 0; i < whole->count; i++) {
		const struct symbol *s = &whole->syms[i], *got = find(cut, s->start), *want;

		/* perf calls a stub what it leads to, by the table that is cut */
		if (!got || !strcmp(got->name, s->name) || !strcmp(got->name, "@plt"))
			continue;
		want = find(whole, s->start);
		if (want && !strcmp(want->name, got->name))
			continue;
		add_name(u, s->name);
		if (want)
			add_name(u, want->name);
		any = true;
	}
	return any;
}

enum verdict { SUFFICIENT, NOT_YET, HOPELESS };

static enum verdict try_cut(struct usedsyms *u, const struct usedsyms_query *q,
			    const struct tables *whole, const struct wanted *w)
{
	enum verdict verdict = HOPELESS;
	struct pair files;
	struct tables cut = { 0 };

	if (open_pair(&files, q, u) && tables_load(&cut, &files)) {
		bool hidden = add_hidden(u, symtab_find, &whole->plain, &cut.plain);

		hidden |= add_hidden(u, symtab_find_as_perf, &whole->ordered, &cut.ordered);
		if (hidden)
			verdict = NOT_YET;
		else if (is_named_so(symtab_find, &whole->plain, &cut.plain, &w->all) &&
			 is_named_so(symtab_find_as_perf, &whole->ordered, &cut.ordered,
				     &w->sampled))
			verdict = SUFFICIENT;
	}
	tables_release(&cut);
	pair_release(&files);
	return verdict;
}

static bool choose(struct usedsyms *u, const struct usedsyms_query *q, const struct wanted *w)
{
	enum verdict verdict = HOPELESS;
	struct pair files;
	struct tables whole = { 0 };

	if (open_pair(&files, q, NULL) && tables_load(&whole, &files)) {
		add_found(u, symtab_find, &whole.plain, &w->all);
		add_found(u, symtab_find_as_perf, &whole.ordered, &w->sampled);
		add_name(u, GHC_SIGN);
		verdict = NOT_YET;
	}
	for (int i = 0; i < TRIES_MAX && verdict == NOT_YET; i++)
		verdict = try_cut(u, q, &whole, w);
	tables_release(&whole);
	pair_release(&files);
	return verdict == SUFFICIENT;
}

bool usedsyms_find(struct usedsyms *out, const struct usedsyms_query *q)
{
	struct wanted w = { 0 };
	bool ok;

	intern_init(&out->names);
	ok = (q->syms || q->runtime) && find_wanted(&w, q) && choose(out, q, &w);
	free(w.all.list);
	free(w.sampled.list);
	return ok;
}

void usedsyms_release(struct usedsyms *u)
{
	intern_release(&u->names);
}
