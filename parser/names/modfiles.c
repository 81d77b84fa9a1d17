/* Take files for a module's names: which of them is good for what. */
#include "parser/names/demangle.h"
#include "parser/names/langnames.h"
#include "parser/names/kind.h"
#include "parser/names/reach.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/loclines.h"
#include "parser/names/trust.h"
#include "parser/names/elf/elfsyms.h"

#include <stdlib.h>
#include <string.h>

void module_files_init(struct module_files *f)
{
	symtab_init(&f->table);
	symtab_init(&f->recorded);
	arena_init(&f->arena);
}

static void release_one(struct module_files *f)
{
	symtab_release(&f->table);
	symtab_release(&f->recorded);
	arena_release(&f->arena);
	if (f->lines)
		lines_release(f->lines);
	free(f->lines);
	if (f->runtime != f->syms)
		elf_file_free(f->runtime);
	elf_file_free(f->mini);
	elf_file_free(f->syms);
	free(f->runtime_path);
	free(f->source);
	free(f->debug);
}

void module_files_release(struct module_files *f)
{
	struct module_files *more = f->more;

	release_one(f);
	while (more) {
		struct module_files *next = more->more;

		release_one(more);
		free(more);
		more = next;
	}
}

/* ---- taking ---- */

static bool is_taken(const struct file_choice *p, const char *path)
{
	for (const struct module_files *f = p->before; f; f = f->more) {
		if ((f->source && !strcmp(f->source, path)) ||
		    (f->runtime_path && !strcmp(f->runtime_path, path)))
			return true;
	}
	return false;
}

struct refused_file *module_files_refused(struct module_files *f)
{
	if (!f->refused)
		f->refused = arena_alloc(&f->arena, REFUSED_MAX * sizeof(*f->refused));
	return f->refused;
}

static void note_refused(void *ctx, const char *path, const struct elf_info *info, const char *why)
{
	struct file_choice *p = ctx;
	size_t n = p->out->refused_count++;

	p->out->refused = module_files_refused(p->files);
	if (n >= REFUSED_MAX)
		return;
	p->files->refused[n] =
		(struct refused_file){ .path = arena_strndup(&p->files->arena, path, strlen(path)),
				       .why = why };
	if (info)
		p->files->refused[n].id = build_id_make(info->build_id, info->build_id_len);
}

/* For the report on what is missing. */
static void note_accepted(struct pdt_module *out, struct elf_file *f)
{
	const struct elf_info *info = elf_file_info(f);

	if (!out->machine)
		out->machine = info->machine;
	if (info->has_symtab)
		out->had |= PDT_HAD_SYMTAB;
	if (info->has_dynsym)
		out->had |= PDT_HAD_DYNSYM;
	if (info->has_dwarf)
		out->had |= PDT_HAD_DWARF;
	if (elf_file_has(f, ".eh_frame") || elf_file_has(f, ".debug_frame") ||
	    elf_file_has(f, ".ARM.exidx"))
		out->had |= PDT_HAD_UNWIND;
}

/* Take F as the source of symbols, as the run-time file or for its DWARF. True when nothing more is
 * needed. */
static bool take(void *ctx, struct elf_file *f, const char *path)
{
	struct file_choice *p = ctx;
	const struct elf_info *info = elf_file_info(f);
	bool used = false;

	if (is_taken(p, path)) {
		elf_file_free(f);
		return false;
	}
	note_accepted(p->out, f);
	if (elf_file_limited(f))
		reach_limit(p->o->reach, path, ELF_INFLATED_WHY);
	if (info->has_dwarf && !p->files->debug)
		p->files->debug = xstrdup(path);
	if (info->has_symtab && !p->files->syms) {
		p->files->syms = f;
		free(p->files->source);
		p->files->source = xstrdup(path);
		used = true;
	}
	if ((info->has_dynsym || info->has_opd || info->has_mini || info->has_gopclntab) &&
	    !p->files->runtime) {
		p->files->runtime = f;
		p->files->runtime_path = xstrdup(path);
		if (!p->files->source)
			p->files->source = xstrdup(path);
		used = true;
	}
	if (!used)
		elf_file_free(f);
	return p->files->syms && p->files->runtime && (p->files->debug || !wants_lines(p->o));
}

