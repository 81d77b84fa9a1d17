/* Walks over stacks made by hand, in files made by hand: each way to a caller, each reason to stop,
 * each architecture's registers. */
#include <dwarf.h>
#include <stdlib.h>

#include "tests/lib/unwindworld.h"

/* ---- x86-64 ---- */

static const struct frame_section x86_section = {
	{ DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 }, 5, -8, 16
};
#define PERF_BP 6
#define PERF_SP 7
#define PERF_IP 8

static const struct function x86_functions[] = {
	{ 0x2000, { DW_CFA_nop }, 1 },
	{ 0x2100, { DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 6, 2 }, 4 },
	{ 0x2200, { DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2 }, 5 },
	{ 0x2300, { DW_CFA_undefined, 16 }, 2 },
	/* the expression of a procedure linkage table: rsp + 8, and 8 more past the push */
	{ 0x2400,
	  { DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and,
	    DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus },
	  13 },
	{ 0x2500, { DW_CFA_def_cfa_offset, 0, DW_CFA_val_expression, 16, 2, DW_OP_breg16, 0 }, 7 },
	{ 0x2600, { DW_CFA_def_cfa_offset, 16, DW_CFA_same_value, 16 }, 4 },
};

static void x86_world(struct world *w)
{
	world_begin(w, "x86_64", 2, false);
	world_files(w, &x86_section, x86_functions, ARRAY_SIZE(x86_functions));
	set_reg(w, PERF_SP, w->sp);
	set_reg(w, PERF_BP, 0);
}

static void test_x86_64(void)
{
	struct world w;

	x86_world(&w);
	/* leaf, a frame with a saved rbp, one by rbp, the outermost */
	set_reg(&w, PERF_IP, BIAS + 0x2010);
	set_word(&w, 0, BIAS + 0x2120);
	set_word(&w, 3, STACK + 0x80);
	set_word(&w, 4, BIAS + 0x2220);
	set_word(&w, 17, BIAS + 0x2320);
	check_walk(&w, UNWIND_COMPLETE,
		   FRAMES(BIAS + 0x2010, BIAS + 0x211f, BIAS + 0x221f, BIAS + 0x231f));
	CHECK_EQ(w.opened, 1);
	/* again, from what was kept */
	check_walk(&w, UNWIND_COMPLETE,
		   FRAMES(BIAS + 0x2010, BIAS + 0x211f, BIAS + 0x221f, BIAS + 0x231f));
	CHECK_EQ(w.opened, 1);
	w.max = 2;
	check_walk(&w, UNWIND_DEPTH, FRAMES(BIAS + 0x2010, BIAS + 0x211f));
	w.max = 256;
	/* the copy ends before the second return address */
	w.stack_bytes = 4 * 8;
	check_walk(&w, UNWIND_CUT, FRAMES(BIAS + 0x2010, BIAS + 0x211f));
	w.stack_bytes = 5 * 8;
	check_walk(&w, UNWIND_CUT, FRAMES(BIAS + 0x2010, BIAS + 0x211f, BIAS + 0x221f));
	CHECK_EQ(unwinder_stats(w.u).ends[UNWIND_CUT], 2);
	CHECK_EQ(unwinder_stats(w.u).stacks, 5);
	/* a return address of 0 is the end, one that cannot be is an end too */
	w.stack_bytes = WORDS * 8;
	set_word(&w, 4, 0);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x2010, BIAS + 0x211f));
	set_word(&w, 4, UINT64_MAX);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(BIAS + 0x2010, BIAS + 0x211f));
	set_word(&w, 4, 0x1234);
	check_walk(&w, UNWIND_NO_MAP, FRAMES(BIAS + 0x2010, BIAS + 0x211f, 0x1233));
	world_end(&w);
}

