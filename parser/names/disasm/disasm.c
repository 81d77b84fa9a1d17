/* Which machine is which for capstone, how long instructions are, and capstone itself. */
#include "parser/names/disasm/disasm.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/disasm/capstone.h"
#include "parser/names/disasm/x86len.h"
#include "parser/names/disasm/x86mask.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#define MACHINE_NONE	(-1)
#define MACHINE_LONGEST 24 /* bytes that any instruction has */

struct disasm {
	const struct machine_row *machine;
	uint32_t mode;	 /* cs_mode, without Thumb */
	bool big_endian; /* instructions, not data */
	bool thumb, intel;
	char name[32];
	char refusal[96]; /* "": none */
	struct capstone capstone;
	bool is_open; /* else not yet, or refused */
};

enum branch { BRANCH_NONE, BRANCH_JUMP, BRANCH_CALL };

struct machine_row {
	uint16_t machine;
	const char *name;
	int arch; /* cs_arch, or MACHINE_NONE: capstone does not know it */
	uint32_t mode;
	/* 0: not known */
	unsigned (*length)(const struct disasm *d, const uint8_t *code, size_t left);
	enum branch (*branch)(const char *mnemonic); /* NULL: capstone tells */
};

/* ---- how long ---- */

static unsigned length_4(const struct disasm *d, const uint8_t *code, size_t left)
{
	(void)d;
	(void)code;
	return left < 4 ? 0 : 4;
}

static unsigned length_x86_64(const struct disasm *d, const uint8_t *code, size_t left)
{
	(void)d;
	return x86_length(code, left, true);
}

static unsigned length_i386(const struct disasm *d, const uint8_t *code, size_t left)
{
	(void)d;
	return x86_length(code, left, false);
}

/* The first two bits tell (z/Architecture Principles of Operation, chapter 5). */
static unsigned length_s390(const struct disasm *d, const uint8_t *code, size_t left)
{
	unsigned n = code[0] < 0x40 ? 2 : code[0] < 0xc0 ? 4 : 6;

	(void)d;
	return n > left ? 0 : n;
}

/* The low bits of the first halfword tell (RISC-V unprivileged specification, 1.5). */
static unsigned length_riscv(const struct disasm *d, const uint8_t *code, size_t left)
{
	unsigned n = (code[0] & 3) != 3 ? 2 : (code[0] & 0x1c) != 0x1c ? 4 : 0;

	(void)d;
	return n > left ? 0 : n;
}

/* Thumb: a halfword from 0xe800 on has another (ARM ARM A6.1). */
static unsigned length_arm(const struct disasm *d, const uint8_t *code, size_t left)
{
	unsigned n = 4;

	if (d->thumb && left >= 2)
		n = code[d->big_endian ? 0 : 1] >= 0xe8 ? 4 : 2;
	return n > left ? 0 : n;
}

/* ---- jump or call ---- */

/* capstone 4 does not mark all branches of these machines: their mnemonics do. What names no
 * address as its last operand has no target anyway. */

static enum branch branch_s390(const char *m)
{
	if (!strncmp(m, "bras", 4))
		return BRANCH_CALL;
	if (m[0] == 'j' || !strncmp(m, "br", 2) || (m[0] == 'c' && strchr(m, 'j')))
		return BRANCH_JUMP;
	return BRANCH_NONE;
}

/* "bdnzl+": those that end in l set the link register. */
static enum branch branch_ppc(const char *m)
{
	size_t n = strcspn(m, "+-");

	if (m[0] != 'b')
		return BRANCH_NONE;
	return m[n - 1] == 'l' || (n > 2 && !memcmp(m + n - 2, "la", 2)) ? BRANCH_CALL
									 : BRANCH_JUMP;
}

static enum branch branch_mips(const char *m)
{
	size_t n = strlen(m);

	if ((m[0] != 'j' && m[0] != 'b') || !strcmp(m, "break"))
		return BRANCH_NONE;
	return n > 2 && !strcmp(m + n - 2, "al") ? BRANCH_CALL : BRANCH_JUMP;
}

static enum branch branch_sparc(const char *m)
{
	if (!strcmp(m, "call"))
		return BRANCH_CALL;
	return m[0] == 'b' || !strncmp(m, "fb", 2) ? BRANCH_JUMP : BRANCH_NONE;
}

