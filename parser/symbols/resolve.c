/* Name locations. One job for each module: choose its files, load their symbols, look every address
 * up. */
#include "parser/symbols/resolve.h"
#include "parser/base/mem.h"
#include "parser/base/buf.h"
#include "parser/base/pool.h"
#include "parser/symbols/demangle.h"
#include "parser/symbols/elffile.h"
#include "parser/symbols/elfsyms.h"
#include "parser/symbols/gopclntab.h"
#include "parser/symbols/jitlines.h"
#include "parser/symbols/jitmaps.h"
#include "parser/symbols/kernel.h"
#include "parser/symbols/loclines.h"
#include "parser/symbols/pick.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one module needs until the session ends: names point into it. */
struct module_files {
	struct elf_file *syms, *runtime;
	struct elf_file *mini; /* what RUNTIME holds in place of its .symtab */
	char *runtime_path;
	struct symtab table;
	struct module_files *more; /* further files, for what these do not name; or NULL */
	struct arena arena;
	char *source;
	struct refused_file refused[REFUSED_MAX];
	char *debug; /* the file with DWARF; NULL: none */
	struct lines lines;
};

struct symbol_files {
	struct module_files *modules;
	size_t count;
	struct kernel_symbols kernel;
};

struct resolver {
	struct names *names;
	const struct loc *locs;
	size_t loc_count;
	const struct machine *machine;
	const struct resolve_options *o;
	uint32_t *by_module; /* location ids, grouped by module */
	size_t *first;	     /* by module: where its group begins; one more at the end */
};

/* ---- files of a user module ---- */

struct pick {
	struct module_files *files;
	struct module_names *out;
	const struct symbol_options *o;
	const struct module_files *before; /* what was taken earlier; see load_more() */
};

static bool is_taken(const struct pick *p, const char *path)
{
	for (const struct module_files *f = p->before; f; f = f->more) {
		if ((f->source && !strcmp(f->source, path)) ||
		    (f->runtime_path && !strcmp(f->runtime_path, path)))
			return true;
	}
	return false;
}

static void note_refused(void *ctx, const char *path, const struct elf_info *info)
{
	struct pick *p = ctx;
	size_t n = p->out->refused_count++;

	p->out->refused = p->files->refused;
	if (n < REFUSED_MAX)
		p->files->refused[n] =
			(struct refused_file){ arena_strndup(&p->files->arena, path, strlen(path)),
					       build_id_make(info->build_id, info->build_id_len) };
}

static bool has_contents(struct elf_file *f, const char *name)
{
	struct elf_section ignored;

	return elf_file_contents(f, name, &ignored) == 0;
}

/* For the report on what is missing. */
static void note_accepted(struct module_names *out, struct elf_file *f)
{
	const struct elf_info *info = elf_file_info(f);

	if (!out->machine)
		out->machine = info->machine;
	if (info->has_symtab)
		out->had |= HAD_SYMTAB;
	if (info->has_dynsym)
		out->had |= HAD_DYNSYM;
	if (info->has_dwarf)
		out->had |= HAD_DWARF;
	if (has_contents(f, ".eh_frame") || has_contents(f, ".debug_frame") ||
	    has_contents(f, ".ARM.exidx"))
		out->had |= HAD_UNWIND;
}

static bool wants_lines(const struct symbol_options *o)
{
	return o->lines || o->inlines;
}

/* Take F as the source of symbols, as the run-time file or for its DWARF. True when nothing more is
 * needed. */
