/* The registers of each architecture: perf's numbers of a sample's user registers, DWARF's numbers
 * of call frame information, and their roles.
 *
 * Inside the unwinder a register is a slot. Slots are DWARF's numbers where those are small; what
 * DWARF numbers higher follows. Sources: arch/<arch>/include/uapi/asm/perf_regs.h of the kernel for
 * perf's numbers; the psABI of each architecture (x86-64, i386, AArch64 DWARF, AADWARF32, s390x
 * ELF, ppc64 ELFv2, RISC-V) for DWARF's. The architecture is the capture's, never this host's. */
#ifndef PDTOOL_UNWIND_REGS_H
#define PDTOOL_UNWIND_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

#define UNWIND_SLOTS 34
#define NO_SLOT	     0xff

/* What a frame pointer points at. */
enum fp_style {
	FP_NONE,
	FP_PAIR,       /* saved frame pointer, then the return address: x86, AArch64 */
	FP_PAIR_BELOW, /* the same two words end at the frame pointer: RISC-V */
	FP_BACK_CHAIN, /* the stack pointer points at the caller's; the return address is two words
			  above that: ppc64 */
};

struct unwind_arch {
	const char *name;
	uint16_t machine;   /* e_machine of its binaries */
	uint8_t word_bytes; /* size of a pointer */
	uint8_t slots;	    /* slots in use; below extra_dwarf's they are DWARF's numbers */
	uint8_t sp, fp;	    /* slots; fp NO_SLOT: has none that can be relied on */
	uint8_t ra;	    /* slot of DWARF's usual return address column */
	bool link_register; /* RA is a register that holds the caller's address in leaves */
	bool cfa_off_sp;    /* the CFA is not the caller's stack pointer, which is saved or kept */
	uint8_t extra_dwarf, extra_count; /* DWARF numbers from here are the last slots */
	uint8_t perf_pc;		  /* perf's number of the program counter */
	enum fp_style fp_style;
	uint64_t code_mask;	     /* bits of a return address that are address */
	const uint8_t *perf_to_slot; /* by perf's number */
	size_t perf_count;
};

struct unwind_regs {
	uint64_t value[UNWIND_SLOTS];
	uint64_t valid; /* bit by slot */
	uint64_t pc;
};

/* User registers of a sample: the values of the bits of MASK, lowest first. */
struct unwind_user_regs {
	uint64_t mask;
	const uint8_t *values; /* u64 each, any alignment */
	bool swap;	       /* not in this host's byte order */
};

/* NAME is uname -m of the recorded machine; ABI that of the sample: 1 is a 32-bit task, 2 a 64-bit
 * one. NULL: not supported. */
const struct unwind_arch *unwind_arch_find(const char *name, uint64_t abi);
/* The slot of DWARF's register NUMBER, NO_SLOT when it is not followed. */
static inline uint8_t unwind_slot(const struct unwind_arch *a, uint64_t number)
{
	unsigned direct = (unsigned)a->slots - a->extra_count;

	if (number < direct)
		return (uint8_t)number;
	if (number >= a->extra_dwarf && number - a->extra_dwarf < a->extra_count)
		return (uint8_t)(direct + number - a->extra_dwarf);
	return NO_SLOT;
}
/* ERR_ABSENT without a program counter and a stack pointer. */
int unwind_regs_load(struct unwind_regs *r, const struct unwind_arch *a,
		     const struct unwind_user_regs *from) CHECKED;

static inline bool unwind_reg(const struct unwind_regs *r, unsigned slot)
{
	return slot < UNWIND_SLOTS && r->valid >> slot & 1;
}

static inline void unwind_reg_set(struct unwind_regs *r, unsigned slot, uint64_t value)
{
	r->value[slot] = value;
	r->valid |= 1ull << slot;
}

static inline uint64_t unwind_word(const struct unwind_arch *a, uint64_t value)
{
	return a->word_bytes == 4 ? (uint32_t)value : value;
}

#endif