static void test_x86_64_odd(void)
{
	struct world w;

	x86_world(&w);
	set_word(&w, 0, BIAS + 0x2320);
	set_word(&w, 1, BIAS + 0x2310);
	/* in a procedure linkage table, before and after the push */
	set_reg(&w, PERF_IP, BIAS + 0x2403);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x2403, BIAS + 0x231f));
	set_reg(&w, PERF_IP, BIAS + 0x240c);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x240c, BIAS + 0x230f));
	for (uint64_t at = BIAS + IMAGE_FIRST; at <= BIAS + IMAGE_FIRST + 0x20; at += 0x10) {
		set_reg(&w, PERF_IP, at);
		check_walk(&w, UNWIND_COMPLETE, FRAMES(at, BIAS + 0x231f));
	}
	/* a rule that leads to itself */
	set_reg(&w, PERF_IP, BIAS + 0x2510);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(BIAS + 0x2510));
	/* no rule for the return address, on a machine without a link register */
	set_reg(&w, PERF_IP, BIAS + 0x2610);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(BIAS + 0x2610));
	/* no registers, no architecture */
	w.mask &= ~(1ull << PERF_SP);
	check_walk(&w, UNWIND_NO_REGS, 0, NULL);
	set_reg(&w, PERF_SP, w.sp);
	w.arch = NULL;
	check_walk(&w, UNWIND_NO_ARCH, 0, NULL);
	w.arch = unwind_arch_find("x86_64", 2);
	/* CFA below the stack pointer */
	set_reg(&w, PERF_IP, BIAS + 0x2210);
	set_reg(&w, PERF_BP, STACK - 0x100);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(BIAS + 0x2210));
	world_end(&w);
}

static void test_frame_pointer(void)
{
	struct world w;
	uint64_t jit = BIAS + 0x10000;

	x86_world(&w);
	w.jit = true;
	set_reg(&w, PERF_IP, jit + 0x10);
	set_reg(&w, PERF_BP, STACK + 2 * 8);
	set_word(&w, 2, STACK + 6 * 8);
	set_word(&w, 3, jit + 0x20);
	set_word(&w, 6, 0);
	set_word(&w, 7, BIAS + 0x2310);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(jit + 0x10, jit + 0x1f, BIAS + 0x230f));
	CHECK_EQ(unwinder_stats(w.u).by_frame_pointer, 2);
	/* the return address is no code; the pointer points outside, or is odd, or beyond the copy
	 */
	set_word(&w, 7, 0x1234);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(jit + 0x10, jit + 0x1f));
	set_reg(&w, PERF_BP, STACK - 16);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(jit + 0x10));
	set_reg(&w, PERF_BP, STACK + 17);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(jit + 0x10));
	set_reg(&w, PERF_BP, STACK + WORDS * 8 - 8);
	check_walk(&w, UNWIND_CUT, FRAMES(jit + 0x10));
	/* code of a file, where no entry holds the address */
	set_reg(&w, PERF_IP, BIAS + 0x8000);
	set_reg(&w, PERF_BP, STACK + 6 * 8);
	set_word(&w, 7, BIAS + 0x2310);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x8000, BIAS + 0x230f));
	world_end(&w);
	/* frame pointers are not guessed where the file is missing */
	x86_world(&w);
	w.absent = true;
	set_reg(&w, PERF_IP, BIAS + 0x8000);
	check_walk(&w, UNWIND_NO_FILE, FRAMES(BIAS + 0x8000));
	world_end(&w);
}

/* perf's library: where an entry is missed, the frame pointer's frame is the caller, if it is near.
 */
