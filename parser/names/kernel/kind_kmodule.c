/* Modules of the kernel. kallsyms, of the very kernel, is better than any file; where it lacks the
 * module, the relocatable file does. */
#include "parser/base/mem.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/kernel/kmodule.h"
#include "parser/names/kind.h"

#include <elf.h>
#include <string.h>

static const char *shown(const struct module *m, struct arena *arena)
{
	return kmodule_shown(m->path, arena);
}

static const struct symbol *kallsyms_symbol(const struct names *n, const struct module *m,
					    uint64_t addr, uint64_t *offset)
{
	const struct symbol *s = kernel_symbols_find(&n->files->kernel, addr, offset);

	return s && s->module && strcmp(s->module, n->files->modules[m->id].shown) ? NULL : s;
}

/* Where the kernel's symbols come from, unless they are of no use for the module. */
static const char *kernel_source(const struct module_job *j)
{
	return j->files->other_boot ? NULL : j->names->files->kernel.source;
}

static bool kernel_names_all(const struct module_job *j)
{
	uint64_t offset;

	for (size_t i = 0; i < j->count; i++) {
		if (!kallsyms_symbol(j->names, j->module, j->locs[j->ids[i]].addr, &offset))
			return false;
	}
	return true;
}

static bool take(void *ctx, struct elf_file *f, const char *path)
{
	struct file_choice *p = ctx;
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

static void load(struct module_job *j)
{
	struct file_choice choice = { .files = j->files, .out = j->out, .o = j->o->symbols };
	struct picker picker = module_files_picker(&choice);

	picker.take = take;
	j->out->source = kernel_source(j) ?: j->out->source;
	if (!wants_lines(j->o->symbols) && kernel_names_all(j))
		return;
	(void)pick_files(j->module, &j->out->recorded, j->o->symbols, &picker);
	if (j->files->syms && !kernel_source(j))
		module_files_named(j->files, j->out);
}

static bool find(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		 struct symbol_range *out)
{
	const struct module_files *files = &n->files->modules[m->id];
	uint64_t offset = 0;
	const struct symbol *s = kallsyms_symbol(n, m, addr, &offset);

	(void)as_perf;
	if (!s && files->syms && addr >= m->start && addr < m->end) {
		s = symtab_find(&files->table, addr - m->start);
		offset = s ? addr - m->start - s->start : 0;
	}
	if (s)
		*out = symbol_range(s, addr - offset);
	return s != NULL;
}

static void lines(struct module_job *j)
{
	if (j->files->debug)
		module_files_lines(j, j->files->debug, NULL, j->module->start);
}

const struct kind kind_kmodule = {
	.no_code = "no code for kernel modules",
	.of_kernel = true,
	.plain_names = true,
	.shown = shown,
	.load = load,
	.find = find,
	.lines = lines,
};
