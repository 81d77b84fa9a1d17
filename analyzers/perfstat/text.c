/* Lines for people:
 *
 *      1,106.28 msec task-clock                       #    0.998 CPUs utilized            ( +-
 * 0.10% ) 0.100251903 CPU0      1,234      cycles:u      #    1.2 GHz (80.00%) 1106.283911
 * task-clock (msec)       #    0.998 CPUs utilized              (before 4.2) 1106.283911
 * task-clock-msecs        #    0.998 CPUs                       (2010)
 *
 * A word stands at its own place only: what is no such line is none. */
#include "analyzers/perfstat/stat_number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The rest of the line: what is read is taken from its beginning. */
struct rest {
	struct stat_span s;
};

static void drop(struct rest *r, size_t n)
{
	r->s.start += n;
	r->s.len -= n;
}

static size_t blanks(const struct rest *r)
{
	size_t n = 0;

	while (n < r->s.len && isblank((unsigned char)r->s.start[n]))
		n++;
	return n;
}

static struct stat_span word(const struct rest *r)
{
	size_t n = 0;

	while (n < r->s.len && !isblank((unsigned char)r->s.start[n]))
		n++;
	return (struct stat_span){ r->s.start, n };
}

static struct stat_span take_word(struct rest *r)
{
	struct stat_span w;

	drop(r, blanks(r));
	w = word(r);
	drop(r, w.len);
	return w;
}

/* A number, of which blanks may separate thousands: "1 234 567". */
static bool take_number(struct rest *r, struct stat_number *out)
{
	struct rest all = *r;
	struct stat_span w = take_word(&all), longer = w;
	struct rest more = all;

	while (blanks(&more) == 1 && more.s.len > 3 && isdigit((unsigned char)more.s.start[1])) {
		struct stat_span group = take_word(&more);
		struct stat_number n;

		longer = span_of(w.start, span_end(group));
		if (group.len < 3 || !number_parse(longer, &n))
			break;
		all = more;
		w = longer;
	}
	*r = all;
	return number_parse(w, out);
}

/* ---- what stands behind the event ---- */

/* "(80.00%)", "( +-  0.45% )" */
static void take_bracket(struct stat_row *out, struct stat_span in)
{
	in = span_trim(in);
	if (span_begins(in, "+-"))
		out->has_error =
			percent_parse(span_of(in.start + 2, span_end(in)), &out->error_pct);
	else if (!percent_parse(in, &out->running_pct))
		out->running_pct = 100;
}

static const char *find(struct stat_span s, const char *what)
{
	return s.len ? memmem(s.start, s.len, what, strlen(what)) : NULL;
}

/* The brackets at the end of S, which is what remains without them. */
static struct stat_span take_brackets(struct stat_row *out, struct stat_span s)
{
	for (int i = 0; i < 2; i++) {
		struct stat_span t = span_trim(s);
		const char *open =
			t.len && span_end(t)[-1] == ')' ? memrchr(t.start, '(', t.len) : NULL;

		if (!open || (open > t.start && open[-1] != ' ') ||
		    !find(span_of(open, span_end(t)), "%"))
			break;
		take_bracket(out, span_of(open + 1, span_end(t) - 1));
		s = span_of(t.start, open);
	}
	return span_trim(s);
}

/* "0.998 CPUs utilized", "12.34% of all branches" */
static void take_metric(struct stat_row *out, struct stat_span s)
{
	struct rest r = { span_trim(s) };
	struct stat_span number = take_word(&r);

	if (number.len && span_end(number)[-1] == '%')
		number.len--;
	out->has_metric = real_parse(number, &out->metric);
	out->metric_unit = span_trim(r.s);
	out->has_metric &= out->metric_unit.len > 0;
}

/* EVENT and the rest of its line. */
static bool take_event(struct stat_row *out, struct stat_span s)
{
	const char *gap, *behind, *sign = *s.start == '#' ? s.start : find(s, " # ");
	struct stat_span name;

	s = take_brackets(out, s);
	behind = sign ? sign + (*sign == '#' ? 1 : 3) : NULL;
	if (sign && behind <= span_end(s))
		take_metric(out, span_of(behind, span_end(s)));
	/* S is trimmed: of what is no blank, a form feed say, more than SIGN may be gone */
	if (sign && sign >= s.start && sign < span_end(s))
		s = span_trim(span_of(s.start, sign));
	gap = find(s, "  ");
	name = gap ? span_of(s.start, gap) : s;
	if (gap)
		out->cgroup = span_trim(span_of(gap, span_end(s)));
	if (name.len > 7 && !memcmp(span_end(name) - 7, " (msec)", 7)) {
		name.len -= 7;
		out->unit = (struct stat_span){ "msec", 4 };
	}
	out->event = name;
	return is_event_name(name);
}

