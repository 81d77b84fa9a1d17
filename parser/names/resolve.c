/* Name locations. One job for each module: choose its files, load their symbols, look every address
 * up. */
#include "parser/names/resolve.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/base/compare.h"
#include "parser/base/numbered.h"
#include "parser/base/pool.h"
#include "parser/names/demangle.h"
#include "parser/names/hostfile.h"
#include "parser/names/kind.h"
#include "parser/names/provider.h"
#include "parser/names/recorded.h"

#include <stdlib.h>
#include <string.h>

struct resolver {
	struct names *names;
	const struct loc *locs;
	size_t loc_count;
	const struct machine *machine;
	const struct resolve_options *o;
	uint32_t *by_module;	 /* location ids, grouped by module */
	size_t *first;		 /* by module: where its group begins; one more at the end */
	struct numbered *keys;	 /* the same, until they are by address */
	uint32_t *order;	 /* modules, those with most locations first: they take longest */
	struct module_job *jobs; /* by module */
};

/* ---- naming ---- */

static const char *readable(const struct module_job *j, struct module_files *f, const char *symbol)
{
	const struct symbol_options *o = j->o->symbols;
	const struct kind *k = j->kind;

	if (o->no_demangle || (k->plain_names && !o->demangle_kernel) ||
	    (o->quirks.demangles_as_perf && k->plain_as_perf))
		return symbol;
	return demangle(symbol, module_files_demangling(f, symbol, o), &j->files->arena,
			&j->out->left_out[NAMES_LONG]);
}

/* What the build-id table calls a module of the kernel, as answers show it or with its path. */
static bool is_called(const struct module_job *j, const struct build_id_entry *e)
{
	const struct module_places *p = module_places(j->module);
	const struct module named = { .path = e->path };

	if (p->is_entry)
		return p->is_entry(e);
	return (e->misc & MISC_CPUMODE_MASK) == MISC_KERNEL && j->kind->shown &&
	       !strcmp(j->kind->shown(&named, &j->files->arena), j->files->shown);
}

static const char *name_of_module(const struct module_job *j)
{
	if (!j->o->symbols->quirks.names_kernel_by_table || !j->kind->of_kernel)
		return j->files->shown;
	for (size_t i = 0; i < j->o->build_id_count; i++) {
		if (is_called(j, &j->o->build_ids[i]))
			return j->o->build_ids[i].path;
	}
	return j->files->shown;
}

static bool find(const struct module_job *j, uint64_t addr, struct symbol_range *out)
{
	const struct kind *k = j->kind;

	if (recorded_find(j->names, j->module, addr, out))
		return true;
	return (j->out->source || k->named_by_kernel) &&
	       k->find(j->names, j->module, addr, j->o->symbols->quirks.finds_by_tree, out);
}

/* A location that comes soon: those of a module lie anywhere. */
static void foretell(const struct module_job *j, size_t i)
{
	if (i >= j->count)
		return;
	__builtin_prefetch(&j->locs[j->ids[i]]);
	__builtin_prefetch(&j->names->locs[j->ids[i]], 1);
}

#define AHEAD 16

static void name_locs(struct module_job *j)
{
	const struct kind *k = j->kind;
	const struct module *m = j->module;
	const char *last = NULL, *last_name = NULL, *module = name_of_module(j);
	struct symbol_range s;

	for (size_t i = 0; i < j->count; i++) {
		struct loc_name *n = &j->names->locs[j->ids[i]];
		uint64_t addr = j->locs[j->ids[i]].addr;

		foretell(j, i + AHEAD);
		n->module = module;
		if (find(j, addr, &s)) {
			/* addresses are sorted: neighbours share their symbol */
			if (s.symbol != last)
				last_name = readable(j, j->files, s.symbol);
			last = s.symbol;
			n->symbol = s.symbol;
			n->name = last_name;
			n->offset = addr - s.start;
			j->out->named += !j->locs[j->ids[i]].twin;
		} else if (k->of_kernel && (addr < m->start || addr >= m->end)) {
			n->module = NULL; /* no mapping held it, and no symbol claims it */
		}
	}
}

/* ---- further files ---- */

#define MORE_MAX 8 /* files, or pairs of them, for one module */

