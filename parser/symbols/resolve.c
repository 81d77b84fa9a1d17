/* Name locations. One job for each module: choose its files, load their symbols, look every address
 * up. */
#include "parser/symbols/resolve.h"
#include "parser/base/mem.h"
#include "parser/base/buf.h"
#include "parser/base/pool.h"
#include "parser/symbols/demangle.h"
#include "parser/symbols/elffile.h"
#include "parser/symbols/elfsyms.h"
#include "parser/symbols/kernel.h"
#include "parser/symbols/loclines.h"
#include "parser/symbols/perfmap.h"
#include "parser/symbols/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one module needs until the session ends: names point into it. */
struct module_files {
	struct elf_file *syms, *runtime;
	struct symtab table;
	struct arena arena;
	char *source, *refused;
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
};

static void note_refused(void *ctx, const char *path, const struct elf_info *info)
{
	struct pick *p = ctx;

	if (p->files->refused)
		return;
	p->files->refused = xstrdup(path);
	p->out->refused_id = build_id_make(info->build_id, info->build_id_len);
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

	if (info->has_dwarf && !p->files->debug)
		p->files->debug = xstrdup(path);
	if (info->has_symtab && !p->files->syms) {
		p->files->syms = f;
		free(p->files->source);
		p->files->source = xstrdup(path);
		used = true;
	}
	if ((info->has_dynsym || info->has_opd) && !p->files->runtime) {
		p->files->runtime = f;
		if (!p->files->source)
			p->files->source = xstrdup(path);
		used = true;
	}
	if (!used)
		elf_file_free(f);
	return p->files->syms && p->files->runtime && (p->files->debug || !wants_lines(p->o));
}

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

static void load_elf(struct resolver *r, const struct module *m, struct pick *p)
{
	const struct picker picker = { take, note_refused, p };

	pick_files(m, &p->out->recorded, r->o->symbols, &picker);
	if (r->o->symbols->as_perf)
		symtab_keep_order(&p->files->table);
	else
		want(r, m, &p->files->table);
	if (p->files->syms || p->files->runtime) {
		int rc = elfsyms_load(&p->files->table, p->files->syms ?: p->files->runtime,
				      p->files->runtime);

		if (rc < 0)
			return;
		p->out->source = p->files->source;
		p->out->unverified = !p->out->recorded.len;
	}
	if (!p->out->source)
		p->out->refused = p->files->refused;
}

static void load_perf_map(struct resolver *r, const struct module *m, struct pick *p)
{
	struct buf path = { 0 };

	if (!r->o->symbols->perf_map_dir)
		return;
	buf_printf(&path, "%s/perf-%u.map", r->o->symbols->perf_map_dir, m->pid);
	if (perfmap_load(&p->files->table, path.data) == 0) {
		p->files->source = xstrdup(path.data);
		p->out->source = p->files->source;
		p->out->unverified = true;
	}
	buf_release(&path);
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
			s = kernel_symbols_find(&r->names->files->kernel, addr, &n->offset);
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

/* ---- lines ---- */

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

	if (m->kind == MODULE_KERNEL && k->vmlinux_file) {
		job.path = k->path;
		job.runtime = NULL;
		job.delta = k->delta;
	}
	if (!wants_lines(r->o->symbols) || !job.path || (!job.runtime && m->kind != MODULE_KERNEL))
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
	else if (m->kind == MODULE_JIT)
		load_perf_map(r, m, &p);
	else if (m->kind != MODULE_BPF)
		out->source = r->names->files->kernel.source;
	name_locs(r, m, files);
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
		m->refused = k->source ? NULL : k->refused;
		m->refused_id = k->refused_id;
	}
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
	pool_for(o->jobs, modules, resolve_module, &r);
	free(r.by_module);
	free(r.first);
}

void names_release(struct names *n)
{
	struct symbol_files *f = n->files;

	for (size_t i = 0; f && i < f->count; i++) {
		struct module_files *m = &f->modules[i];

		symtab_release(&m->table);
		arena_release(&m->arena);
		lines_release(&m->lines);
		if (m->runtime != m->syms)
			elf_file_free(m->runtime);
		elf_file_free(m->syms);
		free(m->source);
		free(m->refused);
		free(m->debug);
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
