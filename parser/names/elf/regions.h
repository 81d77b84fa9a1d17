/* Where code is in an ELF file: the bytes at an address, and which parts of a range are data or,
 * on 32-bit ARM, Thumb. Sources: gABI chapter 4; ELF for the Arm Architecture, "mapping symbols".
 */
#ifndef PDTOOL_SYMBOLS_REGIONS_H
#define PDTOOL_SYMBOLS_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#include "parser/names/elf/elffile.h"

enum region_kind { REGION_CODE, REGION_THUMB, REGION_DATA };

/* Up to the start of the next one. */
struct region {
	uint64_t start;
	uint8_t kind;	/* enum region_kind */
	uint32_t order; /* in the file: of equal starts the last one holds */
};

struct regions {
	struct region *list; /* by start; the first one begins where the range does */
	size_t count, cap;
};

/* The instructions at VADDR, *LEFT bytes at the most; NULL: F holds none there (a debug file has
 * the addresses without the bytes). Valid until elf_file_free(). */
const uint8_t *code_bytes(const struct elf_file *f, uint64_t vaddr, size_t *left);
/* The regions of [START, END), START being a function's. R is initialised to zero. */
void regions_read(struct regions *r, const struct elf_file *f, uint64_t start, uint64_t end);
void regions_release(struct regions *r);

#endif