struct picker module_files_picker(struct file_choice *c)
{
	return (struct picker){ .take = take, .refuse = note_refused, .ctx = c };
}

static int load(struct module_files *f, const struct symbol_options *o)
{
	/* better than .dynsym alone */
	if (!f->syms && !o->quirks.no_minidebuginfo && elf_file_info(f->runtime)->has_mini)
		f->mini = elf_file_mini(f->runtime, NULL);
	if (f->mini)
		return elfsyms_load_mini(&f->table, f->mini, f->runtime);
	return elfsyms_load(&f->table, f->syms ?: f->runtime, f->runtime);
}

int module_files_load(struct module_files *f, const struct symbol_options *o)
{
	int rc = load(f, o);

	if (f->syms && elf_file_limited(f->syms))
		reach_limit(o->reach, f->source, ELF_INFLATED_WHY);
	if (f->runtime && elf_file_limited(f->runtime))
		reach_limit(o->reach, f->runtime_path, ELF_INFLATED_WHY);
	return rc;
}

void module_files_named(const struct module_files *f, struct pdt_module *out)
{
	out->source = f->source;
	out->unverified = trust_is_marked(out);
}

bool module_files_find(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		       struct symbol_range *out)
{
	const struct symbol *s = NULL;

	for (const struct module_files *f = &n->files->modules[m->id]; f && !s; f = f->more)
		s = as_perf ? symtab_find_as_perf(&f->table, addr) : symtab_find(&f->table, addr);
	if (s)
		*out = symbol_range(s, s->start);
	return s != NULL;
}

void module_files_lines(struct module_job *j, const char *path, struct elf_file *runtime,
			uint64_t delta)
{
	const struct loclines_job job = { .path = path,
					  .recorded = j->module->path,
					  .runtime = runtime,
					  .delta = delta,
					  .locs = j->locs,
					  .after_call = j->o->after_call,
					  .ids = j->ids,
					  .count = j->count,
					  .symbols = j->o->symbols };
	struct lines *l;

	l = j->files->lines = xcalloc(1, sizeof(*l));
	lines_init(l);
	if (loclines_fill(l, &job, j->names->locs))
		j->out->debug = path;
	j->out->missing = l->missing;
	for (size_t i = 0; i < NAMES_BOUNDS; i++)
		j->out->left_out[i] += l->left_out[i];
}

/* ---- demangling ---- */

/* GHC writes its name into .comment; what it makes calls its run-time system, whose symbols are in
 * the table of strings also where that is another file. */
static bool made_by_ghc(struct elf_file *f)
{
	static const char *const sections[] = { ".comment", ".strtab", ".dynstr" };
	static const char *const signs[] = { "GHC ", "stg_upd_frame_info", "stg_upd_frame_info" };

	for (size_t i = 0; f && i < ARRAY_SIZE(sections); i++) {
		struct elf_section s;

		if (elf_file_contents(f, sections[i], &s) == 0 &&
		    memmem(s.data, s.size, signs[i], strlen(signs[i])))
			return true;
	}
	return false;
}

unsigned module_files_demangling(struct module_files *f, const char *symbol,
				 const struct symbol_options *o)
{
	if (o->quirks.demangles_as_perf)
		return DEMANGLE_AS_PERF | (o->quirks.demangles_by_cxa ? DEMANGLE_BY_CXA : 0);
	if (!ghc_name_ends(symbol))
		return 0;
	if (f->by_ghc == GHC_NOT_ASKED)
		f->by_ghc = made_by_ghc(f->syms) || made_by_ghc(f->runtime) ? GHC_YES : GHC_NO;
	return f->by_ghc == GHC_YES ? DEMANGLE_GHC : 0;
}
