/* parser/filter: lists of numbers and names, and all forms of time. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "parser/base/mem.h"
#include "parser/filter.h"
#include "tests/lib/unit.h"

static void release(struct filter *f)
{
	free(f->pids.list);
	free(f->tids.list);
	free(f->cpus.list);
	name_list_release(&f->comms);
	name_list_release(&f->events);
	name_list_release(&f->dsos);
	name_list_release(&f->symbols);
}

static void test_numbers(void)
{
	static const char *const wrong[] = { "",    "x",   "-",	  "-1", "1-",	"1-x",	"3-1",
					     "1,x", "1;2", "1 2", ",1", "1,,2", "1--2", "0x10" };
	struct filter f = { 0 };

	CHECK_EQ(num_list_parse(&f.pids, "7"), 0);
	CHECK_EQ(num_list_parse(&f.pids, "0,2-4,4294967295"), 0); /* options add up */
	CHECK_EQ(f.pids.count, 4);
	CHECK(num_list_has(&f.pids, 0) && num_list_has(&f.pids, 2) && num_list_has(&f.pids, 3));
	CHECK(num_list_has(&f.pids, 4) && num_list_has(&f.pids, 7));
	CHECK(num_list_has(&f.pids, 4294967295u));
	CHECK(!num_list_has(&f.pids, 1) && !num_list_has(&f.pids, 5) && !num_list_has(&f.pids, 8));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct num_list l = { 0 };

		unit_check(num_list_parse(&l, wrong[i]) == ERR_USAGE, __FILE__, __LINE__, wrong[i]);
		free(l.list);
	}
	CHECK(num_list_passes(&f.cpus, 9) && num_list_passes(&f.pids, 4) &&
	      !num_list_passes(&f.pids, 5));
	release(&f);
}

static void test_within(void)
{
	struct num_range ranges[] = { { 10, 20 }, { 30, 40 } };
	const struct num_list none = { 0 }, two = { ranges, 2 };

	CHECK_EQ(num_list_within(&none, 5, 35), 30);
	CHECK_EQ(num_list_within(&two, 5, 35), 15);
	CHECK_EQ(num_list_within(&two, 12, 18), 6);
	CHECK_EQ(num_list_within(&two, 21, 29), 0);
}

static void test_names(void)
{
	char path[] = "/tmp/pdtool-unit-XXXXXX", url[64];
	struct filter f = { 0 };
	int fd = mkstemp(path);

	CHECK_EQ(name_list_parse(&f.comms, "bash,my prog,,cc1"), 0);
	CHECK_EQ(f.comms.count, 3);
	CHECK(name_list_has(&f.comms, "bash") && name_list_has(&f.comms, "my prog"));
	CHECK(name_list_has(&f.comms, "cc1") && !name_list_has(&f.comms, "cc"));
	CHECK(!name_list_has(&f.comms, "") && !name_list_has(&f.comms, "bash,my prog"));
	CHECK_EQ(name_list_parse(&f.events, ""), ERR_USAGE);
	CHECK_EQ(name_list_parse(&f.events, ","), ERR_USAGE);
	CHECK(fd >= 0 && write(fd, "one, two\r\nthree\n\nfour", 21) == 21);
	snprintf(url, sizeof(url), "file://%s", path);
	CHECK_EQ(name_list_parse(&f.symbols, url), 0);
	CHECK_EQ(f.symbols.count, 3);
	CHECK(name_list_has(&f.symbols, "one, two") && name_list_has(&f.symbols, "four"));
	CHECK_EQ(name_list_parse(&f.dsos, "file:///no/such/file"), ERR_IO);
	CHECK_EQ(event_names_parse(&f.events, "cpu/event=1,umask=2/u,cycles,,a/b,c"), 0);
	CHECK_EQ(f.events.count, 3);
	CHECK(name_list_has(&f.events, "cpu/event=1,umask=2/u") &&
	      name_list_has(&f.events, "cycles") && name_list_has(&f.events, "a/b,c"));
	CHECK_EQ(event_names_parse(&f.dsos, ","), ERR_USAGE);
	close(fd);
	unlink(path);
	release(&f);
}

static void test_patterns(void)
{
	struct name_list l = { 0 };

	CHECK_EQ(name_list_parse(&l, "kworker*,[x],p?ol"), 0);
	CHECK(name_list_matches(&l, "kworker/0:1") && !name_list_matches(&l, "worker"));
	CHECK(name_list_matches(&l, "[x]") && name_list_matches(&l, "x"));
	CHECK(name_list_matches(&l, "pool") && !name_list_matches(&l, "pooll"));
	CHECK(!name_list_has(&l, "pool") && !name_list_matches(&l, ""));
	name_list_release(&l);
}

/* The only range of TEXT. */
static struct num_range range(const char *text, const struct time_base *b)
{
	struct num_list l = { 0 };
	struct num_range r = { 1, 0 };

