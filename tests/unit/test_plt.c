/* PLT stubs: to which slot the instructions of each lead, for every machine and every layout that
 * linkers are known to write, and what is no stub, or only its beginning; then their names. The
 * bytes are those that the linker named made; the slots are from its objdump. */
#include <elf.h>
#include <stdlib.h>
#include <time.h>

#include "parser/base/mem.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/elf/pltcode.h"
#include "tests/lib/symimage.h"
#include "tests/lib/unit.h"

#define STUB_MAX 48

struct example {
	const char *what;
	uint16_t machine;
	bool big_endian;
	uint64_t vaddr, got, glink;
	const char *bytes; /* in hexadecimal */
	size_t size;
	uint64_t slot;
	uint32_t index;
	bool by_index;
};

/* COND, about what of example E. */
#define CHECK_OF(e, about, cond)                                            \
	do {                                                                \
		char text_[128];                                            \
                                                                            \
		snprintf(text_, sizeof(text_), "%s: %s", (e)->what, about); \
		unit_check(cond, __FILE__, __LINE__, text_);                \
	} while (0)

#define LE false
#define BE true

static const struct example examples[] = {
	{ "x86-64, lazy, bfd", EM_X86_64, LE, 0x1030, 0, 0, "ff25ca2f00006800000000e9e0ffffff", 16,
	  0x4000, 0, false },
	{ "x86-64, .plt.got", EM_X86_64, LE, 0x10a0, 0, 0, "ff253a2f00006690", 6, 0x3fe0, 0,
	  false },
	{ "x86-64, IBT, .plt.sec", EM_X86_64, LE, 0x1af0, 0, 0, "f30f1efaff2576120000660f1f440000",
	  10, 0x2d70, 0, false },
	{ "x86-64, IBT, lazy part", EM_X86_64, LE, 0x1040, 0, 0, "f30f1efa6801000000e9d2ffffff6690",
	  14, 0, 1, true },
	{ "x86-64, MPX, lazy part", EM_X86_64, LE, 0x1040, 0, 0, "6801000000f2e9d3ffffff0f1f440000",
	  11, 0, 1, true },
	{ "x86-64, MPX, .plt.bnd", EM_X86_64, LE, 0x1050, 0, 0, "f2ff25a92f000090", 7, 0x4000, 0,
	  false },
	{ "x86-64, mold", EM_X86_64, LE, 0x1760, 0, 0, "f30f1efa41bb01000000ff2588240000", 16,
	  0x3bf8, 0, false },
	{ "x86-64, retpoline, lld", EM_X86_64, LE, 0x201270, 0, 0,
	  "4c8b1d0910 0000 e80affffff e943ffffff 6800000000 e9b1ffffff cccccccccc", 32, 0x202280, 0,
	  false },
	{ "i386, lazy", EM_386, LE, 0x8048280, 0, 0, "ff2500a004086800000000e9e0ffffff", 16,
	  0x804a000, 0, false },
	{ "i386, lazy, PIC", EM_386, LE, 0x1010, 0x4000, 0, "ffa30c0000006810000000e9e0ffffff", 16,
	  0x400c, 0, false },
	{ "i386, IBT, lazy part", EM_386, LE, 0x1040, 0x4000, 0, "f30f1efb6808000000e9b2ffffff6690",
	  14, 0, 1, true },
	{ "i386, mold", EM_386, LE, 0x13d0, 0x25d0, 0, "f30f1efbb908000000ffa320100000cc", 15,
	  0x35f0, 0, false },
	{ "i386, retpoline, lld", EM_386, LE, 0x401320, 0, 0,
	  "50 a17c244000 e8e5ffffff e9d1ffffff 6800000000 e9b6ffffff cccccccccccc", 32, 0x40247c, 0,
	  false },
	{ "i386, retpoline, PIC", EM_386, LE, 0x1350, 0x2000, 0,
	  "50 8b830c000000 e8e4ffffff e9d1ffffff 6800000000 e9b5ffffff cccccccccc", 32, 0x200c, 0,
	  false },
	{ "arm64", EM_AARCH64, LE, 0x104c0, 0, 0, "10010090 11e643f9 10221f91 20021fd6", 16,
	  0x307c8, 0, false },
	{ "arm64, PAC", EM_AARCH64, LE, 0x460, 0, 0, "10010090 110240f9 10020091 9f2103d5 20021fd6",
	  20, 0x20000, 0, false },
	{ "arm64, BTI and PAC", EM_AARCH64, LE, 0x10640, 0, 0,
	  "5f2403d5 10010090 11f243f9 10821f91 9f2103d5 20021fd6", 24, 0x307e0, 0, false },
	{ "arm64, mold's .plt.got", EM_AARCH64, LE, 0x104f0, 0, 0,
	  "90000090 11ce43f9 20021fd6 1f2003d5", 12, 0x20798, 0, false },
	{ "arm", EM_ARM, LE, 0x24c, 0, 0, "00c68fe2 01ca8ce2 b8fdbce5", 12, 0x200c, 0, false },
	{ "arm, from Thumb", EM_ARM, LE, 0x248, 0, 0, "78 47 c0 46 00c68fe2 01ca8ce2 b8fdbce5", 16,
	  0x200c, 0, false },
	{ "arm, lld", EM_ARM, LE, 0x102d0, 0, 0, "00c68fe2 20ca8ce2 f8f0bce5 d4d4d4d4", 12, 0x303d0,
	  0, false },
	{ "arm, mold", EM_ARM, LE, 0x1270, 0, 0, "04c09fe5 0fc08ce0 00f09ce5 24220000", 16, 0x34a0,
	  0, false },
	{ "s390x", EM_S390, BE, 0x3c8, 0, 0,
	  "c01000000e1c e31010000004 07f1 0d10 e310100c0014 c0f4ffffffe5 00000000", 32, 0x2000, 0,
	  false },
	{ "s390x, mold", EM_S390, BE, 0x14d0, 0, 0, "c01000001190e31010000004 c00100000000 07f1",
	  20, 0x37f0, 0, false },
	{ "riscv64", EM_RISCV, LE, 0x3b0, 0, 0, "172e0000 033e8ec6 67030e00 13000000", 12, 0x2018,
	  0, false },
	{ "ppc64le", EM_PPC64, LE, 0x3e0, 0x27f00, 0, "180041f8 188182e9 a603897d 2004804e", 16,
	  0x20018, 0, false },
	{ "ppc64le, lld", EM_PPC64, LE, 0x104e0, 0x28730, 0,
	  "180041f8 0100823d 20808ce9 a603897d 2004804e", 20, 0x30750, 0, false },
	{ "ppc64le, Power10", EM_PPC64, LE, 0x380, 0, 0,
	  "180041f8 00000060 01001004 90fc80e5 a603897d 2004804e", 24, 0x20018, 0, false },
	{ "ppc64le, no TOC", EM_PPC64, LE, 0x380, 0, 0,
	  "180041f8 a602887d 05009f42 a602687d a603887d 02008b3d 8cfc8ce9 a603897d 2004804e", 36,
	  0x20018, 0, false },
	{ "ppc64", EM_PPC64, BE, 0x500, 0x27f00, 0, "f8410028 e9828118 7d8903a6 e8428120 4e800420",
	  20, 0x20018, 0, false },
	{ "ppc64, safe for threads", EM_PPC64, BE, 0x11760, 0xa7d00, 0,
	  "f8410028 e98287f8 7d8903a6 e8428800 28220000 4ce20420 4805a83c", 28, 0xa04f8, 0, false },
	{ "ppc64le, lazy part", EM_PPC64, LE, 0x1067c, 0, 0x10674, "bcffff4b", 4, 0, 2, true },
	/* what is none */
	{ "x86-64, header", EM_X86_64, LE, 0x1020, 0, 0, "ff35ca2f0000ff25cc2f00000f1f4000", 0, 0,
	  0, false },
	{ "ppc64le, a call", EM_PPC64, LE, 0x3e0, 0x27f00, 0, "188182e9 a603897d 2104804e", 0, 0, 0,
	  false },
	{ "s390x, header", EM_S390, BE, 0x3a8, 0, 0, "e310f0380024c01000000e1dd207f0301008", 0, 0,
	  0, false },
	{ "riscv64, header", EM_RISCV, LE, 0x390, 0, 0, "97230000 3303c341 03bec8c7 130343fd", 0, 0,
	  0, false },
};

