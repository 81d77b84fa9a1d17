#include "formats/axis.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECOND_NS 1000000000ull
#define DAY_NS	  (86400 * SECOND_NS)

/* From the smallest: a value is shown in the last unit that is not above it. */
struct unit {
	unsigned digits; /* 10^digits are one of it */
	const char *name;
};

static const struct unit time_units[] = { { 0, " ns" }, { 3, " us" }, { 6, " ms" }, { 9, " s" } };
static const struct unit plain_units[] = { { 0, "" },	{ 3, "k" },  { 6, "M" }, { 9, "G" },
					   { 12, "T" }, { 15, "P" }, { 18, "E" } };

static uint64_t power10(unsigned digits)
{
	uint64_t p = 1;

	while (digits--)
		p *= 10;
	return p;
}

enum axis_unit axis_unit(const char *name)
{
	size_t n = strlen(name);

	return n >= 3 && !strcmp(name + n - 3, "_ns") ? AXIS_NS : AXIS_PLAIN;
}

static const struct unit *unit_for(uint64_t value, enum axis_unit kind)
{
	const struct unit *list = kind == AXIS_NS ? time_units : plain_units;
	size_t n = kind == AXIS_NS ? ARRAY_SIZE(time_units) : ARRAY_SIZE(plain_units);

	while (n > 1 && power10(list[n - 1].digits) > value)
		n--;
	return &list[n - 1];
}