/* Name what has no name yet, by FILES. */
static void name_rest(struct module_job *j, struct module_files *files)
{
	size_t before = j->out->named;

	for (size_t i = 0; i < j->count; i++) {
		struct loc_name *n = &j->names->locs[j->ids[i]];
		uint64_t addr = j->locs[j->ids[i]].addr;
		const struct symbol *s = n->name ? NULL : symtab_find(&files->table, addr);

		if (!s)
			continue;
		n->symbol = s->name;
		n->name = readable(j, files, s->name);
		n->offset = addr - s->start;
		j->out->named += !j->locs[j->ids[i]].twin;
	}
	if (j->out->named > before && (!j->out->source || j->out->source == j->o->capture_path))
		module_files_named(files, j->out);
}

/* A source more must not cost a name: what the best files do not name, the next best may. */
static void load_more(struct module_job *j)
{
	const struct symbol_options *o = j->o->symbols;
	struct module_files **end = &j->files->more;
	unsigned loaded = 0, assumption = 0;

	while (*end)
		end = &(*end)->more;
	while (loaded < MORE_MAX && j->out->named < j->out->locs) {
		struct module_files *f = xcalloc(1, sizeof(*f));
		struct file_choice p = { f, j->out, o, j->files };
		struct picker picker = module_files_picker(&p);

		module_files_init(f);
		picker.refuse = NULL; /* was told the first time */
		picker.assumption = assumption;
		*end = f;
		end = &f->more;
		if (!pick_files(j->module, &j->out->recorded, o, &picker))
			return;
		if (!f->syms && !f->runtime) {
			assumption++;
		} else {
			loaded++;
			if (module_files_load(f, o) == 0)
				name_rest(j, f);
		}
	}
}

static void resolve_module(void *ctx, size_t i)
{
	const struct resolver *r = ctx;
	struct module_job *j = &r->jobs[r->order[i]];

	if (!j->count)
		return;
	if (j->kind->load && !recorded_suffices(j))
		j->kind->load(j);
	name_locs(j);
	if (j->o->symbols->sources && module_places(j->module)->in_parts)
		load_more(j);
	if (j->kind->lines && wants_lines(j->o->symbols))
		j->kind->lines(j);
}

/* ---- grouping ---- */

static void sort_module(void *ctx, size_t i)
{
	const struct resolver *r = ctx;
	size_t first = r->first[r->order[i]], end = r->first[r->order[i] + 1];

	numbered_sort(r->keys + first, end - first);
	for (size_t k = first; k < end; k++)
		r->by_module[k] = (uint32_t)r->keys[k].id;
}

static int by_count(const void *a, const void *b, void *resolver)
{
	const struct resolver *r = resolver;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return compare_u64(r->first[y + 1] - r->first[y], r->first[x + 1] - r->first[x])
		       ?: compare_u64(x, y);
}

/* For COUNT elements of SIZE bytes, all of which are written to. */
static void *filled_soon(size_t count, size_t size)
{
	void *p = big_alloc(count * size);

	mem_fill_soon(p, count * size);
	return p;
}

/* Location ids grouped by module, by address within; those of no module are left out. */
static void group(struct resolver *r, size_t modules)
{
	size_t *at;

	r->keys = filled_soon(r->loc_count + 1, sizeof(*r->keys));
	r->first = xcalloc(modules + 2, sizeof(*r->first));
	for (size_t i = 0; i < r->loc_count; i++) {
		if (r->locs[i].module != PDT_NONE)
			r->first[r->locs[i].module + 1]++;
	}
	for (size_t m = 0; m < modules; m++)
		r->first[m + 1] += r->first[m];
	at = xmalloc((modules + 1) * sizeof(*at));
	memcpy(at, r->first, (modules + 1) * sizeof(*at));
	for (size_t i = 0; i < r->loc_count; i++) {
		if (r->locs[i].module != PDT_NONE)
			r->keys[at[r->locs[i].module]++] =
				(struct numbered){ r->locs[i].addr, i };
	}
	free(at);
	r->order = xmalloc((modules + 1) * sizeof(*r->order));
	for (size_t m = 0; m < modules; m++)
		r->order[m] = (uint32_t)m;
	qsort_r(r->order, modules, sizeof(*r->order), by_count, r);
	r->by_module = xmalloc((r->loc_count + 1) * sizeof(*r->by_module));
	pool_for(r->o->jobs, modules, sort_module, r);
	big_free(r->keys, (r->loc_count + 1) * sizeof(*r->keys));
}

