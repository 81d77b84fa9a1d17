/* analyzers/lib: what abstime is made of. Lines of perf stat, durations, ratios, groups. */
#include <math.h>
#include <stdlib.h>

#include "analyzers/profile/groups.h"
#include "analyzers/profile/cputime/perf_stat.h"
#include "analyzers/profile/cputime/ratio.h"
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
};

static void test_lines(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct stat_line l;
		bool found = stat_line_parse(&l, lines[i].line, strlen(lines[i].line));
		bool good = found == (lines[i].event != NULL);

		if (good && found)
			good = l.event_len == strlen(lines[i].event) &&
			       !memcmp(l.event, lines[i].event, l.event_len) &&
			       l.counted == lines[i].counted && l.csv == lines[i].csv &&
			       (!l.counted ||
				(l.ns == lines[i].ns && l.running_ns == lines[i].running_ns &&
				 l.interval == lines[i].interval));
		unit_check(good, __FILE__, __LINE__, lines[i].line);
	}
}

static bool near(double got, double want)
{
	return fabs(got - want) < 1e-9;
}

static void test_ratio(void)
{
	/* 25 of 100 samples, and 50 of 100: SE = sqrt(.75 / 25 + .5 / 50) = 0.2 */
	struct ratio_side a = { 10, 25, 100, 25, 100 }, b = { 30, 50, 100, 50, 100 };
	struct ratio_side heavy = { 30, 500, 1000, 5000, 10000 }, none = { 0, 0, 100, 0, 100 };
	struct ratio r = ratio_of(&a, &b);

	CHECK(near(r.ratio, 3));
	CHECK(near(r.low, 3 * exp(-1.959963984540054 * 0.2)));
	CHECK(near(r.high, 3 * exp(1.959963984540054 * 0.2)));
	/* what a sample weighs does not matter, only how many there are */
	CHECK(near(ratio_of(&a, &heavy).low, r.low));
	CHECK(near(effective_samples(1000, 10000), 100));
	CHECK(near(effective_samples(0, 0), 0));
	r = ratio_of(&a, &none);
	CHECK(near(r.ratio, 0) && isnan(r.low) && isnan(r.high));
	CHECK(isnan(ratio_of(&none, &a).ratio));
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
	test_ratio();
	test_groups();
	return unit_end();
}
