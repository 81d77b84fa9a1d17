/* Name locations. One job for each module: choose its files, load their symbols, look every address
 * up. */
#include "parser/names/resolve.h"
#include "parser/base/mem.h"
#include "parser/base/buf.h"
#include "parser/base/pool.h"
#include "parser/names/demangle.h"
#include "parser/names/elf/gopclntab.h"
#include "parser/names/jit/jitlines.h"
#include "parser/names/jit/jitmaps.h"
#include "parser/names/kernel/kernel.h"
#include "parser/names/dwarf/loclines.h"
#include "parser/names/modfiles.h"
#include "parser/names/sources/symfiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Of the symbols of M only those are needed that its addresses lie in. */
static void want(struct resolver *r, const struct module *m, struct symtab *t)
{
	size_t first = r->first[m->id], count = r->first[m->id + 1] - first;
	uint64_t *addrs = xmalloc((count + 1) * sizeof(*addrs));

	for (size_t i = 0; i < count; i++)
		addrs[i] = r->locs[r->by_module[first + i]].addr;
	symtab_want(t, addrs, count);
	free(addrs);
}

static void load_elf(struct resolver *r, const struct module *m, struct file_choice *p)
{
	const struct picker picker = module_files_picker(p, m->kind);

	(void)pick_files(m, &p->out->recorded, r->o->symbols, &picker);
	if (r->o->symbols->as_perf)
		symtab_keep_order(&p->files->table);
	else if (!r->o->symbols->unsampled)
		want(r, m, &p->files->table);
	if (p->files->syms || p->files->runtime) {
		if (module_files_load(p->files, r->o->symbols->as_perf) < 0)
			return;
		p->out->source = p->files->source;
		p->out->unverified = !p->out->recorded.len;
	}
}

static void load_jitdump(struct resolver *r, const struct module *m, struct file_choice *p)
{
	const struct jitdump *d = r->o->jit_dump(r->o->jit, m->id);

	for (size_t i = 0; i < d->function_count; i++) {
		const struct jit_function *fn = &d->functions[i];

		symtab_add(&p->files->table, &(struct symbol){ .start = fn->offset,
							       .end = fn->offset + fn->size,
							       .name = fn->name,
							       .bind = SYM_GLOBAL });
	}
	p->files->source = xstrdup(d->shown ?: d->path);
	p->out->source = p->files->source;
	p->out->unverified = true;
}

/* ---- naming ---- */

static const char *readable(const struct resolver *r, const char *symbol, struct arena *arena)
{
	return r->o->symbols->no_demangle ? symbol : demangle(symbol, arena);
}

/* "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz" and "[ext4]" are both [ext4] (perf:
 * kmod_path__parse). */
static const char *kmodule_name(const char *path, struct arena *arena)
{
	const char *base = symfile_base(path);
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

static void load_module(struct resolver *r, const struct module *m, struct file_choice *p)
{
	const struct picker picker = module_files_picker(p, m->kind);

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

/* A source more must not cost a name: what the best files do not name, the next best may. */
static void load_more(struct resolver *r, const struct module *m, struct file_choice *first)
{
	struct module_files **end = &first->files->more;
	unsigned loaded = 0, assumption = 0;

	while (loaded < MORE_MAX && first->out->named < first->out->locs) {
		struct module_files *f = xcalloc(1, sizeof(*f));
		struct file_choice p = { f, first->out, first->o, first->files };
		struct picker picker = module_files_picker(&p, m->kind);

		module_files_init(f);
		picker.refuse = NULL; /* was told the first time */
		picker.assumption = assumption;
		*end = f;
		end = &f->more;
		if (!pick_files(m, &first->out->recorded, first->o, &picker))
			return;
		if (!f->syms && !f->runtime) {
			assumption++;
		} else {
			loaded++;
			if (module_files_load(f, first->o->as_perf) == 0)
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
	struct file_choice p = { .files = files, .out = out, .o = r->o->symbols };

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
		module_files_init(&n->files->modules[i]);
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

void names_release(struct names *n)
{
	struct symbol_files *f = n->files;

	for (size_t i = 0; f && i < f->count; i++)
		module_files_release(&f->modules[i]);
	if (f) {
		kernel_symbols_release(&f->kernel);
		free(f->modules);
		free(f);
	}
	free(n->locs);
	free(n->modules);
	arena_release(&n->arena);
}