static const struct machine_row machines[] = {
	{ EM_X86_64, "x86-64", CS_ARCH_X86, CS_MODE_64, length_x86_64, NULL },
	{ EM_386, "i386", CS_ARCH_X86, CS_MODE_32, length_i386, NULL },
	{ EM_AARCH64, "AArch64", CS_ARCH_ARM64, 0, length_4, NULL },
	{ EM_ARM, "ARM", CS_ARCH_ARM, CS_MODE_V8, length_arm, NULL },
	{ EM_S390, "s390x", CS_ARCH_SYSZ, 0, length_s390, branch_s390 },
	{ EM_PPC64, "ppc64", CS_ARCH_PPC, CS_MODE_64, length_4, branch_ppc },
	{ EM_PPC, "ppc", CS_ARCH_PPC, CS_MODE_32, length_4, branch_ppc },
	{ EM_MIPS, "MIPS", CS_ARCH_MIPS, CS_MODE_MIPS32, length_4, branch_mips },
	{ EM_SPARC, "SPARC", CS_ARCH_SPARC, 0, length_4, branch_sparc },
	{ EM_SPARC32PLUS, "SPARC", CS_ARCH_SPARC, CS_MODE_V9, length_4, branch_sparc },
	{ EM_SPARCV9, "SPARC", CS_ARCH_SPARC, CS_MODE_V9, length_4, branch_sparc },
	{ EM_RISCV, "RISC-V", MACHINE_NONE, 0, length_riscv, NULL },
	{ 258 /* EM_LOONGARCH */, "LoongArch", MACHINE_NONE, 0, length_4, NULL },
	{ EM_ALPHA, "Alpha", MACHINE_NONE, 0, length_4, NULL },
	{ EM_PARISC, "PA-RISC", MACHINE_NONE, 0, length_4, NULL },
	{ EM_68K, "m68k", MACHINE_NONE, 0, NULL, NULL },
	{ EM_IA_64, "IA-64", MACHINE_NONE, 0, NULL, NULL },
	{ EM_SH, "SuperH", MACHINE_NONE, 0, NULL, NULL },
};

static const struct machine_row unknown = { 0, NULL, MACHINE_NONE, 0, NULL, NULL };

/* ---- the machine ---- */

static const struct machine_row *machine_of(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].machine == machine)
			return &machines[i];
	}
	return &unknown;
}

/* 64-bit registers (also with 32-bit addresses: n32), and the release 6 encoding. */
static uint32_t mips_mode(uint32_t flags, bool is_64)
{
	uint32_t arch = flags & EF_MIPS_ARCH;
	uint32_t mode = is_64 || flags & EF_MIPS_ABI2 ? CS_MODE_MIPS64 : CS_MODE_MIPS32;

	return arch == 0x90000000 || arch == 0xa0000000 ? mode | CS_MODE_MIPS32R6 : mode;
}

struct disasm_machine disasm_machine_of(const struct elf_file *f)
{
	const struct elf_info *info = elf_file_info(f);
	GElf_Ehdr eh = { 0 };

	(void)gelf_getehdr(elf_file_elf(f), &eh);
	return (struct disasm_machine){ info->machine, eh.e_flags, info->is_64, info->big_endian };
}

struct disasm *disasm_new(const struct disasm_machine *m, bool intel)
{
	struct disasm *d = xcalloc(1, sizeof(*d));

	d->intel = intel;
	d->machine = machine_of(m->machine);
	d->mode = d->machine->mode;
	d->big_endian = m->big_endian;
	if (m->machine == EM_MIPS)
		d->mode = mips_mode(m->flags, m->is_64);
	if (m->machine == EM_ARM && m->flags & EF_ARM_BE8)
		d->big_endian = false;
	if (d->machine->name)
		snprintf(d->name, sizeof(d->name), "%s", d->machine->name);
	else
		snprintf(d->name, sizeof(d->name), "machine %u", m->machine);
	if (d->machine->arch == MACHINE_NONE)
		snprintf(d->refusal, sizeof(d->refusal), "capstone %d does not know %s",
			 CS_API_MAJOR, d->name);
	return d;
}

const char *disasm_name(const struct disasm *d)
{
	return d->name;
}

bool disasm_has_thumb(const struct disasm *d)
{
	return d->machine->machine == EM_ARM;
}

/* ---- capstone ---- */

