/* Modules that are ELF files, and the vdso, which is one without a path: symbols, segments and
 * DWARF are chosen among the files that providers propose. */
#include "parser/base/mem.h"
#include "parser/names/dwarf/loclines.h"
#include "parser/names/elf/gopclntab.h"
#include "parser/names/elf/package.h"
#include "parser/names/elf/symsource.h"
#include "parser/names/kind.h"

#include <stdlib.h>
#include <string.h>

/* Of the symbols of a module only those are needed that its addresses lie in. */
static void want(struct module_job *j)
{
	uint64_t *addrs = xmalloc((j->count + 1) * sizeof(*addrs));

	for (size_t i = 0; i < j->count; i++)
		addrs[i] = j->locs[j->ids[i]].addr;
	symtab_want(&j->files->table, addrs, j->count);
	free(addrs);
}

static void load(struct module_job *j)
{
	const struct symbol_options *o = j->o->symbols;
	struct file_choice choice = { .files = j->files, .out = j->out, .o = o };
	const struct picker picker = module_files_picker(&choice);

	(void)pick_files(j->module, &j->out->recorded, o, &picker);
	j->files->table.counts_plt = o->quirks.counts_plt;
	j->files->table.whole_names = o->quirks.demangles_by_cxa && !o->no_demangle;
	if (o->quirks.finds_by_tree)
		symtab_keep_order(&j->files->table);
	else if (!o->unsampled)
		want(j);
	if ((j->files->syms || j->files->runtime) && module_files_load(j->files, o) == 0)
		module_files_named(j->files, j->out);
	else
		package_load(j);
}

/* The many symbol files of one compiler are one, as in simpleperf's reports
 * (ElfDso::GetReportPath(); before 2020 each was a TemporaryFile-NAME). */
static const char *shown(const struct module *m, struct arena *arena)
{
	(void)arena;
	if (!m->symfile)
		return m->path;
	return strstr(m->path, "_jit_zygote_cache:") ? "[JIT zygote cache]" : "[JIT app cache]";
}

/* A Go program's own table tells lines, too, where there is no DWARF. */
static void go_lines(struct module_job *j)
{
	struct elf_file *program = j->files->runtime;
	struct gopclntab t;

	if (!program || gopclntab_open(&t, program) < 0)
		return;
	for (size_t i = 0; i < j->count; i++) {
		struct loc_name *n = &j->names->locs[j->ids[i]];
		bool after = j->o->after_call && j->o->after_call[j->ids[i]];
		uint64_t addr = j->locs[j->ids[i]].addr - after;

		if (elf_file_vaddr(program, addr, &addr) == 0 &&
		    gopclntab_line(&t, addr, &n->file, &n->line))
			j->out->debug = j->out->source;
	}
	gopclntab_close(&t);
}

/* perf's addr2line tells a file, and line 0, where debug information has lines, but none there. */
static void symbol_lines(struct module_job *j, struct elf_file *runtime)
{
	struct elf_file *f = j->files->syms;
	struct symsource s;

	if (!f || !j->o->symbols->lines || !elf_file_has(f, ".debug_line"))
		return;
	symsource_load(&s, f);
	for (size_t i = 0; i < j->count; i++) {
		struct loc_name *n = &j->names->locs[j->ids[i]];
		uint64_t addr = j->locs[j->ids[i]].addr;

		if (!n->file && elf_file_vaddr(runtime, addr, &addr) == 0)
			n->file = symsource_at(&s, addr);
	}
	symsource_release(&s);
}

static void lines(struct module_job *j)
{
	struct elf_file *runtime = j->files->runtime ?: j->files->syms;

	if (!j->files->debug)
		go_lines(j);
	else if (runtime)
		module_files_lines(j, j->files->debug, runtime, 0);
	if (j->files->debug && runtime && j->o->symbols->quirks.names_by_addr2line)
		symbol_lines(j, runtime);
}

static void code(const struct names *n, const struct module *m, const struct symbol_options *o,
		 const struct picker *p, struct code_place *out)
{
	(void)out;
	(void)pick_files(m, &n->modules[m->id].recorded, o, p);
}

const struct kind kind_file = {
	.no_code = "no file with its code",
	.shown = shown,
	.load = load,
	.find = module_files_find,
	.lines = lines,
	.code = code,
};
