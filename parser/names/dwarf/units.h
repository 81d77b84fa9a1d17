/* Which parts of a file's debug information tell the functions, inlined functions and lines of some
 * addresses: the units that hold them, those that these refer to, their line tables, strings,
 * abbreviations and ranges. */
#ifndef PDTOOL_SYMBOLS_UNITS_H
#define PDTOOL_SYMBOLS_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/names/dwarf/split.h"
#include "parser/names/elf/elffile.h"

/* The sections of which parts are taken. */
enum units_section {
	UNITS_INFO,
	UNITS_LINE,
	UNITS_ABBREV,
	UNITS_RANGES,
	UNITS_RNGLISTS,
	UNITS_STR, /* from here on strings */
	UNITS_LINE_STR,
	UNITS_SECTIONS,
};
extern const char *const units_sections[UNITS_SECTIONS];

struct units_query {
	const uint64_t *addrs; /* as the file counts them, ascending */
	size_t count;
	bool all; /* units, whatever they hold: other files refer to them */
	/* Told of the bytes [START, END) of a SECTION, one of units_sections. The other sections
	 * are needed whole. */
	void (*take)(void *ctx, const char *section, uint64_t start, uint64_t end);
	/* Told where in .debug_info only units are that are not needed; or NULL: then the entries
	 * of these units themselves are taken. */
	void (*skip)(void *ctx, uint64_t start, uint64_t end);
	/* NULL, or told of the bytes that are directories' names, within what is taken or, of the
	 * sections of strings, outside of it. */
	void (*directory)(void *ctx, const char *section, uint64_t start, uint64_t end);
	void *ctx;
};

/* ERR_FORMAT: it cannot be told, or not by parts; what was taken is then of no use. */
int units_select(const struct elf_file *f, const struct units_query *q) CHECKED;
/* The same of the file of a split unit, for that unit alone, whatever addresses it holds. */
int units_select_split(const struct split *split, const struct units_query *q) CHECKED;

#endif
