/* Demangling by libiberty, within limits.
 *
 * A mangled name can refer back to parts of itself, so the text can double with every few bytes:
 * 264 bytes are enough for 245 KB, 400 for more than any memory. libiberty's callback interfaces
 * hand the text out piece by piece, and the only way to stop them is not to return from the
 * callback: longjmp(). That is sound for the C++ demangler (it keeps its tree in its own stack
 * frame) and loses at most one small buffer in the Rust one (an identifier in Punycode, when the
 * limit falls inside it). The D demangler has no callback: its work is estimated beforehand. */
#include "parser/names/demangle.h"
#include "parser/names/langnames.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

/* The D demangler recurses once per byte of a nested type. */
#define D_INPUT_MAX 2048
/* Bytes of mangled name that it may read, repetitions counted: about 1 ms. */
#define D_WORK_MAX 32768

struct sink {
	size_t len;
	bool limited;
	jmp_buf full;
	char text[DEMANGLE_OUTPUT_MAX];
};

static void sink_put(const char *s, size_t len, void *opaque)
{
	struct sink *k = opaque;

	if (len > sizeof(k->text) - k->len) {
		k->limited = true;
		longjmp(k->full, 1);
	}
	if (len) /* s may be NULL otherwise */
		memcpy(k->text + k->len, s, len);
	k->len += len;
}

typedef int (*demangler)(const char *, int, demangle_callbackref, void *);

static bool run_with(demangler fn, int options, const char *mangled, struct sink *k)
{
	k->len = 0;
	if (setjmp(k->full))
		return false;
	return fn(mangled, options, sink_put, k) && k->len;
}

