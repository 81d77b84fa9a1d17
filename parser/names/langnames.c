/* One small parser for each language. They go through a name once, from its front. */
#include "parser/names/langnames.h"
#include "parser/base/mem.h"

#include <stdint.h>
#include <string.h>

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_alpha(char c)
{
	return is_upper(c) || (c >= 'a' && c <= 'z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit, -1: it is none. */
static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* ---- OCaml ---- */

bool ocaml_name(struct buf *out, const char *name, bool as_perf)
{
	bool parts = false;

	if (strncmp(name, "caml", 4) || !is_upper(name[4]))
		return false;
	for (const char *s = name + 4; *s;) {
		int byte = s[0] == '$' && hex_digit(s[1]) >= 0 && hex_digit(s[2]) >= 0
				   ? hex_digit(s[1]) << 4 | hex_digit(s[2])
				   : -1;

		if (s[0] == '_' && s[1] == '_') {
			buf_char(out, '.');
			parts = true;
			s += 2;
		} else if (byte >= 0) {
			if (as_perf && !byte)
				return true;
			if (!as_perf && (byte < ' ' || byte == 0x7f))
				return false;
			buf_char(out, (char)byte);
			s += 3;
		} else {
			parts |= *s == '.';
			buf_char(out, *s++);
		}
	}
	/* a name in a module; without one it may be C's */
	return parts || as_perf;
}

/* ---- Java, as perf reads it ---- */

static const char *base_type(char c)
{
	static const struct {
		char letter;
		const char *name;
	} types[] = { { 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" },
		      { 'I', "int" },  { 'J', "long" }, { 'S', "short" },  { 'Z', "boolean" } };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (types[i].letter == c)
			return types[i].name;
	}
	return NULL;
}

enum java_mode { JAVA_PREFIX, JAVA_CLASS, JAVA_FUNC, JAVA_TYPE, JAVA_TYPE_CLASS };

struct java {
	struct buf *out;
	enum java_mode mode;
	unsigned arrays, args;
};

static void java_arg(struct java *j, const char *name)
{
	if (j->args++)
		buf_str(j->out, ", ");
	buf_str(j->out, name);
}

static void java_arrays(struct java *j)
{
	for (; j->arrays; j->arrays--)
		buf_str(j->out, "[]");
}

/* Between parentheses. */
static bool java_type_char(struct java *j, char c)
{
	const char *base = base_type(c);

	if (base || c == 'V') {
		if (base)
			java_arg(j, base);
		else
			buf_str(j->out, "void");
		java_arrays(j);
	} else if (c == 'L') {
		java_arg(j, "");
		j->mode = JAVA_TYPE_CLASS;
	} else if (c == '[') {
		j->arrays++;
	} else if (c == '(' || c == ';' || c == '/') {
		return false;
	} else {
		buf_char(j->out, c);
	}
	return true;
}

static bool java_char(struct java *j, const char *s)
{
	bool in_class = j->mode == JAVA_CLASS || j->mode == JAVA_TYPE_CLASS;

	if (j->mode == JAVA_TYPE)
		return java_type_char(j, *s);
	if (*s == 'L' && j->mode == JAVA_PREFIX) {
		j->mode = JAVA_CLASS;
	} else if (*s == '/' && in_class) {
		buf_char(j->out, '.');
	} else if (*s == ';' && in_class) {
		if (j->mode == JAVA_CLASS && is_alpha(s[1]))
			buf_char(j->out, '.');
		j->mode = j->mode == JAVA_CLASS ? JAVA_FUNC : JAVA_TYPE;
	} else if (*s == '(' && j->mode == JAVA_FUNC) {
		buf_char(j->out, '(');
		j->mode = JAVA_TYPE;
	} else if (strchr("/;([)", *s)) {
		return false;
	} else {
		buf_char(j->out, *s);
	}
	return true;
}

/* The arrays of classes are lost, or become those of what comes next; and of a long text the end
 * is. */
static bool java_as_perf(struct buf *out, const char *name)
{
	const char *end = strrchr(name, ')');
	struct java j = { .out = out, .mode = JAVA_PREFIX };
	size_t max = strlen(name) * 3;

	for (const char *s = name; end && s <= end && out->len < max; s++) {
		if (*s == ')' && j.mode == JAVA_TYPE) {
			buf_char(out, ')');
			j.args = 0;
		} else if (!java_char(&j, s)) {
			return false;
		}
	}
	if (out->len > max)
		out->len = max;
	return end != NULL;
}

/* ---- Java ---- */

/* The characters of a name that means nothing else, up to one of ENDS. 0: there are none, or
 * others.
 */
static size_t java_word(const char *s, const char *ends)
{
	size_t n = strcspn(s, ends);

	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)s[i] <= ' ' || strchr(";[/():,", s[i]))
			return 0;
	}
	return n;
}

/* "java/lang/String;" at *S. */
static bool java_class(struct buf *out, const char **s)
{
	for (;; buf_char(out, '.'), (*s)++) {
		size_t n = java_word(*s, "/;");

		buf_add(out, *s, n);
		*s += n;
		if (!n || (**s != '/' && **s != ';'))
			return false;
		if (**s == ';')
			break;
	}
	(*s)++;
	return true;
}

/* A type of a descriptor at *S. */
static bool java_type(struct buf *out, const char **s)
{
	size_t arrays = strspn(*s, "[");
	const char *base;

	*s += arrays;
	base = base_type(**s);
	if (base)
		buf_str(out, base);
	else if (**s != 'L')
		return false;
	(*s)++;
	if (!base && !java_class(out, s))
		return false;
	while (arrays--)
		buf_str(out, "[]");
	return true;
}

