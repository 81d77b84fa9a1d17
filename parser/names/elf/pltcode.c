/* One decoder for each machine. Reading past the end gives zeros, which no stub holds where it is
 * looked at; the length is checked once, by whoever returns it. */
#include "parser/names/elf/pltcode.h"
#include "parser/base/mem.h"

#include <elf.h>
#include <string.h>

/* musl's elf.h lacks these relocations, by which functions are chosen at the start. */
#ifndef R_AARCH64_IRELATIVE
#define R_AARCH64_IRELATIVE 1032
#endif
#ifndef R_390_IRELATIVE
#define R_390_IRELATIVE 61
#endif
#ifndef R_RISCV_IRELATIVE
#define R_RISCV_IRELATIVE 58
#endif

/* ---- bytes ---- */

static uint32_t number(const struct plt_code *c, size_t at, size_t size, bool big_endian)
{
	uint32_t v = 0;

	if (at > c->left || c->left - at < size)
		return 0;
	for (size_t i = 0; i < size; i++)
		v = v << 8 | c->bytes[at + (big_endian ? i : size - 1 - i)];
	return v;
}

static uint32_t byte(const struct plt_code *c, size_t at)
{
	return number(c, at, 1, true);
}

static uint32_t word(const struct plt_code *c, size_t at)
{
	return number(c, at, 4, c->big_endian);
}

static uint64_t sext(uint64_t v, unsigned int bits)
{
	uint64_t sign = 1ull << (bits - 1);

	return ((v & (2 * sign - 1)) ^ sign) - sign;
}

/* A stub of LEN bytes: is all of it there? */
static size_t whole(const struct plt_code *c, size_t len)
{
	return len <= c->left ? len : 0;
}

/* ---- x86 ---- */

/* endbr32 or endbr64 */
static size_t skip_landing_pad(const struct plt_code *c)
{
	return number(c, 0, 3, true) == 0xf30f1e && (byte(c, 3) | 1) == 0xfb ? 4 : 0;
}

/* "push number; [bnd] jmp": binds lazily what another section's stub jumps to. UNIT: what the
 * number counts, in bytes of the relocations'. */
static size_t x86_lazy(const struct plt_code *c, size_t at, uint32_t unit, struct plt_target *t)
{
	size_t jump = at + 5 + (byte(c, at + 5) == 0xf2);

	if (byte(c, at) != 0x68 || byte(c, jump) != 0xe9)
		return 0;
	t->by_index = true;
	t->index = number(c, at + 1, 4, false) / unit;
	return whole(c, jump + 5);
}

/* A stub up to AT and what follows when it binds lazily: "push number; jmp". lld's retpolines only
 * load the slot, and call or jump to what jumps there: the former have 32 bytes in all. */
static size_t x86_tail(const struct plt_code *c, size_t at)
{
	struct plt_target t;

	switch (byte(c, at)) {
	case 0x68:
		return x86_lazy(c, at, 1, &t);
	case 0xe8:
		return whole(c, 32);
	case 0xe9:
		return whole(c, at + 5);
	default:
		return whole(c, at);
	}
}

static size_t decode_x86_64(const struct plt_code *c, struct plt_target *t)
{
	size_t at = skip_landing_pad(c), lazy = x86_lazy(c, at, 1, t);

	if (lazy)
		return lazy;
	at += number(c, at, 2, true) == 0x41bb ? 6 : 0; /* mov $number, %r11d */
	at += byte(c, at) == 0xf2;			/* bnd */
	if (number(c, at, 2, true) == 0xff25)		/* jmp *slot(%rip) */
		at += 6;
	else if (number(c, at, 3, true) == 0x4c8b1d) /* mov slot(%rip), %r11: lld's retpolines */
		at += 7;
	else
		return 0;
	t->slot = c->vaddr + at + sext(number(c, at - 4, 4, false), 32);
	return x86_tail(c, at);
}

static size_t decode_i386(const struct plt_code *c, struct plt_target *t)
{
	size_t at = skip_landing_pad(c), lazy = x86_lazy(c, at, sizeof(Elf32_Rel), t);
	uint64_t base;
	uint32_t insn;

	if (lazy)
		return lazy;
	at += byte(c, at) == 0xb9 ? 5 : 0; /* mov $number, %ecx */
	at += byte(c, at) == 0x50;	   /* push %eax: lld's retpolines */
	at -= at && byte(c, at) == 0xa1;   /* mov slot, %eax: one byte shorter */
	insn = number(c, at, 2, true);
	if (insn == 0xffa3 || insn == 0x8b83) /* jmp *slot(%ebx); mov slot(%ebx), %eax */
		base = c->got;
	else if (insn == 0xff25 || insn == 0x50a1) /* jmp *slot */
		base = 0;
	else
		return 0;
	t->slot = (uint32_t)(base + number(c, at + 2, 4, false));
	return x86_tail(c, at + 6);
}

/* ---- Arm ---- */

