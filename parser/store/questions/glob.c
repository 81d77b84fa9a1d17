/* fnmatch(3) knows classes, '!' and a backslash, which SQLite's GLOB does not
 * (https://sqlite.org/lang_expr.html), nor RE2 all of them: so brackets become sets of characters,
 * and each engine writes these in its way. */
#include "parser/store/questions/glob.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <ctype.h>
#include <string.h>
#include <sys/param.h>

/* Names have no other characters below 128. */
#define FIRST ' '
#define LAST  '~'

enum kind { END, CHARACTER, ONE, ANY, SET, NOTHING };

struct piece {
	enum kind kind;
	char c;	  /* of CHARACTER */
	bool but; /* of SET: all but these */
	bool has[LAST + 1];
	struct buf others; /* beyond LAST: characters, and two with '-' between */
};

static const struct named_class {
	const char *name;
	int (*has)(int c);
} classes[] = {
	{ "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl },
	{ "digit", isdigit }, { "graph", isgraph }, { "lower", islower }, { "print", isprint },
	{ "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
};

/* "[:NAME:]" at *AT, which goes behind it. False: it is none. */
static bool take_class(const char **at, struct piece *out)
{
	const char *name = *at + 2, *end = name + strspn(name, "abcdefghijklmnopqrstuvwxyz");
	bool known = false;

	if ((*at)[0] != '[' || (*at)[1] != ':' || end[0] != ':' || end[1] != ']')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (strlen(classes[i].name) != (size_t)(end - name) ||
		    memcmp(classes[i].name, name, (size_t)(end - name)))
			continue;
		for (int c = FIRST; c <= LAST; c++)
			out->has[c] |= classes[i].has(c) != 0;
		known = true;
	}
	if (!known)
		out->kind = NOTHING;
	*at = end + 2;
	return true;
}

struct member {
	const char *at;
	size_t len; /* 0: the pattern ends */
};

static struct member take_member(const char **at)
{
	struct member m;

	/* "[.c.]" and "[=c=]": c itself, as names have no other order than that of their bytes */
	if ((*at)[0] == '[' && strchr(".=", (*at)[1]) && (*at)[1] && (*at)[2] &&
	    (*at)[3] == (*at)[1] && (*at)[4] == ']') {
		m = (struct member){ *at + 2, 1 };
		*at += 5;
		return m;
	}
	if (**at == '\\')
		++*at;
	m = (struct member){ *at, **at != '\0' };
	if (m.len)
		m.len = utf8_shown(m.at, strlen(m.at)) ?: 1;
	*at += m.len;
	return m;
}

static void add_range(struct piece *out, struct member low, struct member high)
{
	for (int c = FIRST; c <= LAST; c++)
		out->has[c] |= low.len == 1 && (uint8_t)low.at[0] <= c &&
			       (high.len > 1 || c <= (uint8_t)high.at[0]);
	if (high.len == 1)
		return;
	if (low.len == 1)
		low = (struct member){ "\xc2\x80", 2 };
	if (memcmp(low.at, high.at, MIN(low.len, high.len)) > 0)
		return;
	buf_add(&out->others, low.at, low.len);
	if (low.at == high.at)
		return;
	buf_char(&out->others, '-');
	buf_add(&out->others, high.at, high.len);
}

/* What is behind '[' at *AT, which goes behind its end. False: it has none. */
static bool take_set(const char **at, struct piece *out)
{
	const char *p = *at;

	out->kind = SET;
	out->but = *p == '!' || *p == '^';
	p += out->but;
	for (bool first = true; first || *p != ']'; first = false) {
		struct member low, high;

		if (take_class(&p, out))
			continue;
		if (*p == '\0')
			return false;
		low = high = take_member(&p);
		if (p[0] == '-' && p[1] != ']') {
			p++;
			high = take_member(&p);
		}
		if (!low.len || !high.len) {
			out->kind = NOTHING;
			return true;
		}
		add_range(out, low, high);
	}
	*at = p + 1;
	return true;
}

static void next(const char **at, struct piece *out)
{
	char c = *(*at)++;

	out->kind = CHARACTER;
	out->c = c;
	out->others.len = 0;
	memset(out->has, 0, sizeof(out->has));
	if (c == '\0')
		out->kind = END;
	else if (c == '*')
		out->kind = ANY;
	else if (c == '?')
		out->kind = ONE;
	else if (c == '\\' && **at == '\0')
		out->kind = NOTHING;
	else if (c == '\\')
		out->c = *(*at)++;
	else if (c == '[' && !take_set(at, out))
		out->kind = CHARACTER;
}

/* ---- in an engine's words ---- */

/* The characters of a set but for those of SPECIAL, as ranges. */
static void put_ranges(struct buf *out, const struct piece *set, const char *special)
{
	for (int c = FIRST, end; c <= LAST; c = end + 1) {
		end = c;
		if (!set->has[c] || strchr(special, c))
			continue;
		while (end < LAST && set->has[end + 1] && !strchr(special, end + 1))
			end++;
		buf_char(out, (char)c);
		if (end > c + 1)
			buf_char(out, '-');
		if (end > c)
			buf_char(out, (char)end);
	}
}

/* What is special stands where it is not: a bracket first, '^' last. */
static void put_sqlite(struct buf *out, const struct piece *p)
{
	bool quoted = p->kind == CHARACTER && strchr("*?[", p->c);

	if (p->kind == SET) {
		buf_printf(out, "[%s%s%s", p->but ? "^" : "", p->has[']'] ? "]" : "",
			   p->has['-'] ? "-" : "");
		put_ranges(out, p, "]-^");
		buf_add(out, p->others.data ?: "", p->others.len);
		buf_str(out, p->has['^'] ? "^]" : "]");
	} else if (p->kind == CHARACTER) {
		buf_printf(out, quoted ? "[%c]" : "%c", p->c);
	} else {
		buf_char(out, p->kind == ANY ? '*' : '?');
	}
}

static void put_re2(struct buf *out, const struct piece *p)
{
	static const char special[] = "\\[]^-";

	if (p->kind == SET) {
		buf_str(out, p->but ? "[^" : "[");
		put_ranges(out, p, special);
		for (const char *c = special; *c; c++) {
			if (p->has[(int)*c])
				buf_printf(out, "\\%c", *c);
		}
		buf_add(out, p->others.data ?: "", p->others.len);
		buf_char(out, ']');
	} else if (p->kind == CHARACTER) {
		buf_printf(out, strchr("\\.+*?^$(){}|[]", p->c) ? "\\%c" : "%c", p->c);
	} else {
		buf_str(out, p->kind == ANY ? ".*" : ".");
	}
}

/* A set of one character, or of none, is no set. */
static void simplify(struct piece *p)
{
	unsigned count = p->others.len > 0;

	for (int c = FIRST; c <= LAST; c++)
		count += p->has[c];
	if (p->kind != SET || count > (p->but ? 0 : 1) || p->others.len)
		return;
	p->kind = p->but ? ONE : count ? CHARACTER : NOTHING;
	for (int c = FIRST; c <= LAST; c++)
		p->c = p->has[c] ? (char)c : p->c;
}

static bool put_pieces(struct buf *out, const char *pattern,
		       void (*put)(struct buf *out, const struct piece *p))
{
	struct piece p = { .kind = ANY };

	while (p.kind != END && p.kind != NOTHING) {
		next(&pattern, &p);
		simplify(&p);
		if (p.kind != END && p.kind != NOTHING)
			put(out, &p);
	}
	buf_release(&p.others);
	return p.kind == END;
}

bool glob_sqlite(struct buf *out, const char *pattern)
{
	return put_pieces(out, pattern, put_sqlite);
}

bool glob_re2(struct buf *out, const char *pattern)
{
	bool any;

	buf_char(out, '^');
	any = put_pieces(out, pattern, put_re2);
	buf_char(out, '$');
	return any;
}
