/* Tests of parser/symbols/demangle: the names that perf shows, and the limits on what a name may
 * cost. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/demangle.h"

static int failures;

static void report(const char *name, bool ok, const char *why)
{
	if (ok)
		printf("ok - %s\n", name);
	else
		printf("not ok - %s: %s\n", name, why);
	failures += !ok;
}

static uint64_t next_random(uint64_t *s)
{
	*s = *s * 6364136223846793005ull + 1442695040888963407ull;
	return *s >> 33;
}

static void test_demangle_samples(void)
{
	static const char *const pairs[][2] = {
		{ "main", "main" },
		{ "foo.cold", "foo.cold" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN3foo3barEv", "foo::bar" },
		{ "_ZN3foo3barEi.cold", "foo::bar" },
		{ "_ZN3foo3barEi.part.0.isra.1", "foo::bar" },
		{ "_ZN3foo3barEi@plt", "foo::bar@plt" },
		{ "memcpy@plt", "memcpy@plt" },
		{ "_ZN3fooD2Ev", "foo::~foo" },
		{ "_ZTV3foo", "vtable for foo" },
		{ "_GLOBAL__I_foo", "global constructors keyed to foo" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
		{ "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
		  "<&T as core::fmt::Debug>::fmt" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_D3std5stdio7writelnFZv", "std.stdio.writeln()" },
		{ "_D1a1fFHiiHQeQgZv", "a.f(int[int], int[int][int[int]])" },
		{ "_D3std5stdio__T7writelnTAyaZQnFNfQjZv",
		  "std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])" },
		{ "_D1a1fFC1a1bQfQhQjQlQnQpQrQtQvQxQzQBbQBeQBhQBkQBnQBqQBtZv",
		  "a.f(a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, a.b, "
		  "a.b, a.b, a.b, a.b)" },
		{ "_Dmain", "D main" },
		{ "_DYNAMIC", "_DYNAMIC" },
		{ "_Z", "_Z" },
		{ "_R", "_R" },
		{ "", "" },
		{ "_Zjunk", "_Zjunk" },
		{ "camlO__work_512", "O.work_512" },
		{ "camlO__work_512@plt", "O.work_512@plt" },
		{ "camlO", "camlO" },
		{ "camlO__a$00b", "camlO__a$00b" },
		{ "camlO__a$2", "O.a$2" },
		{ "Ljava/lang/String;equals([B[B)Z", "java.lang.String.equals(byte[], byte[])" },
		{ "La;f(V)V", "La;f(V)V" },
		{ "La;f()", "La;f()" },
		{ "La;f(I)Vx", "La;f(I)Vx" },
		{ "La//b;f()V", "La//b;f()V" },
		{ "La;", "La;" },
		{ "L", "L" },
		{ "La;::f->", "La;::f->" },
		{ "base_GHCziBase_map_info", "base_GHCziBase_map_info" },
	};
	uint64_t limited = 0;
	struct arena names;
	char why[200];

	arena_init(&names);
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const char *got = demangle(pairs[i][0], 0, &names, &limited);

		snprintf(why, sizeof(why), "%s became %s", pairs[i][0], got);
		report("demangle", !strcmp(got, pairs[i][1]), why);
	}
	report("demangle", !limited, "a name counts as too long");
	arena_release(&names);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A name of twice the nesting must be refused, and soon: the bound is far above what is wanted (1
 * ms), for slow machines and sanitizers; without limits it takes minutes, or all memory. */
static void expect_limit(const char *what, const char *small, const char *large)
{
	double start = now_ms();
	uint64_t limited = 0;
	struct arena names;

	arena_init(&names);
	report(what, demangle(small, 0, &names, &limited) != small, "the small one is refused");
	report(what, !limited, "the small one counts as too long");
	report(what, demangle(large, 0, &names, &limited) == large, "the large one is accepted");
	report(what, limited == 1, "the large one does not count as too long");
	report(what, now_ms() - start < 100, "takes too long");
	arena_release(&names);
}

