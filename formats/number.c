/* Numbers for people. Kinds of numbers have units in a table; digits are written here, not by
 * printf, because a picture has thousands of them. */
#include "formats/number.h"
#include "formats/model/amount.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct number_unit time_units[] = {
	{ 1, "ns" }, { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" }
};
static const struct number_unit byte_units[] = {
	{ 1, "B" }, { 0x1p10, "KiB" }, { 0x1p20, "MiB" }, { 0x1p30, "GiB" }, { 0x1p40, "TiB" }
};
static const struct number_unit rate_units[] = {
	{ 1, "B/s" }, { 0x1p10, "KiB/s" }, { 0x1p20, "MiB/s" }, { 0x1p30, "GiB/s" }
};
static const struct number_unit count_units[] = { { 1, "" },	{ 1e3, "k" },  { 1e6, "M" },
						  { 1e9, "G" }, { 1e12, "T" }, { 1e15, "P" },
						  { 1e18, "E" } };
static const struct number_unit second[] = { { 1e9, "s" } };
static const struct number_unit plain[] = { { 1, "" } };

#define UNITS(list) list, ARRAY_SIZE(list)

const struct column_kind column_kinds[COLUMN_TYPES] = {
	[COLUMN_TEXT] = { UNITS(plain), HELD_NONE, "", "" },
	[COLUMN_ID] = { UNITS(plain), HELD_COUNT, "", "" },
	[COLUMN_COUNT] = { UNITS(count_units), HELD_COUNT, "", "" },
	[COLUMN_NS] = { UNITS(time_units), HELD_COUNT, " ns", "ns", { "_ns" } },
	[COLUMN_TIME_NS] = { UNITS(second), HELD_COUNT, " ns", "ns", { "_ns" } },
	[COLUMN_WALL] = { UNITS(plain), HELD_NONE, "", "" },
	[COLUMN_BYTES] = { UNITS(byte_units), HELD_COUNT, " bytes", "" },
	[COLUMN_DELTA] = { UNITS(count_units), HELD_DELTA, "", "" },
	[COLUMN_DELTA_NS] = { UNITS(time_units), HELD_DELTA, "", "", { "_ns" } },
	[COLUMN_REAL] = { UNITS(plain), HELD_REAL, "", "" },
	[COLUMN_REAL_NS] = { UNITS(time_units), HELD_REAL, "", "" },
	[COLUMN_PERCENT] = { UNITS(plain), HELD_REAL, " %", "%", { "_percent", "_pct" } },
	[COLUMN_BYTES_PER_S] = { UNITS(rate_units), HELD_REAL, "", "B/s" },
	[COLUMN_COMMAND] = { UNITS(plain), HELD_NONE, "", "" },
};

