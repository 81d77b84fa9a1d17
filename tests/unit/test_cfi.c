/* Call frame information: each instruction, expressions, encodings, and what hostile bytes do. */
#include <dwarf.h>
#include <stdlib.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/unwind/cfi.h"
#include "parser/unwind/exidx.h"
#include "parser/unwind/expr.h"
#include "tests/lib/callframes.h"
#include "tests/lib/unit.h"

#define START 0x2000
#define BYTES 0x100

struct bytes {
	const uint8_t *p;
	size_t n;
};

#define B(...)                                             \
	((struct bytes){ (const uint8_t[]){ __VA_ARGS__ }, \
			 sizeof((const uint8_t[]){ __VA_ARGS__ }) })

struct table {
	struct image im; /* for the byte order */
	struct buf section;
	struct cfi cfi;
};

static void table_begin(struct table *t, const char *arch, bool narrow, bool big)
{
	memset(t, 0, sizeof(*t));
	t->im.narrow = narrow;
	t->im.big = big;
	t->cfi.arch = unwind_arch_find(arch, narrow ? 1 : 2);
	t->cfi.is_64 = !narrow;
	t->cfi.swap = big;
	memcpy(t->cfi.ident, ELFMAG, SELFMAG);
	t->cfi.ident[EI_CLASS] = narrow ? ELFCLASS32 : ELFCLASS64;
	t->cfi.ident[EI_DATA] = big ? ELFDATA2MSB : ELFDATA2LSB;
	t->cfi.ident[EI_VERSION] = EV_CURRENT;
}

static void table_end(struct table *t)
{
	t->cfi.section.data = (const uint8_t *)t->section.data;
	t->cfi.section.size = t->section.len;
	cfi_index(&t->cfi);
}

static void table_release(struct table *t)
{
	cfi_release(&t->cfi);
	buf_release(&t->section);
}

/* One x86-64 function whose CIE says CFA = rsp + 8, return address at CFA - 8, then PROGRAM. */
static void x86_table(struct table *t, struct bytes program)
{
	static const uint8_t initial[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 };
	size_t at;

	table_begin(t, "x86_64", false, false);
	at = frame_begin(&t->im, &t->section);
	frame_cie(&t->im, &t->section, -8, 16);
	buf_add(&t->section, initial, sizeof(initial));
	frame_end(&t->im, &t->section, at);
	at = frame_begin(&t->im, &t->section);
	frame_fde(&t->im, &t->section, START, BYTES);
	buf_add(&t->section, program.p, program.n);
	frame_end(&t->im, &t->section, at);
	table_end(t);
}

static const struct rule *rule_at(struct table *t, uint64_t offset)
{
	uint32_t id = cfi_find(&t->cfi, START + offset);

	return id == RULE_NONE ? NULL : rules_get(&t->cfi.rules, id);
}

static const struct reg_rule *reg_of(const struct rule *r, unsigned slot)
{
	for (unsigned i = 0; r && i < r->count; i++) {
		if (r->regs[i].slot == slot)
			return &r->regs[i];
	}
	return NULL;
}

static void check_cfa(const struct rule *r, unsigned slot, int offset)
{
	CHECK(r && !r->cfa_bytes && r->cfa_slot == slot && r->cfa_value == offset);
}

static void check_reg(const struct rule *r, unsigned slot, enum reg_kind kind, int value)
{
	const struct reg_rule *g = reg_of(r, slot);

	if (kind == REG_SAME)
		CHECK(r && !g);
	else
		CHECK(g && g->kind == kind && g->value == value);
}

