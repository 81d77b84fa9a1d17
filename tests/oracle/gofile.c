/* Write a stripped Go program for tests/oracle/jit.sh: an ELF file with a build-id, no symbols, and
 * two functions, main.first and main.(*T).second, of 64 bytes each at 0x1000.
 *
 *   gofile VERSION little|big BUILD-ID-BYTE OUT
 *
 * VERSION: 2, 16, 18 or 20. */
#include "tests/lib/goimage.h"

#include <stdio.h>
#include <stdlib.h>

static const struct go_function functions[] = {
	{ "main.first", 64, "/src/first.go", 100 },
	{ "main.(*T).second", 64, "/src/second.go", 200 },
};

static void add_build_id(struct image *im, uint8_t byte)
{
	struct buf note = { 0 };

	image_put(im, &note, 4, 4);
	image_put(im, &note, 20, 4);
	image_put(im, &note, 3, 4); /* NT_GNU_BUILD_ID */
	buf_add(&note, "GNU", 4);
	for (unsigned i = 0; i < 20; i++)
		buf_char(&note, (char)byte);
	image_section(im, ".note.gnu.build-id", note.data, note.len);
	im->sections[im->count - 1].type = SHT_NOTE;
	buf_release(&note);
}

int main(int argc, char **argv)
{
	struct go_table t = { .functions = functions, .count = 2, .code = IMAGE_FIRST };
	struct image im;
	FILE *out = argc == 5 ? fopen(argv[4], "wb") : NULL;

	if (!out)
		return 2;
	t.version = (unsigned)strtoul(argv[1], NULL, 10);
	image_init(&im, EM_X86_64, false, !strcmp(argv[2], "big"));
	go_image(&im, &t, ".gopclntab");
	add_build_id(&im, (uint8_t)strtoul(argv[3], NULL, 0));
	image_finish(&im);
	return fwrite(im.b.data, im.b.len, 1, out) != 1 || fclose(out);
}
