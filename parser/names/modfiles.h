/* The files of one module, as they were taken for its names, and what was refused.
 *
 * A module of the kernel is a relocatable file of its own kind; all others have symbols, a run-time
 * file (perf's word: the one with .dynsym and the segments) and DWARF in one file or in three. */
#ifndef PDTOOL_SYMBOLS_MODFILES_H
#define PDTOOL_SYMBOLS_MODFILES_H

#include "parser/base/arena.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/dwarf/lines.h"
#include "parser/names/names.h"
#include "parser/names/pick.h"
#include "parser/names/symtab.h"

struct module_job;

/* What one module needs until the session ends: names point into it. */
struct module_files {
	struct elf_file *syms, *runtime;
	struct elf_file *mini; /* what RUNTIME holds in place of its .symtab */
	char *runtime_path;
	struct symtab table;
	const struct symtab
		*own_symbols;	   /* another's `recorded`, which is this one's, too; or NULL */
	struct symtab recorded;	   /* what the capture itself holds: see recorded.h */
	struct module_files *more; /* further files, for what these do not name; or NULL */
	struct arena arena;
	char *source;
	const char *shown;	      /* what the module is called in answers: a path, "[ext4]" */
	struct refused_file *refused; /* REFUSED_MAX; NULL: none so far */
	bool other_boot; /* of a kernel module: the kernel's symbols have it at another address */
	char *debug;	 /* the file with DWARF; NULL: none */
	struct lines *lines; /* NULL: not asked for */
	enum { GHC_NOT_ASKED, GHC_NO, GHC_YES } by_ghc;
};

/* One choice of files. */
struct file_choice {
	struct module_files *files; /* to be filled */
	struct pdt_module *out;	    /* told what was refused, and what files had */
	const struct symbol_options *o;
	const struct module_files *before; /* what was taken earlier is not taken again; or NULL */
};

void module_files_init(struct module_files *f);
/* Room for what is refused, REFUSED_MAX of them. */
struct refused_file *module_files_refused(struct module_files *f);
/* Also what was chained to it by `more`. */
void module_files_release(struct module_files *f);
/* The picker that fills C with what a module in parts needs; C must outlive it. */
struct picker module_files_picker(struct file_choice *c);
/* Fill the table from syms and runtime, one of which is set: 0, or what elfsyms_load() says. */
int module_files_load(struct module_files *f, const struct symbol_options *o) CHECKED;
/* OUT's names come from F. */
void module_files_named(const struct module_files *f, struct pdt_module *out);
/* How SYMBOL of F is to be demangled, for demangle(). */
unsigned module_files_demangling(struct module_files *f, const char *symbol,
				 const struct symbol_options *o);
/* The symbol at ADDR in the tables of M, for struct kind. */
bool module_files_find(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		       struct symbol_range *out);
/* Lines of J's locations from the DWARF of PATH. RUNTIME, or NULL and DELTA, say how its addresses
 * differ from those of locations: see loclines.h. */
void module_files_lines(struct module_job *j, const char *path, struct elf_file *runtime,
			uint64_t delta);

static inline bool wants_lines(const struct symbol_options *o)
{
	return o->lines || o->inlines;
}

#endif