static void test_rows(void)
{
	struct table t;

	x86_table(&t, B(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2,
			DW_CFA_advance_loc1, 3, DW_CFA_def_cfa_register, 6, DW_CFA_advance_loc2, 16,
			0, DW_CFA_def_cfa, 7, 8, DW_CFA_restore | 6, DW_CFA_advance_loc4, 32, 0, 0,
			0, DW_CFA_def_cfa_offset, 24));
	CHECK_EQ(t.cfi.entry_count, 1);
	check_cfa(rule_at(&t, 0), 7, 8);
	check_reg(rule_at(&t, 0), 16, REG_OFFSET, -8);
	check_cfa(rule_at(&t, 1), 7, 16);
	check_reg(rule_at(&t, 3), 6, REG_OFFSET, -16);
	check_cfa(rule_at(&t, 4), 6, 16);
	check_cfa(rule_at(&t, 19), 6, 16);
	check_cfa(rule_at(&t, 20), 7, 8);
	check_reg(rule_at(&t, 20), 6, REG_SAME, 0);
	check_cfa(rule_at(&t, 52), 7, 24);
	check_cfa(rule_at(&t, BYTES - 1), 7, 24);
	CHECK(!rule_at(&t, BYTES));
	CHECK(cfi_find(&t.cfi, START - 1) == RULE_NONE);
	CHECK(cfi_find(&t.cfi, START + (1ull << 32)) == RULE_NONE);
	/* the same rule is kept once */
	CHECK_EQ(cfi_find(&t.cfi, START + 1), cfi_find(&t.cfi, START + 2));
	CHECK_EQ(t.cfi.bad, 0);
	table_release(&t);
}

static void test_registers(void)
{
	struct table t;
	const struct rule *r;

	x86_table(&t, B(DW_CFA_offset_extended, 3, 2, DW_CFA_offset_extended_sf, 12, 0x7d,
			DW_CFA_val_offset, 13, 1, DW_CFA_val_offset_sf, 14, 0x7f, DW_CFA_register,
			15, 0, DW_CFA_undefined, 1, DW_CFA_same_value, 16, DW_CFA_GNU_args_size, 16,
			DW_CFA_GNU_negative_offset_extended, 2, 1, DW_CFA_expression, 4, 2,
			DW_OP_lit1, DW_OP_deref, DW_CFA_val_expression, 5, 1, DW_OP_lit2,
			DW_CFA_nop, DW_CFA_offset | 33, 1));
	r = rule_at(&t, 0);
	check_reg(r, 3, REG_OFFSET, -16);
	check_reg(r, 12, REG_OFFSET, 24);
	check_reg(r, 13, REG_VAL_OFFSET, -8);
	check_reg(r, 14, REG_VAL_OFFSET, 8);
	check_reg(r, 15, REG_REGISTER, 0);
	check_reg(r, 1, REG_UNDEFINED, 0);
	check_reg(r, 16, REG_SAME, 0);
	check_reg(r, 2, REG_OFFSET, 8);
	CHECK(reg_of(r, 4) && reg_of(r, 4)->kind == REG_EXPR && reg_of(r, 4)->bytes == 2);
	CHECK(reg_of(r, 5) && reg_of(r, 5)->kind == REG_VAL_EXPR && reg_of(r, 5)->bytes == 1);
	CHECK(reg_of(r, 5) && (uint8_t)t.section.data[(uint32_t)reg_of(r, 5)->value] == DW_OP_lit2);
	table_release(&t);
}

static void test_states(void)
{
	struct table t;

	x86_table(&t, B(DW_CFA_remember_state, DW_CFA_def_cfa_sf, 6, 0x7e, DW_CFA_advance_loc | 2,
			DW_CFA_def_cfa_offset_sf, 0x7d, DW_CFA_advance_loc | 2,
			DW_CFA_restore_state, DW_CFA_advance_loc | 2, DW_CFA_def_cfa_expression, 2,
			DW_OP_breg7, 16, DW_CFA_restore_extended, 16, DW_CFA_advance_loc | 2,
			DW_CFA_set_loc, 0x40, 0x20, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa, 3, 0));
	check_cfa(rule_at(&t, 0), 6, 16);
	check_cfa(rule_at(&t, 2), 6, 24);
	check_cfa(rule_at(&t, 4), 7, 8);
	CHECK(rule_at(&t, 6) && rule_at(&t, 6)->cfa_bytes == 2);
	check_reg(rule_at(&t, 6), 16, REG_OFFSET, -8);
	check_cfa(rule_at(&t, 0x40), 3, 0);
	table_release(&t);
}

