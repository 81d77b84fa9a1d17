/* Lines of -x, whatever separates their columns, and with decimals behind a comma, even where that
 * separates the columns, too:
 *
 *     [time,][place,[counters,]]value,unit,event[,cgroup][,0.10%],ns that it ran,100.00,metric,unit
 *
 * Before 4.2 a clock had no unit, before 3.13 no time that it ran, in 2010 there was no unit at
 * all. */
#include "analyzers/perfstat/stat_number.h"

#include <ctype.h>
#include <string.h>

#define FIELDS_MAX 48

struct fields {
	struct stat_span list[FIELDS_MAX];
	size_t count, at;
	bool comma; /* decimals are a field of their own */
	bool cut;   /* they stand behind a comma: perf cuts those of metrics off */
	bool named; /* what separates them has no blank: other text does not look so */
};

static bool split(struct fields *f, struct stat_span line, const char *separator)
{
	size_t n = strlen(separator), state;
	const char *p = line.start, *end = span_end(line), *next;
	enum stat_state s;

	*f = (struct fields){ .named = !strchr(separator, ' ') };
	for (; f->count < FIELDS_MAX; p = next + n) {
		state = state_parse(span_of(p, end), &s); /* there is a blank in it */
		next = p < end ? memmem(p + state, (size_t)(end - p) - state, separator, n) : NULL;
		f->list[f->count++] = span_of(p, next ? next : end);
		if (!next)
			return f->count > 1;
	}
	return false;
}

/* Field I from the one that comes next. */
static struct stat_span field(const struct fields *f, size_t i)
{
	return f->at + i < f->count ? f->list[f->at + i] : (struct stat_span){ "", 0 };
}

static size_t left(const struct fields *f)
{
	return f->count - f->at;
}

/* From field I on, so many of them and what separates them. */
static struct stat_span joined(const struct fields *f, size_t i, size_t count)
{
	return span_of(field(f, i).start, span_end(field(f, i + count - 1)));
}

static bool is_whole(struct stat_span s, size_t len)
{
	uint64_t n;

	return s.len == len && whole_parse(s, &n);
}

/* ---- from the left ---- */

static void take_time(struct fields *f, struct stat_row *out)
{
	struct stat_span first = span_trim(field(f, 0));
	struct stat_span both = span_of(first.start, span_end(left(f) > 1 ? field(f, 1) : first));

	if (interval_parse(first, &out->time_ns)) {
		out->has_time = true;
		f->at = 1;
	} else if (f->comma && is_whole(field(f, 1), 9) && interval_parse(both, &out->time_ns)) {
		out->has_time = true;
		f->at = 2;
	} else if (span_is(first, "summary")) {
		f->at = 1;
	}
}

static bool is_value(struct stat_span s)
{
	struct stat_number n;
	enum stat_state state;

	return number_parse(s, &n) || (s.len && state_parse(s, &state) == s.len);
}

/* How many fields the command and the thread at the next ones take; 0: there are none. */
static size_t thread_fields(const struct fields *f)
{
	for (size_t i = 1; i + 2 < left(f); i++) {
		if (thread_parse(joined(f, 0, i)) && (is_value(field(f, i)) || !field(f, i).len))
			return i;
	}
	return 0;
}

static void take_place(struct fields *f, struct stat_row *out)
{
	struct stat_span s = field(f, 0);
	size_t n;
	bool added;

	if (place_parse(s, &added)) {
		out->place = s;
		f->at++;
		/* of a core, --per-core -A tells no number */
		if (added && left(f) > 3 && (is_value(field(f, 1)) || !field(f, 1).len) &&
		    whole_parse(field(f, 0), &out->counters))
			f->at++;
		return;
	}
	n = !s.len || is_value(s) ? 0 : thread_fields(f);
	if (n) {
		out->place = joined(f, 0, n);
		out->is_thread = true;
		f->at += n;
	}
}

static bool take_value(struct fields *f, struct stat_row *out)
{
	struct stat_span s = field(f, 0), behind = field(f, 1), unit = field(f, 2);
	size_t n = state_parse(s, &out->state);

	if (n) {
		f->at++;
		return n == s.len;
	}
	if (f->comma && is_whole(behind, 2) && (!unit.len || is_unit_name(unit))) {
		s = joined(f, 0, 2);
		f->at++;
	}
	f->at++;
	return number_parse(s, &out->value);
}

/* An event may have separators in braces and between slashes. */
static bool is_open(struct stat_span s)
{
	int slashes = 0, braces = 0;

	for (size_t i = 0; i < s.len; i++) {
		slashes += s.start[i] == '/';
		braces += (s.start[i] == '{') - (s.start[i] == '}');
	}
	return slashes % 2 || braces > 0;
}

static bool take_event(struct fields *f, struct stat_row *out)
{
	size_t n = 1;

	if (left(f) > 1) {
		out->unit = field(f, 0);
		f->at++;
		if (out->unit.len && !is_unit_name(out->unit))
			return false;
	}
	while (n < left(f) && is_open(joined(f, 0, n)))
		n++;
	out->event = joined(f, 0, n);
	f->at += n;
	return is_event_name(out->event) &&
	       (f->named || !memchr(out->event.start, ' ', out->event.len));
}

