/* The instructions of PLT stubs: which slot of the GOT a stub jumps through. One row for each
 * machine. Linkers lay stubs out in many ways (lazy, bound at start, with landing pads, signed
 * pointers, far away), but each loads one slot and jumps there: that is what is looked for.
 *
 * Facts: the machines' processor supplements of the ELF ABI, and what the GNU linkers, lld and mold
 * write. */
#ifndef PDTOOL_SYMBOLS_PLTCODE_H
#define PDTOOL_SYMBOLS_PLTCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a stub may begin. */
struct plt_code {
	const uint8_t *bytes;
	size_t left; /* bytes */
	uint64_t vaddr;
	uint64_t got;	    /* what a register holds by convention: %ebx on i386, r2 on ppc64 */
	uint64_t glink;	    /* ppc64: the first of the entries that bind lazily */
	uint8_t glink_size; /* bytes of each; 0: there are none */
	bool is_64, big_endian;
};

/* Where it leads: through a slot, or by the number of a relocation (what binds lazily and lies
 * apart from the jump). */
struct plt_target {
	uint64_t slot;
	uint32_t index;
	bool by_index;
};

struct plt_machine {
	uint16_t id;	  /* e_machine */
	uint8_t step;	  /* stubs begin at multiples of it, from the start of their section */
	uint8_t size_max; /* bytes of a stub with its padding */
	bool anywhere;	  /* stubs lie among functions, not in sections of their own */
	uint16_t jump_slot, glob_dat, irelative, jump_irelative; /* types of relocation; 0: none */
	/* Bytes of the stub at C, which leads to *T; 0: there is none. */
	size_t (*decode)(const struct plt_code *c, struct plt_target *t);
};

/* NULL: stubs of that machine are not known. */
const struct plt_machine *plt_machine(uint16_t id);

#endif