static const double powers[] = { 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

/* ---- digits ---- */

struct digits {
	char text[NUMBER_TEXT];
	size_t len, whole; /* whole: before the point */
	bool zero;
};

/* Not by printf: a picture has thousands of numbers. But as printf rounds, where that is in doubt.
 */
static void put_digits(struct digits *d, double size, unsigned decimals)
{
	unsigned n = decimals < ARRAY_SIZE(powers) ? decimals : (unsigned)ARRAY_SIZE(powers) - 1;
	double scaled = size * powers[n], down = floor(scaled), rest = scaled - down;
	char *end = d->text + NUMBER_TEXT, *p = end;
	uint64_t v;

	if (!(scaled < 1e15) || fabs(rest - 0.5) < 1e-3) {
		d->len = (size_t)snprintf(d->text, NUMBER_TEXT, size < 1e27 ? "%.*f" : "%.*e",
					  size < 1e27 ? (int)n : 3, size);
		d->whole = strspn(d->text, "0123456789");
		d->zero = strspn(d->text, "0.") == d->len;
		return;
	}
	v = (uint64_t)down + (rest > 0.5);
	d->zero = !v;
	for (unsigned i = 0; i <= n || v; i++, v /= 10) {
		if (i == n && n)
			*--p = '.';
		*--p = (char)('0' + v % 10);
	}
	d->len = (size_t)(end - p);
	d->whole = d->len - (n ? n + 1 : 0);
	memmove(d->text, p, d->len);
}

/* D at TO, with commas between thousands; returns its end. */
static char *group(char *to, const struct digits *d)
{
	for (size_t i = 0; i < d->whole; i++) {
		if (i && (d->whole - i) % 3 == 0)
			*to++ = ',';
		*to++ = d->text[i];
	}
	return mempcpy(to, d->text + d->whole, d->len - d->whole);
}

char *number_scaled(char text[NUMBER_TEXT], double value, const struct number_scale *s)
{
	struct digits d;

	text[0] = '\0';
	if (!isfinite(value))
		return text;
	put_digits(&d, fabs(value) / s->one, s->decimals);
	if (!d.zero && (value < 0 || s->is_signed))
		*text++ = value < 0 ? '-' : '+';
	text = s->grouped ? group(text, &d) : mempcpy(text, d.text, d.len);
	return stpcpy(text, s->after);
}

/* Where a double holds a count and what it makes of a unit of it is as near to that as the nearest
 * number that is rounded the other way. */
#define COUNTED_BITS 52

/* Two digits before P: half as many divisions wait for each other. */
static char *put_pair(char *p, uint64_t pair)
{
	*--p = (char)('0' + (unsigned)pair % 10);
	*--p = (char)('0' + (unsigned)pair / 10);
	return p;
}

const char *number_counted(char text[NUMBER_TEXT], uint64_t value, const struct number_scale *s,
			   size_t *len)
{
	char *end = text + NUMBER_TEXT, *p = end;
	unsigned digits = 0;
	uint64_t rest = 0;

	if (!s->step || s->is_signed || *s->after || value >> COUNTED_BITS)
		return NULL;
	if (s->step > 1) {
		rest = 2 * (value % s->step);
		value /= s->step;
	}
	if (rest == s->step) /* printf rounds what the double is, a bit more or less */
		return NULL;
	value += rest > s->step;
	for (; digits + 1 < s->decimals; digits += 2, value /= 100)
		p = put_pair(p, value % 100);
	for (; digits < s->decimals; digits++, value /= 10)
		*--p = (char)('0' + value % 10);
	if (digits)
		*--p = '.';
	for (; s->grouped && value >= 1000; value /= 1000) {
		p = put_pair(p, value % 100);
		*--p = (char)('0' + value / 100 % 10);
		*--p = ',';
	}
	for (; value >= 100; value /= 100)
		p = put_pair(p, value % 100);
	if (value >= 10)
		p = put_pair(p, value);
	else
		*--p = (char)('0' + value);
	*len = (size_t)(end - p);
	return p;
}

/* ---- numbers below each other ---- */

/* What is rounded to one of the last digit. */
static void set_step(struct number_scale *s)
{
	double step = s->one;

	for (unsigned i = 0; i < s->decimals; i++)
		step /= 10;
	s->step = step >= 1 && step < 1e15 && step == floor(step) ? (uint64_t)step : 0;
}

/* The last unit of which MOST is ten at least: what is a thousandth of it still has a digit. Counts
 * are written in full as long as they can be read. */
static const struct number_unit *column_unit(const struct column_kind *k, double most)
{
	size_t n = k->units == count_units && most < 1e7 ? 1 : k->unit_count;

	while (n > 1 && most < 10 * k->units[n - 1].one)
		n--;
	return &k->units[n - 1];
}

/* Five digits of MOST, as far as it has them. */
static unsigned column_decimals(double most, double one)
{
	return one == 1 ? 0 : most < 100 * one ? 3 : most < 1000 * one ? 2 : 1;
}

struct number_scale number_scale(enum column_type type, unsigned decimals, double most)
{
	const struct column_kind *k = &column_kinds[type];
	const struct number_unit *u = column_unit(k, most);
	struct number_scale s = { .one = u->one,
				  .unit = u->name,
				  .after = "",
				  .grouped = true,
				  .is_signed = k->held == HELD_DELTA };

	if (type == COLUMN_REAL) {
		s.decimals = decimals;
		s.grouped = !decimals;
	} else if (type == COLUMN_PERCENT) {
		s.decimals = 2;
		s.after = "%";
	} else if (type == COLUMN_TIME_NS) {
		s.decimals = 6;
		s.grouped = false;
	} else {
		s.decimals = column_decimals(most, u->one);
	}
	s.grouped = s.grouped && type != COLUMN_ID;
	set_step(&s);
	return s;
}

void number_durations(struct number_scale *s, double most)
{
	const struct number_unit *u = &time_units[0];

	if (most >= 1e12)
		u = &time_units[3];
	else if (most >= 1e5)
		u = &time_units[2];
	else if (most >= 1e3)
		u = &time_units[1];
	s->one = u->one;
	s->unit = u->name;
	s->decimals = u->one > 1 ? 3 : 0;
	set_step(s);
}

/* ---- numbers that stand alone ---- */

const char *number_change(char text[NUMBER_TEXT], double value, unsigned decimals)
{
	number_scaled(text, value, &(struct number_scale){ 1, decimals, "", "", true, true, 0 });
	return text;
}

/* So many that the number has four digits. */
static unsigned decimals_for(double size)
{
	return size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
}

/* "1.850" is "1.85", "2.000" is "2". */
static char *trim(char *text, char *end)
{
	if (!memchr(text, '.', (size_t)(end - text)))
		return end;
	while (end[-1] == '0')
		end--;
	end -= end[-1] == '.';
	*end = '\0';
	return end;
}

const char *number_alone(char text[NUMBER_TEXT], double value, enum column_type type)
{
	const struct column_kind *k = &column_kinds[type];
	bool has_unit = k->unit_count > 1 && (*k->units->name || fabs(value) >= 1e10);
	struct number_scale s = number_scale(type, 3, 0);
	size_t n = k->unit_count;
	char *end;

	text[0] = '\0';
	if (!isfinite(value))
		return text;
	if (has_unit) {
		/* the last one of which VALUE, as it is rounded, is one at least */
		while (n > 1 && fabs(value) < 0.99995 * k->units[n - 1].one)
			n--;
		s.one = k->units[n - 1].one;
		s.unit = k->units[n - 1].name;
		s.decimals = n > 1 ? decimals_for(fabs(value) / s.one) : 0;
	}
	end = number_scaled(text, value, &s);
	if (has_unit || type == COLUMN_REAL)
		end = trim(text, end);
	strcpy(stpcpy(end, *s.unit ? " " : ""), s.unit);
	return text;
}

const char *number_share(char text[NUMBER_TEXT], double part, double whole)
{
	return number_alone(text, percent_of(part, whole), COLUMN_PERCENT);
}

/* ---- numbers with all of their digits ---- */

static bool is_time(enum column_type type)
{
	return type == COLUMN_NS || type == COLUMN_TIME_NS;
}

unsigned number_decimals(uint64_t step, uint64_t one)
{
	unsigned n = 0;

	for (; one > 1 && step % 10 == 0; one /= 10)
		step /= 10;
	for (; one > 1; one /= 10)
		n++;
	return n;
}

void number_tick(char text[NUMBER_TEXT], uint64_t value, uint64_t high, uint64_t step,
		 enum column_type type)
{
	const struct column_kind *k = &column_kinds[is_time(type) ? COLUMN_NS : COLUMN_COUNT];
	size_t n = k->unit_count;
	uint64_t one, digit;
	unsigned decimals;
	int len;

	while (n > 1 && (uint64_t)k->units[n - 1].one > high)
		n--;
	one = digit = (uint64_t)k->units[n - 1].one;
	decimals = number_decimals(step, one);
	for (unsigned i = 0; i < decimals; i++)
		digit /= 10;
	len = snprintf(text, NUMBER_TEXT, "%" PRIu64, value / one);
	if (decimals)
		len += snprintf(text + len, (size_t)(NUMBER_TEXT - len), ".%0*" PRIu64,
				(int)decimals, value % one / digit);
	snprintf(text + len, (size_t)(NUMBER_TEXT - len), "%s%s", is_time(type) ? " " : "",
		 k->units[n - 1].name);
}

const char *number_exact(char text[NUMBER_TEXT], uint64_t value, enum column_type type)
{
	if (is_time(type))
		number_tick(text, value, value, value, type);
	else
		snprintf(text, NUMBER_TEXT, "%" PRIu64, value);
	return text;
}