	unit_check(time_parse(&l, text, b) == 0 && l.count == 1, __FILE__, __LINE__, text);
	if (l.count)
		r = l.list[0];
	free(l.list);
	return r;
}

static int refused(const char *text, const struct time_base *b)
{
	struct num_list l = { 0 };
	int rc = time_parse(&l, text, b);

	free(l.list);
	return rc;
}

static void test_seconds(void)
{
	static const char *const wrong[] = { "",    "1",     "x,y",   "1,x",  "1.5.2,3",
					     "3,2", "1e3,2", "1,2,3", "0x1,2" };
	struct time_base b = { 0 };
	struct num_list l = { 0 };

	CHECK_EQ(range("1,2", &b).lo, 1000000000);
	CHECK_EQ(range("1,2", &b).hi, 2000000000);
	CHECK_EQ(range("1.5,2.000000001", &b).lo, 1500000000);
	CHECK_EQ(range("1.5,2.000000001", &b).hi, 2000000001);
	CHECK_EQ(range("0.1,", &b).lo, 100000000);
	CHECK_EQ(range("0.1,", &b).hi, UINT64_MAX);
	CHECK_EQ(range(",0.000000001", &b).lo, 0);
	CHECK_EQ(range(",0.000000001", &b).hi, 1);
	CHECK_EQ(range("123456.789012345,", &b).lo, 123456789012345); /* no rounding */
	CHECK_EQ(range("5,5", &b).lo, 5000000000);
	CHECK_EQ(range("18446744073.709551615,", &b).lo, UINT64_MAX);
	CHECK_EQ(refused("18446744073.709551616,", &b), ERR_USAGE);
	CHECK_EQ(refused("18446744074,", &b), ERR_USAGE);
	CHECK_EQ(refused("99999999999999999999,", &b), ERR_USAGE);
	CHECK_EQ(time_parse(&l, "1,2 3,4", &b), 0);
	CHECK_EQ(l.count, 2);
	CHECK(num_list_has(&l, 3500000000) && !num_list_has(&l, 2500000000));
	free(l.list);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		unit_check(refused(wrong[i], &b) == ERR_USAGE, __FILE__, __LINE__, wrong[i]);
}

static void test_relative(void)
{
	static const char *const wrong[] = {
		"+,1", "-,1", "--1,2", "+1", "++1,2", "+x,2", "+2,+1"
	};
	struct time_base b = { .first_ns = 1000000000, .last_ns = 9000000000 }, none = { 0 };

	CHECK(time_needs_span("+1,") && time_needs_span(",-1") && time_needs_span("1,2 +3,4"));
	CHECK(!time_needs_span("2024-01-02T03:04:05+01:00,2024-01-02T03:04:06"));
	CHECK_EQ(range("+1,+2.5", &b).lo, 2000000000);
	CHECK_EQ(range("+1,+2.5", &b).hi, 3500000000);
	CHECK_EQ(range("-2,", &b).lo, 7000000000);
	CHECK_EQ(range("-2,", &b).hi, UINT64_MAX);
	CHECK_EQ(range("+1,-1", &b).hi, 8000000000);
	CHECK_EQ(range("-100,", &b).lo, 0); /* before the clock began */
	CHECK_EQ(range("0,+18446744073", &b).hi, UINT64_MAX);
	CHECK_EQ(refused("+1,+2", &none), ERR_ABSENT);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		unit_check(refused(wrong[i], &b) == ERR_USAGE, __FILE__, __LINE__, wrong[i]);
}

static void test_split(void)
{
	char two[] = "1,2:3,4", one[] = "12:03:10,12:03:20", days[] = "12:00:00,12:01:00:12:05:00,";
	char three[] = "10%/1:10%/2:0%-5%", open[] = "+1,:,-1";

	CHECK_EQ(time_split(two), 2);
	CHECK(!strcmp(two, "1,2") && !strcmp(two + 4, "3,4"));
	CHECK_EQ(time_split(one), 1);
	CHECK_EQ(time_split(days), 2);
	CHECK(!strcmp(days, "12:00:00,12:01:00") && !strcmp(days + 18, "12:05:00,"));
	CHECK_EQ(time_split(three), 3);
	CHECK(!strcmp(three + 6, "10%/2") && !strcmp(three + 12, "0%-5%"));
	CHECK_EQ(time_split(open), 2);
	CHECK(!strcmp(open, "+1,") && !strcmp(open + 4, ",-1"));
}

