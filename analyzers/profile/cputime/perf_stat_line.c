/* Lines of perf stat's text and -x output that tell of a clock, or of another counter:
 *
 *     0.1003 CPU0   1,106.28 msec task-clock   #  0.998 CPUs utilized  ( +- 0.10% )
 *     0.1003,CPU0,1106.28,msec,task-clock,0.10%,1106283911,100.00,0.998,CPUs utilized
 *     1106.283911 task-clock         #    0.998 CPUs utilized                  (before 4.2)
 *     1106.283911 task-clock-msecs   #    0.998 CPUs                           (2010)
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

	if (p == line.start || is_name(p[-1]) || p[-1] == ':')
		return false;
	if (e < line.end && *e == ':')
		e++;
	while (e < line.end && e > p + n && islower((unsigned char)*e))
		e++;
	*end = e;
	return e == line.end || !is_name(*e);
}

static bool find_name(struct span line, const char *name, struct span *out)
{
	size_t n = strlen(name);
	const char *p = line.start;

	while (n && (p = memmem(p, (size_t)(line.end - p), name, n))) {
		out->start = p;
		if (is_event(line, p, n, &out->end))
			return true;
		p += n;
	}
	return false;
}

static bool find_clock(struct span line, struct span *out)
{
	static const char *const clocks[] = { "task-clock", "cpu-clock", "task-clock-msecs",
					      "cpu-clock-msecs" };

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (find_name(line, clocks[i], out))
			return true;
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

/* Counts have no decimals: all marks part thousands. */
static bool parse_count(struct span s, uint64_t *count)
{
	uint64_t v = 0;

	for (const char *p = s.start; p < s.end; p++) {
		if (!isdigit((unsigned char)*p))
			continue;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return false;
	}
	*count = v;
	return true;
}

/* "12.5 %" or "12,5%" that ends at END, as a part of 1; 0: there is none. */
static double percent_before(const char *start, const char *end)
{
	const char *p = end;
	double number = 0, scale = 1;

	if (p == start || *--p != '%')
		return 0;
	end = p;
	while (p > start && (isdigit((unsigned char)p[-1]) || p[-1] == '.' || p[-1] == ','))
		p--;
	for (; p < end && isdigit((unsigned char)*p); p++)
		number = 10 * number + (*p - '0');
	for (p++; p < end && isdigit((unsigned char)*p); p++)
		number += (*p - '0') * (scale /= 10);
	return number / 100;
}

/* "+- 9.92%" behind EVENT; of -x the next column. */
static double error_after(struct span line, const char *event_end, struct span sep, bool csv)
{
	struct span rest = { event_end, line.end };
	const char *p =
		csv ? event_end + span_len(sep) : memmem(rest.start, span_len(rest), "+-", 2);
	const char *end;

	if (!p || p >= line.end)
		return 0;
	if (csv) {
		end = span_len(sep) ? memmem(p, (size_t)(line.end - p), sep.start, span_len(sep))
				    : NULL;
		return percent_before(p, end ? end : line.end);
	}
	end = memchr(p, '%', (size_t)(line.end - p));
	return end ? percent_before(p, end + 1) : 0;
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

/* Text of older perf: "1106.283911      task-clock (msec)", "task-clock-msecs", or no unit, then
 * "#" or nothing. */
static bool has_late_unit(struct span line, struct span event)
{
	static const char unit[] = " (msec)", name[] = "-msecs";
	size_t n = sizeof(unit) - 1, m = sizeof(name) - 1;
	const char *p = event.end;

	if ((size_t)(line.end - p) >= n && !memcmp(p, unit, n))
		return true;
	if (span_len(event) > m && !memcmp(event.end - m, name, m))
		return true;
	while (p < line.end && isspace((unsigned char)*p))
		p++;
	return p == line.end || *p == '#';
}

static bool take_number(struct stat_line *out, struct span number, struct span unit, bool is_clock)
{
	uint64_t one = unit_ns(unit);

	if (!span_len(number))
		return false;
	if (!is_clock)
		return !span_len(unit) && parse_count(number, &out->ns);
	return one && parse_number(number, one, &out->ns);
}

bool stat_line_parse(struct stat_line *out, const char *counter, const char *text, size_t len)
{
	struct span line = { text, text + len }, event, unit, sep, number;
	const char *end;

	memset(out, 0, sizeof(*out));
	if (!(counter ? find_name(line, counter, &event) : find_clock(line, &event)))
		return false;
	unit_before(line, event.start, &unit, &sep);
	out->csv = span_len(sep) && sep.start[0] != ' ';
	end = unit.start;
	if (out->csv && ends_with(line, end, sep))
		end -= span_len(sep);
	while (!out->csv && end > line.start && isblank((unsigned char)end[-1]))
		end--;
	number = number_before(line, end, out->csv ? sep : (struct span){ 0 });
	out->event = event.start;
	out->event_len = span_len(event);
	out->interval = is_interval(line, number.start);
	if (end > line.start && end[-1] == '>')
		return true;
	if (!out->csv && !span_len(unit) && !counter && !has_late_unit(line, event))
		return false;
	if (!take_number(out, number, unit, !counter))
		return false;
	out->counted = true;
	out->error = error_after(line, event.end, sep, out->csv);
	if (out->csv && !counter)
		out->running_ns = running_after(line, event.end, sep);
	return true;
}

/* ---- what else the text form tells ---- */

bool stat_title_parse(const char *text, size_t len, char **command, uint64_t *runs)
{
	static const char title[] = "Performance counter stats for ", ending[] = " runs)";
	const char *end = text + len, *p = memmem(text, len, title, sizeof(title) - 1);

	if (!p)
		return false;
	p += sizeof(title) - 1;
	while (end > p && (isspace((unsigned char)end[-1]) || end[-1] == ':'))
		end--;
	*runs = 0;
	if ((size_t)(end - p) > sizeof(ending) &&
	    !memcmp(end - sizeof(ending) + 1, ending, sizeof(ending) - 1)) {
		const char *number = end - sizeof(ending) + 1;

		while (number > p && isdigit((unsigned char)number[-1]))
			number--;
		(void)parse_count((struct span){ number, end }, runs);
		end = number - (number > p);
		while (end > p && isspace((unsigned char)end[-1]))
			end--;
	}
	*command = xmalloc((size_t)(end - p) + 1);
	memcpy(*command, p, (size_t)(end - p));
	(*command)[end - p] = 0;
	return true;
}

bool stat_elapsed_parse(const char *text, size_t len, uint64_t *ns)
{
	static const char ending[] = "seconds time elapsed";
	struct span number = { text, text + len };

	if (!memmem(text, len, ending, sizeof(ending) - 1))
		return false;
	while (number.start < number.end && isspace((unsigned char)*number.start))
		number.start++;
	number.end = number.start;
	while (number.end < text + len && !isspace((unsigned char)*number.end))
		number.end++;
	return span_len(number) && isdigit((unsigned char)*number.start) &&
	       parse_number(number, 1000000000, ns);
}