static bool take(void *ctx, struct elf_file *f, const char *path)
{
	struct pick *p = ctx;
	const struct elf_info *info = elf_file_info(f);
	bool used = false;

	if (is_taken(p, path)) {
		elf_file_free(f);
		return false;
	}
	note_accepted(p->out, f);
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

/* Better than .dynsym alone, and unknown to perf 6.1. */
static int load_symbols(struct module_files *f, bool as_perf)
{
	if (!f->syms && !as_perf && elf_file_info(f->runtime)->has_mini)
		f->mini = elf_file_mini(f->runtime, NULL);
	if (f->mini)
		return elfsyms_load_mini(&f->table, f->mini, f->runtime);
	return elfsyms_load(&f->table, f->syms ?: f->runtime, f->runtime);
}

static void load_elf(struct resolver *r, const struct module *m, struct pick *p)
{
	const struct picker picker = { .take = take, .refuse = note_refused, .ctx = p };

	(void)pick_files(m, &p->out->recorded, r->o->symbols, &picker);
	if (r->o->symbols->as_perf)
		symtab_keep_order(&p->files->table);
	if (p->files->syms || p->files->runtime) {
		if (load_symbols(p->files, r->o->symbols->as_perf) < 0)
			return;
		p->out->source = p->files->source;
		p->out->unverified = !p->out->recorded.len;
	}
}

static void load_jitdump(struct resolver *r, const struct module *m, struct pick *p)
{
	const struct jitdump *d = r->o->jit_dump(r->o->jit, m->id);

	for (size_t i = 0; i < d->function_count; i++) {
		const struct jit_function *fn = &d->functions[i];

		symtab_add(&p->files->table, &(struct symbol){ .start = fn->offset,
							       .end = fn->offset + fn->size,
							       .name = fn->name,
							       .bind = SYM_GLOBAL });
	}
	p->files->source = xstrdup(d->path);
	p->out->source = p->files->source;
	p->out->unverified = true;
}

/* ---- naming ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *readable(const struct resolver *r, const char *symbol, struct arena *arena)
{
	return r->o->symbols->no_demangle ? symbol : demangle(symbol, arena);
}

/* "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz" and "[ext4]" are both [ext4] (perf:
 * kmod_path__parse). */
static const char *kmodule_name(const char *path, struct arena *arena)
{
	const char *base = base_name(path);
	size_t len = strcspn(base, ".");
	char *name;

	if (path[0] != '/')
		return path;
	name = arena_bytes(arena, len + 3);
	name[0] = '[';
	for (size_t i = 0; i < len; i++)
		name[i + 1] = base[i] == '-' ? '_' : base[i];
	name[len + 1] = ']';
	name[len + 2] = '\0';
	return name;
}

static const char *module_name(const struct module *m, struct arena *arena)
{
	return m->kind == MODULE_KMODULE ? kmodule_name(m->path, arena) : m->path;
}

/* ---- the file of a kernel module ---- */

static bool take_module(void *ctx, struct elf_file *f, const char *path)
{
	struct pick *p = ctx;
	const struct elf_info *info = elf_file_info(f);

	if (info->has_dwarf && !p->files->debug && info->type == ET_REL)
		p->files->debug = xstrdup(path);
	if (info->has_symtab && !p->files->syms && !elfsyms_load_module(&p->files->table, f)) {
		p->files->syms = f;
		p->files->source = xstrdup(path);
	} else {
		elf_file_free(f);
	}
	return p->files->syms && (p->files->debug || !wants_lines(p->o));
}

/* kallsyms, of the very kernel, is better than any file; it may lack the module. */
static const struct symbol *module_symbol(const struct names *n, const char *dso, uint64_t addr,
					  uint64_t *offset)
{
	const struct symbol *s = kernel_symbols_find(&n->files->kernel, addr, offset);

	return s && s->module && strcmp(s->module, dso) ? NULL : s;
}

static bool kernel_names_all(const struct resolver *r, const struct module *m, const char *dso)
{
	uint64_t offset;

	for (size_t i = r->first[m->id]; i < r->first[m->id + 1]; i++) {
		if (!module_symbol(r->names, dso, r->locs[r->by_module[i]].addr, &offset))
			return false;
	}
	return true;
}

static void load_module(struct resolver *r, const struct module *m, struct pick *p)
{
	const struct picker picker = { .take = take_module, .refuse = note_refused, .ctx = p };

	p->out->source = r->names->files->kernel.source;
	if (!wants_lines(p->o) && kernel_names_all(r, m, module_name(m, &p->files->arena)))
		return;
	pick_files(m, &p->out->recorded, r->o->symbols, &picker);
	if (p->files->syms && !p->out->source) {
		p->out->source = p->files->source;
		p->out->unverified = !p->out->recorded.len;
	}
}

/* ---- names of locations ---- */

/* The symbol at run-time address ADDR in the kernel or a module of it, DSO, or NULL. */
static const struct symbol *kernel_symbol(const struct names *n, const struct module *m,
					  const char *dso, uint64_t addr, uint64_t *offset)
{
	const struct module_files *files = &n->files->modules[m->id];
	const struct symbol *s;

	if (m->kind == MODULE_KERNEL)
		return kernel_symbols_find(&n->files->kernel, addr, offset);
	s = module_symbol(n, dso, addr, offset);
	if (s || !files->syms || addr < m->start || addr >= m->end)
		return s;
	s = symtab_find(&files->table, addr - m->start);
	if (s)
		*offset = addr - m->start - s->start;
	return s;
}

static void name_locs(struct resolver *r, const struct module *m, struct module_files *files)
{
	struct module_names *out = &r->names->modules[m->id];
	const char *dso = module_name(m, &files->arena);
	const struct symbol *(*find)(const struct symtab *t, uint64_t a) =
		r->o->symbols->as_perf ? symtab_find_as_perf : symtab_find;
	const struct symbol *last = NULL;
	const char *last_name = NULL;

	for (size_t i = r->first[m->id]; i < r->first[m->id + 1]; i++) {
		struct loc_name *n = &r->names->locs[r->by_module[i]];
		uint64_t addr = r->locs[r->by_module[i]].addr;
		const struct symbol *s;

		n->module = dso;
		if (m->kind == MODULE_KERNEL || m->kind == MODULE_KMODULE) {
			s = kernel_symbol(r->names, m, dso, addr, &n->offset);
			n->symbol = n->name = s ? s->name : NULL;
			if (!s && (addr < m->start || addr >= m->end))
				n->module = NULL; /* no mapping held it, and no symbol claims it */
		} else if (m->kind == MODULE_BPF) {
			n->symbol = n->name = m->path;
			n->offset = addr - m->start;
		} else if (out->source && (s = find(&files->table, addr))) {
			/* addresses are sorted: neighbours share their symbol */
			if (s != last)
				last_name = readable(r, s->name, &files->arena);
			last = s;
			n->symbol = s->name;
			n->name = last_name;
			n->offset = addr - s->start;
		}
		out->named += n->name != NULL;
	}
}

/* ---- further files ---- */

#define MORE_MAX 8 /* files, or pairs of them, for one module */

/* Name what has no name yet, by FILES. */
static void name_rest(struct resolver *r, const struct module *m, struct module_files *files)
{
	struct module_names *out = &r->names->modules[m->id];
	size_t before = out->named;

	for (size_t i = r->first[m->id]; i < r->first[m->id + 1]; i++) {
		struct loc_name *n = &r->names->locs[r->by_module[i]];
		uint64_t addr = r->locs[r->by_module[i]].addr;
		const struct symbol *s = n->name ? NULL : symtab_find(&files->table, addr);

		if (!s)
			continue;
		n->symbol = s->name;
		n->name = readable(r, s->name, &files->arena);
		n->offset = addr - s->start;
		out->named++;
	}
	if (out->named > before && !out->source) {
		out->source = files->source;
		out->unverified = !out->recorded.len;
	}
}

static struct module_files *files_new(void)
{
	struct module_files *f = xcalloc(1, sizeof(*f));

	symtab_init(&f->table);
	arena_init(&f->arena);
	lines_init(&f->lines);
	return f;
}

/* A source more must not cost a name: what the best files do not name, the next best may. */
static void load_more(struct resolver *r, const struct module *m, struct pick *first)
{
	struct module_files **end = &first->files->more;
	struct picker picker = { .take = take };
	unsigned loaded = 0;

	while (loaded < MORE_MAX && first->out->named < first->out->locs) {
		struct module_files *f = files_new();
		struct pick p = { f, first->out, first->o, first->files };

		picker.ctx = &p;
		*end = f;
		end = &f->more;
		if (!pick_files(m, &first->out->recorded, first->o, &picker))
			return;
		if (!f->syms && !f->runtime) {
			picker.assumption++;
		} else {
			loaded++;
			if (load_symbols(f, first->o->as_perf) == 0)
				name_rest(r, m, f);
		}
	}
}

/* ---- lines ---- */

/* A Go program's own table tells lines, too, where there is no DWARF. */
static void find_go_lines(struct resolver *r, struct elf_file *program,
			  const struct loclines_job *job, struct module_names *out)
{
	struct gopclntab t;

	if (!program || gopclntab_open(&t, program) < 0)
		return;
	for (size_t i = 0; i < job->count; i++) {
		struct loc_name *n = &r->names->locs[job->ids[i]];
		bool after = job->after_call && job->after_call[job->ids[i]];
		uint64_t addr = r->locs[job->ids[i]].addr - after;

		if (elf_file_vaddr(program, addr, &addr) == 0 &&
		    gopclntab_line(&t, addr, &n->file, &n->line))
			out->debug = out->source;
	}
	gopclntab_close(&t);
}

static void find_jit_lines(struct resolver *r, const struct module *m, struct module_files *files)
{
	struct jit_lines *l = jit_lines_open(r->o->jit_dump(r->o->jit, m->id));
	struct module_names *out = &r->names->modules[m->id];
	const char *last = NULL, *file;

	for (size_t i = r->first[m->id]; l && i < r->first[m->id + 1]; i++) {
		uint32_t id = r->by_module[i];
		struct loc_name *n = &r->names->locs[id];
		bool after = r->o->after_call && r->o->after_call[id];

		if (!jit_lines_find(l, r->locs[id].addr - after, &file, &n->line))
			continue;
		if (!last || strcmp(last, file))
			last = arena_strndup(&files->arena, file, strlen(file));
		n->file = last;
		out->debug = out->source;
	}
	jit_lines_close(l);
}

static void find_lines(struct resolver *r, const struct module *m, struct module_files *files)
{
	const struct kernel_symbols *k = &r->names->files->kernel;
	struct module_names *out = &r->names->modules[m->id];
	struct loclines_job job = {
		.path = files->debug,
		.runtime = files->runtime ?: files->syms,
		.locs = r->locs,
		.after_call = r->o->after_call,
		.ids = r->by_module + r->first[m->id],
		.count = r->first[m->id + 1] - r->first[m->id],
		.symbols = r->o->symbols,
	};

	if (m->kind == MODULE_JITDUMP && wants_lines(r->o->symbols))
		find_jit_lines(r, m, files);
	if (m->kind == MODULE_KERNEL && k->vmlinux_file) {
		job.path = k->path;
		job.runtime = NULL;
		job.delta = k->delta;
	}
	if (m->kind == MODULE_KMODULE) {
		job.runtime = NULL;
		job.delta = m->start;
	}
	if (wants_lines(r->o->symbols) && !job.path)
		find_go_lines(r, files->runtime, &job, out);
	if (!wants_lines(r->o->symbols) || !job.path ||
	    (!job.runtime && m->kind != MODULE_KERNEL && m->kind != MODULE_KMODULE))
		return;
	if (loclines_fill(&files->lines, &job, r->names->locs))
		out->debug = job.path;
	out->missing = files->lines.missing;
}

static void resolve_module(void *ctx, size_t id)
{
	struct resolver *r = ctx;
	const struct module *m = r->machine->modules.list[id];
	struct module_files *files = &r->names->files->modules[id];
	struct module_names *out = &r->names->modules[id];
	struct pick p = { .files = files, .out = out, .o = r->o->symbols };

	if (r->first[id] == r->first[id + 1])
		return;
	if (m->kind == MODULE_FILE || m->kind == MODULE_VDSO)
		load_elf(r, m, &p);
	else if (m->kind == MODULE_JITDUMP)
		load_jitdump(r, m, &p);
	else if (m->kind == MODULE_KMODULE)
		load_module(r, m, &p);
	else if (m->kind == MODULE_KERNEL)
		out->source = r->names->files->kernel.source;
	name_locs(r, m, files);
	if (p.o->sources && (m->kind == MODULE_FILE || m->kind == MODULE_VDSO))
		load_more(r, m, &p);
	find_lines(r, m, files);
}

/* ---- grouping ---- */

struct loc_key {
	uint64_t addr;
	uint32_t id;
};

static int by_addr(const void *a, const void *b)
{
	const struct loc_key *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Location ids grouped by module, by address within; those of no module are left out. */
static void group(struct resolver *r, size_t modules)
{
	struct loc_key *keys = xmalloc(r->loc_count * sizeof(*keys));
	size_t *at;

	r->first = xcalloc(modules + 2, sizeof(*r->first));
	for (size_t i = 0; i < r->loc_count; i++) {
		if (r->locs[i].module != MODULE_NONE)
			r->first[r->locs[i].module + 1]++;
	}
	for (size_t m = 0; m < modules; m++)
		r->first[m + 1] += r->first[m];
	at = xmalloc((modules + 1) * sizeof(*at));
	memcpy(at, r->first, (modules + 1) * sizeof(*at));
	for (size_t i = 0; i < r->loc_count; i++) {
		if (r->locs[i].module != MODULE_NONE)
			keys[at[r->locs[i].module]++] =
				(struct loc_key){ r->locs[i].addr, (uint32_t)i };
	}
	for (size_t m = 0; m < modules; m++)
		qsort(keys + r->first[m], r->first[m + 1] - r->first[m], sizeof(*keys), by_addr);
	r->by_module = xmalloc((r->loc_count + 1) * sizeof(*r->by_module));
	for (size_t i = 0; i < r->first[modules]; i++)
		r->by_module[i] = keys[i].id;
	free(keys);
	free(at);
}

static void prepare(struct resolver *r, size_t modules)
{
	struct names *n = r->names;

	n->locs = xcalloc(r->loc_count, sizeof(*n->locs));
	n->modules = xcalloc(modules, sizeof(*n->modules));
	n->module_count = modules;
	n->files = xcalloc(1, sizeof(*n->files));
	n->files->modules = xcalloc(modules, sizeof(*n->files->modules));
	n->files->count = modules;
	for (size_t i = 0; i < modules; i++) {
		symtab_init(&n->files->modules[i].table);
		arena_init(&n->files->modules[i].arena);
		lines_init(&n->files->modules[i].lines);
		n->modules[i].module = r->machine->modules.list[i];
		n->modules[i].recorded = module_recorded_id(n->modules[i].module, r->o);
		n->modules[i].locs = r->first[i + 1] - r->first[i];
	}
}

/* The kernel addresses that were seen, ascending; the caller frees them. */
static uint64_t *kernel_addrs(const struct resolver *r, size_t *count)
{
	uint64_t *addrs = xmalloc((r->loc_count + 1) * sizeof(*addrs));
	size_t n = 0;

	for (size_t m = 0; m < r->names->module_count; m++) {
		enum module_kind kind = r->names->modules[m].module->kind;

		for (size_t i = r->first[m]; i < r->first[m + 1]; i++) {
			if (kind == MODULE_KERNEL || kind == MODULE_KMODULE)
				addrs[n++] = r->locs[r->by_module[i]].addr;
		}
	}
	qsort(addrs, n, sizeof(*addrs), by_value);
	*count = n;
	return addrs;
}

static void load_kernel(struct resolver *r)
{
	struct kernel_query q = { .kernel = r->machine->kernel };
	struct kernel_symbols *k = &r->names->files->kernel;
	uint64_t *addrs = kernel_addrs(r, &q.count);

	kallsyms_init(&k->kallsyms);
	symtab_init(&k->vmlinux);
	q.addrs = addrs;
	if (q.kernel)
		q.build_id = r->names->modules[q.kernel->id].recorded;
	if (q.count)
		kernel_symbols_load(k, &q, r->o->symbols, r->o->warnings);
	free(addrs);
	for (size_t i = 0; i < r->names->module_count; i++) {
		struct module_names *m = &r->names->modules[i];

		if (m->module->kind != MODULE_KERNEL)
			continue;
		m->unverified = k->source && k->unverified;
		if (k->refused) {
			m->refused = r->names->files->modules[i].refused;
			r->names->files->modules[i].refused[m->refused_count++] =
				(struct refused_file){ k->refused, k->refused_id };
		}
	}
}

/* The addresses of module M that were seen, ascending; the caller frees them. */
static uint64_t *module_addrs(const struct resolver *r, size_t m, size_t *count)
{
	uint64_t *addrs;

	*count = r->first[m + 1] - r->first[m];
	addrs = xmalloc((*count + 1) * sizeof(*addrs));
	for (size_t i = 0; i < *count; i++)
		addrs[i] = r->locs[r->by_module[r->first[m] + i]].addr;
	return addrs;
}

/* Perf maps are chosen for all processes together. */
static void load_perf_maps(struct resolver *r)
{
	struct names *n = r->names;
	struct jitmap *list = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < n->module_count; i++) {
		struct jitmap j = { .module = n->modules[i].module,
				    .table = &n->files->modules[i].table };

		if (j.module->kind != MODULE_JIT)
			continue;
		j.addrs = module_addrs(r, i, &j.count);
		list = xgrow(list, &cap, count + 1, sizeof(*list));
		list[count++] = j;
	}
	jitmaps_load(list, count, r->o->symbols, r->o->warnings);
	for (size_t i = 0; i < count; i++) {
		struct module_names *out = &n->modules[list[i].module->id];

		out->source = n->files->modules[list[i].module->id].source = list[i].path;
		out->unverified = list[i].path != NULL;
		free((void *)list[i].addrs);
	}
	free(list);
}

void names_resolve(struct names *n, const struct loc *locs, size_t count,
		   const struct machine *machine, const struct resolve_options *o)
{
	struct resolver r = {
		.names = n, .locs = locs, .loc_count = count, .machine = machine, .o = o
	};
	size_t modules = machine->modules.count;

	group(&r, modules);
	prepare(&r, modules);
	load_kernel(&r);
	load_perf_maps(&r);
	for (size_t i = 0; i < modules && o->symbols->debuginfod; i++) {
		if (n->modules[i].locs)
			pick_fetch(n->modules[i].module, &n->modules[i].recorded, o->symbols);
	}
	pool_for(o->jobs, modules, resolve_module, &r);
	free(r.by_module);
	free(r.first);
}

bool names_range(const struct names *n, uint32_t module, uint64_t addr, struct symbol_range *out)
{
	struct module_files *files = &n->files->modules[module];
	const struct module *m = n->modules[module].module;
	const struct symbol *s = NULL;
	uint64_t offset = 0;

	if (m->kind == MODULE_BPF) {
		*out = (struct symbol_range){ m->path, m->start, m->end };
		return addr >= m->start && addr < m->end;
	}
	if (m->kind == MODULE_KERNEL || m->kind == MODULE_KMODULE) {
		s = kernel_symbol(n, m, module_name(m, &files->arena), addr, &offset);
	} else {
		for (; !s && files; files = files->more)
			s = symtab_find(&files->table, addr);
		offset = s ? addr - s->start : 0;
	}
	if (s)
		*out = (struct symbol_range){ s->name, addr - offset,
					      addr - offset + (s->end - s->start) };
	return s != NULL;
}

const struct elf_file *names_vmlinux(const struct names *n, uint64_t *delta)
{
	*delta = n->files->kernel.delta;
	return n->files->kernel.vmlinux_file;
}

static void release_files(struct module_files *m)
{
	symtab_release(&m->table);
	arena_release(&m->arena);
	lines_release(&m->lines);
	if (m->runtime != m->syms)
		elf_file_free(m->runtime);
	elf_file_free(m->mini);
	elf_file_free(m->syms);
	free(m->runtime_path);
	free(m->source);
	free(m->debug);
}

void names_release(struct names *n)
{
	struct symbol_files *f = n->files;

	for (size_t i = 0; f && i < f->count; i++) {
		struct module_files *more = f->modules[i].more;

		release_files(&f->modules[i]);
		while (more) {
			struct module_files *next = more->more;

			release_files(more);
			free(more);
			more = next;
		}
	}
	if (f) {
		kernel_symbols_release(&f->kernel);
		free(f->modules);
		free(f);
	}
	free(n->locs);
	free(n->modules);
	arena_release(&n->arena);
}
