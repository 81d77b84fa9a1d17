/* The readable names of inlined functions: the linkage name, demangled; without one, the name with
 * the scopes around it ("ns::type::name"). Scopes are known within the unit whose entries were
 * shown to dienames_note(). */
#ifndef PDTOOL_SYMBOLS_DIENAMES_H
#define PDTOOL_SYMBOLS_DIENAMES_H

#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/names/dwarf/dies.h"

struct name_scope {
	const uint8_t *at; /* its entry */
	uint32_t outer;	   /* index of the scope around it, or SCOPE_NONE */
};

#define SCOPE_NONE UINT32_MAX

struct dienames {
	struct intern *texts; /* the caller's: where names are kept */
	bool no_demangle;
	bool by_cxa;		   /* see DEMANGLE_BY_CXA; names that are not mangled stand alone */
	bool scoped;		   /* the unit's language has scopes */
	struct name_scope *scopes; /* by address of the entry */
	size_t scope_count, scope_cap;
	uint32_t *levels; /* by depth: the scope there, or SCOPE_NONE */
	size_t level_cap;
	struct idmap known; /* by entry: the id of its name in texts */
	struct arena scratch;
	bool unreached;	  /* a name was to come from a unit that is not there */
	uint64_t limited; /* names that stay mangled or are cut, for their length */
};

void dienames_init(struct dienames *n, struct intern *texts, bool no_demangle);
void dienames_release(struct dienames *n);
/* Forget what is known; the entries to come are those of UNIT. */
void dienames_begin(struct dienames *n, const Dwarf_Die *unit);
/* The next entry of the unit. */
void dienames_note(struct dienames *n, const struct die *d);
/* The name of the function inlined by DIE, in N->texts; NULL when none is told. */
const char *dienames_get(struct dienames *n, Dwarf_Die *die);
/* The same of the function DIE itself. */
const char *dienames_own(struct dienames *n, Dwarf_Die *die);

#endif