/* Programs that make no sense leave no rule, and nothing worse. */
static void test_nonsense(void)
{
	const struct bytes programs[] = {
		B(DW_CFA_restore_state),
		B(DW_CFA_def_cfa, 40, 8),
		B(0x3f),
		B(DW_CFA_def_cfa_expression, 0x7f, 1),
		B(DW_CFA_expression, 3, 0),
		B(DW_CFA_def_cfa_expression, 1, DW_OP_lit0, DW_CFA_def_cfa_offset, 8),
		B(DW_CFA_set_loc, 0, 0x10, 0, 0, 0, 0, 0, 0),
		B(DW_CFA_GNU_window_save),
		B(DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
		B(DW_CFA_MIPS_advance_loc8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
	};
	uint8_t deep[64];
	struct table t;

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		x86_table(&t, programs[i]);
		CHECK(!rule_at(&t, 0));
		CHECK_EQ(t.cfi.bad, 1);
		table_release(&t);
	}
	memset(deep, DW_CFA_remember_state, sizeof(deep));
	x86_table(&t, (struct bytes){ deep, sizeof(deep) });
	CHECK(!rule_at(&t, 0));
	table_release(&t);
}

/* .eh_frame: "zPLRS", addresses relative to where they stand, a terminator in the middle. */
static void eh_frame(struct table *t, const char *augmentation, uint8_t encoding)
{
	struct buf *b = &t->section;
	size_t cie, at;
	unsigned word = (encoding & 0x0f) == DW_EH_PE_sdata4 ? 4 : 8;
	bool relative = (encoding & 0x70) == DW_EH_PE_pcrel;

	cie = frame_begin(&t->im, b);
	image_put(&t->im, b, 0, 4);
	buf_char(b, 1);
	buf_add(b, augmentation, strlen(augmentation) + 1);
	frame_leb(b, 1);
	frame_leb(b, -8);
	buf_char(b, 16);
	buf_char(b, 1 + 9 + 1);
	buf_char(b, DW_EH_PE_udata8);
	image_put(&t->im, b, 0x1234, 8);
	buf_char(b, (char)DW_EH_PE_omit);
	buf_char(b, (char)encoding);
	buf_add(b, (const uint8_t[]){ DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 }, 5);
	frame_end(&t->im, b, cie);
	image_put(&t->im, b, 0, 4);
	at = frame_begin(&t->im, b);
	image_put(&t->im, b, at - cie + 4, 4);
	image_put(&t->im, b, START - (relative ? b->len + 0x100 : 0), word);
	image_put(&t->im, b, BYTES, word);
	buf_char(b, word == 4 ? 4 : 8);
	image_put(&t->im, b, 0, word == 4 ? 4 : 8);
	buf_add(b, (const uint8_t[]){ DW_CFA_def_cfa_offset, 48 }, 2);
	frame_end(&t->im, b, at);
	t->cfi.eh = true;
	t->cfi.section.addr = 0x100;
	table_end(t);
}

static void test_eh_frame(void)
{
	static const struct {
		const char *augmentation;
		uint8_t encoding;
		bool good, signal;
	} cases[] = {
		{ "zPLR", DW_EH_PE_pcrel | DW_EH_PE_sdata4, true, false },
		{ "zPLRS", DW_EH_PE_pcrel | DW_EH_PE_sdata4, true, true },
		{ "zPLRB", DW_EH_PE_absptr, true, false },
		{ "zPLR", DW_EH_PE_sdata8, true, false },
		{ "zPLR", DW_EH_PE_datarel | DW_EH_PE_sdata4, false, false },
		{ "zPLR", DW_EH_PE_indirect | DW_EH_PE_sdata4, false, false },
		{ "zPL?R", DW_EH_PE_sdata4, false, false },
		{ "eh", DW_EH_PE_sdata4, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table t;

		table_begin(&t, "x86_64", false, false);
		eh_frame(&t, cases[i].augmentation, cases[i].encoding);
		CHECK_EQ(rule_at(&t, 5) != NULL, cases[i].good);
		if (cases[i].good) {
			check_cfa(rule_at(&t, 5), 7, 48);
			CHECK_EQ(rule_at(&t, 5)->signal, cases[i].signal);
		}
		table_release(&t);
	}
}

/* ---- many entries ---- */

#define MANY 500

/* Entry N, of 0x1000 bytes, begins at 0x10000 * N + 0x10 and has CFA = r4 + N % 100; they are in no
 * order. WHERE: their offsets. */
static void many_entries(struct table *t, size_t where[MANY])
{
	size_t at;

	table_begin(t, "i386", true, true);
	at = frame_begin(&t->im, &t->section);
	frame_cie(&t->im, &t->section, -4, 8);
	buf_add(&t->section, (const uint8_t[]){ DW_CFA_def_cfa, 4, 4, DW_CFA_offset | 8, 1 }, 5);
	frame_end(&t->im, &t->section, at);
	for (unsigned i = 0; i < MANY; i++) {
		unsigned n = i * 7 % MANY;

		at = frame_begin(&t->im, &t->section);
		where[n] = at - 4;
		frame_fde(&t->im, &t->section, 0x10000ull * n + 0x10, 0x1000);
		buf_char(&t->section, DW_CFA_def_cfa_offset);
		buf_char(&t->section, (char)(n % 100));
		frame_end(&t->im, &t->section, at);
	}
}

static void check_many(struct table *t)
{
	for (unsigned n = 0; n < MANY; n++) {
		uint32_t id = cfi_find(&t->cfi, 0x10000ull * n + 0x20);

		CHECK(id != RULE_NONE && rules_get(&t->cfi.rules, id)->cfa_value == (int)(n % 100));
		CHECK(cfi_find(&t->cfi, 0x10000ull * n + 0x1010) == RULE_NONE);
	}
	CHECK(cfi_find(&t->cfi, 0xf) == RULE_NONE);
}

/* Entries in any order are found; of 32-bit big-endian files, too. */
static void test_order(void)
{
	size_t where[MANY];
	struct table t;

	many_entries(&t, where);
	table_end(&t);
	CHECK_EQ(t.cfi.entry_count, MANY);
	check_many(&t);
	table_release(&t);
}

enum list_fault { LIST_GOOD, LIST_UNSORTED, LIST_OF_OTHER, LIST_CUT, LIST_ODD, LIST_FAULTS };

/* The list of .eh_frame_hdr, which is at 0x8000000; the section is at 0x7000000. */
static void make_list(struct table *t, const size_t where[MANY], enum list_fault fault,
		      struct buf *b)
{
	const uint64_t header = 0x8000000, section = 0x7000000;

	buf_add(b,
		(const uint8_t[]){ 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
				   (fault == LIST_ODD ? DW_EH_PE_pcrel : DW_EH_PE_datarel) |
					   DW_EH_PE_sdata4 },
		4);
	image_put(&t->im, b, section + (fault == LIST_OF_OTHER ? 4 : 0) - (header + 4), 4);
	image_put(&t->im, b, MANY + (fault == LIST_CUT), 4);
	for (unsigned i = 0; i < MANY; i++) {
		unsigned n = fault == LIST_UNSORTED ? i ^ 1 : i;

		image_put(&t->im, b, 0x10000ull * n + 0x10 - header, 4);
		image_put(&t->im, b, section + where[n] - header, 4);
	}
	t->cfi.section.addr = section;
	t->cfi.header = (struct elf_section){ (const uint8_t *)b->data, b->len, header };
}

/* By the linker's list only what is asked for is read; a list that cannot be is not used. */
static void test_list(void)
{
	size_t where[MANY];

	for (int fault = 0; fault < LIST_FAULTS; fault++) {
		struct buf list = { 0 };
		struct table t;

		many_entries(&t, where);
		make_list(&t, where, (enum list_fault)fault, &list);
		table_end(&t);
		CHECK_EQ(t.cfi.entry_count, fault ? MANY : 0);
		CHECK(cfi_has_entries(&t.cfi));
		CHECK(cfi_find(&t.cfi, 0x30020) != RULE_NONE);
		CHECK_EQ(t.cfi.entry_count, fault ? MANY : 1);
		check_many(&t);
		check_many(&t);
		CHECK_EQ(t.cfi.entry_count, MANY);
		CHECK_EQ(t.cfi.bad, 0);
		table_release(&t);
		buf_release(&list);
	}
}

/* It names what is no entry: an address has none, and that is known from then on. */
static void test_lying_list(void)
{
	struct buf list = { 0 };
	size_t where[MANY];
	struct table t;

	many_entries(&t, where);
	where[1] = where[2];		/* of other addresses */
	where[3] = 0;			/* the shared part */
	where[4] += 4;			/* in the middle of one */
	where[5] = t.section.len + 400; /* outside */
	make_list(&t, where, LIST_GOOD, &list);
	table_end(&t);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned n = 0; n < 8; n++)
			CHECK_EQ(cfi_find(&t.cfi, 0x10000ull * n + 0x20) == RULE_NONE,
				 n == 1 || (n >= 3 && n <= 5));
		CHECK_EQ(t.cfi.bad, 3);
	}
	table_release(&t);
	buf_release(&list);
}

