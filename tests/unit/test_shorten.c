/* Names on a terminal: how long they are, and what is left of those that are too long. */
#include "formats/format.h"
#include "formats/shown.h"
#include "formats/text/shorten.h"
#include "parser/base/utf8.h"
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

#define E "\xe2\x80\xa6"

static void shortened(const char *text, size_t width, const char *want)
{
	struct buf b = { 0 };

	CHECK_STR(shorten(text, width, &b), want);
	CHECK(shown_width(shorten(text, width, &b)) <= width);
	buf_release(&b);
}

static void test_brackets(void)
{
	static const char vector[] =
		"std::vector<std::pair<int, long>, std::allocator<int> >::push_back(int const&)";

	shortened(vector, 100, vector);
	shortened(vector, 70,
		  "std::vector<std::pair<" E ">, std::allocator<" E "> >::push_back(int const&)");
	shortened(vector, 60, "std::vector<" E ">::push_back(" E ")");
	shortened(vector, 20, "std::v" E ":push_back(" E ")");
	shortened("a::operator<<(std::ostream&, b<c> const&)", 20, "a::operator<<(" E ")");
	shortened("a::operator->(std::ostream&, b<c> const&)", 20, "a::operator->(" E ")");
	shortened("f<&a::operator> >(int, int, int, int, int)", 20, "f<" E ">(" E ")");
	shortened("<T as core::Drop<A>>::drop", 20, "<" E ">::drop");
	shortened("[kernel.kallsyms]", 10, "[ke" E "lsyms]");
}

static void test_paths(void)
{
	shortened("/usr/lib/x86_64-linux-gnu/libc.so.6", 24, "/usr/lib/" E "/libc.so.6");
	shortened("/usr/lib/x86_64-linux-gnu/libc.so.6", 14, E "/libc.so.6");
	shortened("a;bb;ccc;dddd;leaf", 14, "a;" E ";dddd;leaf");
	shortened("root;f<a;b>;leaf", 14, "root;f<" E ">;leaf");
	shortened("/a/name/that/is/longer/than/all/of/what/is/left", 5, "/" E "eft");
	shortened("perf record -a -o /tmp/some/place/perf.data -- sleep 1", 30,
		  "perf record -a -o /" E "-- sleep 1");
	shortened("abcdef", 1, E);
	shortened("abcdef", 0, "");
}

static void test_wide(void)
{
	CHECK_EQ(utf8_columns('a'), 1);
	CHECK_EQ(utf8_columns(0x301), 0);
	CHECK_EQ(utf8_columns(0x3042), 2);
	CHECK_EQ(utf8_columns(0xac00), 2);
	CHECK_EQ(utf8_columns(0x1f600), 2);
	CHECK_EQ(utf8_columns(0x10ffff), 1);
	CHECK_EQ(shown_width("\xe6\x97\xa5\xe6\x9c\xac"), 4);
	CHECK_EQ(shown_width("e\xcc\x81"), 1);
	CHECK_EQ(shown_width("\xff\x1b"), 2);
	CHECK_EQ(shown_bytes("\xe6\x97\xa5\xe6\x9c\xac", 3), 3);
	CHECK_EQ(shown_bytes("e\xcc\x81x", 1), 3);
	shortened("\xe6\x97\xa5\xe6\x9c\xac\xe6\x97\xa5\xe6\x9c\xac", 5,
		  E "\xe6\x97\xa5\xe6\x9c\xac");
}

static void test_hidden(void)
{
	char as[UTF8_ESCAPE_MAX];

	CHECK_EQ(utf8_is_hidden(0x202e), true);
	CHECK_EQ(utf8_is_hidden(0xe0fff), true);
	CHECK_EQ(utf8_is_hidden(0xad), true);
	CHECK_EQ(utf8_is_hidden('a'), false);
	CHECK_EQ(utf8_is_hidden(0xfe0f), false);
	CHECK_EQ(utf8_is_hidden(0x202f), false);
	CHECK_EQ(utf8_escape(0x202e, as), 6);
	CHECK_STR(as, "\\u202e");
	CHECK_EQ(utf8_escape(0x10ffff, as), 10);
	CHECK_STR(as, "\\U0010ffff");
	CHECK_EQ(utf8_visible("\xe2\x80\xae", 3), 0);
	CHECK_EQ(utf8_visible("\xe2\x80\xaf", 3), 3);
	CHECK_EQ(utf8_visible("\xff", 1), 0);
	/* as wide as the escape that is shown, and never half of one */
	CHECK_EQ(shown_width("a\xe2\x80\xae"), 7);
	CHECK_EQ(shown_bytes("a\xe2\x80\xae", 6), 1);
	CHECK_EQ(shown_bytes("a\xe2\x80\xae", 7), 4);
	shortened("ab\xe2\x80\xae"
		  "cdef",
		  7, "ab" E "cdef");
}

/* Nothing takes for ever, and nothing is wider than it may be. */
static void test_hostile(void)
{
	static const char *const parts[] = { "<",	    ">",    "(",	")",
					     "operator",    "\xff", "/",	";",
					     "-",	    "x",    "\xcc\x81", "\xe6\x97\xa5",
					     "\xe2\x80\xae" };
	struct buf text = { 0 }, b = { 0 };
	uint64_t seed = 7;

	for (size_t round = 0; round < 2000; round++) {
		text.len = 0;
		for (size_t i = 0; i < round % 80; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			buf_str(&text, parts[(seed >> 33) % 12]);
		}
		buf_str(&text, "");
		for (size_t width = 0; width < 30; width += 3)
			CHECK(shown_width(shorten(text.data, width, &b)) <= width);
	}
	for (size_t i = 0; i < 12; i++) {
		text.len = 0;
		for (size_t n = 0; n < 65536; n++)
			buf_str(&text, parts[i]);
		CHECK(shown_width(shorten(text.data, 40, &b)) <= 40);
	}
	buf_release(&text);
	buf_release(&b);
}

static void wrapped(const char *text, size_t width, size_t lines, const char *want)
{
	struct buf b = { 0 };

	text_wrap(text, width, lines, &b);
	CHECK_STR(b.data, want);
	buf_release(&b);
}

static void test_wrap(void)
{
	wrapped("", 10, 0, "\n");
	wrapped("one two three", 20, 0, "one two three\n");
	wrapped("one two three", 7, 0, "one two\nthree\n");
	wrapped("one two three", 8, 0, "one two\nthree\n");
	wrapped("onetwothree four", 4, 0, "onet\nwoth\nree\nfour\n");
	wrapped("one two three four", 9, 2, "one two\nthree fo" E "\n");
	wrapped("\xe6\x97\xa5\xe6\x9c\xac", 3, 0, "\xe6\x97\xa5\n\xe6\x9c\xac\n");
}

int main(void)
{
	test_brackets();
	test_paths();
	test_wide();
	test_hidden();
	test_hostile();
	test_wrap();
	return unit_end();
}
