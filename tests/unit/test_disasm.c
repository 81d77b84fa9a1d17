/* Instructions of every machine: text, length, targets; garbage; and jumps as they are drawn. */
#include "analyzers/profile/jumps.h"
#include "parser/names/disasm/disasm.h"
#include "tests/lib/elfimage.h"
#include "tests/lib/unit.h"

#include <stdlib.h>

/* A file of no sections: what it was made for is all that counts. */
struct file {
	struct image im;
	struct elf_file *elf;
};

static void file_init(struct file *f, uint16_t machine, bool narrow, bool big)
{
	int err;

	image_init(&f->im, machine, narrow, big);
	image_finish(&f->im);
	f->elf = elf_file_memory(f->im.b.data, f->im.b.len, &err);
	CHECK(f->elf != NULL);
}

static void file_release(struct file *f)
{
	elf_file_free(f->elf);
	image_release(&f->im);
}

#define NARROW 1
#define BIG    2
#define THUMB  4
#define INTEL  8

static const struct {
	uint16_t machine;
	unsigned how;
	const char *bytes; /* at 0x1000, and nothing behind it */
	unsigned size;	   /* 0: where it ends is not known */
	const char *text;  /* its beginning; "": length only */
	uint64_t target;   /* 0: none */
} cases[] = {
	{ EM_X86_64, 0, "48 89 e5", 3, "movq %rsp, %rbp", 0 },
	{ EM_X86_64, INTEL, "48 89 e5", 3, "mov rbp, rsp", 0 },
	{ EM_X86_64, 0, "74 10", 2, "je 0x1012", 0x1012 },
	{ EM_X86_64, 0, "e8 00 01 00 00", 5, "callq 0x1105", 0x1105 },
	{ EM_X86_64, 0, "ff 25 10 00 00 00", 6, "jmpq *0x10(%rip)", 0 },
	{ EM_X86_64, 0, "ff e0", 2, "jmpq *%rax", 0 },
	{ EM_X86_64, INTEL, "ff 25 10 00 00 00", 6, "jmp qword ptr", 0 },
	{ EM_X86_64, 0, "62 b2 7e 20 26 c0", 6, "vptestnmb %ymm16, %ymm16, %k0", 0 },
	{ EM_X86_64, INTEL, "c5 fb 93 c0", 4, "kmovd eax, k0", 0 },
	{ EM_X86_64, 0, "62 f5 7c 48 58 c1", 6, "", 0 }, /* vaddph */
	{ EM_X86_64, 0, "06", 0, "", 0 },
	{ EM_X86_64, NARROW, "48 89 e5", 3, "movq %rsp, %rbp", 0 }, /* x32 */
	{ EM_386, NARROW, "89 e5", 2, "movl %esp, %ebp", 0 },
	{ EM_386, NARROW, "06", 1, "push", 0 },
	{ EM_AARCH64, 0, "fd 7b bf a9", 4, "stp x29, x30, [sp, #-0x10]!", 0 },
	{ EM_AARCH64, 0, "40 00 00 54", 4, "b.eq #0x1008", 0x1008 },
	{ EM_AARCH64, 0, "00 01 00 94", 4, "bl #0x1400", 0x1400 },
	{ EM_AARCH64, 0, "40 00 00 b4", 4, "cbz x0, #0x1008", 0x1008 },
	{ EM_AARCH64, 0, "fd 7b bf", 0, "", 0 },
	{ EM_ARM, NARROW, "01 00 a0 e3", 4, "mov r0, #1", 0 },
	{ EM_ARM, NARROW | BIG, "e3 a0 00 01", 4, "mov r0, #1", 0 },
	{ EM_ARM, NARROW | THUMB, "01 20", 2, "movs r0, #1", 0 },
	{ EM_ARM, NARROW | THUMB, "4f f0 01 00", 4, "mov.w r0, #1", 0 },
	{ EM_ARM, NARROW | THUMB, "fe e7", 2, "b #0x1000", 0x1000 },
	{ EM_S390, BIG, "07 fe", 2, "br %r14", 0 },
	{ EM_S390, BIG, "a7 84 00 08", 4, "je 0x1010", 0x1010 },
	{ EM_S390, BIG, "eb bf f0 58 00 24", 6, "stmg %r11, %r15, 0x58(%r15)", 0 },
	{ EM_S390, BIG, "c0 e5 00 00 00 08", 6, "brasl %r14, 0x1010", 0x1010 },
	{ EM_S390, BIG, "ec 14 00 08 80 64", 6, "cgrje %r1, %r4, 0x1010", 0x1010 },
	{ EM_S390, BIG, "c0 10 00 00 00 08", 6, "larl %r1, 0x1010", 0 },
	{ EM_PPC64, BIG, "48 00 00 09", 4, "bl 0x1008", 0x1008 },
	{ EM_PPC64, BIG, "41 82 00 08", 4, "beq 0x1008", 0x1008 },
	{ EM_PPC64, BIG, "42 00 ff f8", 4, "bdnz 0xff8", 0xff8 },
	{ EM_MIPS, NARROW | BIG, "10 40 00 03", 4, "beqz $v0, 0x1010", 0x1010 },
	{ EM_MIPS, NARROW | BIG, "0c 00 04 04", 4, "jal 0x1010", 0x1010 },
	{ EM_SPARC, NARROW | BIG, "02 80 00 04", 4, "be 0x1010", 0x1010 },
	{ EM_SPARC, NARROW | BIG, "40 00 00 04", 4, "call 0x1010", 0x1010 },
	{ EM_386, NARROW, "e8 00 01 00 00", 5, "calll 0x1105", 0x1105 },
	{ EM_PPC64, 0, "a6 02 08 7c", 4, "mflr r0", 0 },
	{ EM_PPC64, BIG, "7c 08 02 a6", 4, "mflr r0", 0 },
	{ EM_PPC, NARROW | BIG, "94 21 ff e0", 4, "stwu r1, -0x20(r1)", 0 },
	{ EM_MIPS, NARROW | BIG, "27 bd ff e0", 4, "addiu $sp, $sp, -0x20", 0 },
	{ EM_MIPS, NARROW, "e0 ff bd 27", 4, "addiu $sp, $sp, -0x20", 0 },
	{ EM_MIPS, BIG, "67 bd ff e0", 4, "daddiu $sp, $sp, -0x20", 0 },
	{ EM_SPARC, NARROW | BIG, "9d e3 bf a0", 4, "save %sp, -0x60, %sp", 0 },
	{ EM_SPARCV9, BIG, "9d e3 bf 50", 4, "save %sp, -0xb0, %sp", 0 },
	{ EM_RISCV, 0, "41 11", 2, "", 0 },
	{ EM_RISCV, 0, "ef 00 00 01", 4, "", 0 },
	{ EM_RISCV, 0, "ef 00 00", 0, "", 0 },
	{ 258, 0, "63 c0 ff 02", 4, "", 0 },
	{ 0xbeef, 0, "01 02 03 04", 0, "", 0 },
};

