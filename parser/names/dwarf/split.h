/* Split DWARF: the unit in a .dwo file that a skeleton unit stands for. The file is looked for
 * where the skeleton says, below symfs, and beside the file with the skeleton; it is the right one
 * when the unit's id is in it.
 *
 * libdw could link the two, but only when it opens the file itself, from a path that nobody has
 * looked at. So what needs both is read here: addresses (kept in the skeleton's .debug_addr) and
 * ranges (GNU DebugFission for DWARF 4; DWARF 5, 2.17.3 and 7.25). */
#ifndef PDTOOL_SYMBOLS_SPLIT_H
#define PDTOOL_SYMBOLS_SPLIT_H

#include <inttypes.h>

#include "parser/base/cursor.h"
#include "parser/names/dwarf/dwarfs.h"

struct split {
	Dwarf_Die unit; /* the entry of the split unit; addr is NULL when there is none */
	uint64_t id;
	struct elf_file *file, *package; /* the package whose bytes file is made of, or NULL */
	char *path;			 /* of file; NULL: it is of a package */
	Dwarf *dbg;
	uint16_t version;
	uint8_t address_size, offset_size;
	uint64_t low_pc; /* of the unit: ranges begin with it as their base */
	struct cursor addrs, ranges;
};

struct split_ranges {
	struct cursor at;
	uint64_t base;
};

/* What the file of the unit with an id is called in a pack. */
#define SPLIT_PACKED "dwo/%016" PRIx64 ".dwo"

/* The unit of the skeleton *SKELETON of D. False when it is no skeleton, or the file is missing
 * (which goes into D->missing). */
bool split_open(struct split *s, struct dwarfs *d, const Dwarf_Die *skeleton);
/* S may have been zeroed only. */
void split_close(struct split *s);

/* The address that attribute A of the unit holds. ERR_FORMAT when there is none. */
int split_addr(const struct split *s, const Dwarf_Attribute *a, uint64_t *addr) CHECKED;
/* Begin with the list of ranges that A is. */
void split_ranges_begin(const struct split *s, const Dwarf_Attribute *a, struct split_ranges *r);
bool split_ranges_next(const struct split *s, struct split_ranges *r, uint64_t *low,
		       uint64_t *high);

#endif
