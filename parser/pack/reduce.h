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

struct elf_file;

/* Bytes of a file. */
struct range {
	uint64_t start, end; /* end exclusive */
};

struct ranges {
	struct range *list;
	size_t count, cap;
};

void ranges_add(struct ranges *r, uint64_t start, uint64_t end);
/* Sort them, join those that touch, and cut off what lies at SIZE or behind. */
void ranges_clean(struct ranges *r, uint64_t size);
void ranges_release(struct ranges *r);

/* What is asked of a file. */
struct reduce_wish {
	const uint64_t *addrs; /* whose lines and inlined functions are needed, ascending */
	size_t count;
	bool unwinding; /* the tables for unwinding */
};

/* Add what is needed of F besides its code. */
void reduce_elf(struct ranges *out, const struct elf_file *f, const struct reduce_wish *wish);

#endif
