/* Code made at run time that a jitdump tells of: names, lines and the code itself are in it. */
#include "parser/base/mem.h"
#include "parser/names/jit/jitdump.h"
#include "parser/names/jit/jitlines.h"
#include "parser/names/kind.h"

#include <string.h>

static const struct jitdump *dump_of(const struct names *n, const struct module *m)
{
	return n->files->jit_dump(n->files->jit, m->id);
}

static void load(struct module_job *j)
{
	const struct jitdump *d = dump_of(j->names, j->module);

	for (size_t i = 0; i < d->function_count; i++) {
		const struct jit_function *fn = &d->functions[i];

		symtab_add(&j->files->table, &(struct symbol){ .start = fn->offset,
							       .end = fn->offset + fn->size,
							       .name = fn->name,
							       .bind = SYM_GLOBAL });
	}
	j->files->source = xstrdup(jitdump_shown(d));
	j->out->source = j->files->source;
	j->out->unverified = !d->here;
}

static void lines(struct module_job *j)
{
	struct jit_lines *l = jit_lines_open(dump_of(j->names, j->module));
	const char *last = NULL, *file;

	for (size_t i = 0; l && i < j->count; i++) {
		struct loc_name *n = &j->names->locs[j->ids[i]];
		bool after = j->o->after_call && j->o->after_call[j->ids[i]];

		if (!jit_lines_find(l, j->locs[j->ids[i]].addr - after, &file, &n->line))
			continue;
		if (!last || strcmp(last, file))
			last = arena_strndup(&j->files->arena, file, strlen(file));
		n->file = last;
		j->out->debug = j->out->source;
	}
	jit_lines_close(l);
}

static void code(const struct names *n, const struct module *m, const struct symbol_options *o,
		 const struct picker *p, struct code_place *out)
{
	(void)o;
	(void)p;
	out->dump = dump_of(n, m);
}

const struct kind kind_jitdump = {
	.no_code = "no file with its code",
	.load = load,
	.find = module_files_find,
	.lines = lines,
	.code = code,
};
