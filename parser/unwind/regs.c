/* One table for each architecture. */
#include "parser/unwind/regs.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <elf.h>
#include <string.h>

#define NONE NO_SLOT

/* AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8..R15; DWARF: rax rdx rcx rbx rsi rdi rbp
 * rsp r8..r15 rip */
static const uint8_t x86_64_perf[] = { 0,    3,	   2,	 1,    4, 5, 6,	 7,  16, NONE, NONE, NONE,
				       NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13,   14,   15 };

/* The same numbers of perf; DWARF: eax ecx edx ebx esp ebp esi edi eip */
static const uint8_t i386_perf[] = { 0, 3, 1, 2, 6, 7, 5, 4, 8 };

/* X0..X29 LR SP PC; DWARF: x0..x30 sp */
static const uint8_t arm64_perf[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				      11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				      22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

/* R0..R10 FP IP SP LR PC; DWARF: r0..r15 */
static const uint8_t arm_perf[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

/* R0..R15 FP0..FP15 MASK PC; DWARF: r0..r15 f0 f2 f4 f6 f1 f3 f5 f7 f8 f10 f12 f14 f9 f11 f13 f15
 */
static const uint8_t s390x_perf[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				      11, 12, 13, 14, 15, 16, 20, 17, 21, 18, 22,
				      19, 23, 24, 28, 25, 29, 26, 30, 27, 31 };

/* R0..R31 NIP MSR ORIG_R3 CTR LINK; DWARF: r0..r31, 65 lr, 66 ctr */
static const uint8_t ppc64_perf[] = { 0,  1,  2,  3,  4,  5,  6,    7,	  8,	9,  10, 11, 12,
				      13, 14, 15, 16, 17, 18, 19,   20,	  21,	22, 23, 24, 25,
				      26, 27, 28, 29, 30, 31, NONE, NONE, NONE, 33, 32 };

/* PC RA SP GP TP T0..T2 S0 S1 A0..A7 S2..S11 T3..T6; DWARF: x0..x31 */
static const uint8_t riscv_perf[] = { NONE, 1,	2,  3,	4,  5,	6,  7,	8,  9,	10,
				      11,   12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				      22,   23, 24, 25, 26, 27, 28, 29, 30, 31 };

#define PERF(table) .perf_to_slot = (table), .perf_count = ARRAY_SIZE(table)

static const struct unwind_arch x86_64 = { .name = "x86_64",
					   .machine = EM_X86_64,
					   .word_bytes = 8,
					   .slots = 17,
					   .sp = 7,
					   .fp = 6,
					   .ra = 16,
					   .perf_pc = 8,
					   .fp_style = FP_PAIR,
					   .code_mask = UINT64_MAX,
					   PERF(x86_64_perf) };
static const struct unwind_arch i386 = { .name = "i386",
					 .machine = EM_386,
					 .word_bytes = 4,
					 .slots = 9,
					 .sp = 4,
					 .fp = 5,
					 .ra = 8,
					 .perf_pc = 8,
					 .fp_style = FP_PAIR,
					 .code_mask = UINT32_MAX,
					 PERF(i386_perf) };
/* Above 48 bits lie the pointer authentication code and the tag. */
static const struct unwind_arch arm64 = { .name = "aarch64",
					  .machine = EM_AARCH64,
					  .word_bytes = 8,
					  .slots = 32,
					  .sp = 31,
					  .fp = 29,
					  .ra = 30,
					  .link_register = true,
					  .perf_pc = 32,
					  .fp_style = FP_PAIR,
					  .code_mask = 0x0000ffffffffffff,
					  PERF(arm64_perf) };
/* Bit 0 of a return address says Thumb. */
static const struct unwind_arch arm = { .name = "arm",
					.machine = EM_ARM,
					.word_bytes = 4,
					.slots = 16,
					.sp = 13,
					.fp = NO_SLOT,
					.ra = 14,
					.link_register = true,
					.perf_pc = 15,
					.code_mask = UINT32_MAX - 1,
					PERF(arm_perf) };
static const struct unwind_arch s390x = { .name = "s390x",
					  .machine = EM_S390,
					  .word_bytes = 8,
					  .slots = 32,
					  .sp = 15,
					  .fp = NO_SLOT,
					  .ra = 14,
					  .link_register = true,
					  .cfa_off_sp = true,
					  .perf_pc = 33,
					  .code_mask = UINT64_MAX,
					  PERF(s390x_perf) };
static const struct unwind_arch ppc64 = { .name = "ppc64",
					  .machine = EM_PPC64,
					  .word_bytes = 8,
					  .slots = 34,
					  .sp = 1,
					  .fp = NO_SLOT,
					  .ra = 32,
					  .link_register = true,
					  .extra_dwarf = 65,
					  .extra_count = 2,
					  .perf_pc = 32,
					  .fp_style = FP_BACK_CHAIN,
					  .code_mask = UINT64_MAX,
					  PERF(ppc64_perf) };
static const struct unwind_arch riscv64 = { .name = "riscv64",
					    .machine = EM_RISCV,
					    .word_bytes = 8,
					    .slots = 32,
					    .sp = 2,
					    .fp = 8,
					    .ra = 1,
					    .link_register = true,
					    .perf_pc = 0,
					    .fp_style = FP_PAIR_BELOW,
					    .code_mask = UINT64_MAX,
					    PERF(riscv_perf) };

static const struct unwind_arch *const archs[] = { &x86_64, &i386,  &arm64,  &arm,
						   &s390x,  &ppc64, &riscv64 };

const struct unwind_arch *unwind_arch_find(const char *name, uint64_t abi)
{
	uint16_t machine = abi_machine(name, abi);

	for (size_t i = 0; machine && i < ARRAY_SIZE(archs); i++) {
		if (archs[i]->machine == machine)
			return archs[i];
	}
	return NULL;
}

int unwind_regs_load(struct unwind_regs *r, const struct unwind_arch *a,
		     const struct unwind_user_regs *from)
{
	const uint8_t *p = from->values;
	bool has_pc = false;

	r->valid = 0;
	for (uint64_t left = from->mask; left; left &= left - 1, p += 8) {
		unsigned n = (unsigned)__builtin_ctzll(left);
		uint64_t v;

		memcpy(&v, p, sizeof(v));
		v = unwind_word(a, from->swap ? __builtin_bswap64(v) : v);
		if (n == a->perf_pc) {
			r->pc = v;
			has_pc = true;
		}
		if (n < a->perf_count && a->perf_to_slot[n] != NO_SLOT)
			unwind_reg_set(r, a->perf_to_slot[n], v);
	}
	return has_pc && unwind_reg(r, a->sp) ? 0 : ERR_ABSENT;
}