static void test_as_libunwind(void)
{
	struct world w;

	x86_world(&w);
	set_reg(&w, PERF_IP, BIAS + 0x2010);
	set_reg(&w, PERF_BP, STACK + 2 * 8);
	set_word(&w, 0, BIAS + 0x2320);
	set_word(&w, 2, STACK + 6 * 8);
	set_word(&w, 3, BIAS + 0x2220);
	set_word(&w, 7, 0x1234);
	w.elsewhere = true;
	w.as = UNWIND_AS_LIBUNWIND;
	/* the last of them is no code */
	check_walk(&w, UNWIND_NO_MAP, FRAMES(BIAS + 0x2010, BIAS + 0x221f, 0x1233));
	set_word(&w, 2, STACK + 0x5000);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(BIAS + 0x2010, BIAS + 0x221f));
	set_reg(&w, PERF_BP, STACK - 8);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(BIAS + 0x2010));
	w.elsewhere = false;
	/* an address that no entry holds, from which the stack pointer is but guessed */
	set_reg(&w, PERF_IP, BIAS + 0x8000);
	set_reg(&w, PERF_BP, STACK + 4 * 8);
	set_word(&w, 4, STACK + 8 * 8);
	set_word(&w, 5, BIAS + 0x2010);
	set_word(&w, 2, BIAS + 0x2320);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x8000, BIAS + 0x200f, BIAS + 0x231f));
	/* of the entries of a procedure linkage table it knows only those that begin with a jump */
	set_word(&w, 0, BIAS + 0x2310);
	for (uint64_t at = BIAS + IMAGE_FIRST; at < BIAS + IMAGE_FIRST + 0x20; at += 0x10) {
		set_reg(&w, PERF_IP, at);
		check_walk(&w, UNWIND_COMPLETE, FRAMES(at, BIAS + 0x200f, BIAS + 0x231f));
	}
	set_reg(&w, PERF_IP, BIAS + IMAGE_FIRST + 0x20);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + IMAGE_FIRST + 0x20, BIAS + 0x230f));
	/* what is 0 once it is less one is left out */
	set_word(&w, 0, 1);
	check_walk(&w, UNWIND_NO_MAP, FRAMES(BIAS + IMAGE_FIRST + 0x20));
	world_end(&w);
}

/* A signal's trampoline: its rules restore everything from what lies on the stack. */
static void test_signal(void)
{
	struct unwind_source source;
	struct buf b = { 0 };
	struct world w;
	size_t at, cie;

	world_begin(&w, "x86_64", 2, false);
	source = (struct unwind_source){ find, open_files, &w };
	image_section(&w.im, ".text", "\x90\x90\x90\x90", 4);
	for (int i = 0; i < 2; i++) {
		cie = frame_begin(&w.im, &b);
		image_put(&w.im, &b, 0, 4);
		buf_char(&b, 1);
		buf_add(&b, i ? "zRS" : "zR", i ? 4 : 3);
		frame_leb(&b, 1);
		frame_leb(&b, -8);
		buf_add(&b,
			(const uint8_t[]){ 16, 1, DW_EH_PE_absptr, DW_CFA_def_cfa, 7, 8,
					   DW_CFA_offset | 16, 1 },
			8);
		frame_end(&w.im, &b, cie);
		at = frame_begin(&w.im, &b);
		image_put(&w.im, &b, at - cie + 4, 4);
		image_put(&w.im, &b, 0x2000 + 0x100 * (uint64_t)i - (uint64_t)i, 8);
		image_put(&w.im, &b, 0x100, 8);
		buf_char(&b, 0);
		if (i) /* the interrupted stack pointer and address lie at rsp + 16 and + 24 */
			buf_add(&b,
				(const uint8_t[]){ DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 16,
						   DW_OP_deref, DW_CFA_expression, 16, 2,
						   DW_OP_breg7, 24 },
				10);
		frame_end(&w.im, &b, at);
	}
	image_section(&w.im, ".eh_frame", b.data, b.len);
	image_finish(&w.im);
	w.u = unwinder_new(&source, UNWIND_TABLES_MAX);
	set_reg(&w, PERF_IP, BIAS + 0x2010);
	set_reg(&w, PERF_SP, w.sp);
	set_word(&w, 0, BIAS + 0x2100); /* the handler returns to the trampoline's first byte */
	set_word(&w, 3, STACK + 80);
	set_word(&w, 4, BIAS + 0x2000); /* interrupted at a function's first instruction */
	set_word(&w, 10, 0);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x2010, BIAS + 0x2100, BIAS + 0x2000));
	w.as = UNWIND_AS_LIBUNWIND;
	/* 0 is a return address, too */
	check_walk(&w, UNWIND_NO_MAP, FRAMES(BIAS + 0x2010, BIAS + 0x20ff, BIAS + 0x2000, -1ull));
	buf_release(&b);
	world_end(&w);
}

/* ---- others ---- */

