/* What words of perf stat's lines mean by themselves. Reads within its span only. */
#include "analyzers/perfstat/stat_number.h"

#include <ctype.h>
#include <string.h>

#define NS_DIGITS 9

struct stat_span span_trim(struct stat_span s)
{
	while (s.len && isspace((unsigned char)*s.start)) {
		s.start++;
		s.len--;
	}
	while (s.len && isspace((unsigned char)s.start[s.len - 1]))
		s.len--;
	return s;
}

bool span_begins(struct stat_span s, const char *text)
{
	size_t n = strlen(text);

	return s.len >= n && (!n || !memcmp(s.start, text, n));
}

bool span_is(struct stat_span s, const char *text)
{
	return s.len == strlen(text) && span_begins(s, text);
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A mark between digits: how long it is at P; 0: there is none. In French the thousands are
 * separated by a narrow no-break space, UTF-8 E2 80 AF, or by a no-break one, C2 A0. */
static size_t mark_at(const char *p, const char *end)
{
	static const char *const marks[] = { ".",	 ",",	 "'",		" ", "\xe2\x80\xaf",
					     "\xc2\xa0", "\xa0", "\xe2\x80\x99" };
	struct stat_span rest = span_of(p, end);

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (span_begins(rest, marks[i]))
			return strlen(marks[i]);
	}
	return 0;
}

/* What a number is made of. */
struct groups {
	struct stat_number n;
	struct stat_span mark;	/* the last one */
	unsigned marks, behind; /* digits behind that */
	bool mixed;		/* the last mark is not that before it */
	bool odd;		/* a mark does not stand where thousands are separated */
};

static bool add_digit(struct groups *g, char c)
{
	g->behind++;
	return !__builtin_mul_overflow(g->n.digits, 10, &g->n.digits) &&
	       !__builtin_add_overflow(g->n.digits, (uint64_t)(c - '0'), &g->n.digits);
}

static void add_mark(struct groups *g, struct stat_span mark)
{
	/* 12,34,567 in India */
	g->odd |= g->mixed || g->behind > 3 || (g->marks && g->behind < 2);
	g->mixed = g->marks &&
		   (g->mark.len != mark.len || memcmp(g->mark.start, mark.start, mark.len));
	g->mark = mark;
	g->marks++;
	g->behind = 0;
}

/* perf prints no three decimals: with three digits behind a single mark it separates thousands. */
bool number_parse(struct stat_span s, struct stat_number *out)
{
	const char *p = s.start, *end = span_end(s);
	struct groups g = { { 0, 0 }, { NULL, 0 }, 0, 0, false, false };
	bool decimals, blank;

	if (!s.len || !is_digit(*p) || !is_digit(end[-1]))
		return false;
	while (p < end) {
		size_t mark = is_digit(*p) ? 0 : mark_at(p, end);

		if (!mark && (!is_digit(*p) || !add_digit(&g, *p)))
			return false;
		if (mark)
			add_mark(&g, (struct stat_span){ p, mark });
		p += mark ? mark : 1;
	}
	blank = g.marks && *g.mark.start != '.' && *g.mark.start != ',';
	decimals = g.marks && (g.mixed || (g.marks == 1 && g.behind != 3));
	/* the first mark has as many digits before it as it likes where they are decimals behind it
	 */
	if (g.marks > 1 && (g.odd || (!decimals && g.behind != 3)))
		return false;
	/* 1106.283, 0.283: no thousands are written so */
	decimals |= g.marks == 1 && ((g.odd && !blank) || *s.start == '0');
	if (g.odd && !decimals)
		return false;
	if (decimals && blank)
		return false;
	g.n.decimals = decimals ? g.behind : 0;
	*out = g.n;
	return g.n.decimals <= 18;
}

double stat_number(struct stat_number n)
{
	double v = (double)n.digits;

	for (unsigned i = 0; i < n.decimals; i++)
		v /= 10;
	return v;
}