/* [bti c]; adrp x16; ldr x17, [x16, #]; [add x16, x16, #]; [autia1716]; br x17 */
static size_t decode_aarch64(const struct plt_code *c, struct plt_target *t)
{
	size_t at = word(c, 0) == 0xd503245f ? 4 : 0;
	uint32_t adrp = word(c, at), ldr = word(c, at + 4);
	uint64_t page = (uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	t->slot = ((c->vaddr + at) & ~0xfffull) + (sext(page, 21) << 12) +
		  (uint64_t)(ldr >> 10 & 0xfff) * 8;
	at += 8;
	at += (word(c, at) & 0xffc003ff) == 0x91000210 ? 4 : 0;
	at += word(c, at) == 0xd503219f ? 4 : 0;
	return word(c, at) == 0xd61f0220 ? at + 4 : 0;
}

/* A constant: 8 bits, rotated right by twice the 4 bits above them. */
static uint32_t arm_constant(uint32_t insn)
{
	unsigned int by = (insn >> 8 & 15) * 2;
	uint32_t v = insn & 0xff;

	return by ? v >> by | v << (32 - by) : v;
}

/* [bx pc; nop, in Thumb code]; add ip, pc, #; add ip, ip, #, once or twice; ldr pc, [ip, #]!
 * or, farther away: ldr ip, .+12; add ip, ip, pc; ldr pc, [ip]; .word */
static size_t decode_arm(const struct plt_code *c, struct plt_target *t)
{
	uint32_t first = word(c, 0);
	size_t at = first == 0x46c04778 || first == 0xe7fd4778 ? 4 : 0;
	uint32_t slot = (uint32_t)(c->vaddr + at) + 8;

	if (word(c, at) == 0xe59fc004 && word(c, at + 4) == 0xe08cc00f &&
	    word(c, at + 8) == 0xe59cf000) {
		t->slot = slot + 4 + word(c, at + 12);
		return whole(c, at + 16);
	}
	if ((word(c, at) & 0xfffff000) != 0xe28fc000)
		return 0;
	slot += arm_constant(word(c, at));
	for (at += 4; (word(c, at) & 0xfffff000) == 0xe28cc000; at += 4)
		slot += arm_constant(word(c, at));
	t->slot = slot + (word(c, at) & 0xfff);
	return (word(c, at) & 0xfffff000) == 0xe5bcf000 ? at + 4 : 0;
}

/* ---- s390x: larl %r1, slot; lg %r1, 0(%r1); [lgfi %r0, number]; br %r1; [basr ...] ---- */

static size_t decode_s390x(const struct plt_code *c, struct plt_target *t)
{
	size_t jump = number(c, 12, 2, true) == 0xc001 ? 18 : 12;

	if (number(c, 0, 2, true) != 0xc010 || number(c, 6, 4, true) != 0xe3101000 ||
	    number(c, 10, 2, true) != 0x0004 || number(c, jump, 2, true) != 0x07f1)
		return 0;
	t->slot = c->vaddr + 2 * sext(number(c, 2, 4, true), 32);
	if (number(c, jump + 2, 2, true) == 0x0d10) /* basr %r1, %r0: goes on to bind lazily */
		return whole(c, 32);
	return jump + 2;
}

/* ---- RISC-V: [lpad]; auipc t3; ld t3, (t3); jalr t1, t3 ---- */

static size_t decode_riscv(const struct plt_code *c, struct plt_target *t)
{
	size_t at = (word(c, 0) & 0xfff) == 0x17 ? 4 : 0;
	uint32_t auipc = word(c, at), load = word(c, at + 4);

	if ((auipc & 0xfff) != 0xe17 || (load & 0xfffff) != (c->is_64 ? 0xe3e03 : 0xe2e03) ||
	    word(c, at + 8) != 0x000e0367)
		return 0;
	t->slot = c->vaddr + at + sext(auipc & 0xfffff000, 32) + sext(load >> 20, 12);
	return at + 12;
}

/* ---- ppc64 ---- */

/* The registers that a stub computes with. */
struct ppc64 {
	uint64_t r[3]; /* r2, r11, r12 */
	uint64_t lr;
	uint64_t slot; /* what r12 was loaded from */
	bool loaded;
};

static uint64_t *ppc64_register(struct ppc64 *p, uint32_t number)
{
	static const uint8_t names[] = { 2, 11, 12 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i] == (number & 31))
			return &p->r[i];
	}
	return NULL;
}

/* addis and addi: R gets A plus a constant; ld into r12: the slot. */
static bool ppc64_compute(struct ppc64 *p, uint32_t insn)
{
	uint64_t *to = ppc64_register(p, insn >> 21), *from = ppc64_register(p, insn >> 16);
	uint64_t constant = sext(insn & 0xffff, 16);
	bool load = insn >> 26 == 58 && !(insn & 3);

	if (!to || !from)
		return false;
	if (load && to == &p->r[2] && !p->loaded) {
		p->slot = *from + constant;
		p->loaded = true;
		return true;
	}
	if (insn >> 26 == 14)
		*to = *from + constant;
	else if (insn >> 26 == 15)
		*to = *from + (constant << 16);
	else
		return load && p->loaded; /* r2 and r11 of the function's descriptor */
	return true;
}