/* V in decimal, at least WIDTH digits of it, at TO; returns what follows. */
static char *digits(char *to, uint64_t v, unsigned width)
{
	char text[20];
	unsigned n = 0;

	do {
		text[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v || n < width);
	while (n)
		*to++ = text[--n];
	return to;
}

/* VALUE in UNIT with as many DECIMALS, of which it has no more. Not by printf: a picture has
 * thousands of them. */
static void in_unit(char text[AXIS_TEXT], uint64_t value, const struct unit *unit,
		    unsigned decimals)
{
	uint64_t one = power10(unit->digits);
	char *end = digits(text, value / one, 1);

	if (decimals) {
		*end++ = '.';
		end = digits(end, value % one / power10(unit->digits - decimals), decimals);
	}
	strcpy(end, unit->name);
}

/* The decimals that VALUE has in UNIT. */
static unsigned decimals_of(uint64_t value, const struct unit *unit)
{
	unsigned n = unit->digits;

	while (n && value % 10 == 0) {
		value /= 10;
		n--;
	}
	return n;
}

void axis_value(char text[AXIS_TEXT], uint64_t value, enum axis_unit unit)
{
	const struct unit *u = unit == AXIS_NS ? unit_for(value, unit) : plain_units;

	in_unit(text, value, u, decimals_of(value, u));
}

void axis_short(char text[AXIS_TEXT], uint64_t value, enum axis_unit unit)
{
	uint64_t one = 1;
	const struct unit *u;

	while (value / one >= 100000)
		one *= 10;
	value -= value % one;
	u = unit == AXIS_PLAIN && one == 1 ? plain_units : unit_for(value, unit);
	in_unit(text, value, u, decimals_of(value, u));
}

/* The smallest of 1, 2, 5, 10, ... that is not below RAW. */
static uint64_t nice_step(uint64_t raw)
{
	uint64_t p = 1;

	while (p < raw) {
		if (2 * p >= raw)
			return 2 * p;
		if (5 * p >= raw)
			return 5 * p;
		if (p >= power10(18))
			return 5 * p;
		p *= 10;
	}
	return p;
}

static uint64_t raw_step(const struct axis_span *s)
{
	uint64_t want = s->want ? s->want : 1;
	uint64_t range = s->high > s->low ? s->high - s->low : 0;

	want = want > AXIS_TICKS - 2 ? AXIS_TICKS - 2 : want;
	return range / want + (range % want != 0);
}

/* The first multiple of STEP that is not below LOW, if there is one. */
static bool first_tick(uint64_t low, uint64_t step, uint64_t *at)
{
	uint64_t rest = low % step;

	return !__builtin_add_overflow(low, rest ? step - rest : 0, at);
}

void axis_linear(struct axis *a, const struct axis_span *s)
{
	uint64_t step = nice_step(raw_step(s)), at;
	const struct unit *unit = unit_for(s->high, s->unit);
	unsigned decimals = decimals_of(step, unit);

	a->count = 0;
	if (!first_tick(s->low, step, &at))
		return;
	while (at <= s->high && a->count < AXIS_TICKS) {
		struct axis_tick *t = &a->ticks[a->count++];

		t->at = at;
		in_unit(t->text, at, unit, decimals);
		if (__builtin_add_overflow(at, step, &at))
			return;
	}
}

static void log_tick(struct axis *a, const struct axis_span *s, uint64_t at)
{
	const struct unit *unit = unit_for(at, s->unit);
	struct axis_tick *t = &a->ticks[a->count];

	if (at < s->low || at > s->high || a->count == AXIS_TICKS)
		return;
	t->at = at;
	in_unit(t->text, at, unit, decimals_of(at, unit));
	a->count++;
}

void axis_log(struct axis *a, const struct axis_span *s)
{
	static const unsigned factors[] = { 1, 2, 5 };
	unsigned first = 0, last = 0, between, every = 1;

	while (last < 19 && power10(last) <= s->high)
		last++;
	while (first + 1 < last && power10(first + 1) <= s->low)
		first++;
	between = 3 * (last - first) <= s->want ? 3 : 1;
	while (s->want && (last - first) / every > s->want)
		every++;
	a->count = 0;
	if (!s->low)
		log_tick(a, s, 0);
	for (unsigned i = first; i < last; i += every) {
		for (unsigned k = 0; k < between; k++) {
			uint64_t at;

			if (!__builtin_mul_overflow(power10(i), factors[k], &at))
				log_tick(a, s, at);
		}
	}
}

/* ---- the wall clock ---- */

static __int128 wall_at(int64_t wall_ns, uint64_t at_ns)
{
	return (__int128)wall_ns + at_ns;
}

/* Seconds since 1970 and the nanoseconds after them, also before 1970. */
static time_t split(__int128 ns, unsigned *rest_ns)
{
	__int128 rest = ns % SECOND_NS;

	rest += rest < 0 ? (__int128)SECOND_NS : 0;
	*rest_ns = (unsigned)rest;
	return (time_t)((ns - rest) / (__int128)SECOND_NS);
}

void axis_clock(char text[AXIS_TEXT], int64_t wall_ns, uint64_t at_ns, uint64_t step_ns)
{
	static const struct unit second = { 9, "" };
	unsigned decimals = decimals_of(step_ns, &second), ns;
	time_t t = split(wall_at(wall_ns, at_ns), &ns);
	struct tm tm = { 0 };
	size_t n;

	gmtime_r(&t, &tm);
	n = strftime(text, AXIS_TEXT, "%H:%M:%S", &tm);
	if (decimals && step_ns % SECOND_NS)
		snprintf(text + n, AXIS_TEXT - n, ".%0*u", (int)decimals,
			 (unsigned)(ns / power10(9 - decimals)));
}

void axis_date(char text[AXIS_TEXT], int64_t wall_ns, uint64_t at_ns)
{
	unsigned ns;
	time_t t = split(wall_at(wall_ns, at_ns), &ns);
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	if (!strftime(text, AXIS_TEXT, "%Y-%m-%d", &tm))
		text[0] = '\0';
}

static uint64_t clock_step(uint64_t raw)
{
	static const unsigned seconds[] = {
		1,   2,	  5,	10,   15,   30,	   60,	  120,	 300,
		600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400
	};

	if (raw <= SECOND_NS)
		return nice_step(raw);
	for (size_t i = 0; i < ARRAY_SIZE(seconds); i++) {
		if (seconds[i] * SECOND_NS >= raw)
			return seconds[i] * SECOND_NS;
	}
	return nice_step(raw / DAY_NS + 1) * DAY_NS;
}

void axis_wall(struct axis *a, const struct axis_span *s, int64_t wall_ns)
{
	uint64_t step = clock_step(raw_step(s)), at;
	__int128 rest = wall_at(wall_ns, s->low) % (__int128)step;

	a->count = 0;
	rest += rest < 0 ? (__int128)step : 0;
	if (__builtin_add_overflow(s->low, rest ? step - (uint64_t)rest : 0, &at))
		return;
	while (at <= s->high && a->count < AXIS_TICKS) {
		struct axis_tick *t = &a->ticks[a->count++];

		t->at = at;
		if (step < DAY_NS)
			axis_clock(t->text, wall_ns, at, step);
		else
			axis_date(t->text, wall_ns, at);
		if (__builtin_add_overflow(at, step, &at))
			return;
	}
}