/* ---- behind the event ---- */

/* A number with decimals in the next field, or the next two: how many. */
static size_t real_fields(const struct fields *f, size_t i, struct stat_span *out)
{
	struct stat_span next = field(f, i + 1);

	*out = field(f, i);
	if (!f->comma || !is_whole(*out, out->len) || !next.len ||
	    !isdigit((unsigned char)*next.start))
		return 1;
	*out = joined(f, i, 2);
	return 2;
}

/* At field I: the time that the counter ran, and the percentage. */
static bool take_running(struct fields *f, size_t i, struct stat_row *out)
{
	struct stat_span percent;
	size_t n = real_fields(f, i + 1, &percent);
	uint64_t whole;
	double pct;

	if (!whole_parse(field(f, i), &out->running_ns) || whole_parse(percent, &whole) ||
	    !real_parse(percent, &pct))
		return false;
	out->has_running = true;
	out->running_pct = pct;
	f->cut |= memchr(percent.start, ',', percent.len) != NULL;
	f->at += i + 1 + n;
	return true;
}

static void take_metric(struct fields *f, struct stat_row *out)
{
	struct stat_span number;
	size_t n = real_fields(f, 0, &number);

	if (left(f) <= n || f->cut)
		return;
	out->has_metric = real_parse(number, &out->metric);
	out->metric_unit = span_trim(joined(f, n, left(f) - n));
	out->has_metric &= out->metric_unit.len > 0;
}

/* A cgroup and a deviation may stand before the time that it ran. */
static bool take_rest(struct fields *f, struct stat_row *out)
{
	for (size_t i = 0; i < 4 && i + 1 < left(f); i++) {
		struct stat_span number;
		size_t n;

		if (take_running(f, i, out)) {
			take_metric(f, out);
			return true;
		}
		n = real_fields(f, i, &number);
		if (percent_parse(number, &out->error_pct)) {
			out->has_error = true;
			i += n - 1;
		} else if (!out->cgroup.len) {
			out->cgroup = field(f, i);
		} else {
			return false;
		}
	}
	return false;
}

/* Nothing but a metric, in its place: all before it is empty. */
static bool take_more(struct fields *f, struct stat_row *out)
{
	size_t empty = 0;

	while (empty < left(f) && !field(f, empty).len)
		empty++;
	if (empty < 4 || left(f) < empty + 2)
		return false;
	f->at += empty;
	take_metric(f, out);
	out->more = true;
	return out->has_metric;
}

/* Nothing in it looks as if it separated columns. */
static bool is_plain(struct stat_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (strchr(",;|\t", s.start[i]))
			return false;
	}
	return true;
}

static bool take_all(struct fields *f, struct stat_row *out)
{
	f->at = 0;
	*out = (struct stat_row){ .form = STAT_CSV, .running_pct = 100 };
	take_time(f, out);
	take_place(f, out);
	if (!field(f, 0).len)
		return f->named && take_more(f, out);
	if (!take_value(f, out) || !left(f) || !take_event(f, out))
		return false;
	if (left(f))
		return take_rest(f, out);
	/* columns that are separated by blanks are as good as none */
	return f->named && !f->comma && is_plain(out->event);
}

static bool try(struct stat_rows *r, struct stat_row *out, struct stat_span line,
		struct stat_span separator)
{
	struct fields f;
	char text[sizeof(r->separator)];

	if (!separator.len || separator.len >= sizeof(text))
		return false;
	memcpy(text, separator.start, separator.len);
	text[separator.len] = '\0';
	if (!split(&f, line, text))
		return false;
	if (!take_all(&f, out)) {
		f.comma = f.cut = *text == ',' && !text[1];
		if (!f.comma || !take_all(&f, out))
			return false;
	}
	memcpy(r->separator, text, sizeof(text));
	return true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '-';
}

/* What stands behind the first number or word begins with the separator. */
static struct stat_span separators(struct stat_span line)
{
	enum stat_state state;
	size_t n = state_parse(line, &state), end;

	while (n < line.len && is_word(line.start[n]))
		n++;
	for (end = n; end < line.len && !is_word(line.start[end]) && line.start[end] != '<';)
		end++;
	return span_of(line.start + n, line.start + end);
}

bool stat_row_csv(struct stat_rows *r, struct stat_row *out, struct stat_span line)
{
	static const char *const usual[] = { ",", ";", "|", "\t", ":" };
	struct stat_span s;

	while (line.len && *line.start == ' ')
		line = span_of(line.start + 1, span_end(line));
	if (*r->separator &&
	    try(r, out, line, (struct stat_span){ r->separator, strlen(r->separator) }))
		return true;
	s = separators(line);
	for (size_t n = 1; n <= s.len && n < sizeof(r->separator); n++) {
		if (try(r, out, line, (struct stat_span){ s.start, n }))
			return true;
	}
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		if (try(r, out, line, (struct stat_span){ usual[i], 1 }))
			return true;
	}
	return false;
}