static void test_i386(void)
{
	static const struct frame_section section = {
		{ DW_CFA_def_cfa, 4, 4, DW_CFA_offset | 8, 1 }, 5, -4, 8
	};
	static const struct function functions[] = {
		{ 0x2000, { DW_CFA_def_cfa_offset, 8, DW_CFA_offset | 5, 2 }, 4 },
		{ 0x2100, { DW_CFA_def_cfa, 5, 8 }, 3 },
		{ 0x2200, { DW_CFA_undefined, 8 }, 2 },
	};
	/* of a 32-bit machine, and of a 32-bit task on a 64-bit one */
	const char *const names[] = { "i686", "x86_64" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct world w;

		world_begin(&w, names[i], 1, false);
		world_files(&w, &section, functions, ARRAY_SIZE(functions));
		set_reg(&w, PERF_IP, 0x40002010);
		set_reg(&w, PERF_SP, 0xbf000000);
		set_word(&w, 0, 0xbf000010);
		set_word(&w, 1, 0x40002110);
		set_word(&w, 5, 0x40002210);
		check_walk(&w, UNWIND_COMPLETE, FRAMES(0x40002010, 0x4000210f, 0x4000220f));
		world_end(&w);
	}
}

/* Architectures with a link register: a leaf that keeps it, a caller that saved it, the outermost.
 */
static void link_register(const char *name, bool big, const struct frame_section *section,
			  const unsigned perf[3])
{
	unsigned pc = perf[0], sp = perf[1], lr = perf[2];
	struct function functions[] = {
		{ 0x2000, { DW_CFA_nop }, 1 },
		{ 0x2100,
		  { DW_CFA_def_cfa_offset, 48, DW_CFA_offset_extended, section->ra, 2 },
		  5 },
		{ 0x2200, { DW_CFA_undefined, section->ra }, 2 },
	};
	struct world w;

	world_begin(&w, name, 2, big);
	world_files(&w, section, functions, ARRAY_SIZE(functions));
	set_reg(&w, pc, BIAS + 0x2010);
	set_reg(&w, sp, w.sp);
	set_reg(&w, lr, BIAS + 0x2110);
	set_word(&w, 4, BIAS + 0x2210);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x2010, BIAS + 0x210f, BIAS + 0x220f));
	/* a caller that did not save it cannot be left by it */
	set_reg(&w, lr, BIAS + 0x2020);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(BIAS + 0x2010, BIAS + 0x201f));
	/* a leaf written by hand, without rules */
	set_reg(&w, pc, BIAS + 0x8000);
	set_reg(&w, lr, BIAS + 0x2210);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x8000, BIAS + 0x220f));
	world_end(&w);
}

static void test_link_registers(void)
{
	static const struct frame_section arm64 = { { DW_CFA_def_cfa, 31, 0 }, 3, -8, 30 };
	static const struct frame_section riscv = { { DW_CFA_def_cfa, 2, 0 }, 3, -8, 1 };
	static const struct frame_section ppc = { { DW_CFA_def_cfa, 1, 0 }, 3, -8, 65 };

	link_register("aarch64", false, &arm64, (const unsigned[]){ 32, 31, 30 });
	link_register("aarch64", true, &arm64, (const unsigned[]){ 32, 31, 30 });
	link_register("riscv64", false, &riscv, (const unsigned[]){ 0, 2, 1 });
	link_register("ppc64le", false, &ppc, (const unsigned[]){ 32, 1, 36 });
}

/* Signed return addresses: the code is stripped, whatever the rules say of it. */
static void test_pac(void)
{
	static const struct frame_section section = { { DW_CFA_def_cfa, 31, 0 }, 3, -8, 30 };
	static const struct function functions[] = {
		{ 0x2000,
		  { DW_CFA_GNU_window_save, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 1 },
		  5 },
		{ 0x2100, { DW_CFA_undefined, 30 }, 2 },
	};
	struct world w;

	world_begin(&w, "aarch64", 2, false);
	world_files(&w, &section, functions, ARRAY_SIZE(functions));
	set_reg(&w, 32, BIAS + 0x2010);
	set_reg(&w, 31, w.sp);
	set_word(&w, 1, (BIAS + 0x2110) | 0x1d2b000000000000);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x2010, BIAS + 0x210f));
	world_end(&w);
}

