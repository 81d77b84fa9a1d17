/* Kernel symbols from a text in the form of /proc/kallsyms (kernel/kallsyms.c: s_show):
 *
 *   ADDRESS(hex) SPACE TYPE(nm letter) SPACE NAME [TAB "[" MODULE "]"]
 *
 * Addresses are run-time addresses of the kernel the text came from. Symbols are those of type T,
 * W, D or B in either case whose name does not begin with '$'; of equal addresses the last line
 * stands; a symbol ends where the next begins, but from the kernel to a module or back at the end
 * of its page (as perf has it: tools/perf/util/symbol.c). Nothing is said about which kernel that
 * is: the caller checks it. */
#ifndef PDTOOL_SYMBOLS_KALLSYMS_H
#define PDTOOL_SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/names/symtab.h"

/* What the text tells of the kernel that it is of, as run-time addresses there; 0: it does not. */
struct kallsyms_marks {
	uint64_t ref; /* of the query's reference symbol */
	uint64_t etext, edata;
};

struct kallsyms {
	struct symtab
		table;	/* the symbols at the wanted addresses; module is "[mod]" for a module's */
	uint64_t delta; /* run-time address - address in the text */
	struct kallsyms_marks marks;
};

/* A kernel module of the capture, and whether the text has it there. Modules are loaded at
 * addresses of their own at each boot: one of which a function lies outside of the mapping is
 * that of another boot, and nothing in it gets a name. */
struct kallsyms_module {
	const char *name;    /* "[ext4]" */
	uint32_t id;	     /* the caller's */
	uint64_t start, end; /* as recorded */
	uint64_t low, high;  /* set: of its functions in the text; LOW is above HIGH: it has none */
	bool elsewhere;	     /* set */
};

/* What is looked for: the text has a hundred thousand lines, a capture touches some hundred. */
struct kallsyms_query {
	const uint64_t *addrs; /* run-time addresses of the capture, ascending */
	size_t count;
	const char *ref;   /* the kernel's reference symbol, NULL: none ... */
	uint64_t ref_addr; /* ... and its run-time address, 0 when not told: then nothing is moved
			      (KASLR) */
	struct kallsyms_module *modules; /* by name (strcmp); may be none */
	size_t module_count;
};

void kallsyms_init(struct kallsyms *k);
void kallsyms_release(struct kallsyms *k);

/* Fill K, initialised and empty, for the addresses of Q.
 * 0; ERR_ABSENT no such file, or every address is zero (kptr_restrict); ERR_IO; ERR_FORMAT no
 * symbols, or not a regular file. On failure K holds no symbols. */
int kallsyms_load(struct kallsyms *k, const char *path, const struct kallsyms_query *q) CHECKED;
/* The same for the regular file FD, at its start, which is closed in any case. */
int kallsyms_load_fd(struct kallsyms *k, int fd, const struct kallsyms_query *q) CHECKED;
/* The symbol at run-time address ADDR, one of those asked for, or NULL. */
const struct symbol *kallsyms_find(const struct kallsyms *k, uint64_t addr);

#endif
