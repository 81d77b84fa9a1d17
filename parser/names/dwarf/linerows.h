/* Where lines of the source begin in a range of code: addresses at which an instruction begins,
 * whatever the bytes before look like. */
#ifndef PDTOOL_SYMBOLS_LINEROWS_H
#define PDTOOL_SYMBOLS_LINEROWS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/names/names.h"

struct linerows {
	uint64_t *addrs; /* as the file counts, in no order, perhaps some more than once */
	size_t count, cap;
};

/* Those of [START, END) in the line table of the first unit that holds START, as the file at PATH
 * tells; O is where files are looked for. R is initialised to zero; it stays empty where nothing
 * can be read. */
void linerows_read(struct linerows *r, const char *path, const struct symbol_options *o,
		   uint64_t start, uint64_t end);
void linerows_release(struct linerows *r);

#endif
