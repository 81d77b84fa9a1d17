/* Folded text read line by line, sets with sides and decimals, and the call tree. */
#include "analyzers/count/stackset.h"
#include "formats/model/stack_tree.h"
#include "parser/base/buf.h"
#include "parser/file/source.h"
#include "parser/folded.h"
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/pdtool-folded-XXXXXX";

static void put(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, len, f) != len || fclose(f))
		exit(1);
}

static struct folded *open_text(const char *text, struct warnings *w)
{
	struct source *source;
	struct folded *f;
	int rc;

	put(text, strlen(text));
	rc = folded_open(&f, &source, path, w);
	CHECK(rc == 1 && f && !source);
	return f;
}

/* What was read, as "stack|weight[|after]/decimals ". */
static const char *lines_of(struct folded *f)
{
	static struct buf b;
	struct folded_line line;

	b.len = 0;
	buf_str(&b, "");
	while (folded_next(f, &line) == 1) {
		buf_printf(&b, "%.*s|%" PRIu64, (int)line.len, line.stack, line.weight[0]);
		if (folded_columns(f) == 2)
			buf_printf(&b, "|%" PRIu64, line.weight[1]);
		buf_printf(&b, "/%u ", line.decimals);
	}
	return b.data;
}

static void check_text(const char *text, const char *want, unsigned ignored)
{
	struct warnings w = { 0 };
	struct folded *f = open_text(text, &w);

	CHECK_STR(lines_of(f), want);
	CHECK((folded_check(f, &w) == 0) == (*want || !ignored));
	CHECK((warn_find(&w, "folded") != NULL) == (ignored > 0));
	folded_close(f);
	warnings_release(&w);
}

static void test_lines(void)
{
	check_text("a;b 1\na 22\n", "a;b|1/0 a|22/0 ", 0);
	check_text("a;b 1", "a;b|1/0 ", 0);
	check_text("a;b 1\r\n\n  \na\t2 \n", "a;b|1/0 a|2/0 ", 0);
	check_text("operator new(int) 3\n", "operator new(int)|3/0 ", 0);
	check_text("a 1.5\nb 2.\nc .5\n", "a|15/1 b|2/0 ", 1);
	check_text("a 0.000000001\nb 0.0000000001\n", "a|1/9 ", 1);
	check_text("a 18446744073709551615\nb 18446744073709551616\n", "a|18446744073709551615/0 ",
		   1);
	check_text("a 1 2\nb 3 4.5\n", "a|1|2/0 b|30|45/1 ", 0);
	check_text("a 1 2\nb 3\n", "a 1|2/0 b|3/0 ", 0);
	check_text("", "", 0);
	check_text("nonsense\nmore\n", "", 2);
	check_text("5\n 7\na1\n", "|7/0 ", 2);
}

/* Longer than what is looked at first, and than a block. */
static void test_long_line(void)
{
	size_t n = 400000;
	char *text = malloc(n + 8);
	struct warnings w = { 0 };
	struct folded_line line;
	struct folded *f;

	memset(text, 'x', n);
	memcpy(text + n, " 7\ny 8\n", 8);
	f = open_text(text, &w);
	line.weight[1] = 1; /* there is none */
	CHECK(folded_next(f, &line) == 1 && line.len == n && line.weight[0] == 7);
	CHECK(line.weight[1] == 0);
	CHECK(folded_next(f, &line) == 1 && line.len == 1 && line.weight[0] == 8);
	CHECK(folded_next(f, &line) == 0);
	folded_close(f);
	free(text);
}

static void test_captures_are_not_text(void)
{
	static const char *const captures[] = { "PERFILE2 1\n", "2ELIFREP 1\n", "PERFFILE 1\n",
						"a;b\0 1\n" }; /* 8 bytes each, at least */
	struct warnings w = { 0 };
	struct source *source;
	struct folded *f;

	for (size_t i = 0; i < 4; i++) {
		put(captures[i], 8);
		CHECK(folded_open(&f, &source, path, &w) == 0 && !f && source);
		source_close(source);
	}
	CHECK(folded_open(&f, &source, "/nonexistent/file", &w) < 0 && !f && !source);
	CHECK(folded_open(&f, &source, "/tmp", &w) == 0 && !f && !source);
	warnings_release(&w);
}