static size_t from_hex(uint8_t *out, const char *hex)
{
	size_t n = 0;
	unsigned int byte;

	while (*hex) {
		hex += *hex == ' ';
		if (n >= STUB_MAX || sscanf(hex, "%2x", &byte) != 1)
			break;
		out[n++] = (uint8_t)byte;
		hex += 2;
	}
	return n;
}

/* LEFT bytes of stub E, with nothing behind them that may be read. */
static size_t decode(const struct example *e, const uint8_t *bytes, size_t left,
		     struct plt_target *t)
{
	const struct plt_machine *m = plt_machine(e->machine);
	uint8_t *exact = xmalloc(left);
	struct plt_code c = { .bytes = exact,
			      .left = left,
			      .vaddr = e->vaddr,
			      .got = e->got,
			      .glink = e->glink,
			      .glink_size = e->glink ? 4 : 0,
			      .is_64 = e->machine != EM_386 && e->machine != EM_ARM,
			      .big_endian = e->big_endian };
	size_t size;

	memcpy(exact, bytes, left);
	memset(t, 0, sizeof(*t));
	size = m ? m->decode(&c, t) : 0;
	free(exact);
	return size;
}

static void test_examples(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct example *e = &examples[i];
		struct plt_target t;
		uint8_t bytes[STUB_MAX];
		size_t len = from_hex(bytes, e->bytes), got = decode(e, bytes, len, &t);

		CHECK_OF(e, "its length", got == e->size);
		if (!got)
			continue;
		CHECK_OF(e, "its kind", t.by_index == e->by_index);
		CHECK_OF(e, "its slot", t.by_index ? t.index == e->index : t.slot == e->slot);
	}
}