/* ---- expressions ---- */

static const uint8_t stack[32] = { 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xfe };

static enum memory_result evaluate(const char *arch, uint64_t abi, struct bytes code,
				   uint64_t *value)
{
	struct unwind_memory m = { .stack = stack, .start = 0x1000, .stack_bytes = sizeof(stack) };
	struct unwind_regs regs = { .valid = 0x80, .value = { [7] = 0x1000 } };
	struct expr_context x = { unwind_arch_find(arch, abi), &regs, &m, 0x100000 };

	*value = 0;
	return expr_evaluate(&x, cursor_make(code.p, code.n, false), false, value);
}

static void test_expressions(void)
{
	static const struct {
		uint8_t code[16];
		uint8_t n;
		uint64_t value;
	} cases[] = {
		{ { DW_OP_lit5 }, 1, 5 },
		{ { DW_OP_breg7, 8 }, 2, 0x1008 },
		{ { DW_OP_bregx, 7, 0x7f }, 3, 0xfff },
		{ { DW_OP_addr, 0x34, 0x12, 0, 0, 0, 0, 0, 0 }, 9, 0x101234 },
		{ { DW_OP_breg7, 0, DW_OP_deref }, 3, 0x0807060504030201 },
		{ { DW_OP_breg7, 8, DW_OP_deref_size, 2 }, 4, 0xfeff },
		{ { DW_OP_const1s, 0xff }, 2, UINT64_MAX },
		{ { DW_OP_const2u, 0x34, 0x12 }, 3, 0x1234 },
		{ { DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff }, 5, UINT64_MAX - 1 },
		{ { DW_OP_constu, 0x80, 1, DW_OP_consts, 0x7f, DW_OP_plus }, 6, 127 },
		{ { DW_OP_lit7, DW_OP_lit3, DW_OP_minus }, 3, 4 },
		{ { DW_OP_lit7, DW_OP_neg, DW_OP_lit2, DW_OP_div }, 4, (uint64_t)-3 },
		{ { DW_OP_lit7, DW_OP_lit4, DW_OP_mod }, 3, 3 },
		{ { DW_OP_lit7, DW_OP_lit4, DW_OP_mul, DW_OP_not }, 4, ~28ull },
		{ { DW_OP_lit1, DW_OP_lit4, DW_OP_shl, DW_OP_lit1, DW_OP_shr }, 5, 8 },
		{ { DW_OP_lit8, DW_OP_neg, DW_OP_lit1, DW_OP_shra }, 4, (uint64_t)-4 },
		{ { DW_OP_lit8, DW_OP_neg, DW_OP_abs }, 3, 8 },
		{ { DW_OP_lit6, DW_OP_lit3, DW_OP_and, DW_OP_lit8, DW_OP_or }, 5, 10 },
		{ { DW_OP_lit6, DW_OP_lit3, DW_OP_xor }, 3, 5 },
		{ { DW_OP_lit6, DW_OP_lit3, DW_OP_ge }, 3, 1 },
		{ { DW_OP_lit6, DW_OP_neg, DW_OP_lit3, DW_OP_lt }, 4, 1 },
		{ { DW_OP_lit6, DW_OP_lit6, DW_OP_ne }, 3, 0 },
		{ { DW_OP_lit6, DW_OP_dup, DW_OP_eq }, 3, 1 },
		{ { DW_OP_lit6, DW_OP_lit3, DW_OP_over, DW_OP_plus }, 4, 9 },
		{ { DW_OP_lit6, DW_OP_lit3, DW_OP_swap, DW_OP_drop }, 4, 3 },
		{ { DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_minus }, 5, (uint64_t)-1 },
		{ { DW_OP_lit9, DW_OP_lit2, DW_OP_pick, 1 }, 4, 9 },
		{ { DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit2, DW_OP_lit3 }, 6, 3 },
		{ { DW_OP_skip, 1, 0, DW_OP_lit2, DW_OP_lit3 }, 5, 3 },
		{ { DW_OP_lit4, DW_OP_plus_uconst, 0x81, 1, DW_OP_nop }, 5, 133 },
	};
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(evaluate("x86_64", 2, (struct bytes){ cases[i].code, cases[i].n }, &v) ==
		      MEMORY_OK);
		CHECK_EQ(v, cases[i].value);
	}
	/* a narrow machine wraps at 32 bits */
	CHECK(evaluate("x86_64", 1, B(DW_OP_lit0, DW_OP_lit1, DW_OP_minus), &v) == MEMORY_OK);
	CHECK_EQ(v, UINT32_MAX);
}

