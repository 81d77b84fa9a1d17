/* analyzers/lib: what abstime is made of. Lines of perf stat, durations, ratios, groups. */
#include <math.h>
#include <stdlib.h>

#include "analyzers/profile/abs_change.h"
#include "analyzers/profile/groups.h"
#include "analyzers/perfstat/stat_row.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

/* As perf 6.1, 6.12, and older ones print them. */
static const struct {
	const char *line, *event;
	uint64_t ns, running_ns;
	bool counted, interval, csv;
} lines[] = {
	{ "             63.75 msec task-clock                       #    0.553 CPUs utilized",
	  "task-clock", 63750000, 0, true, false, false },
	{ "          1,106.28 msec task-clock:u  #    0.998 CPUs utilized  ( +-  9.92% )",
	  "task-clock:u", 1106280000, 0, true, false, false },
	{ "          1.106,28 msec task-clock", "task-clock", 1106280000, 0, true, false, false },
	{ "     1\xe2\x80\xaf"
	  "106,28 msec task-clock",
	  "task-clock", 1106280000, 0, true, false, false },
	{ "     0.050114686              39.95 msec cpu-clock    #    0.799 CPUs utilized",
	  "cpu-clock", 39950000, 0, true, true, false },
	{ "     0.100467245      <not counted> msec task-clock", "task-clock", 0, 0, false, true,
	  false },
	{ "CPU1                    90.96 msec task-clock   #    1.000 CPUs utilized", "task-clock",
	  90960000, 0, true, false, false },
	{ "S0-D0-C1           1              89.94 msec task-clock", "task-clock", 89940000, 0,
	  true, false, false },
	{ "sh task-clock-12           1.12 msec task-clock", "task-clock", 1120000, 0, true, false,
	  false },
	{ "     1106.283911      task-clock (msec)       #    0.998 CPUs utilized", "task-clock",
	  1106283911, 0, true, false, false },
	{ "     1106.283911 task-clock                #    0.998 CPUs utilized          ",
	  "task-clock", 1106283911, 0, true, false, false },
	{ "    1106.283911  task-clock-msecs         #      0.998 CPUs ", "task-clock-msecs",
	  1106283911, 0, true, false, false },
	{ "1106.283911,task-clock-msecs", "task-clock-msecs", 1106283911, 0, true, false, true },
	{ "1106.283911,task-clock", "task-clock", 1106283911, 0, true, false, true },
	{ "          1.00 msec task-clock  # (80.00%)", "task-clock", 1000000, 0, true, false,
	  false },
	{ "1106.283911 task-clock of something", NULL, 0, 0, false, false, false },
	{ " Performance counter stats for './bench 5 task-clock':", NULL, 0, 0, false, false,
	  false },
	{ "55.55,msec,task-clock,55553540,100.00,0.521,CPUs utilized", "task-clock", 55550000,
	  55553540, true, false, true },
	{ "56.25;msec;task-clock;56246108;100.00;0.525;CPUs utilized", "task-clock", 56250000,
	  56246108, true, false, true },
	{ "56,25;msec;task-clock;56246108;100,00;0,525;CPUs utilized", "task-clock", 56250000,
	  56246108, true, false, true },
	{ "0.63|msec|task-clock:u|633900|100.00|0.581|CPUs utilized", "task-clock:u", 630000,
	  633900, true, false, true },
	{ "0.63\tmsec\ttask-clock\t633900\t100.00", "task-clock", 630000, 633900, true, false,
	  true },
	{ "49.14,msec,task-clock,13.89%,49143624,100.00,0.461,CPUs utilized", "task-clock",
	  49140000, 49143624, true, false, true },
	{ "     0.050106514,39.93,msec,task-clock,39934251,100.00,0.799,CPUs utilized",
	  "task-clock", 39930000, 39934251, true, true, true },
	{ "     0.050122007,CPU0,50.26,msec,task-clock,50259949,100.00,1.005,CPUs utilized",
	  "task-clock", 50260000, 50259949, true, true, true },
	{ "S0,2,180.09,msec,task-clock,180087042,100.00,2.000,CPUs utilized", "task-clock",
	  180090000, 180087042, true, false, true },
	{ "memfd:sealed-91-13333,0.03,msec,task-clock,31777,100.00,0.001,CPUs utilized",
	  "task-clock", 30000, 31777, true, false, true },
	{ "         summary,1.18,msec,task-clock,1181943,100.00,0.010,CPUs utilized", "task-clock",
	  1180000, 1181943, true, false, true },
	{ "0.101340532,<not counted>,msec,task-clock,0,100.00,,", "task-clock", 0, 0, false, false,
	  true },
	{ "55.553540,,task-clock", "task-clock", 55553540, 0, true, false, true },
	{ "<not supported>,,task-clock,0,100.00,,", "task-clock", 0, 0, false, false, true },
	{ "4,,context-switches,55553540,100.00,144.021,/sec", NULL, 0, 0, false, false, false },
	{ "99999999999999999999 msec task-clock", NULL, 0, 0, false, false, false },
	{ "task-clock", NULL, 0, 0, false, false, false },
	{ " msec task-clock", NULL, 0, 0, false, false, false },
	{ ",,task-clock,", NULL, 0, 0, false, false, false },
	{ "1.5 parsec task-clock", NULL, 0, 0, false, false, false },
	{ " Performance counter stats for 'task-clock':", NULL, 0, 0, false, false, false },
	{ "          14  \f    #    0.553 CPUs utilized", NULL, 0, 0, false, false, false },
};