/* The CFA is 160 above the stack pointer; the caller's stack pointer may be in a float register. */
static void test_s390x(void)
{
	static const struct frame_section section = { { DW_CFA_def_cfa, 15, 0xa0, 1 }, 4, -8, 14 };
	static const struct function functions[] = {
		{ 0x2000, { DW_CFA_nop }, 1 },
		{ 0x2100, { DW_CFA_register, 15, 18, DW_CFA_register, 14, 20 }, 6 },
		{ 0x2200, { DW_CFA_offset | 15, 3, DW_CFA_offset | 14, 4 }, 4 },
		{ 0x2300, { DW_CFA_undefined, 14 }, 2 },
	};
	struct world w;

	world_begin(&w, "s390x", 2, true);
	world_files(&w, &section, functions, ARRAY_SIZE(functions));
	set_reg(&w, 33, BIAS + 0x2010);
	set_reg(&w, 15, w.sp);
	set_reg(&w, 14, BIAS + 0x2110);
	set_reg(&w, 16 + 4, w.sp + 80);	    /* f4: DWARF's 18 */
	set_reg(&w, 16 + 1, BIAS + 0x2210); /* f1: DWARF's 20 */
	set_word(&w, 10 + 20 - 3, w.sp + 200);
	set_word(&w, 10 + 20 - 4, BIAS + 0x2310);
	check_walk(&w, UNWIND_COMPLETE,
		   FRAMES(BIAS + 0x2010, BIAS + 0x210f, BIAS + 0x220f, BIAS + 0x230f));
	/* the return address is there, the stack pointer beyond the copy: one frame more, then the
	 * end */
	w.stack_bytes = (10 + 20 - 3) * 8;
	check_walk(&w, UNWIND_COMPLETE,
		   FRAMES(BIAS + 0x2010, BIAS + 0x210f, BIAS + 0x220f, BIAS + 0x230f));
	set_word(&w, 10 + 20 - 4, BIAS + 0x2220);
	check_walk(&w, UNWIND_CUT,
		   FRAMES(BIAS + 0x2010, BIAS + 0x210f, BIAS + 0x220f, BIAS + 0x221f));
	world_end(&w);
}

static void test_back_chain(void)
{
	static const struct frame_section section = { { DW_CFA_def_cfa, 1, 0 }, 3, -8, 65 };
	struct world w;
	uint64_t jit = BIAS + 0x10000;

	world_begin(&w, "ppc64le", 2, false);
	world_files(&w, &section, NULL, 0);
	w.jit = true;
	set_reg(&w, 32, jit + 0x10);
	set_reg(&w, 1, w.sp);
	set_word(&w, 0, w.sp + 32);
	set_word(&w, 4, w.sp + 64);
	set_word(&w, 4 + 2, jit + 0x20);
	set_word(&w, 8, 0);
	set_word(&w, 8 + 2, jit + 0x30);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(jit + 0x10, jit + 0x1f, jit + 0x2f));
	set_word(&w, 4, w.sp);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(jit + 0x10, jit + 0x1f));
	world_end(&w);
}

/* ---- ARM's own tables ---- */

/* Functions at 0x100, 0x200 ..., each with the first word of its program; 0xffffffff: in
 * .ARM.extab. */
static void arm_world(struct world *w, const uint32_t *words, size_t count)
{
	static const uint32_t table[] = { 0x81018483, 0x00b0b0b0 };
	struct unwind_source source = { find, open_files, w };
	struct buf extab = { 0 }, exidx = { 0 };
	uint64_t extab_at, at;

	world_begin(w, "armv7l", 1, false);
	source.ctx = w;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		image_put(&w->im, &extab, table[i], 4);
	extab_at = image_section(&w->im, ".ARM.extab", extab.data, extab.len);
	at = (w->im.b.len + 15) & ~15ull;
	for (size_t i = 0; i < count; i++) {
		uint64_t here = at + i * 8;

		image_put(&w->im, &exidx, (0x100 * (i + 1) - here) & 0x7fffffff, 4);
		image_put(&w->im, &exidx,
			  words[i] == UINT32_MAX ? (extab_at - (here + 4)) & 0x7fffffff : words[i],
			  4);
	}
	CHECK_EQ(image_section(&w->im, ".ARM.exidx", exidx.data, exidx.len), at);
	image_section(&w->im, ".text", "\0\0\0\0", 4);
	image_finish(&w->im);
	buf_release(&extab);
	buf_release(&exidx);
	w->u = unwinder_new(&source, UNWIND_TABLES_MAX);
	set_reg(w, 13, 0xbf000000);
}