/* pld r12, slot@pcrel */
static bool ppc64_prefixed(struct ppc64 *p, uint64_t vaddr, uint32_t prefix, uint32_t insn)
{
	uint64_t distance = (uint64_t)(prefix & 0x3ffff) << 16 | (insn & 0xffff);

	if (prefix >> 18 != 0x04100000 >> 18 || insn >> 16 != 0xe580)
		return false;
	p->slot = vaddr + sext(distance, 34);
	p->loaded = true;
	return true;
}

/* Entries that bind lazily: a branch for each relocation, or its number and a branch. */
static size_t ppc64_lazy(const struct plt_code *c, struct plt_target *t)
{
	uint64_t distance = c->vaddr - c->glink;
	uint32_t first = word(c, 0);

	if (!c->glink_size || c->vaddr < c->glink || distance % c->glink_size)
		return 0;
	t->by_index = true;
	if (c->glink_size == 8) { /* li r0, number; b */
		t->index = first & 0xffff;
		return first >> 16 == 0x3800 && word(c, 4) >> 26 == 18 ? 8 : 0;
	}
	t->index = (uint32_t)(distance / 4);
	return (first & 0xfe000003) == 0x4a000000 ? 4 : 0; /* b, backwards */
}

/* What neither computes nor loads, or only for the function that is called. */
static bool ppc64_passes(struct ppc64 *p, uint32_t insn, uint64_t vaddr)
{
	switch (insn) {
	case 0x60000000: /* nop */
	case 0xf8410018: /* std r2, 24(r1) */
	case 0xf8410028: /* std r2, 40(r1) */
	case 0x7d8802a6: /* mflr r12 */
	case 0x7d8803a6: /* mtlr r12 */
		return !p->loaded;
	case 0x429f0005: /* bcl 20, 31, .+4 */
		p->lr = vaddr + 4;
		return !p->loaded;
	case 0x7d6802a6: /* mflr r11 */
		p->r[1] = p->lr;
		return !p->loaded;
	case 0x7d8903a6: /* mtctr r12 */
	case 0x28220000: /* cmpldi r2, 0: is the descriptor whole, where another thread binds it? */
	case 0x7d826278: /* xor r2, r12, r12: the same, by waiting for it */
	case 0x7d8b6278: /* xor r11, r12, r12 */
	case 0x7c425a14: /* add r2, r2, r11 */
	case 0x7d6b1214: /* add r11, r11, r2 */
		return p->loaded;
	default:
		return ppc64_compute(p, insn);
	}
}

/* [std r2]; [addis rX, r2]; [addi rX, rX]; ld r12, (rX); mtctr r12; [ld r2; ld r11]; bctr */
#define PPC64_INSNS_MAX 12

static size_t decode_ppc64(const struct plt_code *c, struct plt_target *t)
{
	struct ppc64 p = { .r = { c->got } };
	size_t lazy = ppc64_lazy(c, t);

	if (lazy)
		return lazy;
	t->by_index = false;
	for (size_t at = 0; at < 4 * PPC64_INSNS_MAX; at += 4) {
		uint32_t insn = word(c, at);

		t->slot = p.slot;
		if (insn == 0x4e800420) /* bctr */
			return p.loaded ? at + 4 : 0;
		if (insn == 0x4ce20420) /* bnectr+; b, to bind it */
			return p.loaded ? whole(c, at + 8) : 0;
		if (!p.loaded && ppc64_prefixed(&p, c->vaddr + at, insn, word(c, at + 4)))
			at += 4;
		else if (!ppc64_passes(&p, insn, c->vaddr + at))
			return 0;
	}
	return 0;
}

/* ---- the machines ---- */

const struct plt_machine *plt_machine(uint16_t id)
{
	static const struct plt_machine machines[] = {
		{ EM_X86_64, 8, 16, false, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT,
		  R_X86_64_IRELATIVE, 0, decode_x86_64 },
		{ EM_386, 8, 16, false, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE, 0,
		  decode_i386 },
		{ EM_AARCH64, 4, 24, false, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT,
		  R_AARCH64_IRELATIVE, 0, decode_aarch64 },
		{ EM_ARM, 4, 20, false, R_ARM_JUMP_SLOT, R_ARM_GLOB_DAT, R_ARM_IRELATIVE, 0,
		  decode_arm },
		{ EM_PPC64, 4, 4 * PPC64_INSNS_MAX, true, R_PPC64_JMP_SLOT, R_PPC64_GLOB_DAT,
		  R_PPC64_IRELATIVE, R_PPC64_JMP_IREL, decode_ppc64 },
		{ EM_S390, 8, 32, false, R_390_JMP_SLOT, R_390_GLOB_DAT, R_390_IRELATIVE, 0,
		  decode_s390x },
		{ EM_RISCV, 4, 16, false, R_RISCV_JUMP_SLOT, R_RISCV_64, R_RISCV_IRELATIVE, 0,
		  decode_riscv },
	};

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].id == id)
			return &machines[i];
	}
	return NULL;
}