/* Behind the value: the unit is a word beside it. Without one there is a gap, but in old versions.
 */
static bool take_named(struct stat_row *out, struct rest *r)
{
	size_t gap = blanks(r);
	struct rest old = *r;
	struct stat_span unit;

	if (!gap)
		return false;
	drop(r, gap);
	if (gap > 1)
		return r->s.len && take_event(out, r->s);
	unit = take_word(r);
	if (span_is(unit, "seconds")) /* of user, of sys: below the counters */
		return false;
	if (blanks(r) && is_unit_name(unit)) {
		drop(r, blanks(r));
		out->unit = unit;
		if (r->s.len && *r->s.start != '#' && *r->s.start != '(' && take_event(out, r->s))
			return true;
	}
	*out = (struct stat_row){ .value = out->value, .state = out->state };
	drop(&old, gap);
	/* alone, or behind it the metric */
	return old.s.len && take_event(out, old.s) && !out->cgroup.len &&
	       (out->has_metric || span_trim(old.s).len == out->event.len || out->unit.len);
}

static bool take_value(struct stat_row *out, struct rest r)
{
	size_t n;

	out->running_pct = 100;
	drop(&r, blanks(&r));
	n = state_parse(r.s, &out->state);
	drop(&r, n);
	if (!n && !take_number(&r, &out->value))
		return false;
	out->running_pct = 100;
	return take_named(out, &r);
}

/* "sh -c-123    1,106.28 msec ...": a command may have anything in it. */
static bool take_thread(struct stat_row *out, struct rest r)
{
	const char *begin = r.s.start, *end = span_end(r.s);

	for (const char *p = begin; p < end; p++) {
		struct rest behind = { span_of(p, end) };

		if (!isblank((unsigned char)*p) || p == begin || !thread_parse(span_of(begin, p)))
			continue;
		*out = (struct stat_row){ 0 };
		if (!take_value(out, behind))
			continue;
		out->place = span_of(begin, p);
		out->is_thread = true;
		return true;
	}
	return false;
}

/* "S0-D0-C0     2  ": one number more than of a CPU. */
static bool take_part(struct stat_row *out, struct rest r)
{
	struct stat_span place = take_word(&r);
	uint64_t counters = 0;
	bool added;

	if (!place_parse(place, &added))
		return false;
	if (added && !whole_parse(take_word(&r), &counters))
		return false;
	if (!take_value(out, r))
		return false;
	out->place = place;
	out->counters = counters;
	return true;
}

static bool take_rest(struct stat_row *out, struct rest r)
{
	drop(&r, blanks(&r));
	*out = (struct stat_row){ 0 };
	if (!r.s.len)
		return false;
	if (take_part(out, r))
		return true;
	*out = (struct stat_row){ 0 };
	return take_value(out, r) || take_thread(out, r);
}

/* "                                  #    0.21  stalled cycles per insn" */
static bool take_more(struct stat_row *out, struct stat_span line)
{
	struct rest r = { line };
	struct stat_span place;
	bool added;

	*out = (struct stat_row){ .more = true, .running_pct = 100 };
	place = take_word(&r);
	if (place_parse(place, &added)) {
		out->place = place;
		if (added)
			(void)take_word(&r);
	} else {
		r.s = line;
	}
	if (blanks(&r) < 40)
		return false;
	drop(&r, blanks(&r));
	if (r.s.len < 3 || r.s.start[0] != '#' || r.s.start[1] != ' ')
		return false;
	take_metric(out, take_brackets(out, span_of(r.s.start + 1, span_end(r.s))));
	return out->has_metric;
}

bool stat_row_text(struct stat_row *out, struct stat_span line)
{
	struct rest r = { line }, behind;
	uint64_t ns;

	behind = r;
	if (interval_parse(take_word(&behind), &ns) && blanks(&behind) &&
	    (take_rest(out, behind) || take_more(out, behind.s))) {
		out->has_time = true;
		out->time_ns = ns;
		return true;
	}
	return take_rest(out, r) || take_more(out, line);
}
