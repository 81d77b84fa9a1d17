/* parser/pack/paths: what of a path may leave the house, and what stays apart. */
#include "parser/base/mem.h"
#include "parser/pack/paths.h"
#include "tests/lib/unit.h"

/* In this order: a name that comes again from another directory has a number. */
static const struct {
	const char *path, *want;
} stripped[] = {
	{ "/usr/lib/libx.so", "/.../libx.so" },
	{ "/opt/me/libx.so", "/...2/libx.so" },
	{ "/usr/lib/libx.so", "/.../libx.so" },
	{ "/opt/me/libx.so (deleted)", "/...2/libx.so (deleted)" },
	{ "/libx.so", "/libx.so" },
	{ "/.../libx.so", "/...3/libx.so" },
	{ "/tmp/app (deleted)", "/.../app (deleted)" },
	{ "/tmp/app", "/.../app" },
	{ "bin/app", "...2/app" },
	{ "app", "app" },
	{ "", "" },
	{ "/", "/" },
	{ "/home/me/", "/.../" },
	/* packages */
	{ "/data/app/x==/base.apk!/lib/arm64-v8a/liby.so", "/.../base.apk!/lib/arm64-v8a/liby.so" },
	{ "/data/app/x==/base.apk", "/.../base.apk" },
	{ "/data/app/z==/base.apk!/lib/arm64-v8a/liby.so",
	  "/...2/base.apk!/lib/arm64-v8a/liby.so" },
	/* names that are no paths */
	{ "[vdso]", "[vdso]" },
	{ "[kernel.kallsyms]_text", "[kernel.kallsyms]_text" },
	{ "[anon:dalvik-/data/app/x==/base.apk]", "[anon:dalvik-base.apk]" },
	{ "//anon", "//anon" },
	{ "//toolong", "//toolong" },
	{ "/anon_hugepage (deleted)", "/anon_hugepage (deleted)" },
	{ "/dev/zero", "/dev/zero" },
	{ "/SYSV00000000 (deleted)", "/SYSV00000000 (deleted)" },
	{ "/memfd:jit (deleted)", "/memfd:jit (deleted)" },
	{ "/memfd:/home/me/jit (deleted)", "/memfd:jit (deleted)" },
	{ "/tmp/perf-12.map", "/tmp/perf-12.map" },
	{ "/home/me/tmp/perf-12.map", "/.../perf-12.map" },
	{ "/tmp/me/jit-12.dump", "/.../jit-12.dump" },
	/* files that would be taken for such */
	{ "/home/me/SYSVx", "/.../SYSVx" },
	{ "/home/me/memfd:x", "/.../memfd:x" },
	{ "/home/me/anon", "/.../anon" },
};

static const struct {
	const char *text, *want;
} words[] = {
	{ "/usr/bin/perf record -o /home/me/x.data -- ./a/b c", "perf record -o x.data -- b c" },
	{ "--symfs=/home/me/root/ a,/b/c", "--symfs=root/ a,c" },
	{ "sh -c 'cd ~/src; ./run <in/put'", "sh -c 'cd src; run <put'" },
	{ "///", "///" },
	{ "", "" },
};

static const struct {
	const char *text, *want;
} within[] = {
	{ "py::main:/home/me/my dir/x.py", "py::main:x.py" },
	{ "JS:*leaf /home/me/n.js:1:14", "JS:*leaf n.js:1:14" },
	{ "JS:*leaf file:///home/me/n.js:1:14", "JS:*leaf file:n.js:1:14" },
	{ "7f00 10 a.js", "7f00 10 a.js" },
	{ "$lists:foldl/3", "$lists:foldl/3" },
	{ "erlang:'/'/2", "erlang:'/'/2" },
	{ "node:internal/modules/cjs/loader:1105:14", "node:internal/modules/cjs/loader:1105:14" },
	{ "f /x.py", "f /x.py" },
	{ "google/redfin/redfin:12/SP1A", "google/redfin/redfin:12/SP1A" },
	{ "/usr/bin/python", "python" },
	{ "", "" },
};

/* The same, ended with a NUL. */
static const char *ended(struct buf *b)
{
	buf_char(b, '\0');
	return b->data;
}

static void test_paths(void)
{
	struct paths p = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(stripped); i++) {
		struct buf out = { 0 };

		paths_strip(&p, stripped[i].path, strlen(stripped[i].path), &out);
		CHECK_STR(ended(&out), stripped[i].want);
		buf_release(&out);
	}
	paths_release(&p);
}

static void test_texts(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct buf out = { 0 };

		paths_strip_words(words[i].text, strlen(words[i].text), &out);
		CHECK_STR(ended(&out), words[i].want);
		buf_release(&out);
	}
	for (size_t i = 0; i < ARRAY_SIZE(within); i++) {
		struct buf out = { 0 };

		paths_strip_within(within[i].text, strlen(within[i].text), &out);
		CHECK_STR(ended(&out), within[i].want);
		buf_release(&out);
	}
}

int main(void)
{
	test_paths();
	test_texts();
	return unit_end();
}
