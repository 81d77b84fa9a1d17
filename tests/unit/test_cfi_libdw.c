/* Call frame information against libdw's own reading of it, row by row.
 *
 *   test_cfi_libdw [FILE...]     default: this program */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "parser/unwind/cfi.h"
#include "tests/lib/unit.h"

static const char *arch_name(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64:
		return "x86_64";
	case EM_386:
		return "i386";
	case EM_AARCH64:
		return "aarch64";
	case EM_S390:
		return "s390x";
	case EM_PPC64:
		return "ppc64";
	case EM_RISCV:
		return "riscv64";
	default:
		return NULL;
	}
}

/* Is it "register SLOT + VALUE"? */
static bool is_reg_plus(const struct cfi *t, const Dwarf_Op *ops, size_t n, unsigned slot,
			int64_t value)
{
	uint64_t reg;
	int64_t offset;

	if (n != 1)
		return false;
	if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
		reg = ops->atom - (uint64_t)DW_OP_breg0;
		offset = (int64_t)ops->number;
	} else {
		reg = ops->number;
		offset = (int64_t)ops->number2;
	}
	return (ops->atom == DW_OP_bregx || ops->atom <= DW_OP_breg31) &&
	       unwind_slot(t->arch, reg) == slot && offset == value;
}

static const struct reg_rule *rule_for(const struct rule *r, unsigned slot)
{
	for (unsigned i = 0; i < r->count; i++) {
		if (r->regs[i].slot == slot)
			return &r->regs[i];
	}
	return NULL;
}

/* libdw: no operations at OPS means same value, NULL undefined; "call_frame_cfa, plus_uconst N" is
 * saved at CFA + N, and stack_value behind it means CFA + N itself. */
static bool same_reg(const struct reg_rule *g, const Dwarf_Op *ops, size_t n,
		     const Dwarf_Op *memory)
{
	bool at_cfa = n >= 1 && ops[0].atom == DW_OP_call_frame_cfa;
	int64_t offset = n >= 2 && ops[1].atom == DW_OP_plus_uconst ? (int64_t)ops[1].number : 0;

	if (!g) /* not named: kept, or as the ABI says: undefined; the CFA for the stack pointer */
		return n == 0 || (at_cfa && !offset);
	switch (g->kind) {
	case REG_UNDEFINED:
		return n == 0 && ops == memory;
	case REG_OFFSET:
		return at_cfa && (int32_t)offset == g->value;
	case REG_REGISTER:
		return n == 1;
	default:
		return n > 0;
	}
}

static void check_row(struct cfi *t, Dwarf_CFI *dw, uint64_t addr)
{
	uint32_t id = cfi_find(t, addr);
	const struct rule *r = id == RULE_NONE ? NULL : rules_get(&t->rules, id);
	Dwarf_Frame *frame;
	Dwarf_Op *ops, memory[3];
	size_t n;
	bool signal;
	int ra;

	if (dwarf_cfi_addrframe(dw, addr, &frame)) {
		CHECK(!r);
		return;
	}
	ra = dwarf_frame_info(frame, NULL, NULL, &signal);
	CHECK(r && r->signal == signal && r->ra_slot == unwind_slot(t->arch, (uint64_t)ra));
	if (r && !dwarf_frame_cfa(frame, &ops, &n) && !r->cfa_bytes)
		CHECK(is_reg_plus(t, ops, n, r->cfa_slot, r->cfa_value));
	for (int reg = 0; r && reg < 67; reg++) {
		uint8_t slot = unwind_slot(t->arch, (uint64_t)reg);

		if (slot == NO_SLOT || dwarf_frame_register(frame, reg, memory, &ops, &n))
			continue;
		CHECK(same_reg(rule_for(r, slot), ops, n, memory));
	}
	free(frame);
}

/* By the linker's list the same rules are found as without it. */
static void check_list(struct cfi *t, struct elf_file *f)
{
	struct cfi by_list = { .section = t->section,
			       .arch = t->arch,
			       .eh = true,
			       .is_64 = t->is_64,
			       .swap = t->swap,
			       .base = t->base };

	memcpy(by_list.ident, t->ident, sizeof(t->ident));
	CHECK(elf_file_contents(f, ".eh_frame_hdr", &by_list.header) == 0);
	cfi_index(&by_list);
	CHECK_EQ(by_list.entry_count, 0);
	CHECK(cfi_has_entries(&by_list));
	for (size_t i = 0; i < t->entry_count; i++) {
		uint64_t addr = t->base + t->entries[i].start;
		uint32_t a = cfi_find(t, addr), b = cfi_find(&by_list, addr);
		const struct rule *ra, *rb;

		CHECK_EQ(a == RULE_NONE, b == RULE_NONE);
		if (a == RULE_NONE || b == RULE_NONE)
			continue;
		ra = rules_get(&t->rules, a);
		rb = rules_get(&by_list.rules, b);
		CHECK(ra->count == rb->count &&
		      !memcmp(ra, rb, sizeof(*ra) + ra->count * sizeof(*ra->regs)));
	}
	CHECK_EQ(by_list.entry_count, t->entry_count);
	CHECK_EQ(by_list.bad, 0);
	cfi_release(&by_list);
}

static void check_file(const char *path)
{
	struct elf_file *f = elf_file_open(NULL, path, NULL);
	const struct elf_info *info = f ? elf_file_info(f) : NULL;
	struct cfi t = { 0 };
	Dwarf_CFI *dw = f ? dwarf_getcfi_elf(elf_file_elf(f)) : NULL;
	size_t rows = 0;

	CHECK(f && dw && arch_name(info->machine));
	if (!dw || elf_file_contents(f, ".eh_frame", &t.section) < 0)
		return;
	t.arch = unwind_arch_find(arch_name(info->machine), info->is_64 ? 2 : 1);
	t.eh = true;
	t.is_64 = info->is_64;
	t.swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	t.base = elf_file_base(f);
	memcpy(t.ident, elf_file_ident(f), sizeof(t.ident));
	cfi_index(&t);
	CHECK(t.entry_count > 0);
	CHECK_EQ(t.bad, 0);
	for (size_t i = 0; i < t.entry_count; i++) {
		const struct cfi_entry *e = &t.entries[i];

		(void)cfi_find(&t, t.base + e->start);
		for (unsigned k = 0; k < e->row_count; k++, rows++)
			check_row(&t, dw, t.base + t.rows[e->first_row + k].start);
		check_row(&t, dw, t.base + e->start + e->bytes - 1);
	}
	CHECK_EQ(t.bad, 0);
	check_list(&t, f);
	printf("%s: %zu entries, %zu rows\n", path, t.entry_count, rows);
	cfi_release(&t);
	dwarf_cfi_end(dw);
	elf_file_free(f);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		check_file("/proc/self/exe");
	for (int i = 1; i < argc; i++)
		check_file(argv[i]);
	return unit_end();
}
