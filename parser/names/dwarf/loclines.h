/* Source lines and inline chains of the locations of one module. */
#ifndef PDTOOL_SYMBOLS_LOCLINES_H
#define PDTOOL_SYMBOLS_LOCLINES_H

#include "parser/names/elf/elffile.h"
#include "parser/names/dwarf/lines.h"
#include "parser/names/names.h"

struct loclines_job {
	const char *path;     /* the file with debug information */
	const char *recorded; /* where the module was on the recorded machine */
	/* Locations hold file offsets of this file; NULL: they hold run-time addresses, DELTA above
	 * those in the file. */
	const struct elf_file *runtime;
	uint64_t delta;
	const struct loc *locs; /* all of them */
	/* by location: the address is a return address, and what matters is the call before it;
	 * NULL: none is */
	const bool *after_call;
	const uint32_t *ids; /* those of the module */
	size_t count;
	const struct symbol_options *symbols;
};

/* Fill in what NAMES, by location, is to tell of lines and inlines; it will point into L,
 * initialised and empty. Returns whether the file could be read. */
bool loclines_fill(struct lines *l, const struct loclines_job *job, struct loc_name *names);

#endif