static void add_row(struct stackset *s, const char *frames, uint64_t before, uint64_t after)
{
	uint64_t weight[2] = { before, after };

	for (unsigned side = 0; side < 2; side++) {
		stackset_begin(s);
		stackset_reserve(s, strlen(frames));
		for (const char *p = frames; *p; p++)
			stackset_push(s, stackset_frame(s, p, 1));
		if (!s->sides) {
			stackset_end(s, before);
			return;
		}
		stackset_end_side(s, side, weight[side]);
	}
}

static void test_sides(void)
{
	struct stackset s;

	s = (struct stackset){ 0 };
	stackset_sides(&s, 2);
	add_row(&s, "ab", 1, 2);
	add_row(&s, "a", 10, 20);
	add_row(&s, "ab", 100, 200);
	stackset_finish(&s);
	CHECK_EQ(s.part.count, 2);
	CHECK_EQ(s.part.rows[0].weight, 20);
	CHECK_EQ(s.part.before[0], 10);
	CHECK_EQ(s.part.rows[1].weight, 202);
	CHECK_EQ(s.part.before[1], 101);
	stackset_release(&s);
}

static void test_decimals(void)
{
	const struct folded_line lines[] = { { "x", 1, { 7, 0 }, 0 }, { "x", 1, { 25, 0 }, 2 } };
	const struct folded_line big = { "x", 1, { UINT64_MAX, 0 }, 0 };
	struct stackset s;

	s = (struct stackset){ 0 };
	for (size_t i = 0; i < 2; i++) {
		stackset_begin(&s);
		stackset_reserve(&s, 1);
		stackset_push(&s, stackset_frame(&s, "x", 1));
		stackset_end_text(&s, &lines[i]);
	}
	CHECK_EQ(s.decimals, 2);
	CHECK_EQ(s.rows[0].weight, 725);
	CHECK(!s.overflow);
	stackset_begin(&s);
	stackset_end_text(&s, &big);
	CHECK(s.overflow);
	CHECK_EQ(s.rows[1].weight, UINT64_MAX);
	stackset_release(&s);
}

static void test_one_set_into_another(void)
{
	struct stackset from, to;
	uint32_t ids[2];

	from = (struct stackset){ 0 };
	to = (struct stackset){ 0 };
	stackset_sides(&to, 3);
	add_row(&from, "ab", 5, 0);
	add_row(&from, "bb", 6, 0);
	ids[0] = ids[1] = stackset_frame(&to, "z", 1);
	stackset_add_set(&to, 1, &from, ids);
	stackset_finish(&to);
	CHECK_EQ(to.part.count, 1);
	CHECK_STR(to.part.names[to.part.frames[to.part.rows[0].first]], "z");
	CHECK_EQ(to.amounts[0], 0);
	CHECK_EQ(to.amounts[1], 11);
	CHECK_EQ(to.amounts[2], 0);
	stackset_release(&from);
	stackset_release(&to);
}

/* "a", "a.b;x", "a;x" in the order of their text: a's node is split. */
static void test_tree(void)
{
	static const char *const rows[][2] = { { "a", NULL }, { "a.b", "x" }, { "a", "x" } };
	struct stack_tree t;
	struct stackset s;

	s = (struct stackset){ 0 };
	for (size_t i = 0; i < 3; i++) {
		stackset_begin(&s);
		stackset_reserve(&s, 2);
		for (int k = 0; k < 2 && rows[i][k]; k++)
			stackset_push(&s, stackset_frame(&s, rows[i][k], strlen(rows[i][k])));
		stackset_end(&s, 1u << i);
	}
	stackset_finish(&s);
	stack_tree_build(&t, &s.part);
	CHECK_EQ(t.count, 6);
	CHECK_EQ(t.depth, 2);
	CHECK_EQ(t.nodes[0].total, 7);
	CHECK_EQ(t.nodes[0].next, 6);
	CHECK_EQ(t.nodes[1].total, 1);
	CHECK_EQ(t.nodes[1].self, 1);
	CHECK_EQ(t.nodes[2].total, 2);
	CHECK_EQ(t.nodes[2].next, 4);
	CHECK_EQ(t.nodes[4].total, 4);
	CHECK_EQ(t.nodes[4].self, 0);
	CHECK_EQ(t.nodes[4].same, 1);
	CHECK_EQ(t.nodes[5].parent, 4);
	CHECK_EQ(t.nodes[5].self, 4);
	stack_tree_release(&t);
	stackset_release(&s);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_lines();
	test_long_line();
	test_captures_are_not_text();
	test_sides();
	test_decimals();
	test_one_set_into_another();
	test_tree();
	unlink(path);
	return unit_end();
}