/* Cut short it is none; damaged it may be one, but never longer than what is there. */
static void test_damage(void)
{
	uint64_t seed = 1;

	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct example *e = &examples[i];
		struct plt_target t;
		uint8_t bytes[STUB_MAX];
		size_t len = from_hex(bytes, e->bytes);

		for (size_t left = 0; left < e->size; left++)
			CHECK_OF(e, "cut short", decode(e, bytes, left, &t) <= left);
		for (int k = 0; k < 2000; k++) {
			uint8_t damaged[STUB_MAX];

			memcpy(damaged, bytes, len);
			damaged[unit_random(&seed) % len] = (uint8_t)unit_random(&seed);
			damaged[unit_random(&seed) % len] ^= 1u << unit_random(&seed) % 8;
			CHECK_OF(e, "damaged", decode(e, damaged, len, &t) <= len);
		}
	}
	CHECK(!plt_machine(EM_MIPS));
}

/* ---- names ---- */

/* Four stubs: two functions of other files, one chosen at start whose resolver has a symbol, one
 * whose resolver has none; and other code behind them. As lld does it, nothing tells the size of an
 * entry. */
static void stubs_image(struct image *im)
{
	static const struct sym syms[] = {
		FN("main", 0, 16, STB_GLOBAL),
		FN("choose", 0x40, 16, STB_LOCAL),
		{ "chosen", TEXT + 0x40, 16, STB_LOCAL, STT_GNU_IFUNC, S_TEXT, 0 },
		FN("_init", 0x7f0, 0, STB_LOCAL),
		FN("too_long", 0x7f8, 0x1000, STB_LOCAL),
		{ "_etext", TEXT + 0x800, 0, STB_GLOBAL, STT_NOTYPE, S_TEXT, 0 },
	};
	static const struct sym dyn[] = {
		{ "imported", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
		{ "other", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
	};

	image_begin(im, EM_X86_64);
	im->sh[S_PLT].sh_entsize = 0;
	im->sh[S_PLT].sh_size = 96;
	put_symbols(im, S_SYM, syms, ARRAY_SIZE(syms));
	put_symbols(im, S_DYN, dyn, ARRAY_SIZE(dyn));
	put_plt(im, 4);
	for (uint64_t i = 2; i < 4; i++) {
		Elf64_Rela r = { .r_offset = GOT + 8 * i,
				 .r_info = ELF64_R_INFO(0, R_X86_64_IRELATIVE),
				 .r_addend = (Elf64_Sxword)(TEXT + 0x20 * i) };

		memcpy(im->b.data + im->sh[S_RELA].sh_offset + i * sizeof(r), &r, sizeof(r));
	}
	image_end(im);
}

static const char *name_at(const struct symtab *t, uint64_t at)
{
	const struct symbol *s = symtab_find(t, at);

	return s ? s->name : "(none)";
}

static void test_names(void)
{
	static const uint64_t wanted[] = { PLT_OFFSET + 50 };
	struct symtab all, one;
	struct elf_file *f;
	struct image im;

	stubs_image(&im);
	f = elf_file_memory(im.b.data, im.b.len, NULL);
	symtab_init(&all);
	CHECK_EQ(f && elfsyms_load(&all, f, f) == 0, true);
	CHECK_STR(name_at(&all, TEXT_OFFSET + 0x7f7), "_init");
	CHECK_STR(name_at(&all, TEXT_OFFSET + 0x7ff), "too_long");
	CHECK_STR(name_at(&all, TEXT_OFFSET + 0x800), "(none)");
	CHECK_STR(name_at(&all, PLT_OFFSET), ".plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 15), ".plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 16), "imported@plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 47), "other@plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 48), "chosen@plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 63), "chosen@plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 69), "*ABS*+0x401060@plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 70), ".plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 95), ".plt");
	CHECK_STR(name_at(&all, PLT_OFFSET + 96), "(none)");
	symtab_init(&one);
	symtab_want(&one, wanted, ARRAY_SIZE(wanted));
	CHECK_EQ(elfsyms_load(&one, f, f), 0);
	CHECK_STR(name_at(&one, wanted[0]), "chosen@plt");
	symtab_release(&one);
	symtab_release(&all);
	elf_file_free(f);
	buf_release(&im.b);
}