static void test_arm(void)
{
	static const uint32_t words[] = {
		0x8000b0b0, /* 100: vsp += 4; finish: by the link register */
		0x80a8b0b0, /* 200: pop r4, lr */
		0x809bb0b0, /* 300: vsp = r11 */
		0xffffffff, /* 400: pop r4, r5, fp, lr; of .ARM.extab */
		0x80b20084, /* 500: vsp += 0x204 + 0; pop under the mask that follows */
		0x8001b100, /* 600: spare */
		1,	    /* 700: cannot be unwound */
	};
	struct world w;

	arm_world(&w, words, ARRAY_SIZE(words));
	set_reg(&w, 15, 0x40000110);
	set_reg(&w, 14, 0x40000221); /* Thumb: bit 0 is none of the address */
	set_word(&w, 1, 4);
	set_word(&w, 2, 0x40000411); /* 200 returns to 400 */
	set_word(&w, 3, 4);
	set_word(&w, 4, 5);
	set_word(&w, 5, 0xbf000000);
	set_word(&w, 6, 0x40000710);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(0x40000110, 0x4000021f, 0x4000040f, 0x4000070f));
	/* the frame pointer points at where the stack was */
	set_reg(&w, 15, 0x40000310);
	set_reg(&w, 11, 0xbf000020);
	set_reg(&w, 14, 0x40000710);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(0x40000310, 0x4000070f));
	set_reg(&w, 11, 0xbe000000);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(0x40000310));
	set_reg(&w, 15, 0x40000610);
	check_walk(&w, UNWIND_BAD_FRAME, FRAMES(0x40000610));
	/* the program ends in the middle of an instruction */
	set_reg(&w, 15, 0x40000510);
	check_walk(&w, UNWIND_CUT, FRAMES(0x40000510));
	/* before the first function: a leaf, or nothing that is known */
	set_reg(&w, 15, 0x40000010);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(0x40000010, 0x4000070f));
	set_reg(&w, 14, 0x1234);
	check_walk(&w, UNWIND_NO_CFI, FRAMES(0x40000010));
	world_end(&w);
}

/* ---- many at a time ---- */

/* Walks that come to different ends after different numbers of steps, by any number of threads: the
 * answers are those of one after the other. */
static void test_many(void)
{
	enum { MANY = 300, MAX = 32 };
	static uint64_t values[MANY][64], frames[MANY][MAX];
	static struct unwind_walk walks[MANY];
	static struct world worlds[MANY];
	unsigned ends[UNWIND_END_COUNT] = { 0 };
	uint64_t seed = 11;
	struct world w;

	x86_world(&w);
	w.modules = 5;
	for (unsigned i = 0; i < MANY; i++) {
		for (unsigned k = 0; k < WORDS; k++)
			set_word(&w, k,
				 unit_random(&seed) % 20
					 ? BIAS + 0x2000 + unit_random(&seed) % 5 * w.step +
						   unit_random(&seed) % 0x280
					 : STACK + unit_random(&seed) % 0x200);
		w.max = 4 + unit_random(&seed) % (MAX - 4);
		w.stack_bytes = (WORDS - unit_random(&seed) % 32) * 8;
		set_reg(&w, PERF_IP, BIAS + 0x2000 + unit_random(&seed) % 0x700);
		set_reg(&w, PERF_BP, STACK + unit_random(&seed) % 0x200);
		walk(&w);
		ends[w.end]++;
		worlds[i] = w;
		walks[i] = (struct unwind_walk){ .sample = sample(&worlds[i], values[i]),
						 .frames = frames[i],
						 .max = w.max };
	}
	CHECK(ends[UNWIND_COMPLETE] && ends[UNWIND_CUT] && ends[UNWIND_DEPTH]);
	for (unsigned jobs = 0; jobs < 6; jobs++) {
		struct unwind_source source = { find, open_files, &w };

		unwinder_free(w.u);
		w.u = unwinder_new(&source, UNWIND_TABLES_MAX);
		unwind(w.u, walks, MANY, jobs);
		for (unsigned i = 0; i < MANY; i++) {
			CHECK_EQ(walks[i].end, worlds[i].end);
			CHECK_EQ(walks[i].count, worlds[i].count);
			CHECK(!memcmp(frames[i], worlds[i].frames, walks[i].count * 8));
			walks[i].count = 0;
		}
	}
	CHECK_EQ(unwinder_stats(w.u).stacks, 0); /* until it is said that they count */
	/* what is mapped depends on the process */
	walks[0].sample.process = &seed;
	walks[0].sample.space = 8;
	unwind(w.u, walks, 2, 1);
	CHECK_EQ(walks[0].end, UNWIND_NO_MAP);
	CHECK_EQ(walks[1].end, worlds[1].end);
	unwind(w.u, walks, 0, 4);
	world_end(&w);
}