/* Of each module, without twins. */
static void count_locs(const struct resolver *r)
{
	for (size_t i = 0; i < r->loc_count; i++) {
		if (r->locs[i].module != PDT_NONE && !r->locs[i].twin)
			r->names->modules[r->locs[i].module].locs++;
	}
}

/* Which file is wanted, by what the capture tells. */
static void identify(const struct resolver *r, struct pdt_module *m)
{
	const struct host_file *here;

	m->recorded = module_recorded_id(m->module, r->o);
	m->contained = machine_is_contained(r->machine, m->module->pid);
	if (m->recorded.len || !m->locs)
		return;
	m->by_inode = pick_is_known(m->module, r->o->symbols);
	here = m->by_inode ? NULL : host_file(r->o->symbols->host, m->module);
	m->why = here ? here->why : NULL;
}

static void prepare(struct resolver *r, size_t modules)
{
	struct names *n = r->names;

	n->locs = filled_soon(r->loc_count, sizeof(*n->locs));
	n->loc_count = r->loc_count;
	n->modules = xcalloc(modules, sizeof(*n->modules));
	n->module_count = modules;
	n->files = xcalloc(1, sizeof(*n->files));
	n->files->modules = xcalloc(modules, sizeof(*n->files->modules));
	n->files->count = modules;
	n->files->jit_dump = r->o->jit_dump;
	n->files->jit = r->o->jit;
	kallsyms_init(&n->files->kernel.kallsyms);
	symtab_init(&n->files->kernel.vmlinux);
	kallsyms_init(&n->files->guest.kallsyms);
	symtab_init(&n->files->guest.vmlinux);
	r->jobs = xcalloc(modules, sizeof(*r->jobs));
	count_locs(r);
	for (size_t i = 0; i < modules; i++) {
		const struct module *m = r->machine->modules.list[i];
		struct module_files *f = &n->files->modules[i];

		module_files_init(f);
		f->shown = kind_of(m)->shown ? kind_of(m)->shown(m, &f->arena) : m->path;
		n->modules[i].module = m;
		identify(r, &n->modules[i]);
		r->jobs[i] = (struct module_job){ m,
						  kind_of(m),
						  n,
						  r->o,
						  r->locs,
						  r->by_module + r->first[i],
						  r->first[i + 1] - r->first[i],
						  f,
						  &n->modules[i] };
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
	recorded_load(r.jobs, modules, machine);
	for (size_t i = 0; modules && module_kinds[i]; i++) {
		if (module_kinds[i]->load_all)
			module_kinds[i]->load_all(r.jobs, modules, machine);
	}
	for (size_t i = 0; i < modules && o->symbols->debuginfod; i++) {
		if (n->modules[i].locs && !recorded_suffices(&r.jobs[i]))
			pick_fetch(n->modules[i].module, &n->modules[i].recorded, o->symbols);
	}
	pool_for(o->jobs, modules, resolve_module, &r);
	free(r.order);
	free(r.by_module);
	free(r.first);
	free(r.jobs);
}

bool names_range(const struct names *n, uint32_t module, uint64_t addr, struct symbol_range *out)
{
	const struct module *m = n->modules[module].module;

	return (recorded_find(n, m, addr, out) || kind_of(m)->find(n, m, addr, false, out)) &&
	       addr >= out->start && addr < out->end;
}

void names_call(struct names *n, uint32_t loc, const char *name)
{
	n->locs[loc].name = n->locs[loc].symbol = name;
}

uint64_t names_left_out(const struct names *n, enum names_bound what)
{
	uint64_t count = 0;

	for (size_t i = 0; i < n->module_count; i++)
		count += n->modules[i].left_out[what];
	return count;
}

void names_release(struct names *n)
{
	struct symbol_files *f = n->files;

	for (size_t i = 0; f && i < f->count; i++)
		module_files_release(&f->modules[i]);
	if (f) {
		kernel_symbols_release(&f->kernel);
		kernel_symbols_release(&f->guest);
		free(f->modules);
		free(f);
	}
	big_free(n->locs, n->loc_count * sizeof(*n->locs));
	free(n->modules);
	arena_release(&n->arena);
}
