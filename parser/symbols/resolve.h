/* Name all locations: module by module, each loaded once, several at a time. */
#ifndef PDTOOL_SYMBOLS_RESOLVE_H
#define PDTOOL_SYMBOLS_RESOLVE_H

#include "parser/names.h"
#include "parser/state/machine.h"

struct resolve_options {
	const struct symbol_options *symbols;
	const struct capture_meta *meta;
	unsigned jobs;
	struct warnings *warnings;
};

CHECKED int names_resolve(struct names *n, const struct stacks *stacks, const struct machine *machine,
			  const struct resolve_options *o);
void names_release(struct names *n);

#endif
