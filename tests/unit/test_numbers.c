/* How numbers look: to people alone, in columns and on axes, to machines, in facts; the names of
 * columns. */
#include "formats/axis.h"
#include "formats/cell.h"
#include "formats/format.h"
#include "formats/number.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>

static void alone(double value, enum column_type type, const char *want)
{
	char text[NUMBER_TEXT];

	number_alone(text, value, type);
	CHECK_STR(text, want);
}

static void test_alone(void)
{
	alone(0, COLUMN_NS, "0 ns");
	alone(1, COLUMN_NS, "1 ns");
	alone(999, COLUMN_NS, "999 ns");
	alone(999940, COLUMN_NS, "999.9 us");
	alone(999950, COLUMN_NS, "1 ms");
	alone(999999, COLUMN_NS, "1 ms");
	alone(1850000000, COLUMN_NS, "1.85 s");
	alone(12345678, COLUMN_NS, "12.35 ms");
	alone(9999.6e6, COLUMN_NS, "10 s");
	alone(1234567e9, COLUMN_NS, "1,234,567 s");
	alone((double)UINT64_MAX, COLUMN_NS, "18,446,744,074 s");
	alone(-1500000, COLUMN_DELTA_NS, "-1.5 ms");
	alone(1500, COLUMN_DELTA_NS, "+1.5 us");
	alone(0, COLUMN_DELTA_NS, "0 ns");
	alone(1984638719000, COLUMN_TIME_NS, "1984.638719 s");
	alone(0, COLUMN_BYTES, "0 B");
	alone(1023, COLUMN_BYTES, "1,023 B");
	alone(1048575, COLUMN_BYTES, "1 MiB");
	alone(13107200, COLUMN_BYTES, "12.5 MiB");
	alone(1536, COLUMN_BYTES_PER_S, "1.5 KiB/s");
	alone(1234567, COLUMN_COUNT, "1,234,567");
	alone(1234567, COLUMN_ID, "1234567");
	alone(15646840123, COLUMN_COUNT, "15.65 G");
	alone(2.5, COLUMN_REAL, "2.5");
	alone(12.345, COLUMN_PERCENT, "12.35%");
	alone(NAN, COLUMN_NS, "");
	alone(INFINITY, COLUMN_PERCENT, "");
}

static void percent(double value, const char *want)
{
	char text[NUMBER_TEXT];

	number_alone(text, value, COLUMN_PERCENT);
	CHECK_STR(text, want);
}

/* As printf rounds: 99.995 is a little less than that. */
static void test_percent(void)
{
	percent(0, "0.00%");
	percent(-0.001, "0.00%");
	percent(0.005, "0.01%");
	percent(99.995, "100.00%");
	percent(99.994999, "99.99%");
	percent(0.125, "0.12%");
	percent(100, "100.00%");
	percent(-28.456, "-28.46%");
	percent(1e300, "1.000e+300%");
	CHECK_EQ(percent_of(1, 0), 0);
	CHECK_EQ(percent_of(1, 4), 25);
}

static void exact(uint64_t value, enum column_type type, const char *want)
{
	char text[NUMBER_TEXT];

	number_exact(text, value, type);
	CHECK_STR(text, want);
}

static void test_exact(void)
{
	exact(1024001, COLUMN_NS, "1.024001 ms");
	exact(1024000, COLUMN_TIME_NS, "1.024 ms");
	exact(0, COLUMN_NS, "0 ns");
	exact(1234567, COLUMN_COUNT, "1234567");
	exact(UINT64_MAX, COLUMN_COUNT, "18446744073709551615");
	exact(UINT64_MAX, COLUMN_NS, "18446744073.709551615 s");
}

static void change(double value, unsigned decimals, const char *want)
{
	char text[NUMBER_TEXT];

	number_change(text, value, decimals);
	CHECK_STR(text, want);
}

static void test_change(void)
{
	change(1234, 0, "+1,234");
	change(-1234.5, 2, "-1,234.50");
	change(0, 0, "0");
	change(-0.4, 0, "0");
}

/* ---- columns ---- */

#define ROWS 3

