/* A sorted table of symbols: address range -> name. One for each module, filled by a provider.
 *
 * The address space is the provider's: file offsets for ELF (as in perf: a sample is looked up
 * at ip - map.start + map.pgoff), run-time addresses for kallsyms and perf maps. */
#ifndef PDTOOL_SYMBOLS_SYMTAB_H
#define PDTOOL_SYMBOLS_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/err.h"

/* How a symbol was bound in its ELF file, for the choice between aliases. */
enum sym_bind { SYM_LOCAL, SYM_GLOBAL, SYM_WEAK };

struct reach;

struct symbol {
	uint64_t start;
	uint64_t end;	    /* exclusive; start when the size is not known before fix-up */
	const char *name;   /* raw (mangled); owned by the table's arena or by its file */
	const char *module; /* kallsyms: "[mod]"; NULL otherwise */
	uint8_t bind;	    /* enum sym_bind */
	bool ifunc;	    /* at the code that chooses the function; never with symtab.perftree */
	uint32_t order;	    /* number in symtab.perftree, where that is kept */
};

struct symtab {
	struct symbol *syms; /* sorted by start after the provider's finishing step */
	size_t count;
	size_t cap;
	struct arena strings;	   /* names that do not live in a file that stays open */
	struct perftree *perftree; /* NULL without symtab_keep_order() */
	bool whole_names;	   /* of PERFTREE: aliases compare as DEMANGLE_BY_CXA shows them */
	bool counts_plt;  /* of PERFTREE: stubs of the PLT are what perf 6.1 takes them for */
	uint64_t *wanted; /* NULL without symtab_want() */
	size_t wanted_count;
};

void symtab_init(struct symtab *t);
void symtab_release(struct symtab *t);
/* From now on keep what symtab_find_as_perf() needs. T must be empty; only elfsyms_load() knows how
 * to fill such a table, and symtab_find() may miss symbols in it (behind empty ones that only perf
 * has). About 32 bytes more for each symbol read. */
void symtab_keep_order(struct symtab *t);
/* From now on adding and sorting leave out what does not matter for the COUNT addresses at ADDRS
 * (ascending): symtab_find() finds the same for them. Libraries have a hundred thousand symbols,
 * captures some thousand addresses. Not together with symtab_keep_order(). */
void symtab_want(struct symtab *t, const uint64_t *addrs, size_t count);
/* COUNT more of them, in any order; nothing when all are wanted. */
void symtab_want_also(struct symtab *t, const uint64_t *addrs, size_t count);
/* The first of T->wanted at ADDR or after it: its index, or T->wanted_count. */
size_t symtab_wanted_from(const struct symtab *t, uint64_t addr);
/* Is anything in [START, END) wanted? Yes, without symtab_want(). */
bool symtab_wants(const struct symtab *t, uint64_t start, uint64_t end);
/* Append; S->name must stay valid as long as the table. */
void symtab_add(struct symtab *t, const struct symbol *s);
/* Sort by start; equal starts keep their order. */
void symtab_sort(struct symtab *t);
/* The symbol that covers ADDR, or NULL: the last one that starts at or before ADDR, when it ends
 * after ADDR. The table must be finished (sorted). */
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr);

/* The symbol at ADDR that perf 6.1 would name, or NULL: for --compat only. It is another one than
 * symtab_find()'s where ranges nest; there perf's choice depends on the order of the file's symbols
 * (perftree.h), and is often the outer one: `_init` for a PLT entry. The same as symtab_find()
 * without symtab_keep_order(). The first call may build an index behind T: one thread at a time,
 * and no additions after it. */
const struct symbol *symtab_find_as_perf(const struct symtab *t, uint64_t addr);

/* For providers of text: the whole file PATH (by the rules of reach.h), NUL-terminated, in T's
 * arena, so that names may point into it; *SIZE_BYTES without the NUL. ERR_ABSENT no such file,
 * ERR_IO, ERR_FORMAT not a regular file or larger than SYMTAB_TEXT_MAX, which is told. */
#define SYMTAB_TEXT_MAX (1ul << 30)
int symtab_read_text(struct symtab *t, struct reach *r, const char *path, char **text,
		     size_t *size_bytes) CHECKED;

#endif
