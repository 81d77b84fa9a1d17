/* analyzers/lib/stackset: the order of its rows is that of the folded lines' text without the
 * weight, or with it, byte for byte, as strcmp(3) and Perl's sort have it, and equal stacks are
 * one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analyzers/count/stackset.h"
#include "formats/model/stack_tree.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#define ROWS 3000

struct line {
	char *text;
	uint64_t weight;
};

static bool by_line;

/* As lines of folded text, with 0 for every weight, "a (x) 0" comes before "a 0". */
static int by_text(const void *a, const void *b)
{
	char x[256], y[256];

	snprintf(x, sizeof(x), "%s%s", ((const struct line *)a)->text, by_line ? " 0" : "");
	snprintf(y, sizeof(y), "%s%s", ((const struct line *)b)->text, by_line ? " 0" : "");
	return strcmp(x, y);
}

/* What sits around ';' (0x3b) decides whether "a;" comes before "a" and more. */
static const char near[] = "a:;<!~ z9\xc3\xa9/b.$";

static size_t random_name(uint64_t *seed, char *name, unsigned letters, unsigned longest)
{
	size_t n = unit_random(seed) % (longest + 1);

	for (size_t i = 0; i < n; i++) {
		char c = near[unit_random(seed) % letters];

		name[i] = c == ';' ? ':' : c;
	}
	name[n] = '\0';
	return n;
}

static void random_row(struct stackset *s, struct line *line, uint64_t *seed, unsigned letters)
{
	unsigned depth = 1 + (unsigned)(unit_random(seed) % 5);
	struct buf b = { 0 };

	line->weight = unit_random(seed) % 100;
	stackset_begin(s);
	stackset_reserve(s, depth);
	while (depth--) {
		char name[16];
		/* a first frame is a comm: never empty in practice, but may it be */
		size_t n = random_name(seed, name, letters, 3);

		uint32_t frame = stackset_frame(s, name, n);

		stackset_push(s, frame);
		/* as it is shown: lone bytes of the two-byte letter are escaped */
		buf_str(&b, intern_str(&s->names, frame));
		if (depth)
			buf_char(&b, ';');
	}
	stackset_end(s, line->weight);
	line->text = b.data ? b.data : xstrdup("");
}

static size_t merge(struct line *lines, size_t n)
{
	size_t out = 0;

	qsort(lines, n, sizeof(*lines), by_text);
	for (size_t i = 0; i < n; i++) {
		if (out && !strcmp(lines[out - 1].text, lines[i].text)) {
			lines[out - 1].weight += lines[i].weight;
			free(lines[i].text);
		} else {
			lines[out++] = lines[i];
		}
	}
	return out;
}

/* The text of ROW. */
static char *row_text(const struct stacks_part *p, const struct stack_row *row)
{
	struct buf b = { 0 };

	for (uint32_t i = 0; i < row->count; i++) {
		if (i)
			buf_char(&b, ';');
		buf_str(&b, p->names[p->frames[row->first + i]]);
	}
	return b.data ? b.data : xstrdup("");
}

/* Leading frames that both rows have. */
static uint32_t common(const struct stacks_part *p, const struct stack_row *a,
		       const struct stack_row *b)
{
	uint32_t n = 0;

	while (n < a->count && n < b->count && p->frames[a->first + n] == p->frames[b->first + n])
		n++;
	return n;
}

static void test_random(uint64_t seed, unsigned letters)
{
	static struct line lines[ROWS];
	const struct stacks_part *p;
	struct stackset s;
	bool order = true, weights = true, shared = true;
	size_t n;

	s = (struct stackset){ 0 };
	s.by_line = by_line;
	for (size_t i = 0; i < ROWS; i++)
		random_row(&s, &lines[i], &seed, letters);
	stackset_finish(&s);
	p = &s.part;
	n = merge(lines, ROWS);
	CHECK_EQ(p->count, n);
	for (size_t i = 0; i < n; i++) {
		char *text = i < p->count ? row_text(p, &p->rows[i]) : xstrdup("(none)");

		order &= !strcmp(text, lines[i].text);
		weights &= i < p->count && p->rows[i].weight == lines[i].weight;
		/* the writer goes back to where two lines part; a flame graph makes one frame of
		 * what they share, so it must be all of it */
		if (i && i < p->count)
			shared &= p->rows[i].shared == common(p, &p->rows[i - 1], &p->rows[i]);
		free(text);
		free(lines[i].text);
	}
	CHECK(order);
	CHECK(weights);
	CHECK(shared);
	stackset_release(&s);
}

