/* The split units of a file with debug information in which some addresses lie, one by one. */
#ifndef PDTOOL_SYMBOLS_SPLITS_H
#define PDTOOL_SYMBOLS_SPLITS_H

#include "parser/names/dwarf/split.h"

struct splits_query {
	const char *path;     /* of the file with their skeletons */
	const char *recorded; /* where its module was on the recorded machine */
	const struct symbol_options *symbols;
	const uint64_t *addrs; /* as the file counts them, ascending */
	size_t count;
	/* Told of each that was found; SPLIT is valid for that call. False: enough. */
	bool (*take)(void *ctx, const struct split *split);
	void *ctx;
};

void splits_each(const struct splits_query *q);

#endif
