/* Source: arch/ARCH/include/uapi/asm/perf_regs.h; tools/perf/util/perf-regs-arch. */
#include "analyzers/hardware/registers.h"
#include "parser/base/mem.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Registers from FIRST on: NAMES with blanks between, or COUNT of them, NAMES and a number from
 * BASE on, each for 1 << SHIFT ids. */
static const struct family {
	const char *arch; /* what its name begins with; "i": i386, i686 */
	unsigned char first, count, base, shift;
	const char *names;
} families[] = {
	{ "x86", 0, 0, 0, 0, "AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS" },
	{ "x86", 16, 8, 8, 0, "R" },
	{ "x86", 32, 16, 0, 1, "XMM" },
	{ "i", 0, 0, 0, 0, "AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS" },
	{ "i", 32, 16, 0, 1, "XMM" },
	{ "aarch64", 0, 30, 0, 0, "x" },
	{ "aarch64", 30, 0, 0, 0, "lr sp pc" },
	{ "aarch64", 46, 0, 0, 0, "vg" },
	{ "arm", 0, 11, 0, 0, "r" },
	{ "arm", 11, 0, 0, 0, "fp ip sp lr pc" },
	{ "ppc", 0, 32, 0, 0, "r" },
	{ "ppc", 32, 0, 0, 0,
	  "nip msr orig_r3 ctr link xer ccr softe trap dar dsisr sier mmcra mmcr0 mmcr1 mmcr2 "
	  "mmcr3 sier2 sier3 pmc1 pmc2 pmc3 pmc4 pmc5 pmc6 sdar siar" },
	{ "s390", 0, 16, 0, 0, "R" },
	{ "s390", 16, 16, 0, 0, "FP" },
	{ "s390", 32, 0, 0, 0, "MASK PC" },
	{ "riscv", 0, 0, 0, 0,
	  "pc ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
	  "t3 t4 t5 t6" },
	{ "loongarch", 0, 0, 0, 0, "PC" },
	{ "loongarch", 1, 31, 1, 0, "%r" },
	{ "mips", 0, 0, 0, 0, "PC" },
	{ "mips", 1, 25, 1, 0, "$" },
	{ "mips", 28, 4, 28, 0, "$" },
};

static bool has_word(const char *words, unsigned i, char out[REGISTER_NAME_BYTES])
{
	for (; i && *words; i--) {
		words += strcspn(words, " ");
		words += *words == ' ';
	}
	snprintf(out, REGISTER_NAME_BYTES, "%.*s", (int)strcspn(words, " "), words);
	return *words;
}

static bool has(const struct family *f, unsigned id, char out[REGISTER_NAME_BYTES])
{
	if (id < f->first)
		return false;
	id -= f->first;
	if (!f->count)
		return has_word(f->names, id, out);
	if (id >> f->shift >= f->count)
		return false;
	snprintf(out, REGISTER_NAME_BYTES, "%s%u", f->names, f->base + (id >> f->shift));
	return true;
}

void register_name(const char *arch, unsigned id, char out[REGISTER_NAME_BYTES])
{
	for (size_t i = 0; arch && i < ARRAY_SIZE(families); i++) {
		const struct family *f = &families[i];

		if (!strncmp(arch, f->arch, strlen(f->arch)) && has(f, id, out))
			return;
	}
	snprintf(out, REGISTER_NAME_BYTES, "unknown");
}
