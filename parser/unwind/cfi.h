/* Call frame information of one section, .eh_frame or .debug_frame: which rule holds at an address.
 *
 * The entry (FDE) of an address is found by .eh_frame_hdr, the linker's sorted list of them, so
 * that only what is asked for is read. Where there is none that can be used, the section is walked
 * once for the ranges that its entries cover. An entry's program is run when an address in it is
 * first asked for, and leaves rows: from this address on, that rule. (Own execution of the
 * programs: libdw's dwarf_cfi_addrframe takes four times as long for the same rows, and returns
 * several hundred bytes for each.) Format: DWARF 5 section 6.4, LSB 5 chapter 10.6.
 *
 * The section is hostile: offsets are checked, programs end with their bytes, what is kept is
 * bounded by the section's size. Entries that make no sense are left out and counted, and so are
 * those past the most. */
#ifndef PDTOOL_UNWIND_CFI_H
#define PDTOOL_UNWIND_CFI_H

#include "parser/base/cursor.h"
#include "parser/names/elf/elffile.h"
#include "parser/unwind/rules.h"

/* A range of addresses with one program. */
struct cfi_entry {
	uint32_t start, bytes; /* from the table's base */
	uint32_t offset;       /* in the section */
	uint32_t first_row;    /* CFI_NOT_RUN: the program was not run yet */
	uint16_t row_count;
	uint16_t shared; /* index of its shared part */
};

#define CFI_NOT_RUN UINT32_MAX

struct cfi_row {
	uint32_t start; /* from the table's base */
	uint32_t rule;
};

/* What entries share (a CIE). */
struct cfi_shared {
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra_slot;
	uint8_t encoding; /* of addresses, DW_EH_PE_* */
	bool signal;
	bool sized; /* augmentation data begins with its size */
	struct cfa_state initial;
};

struct cfi {
	const struct unwind_arch *arch;
	struct elf_section section;
	unsigned char ident[16];
	struct elf_section header; /* .eh_frame_hdr; no bytes: none */
	bool eh;		   /* .eh_frame */
	bool is_64;		   /* size of an address */
	bool swap;		   /* the file's byte order is not this host's */
	uint64_t base;		   /* of the 32-bit addresses */
	struct cfi_entry *entries; /* by start; those that were asked for, if there is a header */
	size_t entry_count, entry_cap;
	const uint8_t *listed; /* the list in the header, NULL: all is in entries */
	size_t listed_count;
	uint32_t *places; /* by place in the list: index of the entry + 1, BAD_PLACE, or 0: not
			     asked for */
	struct cfi_shared *shared;
	size_t shared_count, shared_cap;
	struct idmap shared_by_offset; /* index of the shared part, or none */
	struct idmap shared_by_hash;
	struct cfi_row *rows;
	size_t row_count, row_cap;
	struct rules rules;
	uint64_t bad;  /* entries left out: they make no sense */
	uint64_t over; /* there are too many */
};

/* T's section, arch, ident, header, eh, is_64, swap and base are set; the rest is zero. */
void cfi_index(struct cfi *t);
void cfi_release(struct cfi *t);
/* There is any entry at all. */
static inline bool cfi_has_entries(const struct cfi *t)
{
	return t->entry_count || t->listed_count;
}
size_t cfi_bytes(const struct cfi *t);
/* The rule at ADDR (as the file numbers addresses), RULE_NONE when there is none. */
uint32_t cfi_find(struct cfi *t, uint64_t addr);

/* ---- cfi_run.c, for cfi.c ---- */

/* A value encoded as ENCODING says, before what it is relative to is added. */
bool cfi_value(const struct cfi *t, struct cursor *c, uint8_t encoding, uint64_t *out);
/* An address encoded as ENCODING says; C is inside T's section. */
bool cfi_address(const struct cfi *t, struct cursor *c, uint8_t encoding, uint64_t *out);
/* Run the program that is left in C on *STATE, which stands for addresses from *S alone. */
bool cfi_run_shared(const struct cfi *t, const struct cfi_shared *s, struct cursor c,
		    struct cfa_state *state);
/* Run the program in C and keep its rows in ENTRY. */
void cfi_run(struct cfi *t, struct cfi_entry *entry, struct cursor c);

#endif
