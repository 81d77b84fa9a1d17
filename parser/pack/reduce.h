/* Which bytes of an ELF file pdtool needs for a capture: the others may be zeros.
 *
 * What stays is where it was, so the reduced file is read like the whole one, and has its build-id:
 * headers, notes, symbols, relocations of stubs, the code that is asked for, debug information but
 * for what tells where variables are, and the tables for unwinding where stacks were recorded. */
#ifndef PDTOOL_PACK_REDUCE_H
#define PDTOOL_PACK_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/pack/ranges.h"

struct elf_file;

/* What is asked of a file. */
struct reduce_wish {
	const uint64_t *addrs; /* whose lines and inlined functions are needed, ascending */
	size_t count;
	bool unwinding;	  /* the tables for unwinding */
	bool strip_paths; /* no directories: what may have some, and is not understood, is not
			     needed */
};

/* What a file is reduced to. */
struct reduced {
	struct ranges keep;
	struct ranges slashes; /* of these, bytes that are to be '/': they were directories */
};

/* Add what is needed of F besides its code; of an object file also that. */
void reduce_elf(struct reduced *out, struct elf_file *f, const struct reduce_wish *wish);
/* Clean OUT's ranges, of a file of SIZE bytes. */
void reduced_clean(struct reduced *out, uint64_t size_bytes);
void reduced_release(struct reduced *out);

#endif