/* Numbers below each other, their heading before them, separated by "|". */
static void column(enum column_type type, const double *values, const char *want)
{
	struct column c = { "wait_ns", type, 1, NULL };
	struct cell cells[ROWS];
	struct cells packed = { 0 };
	struct table_part t = { &c, 1, &packed, ROWS, NULL, 0, 0, NULL };
	struct buf text = { 0 };
	struct people_column *p;
	char buf[CELL_TEXT_MAX];

	for (size_t i = 0; i < ROWS; i++) {
		cells[i] = (struct cell){ .empty = !isfinite(values[i]) };
		if (type == COLUMN_DELTA_NS)
			cells[i].delta = isfinite(values[i]) ? (int64_t)values[i] : 0;
		else if (type >= COLUMN_REAL)
			cells[i].real = values[i];
		else
			cells[i].count = isfinite(values[i]) ? (uint64_t)values[i] : 0;
		cells_add(&packed, &cells[i]);
	}
	p = people_columns(&t, ROWS);
	buf_str(&text, p->heading);
	for (size_t i = 0; i < ROWS; i++)
		buf_printf(&text, "|%s", people_cell(p, TABLE_CELL(&t, i, 0), buf));
	CHECK_STR(text.data, want);
	cells_release(&packed);
	buf_release(&text);
	free(p);
}

static void test_columns(void)
{
	column(COLUMN_NS, (double[]){ 1850000000, 12000, 0 }, "Wait (ms)|1,850.000|0.012|0.000");
	column(COLUMN_NS, (double[]){ 12345, 1, NAN }, "Wait (us)|12.345|0.001|");
	column(COLUMN_NS, (double[]){ 9999, 1, 0 }, "Wait (us)|9.999|0.001|0.000");
	column(COLUMN_NS, (double[]){ 999, 1, 0 }, "Wait (ns)|999|1|0");
	column(COLUMN_NS, (double[]){ 99999, 1, 0 }, "Wait (us)|99.999|0.001|0.000");
	column(COLUMN_NS, (double[]){ 100000, 1, 0 }, "Wait (ms)|0.100|0.000|0.000");
	column(COLUMN_NS, (double[]){ 1e12, 1, 0 }, "Wait (s)|1,000.000|0.000|0.000");
	column(COLUMN_TIME_NS, (double[]){ 1984638719000, 1, 0 },
	       "Wait (s)|1984.638719|0.000000|0.000000");
	column(COLUMN_DELTA_NS, (double[]){ -20000000, 5, 0 }, "Wait (ms)|-20.000|0.000|0.000");
	column(COLUMN_BYTES, (double[]){ 20971520, 1048576, 0 },
	       "Wait ns (MiB)|20.000|1.000|0.000");
	column(COLUMN_COUNT, (double[]){ 1234567, 1, 0 }, "Wait ns|1,234,567|1|0");
	column(COLUMN_REAL, (double[]){ 0.25, 17, NAN }, "Wait ns|0.2|17.0|");
	column(COLUMN_PERCENT, (double[]){ 99.999, 12.5, NAN }, "Wait ns|100.00%|12.50%|");
}

/* VALUE by integers, where they know it, and by doubles. */
static bool counted(uint64_t value, const struct number_scale *s)
{
	char text[NUMBER_TEXT], want[NUMBER_TEXT];
	size_t len = 0, wanted = (size_t)(number_scaled(want, (double)value, s) - want);
	const char *at = number_counted(text, value, s, &len);

	return !at || (len == wanted && !memcmp(at, want, len));
}

/* Around what is rounded the other way, and around the powers of ten, as far as integers go. */
static void test_counted(void)
{
	static const double most[] = { 50, 5e3, 5e5, 5e7, 5e9, 5e12, 5e15, 1e19 };
	static const enum column_type types[] = { COLUMN_ID, COLUMN_COUNT, COLUMN_NS,
						  COLUMN_TIME_NS, COLUMN_BYTES };
	uint64_t wrong = 0, random = 1, known = 0;
	char text[NUMBER_TEXT];

	for (size_t i = 0; i < ARRAY_SIZE(types) * ARRAY_SIZE(most); i++) {
		struct number_scale s =
			number_scale(types[i / ARRAY_SIZE(most)], 0, most[i % ARRAY_SIZE(most)]);
		size_t len;

		if (types[i / ARRAY_SIZE(most)] == COLUMN_NS)
			number_durations(&s, most[i % ARRAY_SIZE(most)]);
		for (unsigned k = 0; k < 20000; k++) {
			uint64_t near, power = 1;

			random = random * 6364136223846793005u + 1442695040888963407u;
			near = random >> 12 >> (k % 52);
			for (unsigned n = k % 16; n; n--)
				power *= 10;
			wrong += !counted(near, &s);
			wrong += !counted(power + k / 16 % 3 - 1, &s);
			near -= s.step ? near % s.step : 0;
			wrong += !counted(near + s.step / 2 + k % 3 - 1, &s);
			known += number_counted(text, near, &s, &len) != NULL;
		}
	}
	CHECK_EQ(wrong, 0);
	CHECK(known > 0);
}

