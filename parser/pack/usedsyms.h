/* Which symbols of a module's files decide what the capture's addresses are called, and where the
 * jumps and calls lead that are in their functions: those that are tried to give the same names as
 * all. */
#ifndef PDTOOL_PACK_USEDSYMS_H
#define PDTOOL_PACK_USEDSYMS_H

#include <stdbool.h>
#include <string.h>

#include "parser/base/intern.h"
#include "parser/names/names.h"
#include "parser/pack/ranges.h"
#include "parser/stacks/stacks.h"

struct elf_file;

struct usedsyms {
	struct intern names;
};

struct usedsyms_query {
	const struct names *names; /* of all locations */
	const struct symbol_options *symbols;
	const struct loc *locs; /* in the module's functions, COUNT, ascending */
	size_t count;
	/* of the files with .symtab and with .dynsym, which may be one; NULL: there is none */
	const char *syms, *runtime;
};

/* False: all are needed, or it cannot be told. OUT is to be released also then. */
bool usedsyms_find(struct usedsyms *out, const struct usedsyms_query *q);
void usedsyms_release(struct usedsyms *u);

/* Is a symbol called NAME one of them? Mapping symbols tell code from data. */
static inline bool usedsyms_has(const struct usedsyms *u, const char *name)
{
	return name[0] == '$' || intern_find(&u->names, name, strlen(name)) != INTERN_NONE;
}

/* Bytes of the tables of symbols and strings in F. */
uint64_t usedsyms_bytes(const struct elf_file *f);
/* Add where the entries of U's symbols are in the tables of F. */
void usedsyms_select(struct ranges *out, struct elf_file *f, const struct usedsyms *u);

#endif