static bool run(demangler fn, const char *mangled, struct sink *k)
{
	return run_with(fn, DMGL_NO_OPTS, mangled, k);
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool d_name_starts(const char *s)
{
	return digit(*s) || *s == 'Q' || !strncmp(s, "__T", 3) || !strncmp(s, "__U", 3);
}

/* The length of a symbol parameter (S and digits, before 2017) may run into digits of the name: all
 * ways to cut it are tried. How many of those for the digits at S[AT] could lead on to more? */
static unsigned int d_ways(const char *s, size_t len, size_t at)
{
	unsigned int ways;
	size_t end = at, value = 0, scale = 1;

	while (digit(s[end]))
		end++;
	ways = !strncmp(s + end, "_D", 2);
	for (size_t i = end; i > at && scale < 100000; scale *= 10) {
		value += (size_t)(s[--i] - '0') * scale;
		if (value <= len - end && d_name_starts(s + end + value))
			ways++;
	}
	return ways ? ways : 1;
}

/* A back reference: Q and the distance in base 26, capitals leading. The position it points at, and
 * in *NEXT the one behind it; or AT itself, when it is none. */
static size_t d_reference(const char *s, size_t at, size_t *next)
{
	size_t back = 0, i = at + 1;

	for (; s[i] >= 'A' && s[i] <= 'Z' && i < at + 4; i++)
		back = back * 26 + (size_t)(s[i] - 'A');
	if (s[i] < 'a' || s[i] > 'z')
		return at;
	back = back * 26 + (size_t)(s[i] - 'a');
	*next = i + 1;
	return back <= at ? at - back : at;
}

/* Behind the qualified name at S[AT], or 0 when that would take a parser (templates). */
static size_t d_name_end(const char *s, size_t len, size_t at)
{
	while (at < len && d_name_starts(s + at)) {
		size_t n = 0, next;

		if (s[at] == '_')
			return 0;
		if (s[at] == 'Q') {
			size_t to = d_reference(s, at, &next);

			if (to == at || !digit(s[to]))
				return at;
			at = next;
			continue;
		}
		while (digit(s[at]) && n <= len)
			n = n * 10 + (size_t)(s[at++] - '0');
		if (n > len - at)
			return 0;
		at += n;
	}
	return at;
}

/* Behind the type at S[AT], or END when it is not a simple one: to see how much a reference
 * repeats. */
static size_t d_type_end(const char *s, size_t at, size_t end)
{
	for (unsigned int missing = 1; missing && at < end;) {
		char c = s[at++];
		size_t next;

		if (strchr("APxyO", c))
			continue; /* array, pointer, const, immutable, shared: of a type that
				     follows */
		if (c == 'H') {
			missing++;
			continue;
		}
		if (c == 'G') {
			while (digit(s[at]))
				at++;
			continue;
		}
		if (strchr("CSETI", c)) {
			at = d_name_end(s, end, at);
			if (!at)
				return end;
		} else if (c == 'Q') {
			if (d_reference(s, at - 1, &next) == at - 1)
				return end;
			at = next;
		} else if (c < 'a' || c > 'z' || c == 'z') {
			return end;
		}
		missing--;
	}
	return at < end ? at : end;
}

/* How far the D demangler may have to go for S, in bytes of mangled name read, at most: references
 * to types and ways to cut symbol parameters multiply. */
static uint64_t d_work(const char *s, size_t len)
{
	uint64_t work[D_INPUT_MAX + 1];
	uint64_t ways = 1;

	work[0] = 0;
	for (size_t i = 0; i < len; i++) {
		size_t to, next;

		work[i + 1] = work[i] + 1;
		if (s[i] == 'S' && digit(s[i + 1]))
			ways *= d_ways(s, len, i + 1);
		if (s[i] == 'Q') {
			to = d_reference(s, i, &next);
			if (to != i && !digit(s[to]))
				work[i + 1] += work[d_type_end(s, to, i)] - work[to];
		}
		if (work[i + 1] * ways > D_WORK_MAX)
			return UINT64_MAX;
	}
	return work[len] * ways;
}

static bool run_d(const char *mangled, size_t len, struct sink *k)
{
	char *text;

	k->limited = len > D_INPUT_MAX || d_work(mangled, len) > D_WORK_MAX;
	if (k->limited)
		return false;
	text = dlang_demangle(mangled, DMGL_NO_OPTS);
	k->len = text ? strlen(text) : 0;
	k->limited = k->len > sizeof(k->text);
	if (k->limited)
		k->len = 0;
	if (text)
		memcpy(k->text, text, k->len);
	free(text);
	return k->len > 0;
}

/* Most names are C: tell by the first bytes, before anything is copied. */
static bool is_libibertys(const char *s)
{
	return s[0] == '_' && s[1] && strchr("ZRDG", s[1]);
}

static bool render(const char *mangled, size_t len, struct sink *k)
{
	switch (mangled[1]) {
	case 'Z': /* legacy Rust is C++ with a hash at the end */
		return run(rust_demangle_callback, mangled, k) ||
		       run(cplus_demangle_v3_callback, mangled, k);
	case 'R':
		return run(rust_demangle_callback, mangled, k);
	case 'D':
		return run_d(mangled, len, k);
	default: /* _GLOBAL__I_... */
		return run(cplus_demangle_v3_callback, mangled, k);
	}
}

/* What libstdc++ passes to its copy of the demangler (libiberty/cp-demangle.c, __cxa_demangle()).
 */
static bool render_by_cxa(const char *mangled, struct sink *k)
{
	if (mangled[0] == '_' && mangled[1] == 'Z' && run(rust_demangle_callback, mangled, k))
		return true;
	return run_with(cplus_demangle_v3_callback, DMGL_PARAMS | DMGL_TYPES, mangled, k);
}

/* noinline: the frame holds the 64 KiB of text, and most names never come here. */
__attribute__((noinline)) static const char *
demangle_text(const char *mangled, size_t len, unsigned how, struct arena *out, bool *limited)
{
	struct sink k;

	k.limited = false;
	if (how & DEMANGLE_BY_CXA ? render_by_cxa(mangled, &k) : render(mangled, len, &k))
		return arena_strndup(out, k.text, k.len);
	*limited = k.limited;
	return NULL;
}

static bool put_other_name(struct buf *b, const char *name, unsigned how)
{
	bool as_perf = how & DEMANGLE_AS_PERF;

	if (ocaml_name(b, name, as_perf))
		return true;
	b->len = 0;
	if (java_name(b, name, as_perf))
		return true;
	b->len = 0;
	return how & DEMANGLE_GHC && ghc_name(b, name);
}

/* By langnames.h. */
static const char *other_name(const char *name, unsigned how, struct arena *out, bool *limited)
{
	const char *text = NULL;
	struct buf b = { 0 };

	if (put_other_name(&b, name, how) && b.len) {
		if (b.len <= DEMANGLE_OUTPUT_MAX)
			text = arena_strndup(out, b.data, b.len);
		else
			*limited = true;
	}
	buf_release(&b);
	return text;
}

/* Is there any use in trying? */
static bool may_be_mangled(const char *s, unsigned how)
{
	return how & DEMANGLE_BY_CXA || is_libibertys(s) || s[0] == 'L' || !strncmp(s, "caml", 4) ||
	       how & DEMANGLE_GHC || (how & DEMANGLE_AS_PERF && strchr(s, ')'));
}

static const char *with_suffix(const char *text, const char *suffix, struct arena *out)
{
	size_t len = strlen(text), tail = strlen(suffix);
	char *s = arena_bytes(out, len + tail + 1);

	memcpy(s, text, len);
	memcpy(s + len, suffix, tail + 1);
	return s;
}

static const char *readable(const char *mangled, unsigned how, struct arena *out, bool *limited)
{
	static const char plt[] = "@plt";
	const size_t plt_len = sizeof(plt) - 1;
	const char *text = NULL, *name = mangled;
	size_t len = strnlen(mangled, DEMANGLE_INPUT_MAX + 1);
	char *front = NULL;

	*limited = len > DEMANGLE_INPUT_MAX;
	if (*limited)
		return NULL;
	if (len > plt_len && !strcmp(mangled + len - plt_len, plt)) {
		len -= plt_len;
		name = front = strndup(mangled, len);
	}
	if (how & DEMANGLE_BY_CXA || is_libibertys(name))
		text = demangle_text(name, len, how, out, limited);
	text = text ?: other_name(name, how, out, limited);
	if (text && front)
		text = with_suffix(text, plt, out);
	free(front);
	return text;
}

const char *demangle(const char *mangled, unsigned how, struct arena *out, uint64_t *limited)
{
	const char *text;
	bool hit;

	if (!may_be_mangled(mangled, how))
		return mangled;
	text = readable(mangled, how, out, &hit);
	if (limited && !text)
		*limited += hit;
	return text ?: mangled;
}