/* A column is as wide as its widest cell, whichever way it is measured. */
static void test_measure(void)
{
	struct column c = { "wait_ns", COLUMN_NS, 0, NULL };
	struct cells cells = { 0 };
	struct table_part t = { &c, 1, &cells, 3, NULL, 0, 0, NULL };
	struct people_column *p;

	cells_add(&cells, &(struct cell){ .count = 1234567890 });
	cells_add(&cells, &(struct cell){ .count = 7 });
	cells_add(&cells, &(struct cell){ .empty = true });
	p = people_columns(&t, 3);
	people_measure(p, &t, 3, 100);
	CHECK_EQ(p->cells, strlen("1,234.568"));
	people_measure(p, &t, 2, 5);
	CHECK_EQ(p->cells, 5);
	free(p);
	cells_add(&cells, &(struct cell){ .empty = true, .text = "more than a number" });
	t.row_count = 4;
	p = people_columns(&t, 4);
	people_measure(p, &t, 4, 100);
	CHECK_EQ(p->cells, strlen("more than a number"));
	free(p);
	cells_release(&cells);
}

/* Durations of one table in one unit. */
static void test_table_unit(void)
{
	static const struct column columns[] = { { "p50_ns", COLUMN_NS, 0, NULL },
						 { "p99_ns", COLUMN_NS, 0, NULL },
						 { "max_ns", COLUMN_NS, 0, NULL },
						 { "new_ns", COLUMN_NS, 0, NULL },
						 { "size_bytes", COLUMN_BYTES, 0, NULL } };
	static const uint64_t numbers[] = { 9353, 481318, 16830479, 5, 9 };
	struct cells cells = { 0 };
	struct table_part t = { columns, 5, &cells, 1, NULL, 0, 0, NULL };
	struct people_column *p;
	static const char *const want[] = { "0.009", "0.481", "16.830", "0.000", "9" };
	char buf[CELL_TEXT_MAX];

	for (size_t i = 0; i < 5; i++)
		cells_add(&cells, &(struct cell){ .count = numbers[i] });
	p = people_columns(&t, 1);
	for (size_t i = 0; i < 5; i++)
		CHECK_STR(people_cell(&p[i], TABLE_CELL(&t, 0, i), buf), want[i]);
	cells_release(&cells);
	CHECK_STR(p[0].heading, "P50 (ms)");
	CHECK_STR(p[3].heading, "New (ms)");
	free(p);
}

static void label(const char *name, enum column_type type, const char *want)
{
	struct column c = { name, type, 0, NULL };
	char buf[CELL_TEXT_MAX];

	CHECK_STR(column_label(&c, buf), want);
}

static void test_labels(void)
{
	struct column c = { "abs_a_ns", COLUMN_NS, 0, "CPU time A" };
	char buf[CELL_TEXT_MAX], longest[2000];

	CHECK_STR(column_label(&c, buf), "CPU time A");
	label("self_percent", COLUMN_PERCENT, "Self");
	label("share_pct", COLUMN_PERCENT, "Share");
	label("queue_p99_ns", COLUMN_NS, "Queue p99");
	label("waiter_comm", COLUMN_TEXT, "Waiter Command");
	label("comm", COLUMN_TEXT, "Command");
	label("dso", COLUMN_TEXT, "Shared Object");
	label("sym", COLUMN_TEXT, "Symbol");
	label("_ns", COLUMN_NS, " ns");
	label("", COLUMN_NS, "");
	memset(longest, 'x', sizeof(longest));
	longest[1000] = '_';
	longest[sizeof(longest) - 1] = '\0';
	c = (struct column){ longest, COLUMN_TEXT, 0, NULL };
	CHECK(strlen(column_label(&c, buf)) < CELL_TEXT_MAX);
}

/* ---- facts ---- */