/* ---- bounds ---- */

/* More modules than the tables have room for: some are given up and read again, with the same
 * answers. */
static void test_eviction(void)
{
	struct unwind_source source;
	struct world w;
	size_t one;

	x86_world(&w);
	set_reg(&w, PERF_IP, BIAS + 0x2310);
	check_walk(&w, UNWIND_COMPLETE, FRAMES(BIAS + 0x2310));
	one = unwinder_bytes(w.u);
	CHECK(one > 0);
	unwinder_free(w.u);
	source = (struct unwind_source){ find, open_files, &w };
	w.u = unwinder_new(&source, 3 * one);
	w.modules = 10;
	for (unsigned round = 0; round < 3; round++) {
		for (uint64_t m = 0; m < w.modules; m++) {
			uint64_t at = BIAS + m * w.step;

			set_reg(&w, PERF_IP, at + 0x2310);
			check_walk(&w, UNWIND_COMPLETE, FRAMES(at + 0x2310));
			CHECK(unwinder_bytes(w.u) <= 3 * one);
		}
	}
	CHECK(unwinder_stats(w.u).evicted >= 20);
	world_end(&w);
}

/* Files, registers and stacks with bytes changed at random. */
static void test_mutations(void)
{
	uint64_t seed = 7;
	struct world w;
	struct buf whole = { 0 };
	unsigned deep = 0;

	x86_world(&w);
	buf_add(&whole, w.im.b.data, w.im.b.len);
	for (int round = 0; round < 1500; round++) {
		struct unwind_source source = { find, open_files, &w };

		memcpy(w.im.b.data, whole.data, whole.len);
		for (unsigned k = 0; k < 4; k++) { /* sections; now and then a header */
			size_t at = IMAGE_FIRST + unit_random(&seed) % (whole.len - IMAGE_FIRST);

			w.im.b.data[round % 8 ? at : unit_random(&seed) % 120] =
				(char)unit_random(&seed);
		}
		for (unsigned i = 0; i < WORDS; i++)
			set_word(&w, i,
				 unit_random(&seed) % 2 ? BIAS + 0x2000 + unit_random(&seed) % 0x700
							: STACK + unit_random(&seed) % 0x200);
		memcpy(w.im.b.data, ELFMAG, 4);
		unwinder_free(w.u);
		w.u = unwinder_new(&source, UNWIND_TABLES_MAX);
		set_reg(&w, PERF_IP, BIAS + 0x2000 + unit_random(&seed) % 0x700);
		set_reg(&w, PERF_BP, STACK + unit_random(&seed) % 0x200);
		walk(&w);
		CHECK(w.count >= 1 && w.count <= w.max);
		deep += w.count > 2;
	}
	CHECK(deep > 50);
	buf_release(&whole);
	world_end(&w);
}

int main(void)
{
	test_x86_64();
	test_x86_64_odd();
	test_frame_pointer();
	test_as_libunwind();
	test_signal();
	test_i386();
	test_link_registers();
	test_pac();
	test_s390x();
	test_back_chain();
	test_arm();
	test_many();
	test_eviction();
	test_mutations();
	return unit_end();
}
