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

#include "parser/names/dwarf/units.h"
#include "parser/pack/ranges.h"

#define REDUCED_UNIT_BYTES 12

struct elf_file;
struct usedsyms;

/* What is asked of a file. */
struct reduce_wish {
	const uint64_t *addrs; /* whose lines and inlined functions are needed, ascending */
	size_t count;
	const struct usedsyms *used; /* symbols; NULL: all */
	bool unwinding;		     /* the tables for unwinding */
	bool strip_paths; /* no directories: what may have some, and is not understood, is not
			     needed */
};

/* What a file is reduced to. */
struct reduced {
	struct ranges keep;
	struct ranges slashes; /* of these, bytes that are to be '/': they were directories */
	/* In place of units of debug information that are not needed: the head of one unit, which
	 * is as long as all of them. */
	struct reduced_unit {
		uint64_t offset; /* in the file */
		uint8_t head[REDUCED_UNIT_BYTES];
	} * units;
	size_t unit_count, unit_cap;
	bool no_lines; /* there is debug information, but what of it are paths cannot be told */
};

/* Add what is needed of F besides its code; of an object file also that. */
void reduce_elf(struct reduced *out, struct elf_file *f, const struct reduce_wish *wish);
/* Clean OUT's ranges, of a file of SIZE bytes. */
void reduced_clean(struct reduced *out, uint64_t size_bytes);
void reduced_release(struct reduced *out);
/* LEN bytes from OFFSET on were read to BUF: change what R, clean, has otherwise. */
void reduced_fill(const struct reduced *r, void *buf, size_t len, uint64_t offset);

/* ---- for files that are made of a part of another ---- */

/* What units tell is needed of the sections with debug information. */
struct parts {
	struct reduced *out;
	const struct elf_info *info;
	struct ranges list, texts;	 /* of sections of entries, and of strings */
	struct ranges directories[2];	 /* the same */
	uint64_t offset[UNITS_SECTIONS]; /* of the sections, in the file; 0: not asked for */
};

/* Of UNITS_SECTIONS the one called NAME; -1: none. */
int parts_index(const char *name);
/* What to ask units_select() for, where WISH strips paths or not. */
struct units_query parts_query(struct parts *p, const struct reduce_wish *wish);
/* Add what was told to P's result. */
void parts_add(struct parts *p);
void parts_release(struct parts *p);
/* Has the section NAME, with debug information, nothing but numbers? */
bool reduce_is_numbers(const char *name);

#endif
