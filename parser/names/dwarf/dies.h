/* The entries (DIEs) of one DWARF unit, in the order of the file, each stepped over once.
 *
 * libdw says what the bytes mean, but it cannot walk a whole unit in linear time: without
 * DW_AT_sibling, which clang never writes, dwarf_siblingof() reads everything below an entry again,
 * at every level. So the stepping is done here, over libdw's own section data: by the sizes of the
 * forms (DWARF 5, 7.5.3 and 7.5.6). No recursion; every step is forward and stays in the unit. */
#ifndef PDTOOL_SYMBOLS_DIES_H
#define PDTOOL_SYMBOLS_DIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "parser/base/cursor.h"
#include "parser/base/err.h"

/* Deeper nesting than any compiler writes; such a unit is read up to there, where it is cut. */
#define DIES_DEPTH_MAX 4096

struct die_form {
	uint16_t name, form;
	const uint8_t *constant; /* DW_FORM_implicit_const: its value, in the abbreviation */
};

struct die_abbrev {
	uint16_t tag; /* 0: no such code */
	bool has_children;
	bool has_code;	       /* a function, inlined or not: its attributes are wanted */
	uint32_t size_bytes;   /* of the attributes; DIE_VARIES when that varies */
	uint32_t first, count; /* its forms */
};

#define DIE_VARIES UINT32_MAX

/* A compiled abbreviation table; consecutive units often share one. */
struct die_abbrevs {
	struct die_abbrev *list; /* by code */
	size_t count, cap;
	struct die_form *forms;
	size_t form_count, form_cap;
	const uint8_t *from; /* where it was read */
	uint8_t address_size, offset_size;
	uint16_t version;
};

struct dies {
	struct die_abbrevs abbrevs;
	Dwarf_Die unit;
	const uint8_t *pos, *end;
	uint32_t depth;	   /* of the entry at pos; the unit's own has 0 */
	bool swap;	   /* the file's byte order is not this machine's */
	bool cut;	   /* the rest of the unit is not read: it lies too deep */
	size_t size_bytes; /* of the unit and its abbreviations: what the walk costs */
};

struct die {
	const uint8_t *at;
	uint16_t tag;
	uint32_t depth;
	/* of a function, inlined or not: where its code is; code 0 where there is no such attribute
	 */
	Dwarf_Attribute low_pc, high_pc, ranges;
};

/* Begin with the unit's own entry. D must be zeroed before the first unit and is used for one unit
 * after another. ERR_FORMAT when the unit cannot be read. */
int dies_begin(struct dies *d, const Dwarf_Die *unit) CHECKED;
/* False at the end of the unit, or where it makes no sense any more. */
bool dies_next(struct dies *d, struct die *out);
void dies_release(struct dies *d);

/* libdw's handle of the entry at AT in the unit of D. */
static inline Dwarf_Die dies_handle(const struct dies *d, const uint8_t *at)
{
	return (Dwarf_Die){ .addr = (void *)at, .cu = d->unit.cu };
}

/* Is DBG's file of the other byte order? */
bool dwarf_swapped(Dwarf *dbg);
/* The data of section NAME (".debug_info") of DBG, also when it is called .zdebug_* or *.dwo; NULL
 * when there is none. */
const uint8_t *dwarf_section(Dwarf *dbg, const char *name, size_t *size_bytes);

#endif
