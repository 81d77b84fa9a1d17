/* analyzers/lib/fold_compat: what stackcollapse-perf.pl makes of perf script's lines, one case for
 * each of its regular expressions. Each expected text was had from the script itself. */
#include "analyzers/compat/fold_compat.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

/* ---- the header line ---- */

static const struct compat_header usual = {
	.tid = 123,
	.cpu = 0,
	.time_ns = 1000002000,
	.period = 77,
	.event = "cycles",
	.has_cpu = true,
	.has_time = true,
	.has_period = true,
};

static void label(const char *comm, enum compat_label kind, const char *want)
{
	struct compat_header h = usual;
	struct compat_sample out = { 0 };
	bool kept;

	h.comm = comm;
	kept = compat_header_parse(&h, kind, &out);
	if (want)
		CHECK_STR(kept ? out.label.data : NULL, want);
	else
		CHECK(!kept);
	/* the short way must not be taken where the long one comes to another end */
	if (kind == COMPAT_COMM && !compat_comm_is_odd(comm))
		CHECK_STR(kept ? out.label.data : NULL, comm);
	buf_release(&out.label);
}

static void test_labels(void)
{
	label("bash", COMPAT_COMM, "bash");
	label("bash", COMPAT_PID, "bash-?");
	label("bash", COMPAT_TID, "bash-?/123");
	label("my prog", COMPAT_COMM, "my_prog");
	label("my  prog", COMPAT_COMM, "my__prog");
	label("my comm 12 34", COMPAT_COMM, "my_comm");
	label("my comm 12 34", COMPAT_TID, "my_comm-?/12");
	label("pool 1", COMPAT_PID, "pool-?");
	label("a 12/34 b", COMPAT_PID, "a_12/34_b-?"); /* too short again */
	label("ab 12/34 b", COMPAT_PID, "ab-12");
	label("ab 12/34 b", COMPAT_TID, "ab-12/34");
	label("kworker/0:1-ev", COMPAT_COMM, "kworker/0:1-ev");
	label("a;b", COMPAT_COMM, "a;b");
	label(":35", COMPAT_COMM, ":35");
	/* one character is too few for its (\S.+?) */
	label("a", COMPAT_COMM, "a_");
	label("0", COMPAT_COMM, "0_");
	label("00", COMPAT_COMM, "00");
	/* a line that begins with a blank is a frame to it, one with # a comment */
	label(" lead", COMPAT_COMM, NULL);
	label("#lead", COMPAT_COMM, NULL);
}

/* A tid below 0 is no digits: what stands before the period is all comm. */
static void test_no_tid(void)
{
	struct compat_header h = usual;
	struct compat_sample out = { 0 };

	h.comm = ":-1";
	h.tid = UINT32_MAX;
	CHECK(compat_header_parse(&h, COMPAT_COMM, &out));
	CHECK_STR(out.label.data, ":-1______-1_[000]_____1.000002:");
	buf_release(&out.label);
}

static void test_weights(void)
{
	struct compat_header h = usual;
	struct compat_sample out = { 0 };

	h.comm = "bash";
	CHECK(compat_header_parse(&h, COMPAT_COMM, &out));
	CHECK_EQ(out.weight, 77);
	CHECK(out.names_event);
	h.period = 0; /* false to Perl */
	CHECK(compat_header_parse(&h, COMPAT_COMM, &out));
	CHECK_EQ(out.weight, 1);
	h = usual;
	h.comm = "bash";
	h.is_tracepoint = true;
	CHECK(compat_header_parse(&h, COMPAT_COMM, &out));
	CHECK_EQ(out.weight, 1);
	CHECK(!out.names_event);
	h = usual;
	h.comm = "bash";
	h.event = "raw 0xc4"; /* two words */
	CHECK(compat_header_parse(&h, COMPAT_COMM, &out));
	CHECK(!out.names_event);
	CHECK_EQ(out.weight, 1);
	buf_release(&out.label);
}

/* ---- frames ---- */

struct frame_case {
	const char *symbol, *dso, *want; /* parts with '|' between */
	uint64_t offset;
	const char *options; /* letters: kernel jit addrs, J java */
};

