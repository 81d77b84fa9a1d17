/* Chooses round steps for an axis and writes the text of its ticks. The text of a tick says as
 * many digits as the step needs, and no more. */
#include "formats/axis.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECOND_NS 1000000000ull
#define DAY_NS	  (86400 * SECOND_NS)

static uint64_t power10(unsigned digits)
{
	uint64_t p = 1;

	while (digits--)
		p *= 10;
	return p;
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

static void log_tick(struct axis *a, const struct axis_span *s, uint64_t at)
{
	struct axis_tick *t = &a->ticks[a->count];

	if (at < s->low || at > s->high || a->count == AXIS_TICKS)
		return;
	t->at = at;
	number_tick(t->text, at, at, at, s->type);
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

/* What the clock shows, and the nanoseconds after it, also before 1970. */
static struct tm clock_at(int64_t wall_ns, uint64_t at_ns, unsigned *rest_ns)
{
	__int128 ns = (__int128)wall_ns + at_ns, rest = ns % SECOND_NS;
	struct tm tm = { 0 };
	time_t t;

	rest += rest < 0 ? (__int128)SECOND_NS : 0;
	*rest_ns = (unsigned)rest;
	t = (time_t)((ns - rest) / (__int128)SECOND_NS);
	gmtime_r(&t, &tm);
	return tm;
}

const char *axis_clock(char text[NUMBER_TEXT], int64_t wall_ns, uint64_t at_ns, uint64_t step_ns)
{
	unsigned decimals = number_decimals(step_ns, SECOND_NS), ns;
	struct tm tm = clock_at(wall_ns, at_ns, &ns);
	size_t n = strftime(text, NUMBER_TEXT, "%H:%M:%S", &tm);

	if (decimals && step_ns % SECOND_NS)
		snprintf(text + n, NUMBER_TEXT - n, ".%0*u", (int)decimals,
			 (unsigned)(ns / power10(9 - decimals)));
	return text;
}

const char *axis_date(char text[NUMBER_TEXT], int64_t wall_ns, uint64_t at_ns)
{
	unsigned ns;
	struct tm tm = clock_at(wall_ns, at_ns, &ns);

	if (!strftime(text, NUMBER_TEXT, "%Y-%m-%d", &tm))
		text[0] = '\0';
	return text;
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

/* Ticks at multiples of STEP; of the clock that shows *WALL_NS at 0, where there is one. */
static void even_ticks(struct axis *a, const struct axis_span *s, uint64_t step,
		       const int64_t *wall_ns)
{
	__int128 rest = ((__int128)(wall_ns ? *wall_ns : 0) + s->low) % (__int128)step;
	uint64_t at = s->low;
	bool over;

	a->count = 0;
	rest += rest < 0 ? (__int128)step : 0;
	over = rest && __builtin_add_overflow(at, step - (uint64_t)rest, &at);
	while (!over && at <= s->high && a->count < AXIS_TICKS) {
		struct axis_tick *t = &a->ticks[a->count++];

		t->at = at;
		if (!wall_ns)
			number_tick(t->text, at, s->high, step, s->type);
		else if (step < DAY_NS)
			axis_clock(t->text, *wall_ns, at, step);
		else
			axis_date(t->text, *wall_ns, at);
		over = __builtin_add_overflow(at, step, &at);
	}
}

void axis_linear(struct axis *a, const struct axis_span *s)
{
	even_ticks(a, s, nice_step(raw_step(s)), NULL);
}

void axis_wall(struct axis *a, const struct axis_span *s, int64_t wall_ns)
{
	even_ticks(a, s, clock_step(raw_step(s)), &wall_ns);
}

void axis_time(struct axis *a, const struct axis_span *s)
{
	if (s->high < 120 * SECOND_NS) {
		axis_linear(a, s);
		return;
	}
	even_ticks(a, s, clock_step(raw_step(s)), NULL);
	for (size_t i = 0; i < a->count; i++) {
		uint64_t all = a->ticks[i].at / SECOND_NS, hours = all / 3600;
		char *text = a->ticks[i].text;
		int n = hours ? snprintf(text, NUMBER_TEXT, "%" PRIu64 " h ", hours) : 0;

		n += snprintf(text + n, NUMBER_TEXT - (size_t)n, "%u min",
			      (unsigned)(all / 60 % 60));
		if (all % 60)
			snprintf(text + n, NUMBER_TEXT - (size_t)n, " %u s", (unsigned)(all % 60));
	}
}