static void test_lines(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct stat_rows rows = { 0 };
		struct stat_row r;
		uint64_t ns = 0;
		bool found = stat_row_read(&rows, &r, lines[i].line, strlen(lines[i].line)) &&
			     !r.more && stat_event_is_clock(r.event) &&
			     (r.state != STAT_COUNTED || stat_row_ns(&r, &ns));
		bool good = found == (lines[i].event != NULL);

		if (good && found)
			good = r.event.len == strlen(lines[i].event) &&
			       !memcmp(r.event.start, lines[i].event, r.event.len) &&
			       (r.state == STAT_COUNTED) == lines[i].counted &&
			       (r.form == STAT_CSV) == lines[i].csv &&
			       (!lines[i].counted || (ns == (lines[i].running_ns ?: lines[i].ns) &&
						      (lines[i].ns + 5000 - ns) <= 10000 &&
						      r.has_time == lines[i].interval));
		unit_check(good, __FILE__, __LINE__, lines[i].line);
		stat_rows_release(&rows);
	}
}

/* Of one event, its count and the deviation of repeated runs. */
static void test_counters(void)
{
	static const struct {
		const char *line, *name;
		uint64_t count;
		double error;
	} rows[] = {
		{ "     1,234,567      cycles:u      #  1.2 GHz   ( +-  0.25% )", "cycles", 1234567,
		  0.0025 },
		{ "     1.234.567      cycles", "cycles", 1234567, 0 },
		{ "12,,context-switches,12.50%,5555,100.00,,", "context-switches", 12, 0.125 },
		{ "12;;probe_server:request;12,50%;5555;100,00;;", "probe_server:request", 12,
		  0.125 },
		{ "12,,probe_server:request,5555,100.00,,", "request", 0, 0 },
		{ "99999999999999999999 cycles", "cycles", 0, 0 },
		{ "   <not counted>  cycles", "cycles", 0, 0 },
		{ "12.5 Joules power/energy-pkg/", "power/energy-pkg/", 0, 0 },
		{ "12 cycles-ct", "cycles", 0, 0 },
		{ "cycles", "cycles", 0, 0 },
		{ "12 cycles", "", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stat_rows reader = { 0 };
		struct stat_row r;
		uint64_t count = 0;
		bool found = stat_row_read(&reader, &r, rows[i].line, strlen(rows[i].line)) &&
			     stat_event_is(r.event, rows[i].name) && stat_row_count(&r, &count);

		unit_check(
			(found ? count : 0) == rows[i].count &&
				(!rows[i].count || fabs(r.error_pct / 100 - rows[i].error) < 1e-12),
			__FILE__, __LINE__, rows[i].line);
		stat_rows_release(&reader);
	}
}

static void test_titles(void)
{
	static const struct {
		const char *line, *command;
		uint64_t runs;
	} rows[] = {
		{ " Performance counter stats for 'sh -c x' (5 runs):", "'sh -c x'", 5 },
		{ " Performance counter stats for 'a (3 runs)':", "'a (3 runs)'", 0 },
		{ " Performance counter stats for process id '12':", "process id '12'", 0 },
		{ " Performance counter stats for :", "", 0 },
		{ " Performance counter stats for  runs):", " runs)", 0 },
		{ " counter stats for 'x':", NULL, 0 },
	};
	static const char elapsed[] = "   0.10771 +- 0.00649 seconds time elapsed  ( +-  6.03% )";
	static const char french[] = "   1,500000000 seconds time elapsed";
	static const char none[] = "  seconds time elapsed", user[] = "  0.1 seconds user";
	uint64_t ns = 0, runs;
	char *command;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *line = rows[i].line;
		bool found = stat_title_parse(line, strlen(line), &command, &runs);

		unit_check(found == (rows[i].command != NULL) &&
				   (!found ||
				    (!strcmp(command, rows[i].command) && runs == rows[i].runs)),
			   __FILE__, __LINE__, line);
		if (found)
			free(command);
	}
	CHECK(stat_elapsed_parse(elapsed, sizeof(elapsed) - 1, &ns) && ns == 107710000);
	CHECK(stat_elapsed_parse(french, sizeof(french) - 1, &ns) && ns == 1500000000);
	CHECK(!stat_elapsed_parse(none, sizeof(none) - 1, &ns));
	CHECK(!stat_elapsed_parse(user, sizeof(user) - 1, &ns));
}

