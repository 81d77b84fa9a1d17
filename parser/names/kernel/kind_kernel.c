/* The kernel itself. Its symbols are chosen once, for the addresses of its modules as well. */
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/names/kind.h"
#include "parser/names/recorded.h"

#include <stdlib.h>
#include <string.h>

/* The kernel addresses that were seen and need names, ascending; the caller frees them. */
static uint64_t *kernel_addrs(const struct module_job *jobs, size_t count, size_t *n)
{
	uint64_t *addrs = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t m = 0; m < count; m++) {
		if (!jobs[m].kind->of_kernel || recorded_suffices(&jobs[m]))
			continue;
		for (size_t i = 0; i < jobs[m].count; i++) {
			addrs = xgrow(addrs, &cap, *n + 1, sizeof(*addrs));
			addrs[(*n)++] = jobs[m].locs[jobs[m].ids[i]].addr;
		}
	}
	if (*n)
		qsort(addrs, *n, sizeof(*addrs), compare_numbers);
	return addrs;
}

static int by_name(const void *a, const void *b)
{
	const struct kallsyms_module *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The kernel modules whose place the capture tells, by name. */
static struct kallsyms_module *kernel_modules(const struct module_job *jobs, size_t count,
					      struct arena *names, size_t *n)
{
	struct kallsyms_module *list = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < count; i++) {
		const struct module *m = jobs[i].module;

		if (m->kind != PDT_MODULE_KMODULE || m->end <= m->start)
			continue;
		list = xgrow(list, &cap, *n + 1, sizeof(*list));
		list[(*n)++] = (struct kallsyms_module){ .name = kind_of(m)->shown(m, names),
							 .start = m->start,
							 .end = m->end,
							 .id = m->id };
	}
	if (*n)
		qsort(list, *n, sizeof(*list), by_name);
	return list;
}

static void note_refused(struct module_job *j, const struct refused_file *file)
{
	j->out->refused = module_files_refused(j->files);
	j->files->refused[j->out->refused_count++] = *file;
}

static void note_other_boot(struct module_job *jobs, const struct kernel_query *q, const char *path)
{
	const struct refused_file file = { path,
					   { 0 },
					   "is of another boot: it has the module elsewhere" };

	for (size_t i = 0; i < q->module_count; i++) {
		struct module_job *j = &jobs[q->modules[i].id];

		if (!q->modules[i].elsewhere)
			continue;
		j->files->other_boot = true;
		note_refused(j, &file);
	}
}

static void load_all(struct module_job *jobs, size_t count, const struct machine *machine)
{
	struct kernel_query q = { .kernel = machine->kernel };
	struct kernel_symbols *k = &jobs->names->files->kernel;
	uint64_t *addrs = kernel_addrs(jobs, count, &q.count);
	struct module_job *own = q.kernel ? &jobs[q.kernel->id] : NULL;

	q.addrs = addrs;
	if (own)
		q.build_id = own->out->recorded;
	if (q.count) {
		q.modules = kernel_modules(jobs, count, &jobs->names->arena, &q.module_count);
		kernel_symbols_load(k, &q, jobs->o->symbols, jobs->o->warnings);
		if (k->source)
			note_other_boot(jobs, &q, k->source);
	}
	free(q.modules);
	free(addrs);
	if (!own)
		return;
	own->out->unverified = k->source && k->unverified;
	if (k->refused.path)
		note_refused(own, &k->refused);
}

static void load(struct module_job *j)
{
	j->out->source = j->names->files->kernel.source ?: j->out->source;
}

static bool find(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		 struct symbol_range *out)
{
	uint64_t offset;
	const struct symbol *s = kernel_symbols_find(&n->files->kernel, addr, &offset);

	(void)m;
	(void)as_perf;
	if (s)
		*out = symbol_range(s, addr - offset);
	return s != NULL;
}

static void lines(struct module_job *j)
{
	const struct kernel_symbols *k = &j->names->files->kernel;

	if (k->vmlinux_file)
		module_files_lines(j, k->path, NULL, k->delta);
}

static void code(const struct names *n, const struct module *m, const struct symbol_options *o,
		 const struct picker *p, struct code_place *out)
{
	const struct kernel_symbols *k = &n->files->kernel;

	(void)o;
	(void)p;
	if (k->vmlinux_file)
		*out = (struct code_place){ .file = k->vmlinux_file,
					    .path = n->modules[m->id].source,
					    .shift = -k->delta };
}

const struct kind kind_kernel = {
	.no_code = "no code for the kernel: need its vmlinux",
	.of_kernel = true,
	.plain_names = true,
	.load_all = load_all,
	.load = load,
	.find = find,
	.lines = lines,
	.code = code,
};