static void test_bad_expressions(void)
{
	const struct bytes cases[] = {
		B(DW_OP_plus),
		B(DW_OP_lit0, DW_OP_lit0, DW_OP_div),
		B(DW_OP_lit0, DW_OP_lit0, DW_OP_mod),
		B(DW_OP_skip, 0x80, 0xff),
		B(DW_OP_skip, 9, 0),
		B(DW_OP_const8u, 1),
		B(DW_OP_lit0, DW_OP_deref),
		B(DW_OP_breg3, 0),
		B(DW_OP_lit1, DW_OP_pick, 1),
		B(DW_OP_lit1, DW_OP_dup, DW_OP_skip, 0xfc, 0xff),
		B(0xff),
		B(DW_OP_breg7, 0, DW_OP_deref_size, 3),
	};
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK(evaluate("x86_64", 2, cases[i], &v) == MEMORY_UNKNOWN);
	CHECK(evaluate("x86_64", 2, B(DW_OP_breg7, 0x20, DW_OP_deref), &v) == MEMORY_CUT);
}

/* As many steps as are made are a value, one more is none; nor is what never ends. */
static void test_steps(void)
{
	uint8_t code[1001];
	uint64_t v;

	memset(code, DW_OP_nop, sizeof(code));
	code[0] = DW_OP_lit7;
	CHECK(evaluate("x86_64", 2, (struct bytes){ code, 1000 }, &v) == MEMORY_OK);
	CHECK_EQ(v, 7);
	CHECK(evaluate("x86_64", 2, (struct bytes){ code, 1001 }, &v) == MEMORY_ENDLESS);
	CHECK(evaluate("x86_64", 2, B(DW_OP_skip, 0xfd, 0xff), &v) == MEMORY_ENDLESS);
}