static const struct frame_case cases[] = {
	{ "main", "/bin/app", "main", 3, "" },
	{ "main", "/bin/app", "main", 0, "" },
	{ NULL, "/usr/lib/libc.so.6", "[libc.so.6]", 0, "" },
	{ NULL, "[kernel.kallsyms]", "[[kernel.kallsyms]]", 0, "" },
	{ NULL, NULL, "[unknown]", 0, "" },
	{ NULL, NULL, "[unknown <abc0>]", 0, "a" },
	{ NULL, "/usr/lib/libc.so.6", "[libc.so.6 <abc0>]", 0, "a" },
	{ NULL, "//anon", "[anon]", 0, "" },
	/* the rest of the line is the dso from its last " (" on */
	{ "jit_fn", "/memfd:jit (deleted)", "jit_fn+0x3 ", 3, "" },
	{ NULL, "/bin/app (deleted)", "[unknown] ", 0, "" },
	/* C++ */
	{ "std::vector<int>::push_back(int const&)", "/bin/app", "std::vector<int>::push_back", 1,
	  "" },
	{ "std::function<void (int)>::operator()", "/bin/app", "std::function<void ", 1, "" },
	{ "foo::(anonymous namespace)::bar(int)", "/bin/app", "foo::(anonymous namespace)::bar", 1,
	  "" },
	{ "(anonymous namespace)::bar", "/bin/app", NULL, 1, "" },
	{ "operator()", "/bin/app", "operator", 1, "" },
	{ "Ptr::operator->", "/bin/app", "Ptr::operator", 1, "" },
	{ "a;b", "/bin/app", "a:b", 1, "" },
	{ "say \"x\" 'y'", "/bin/app", "say x y", 1, "" },
	/* Go: parentheses between dots stay */
	{ "net/http.(*conn).serve", "/bin/go", "net/http.(*conn).serve", 1, "" },
	{ "main.(*T)method", "/bin/go", "main.", 1, "" },
	/* Java: inlined after ->, and a leading L */
	{ "Lfoo/Bar;::baz", "/tmp/perf-12.map", "Lfoo/Bar:::baz", 1, "" },
	{ "Lfoo/Bar;::baz", "/tmp/perf-12.map", "foo/Bar:::baz", 1, "J" },
	{ "Long::x", "/tmp/perf-12.map", "Long::x", 1, "J" },
	{ "A::a->B::b->C::c", "/tmp/perf-12.map", "A::a|B::b_[i]|C::c_[i]", 1, "" },
	{ "A::a->B::b", "/tmp/perf-12.map", "A::a_[j]|B::b_[i]", 1, "j" },
	/* marks */
	{ "vfs_read", "[kernel.kallsyms]", "vfs_read_[k]", 1, "k" },
	{ "vfs_read", "/lib/modules/6.1/vmlinux", "vfs_read_[k]", 1, "k" },
	{ "toy_read", "[toy]", "toy_read_[k]", 1, "k" },
	{ "x", "[heap]", "x_[k]", 1, "k" },
	{ "x", "/lib/modules/toy.ko", "x", 1, "k" },
	{ NULL, NULL, "[unknown]", 0, "k" },
	{ NULL, "[kernel.kallsyms]", "[[kernel.kallsyms]]_[k]", 0, "k" },
	{ "fn", "/tmp/perf-12.map", "fn_[j]", 1, "j" },
	{ "fn", "/tmp/perf-x.map", "fn", 1, "j" },
	{ "fn_[j]", "/tmp/perf-12.map", "fn_[j]", 1, "j" },
	{ NULL, "/tmp/perf-12.map", "[perf-12.map]_[j]", 0, "kj" },
	/* only the last offset goes, and only in small letters */
	{ "f+0x10", "/bin/app", "f+0x10", 5, "" },
};

static void test_frame(const struct frame_case *t)
{
	struct compat_frame f = { t->symbol, t->dso, t->offset, 0xabc0 };
	struct compat_options o = { strchr(t->options, 'k') != NULL,
				    strchr(t->options, 'j') != NULL,
				    strchr(t->options, 'a') != NULL,
				    strchr(t->options, 'J') != NULL };
	struct buf b = { 0 };
	unsigned n = compat_frame_fold(&f, &o, &b);

	if (!t->want) {
		CHECK_EQ(n, 0);
	} else {
		for (size_t i = 0; n && i + 1 < b.len; i++) {
			if (!b.data[i])
				b.data[i] = '|';
		}
		CHECK_STR(n ? b.data : NULL, t->want);
	}
	buf_release(&b);
}

int main(void)
{
	test_labels();
	test_no_tid();
	test_weights();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		test_frame(&cases[i]);
	return unit_end();
}
