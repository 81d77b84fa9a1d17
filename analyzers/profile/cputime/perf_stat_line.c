/* Lines of perf stat's text and -x output that tell of a clock:
 *
 *     0.1003 CPU0   1,106.28 msec task-clock   #  0.998 CPUs utilized  ( +- 0.10% )
 *     0.1003,CPU0,1106.28,msec,task-clock,0.10%,1106283911,100.00,0.998,CPUs utilized
 *
 * The event is found first; what stands before it is read backwards, so that it does not matter how
 * many columns begin the line, nor what separates them. */
#include "analyzers/profile/cputime/perf_stat.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <string.h>

struct span {
	const char *start, *end;
};

static size_t span_len(struct span s)
{
	return (size_t)(s.end - s.start);
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* Is the N bytes at P, which are the name of a clock, a word of its own? Its end, with the
 * modifiers, goes to *END. */
static bool is_event(struct span line, const char *p, size_t n, const char **end)
{
	const char *e = p + n;

	if (p == line.start || is_name(p[-1]))
		return false;
	if (e < line.end && *e == ':')
		e++;
	while (e < line.end && e > p + n && islower((unsigned char)*e))
		e++;
	*end = e;
	return e == line.end || !is_name(*e);
}

static bool find_event(struct span line, struct span *out)
{
	static const char *const clocks[] = { "task-clock", "cpu-clock" };

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		size_t n = strlen(clocks[i]);
		const char *p = line.start;

		while ((p = memmem(p, (size_t)(line.end - p), clocks[i], n))) {
			out->start = p;
			if (is_event(line, p, n, &out->end))
				return true;
			p += n;
		}
	}
	return false;
}

/* How many ns is one of UNIT? Where perf names none it means msec. */
static uint64_t unit_ns(struct span unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1000000 },  { "msec", 1000000 },	 { "ms", 1000000 },
		{ "usec", 1000 }, { "us", 1000 },	 { "nsec", 1 },
		{ "ns", 1 },	  { "sec", 1000000000 }, { "s", 1000000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strlen(units[i].name) == span_len(unit) &&
		    !memcmp(units[i].name, unit.start, span_len(unit)))
			return units[i].ns;
	}
	return 0;
}

/* A number as a locale writes it: the last mark parts the decimals, others part the thousands. */
static bool parse_number(struct span s, uint64_t unit, uint64_t *ns)
{
	const char *mark = NULL;
	uint64_t v = 0, scale = unit;

	for (const char *p = s.start; p < s.end; p++) {
		if (!isdigit((unsigned char)*p))
			mark = p;
	}
	for (const char *p = s.start; p < s.end; p++) {
		if (!isdigit((unsigned char)*p))
			continue;
		if (mark && p > mark) {
			scale /= 10;
			v += (uint64_t)(*p - '0') * scale;
		} else if (__builtin_mul_overflow(v, 10, &v) ||
			   __builtin_add_overflow(v, (uint64_t)(*p - '0') * unit, &v)) {
			return false;
		}
	}
	*ns = v;
	return true;
}

/* The number that ends at END; SEP is what parts the columns, so it is not in the number. */
static struct span number_before(struct span line, const char *end, struct span sep)
{
	const char *p = end;

	while (p > line.start) {
		unsigned char c = (unsigned char)p[-1];
		/* in French the thousands are separated by a narrow no-break space, UTF-8 E2 80 AF
		 */
		bool mark = c == '.' || c == ',' || c == '\'' || c >= 0x80;

		if (!isdigit(c) && !mark)
			break;
		if (mark && span_len(sep) && memchr(sep.start, c, span_len(sep)))
			break;
		p--;
	}
	while (p < end && !isdigit((unsigned char)*p))
		p++;
	return (struct span){ p, end };
}

static bool ends_with(struct span line, const char *end, struct span what)
{
	return (size_t)(end - line.start) >= span_len(what) &&
	       !memcmp(end - span_len(what), what.start, span_len(what));
}

/* A time of -I in front: blanks, digits, a point and nine digits. */
static bool is_interval(struct span line, const char *number)
{
	const char *p = line.start;
	size_t whole = 0, frac = 0;

	while (p < number && isblank((unsigned char)*p))
		p++;
	for (; p < number && isdigit((unsigned char)*p); p++)
		whole++;
	if (!whole || p >= number || (*p != '.' && *p != ','))
		return false;
	for (p++; p < number && isdigit((unsigned char)*p); p++)
		frac++;
	return frac == 9;
}

/* -x: after the event perhaps a deviation, then the ns that the counter ran. */
static uint64_t running_after(struct span line, const char *p, struct span sep)
{
	for (int field = 0; field < 2; field++) {
		uint64_t v = 0;

		if ((size_t)(line.end - p) < span_len(sep) ||
		    memcmp(p, sep.start, span_len(sep)) != 0)
			return 0;
		p += span_len(sep);
		while (p < line.end && isdigit((unsigned char)*p)) {
			if (__builtin_mul_overflow(v, 10, &v) ||
			    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
				return 0;
			p++;
		}
		if (p < line.end && *p != '.' && *p != '%')
			return v;
		while (p < line.end && (isdigit((unsigned char)*p) || *p == '.' || *p == '%'))
			p++;
	}
	return 0;
}

/* What parts the unit from the event, and the unit. */
static void unit_before(struct span line, const char *event, struct span *unit, struct span *sep)
{
	const char *p = event;

	while (p > line.start && !isalnum((unsigned char)p[-1]) && p[-1] != '>')
		p--;
	*sep = (struct span){ p, event };
	unit->end = p;
	while (p > line.start && isalpha((unsigned char)p[-1]))
		p--;
	unit->start = p;
	/* "12.5,,task-clock": an empty unit between two separators */
	if (!span_len(*unit) && span_len(*sep) > 1 && !isblank((unsigned char)*sep->start)) {
		sep->start += span_len(*sep) / 2;
		unit->start = unit->end = sep->start;
	}
}

/* Text of perf before 4.18: "1106.283911      task-clock (msec)". */
static bool has_late_unit(struct span line, const char *p)
{
	static const char unit[] = " (msec)";
	size_t n = sizeof(unit) - 1;

	return (size_t)(line.end - p) >= n && !memcmp(p, unit, n);
}

bool stat_line_parse(struct stat_line *out, const char *text, size_t len)
{
	struct span line = { text, text + len }, event, unit, sep, number;
	const char *end;
	uint64_t one;

	memset(out, 0, sizeof(*out));
	if (!find_event(line, &event))
		return false;
	unit_before(line, event.start, &unit, &sep);
	out->csv = span_len(sep) && sep.start[0] != ' ';
	end = unit.start;
	if (out->csv && ends_with(line, end, sep))
		end -= span_len(sep);
	while (!out->csv && end > line.start && isblank((unsigned char)end[-1]))
		end--;
	number = number_before(line, end, out->csv ? sep : (struct span){ 0 });
	one = unit_ns(unit);
	out->event = event.start;
	out->event_len = span_len(event);
	out->interval = is_interval(line, number.start);
	if (end > line.start && end[-1] == '>')
		return true;
	if (!out->csv && !span_len(unit) && !has_late_unit(line, event.end))
		return false;
	if (!one || !span_len(number) || !parse_number(number, one, &out->ns))
		return false;
	out->counted = true;
	if (out->csv)
		out->running_ns = running_after(line, event.end, sep);
	return true;
}
