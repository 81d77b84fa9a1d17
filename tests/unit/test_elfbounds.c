/* parser/symbols: ELF files whose tables are small but whose names are long, or do not end. Each is
 * read in time that its size justifies, and in memory likewise. */
#include <elf.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "parser/base/buf.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/dwarf/relocate.h"
#include "tests/lib/unit.h"

enum { S_NULL, S_TEXT, S_SYMTAB, S_STRINGS, S_RELA, S_PLT, S_NAMES, SECTIONS };

#define SECONDS_MAX 2.0 /* with sanitizers */
#define RSS_MAX_MB  256

static const char section_names[] = "\0.text\0.symtab\0.dynsym\0.strtab\0.rela.plt\0.plt\0.names";
enum { N_TEXT = 1, N_SYMTAB = 7, N_DYNSYM = 15, N_STRINGS = 23, N_RELA = 31, N_PLT = 41 };
enum { N_NAMES = 46 };

struct image {
	struct buf b;
	Elf64_Shdr sh[SECTIONS];
};

/* Room for LEN bytes, the contents of section I. */
static char *section(struct image *im, int i, uint32_t name, uint32_t type, size_t len)
{
	char *p;

	while (im->b.len % 8)
		buf_char(&im->b, 0);
	im->sh[i].sh_name = name;
	im->sh[i].sh_type = type;
	im->sh[i].sh_offset = im->b.len;
	im->sh[i].sh_size = len;
	p = buf_reserve(&im->b, len);
	memset(p, 0, len);
	im->b.len += len;
	return p;
}