bool whole_parse(struct stat_span s, uint64_t *out)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (!is_digit(s.start[i]) || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.start[i] - '0'), &v))
			return false;
	}
	*out = v;
	return s.len;
}

bool real_parse(struct stat_span s, double *out)
{
	double v = 0, scale = 0;

	if (!s.len || s.len > 40 || !is_digit(*s.start))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.start[i];

		if ((c == '.' || c == ',') && scale == 0) {
			scale = 1;
			continue;
		}
		if (!is_digit(c))
			return false;
		v = scale == 0 ? 10 * v + (c - '0') : v + (c - '0') * (scale /= 10);
	}
	*out = v;
	return true;
}

bool percent_parse(struct stat_span s, double *out)
{
	s = span_trim(s);
	if (!s.len || s.start[s.len - 1] != '%')
		return false;
	s.len--;
	return real_parse(span_trim(s), out);
}

bool interval_parse(struct stat_span s, uint64_t *ns)
{
	const char *point = s.len > NS_DIGITS + 1 ? span_end(s) - NS_DIGITS - 1 : NULL;
	uint64_t sec, rest;

	return point && (*point == '.' || *point == ',') &&
	       whole_parse(span_of(s.start, point), &sec) &&
	       whole_parse(span_of(point + 1, span_end(s)), &rest) &&
	       !__builtin_mul_overflow(sec, 1000000000u, &sec) &&
	       !__builtin_add_overflow(sec, rest, ns);
}

/* ---- words ---- */

size_t state_parse(struct stat_span s, enum stat_state *out)
{
	static const char *const states[] = {
		[STAT_NOT_COUNTED] = "<not counted>", [STAT_NOT_SUPPORTED] = "<not supported>"
	};

	for (enum stat_state i = STAT_NOT_COUNTED; i <= STAT_NOT_SUPPORTED; i++) {
		if (span_begins(s, states[i])) {
			*out = i;
			return strlen(states[i]);
		}
	}
	return 0;
}

bool place_parse(struct stat_span s, bool *added)
{
	static const char *const parts[] = { "CPU", "CLS", "ID", "S", "D", "C", "L", "N" };
	const char *p = s.start, *end = span_end(s);

	*added = !span_begins(s, "CPU");
	while (p < end) {
		size_t i = 0, n;

		while (i < sizeof(parts) / sizeof(*parts) &&
		       !span_begins(span_of(p, end), parts[i]))
			i++;
		if (i == sizeof(parts) / sizeof(*parts))
			return false;
		p += strlen(parts[i]);
		for (n = 0; p < end && (is_digit(*p) || (!n && *p == '-')); n++)
			p++;
		if (!n || n > 10 || (p < end && *p++ != '-'))
			return false;
	}
	return s.len && is_digit(end[-1]);
}

bool thread_parse(struct stat_span s)
{
	size_t digits = 0;

	while (digits < s.len && is_digit(s.start[s.len - 1 - digits]))
		digits++;
	return digits && digits < 11 && digits < s.len && s.start[s.len - 1 - digits] == '-';
}

/* "cycles:u", "cpu/event=0x3c,umask=0x1/", "task-clock [software]" */
bool is_event_name(struct stat_span s)
{
	bool letter = false;

	if (!s.len || !(isalpha((unsigned char)*s.start) || strchr("_{", *s.start)))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.start[i];

		letter |= isalpha(c);
		if (c < 0x20 || (c == ' ' && (i + 1 == s.len || s.start[i + 1] != '[')))
			return false;
	}
	return letter;
}

/* "msec", "Joules", "%", "64Bytes", "MiB/s" */
bool is_unit_name(struct stat_span s)
{
	bool any = false;

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.start[i];

		if (!isalnum(c) && c != '/' && c != '%' && c != '_')
			return false;
		any |= !isdigit(c);
	}
	return any && s.len <= 24;
}