static void test_frames(void)
{
	struct stackset s;
	uint32_t plain, escaped;

	s = (struct stackset){ 0 };
	plain = stackset_frame(&s, "std::map<int, char>", 19);
	CHECK_EQ(stackset_frame(&s, "std::map<int, char>", 19), plain);
	CHECK_STR(intern_str(&s.names, plain), "std::map<int, char>");
	escaped = stackset_frame(&s, "a;b\n\x1b[1m\x7f", 9);
	CHECK_STR(intern_str(&s.names, escaped), "a:b\\x0a\\x1b[1m\\x7f");
	/* U+009B as UTF-8 is a control; U+00E9 is a letter */
	escaped = stackset_frame(&s, "\xc2\x9b!\xc3\xa9", 5);
	CHECK(!strstr(intern_str(&s.names, escaped), "\xc2\x9b"));
	CHECK(strstr(intern_str(&s.names, escaped), "!\xc3\xa9") != NULL);
	stackset_release(&s);
}

static void test_empty(void)
{
	struct stackset s;

	s = (struct stackset){ 0 };
	stackset_finish(&s);
	CHECK_EQ(s.part.count, 0);
	stackset_release(&s);
}

/* Rows without frames, before any other. */
static void test_no_frames(void)
{
	struct stackset s = { 0 };

	for (int i = 0; i < 2; i++) {
		stackset_begin(&s);
		stackset_end(&s, 3);
	}
	stackset_finish(&s);
	CHECK(s.part.count == 1);
	CHECK(s.part.rows[0].count == 0 && s.part.rows[0].weight == 6);
	stackset_release(&s);
}

static void test_sums(void)
{
	struct stackset s;

	s = (struct stackset){ 0 };
	for (int i = 0; i < 5; i++) {
		stackset_begin(&s);
		stackset_reserve(&s, 1);
		stackset_push(&s, stackset_frame(&s, "x", 1));
		stackset_end(&s, 1ull << 40);
	}
	stackset_finish(&s);
	CHECK_EQ(s.part.count, 1);
	CHECK_EQ(s.part.rows[0].weight, 5ull << 40);
	stackset_release(&s);
}

static void push_row(struct stackset *s, const char *names, const char *kinds)
{
	stackset_begin(s);
	stackset_reserve(s, 8);
	for (size_t i = 0; names[i]; i++)
		stackset_push(s, stackset_frame(s, names + i, 1) | (uint32_t)(kinds[i] - '0')
									   << STACKSET_KIND_SHIFT);
}

/* Names alone make a stack; where their kinds differ, the lesser one stands. */
static void test_kinds(void)
{
	struct stackset s = { 0 };
	struct stack_tree tree;

	push_row(&s, "abc", "000");
	stackset_end(&s, 1);
	push_row(&s, "abd", "014");
	stackset_end(&s, 1);
	push_row(&s, "abd", "044");
	stackset_end(&s, 1);
	push_row(&s, "abd", "034");
	stackset_end(&s, 1);
	push_row(&s, "azz", "043");
	stackset_end(&s, 1);
	stackset_finish(&s);
	CHECK_EQ(s.part.count, 3);
	CHECK_EQ(s.part.rows[1].weight, 3);
	stack_tree_build(&tree, &s.part);
	CHECK_EQ(tree.count, 7);
	CHECK_EQ(tree.nodes[2].kind, 0); /* b below a: of two rows */
	CHECK_EQ(tree.nodes[4].kind, 4); /* d: always inlined */
	CHECK_EQ(tree.nodes[5].kind, 4);
	CHECK_EQ(tree.nodes[6].kind, 3);
	stack_tree_release(&tree);
	stackset_release(&s);
}

static void test_recursion(void)
{
	struct stackset s = { 0 };

	push_row(&s, "aabbbab", "0043100");
	stackset_collapse_recursion(&s);
	stackset_end(&s, 1);
	stackset_finish(&s);
	CHECK_EQ(s.part.rows[0].count, 4);
	CHECK(s.part.kinds && s.part.kinds[1] == 1);
	stackset_release(&s);
}

/* The nodes of a tree that were not met yet, the last one first. */
struct met {
	const struct stack_tree *tree;
	size_t left;
};

static void meet(void *ctx, const struct stack_piece *p)
{
	struct met *m = ctx;
	uint64_t below = 0;

	for (uint32_t depth = p->end; depth > p->above || (!p->end && !depth); depth--) {
		size_t i = --m->left;
		const struct stack_node *n = &m->tree->nodes[i];
		bool last = depth == p->end;

		CHECK_EQ(i, p->id + (depth ? depth - p->above - 1 : 0));
		CHECK_EQ(n->depth, depth);
		CHECK_EQ(n->name, depth ? p->path[depth - 1] : UINT32_MAX);
		CHECK_EQ(n->kind, depth && p->kinds ? p->kinds[depth - 1] : 0);
		CHECK_EQ(n->total, p->total[0]);
		CHECK_EQ(n->before, p->total[1]);
		CHECK_EQ(n->self, last ? p->self[0] : 0);
		CHECK_EQ(n->before_self, last ? p->self[1] : 0);
		below = last ? n->next - i - 1 : below;
		if (!depth)
			break;
	}
	CHECK_EQ(below, p->below);
}

