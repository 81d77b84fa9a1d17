/* Tests of parser/symbols: tables from ELF, kallsyms and perf maps.
 *
 * The ELF files are made here, byte by byte, so that each rule has its own smallest case. */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/demangle.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/kernel/kallsyms.h"
#include "parser/names/jit/perfmap.h"
#include "tests/lib/symimage.h"

static int failures;

static void report(const char *name, bool ok, const char *why)
{
	if (ok)
		printf("ok - %s\n", name);
	else
		printf("not ok - %s: %s\n", name, why);
	failures += !ok;
}

static void check(const char *name, bool ok)
{
	report(name, ok, "does not hold");
}

struct loaded {
	struct image im;
	struct elf_file *f;
	struct symtab t;
	int err;
};

static void load_image(struct loaded *l)
{
	symtab_init(&l->t);
	symtab_keep_order(&l->t);
	l->t.counts_plt = true;
	l->f = elf_file_memory(l->im.b.data, l->im.b.len, &l->err);
	if (l->f)
		l->err = elfsyms_load(&l->t, l->f, l->f);
}

static void load_syms(struct loaded *l, uint16_t machine, const struct sym *list, size_t n)
{
	image_begin(&l->im, machine);
	put_symbols(&l->im, S_SYM, list, n);
	put_symbols(&l->im, S_DYN, NULL, 0); /* perf divides by its entry size */
	image_end(&l->im);
	load_image(l);
}

static void unload(struct loaded *l)
{
	symtab_release(&l->t);
	elf_file_free(l->f);
	buf_release(&l->im.b);
}

static const char *name_at(const struct symtab *t, uint64_t addr)
{
	const struct symbol *s = symtab_find(t, addr);

	return s ? s->name : "(none)";
}

static void expect(const char *test, const struct symtab *t, uint64_t addr, const char *want)
{
	const char *got = name_at(t, addr);
	char why[200];

	snprintf(why, sizeof(why), "%#lx is %s, not %s", (unsigned long)addr, got, want);
	report(test, !strcmp(got, want), why);
}

/* ---- ELF ---- */

static void test_identity(void)
{
	static const struct sym list[] = { FN("f", 0, 16, STB_GLOBAL) };
	const struct elf_info *i;
	struct loaded l;
	uint64_t v = 0;

	load_syms(&l, EM_X86_64, list, ARRAY_SIZE(list));
	i = elf_file_info(l.f);
	check("build-id from a note", i->build_id_len == 4 && !memcmp(i->build_id, "\1\2\3\4", 4));
	check("debug link",
	      i->debuglink && !strcmp(i->debuglink, "x.debug") && i->debuglink_crc == 0x12345678);
	check("class, order, machine",
	      i->is_64 && !i->big_endian && i->machine == EM_X86_64 && i->type == ET_EXEC);
	check("tables told", i->has_symtab && !i->has_opd);
	check("vaddr to offset", !elf_file_offset(l.f, DATA + 8, &v) && v == DATA_OFFSET + 8);
	check("offset to vaddr", !elf_file_vaddr(l.f, DATA_OFFSET + 8, &v) && v == DATA + 8);
	check("vaddr in no segment", elf_file_offset(l.f, 0, &v) == ERR_ABSENT);
	check("address of a symbol", !elfsyms_addr(l.f, "f", &v) && v == TEXT);
	check("address of no symbol", elfsyms_addr(l.f, "g", &v) == ERR_ABSENT);
	unload(&l);
}

