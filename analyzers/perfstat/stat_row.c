/* Which form a line has, and what its value is. */
#include "analyzers/perfstat/stat_row.h"
#include "analyzers/perfstat/stat_number.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES_MAX 16384 /* names have a few hundred */

const char *stat_form_name(enum stat_form form)
{
	static const char *const names[STAT_FORMS] = {
		[STAT_TEXT] = "text",
		[STAT_CSV] = "-x",
		[STAT_JSON] = "-j",
		[STAT_CAPTURE] = "capture",
	};

	return names[form];
}

bool stat_row_read(struct stat_rows *r, struct stat_row *out, const char *line, size_t len)
{
	struct stat_span s = { line, len }, first = span_trim(s);

	if (!first.len || len > LINE_BYTES_MAX)
		return false;
	/* one more metric stands far to the right */
	if (*first.start == '#' && first.start - line < 40)
		return false;
	if (*first.start == '{')
		return stat_row_object(r, out, first);
	while (s.len && strchr("\r\n", s.start[s.len - 1]))
		s.len--;
	return stat_row_csv(r, out, s) || stat_row_text(out, s);
}

/* ---- values ---- */

/* "task-clock", "task-clock:u", "task-clock [software]", "task-clock-msecs" no more */
bool stat_event_is(struct stat_span event, const char *name)
{
	size_t n = strlen(name);

	return n && span_begins(event, name) && (event.len == n || strchr(": ", event.start[n]));
}

bool stat_event_is_clock(struct stat_span event)
{
	static const char *const clocks[] = { "task-clock", "cpu-clock", "task-clock-msecs",
					      "cpu-clock-msecs" };

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (stat_event_is(event, clocks[i]))
			return true;
	}
	return false;
}

/* How many ns is one of UNIT? Where perf names none it means msec. */
static uint64_t unit_ns(struct stat_span unit)
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
		if (span_is(unit, units[i].name))
			return units[i].ns;
	}
	return 0;
}

static bool printed_ns(const struct stat_row *r, uint64_t *ns)
{
	unsigned __int128 v = (unsigned __int128)r->value.digits * unit_ns(r->unit);

	for (unsigned i = 0; i < r->value.decimals; i++)
		v /= 10;
	*ns = (uint64_t)v;
	return unit_ns(r->unit) && v <= UINT64_MAX;
}

static uint64_t between(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

bool stat_row_ns(const struct stat_row *r, uint64_t *ns)
{
	if (r->state != STAT_COUNTED || !printed_ns(r, ns))
		return false;
	if (r->form == STAT_CSV && r->running_ns && between(*ns, r->running_ns) <= 5000)
		*ns = r->running_ns;
	return true;
}

bool stat_row_is_odd(const struct stat_row *r)
{
	uint64_t ns;

	/* of several runs the value is the mean; the running time may be of the last */
	return r->form == STAT_CSV && r->running_ns && !(r->has_error && r->error_pct > 0) &&
	       printed_ns(r, &ns) && between(ns, r->running_ns) > 5000 &&
	       between(ns, r->running_ns) > ns / 10;
}

bool stat_row_count(const struct stat_row *r, uint64_t *count)
{
	uint64_t v = r->value.digits;

	for (unsigned i = 0; i < r->value.decimals; i++, v /= 10) {
		if (v % 10)
			return false;
	}
	*count = v;
	return r->state == STAT_COUNTED && !r->unit.len;
}

/* ---- what else the text form tells ---- */

static const char *find(const char *text, size_t len, const char *what)
{
	return len ? memmem(text, len, what, strlen(what)) : NULL;
}

/* "'x' (5 runs)": without that */
static struct stat_span without_runs(struct stat_span s, uint64_t *runs)
{
	static const char ending[] = " runs)";
	size_t n = sizeof(ending) - 1;
	const char *number, *end;

	if (s.len <= n || memcmp(span_end(s) - n, ending, n) != 0)
		return s;
	number = end = span_end(s) - n;
	while (number > s.start && isdigit((unsigned char)number[-1]))
		number--;
	if (number == s.start || number[-1] != '(' || !whole_parse(span_of(number, end), runs))
		return s;
	return span_trim(span_of(s.start, number - 1));
}

bool stat_title_parse(const char *text, size_t len, char **command, uint64_t *runs)
{
	static const char title[] = "Performance counter stats for ";
	const char *p = find(text, len, title);
	struct stat_span s;

	if (!p)
		return false;
	s = span_of(p + sizeof(title) - 1, text + len);
	while (s.len && (isspace((unsigned char)span_end(s)[-1]) || span_end(s)[-1] == ':'))
		s.len--;
	*runs = 0;
	s = without_runs(s, runs);
	*command = xmalloc(s.len + 1);
	memcpy(*command, s.start, s.len);
	(*command)[s.len] = 0;
	return true;
}

bool stat_elapsed_parse(const char *text, size_t len, uint64_t *ns)
{
	struct stat_span s = span_trim((struct stat_span){ text, len });
	double sec;
	size_t n = 0;

	if (!find(text, len, "seconds time elapsed"))
		return false;
	while (n < s.len && !isspace((unsigned char)s.start[n]))
		n++;
	if (!real_parse(span_of(s.start, s.start + n), &sec) || sec > 1e9)
		return false;
	*ns = (uint64_t)llround(sec * 1e9);
	return true;
}

bool stat_line_is_other(const char *line, size_t len)
{
	static const char *const others[] = { "seconds user",
					      "seconds sys",
					      "seconds time elapsed",
					      "Performance counter stats for ",
					      "Some events weren't counted.",
					      "watchdog",
					      "perf stat ...",
					      "The events in group usually",
					      "the same PMU." };
	struct stat_span s = span_trim((struct stat_span){ line, len });
	bool other = !s.len || *s.start == '#';

	for (size_t i = 0; i < ARRAY_SIZE(others) && !other; i++)
		other = find(line, len, others[i]) != NULL;
	return other;
}