static void fact(const char *value, const char *people, const char *machine)
{
	struct buf b = { 0 };

	CHECK_STR(fact_text(value, true, &b), people);
	CHECK_STR(fact_text(value, false, &b), machine);
	buf_release(&b);
}

#define TEXT(type, number) "\x01" type number "\x02"

static void test_facts(void)
{
	fact("none", "none", "none");
	fact("", "", "");
	fact("blocked " TEXT("D", "1850000000") ", twice", "blocked 1.85 s, twice",
	     "blocked 1850000000 ns, twice");
	fact(TEXT("K", "0.12") TEXT("F", "2048"), "0.12%2 KiB", "0.12 %2048 bytes");
	/* none of ours: a type that is not there, no end */
	fact(TEXT("z", "1"), TEXT("z", "1"), TEXT("z", "1"));
	fact("b\x01", "b\x01", "b\x01");
	fact("\x01"
	     "D12",
	     "\x01"
	     "D12",
	     "\x01"
	     "D12");
	fact(NS_TEXT(1500), "1.5 us", "1500 ns");
	fact(COUNT_TEXT(UINT64_MAX), "18.45 E", "18446744073709551615");
	fact(TIME_TEXT(1984638719123), "1984.638719 s", "1984638719123 ns");
	fact(SHARE_TEXT(1, 3), "33.33%", "33.33 %");
	fact(SHARE_TEXT(1, 0), "0.00%", "0.00 %");
	fact(PERCENT_TEXT(-1e300), "0.00%", "0.00 %");
}

/* ---- axes ---- */

static void check_ticks(const struct axis *a, const char *want)
{
	struct buf text = { 0 };

	buf_str(&text, "");
	for (size_t i = 0; i < a->count; i++)
		buf_printf(&text, "%s%s", i ? "|" : "", a->ticks[i].text);
	CHECK_STR(text.data, want);
	buf_release(&text);
}

static void test_axis(void)
{
	struct axis a;

	axis_linear(&a, &(struct axis_span){ 0, 1000, 5, COLUMN_NS });
	check_ticks(&a, "0.0 us|0.2 us|0.4 us|0.6 us|0.8 us|1.0 us");
	axis_linear(&a, &(struct axis_span){ 5123456000000, 5124456000000, 5, COLUMN_NS });
	check_ticks(&a, "5123.6 s|5123.8 s|5124.0 s|5124.2 s|5124.4 s");
	axis_linear(&a, &(struct axis_span){ 3, 4, 9, COLUMN_COUNT });
	check_ticks(&a, "3|4");
	axis_linear(&a, &(struct axis_span){ 0, 2500000, 5, COLUMN_COUNT });
	check_ticks(&a, "0.0M|0.5M|1.0M|1.5M|2.0M|2.5M");
	axis_linear(&a, &(struct axis_span){ UINT64_MAX - 1, UINT64_MAX, 5, COLUMN_COUNT });
	CHECK_EQ(a.count, 2);
	axis_linear(&a, &(struct axis_span){ 0, UINT64_MAX, 1, COLUMN_NS });
	CHECK(a.count > 0);
	axis_log(&a, &(struct axis_span){ 1000, 1000000, 20, COLUMN_NS });
	check_ticks(&a, "1 us|2 us|5 us|10 us|20 us|50 us|100 us|200 us|500 us|1 ms");
	axis_log(&a, &(struct axis_span){ 0, UINT64_MAX, 6, COLUMN_NS });
	check_ticks(&a, "0 ns|1 ns|1 us|1 ms|1 s|1000 s|1000000 s|1000000000 s");
	axis_wall(&a, &(struct axis_span){ 500000000, 40000000000, 4, COLUMN_NS }, 86399000000000);
	check_ticks(&a, "00:00:00|00:00:10|00:00:20|00:00:30");
	axis_wall(&a, &(struct axis_span){ 0, 300000000, 4, COLUMN_NS }, -50000000);
	check_ticks(&a, "00:00:00.0|00:00:00.1|00:00:00.2");
	CHECK_EQ(a.ticks[0].at, 50000000);
}

int main(void)
{
	test_alone();
	test_percent();
	test_exact();
	test_change();
	test_columns();
	test_counted();
	test_measure();
	test_table_unit();
	test_labels();
	test_facts();
	test_axis();
	return unit_end();
}