static bool near(double got, double want)
{
	return fabs(got - want) < 1e-9;
}

/* Two captures of FUNCTIONS rows: row i has 100 samples of weight WEIGHT before, and 100 after, but
 * the first has 200 there. */
static void two_captures(struct shares *s, unsigned functions, uint64_t weight)
{
	shares_init(s, 2);
	for (unsigned i = 0; i < functions; i++) {
		char name[] = { 'f', (char)('a' + i) };
		uint32_t id = shares_name(s, name, sizeof(name));

		for (size_t c = 0; c < 2; c++) {
			uint64_t samples = !i && c ? 200 : 100;

			shares_scope(s, c, samples * weight, (double)(samples * weight * weight));
			shares_add(s, c, id, &(struct share_cell){ .weight = samples * weight });
		}
	}
}

static struct ratio ratio_of(unsigned functions, uint64_t weight, double between_runs, double error)
{
	struct abs_run runs[2] = { { false, 10, error, 4 }, { true, 12, error, 4 } };
	struct noise_asked asked = { .between_runs = between_runs };
	struct shares s = { 0 };
	struct noise n = { 0 };
	struct ratio r;

	two_captures(&s, functions, weight);
	CHECK(abs_noise(&n, &s, runs, &asked));
	r = abs_ratio(&n, &s, 0, 0, (double[]){ 10, 30 });
	noise_release(&n);
	shares_release(&s);
	return r;
}

static void test_ratio(void)
{
	struct share_total none = { .weight = 9 }, tens = { .weight = 1000, .squares = 10000 };
	struct shares unknown = { 0 };
	struct noise n = { 0 };
	struct abs_run runs[2] = { { .time = 1 }, { .after = true, .time = 1 } };
	/* too few functions: the scatter of runs for all, 30 degrees of freedom */
	struct ratio few = ratio_of(2, 1, 0.1, 0), many, told;
	double se = sqrt(1 / 100. + 1 / 200. + 2 * 0.01);

	CHECK(near(few.ratio, 3));
	CHECK(fabs(few.low - 3 * exp(-2.042272456 * se)) < 1e-6);
	CHECK(fabs(few.high - 3 * exp(2.042272456 * se)) < 1e-6);
	/* what a sample weighs does not matter, only how many there are */
	CHECK(near(ratio_of(2, 1000, 0.1, 0).low, few.low));
	/* the scatter of functions is small here, that of runs is assumed, or told by their sources
	 */
	many = ratio_of(9, 1, 0.5, 0);
	told = ratio_of(9, 1, 0.5, 0.01);
	CHECK(near(many.ratio, 3));
	CHECK(log(many.high / 3) > 0.5 * M_SQRT2 * 2 && log(told.high / 3) < 0.4);
	CHECK(log(told.high / 3) > 2 * sqrt(1 / 100.5 + 1 / 200.5));
	CHECK(near(effective_samples(&tens), 100));
	CHECK(near(effective_samples(&none), 0));
	/* nothing tells how many samples a weight is */
	shares_init(&unknown, 2);
	for (size_t c = 0; c < 2; c++)
		shares_scope(&unknown, c, 10, 0);
	CHECK(!abs_noise(&n, &unknown, runs, &(struct noise_asked){ 0 }));
	CHECK(isnan(abs_ratio(NULL, &unknown, 0, 0, (double[]){ 1, 2 }).low));
	CHECK(isnan(abs_ratio(NULL, &unknown, 0, 0, (double[]){ 0, 2 }).ratio));
	shares_release(&unknown);
}

static void test_groups(void)
{
	static const struct {
		const char *regex;
		unsigned kind;
	} rows[] = {
		{ "^f$", 0 }, { "^f", GROUP_SYMBOL }, { "main", GROUP_STACK }, { "libc", GROUP_DSO }
	};
	struct pattern_list g = { .count = ARRAY_SIZE(rows) };

	for (size_t i = 0; i < g.count; i++) {
		g.list[i].kind = rows[i].kind;
		CHECK(!regcomp(&g.list[i].regex, rows[i].regex, REG_EXTENDED | REG_NOSUB));
	}
	CHECK_EQ(groups_match(&g, GROUP_SYMBOL, "f"), 3);
	CHECK_EQ(groups_match(&g, GROUP_SYMBOL, "fg"), 2);
	CHECK_EQ(groups_match(&g, GROUP_STACK, "fg"), 0);
	CHECK_EQ(groups_match(&g, GROUP_STACK, "main"), 4);
	CHECK_EQ(groups_match(&g, GROUP_SYMBOL, "main"), 0);
	CHECK_EQ(groups_match(&g, GROUP_DSO, "/usr/lib/libc.so.6"), 8);
	for (size_t i = 0; i < g.count; i++)
		regfree(&g.list[i].regex);
}

int main(void)
{
	test_lines();
	test_counters();
	test_titles();
	test_ratio();
	test_groups();
	return unit_end();
}