static uint32_t mode_now(const struct disasm *d)
{
	uint32_t mode = d->mode | (d->big_endian ? (uint32_t)CS_MODE_BIG_ENDIAN : 0);

	return d->thumb ? mode | CS_MODE_THUMB : mode;
}

static bool start(struct disasm *d)
{
	bool installed;
	struct capstone *c = &d->capstone;

	d->is_open = capstone_open(c, (cs_arch)d->machine->arch, (cs_mode)mode_now(d), &installed);
	if (!d->is_open && installed)
		snprintf(d->refusal, sizeof(d->refusal), "this capstone was built without %s",
			 d->name);
	else if (!d->is_open)
		snprintf(d->refusal, sizeof(d->refusal), "%s is not installed", capstone_library);
	if (!d->is_open)
		return false;
	if (d->machine->arch == CS_ARCH_X86)
		c->calls.option(c->cs, CS_OPT_SYNTAX,
				d->intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
	return true;
}

static bool usable(struct disasm *d)
{
	return d->is_open || (!*d->refusal && start(d));
}

const char *disasm_refusal(struct disasm *d)
{
	return usable(d) ? NULL : d->refusal;
}

void disasm_thumb(struct disasm *d, bool thumb)
{
	if (d->thumb == thumb)
		return;
	d->thumb = thumb;
	if (d->is_open)
		d->capstone.calls.option(d->capstone.cs, CS_OPT_MODE, mode_now(d));
}

void disasm_free(struct disasm *d)
{
	if (!d)
		return;
	if (d->is_open)
		(void)capstone_end(&d->capstone);
	free(d);
}

/* The address that the operands end with; those that go through a register or memory name none. */
static uint64_t target_of(const char *operands)
{
	const char *last = strrchr(operands, ' ');
	char *end;
	uint64_t target;

	last = last ? last + 1 : operands;
	last += *last == '#';
	if (strncmp(last, "0x", 2) || strpbrk(operands, "*[("))
		return DISASM_NO_TARGET;
	target = strtoull(last, &end, 16);
	return *end ? DISASM_NO_TARGET : target;
}

static enum branch branch_of(const struct disasm *d)
{
	const struct capstone *c = &d->capstone;

	if (d->machine->branch)
		return d->machine->branch(c->insn->mnemonic);
	if (c->calls.group(c->cs, c->insn, CS_GRP_CALL))
		return BRANCH_CALL;
	return c->calls.group(c->cs, c->insn, CS_GRP_JUMP) ? BRANCH_JUMP : BRANCH_NONE;
}

/* capstone's word for the instruction of LENGTH bytes (0: not known) at CODE. */
static bool decode(struct disasm *d, const uint8_t *code, size_t left, uint64_t addr,
		   struct disasm_insn *out)
{
	const struct capstone *c = &d->capstone;
	const cs_insn *i;

	if (!usable(d))
		return false;
	i = c->insn;
	if (!c->calls.iter(c->cs, &code, &left, &addr, c->insn))
		return false;
	if (out->size && i->size != out->size)
		return false; /* it knows less of this encoding */
	snprintf(out->text, sizeof(out->text), "%s%s%s", i->mnemonic, *i->op_str ? " " : "",
		 i->op_str);
	out->size = i->size;
	out->bare = !*i->op_str;
	out->jump = branch_of(d) == BRANCH_JUMP;
	if (branch_of(d) != BRANCH_NONE)
		out->target = target_of(i->op_str);
	return true;
}

/* What capstone does not know. */
static void decode_mask(const struct disasm *d, const uint8_t *code, struct disasm_insn *out)
{
	struct buf text = { 0 };

	if (x86_mask_text(code, out->size, d->intel, &text))
		snprintf(out->text, sizeof(out->text), "%s", text.data);
	out->own = *out->text;
	buf_release(&text);
}

bool disasm_one(struct disasm *d, const uint8_t *code, size_t left, uint64_t addr,
		struct disasm_insn *out)
{
	size_t most = left < MACHINE_LONGEST ? left : MACHINE_LONGEST;

	*out = (struct disasm_insn){ .target = DISASM_NO_TARGET };
	if (!left)
		return false;
	if (d->machine->length) {
		out->size = d->machine->length(d, code, left);
		if (!out->size)
			return false;
		most = out->size;
	}
	if (decode(d, code, most, addr, out))
		return true;
	if (d->machine->machine == EM_X86_64)
		decode_mask(d, code, out);
	return out->size;
}