/* ---- bounds ---- */

#define MOST_ENTRIES (2u << 20) /* docs/limits.md */

/* COUNT functions of 16 bytes each. */
static void fill_entries(struct table *t, size_t count)
{
	size_t at;

	table_begin(t, "i686", true, false);
	at = frame_begin(&t->im, &t->section);
	frame_cie(&t->im, &t->section, -4, 8);
	frame_end(&t->im, &t->section, at);
	for (size_t i = 0; i < count; i++) {
		at = frame_begin(&t->im, &t->section);
		frame_fde(&t->im, &t->section, 16 * i, 16);
		frame_end(&t->im, &t->section, at);
	}
	table_end(t);
}

static void test_most_entries(void)
{
	struct table t;

	fill_entries(&t, MOST_ENTRIES);
	CHECK_EQ(t.cfi.entry_count, MOST_ENTRIES);
	CHECK_EQ(t.cfi.over, 0);
	table_release(&t);
	fill_entries(&t, MOST_ENTRIES + 3);
	CHECK_EQ(t.cfi.entry_count, MOST_ENTRIES);
	CHECK_EQ(t.cfi.over, 3);
	CHECK_EQ(t.cfi.bad, 0);
	table_release(&t);
}

static void test_most_exidx(void)
{
	uint8_t *bytes = xcalloc(MOST_ENTRIES + 3, 8);
	struct exidx x = { .section = { bytes, (MOST_ENTRIES + 3) * 8ul, 0 } };

	exidx_index(&x);
	CHECK_EQ(x.count, MOST_ENTRIES);
	CHECK_EQ(x.over, 3);
	exidx_release(&x);
	x.section = (struct elf_section){ bytes, MOST_ENTRIES * 8ul, 0 };
	exidx_index(&x);
	CHECK_EQ(x.count, MOST_ENTRIES);
	CHECK_EQ(x.over, 0);
	exidx_release(&x);
	free(bytes);
}