static void begin(struct image *im)
{
	*im = (struct image){ 0 };
	(void)section(im, S_NULL, 0, SHT_NULL, sizeof(Elf64_Ehdr));
	im->sh[S_NULL] = (Elf64_Shdr){ 0 };
	(void)section(im, S_TEXT, N_TEXT, SHT_PROGBITS, 4096);
	im->sh[S_TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
}

/* COUNT functions, APART bytes from each other, whose names lie STEP bytes from each other. */
static void symbols(struct image *im, bool dynamic, size_t count, size_t apart, size_t step)
{
	char *p = section(im, S_SYMTAB, dynamic ? N_DYNSYM : N_SYMTAB,
			  dynamic ? SHT_DYNSYM : SHT_SYMTAB, (count + 1) * sizeof(Elf64_Sym));

	im->sh[S_SYMTAB].sh_entsize = sizeof(Elf64_Sym);
	im->sh[S_SYMTAB].sh_link = S_STRINGS;
	for (size_t i = 1; i <= count; i++) {
		Elf64_Sym sym = { .st_name = (uint32_t)(1 + i * step),
				  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				  .st_shndx = S_TEXT,
				  .st_value = i * apart,
				  .st_size = 8 };

		memcpy(p + i * sizeof(sym), &sym, sizeof(sym));
	}
}

static void relocations(struct image *im, size_t count)
{
	char *p = section(im, S_RELA, N_RELA, SHT_RELA, count * sizeof(Elf64_Rela));
	Elf64_Rela rela = { .r_info = ELF64_R_INFO(1, R_X86_64_JUMP_SLOT) };

	im->sh[S_RELA].sh_entsize = sizeof(Elf64_Rela);
	im->sh[S_RELA].sh_link = S_SYMTAB;
	for (size_t i = 0; i < count; i++)
		memcpy(p + i * sizeof(rela), &rela, sizeof(rela));
	(void)section(im, S_PLT, N_PLT, SHT_PROGBITS, 64);
	im->sh[S_PLT].sh_entsize = 16;
}

static void finish(struct image *im, size_t names)
{
	Elf64_Ehdr eh = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(Elf64_Ehdr),
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = SECTIONS,
			  .e_shstrndx = S_NAMES };

	memcpy(section(im, S_NAMES, N_NAMES, SHT_STRTAB, names), section_names, names);
	while (im->b.len % 8)
		buf_char(&im->b, 0);
	eh.e_shoff = im->b.len;
	buf_add(&im->b, im->sh, sizeof(im->sh));
	memcpy(im->b.data, &eh, sizeof(eh));
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Load the symbols of IM: how many there are. */
static size_t load(struct image *im, const char *what)
{
	struct elf_file *f = elf_file_memory(im->b.data, im->b.len, NULL);
	double start = seconds();
	struct rusage u;
	struct symtab t;
	char text[200];
	size_t count;

	symtab_init(&t);
	unit_check(f && elfsyms_load(&t, f, f) == 0, __FILE__, __LINE__, what);
	count = t.count;
	symtab_release(&t);
	elf_file_free(f);
	buf_release(&im->b);
	getrusage(RUSAGE_SELF, &u);
	snprintf(text, sizeof(text), "%s: %.2f s, %ld MB", what, seconds() - start,
		 u.ru_maxrss >> 10);
	unit_check(seconds() - start < SECONDS_MAX && u.ru_maxrss >> 10 < RSS_MAX_MB, __FILE__,
		   __LINE__, text);
	return count;
}

static void test_long_plt_names(void)
{
	struct image im;

	begin(&im);
	symbols(&im, true, 1, 16, 0);
	memset(section(&im, S_STRINGS, N_STRINGS, SHT_STRTAB, 2 << 20), 'a', (2 << 20) - 1);
	relocations(&im, 4000);
	finish(&im, sizeof(section_names));
	CHECK(load(&im, "4000 relocations, a name of 2 MB") < 100);
}

static void test_no_end(void)
{
	struct image im;

	begin(&im);
	symbols(&im, false, 100000, 16, 1);
	memset(section(&im, S_STRINGS, N_STRINGS, SHT_STRTAB, 4 << 20), 'a', 4 << 20);
	im.b.data[im.sh[S_STRINGS].sh_offset + 50000] = '\0';
	finish(&im, sizeof(section_names));
	CHECK_EQ(load(&im, "100000 symbols, names that do not end"), 49999);
}

static void test_ties(void)
{
	struct image im;

	begin(&im);
	symbols(&im, false, 20000, 0, 1);
	memset(section(&im, S_STRINGS, N_STRINGS, SHT_STRTAB, 4 << 20), 'a', (4 << 20) - 1);
	finish(&im, sizeof(section_names));
	CHECK_EQ(load(&im, "20000 symbols at one place, names of 4 MB"), 1);
}

/* Names of 300 bytes whose readable form doubles with every 11 of them. */
static void test_ties_that_double(void)
{
	static const char seq[] = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct buf name = { 0 };
	struct image im;
	char *p;

	buf_str(&name, "_Z1fI1AIiiE");
	for (int i = 0; i < 24; i++)
		buf_printf(&name, "S0_IS%c_S%c_E", seq[i], seq[i]);
	buf_str(&name, "Evv");
	begin(&im);
	symbols(&im, false, 20000, 0, 400);
	p = section(&im, S_STRINGS, N_STRINGS, SHT_STRTAB, 400 * 20002);
	for (size_t i = 1; i <= 20000; i++) /* no two are the same */
		sprintf(p + 1 + i * 400, "%s%zu", name.data, i);
	finish(&im, sizeof(section_names));
	CHECK_EQ(load(&im, "20000 symbols at one place, names that double"), 1);
	buf_release(&name);
}

static void test_section_names(void)
{
	struct image im;
	int err;

	begin(&im);
	symbols(&im, false, 1, 16, 0);
	memset(section(&im, S_STRINGS, N_STRINGS, SHT_STRTAB, 16), 'a', 15);
	finish(&im, sizeof(section_names) - 1);
	CHECK(!elf_file_memory(im.b.data, im.b.len, &err));
	CHECK_EQ(err, ERR_FORMAT);
	buf_release(&im.b);
}

/* Debug information that lies on top of the section headers, which libelf trusts from when it
 * looked at them: no relocation may change them. Elsewhere it does. */
static void test_relocations_over_headers(void)
{
	for (int over = 0; over < 2; over++) {
		struct elf_file *f;
		struct image im;
		uint64_t before, after, at;
		Elf64_Ehdr eh;

		begin(&im);
		symbols(&im, false, 1, 16, 0);
		(void)section(&im, S_STRINGS, N_STRINGS, SHT_STRTAB, 16);
		relocations(&im, 1);
		finish(&im, sizeof(section_names));
		memcpy(&eh, im.b.data, sizeof(eh));
		eh.e_type = ET_REL;
		memcpy(im.b.data, &eh, sizeof(eh));
		/* .plt becomes the target */
		at = eh.e_shoff + S_PLT * sizeof(Elf64_Shdr);
		memcpy(im.b.data + im.sh[S_NAMES].sh_offset + N_PLT, ".debug_", 7);
		im.sh[S_PLT].sh_offset = over ? at : im.sh[S_PLT].sh_offset;
		im.sh[S_RELA].sh_info = S_PLT;
		memcpy(im.b.data + eh.e_shoff, im.sh, sizeof(im.sh));
		at = im.sh[S_PLT].sh_offset;
		((Elf64_Rela *)(void *)(im.b.data + im.sh[S_RELA].sh_offset))->r_info =
			ELF64_R_INFO(1, R_X86_64_64);
		((Elf64_Rela *)(void *)(im.b.data + im.sh[S_RELA].sh_offset))->r_addend = 0x1234;
		memcpy(&before, im.b.data + at, 8);
		f = elf_file_memory(im.b.data, im.b.len, NULL);
		CHECK(f && relocate_debug(f) == 0);
		memcpy(&after, im.b.data + at, 8);
		CHECK_EQ(after, over ? before : 0x1244);
		elf_file_free(f);
		buf_release(&im.b);
	}
}

int main(void)
{
	test_relocations_over_headers();
	test_long_plt_names();
	test_no_end();
	test_ties();
	test_ties_that_double();
	test_section_names();
	return unit_end();
}