static size_t bytes_of(const char *text, uint8_t *out)
{
	size_t n = 0;
	char *end;

	for (; *text; text = end)
		out[n++] = (uint8_t)strtoul(text, &end, 16);
	return n;
}

static void test_cases(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct disasm_insn insn;
		struct disasm_machine m;
		struct disasm *d;
		struct file f;
		uint8_t code[16];
		size_t n = bytes_of(cases[i].bytes, code);

		file_init(&f, cases[i].machine, cases[i].how & NARROW, cases[i].how & BIG);
		m = disasm_machine_of(f.elf);
		d = disasm_new(&m, cases[i].how & INTEL);
		disasm_thumb(d, cases[i].how & THUMB);
		CHECK_EQ(disasm_one(d, code, n, 0x1000, &insn), cases[i].size > 0);
		CHECK_EQ(insn.size, cases[i].size);
		insn.text[*cases[i].text ? strlen(cases[i].text) : sizeof(insn.text) - 1] = 0;
		CHECK_STR(insn.text, cases[i].text);
		CHECK_EQ(insn.target, cases[i].target ? cases[i].target : DISASM_NO_TARGET);
		disasm_free(d);
		file_release(&f);
	}
}

static void test_refusal(void)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} unknown[] = { { EM_RISCV, "RISC-V" }, { 258, "LoongArch" }, { 0xbeef, "machine 48879" } };

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
		struct disasm_machine m;
		struct disasm *d;
		struct file f;

		file_init(&f, unknown[i].machine, false, false);
		m = disasm_machine_of(f.elf);
		d = disasm_new(&m, false);
		CHECK_STR(disasm_name(d), unknown[i].name);
		CHECK(disasm_refusal(d) && strstr(disasm_refusal(d), unknown[i].name));
		disasm_free(d);
		file_release(&f);
	}
}