/* ---- damage ---- */

/* Bytes changed at random: no crash, no hang, and no more memory than the section allows. */
static void test_mutations(void)
{
	uint64_t seed = 42, found = 0;
	struct table t, copy;

	table_begin(&t, "x86_64", false, false);
	for (int i = 0; i < 20; i++)
		eh_frame(&t, i % 3 ? "zPLR" : "zPLRS", DW_EH_PE_absptr);
	for (int round = 0; round < 3000; round++) {
		unsigned edits = 1 + (unsigned)(unit_random(&seed) % 8);
		size_t size = t.section.len - unit_random(&seed) % 40;
		uint8_t *exact = xmalloc(size); /* so that reading past its end is noticed */

		table_begin(&copy, "x86_64", false, false);
		memcpy(exact, t.section.data, size);
		while (edits--)
			exact[unit_random(&seed) % size] = (uint8_t)unit_random(&seed);
		copy.cfi.eh = round & 1;
		copy.cfi.section = (struct elf_section){ exact, size, 0 };
		cfi_index(&copy.cfi);
		for (int i = 0; i < 50; i++)
			found += cfi_find(&copy.cfi, unit_random(&seed) % 0x4000) != RULE_NONE;
		CHECK(cfi_bytes(&copy.cfi) < 100 * 1024);
		table_release(&copy);
		free(exact);
	}
	CHECK(found > 1000);
	cfi_release(&t.cfi);
	buf_release(&t.section);
}

int main(void)
{
	test_rows();
	test_registers();
	test_states();
	test_nonsense();
	test_eh_frame();
	test_order();
	test_list();
	test_lying_list();
	test_expressions();
	test_bad_expressions();
	test_steps();
	test_most_entries();
	test_most_exidx();
	test_mutations();
	return unit_end();
}