/* "(ILjava/lang/String;)V" at *S; what is returned is not shown. */
static bool java_descriptor(struct buf *out, const char **s)
{
	size_t before;

	buf_char(out, '(');
	for ((*s)++; **s != ')';) {
		if (out->data[out->len - 1] != '(')
			buf_str(out, ", ");
		if (!java_type(out, s))
			return false;
	}
	buf_char(out, ')');
	(*s)++;
	before = out->len;
	if (**s == 'V')
		(*s)++;
	else if (!java_type(out, s))
		return false;
	out->len = before;
	return true;
}

/* One method at *S; what was inlined into it may follow: "...->Lc/D;::n". */
static bool java_method(struct buf *out, const char **s)
{
	const char *name;
	bool colons;
	size_t n;

	if (*(*s)++ != 'L' || !java_class(out, s))
		return false;
	colons = (*s)[0] == ':' && (*s)[1] == ':';
	*s += colons ? 2 : 0;
	name = *s;
	if (!strncmp(name, "<init>", 6) || !strncmp(name, "<clinit>", 8)) {
		n = strcspn(name, ">") + 1;
	} else {
		n = java_word(name, "(>");
		n -= n && name[n] == '>' && name[n - 1] == '-';
	}
	if (!n || (!colons && name[n] != '('))
		return false;
	if (*name != '<')
		buf_char(out, '.');
	buf_add(out, name, n);
	*s += n;
	return **s != '(' || java_descriptor(out, s);
}

bool java_name(struct buf *out, const char *name, bool as_perf)
{
	const char *s = name;

	if (as_perf)
		return java_as_perf(out, name);
	while (java_method(out, &s)) {
		if (!*s)
			return true;
		if (s[0] != '-' || s[1] != '>')
			return false;
		buf_str(out, "->");
		s += 2;
	}
	return false;
}

/* ---- Haskell ---- */

#define TUPLE_MAX 64 /* GHC's largest */

/* Is NAME's last part one of those that GHC gives to what it makes of a binding? */
bool ghc_name_ends(const char *name)
{
	static const char *const ends[] = { "info",  "entry", "closure", "slow", "fast",
					    "ret",   "alt",   "dflt",	 "srt",	 "btm",
					    "bytes", "str",   "table",	 "tbl" };
	const char *end = strrchr(name, '_');

	for (size_t i = 0; end && i < ARRAY_SIZE(ends); i++) {
		if (!strcmp(end + 1, ends[i]))
			return true;
	}
	return false;
}

static void put_utf8(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_char(out, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_char(out, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			buf_char(out, (char)(0xe0 | c >> 12));
		} else {
			buf_char(out, (char)(0xf0 | c >> 18));
			buf_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		buf_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	buf_char(out, (char)(0x80 | (c & 0x3f)));
}

/* "zNNNU": the character with this number, in hex that begins with a digit. */
static bool ghc_unicode(struct buf *out, const char **s)
{
	uint32_t c = 0;
	int digit;

	for ((*s)++; (digit = hex_digit(**s)) >= 0 && c <= 0x10ffff; (*s)++)
		c = c << 4 | (uint32_t)digit;
	if (**s != 'U' || c <= ' ' || (c >= 0x7f && c < 0xa0) || c > 0x10ffff || c >> 11 == 0x1b)
		return false;
	(*s)++;
	put_utf8(out, c);
	return true;
}

/* "ZNT", "ZNH": a tuple of N parts, the second kind unboxed. */
static bool ghc_tuple(struct buf *out, const char **s)
{
	unsigned n = 0;
	bool plain;

	for ((*s)++; is_digit(**s) && n <= TUPLE_MAX; (*s)++)
		n = n * 10 + (unsigned)(**s - '0');
	plain = **s == 'T';
	if ((!plain && **s != 'H') || n > TUPLE_MAX)
		return false;
	(*s)++;
	buf_str(out, plain ? "(" : n == 1 ? "(# " : "(#");
	while (n-- > 1)
		buf_char(out, ',');
	buf_str(out, plain ? ")" : "#)");
	return true;
}

/* What z or Z at *S stands for. */
static bool ghc_code(struct buf *out, const char **s)
{
	static const char codes[] = "za&zb|zc^zd$ze=zg>zh#zi.zl<zm-zn!zp+zq'zr\\zs/zt*zu_zv%zzz"
				    "ZL(ZR)ZM[ZN]ZC:ZZZ";

	if (is_digit((*s)[1]))
		return **s == 'z' ? ghc_unicode(out, s) : ghc_tuple(out, s);
	for (const char *c = codes; *c; c += 3) {
		if (c[0] != (*s)[0] || c[1] != (*s)[1])
			continue;
		buf_char(out, c[2]);
		*s += 2;
		return true;
	}
	return false;
}

/* Is it "[package-0.1_]Some.Module_" or ":Main_" at the front of what was decoded? */
static bool ghc_has_module(const char *s)
{
	for (unsigned i = 0; i < 2; i++) {
		size_t n = strcspn(s, "_"), letters = *s == ':';

		while (letters < n &&
		       (is_alpha(s[letters]) || is_digit(s[letters]) || strchr(".-'", s[letters])))
			letters++;
		if (!n || letters < n || !s[n])
			return false;
		if (is_upper(s[*s == ':']) && !memchr(s, '-', n))
			return true;
		s += n + 1;
	}
	return false;
}

bool ghc_name(struct buf *out, const char *name)
{
	bool coded = false;

	if (!ghc_name_ends(name))
		return false;
	for (const char *s = name; *s;) {
		if (*s != 'z' && *s != 'Z') {
			buf_char(out, *s++);
			continue;
		}
		coded = true;
		if (!ghc_code(out, &s))
			return false;
	}
	return coded && ghc_has_module(out->data);
}