/* Each A<> has the one before twice: S0_ is A, S1_ the first A<>. */
static void put_cpp_name(struct buf *b, int depth)
{
	static const char seq[] = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	buf_str(b, "_Z1fI1AIiiE");
	for (int i = 0; i < depth; i++)
		buf_printf(b, "S0_IS%c_S%c_E", seq[i], seq[i]);
	buf_str(b, "Evv");
}

/* Each tuple has the one before twice. Positions are base 62, less one, and begin behind "_R". */
static void put_rust_name(struct buf *b, int depth)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t at = 8, next;

	buf_str(b, "_RINvC1a1fTllE");
	for (int i = 0; i < depth; i++) {
		char ref[4] = { digits[(at - 1) / 62], digits[(at - 1) % 62], '_' };

		next = b->len - 2;
		buf_printf(b, "TB%sB%sE", at > 62 ? ref : ref + 1, at > 62 ? ref : ref + 1);
		at = next;
	}
	buf_char(b, 'E');
}

static void put_d_name(struct buf *b, int depth)
{
	buf_str(b, "_D1a1fFHiiHQeQg");
	for (int i = 1; i < depth; i++)
		buf_str(b, "HQgQi");
	buf_str(b, "Zv");
}

static void put_long_name(struct buf *b, int depth)
{
	buf_printf(b, "_ZN%d", depth * 20);
	for (int i = 0; i < depth * 20; i++)
		buf_char(b, 'a');
	buf_str(b, "17h0123456789abcdefE");
}

static void test_demangle_limits(void)
{
	static const struct {
		const char *what;
		void (*put)(struct buf *, int);
		int small, large;
	} cases[] = {
		{ "C++ name that doubles", put_cpp_name, 8, 24 },
		{ "Rust name that doubles", put_rust_name, 8, 24 },
		{ "D name that doubles", put_d_name, 8, 50 },
		{ "name that is too long", put_long_name, 8, 1000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf small = { 0 }, large = { 0 };

		cases[i].put(&small, cases[i].small);
		cases[i].put(&large, cases[i].large);
		expect_limit(cases[i].what, small.data, large.data);
		buf_release(&small);
		buf_release(&large);
	}
}

/* Any bytes at all: only crashes and hangs count. */
static void test_demangle_noise(void)
{
	static const char *const seeds[] = {
		"_ZNSt6vectorIiSaIiEE9push_backERKi",
		"_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
		"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
		"_D3std5stdio__T7writelnTAyaTiZQpFNfQkiZv",
		"_D8demangle__T4testS21_D8demangle1ii3fooiZv",
		"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
		"camlStdlib__Map__$2b$2b_7",
		"Lcom/a/B;two([Ljava/lang/String;I[[JZ)V",
		"Lcom/a/B;::one->Lcom/c/D;::two",
		"base_GHCziBase_zdwZ12TZ1H_z3bbU_info",
	};
	uint64_t seed = 7;
	double worst = 0;
	char why[64];

	for (int i = 0; i < 30000; i++) {
		char name[256];
		struct arena names;
		size_t len;
		double start;

		snprintf(name, sizeof(name), "%s%s", seeds[next_random(&seed) % ARRAY_SIZE(seeds)],
			 seeds[next_random(&seed) % ARRAY_SIZE(seeds)] + 2);
		len = strlen(name);
		for (uint64_t n = next_random(&seed) % 6; n; n--)
			name[2 + next_random(&seed) % (len - 2)] =
				name[2 + next_random(&seed) % (len - 2)];
		arena_init(&names);
		start = now_ms();
		(void)demangle(name, (unsigned)i % 4, &names, NULL);
		worst = now_ms() - start > worst ? now_ms() - start : worst;
		arena_release(&names);
	}
	snprintf(why, sizeof(why), "%.1f ms", worst);
	report("30000 damaged names", worst < 100, why);
}

int main(void)
{
	test_demangle_samples();
	test_demangle_limits();
	test_demangle_noise();
	return failures ? 1 : 0;
}
