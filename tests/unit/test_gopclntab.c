/* .gopclntab of all versions, byte orders and pointer sizes: names, ranges, lines; and damage. */
#include "parser/names/elf/elfsyms.h"
#include "parser/names/elf/gopclntab.h"
#include "tests/lib/goimage.h"
#include "tests/lib/unit.h"

#include <stdlib.h>

static const struct go_function functions[] = {
	{ "runtime.rt0_go", 0x20, "/go/src/runtime/asm.s", 10 },
	{ "net/http.(*Client).Do", 0x40, "/go/src/net/http/client.go", 700 },
	{ "main.Map[...].func1", 0x10, "/home/u/main.go", 3 },
	{ "runtime.memequal-tramp0", 0x10, "/made/by/the/linker", UINT32_MAX },
};

#define MUTATIONS 1500

static struct elf_file *open_image(struct image *im)
{
	return elf_file_memory(im->b.data, im->b.len, NULL);
}

static const char *name_at(const struct symtab *t, uint64_t offset)
{
	const struct symbol *s = symtab_find(t, offset);

	return s ? s->name : "(none)";
}

static void check_line(const struct gopclntab *g, uint64_t addr, const char *file, uint32_t line)
{
	const char *got = NULL;
	uint32_t n = 0;

	CHECK(gopclntab_line(g, addr, &got, &n));
	CHECK_STR(got, file);
	CHECK_EQ(n, line);
}

static void check_image(struct image *im)
{
	uint64_t code = IMAGE_FIRST;
	struct elf_file *f = open_image(im);
	struct gopclntab g;
	struct symtab t;
	const char *file = "none";
	uint32_t line = 77;

	symtab_init(&t);
	CHECK(elfsyms_load(&t, f, f) == 0);
	CHECK_EQ(t.count, 4);
	CHECK_STR(name_at(&t, code - 1), "(none)");
	CHECK_STR(name_at(&t, code), "runtime.rt0_go");
	CHECK_STR(name_at(&t, code + 0x1f), "runtime.rt0_go");
	CHECK_STR(name_at(&t, code + 0x20), "net/http.(*Client).Do");
	CHECK_STR(name_at(&t, code + 0x6f), "main.Map[...].func1");
	CHECK_STR(name_at(&t, code + 0x70), "runtime.memequal-tramp0");
	CHECK_STR(name_at(&t, code + 0x80), "(none)");
	symtab_release(&t);
	CHECK(gopclntab_open(&g, f) == 0);
	check_line(&g, code, "/go/src/runtime/asm.s", 10);
	check_line(&g, code + 0x3f, "/go/src/net/http/client.go", 700);
	check_line(&g, code + 0x40, "/go/src/net/http/client.go", 701);
	check_line(&g, code + 0x6f, "/home/u/main.go", 4);
	/* without an answer nothing is written */
	CHECK(!gopclntab_line(&g, code - 1, &file, &line));
	CHECK(!gopclntab_line(&g, code + 0x80, &file, &line));
	CHECK(!gopclntab_line(&g, code + 0x70, &file, &line)); /* its line is -1 */
	CHECK_STR(file, "none");
	CHECK_EQ(line, 77);
	gopclntab_close(&g);
	elf_file_free(f);
}

static void make(struct image *im, const struct go_table *t, unsigned form, const char *section)
{
	image_init(im, EM_X86_64, form & 1, form & 2);
	go_image(im, t, section);
	image_finish(im);
}

static struct go_table table_of(unsigned version)
{
	return (struct go_table){
		.functions = functions, .count = 4, .version = version, .code = IMAGE_FIRST
	};
}

static const unsigned versions[] = { 2, 16, 18, 20 };

static void test_versions(void)
{
	for (unsigned v = 0; v < ARRAY_SIZE(versions); v++) {
		for (unsigned form = 0; form < 4; form++) {
			struct go_table t = table_of(versions[v]);
			struct image im;

			make(&im, &t, form, ".gopclntab");
			check_image(&im);
			image_release(&im);
			make(&im, &t, form, ".data.rel.ro.gopclntab");
			check_image(&im);
			image_release(&im);
			make(&im, &t, form, ".data.rel.ro");
			check_image(&im);
			image_release(&im);
			t.relocated = true;
			make(&im, &t, form, ".data.rel.ro.gopclntab");
			check_image(&im);
			image_release(&im);
		}
	}
}

/* Functions that the file names already keep those names; perf's own answers are not touched. */
static void test_additive(void)
{
	struct go_table gt = table_of(20);
	struct image im;
	struct elf_file *f;
	struct symtab t;

	make(&im, &gt, 0, ".gopclntab");
	f = open_image(&im);
	symtab_init(&t);
	symtab_add(&t, &(struct symbol){ IMAGE_FIRST + 0x18, IMAGE_FIRST + 0x28, "own", 0, 0, 0 });
	gopclntab_add(&t, f);
	CHECK_STR(name_at(&t, IMAGE_FIRST), "runtime.rt0_go");
	CHECK_STR(name_at(&t, IMAGE_FIRST + 0x20), "own");
	CHECK_STR(name_at(&t, IMAGE_FIRST + 0x60), "main.Map[...].func1");
	symtab_release(&t);
	symtab_init(&t);
	symtab_keep_order(&t);
	CHECK(elfsyms_load(&t, f, f) == ERR_ABSENT);
	symtab_release(&t);
	elf_file_free(f);
	image_release(&im);
}

/* Whatever the table says: an answer or none, soon, within the file. */
static void use(struct image *im)
{
	struct elf_file *f = open_image(im);
	struct gopclntab g;
	struct symtab t;
	const char *file;
	uint32_t line;
	size_t total = 0;

	if (!f)
		return;
	symtab_init(&t);
	gopclntab_add(&t, f);
	CHECK(t.count <= im->b.len / 8);
	for (size_t i = 0; i < t.count; i++)
		total += strlen(t.syms[i].name);
	if (gopclntab_open(&g, f) == 0) {
		for (uint64_t a = IMAGE_FIRST - 16; a < IMAGE_FIRST + 0x100; a += 16) {
			if (gopclntab_line(&g, a, &file, &line))
				total += strlen(file) + line;
		}
		gopclntab_close(&g);
	}
	CHECK(total < SIZE_MAX);
	symtab_release(&t);
	elf_file_free(f);
}

static void test_mutations(void)
{
	uint64_t seed = 7;

	for (unsigned n = 0; n < MUTATIONS; n++) {
		struct go_table t = table_of(versions[n % 4]);
		struct image im;
		size_t from = IMAGE_FIRST + 0x100, size;

		t.relocated = n & 16;
		make(&im, &t, n >> 2 & 3, ".gopclntab");
		size = im.b.len - from;
		for (unsigned k = 0; k < 1 + n % 8; k++) {
			/* mostly the header and what follows; at times the section headers */
			size_t span = unit_random(&seed) % 4 ? 600 : size;
			size_t i = from + unit_random(&seed) % (span < size ? span : size);

			im.b.data[i] = (char)(unit_random(&seed) % 3 ? unit_random(&seed) : 0xff);
		}
		if (n % 50 == 0)
			im.b.len -= unit_random(&seed) % (im.b.len - from);
		use(&im);
		image_release(&im);
	}
}

int main(void)
{
	test_versions();
	test_additive();
	test_mutations();
	return unit_end();
}
