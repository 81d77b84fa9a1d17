/* How a kind of module gets its names: one row of functions for each, where the kind is at home
 * (elf/, kernel/, jit/). Where its files lie is said by module_places() (provider.h), below this.
 *
 * Jobs for modules run side by side: each writes its own files, its own module_names and the names
 * of its own locations. */
#ifndef PDTOOL_SYMBOLS_KIND_H
#define PDTOOL_SYMBOLS_KIND_H

#include "parser/names/kernel/kernel.h"
#include "parser/names/modfiles.h"
#include "parser/names/resolve.h"

/* What names point into; lives as long as they do. */
struct symbol_files {
	struct module_files *modules; /* by module id */
	size_t count;
	struct kernel_symbols kernel, guest;
	const struct symtab *recorded_kernel; /* what the capture holds of it; or NULL */
	const struct jitdump *(*jit_dump)(void *jit, uint32_t module);
	void *jit;
};

/* The names of one module. */
struct module_job {
	const struct module *module;
	const struct kind *kind;
	struct names *names;
	const struct resolve_options *o;
	const struct loc *locs; /* by id */
	const uint32_t *ids;	/* its own, by their addresses */
	size_t count;
	struct module_files *files;
	struct pdt_module *out;
};

/* Where the code of a function is. */
struct code_place {
	const struct elf_file *file; /* N's; NULL: the picker was given one, or DUMP, or nobody */
	const char *path;
	uint64_t shift; /* address in FILE = address of a location + shift */
	const struct jitdump *dump;
};

struct kind {
	const char *no_code;  /* what is said when there are no instructions */
	bool of_kernel;	      /* addresses are those of the running kernel */
	bool named_by_kernel; /* names come with the capture, from no file */
	bool plain_names;     /* the kernel's, which are not to be demangled */
	bool plain_as_perf;   /* perf does not demangle them, where its quirks are asked for */
	/* What M is called in answers; NULL: by its path. */
	const char *(*shown)(const struct module *m, struct arena *arena);
	/* What is loaded for all modules of the kind together, before the others; or NULL. */
	void (*load_all)(struct module_job *jobs, size_t count, const struct machine *machine);
	/* Choose the files of J and load their symbols; NULL: load_all() did. */
	void (*load)(struct module_job *j);
	/* The symbol at ADDR; AS_PERF: the one that perf would name. */
	bool (*find)(const struct names *n, const struct module *m, uint64_t addr, bool as_perf,
		     struct symbol_range *out);
	/* Source lines and inlined functions; NULL: there are none. */
	void (*lines)(struct module_job *j);
	/* The code at START: in OUT, or offered to P. NULL: there is none. */
	void (*code)(const struct names *n, const struct module *m, const struct symbol_options *o,
		     const struct picker *p, struct code_place *out);
};

extern const struct kind kind_file; /* ELF files, the vdso as well */
extern const struct kind kind_kernel;
extern const struct kind kind_kmodule;
extern const struct kind kind_bpf;
extern const struct kind kind_perfmap;
extern const struct kind kind_jitdump;
extern const struct kind kind_guest;

/* By enum pdt_module_kind, to a NULL. */
extern const struct kind *const module_kinds[];

static inline const struct kind *kind_of(const struct module *m)
{
	return module_kinds[m->kind];
}

#endif