/* Sixty thousand sections over the same megabytes, of stubs and of relocations: as much work as
 * one of each. */
static void test_overlap(void)
{
	const size_t copies = 60000, code = 4u << 20;
	clock_t start = clock();
	Elf64_Ehdr *eh;
	Elf64_Shdr *sh;
	struct elf_file *f;
	struct symtab t;
	struct image im;

	stubs_image(&im);
	while (im.b.len < TABLE_OFFSET + code)
		buf_add(&im.b, "\xff\x25\0\0\0\0\x66\x90", 8);
	sh = xcalloc(copies, sizeof(*sh));
	for (size_t i = 0; i < copies; i++) {
		sh[i] = im.sh[i < SECTIONS ? i : i % 2 ? S_PLT : S_RELA];
		if (i >= SECTIONS) {
			sh[i].sh_offset = TABLE_OFFSET;
			sh[i].sh_size = code;
		}
	}
	eh = (Elf64_Ehdr *)im.b.data;
	eh->e_shoff = im.b.len;
	eh->e_shnum = (Elf64_Half)copies;
	buf_add(&im.b, sh, copies * sizeof(*sh));
	free(sh);
	f = elf_file_memory(im.b.data, im.b.len, NULL);
	symtab_init(&t);
	CHECK_EQ(f && elfsyms_load(&t, f, f) == 0, true);
	CHECK(t.count <= im.b.len / 8 + 10);
	CHECK(clock() - start < 10 * CLOCKS_PER_SEC); /* seconds also under a sanitizer */
	symtab_release(&t);
	elf_file_free(f);
	buf_release(&im.b);
}

int main(void)
{
	test_examples();
	test_damage();
	test_names();
	test_overlap();
	return unit_end();
}
