/* The kernel's symbols for a capture: from the kallsyms file or the vmlinux that the user named,
 * from the user's sources, from the build-id cache, or from this host when its kernel is the
 * recorded one; never from another kernel. */
#ifndef PDTOOL_SYMBOLS_KERNEL_H
#define PDTOOL_SYMBOLS_KERNEL_H

#include "parser/names/names.h"
#include "parser/state/machine.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/kernel/kallsyms.h"
#include "parser/names/symtab.h"

struct kernel_symbols {
	struct kallsyms kallsyms;
	struct symtab vmlinux; /* by file offset; used when vmlinux_file is set */
	struct elf_file *vmlinux_file;
	const char *source; /* path; NULL: no symbols */
	uint64_t delta;	    /* of vmlinux: run-time address - address in the file (KASLR) */
	bool unverified;    /* a source with no build-id to compare */
	char *path;	    /* owned */
	struct refused_file refused;	      /* path NULL: none; a file of another kernel */
	char *refused_path;		      /* owned; what its path is */
	const struct symbol_options *options; /* while it is loaded */
	/* tables of further sources, for what this one has no name for; NULL: none */
	struct kernel_symbols *next;
	const struct kernel_symbols *before;
};

/* What is known of the recorded kernel, and what is asked of it. */
struct kernel_query {
	const struct module *kernel; /* NULL: its mapping was not recorded */
	struct build_id build_id;    /* len 0: not recorded */
	const uint64_t *addrs;	     /* run-time addresses, ascending */
	size_t count;
	struct kallsyms_module *modules; /* of the capture, by name; told which are elsewhere */
	size_t module_count;
};

/* Finding nothing is no error. */
void kernel_symbols_load(struct kernel_symbols *k, const struct kernel_query *q,
			 const struct symbol_options *o, struct warnings *w);
/* Of a guest: from the file that the user named for it, or none. */
void kernel_symbols_load_guest(struct kernel_symbols *k, const struct kernel_query *q,
			       const struct symbol_options *o, struct warnings *w);
void kernel_symbols_release(struct kernel_symbols *k);
/* sources_fd() for the text that a kernel's names come from, which may be this host's. */
int kernel_text_fd(const struct symbol_options *o, const char *path) CHECKED;
/* The symbol at run-time address IP, or NULL; *OFFSET is IP's distance from its start. */
const struct symbol *kernel_symbols_find(const struct kernel_symbols *k, uint64_t ip,
					 uint64_t *offset);

#endif