static void test_selection(void)
{
	static const struct sym list[] = {
		FN("f", 0, 16, STB_GLOBAL),
		{ "undefined", TEXT + 0x20, 8, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
		{ "absolute", TEXT + 0x30, 8, STB_GLOBAL, STT_FUNC, SHN_ABS, 0 },
		{ "not_loaded", TEXT + 0x40, 8, STB_GLOBAL, STT_FUNC, S_DEBUG, 0 },
		{ "section", TEXT + 0x50, 8, STB_LOCAL, STT_SECTION, S_TEXT, 0 },
		{ "label", TEXT + 0x60, 8, STB_LOCAL, STT_NOTYPE, S_TEXT, 0 },
		{ "hidden", TEXT + 0x70, 8, STB_LOCAL, STT_NOTYPE, S_TEXT, STV_HIDDEN },
		{ "plt_label", TEXT + 0x1000, 8, STB_LOCAL, STT_NOTYPE, S_PLT, 0 },
		{ "ifunc", TEXT + 0x80, 8, STB_GLOBAL, STT_GNU_IFUNC, S_TEXT, 0 },
		{ "object", DATA + 0x10, 8, STB_GLOBAL, STT_OBJECT, S_DATA, 0 },
		{ "$x", TEXT + 0x90, 8, STB_LOCAL, STT_NOTYPE, S_TEXT, 0 },
		{ "far", TEXT + 0x99, 8, STB_GLOBAL, STT_FUNC, 0x7777, 0 },
	};
	struct loaded l;

	load_syms(&l, EM_X86_64, list, ARRAY_SIZE(list));
	expect("function", &l.t, TEXT_OFFSET + 15, "f");
	expect("end is exclusive", &l.t, TEXT_OFFSET + 16, "(none)");
	expect("undefined left out", &l.t, TEXT_OFFSET + 0x20, "(none)");
	expect("absolute left out", &l.t, TEXT_OFFSET + 0x30, "(none)");
	expect("section that is not loaded", &l.t, TEXT_OFFSET + 0x40, "(none)");
	expect("other types left out", &l.t, TEXT_OFFSET + 0x50, "(none)");
	expect("label in text", &l.t, TEXT_OFFSET + 0x60, "label");
	expect("hidden label left out", &l.t, TEXT_OFFSET + 0x70, "(none)");
	expect("label elsewhere left out", &l.t, PLT_OFFSET, "(none)");
	expect("ifunc", &l.t, TEXT_OFFSET + 0x80, "ifunc");
	expect("object in the second segment", &l.t, DATA_OFFSET + 0x10, "object");
	expect("$x stays where it is no mapping symbol", &l.t, TEXT_OFFSET + 0x90, "$x");
	check("a section that is not there", l.t.count == 5);
	unload(&l);
}

static void test_aliases(void)
{
	static const struct sym list[] = {
		FN("sized_no", 0x00, 0, STB_GLOBAL),
		FN("sized", 0x00, 8, STB_LOCAL),
		FN("weak_longer", 0x10, 8, STB_WEAK),
		FN("strong", 0x10, 8, STB_LOCAL),
		FN("local_longer", 0x20, 8, STB_LOCAL),
		FN("global", 0x20, 8, STB_GLOBAL),
		FN("__under", 0x30, 8, STB_GLOBAL),
		FN("_un", 0x30, 8, STB_GLOBAL),
		FN("short", 0x40, 8, STB_GLOBAL),
		FN("longest", 0x40, 8, STB_GLOBAL),
		FN("first", 0x50, 8, STB_GLOBAL),
		FN("equal", 0x50, 8, STB_GLOBAL),
		FN("SyS_a", 0x60, 8, STB_GLOBAL),
		FN("sys_a", 0x60, 8, STB_GLOBAL),
		FN("compat_SyS_a", 0x70, 8, STB_GLOBAL),
		FN("compat_sys_a", 0x70, 8, STB_GLOBAL),
		/* readable: a::b (4) and longer_c (8), though the first is longer as it stands */
		FN("_ZN1a1bEvvvvvvv", 0x80, 8, STB_GLOBAL),
		FN("longer_c", 0x80, 8, STB_GLOBAL),
		/* readable, it has no leading underscore */
		FN("_c", 0x90, 8, STB_GLOBAL),
		FN("_Z1dv", 0x90, 8, STB_GLOBAL),
	};
	static const char *const want[] = { "sized",	"strong", "global", "_un",
					    "longest",	"first",  "sys_a",  "compat_sys_a",
					    "longer_c", "_Z1dv" };
	struct loaded l;

	load_syms(&l, EM_X86_64, list, ARRAY_SIZE(list));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		expect("choice between aliases", &l.t, TEXT_OFFSET + i * 16, want[i]);
	unload(&l);
}

static void test_fix_up(void)
{
	static const struct sym list[] = {
		FN("last", 0x123, 0, STB_GLOBAL),
		FN("none", 0x10, 0, STB_GLOBAL),
		FN("next", 0x50, 4, STB_GLOBAL),
	};
	struct loaded l;

	load_syms(&l, EM_X86_64, list, ARRAY_SIZE(list));
	expect("no size: up to the next", &l.t, TEXT_OFFSET + 0x4f, "none");
	expect("size: as stated", &l.t, TEXT_OFFSET + 0x54, "(none)");
	expect("last: to the end of the next page", &l.t, TEXT_OFFSET + 0x1fff, "last");
	expect("and not further", &l.t, TEXT_OFFSET + 0x2000, "(none)");
	unload(&l);
}

static uint64_t next_random(uint64_t *s)
{
	*s = *s * 6364136223846793005ull + 1442695040888963407ull;
	return *s >> 33;
}

/* ---- ranges that nest: the innermost, and what perf takes ---- */

static void expect_as_perf(const char *test, const struct symtab *t, uint64_t addr,
			   const char *want)
{
	const struct symbol *s = symtab_find_as_perf(t, addr);
	const char *got = s ? s->name : "(none)";
	char why[200];

	snprintf(why, sizeof(why), "for perf %#lx is %s, not %s", (unsigned long)addr, got, want);
	report(test, !strcmp(got, want), why);
}

static void expect_both(const char *test, const struct symtab *t, uint64_t addr, const char *inner,
			const char *perf)
{
	expect(test, t, addr, inner);
	expect_as_perf(test, t, addr, perf);
}

/* Of two symbols the first is the root, of three the one in the middle. An alias that was there for
 * a while changes that: where it was the root, its successor follows. */
static void test_nested(void)
{
	static const struct sym list[] = { FN("outer", 0, 0x100, STB_GLOBAL),
					   FN("inner", 0x10, 8, STB_GLOBAL),
					   FN("behind", 0x20, 8, STB_GLOBAL) };
	static const struct sym first_wins[] = { FN("outer", 0, 0x100, STB_GLOBAL),
						 FN("weak", 0, 0x100, STB_WEAK),
						 FN("inner", 0x10, 8, STB_GLOBAL) };
	static const struct sym second_wins[] = { FN("weak", 0, 0x100, STB_WEAK),
						  FN("outer", 0, 0x100, STB_GLOBAL),
						  FN("inner", 0x10, 8, STB_GLOBAL) };
	struct loaded l;

	load_syms(&l, EM_X86_64, list, 1);
	expect_both("nothing nests", &l.t, TEXT_OFFSET + 0xff, "outer", "outer");
	expect_both("nothing nests, end", &l.t, TEXT_OFFSET + 0x100, "(none)", "(none)");
	unload(&l);
	load_syms(&l, EM_X86_64, list, 2);
	expect_both("the root hides what it holds", &l.t, TEXT_OFFSET + 0x10, "inner", "outer");
	expect_both("the root after what it holds", &l.t, TEXT_OFFSET + 0x18, "(none)", "outer");
	expect_both("end of the root", &l.t, TEXT_OFFSET + 0x100, "(none)", "(none)");
	unload(&l);
	load_syms(&l, EM_X86_64, list, 3);
	expect_both("three turn the tree", &l.t, TEXT_OFFSET + 0x10, "inner", "inner");
	expect_both("left of the root", &l.t, TEXT_OFFSET + 0x0f, "outer", "outer");
	expect_both("right of the root", &l.t, TEXT_OFFSET + 0x28, "(none)", "(none)");
	unload(&l);
	load_syms(&l, EM_X86_64, first_wins, 3);
	expect_both("the root was an alias", &l.t, TEXT_OFFSET + 0x10, "inner", "inner");
	unload(&l);
	load_syms(&l, EM_X86_64, second_wins, 3);
	expect_both("a leaf was an alias", &l.t, TEXT_OFFSET + 0x10, "inner", "outer");
	unload(&l);
}

static void test_nested_plt(void)
{
	static const struct sym syms[] = { FN("main", 0, 16, STB_GLOBAL),
					   FN("_init", 0xff0, 0, STB_LOCAL) };
	static const struct sym dyn[] = {
		{ "imported", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
		{ "other", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
	};
	struct loaded l;

	image_begin(&l.im, EM_X86_64);
	put_symbols(&l.im, S_SYM, syms, ARRAY_SIZE(syms));
	put_symbols(&l.im, S_DYN, dyn, ARRAY_SIZE(dyn));
	put_plt(&l.im, 2);
	image_end(&l.im);
	load_image(&l);
	expect_both("PLT header", &l.t, PLT_OFFSET, "_init", "_init");
	expect_both("PLT entry", &l.t, PLT_OFFSET + 16, "imported@plt", "_init");
	unload(&l);
}

/* lld states no size of PLT entries: in perf's tree they are all empty, all at the start of .plt.
 */
static void test_plt_of_lld(void)
{
	static const struct sym syms[] = { FN("_init", 0xff0, 0, STB_LOCAL) };
	static const struct sym dyn[] = {
		{ "imported", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
		{ "other", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
	};
	struct loaded l;

	image_begin(&l.im, EM_X86_64);
	l.im.sh[S_PLT].sh_entsize = 0;
	put_symbols(&l.im, S_SYM, syms, ARRAY_SIZE(syms));
	put_symbols(&l.im, S_DYN, dyn, ARRAY_SIZE(dyn));
	put_plt(&l.im, 2);
	image_end(&l.im);
	load_image(&l);
	expect_as_perf("the root is empty", &l.t, PLT_OFFSET, "imported@plt");
	expect_as_perf("it hides what it does not hold", &l.t, PLT_OFFSET + 16, "(none)");
	expect_as_perf("left of it", &l.t, PLT_OFFSET - 1, "_init");
	unload(&l);
}

/* Aliases and nested ranges without end. The sum of perf's answers was made with perf 6.1 itself,
 * as tests/oracle/symbols.sh does: it stands for every turn of the tree, where there is no perf. */
static void test_nested_many(void)
{
	static const uint8_t binds[] = { STB_LOCAL, STB_GLOBAL, STB_WEAK };
	struct sym list[400];
	char names[400][8], why[64];
	uint64_t seed = 1, sum = 0xcbf29ce484222325;
	size_t differ = 0;
	struct loaded l;

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		uint64_t at = next_random(&seed) % 150 * 8, len = next_random(&seed) % 4 * 40;

		snprintf(names[i], sizeof(names[i]), "f%zu", i);
		list[i] = (struct sym)FN(names[i], at, len, binds[next_random(&seed) % 3]);
	}
	image_begin(&l.im, EM_X86_64);
	put_symbols(&l.im, S_SYM, list, 300);
	put_symbols(&l.im, S_DYN, list + 300, ARRAY_SIZE(list) - 300);
	image_end(&l.im);
	load_image(&l);
	for (uint64_t addr = TEXT_OFFSET; addr < TEXT_OFFSET + 0x800; addr++) {
		const struct symbol *s = symtab_find_as_perf(&l.t, addr);

		differ += s != symtab_find(&l.t, addr);
		for (const char *c = s ? s->name : "(none)"; *c; c++)
			sum = (sum ^ (uint8_t)*c) * 0x100000001b3;
	}
	snprintf(why, sizeof(why), "sum is %#lx, %zu differ", (unsigned long)sum, differ);
	report("400 symbols, as perf finds them", sum == 0x5fdf2029491647f5 && differ == 1080, why);
	unload(&l);
}

static void test_dynsym_and_plt(void)
{
	static const struct sym syms[] = { FN("static_fn", 0, 16, STB_LOCAL) };
	static const struct sym dyn[] = {
		{ "imported", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
		{ "_ZN1a1bEv", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
		FN("exported", 0x20, 16, STB_GLOBAL),
		FN("better", 0, 16, STB_GLOBAL),
	};
	struct arena names;
	struct loaded l;

	arena_init(&names);
	image_begin(&l.im, EM_X86_64);
	put_symbols(&l.im, S_SYM, syms, ARRAY_SIZE(syms));
	put_symbols(&l.im, S_DYN, dyn, ARRAY_SIZE(dyn));
	put_plt(&l.im, 2);
	image_end(&l.im);
	load_image(&l);
	expect("dynamic symbol added", &l.t, TEXT_OFFSET + 0x20, "exported");
	expect("dynamic alias may win", &l.t, TEXT_OFFSET, "better");
	expect("PLT header has no name", &l.t, PLT_OFFSET, "(none)");
	expect("first PLT entry", &l.t, PLT_OFFSET + 16, "imported@plt");
	check("PLT entry demangled",
	      !strcmp(demangle(name_at(&l.t, PLT_OFFSET + 32), 0, &names, NULL), "a::b@plt"));
	expect("after the PLT", &l.t, PLT_OFFSET + 48, "(none)");
	arena_release(&names);
	unload(&l);
}

static void test_arm(void)
{
	static const struct sym list[] = {
		{ "$t", TEXT, 0, STB_LOCAL, STT_NOTYPE, S_TEXT, 0 },
		FN("thumb", 1, 16, STB_GLOBAL),
		{ "$d.7", TEXT + 0x20, 0, STB_LOCAL, STT_NOTYPE, S_TEXT, 0 },
		{ "$dollar", TEXT + 0x30, 4, STB_LOCAL, STT_NOTYPE, S_TEXT, 0 },
		{ "odd", DATA + 1, 4, STB_LOCAL, STT_OBJECT, S_DATA, 0 },
	};
	struct loaded l;

	load_syms(&l, EM_ARM, list, ARRAY_SIZE(list));
	expect("Thumb bit is no part of the address", &l.t, TEXT_OFFSET, "thumb");
	expect("mapping symbol with a suffix", &l.t, TEXT_OFFSET + 0x20, "(none)");
	expect("other names with a $", &l.t, TEXT_OFFSET + 0x30, "$dollar");
	check("odd data stays odd",
	      symtab_find(&l.t, DATA_OFFSET + 1) && !symtab_find(&l.t, DATA_OFFSET));
	unload(&l);
}

static void make_rich_image(struct image *im, uint16_t machine)
{
	static const struct sym list[] = { FN("f", 0, 16, STB_GLOBAL), FN("_Z1gv", 16, 0, STB_WEAK),
					   FN("_Z1hv", 16, 0, STB_WEAK) };
	static const struct sym dyn[] = { { "imp", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, 0 },
					  FN("exported", 0x20, 16, STB_GLOBAL) };

	image_begin(im, machine);
	/* an .opd in place of .debug_str, for that path too */
	set_section(im, S_DEBUG, ".opd", SHT_PROGBITS);
	put_section(im, S_DEBUG, "\x00\x10\x40\0\0\0\0\0\x08\x10\x40\0\0\0\0\0", 16);
	put_symbols(im, S_SYM, list, ARRAY_SIZE(list));
	put_symbols(im, S_DYN, dyn, ARRAY_SIZE(dyn));
	put_plt(im, 2);
	image_end(im);
}

static void load_bytes_as(const char *data, size_t len, bool as_perf)
{
	char *copy = xmalloc(len); /* exactly as long, so that a sanitizer sees every byte beyond */
	struct elf_file *f;
	struct symtab t;

	memcpy(copy, data, len);
	symtab_init(&t);
	if (as_perf)
		symtab_keep_order(&t);
	f = elf_file_memory(copy, len, NULL);
	if (f && !elfsyms_load(&t, f, f)) {
		(void)symtab_find_as_perf(&t, t.syms[t.count / 2].start);
		for (size_t i = 0; i < t.count; i++)
			failures += strlen(t.syms[i].name) > len;
	}
	symtab_release(&t);
	elf_file_free(f);
	free(copy);
}

static void load_bytes(const char *data, size_t len)
{
	load_bytes_as(data, len, true);
	load_bytes_as(data, len, false);
}

/* Changes go where they matter: to the headers, and to what follows the (empty) code and data. */
static void test_mutations(uint16_t machine)
{
	uint64_t seed = 1;
	struct image im;
	char *data;

	make_rich_image(&im, machine);
	data = xmalloc(im.b.len);
	for (int i = 0; i < 1500; i++) {
		memcpy(data, im.b.data, im.b.len);
		for (uint64_t n = 1 + next_random(&seed) % 8; n; n--) {
			size_t at = next_random(&seed) % (im.b.len - TABLE_OFFSET + 256);

			at = at < 256 ? at : at - 256 + TABLE_OFFSET;
			data[at] = (char)(next_random(&seed) % 3 ? next_random(&seed) : 0xff);
		}
		load_bytes(data, im.b.len);
	}
	report("1500 damaged ELF files", true, "");
	for (size_t len = 0; len < im.b.len; len += len < 256 || len > TABLE_OFFSET ? 1 : 509)
		load_bytes(im.b.data, len);
	report("ELF files cut short", true, "");
	free(data);
	buf_release(&im.b);
}

static void test_open(void)
{
	char dir[] = "/tmp/test_symtab.XXXXXX", path[64];
	int err = 0;

	check("temporary directory", mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/f", dir);
	check("absent file", !elf_file_open(NULL, path, &err) && err == ERR_ABSENT);
	check("directory", !elf_file_open(NULL, dir, &err) && err == ERR_FORMAT);
	check("device", !elf_file_open(NULL, "/dev/zero", &err) && err == ERR_FORMAT);
	if (!mkfifo(path, 0600))
		check("FIFO does not block", !elf_file_open(NULL, path, &err) && err == ERR_FORMAT);
	unlink(path);
	rmdir(dir);
}

/* ---- kallsyms and perf maps ---- */

static int load_kallsyms(struct kallsyms *k, const char *text, const struct kallsyms_query *q)
{
	char path[] = "/tmp/test_symtab.XXXXXX";
	int fd = mkstemp(path), err;
	size_t len = strlen(text);

	check("temporary file", fd >= 0 && write(fd, text, len) == (ssize_t)len);
	close(fd);
	kallsyms_init(k);
	err = kallsyms_load(k, path, q);
	unlink(path);
	return err;
}

static void expect_kernel(const char *test, const struct kallsyms *k, uint64_t addr,
			  const char *want)
{
	const struct symbol *s = kallsyms_find(k, addr);
	const char *got = s ? s->name : "(none)";
	char why[200];

	snprintf(why, sizeof(why), "%#lx is %s, not %s", (unsigned long)addr, got, want);
	report(test, !strcmp(got, want), why);
}

static const char kernel_text[] = "ffffffff81000000 T _text\n"
				  "ffffffff81000000 T startup\n"
				  "ffffffff81000100 t local\n"
				  "ffffffff81000200 A absolute\n"
				  "ffffffff81000300 t $x\n"
				  "ffffffff81000400 W weak\n"
				  "ffffffff81000500 r constant\n"
				  "junk\n"
				  "ffffffff81000604 d data\n"
				  "ffffffffc0000010 t mod_fn\t[mod]\n"
				  "ffffffffc0000020 b mod_var\t[mod]\n"
				  "ffffffffc0001000 T other\t[two]";

static void test_kallsyms(void)
{
	static const struct {
		uint64_t addr;
		const char *test, *want;
	} cases[] = {
		{ 0xffffffff80ffffff, "below the first", "(none)" },
		{ 0xffffffff81000000, "of equal starts the last line", "startup" },
		{ 0xffffffff810000ff, "up to the next", "startup" },
		{ 0xffffffff810003ff, "types and $ left out", "local" },
		{ 0xffffffff81000400, "weak", "weak" },
		{ 0xffffffff81001fff, "last of the kernel: page after", "data" },
		{ 0xffffffff81002000, "and not further", "(none)" },
		{ 0xffffffffc000001f, "module", "mod_fn" },
		{ 0xffffffffc0000fff, "up to the next module", "mod_var" },
		{ 0xffffffffc0001fff, "last of the file", "other" },
	};
	uint64_t addrs[ARRAY_SIZE(cases)], moved[ARRAY_SIZE(cases)];
	struct kallsyms_query q = { .addrs = addrs, .count = ARRAY_SIZE(cases) };
	struct kallsyms k;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		addrs[i] = cases[i].addr;
		moved[i] = cases[i].addr + 0x1000000;
	}
	check("kallsyms read", !load_kallsyms(&k, kernel_text, &q));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_kernel(cases[i].test, &k, addrs[i], cases[i].want);
	check("name of the module", !strcmp(kallsyms_find(&k, addrs[7])->module, "[mod]"));
	check("no module", !kallsyms_find(&k, addrs[1])->module);
	kallsyms_release(&k);
	q = (struct kallsyms_query){ moved, ARRAY_SIZE(cases), "_text", 0xffffffff82000000 };
	check("kernel elsewhere", !load_kallsyms(&k, kernel_text, &q) && k.delta == 0x1000000);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_kernel("kernel elsewhere", &k, moved[i], cases[i].want);
	kallsyms_release(&k);
}

static void test_kallsyms_refused(void)
{
	static const struct {
		const char *what, *text;
		int err;
	} cases[] = {
		{ "all-zero kallsyms refused", "0000000000000000 T _text\n0000000000000000 t f\n",
		  ERR_ABSENT },
		{ "empty kallsyms", "", ERR_FORMAT },
		{ "not kallsyms", "g b c\n\n\nffff\nffff T\nffff T \n1 \n 1 T x\n", ERR_FORMAT },
		{ "17 digits", "11111111111111111 T f\n", ERR_FORMAT },
	};
	static const uint64_t addr = 0x11;
	struct kallsyms_query q = { .addrs = &addr, .count = 1 };
	struct kallsyms k;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		check(cases[i].what,
		      load_kallsyms(&k, cases[i].text, &q) == cases[i].err && !k.table.count);
		kallsyms_release(&k);
	}
	kallsyms_init(&k);
	check("kallsyms that is a directory", kallsyms_load(&k, "/", &q) == ERR_FORMAT);
	kallsyms_release(&k);
}

static int parse_perfmap(struct symtab *t, char **copy, const char *text)
{
	symtab_init(t);
	*copy = xstrdup(text);
	return perfmap_parse(t, *copy, strlen(*copy));
}

static void test_perfmap(void)
{
	struct symtab t;
	char *copy;
	int err = parse_perfmap(&t, &copy,
				"1000 100 old with blanks\n"
				"0x1040 0x20 new\n"
				"1050 8 newest\n"
				"2000 10 hidden\n"
				"2000 10 shown\n"
				"3000 0 one byte\n"
				"4000 40 behind\n"
				"3ff0 20 before\n"
				"5000 10 below\n4fff 20 above\n"
				"zz 10 junk\n6000 10\n6000\nffffffffffffffff 10 wraps\n");

	check("perf map read", !err);
	expect("name with blanks", &t, 0x103f, "old with blanks");
	expect("later line wins", &t, 0x1040, "new");
	expect("and the one after it", &t, 0x1050, "newest");
	expect("back to the later", &t, 0x105f, "new");
	expect("back to the earlier", &t, 0x1060, "old with blanks");
	expect("end", &t, 0x1100, "(none)");
	expect("equal ranges", &t, 0x200f, "shown");
	expect("no size", &t, 0x3000, "one byte");
	expect("no size, next byte", &t, 0x3001, "(none)");
	expect("later line over a start", &t, 0x400f, "before");
	expect("rest of the earlier", &t, 0x4010, "behind");
	expect("swallowed whole", &t, 0x5008, "above");
	symtab_release(&t);
	free(copy);
	check("empty perf map", parse_perfmap(&t, &copy, "\n") == ERR_FORMAT);
	symtab_release(&t);
	free(copy);
}

int main(void)
{
	test_identity();
	test_selection();
	test_aliases();
	test_fix_up();
	test_nested();
	test_nested_plt();
	test_plt_of_lld();
	test_nested_many();
	test_dynsym_and_plt();
	test_arm();
	test_mutations(EM_PPC64);
	test_mutations(EM_X86_64);
	test_open();
	test_kallsyms();
	test_kallsyms_refused();
	test_perfmap();
	return failures ? 1 : 0;
}