/* What a walk says of random stacks is what the tree has. */
static void test_walk(void)
{
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct stackset s = { .by_line = seed & 1 };
		struct stack_tree tree;
		struct met m = { &tree, 0 };

		srand(seed);
		if (seed & 2)
			stackset_sides(&s, 2);
		for (int rows = rand() % 40; rows; rows--) {
			stackset_begin(&s);
			stackset_reserve(&s, 8);
			for (int depth = rand() % 8; depth; depth--)
				stackset_push(&s, stackset_frame(&s, &"aba.b"[rand() % 4],
								 1 + rand() % 2) |
							  (uint32_t)(seed & 4 ? rand() % 4 : 0)
								  << STACKSET_KIND_SHIFT);
			if (seed & 2)
				stackset_end_side(&s, (unsigned)rand() % 2, (uint64_t)rand() % 5);
			else
				stackset_end(&s, (uint64_t)rand() % 5);
		}
		stackset_finish(&s);
		stack_tree_build(&tree, &s.part);
		m.left = tree.count;
		stack_walk(&s.part, meet, &m);
		CHECK_EQ(m.left, 0);
		stack_tree_release(&tree);
		stackset_release(&s);
	}
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The frames of TEXT one by one. */
static void push_frames(struct stackset *s, const char *text)
{
	size_t len = strlen(text), n;

	while (len && text[len - 1] == ';')
		len--;
	for (const char *p = text; p < text + len; p += n + 1) {
		n = strcspn(p, ";");
		n = n < (size_t)(text + len - p) ? n : (size_t)(text + len - p);
		stackset_reserve(s, 1);
		stackset_push(s, stackset_frame(s, p, n));
	}
}

/* Lines that come sorted, or nearly so, make the rows that they make one by one; some of them come
 * to the same names, have no frames, are turned round, left out, or meet rows of others. */
static void test_text(unsigned seed)
{
	static const char *const names[] = { "a", "b", "ab", "", "\x1b", "\\x1b", "a:b", "z" };
	static char texts[200][40];
	struct stackset sets[2] = { 0 };
	bool same = true;
	size_t n = 1 + seed % 200;

	srand(seed);
	for (size_t i = 0; i < n; i++) {
		texts[i][0] = '\0';
		for (int depth = rand() % 6; depth; depth--) {
			strcat(texts[i], names[(size_t)rand() % (4 + seed % 5)]);
			strcat(texts[i], depth > 1 || rand() % 8 == 0 ? ";" : "");
		}
	}
	if (seed & 1)
		qsort(texts, n, sizeof(*texts), by_bytes);
	for (size_t i = 0; i < 2 * n; i++) {
		const char *text = texts[seed & 2 || i < n ? i % n : (size_t)rand() % n];
		bool left_out = seed & 4 && rand() % 8 == 0, turned = seed & 8 && rand() % 8 == 0;
		bool other = seed & 16 && rand() % 8 == 0;

		if (i == n && !(seed & 32)) /* once is enough: all of them may ascend */
			break;
		for (int by_frames = 0; by_frames < 2; by_frames++) {
			struct stackset *s = &sets[by_frames];

			stackset_begin(s);
			if (by_frames || other)
				push_frames(s, text);
			else
				stackset_push_text(s, text, strlen(text));
			if (turned)
				stackset_reverse(s);
			if (left_out)
				s->frame_count = s->rows[s->row_count].first;
			else
				stackset_end(s, i + 1);
		}
	}
	for (int i = 0; i < 2; i++)
		stackset_finish(&sets[i]);
	CHECK_EQ(sets[0].part.count, sets[1].part.count);
	for (size_t i = 0; i < sets[0].part.count && i < sets[1].part.count; i++) {
		char *x = row_text(&sets[0].part, &sets[0].part.rows[i]);
		char *y = row_text(&sets[1].part, &sets[1].part.rows[i]);

		same &= !strcmp(x, y);
		same &= sets[0].part.rows[i].weight == sets[1].part.rows[i].weight;
		same &= sets[0].part.rows[i].shared == sets[1].part.rows[i].shared;
		free(x);
		free(y);
	}
	CHECK(same);
	for (int i = 0; i < 2; i++)
		stackset_release(&sets[i]);
}

int main(void)
{
	for (uint64_t seed = 1; seed <= 24; seed++) {
		by_line = seed > 12;
		test_random(seed, 2 + (unsigned)(seed * 5 % (sizeof(near) - 3)));
	}
	test_frames();
	test_empty();
	test_no_frames();
	test_sums();
	test_kinds();
	test_walk();
	test_recursion();
	for (unsigned seed = 0; seed < 1000; seed++)
		test_text(seed);
	return unit_end();
}
