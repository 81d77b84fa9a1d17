/* Name all locations: module by module, each loaded once, several at a time. */
#ifndef PDTOOL_SYMBOLS_RESOLVE_H
#define PDTOOL_SYMBOLS_RESOLVE_H

#include "parser/symbols/names.h"
#include "parser/state/machine.h"

struct resolve_options {
	const struct symbol_options *symbols;
	const struct build_id_entry *build_ids; /* what the capture recorded */
	size_t build_id_count;
	const struct build_id_paths *build_id_paths;
	unsigned jobs;
	const bool *after_call; /* by location: it follows a call, its line is the call's; or NULL
				 */
	struct warnings *warnings;
};

/* Name the COUNT locations at LOCS, which stay the caller's and must outlive N, as the machine had
 * them. */
void names_resolve(struct names *n, const struct loc *locs, size_t count,
		   const struct machine *machine, const struct resolve_options *o);
void names_release(struct names *n);

#endif
