/* How long the paths of a line table are: each version, each form, and what hostile heads claim. */
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/linehead.h"
#include "tests/lib/callframes.h"
#include "tests/lib/unit.h"

#include <dwarf.h>

static const struct image little = { .big = false }, big = { .big = true };
static const char line_str[] = "/src\0include\0name.c";
static const struct line_texts texts = { .line_str = (const uint8_t *)line_str,
					 .line_str_bytes = sizeof(line_str),
					 .str = (const uint8_t *)"/usr",
					 .str_bytes = 5 };

static void begin(struct buf *b, const struct image *im, unsigned version, bool is_64)
{
	if (is_64)
		image_put(im, b, UINT32_MAX, 4);
	image_put(im, b, 1000, is_64 ? 8 : 4);
	image_put(im, b, version, 2);
	if (version >= 5)
		image_put(im, b, 8 << 8, 2);
	image_put(im, b, 100, is_64 ? 8 : 4);
	buf_add(b, "\1\1\1\1\1", version >= 4 ? 5 : 4);
	buf_add(b, "\4\0\1\1", 4); /* three opcodes with sizes */
}

static uint64_t bytes(const struct buf *b, const struct image *im, size_t dir)
{
	return linehead_path_bytes(cursor_make(b->data, b->len, im->big), dir, &texts);
}

static void test_old(void)
{
	for (unsigned version = 2; version <= 4; version++) {
		struct buf b = { 0 };
		size_t whole;

		begin(&b, version & 1 ? &big : &little, version, version == 4);
		buf_add(&b, "/abc\0de\0\0", 9);
		buf_add(&b, "f.c\0\0\0\0g.h\0\2\0\0\0", 15);
		/* two directories, the unit's; f.c in the unit's, g.h in the second */
		CHECK_EQ(bytes(&b, version & 1 ? &big : &little, 10),
			 10 + 4 + 2 + (3 + 3 + 10 + 10) + (3 + 3 + 10 + 2));
		/* cut anywhere it counts no more than that */
		whole = b.len;
		for (b.len = 0; b.len < whole; b.len++)
			CHECK(bytes(&b, version & 1 ? &big : &little, 10) <=
			      10 + 4 + 2 + 26 + 18 + 10);
		buf_release(&b);
	}
}

static void test_new(void)
{
	struct buf b = { 0 };

	begin(&b, &big, 5, true);
	buf_add(&b, (const uint8_t[]){ 1, DW_LNCT_path, DW_FORM_line_strp, 2 }, 4);
	image_put(&big, &b, 0, 8);
	image_put(&big, &b, 5, 8);
	buf_add(&b,
		(const uint8_t[]){ 5, DW_LNCT_path, DW_FORM_line_strp, DW_LNCT_directory_index,
				   DW_FORM_udata, DW_LNCT_MD5, DW_FORM_data16, DW_LNCT_size,
				   DW_FORM_data4, DW_LNCT_timestamp, DW_FORM_block, 2 },
		12);
	for (unsigned i = 0; i < 2; i++) {
		image_put(&big, &b, 13, 8);
		buf_char(&b, (char)i);
		buf_add(&b,
			"0123456789abcdef"
			"size",
			20);
		buf_add(&b, "\2xx", 3);
	}
	CHECK_EQ(bytes(&b, &big, 1000), 4 + 7 + (6 + 3 + 4 + 4) + (6 + 3 + 4 + 7));
	buf_release(&b);
	/* other forms, 32-bit offsets; texts outside of their sections */
	begin(&b, &little, 5, false);
	buf_add(&b, (const uint8_t[]){ 1, DW_LNCT_path, DW_FORM_strp, 2 }, 4);
	image_put(&little, &b, 0, 4);
	image_put(&little, &b, 5, 4);
	buf_add(&b,
		(const uint8_t[]){ 2, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index,
				   DW_FORM_data2, 2 },
		6);
	buf_add(&b, "a\0\0\0b\0\1\0", 8);
	CHECK_EQ(bytes(&b, &little, 1000), 4 + (1 + 3 + 4 + 4) + (1 + 3 + 4));
	buf_release(&b);
}

/* A long directory and many files that are in it. */
static void test_crafted(void)
{
	struct buf b = { 0 };

	begin(&b, &little, 4, false);
	for (unsigned i = 0; i < 10000; i++)
		buf_char(&b, 'd');
	buf_add(&b, "\0\0", 2);
	for (unsigned i = 0; i < 6000; i++)
		buf_add(&b, "f\0\1\0\0", 5);
	CHECK_EQ(bytes(&b, &little, 0), 10000 + 6000 * (1 + 3 + 10000));
	for (unsigned i = 0; i < 60000; i++)
		buf_add(&b, "f\0\1\0\0", 5);
	CHECK(bytes(&b, &little, 0) > LINEHEAD_PATHS_MAX);
	buf_release(&b);
	/* entries of no bytes, as many as a number can say */
	begin(&b, &little, 5, false);
	buf_add(&b, "\0\xff\xff\xff\xff\xff\xff\x7f", 8);
	CHECK_EQ(bytes(&b, &little, 0), 0);
	buf_release(&b);
	begin(&b, &little, 5, false);
	buf_add(&b, (const uint8_t[]){ 1, DW_LNCT_path, DW_FORM_implicit_const, 0x7f }, 4);
	CHECK_EQ(bytes(&b, &little, 0), 0);
	buf_release(&b);
}

int main(void)
{
	test_old();
	test_new();
	test_crafted();
	return unit_end();
}