/* Whatever the bytes are, an instruction lies within them. Each in a block of its own size, so that
 * the sanitizers see what is read. */
static void test_garbage(uint16_t machine, bool narrow, bool big)
{
	uint64_t seed = machine;
	struct disasm_machine m;
	struct disasm *d;
	struct file f;

	file_init(&f, machine, narrow, big);
	m = disasm_machine_of(f.elf);
	d = disasm_new(&m, false);
	for (unsigned i = 0; i < 20000; i++) {
		size_t left = unit_random(&seed) % 20 + 1;
		uint8_t *code = malloc(left);
		struct disasm_insn insn;

		for (size_t k = 0; k < left; k++)
			code[k] = (uint8_t)unit_random(&seed);
		disasm_thumb(d, i & 1);
		if (disasm_one(d, code, left, unit_random(&seed), &insn))
			CHECK(insn.size > 0 && insn.size <= left);
		free(code);
	}
	disasm_free(d);
	file_release(&f);
}

/* ---- jumps ---- */

static void check_drawing(struct jump *jumps, size_t count, const char *const *want, size_t rows)
{
	struct arena arena;
	const char **got;

	arena_init(&arena);
	got = jumps_draw(jumps, count, rows, &arena);
	for (size_t i = 0; i < rows; i++)
		CHECK_STR(got[i], want[i]);
	free(got);
	arena_release(&arena);
}

static void test_jumps(void)
{
	struct jump forth[] = { { 0, 2 } }, back[] = { { 2, 0 } }, self[] = { { 1, 1 } };
	struct jump shared[] = { { 0, 3 }, { 1, 3 } }, crossed[] = { { 0, 2 }, { 1, 4 } };
	struct jump far[] = { { 0, JUMPS_ROWS + 1 } };
	const char **got;
	struct arena arena;

	check_drawing(forth, 1, (const char *[]){ "┌─ ", "│  ", "└► " }, 3);
	check_drawing(back, 1, (const char *[]){ "┌► ", "│  ", "└─ " }, 3);
	check_drawing(self, 1, (const char *[]){ "  ", "↑ " }, 2);
	check_drawing(shared, 2, (const char *[]){ "┌─ ", "├─ ", "│  ", "└► " }, 4);
	check_drawing(crossed, 2, (const char *[]){ " ┌─ ", "┌┼─ ", "│└► ", "│   ", "└─► " }, 5);
	arena_init(&arena);
	got = jumps_draw(far, 1, JUMPS_ROWS + 2, &arena);
	CHECK_STR(got[0], "↓ ");
	CHECK_STR(got[JUMPS_ROWS + 1], "  ");
	free(got);
	CHECK(jumps_draw(NULL, 0, 5, &arena) == NULL);
	arena_release(&arena);
}

/* More jumps than there is room for: each row is drawn, all as wide. */
static void test_many_jumps(void)
{
	enum { ROWS = 3000, JUMPS = 2000 };
	struct jump *jumps = malloc(JUMPS * sizeof(*jumps));
	struct arena arena;
	uint64_t seed = 3;
	const char **got;

	for (size_t i = 0; i < JUMPS; i++)
		jumps[i] = (struct jump){ unit_random(&seed) % ROWS, unit_random(&seed) % ROWS };
	for (size_t i = 0; i < JUMPS / 2; i++)
		jumps[i].to = (jumps[i].from + unit_random(&seed) % 50) % ROWS;
	arena_init(&arena);
	got = jumps_draw(jumps, JUMPS, ROWS, &arena);
	for (size_t i = 0; i < ROWS; i++) {
		size_t width = 0;

		for (const char *s = got[i]; *s; s++)
			width += (*s & 0xc0) != 0x80;
		CHECK_EQ(width, JUMPS_LANES + 2);
	}
	free(got);
	free(jumps);
	arena_release(&arena);
}

int main(void)
{
	test_cases();
	test_refusal();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		test_garbage(cases[i].machine, cases[i].how & NARROW, cases[i].how & BIG);
	test_jumps();
	test_many_jumps();
	return unit_end();
}