static void test_percent(void)
{
	static const char *const wrong[] = { "%",      "10%",	 "10%/0",   "10%/11",
					     "101%/1", "x%/1",	 "50%-40%", "10%-101%",
					     "10%-20", "10%/1x", "nan%/1" };
	struct time_base b = { .first_ns = 1000, .last_ns = 2000 }, none = { 0 };
	struct num_list l = { 0 };

	CHECK(time_needs_span("10%/1") && !time_needs_span("1,2"));
	CHECK_EQ(range("10%/1", &b).lo, 1000);
	CHECK_EQ(range("10%/1", &b).hi, 1099); /* slices do not overlap */
	CHECK_EQ(range("10%/2", &b).lo, 1100);
	CHECK_EQ(range("10%/10", &b).lo, 1900);
	CHECK_EQ(range("10%/10", &b).hi, 2000); /* the last one includes the last sample */
	CHECK_EQ(range("0%-100%", &b).lo, 1000);
	CHECK_EQ(range("0%-100%", &b).hi, 2000);
	CHECK_EQ(range("25%-50%", &b).lo, 1250);
	CHECK_EQ(range("25%-50%", &b).hi, 1499);
	CHECK_EQ(time_parse(&l, "0%-10%,90%-100%", &b), 0);
	CHECK_EQ(l.count, 2);
	CHECK(num_list_has(&l, 1000) && num_list_has(&l, 2000) && !num_list_has(&l, 1500));
	free(l.list);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		unit_check(refused(wrong[i], &b) == ERR_USAGE, __FILE__, __LINE__, wrong[i]);
	CHECK_EQ(refused("10%/1", &none), ERR_ABSENT);
	b = (struct time_base){ .first_ns = 0, .last_ns = UINT64_MAX };
	CHECK_EQ(range("100%-100%", &b).lo, UINT64_MAX);
	CHECK_EQ(range("0%-0%", &b).hi, 0);
}

/* 2023-11-14T22:13:20Z is second 1700000000. */
static void test_wall(void)
{
	struct time_base b = { .has_wall = true,
			       .wall_ns = 1700000000000000000,
			       .clock_ns = 5000000000 };
	struct time_base none = { 0 };

	CHECK_EQ(range("2023-11-14T22:13:20,", &b).lo, 5000000000);
	CHECK_EQ(refused("1969-12-31T23:59:59Z,", &b), ERR_USAGE);
	CHECK_EQ(refused("9999-01-01T00:00:00Z,", &b), ERR_USAGE);
	CHECK_EQ(range("2023-11-14T22:13:20Z,", &b).lo, 5000000000);
	CHECK_EQ(range("2023-11-14T22:13:21.25Z,", &b).lo, 6250000000);
	CHECK_EQ(range("2023-11-14T22:13:19Z,2023-11-14T22:13:22Z", &b).lo, 4000000000);
	CHECK_EQ(range("2023-11-14T22:13:19Z,2023-11-14T22:13:22Z", &b).hi, 7000000000);
	CHECK_EQ(range("2023-11-15T00:13:20+02:00,", &b).lo, 5000000000);
	CHECK_EQ(range("2023-11-14T17:43:20-04:30,", &b).lo, 5000000000);
	CHECK_EQ(refused("2023-11-14T22:13:20Z,", &none), ERR_ABSENT);
	CHECK_EQ(refused("2023-13-14T22:13:20Z,", &b), ERR_USAGE);
	CHECK_EQ(refused("2023-11-14T22:13,", &b), ERR_USAGE);
	CHECK_EQ(refused("2023-11-14T22:13:20X,", &b), ERR_USAGE);
}

/* Without a date: of the day on which the capture is. */
static void test_time_of_day(void)
{
	struct time_base b = { .has_wall = true,
			       .wall_ns = 1700000000000000000,
			       .clock_ns = 5000000000 };
	struct time_base none = { 0 };

	CHECK_EQ(range("22:13:20,22:13:21.5", &b).lo, 5000000000);
	CHECK_EQ(range("22:13:20,22:13:21.5", &b).hi, 6500000000);
	CHECK_EQ(range(",00:13:20+02:00", &b).hi, 5000000000);
	CHECK_EQ(range("22:13:20,00:00:00", &b).hi, 6405000000000); /* midnight is ahead */
	b.first_ns = 10000000000000; /* the samples are on the next day */
	CHECK_EQ(range("00:59:55,", &b).lo, 10000000000000);
	CHECK_EQ(range("23:59:59,00:00:00", &b).lo, 6404000000000);
	CHECK_EQ(refused("22:13:20,", &none), ERR_ABSENT);
	CHECK_EQ(refused("25:13:20,", &b), ERR_USAGE);
	CHECK_EQ(refused("22:13,", &b), ERR_USAGE);
	CHECK_EQ(refused("22:13:20x,", &b), ERR_USAGE);
	CHECK_EQ(refused("00000000022222222222:1333333333333333:20,", &b), ERR_USAGE);
}

int main(void)
{
	test_numbers();
	test_within();
	test_names();
	test_patterns();
	test_seconds();
	test_relative();
	test_split();
	test_percent();
	test_wall();
	test_time_of_day();
	return unit_end();
}
