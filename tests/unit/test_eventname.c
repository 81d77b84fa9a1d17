/* Which events a name means: the name itself before a pattern before the name without modifiers. */
#include "parser/eventname.h"
#include "parser/base/buf.h"
#include "parser/file/attr.h"
#include "parser/filter.h"
#include "tests/lib/unit.h"

#include <string.h>

/* The places of those of NAMES (blanks between) that WANTED, a list as of --event, means. */
static const char *chosen(const char *names, const char *wanted)
{
	static char text[64];
	struct event_list l = { 0 };
	struct event_choice c = { 0 };
	struct name_list list = { 0 };
	struct event_attr tracepoint = { .type = 2 }, hardware = { .type = 0 };
	size_t len;

	text[0] = '\0';
	CHECK_EQ(event_names_parse(&list, wanted), 0);
	for (const char *at = names; *at; at += len + (at[len] == ' ')) {
		struct pdt_desc *d;

		len = strcspn(at, " ");
		d = event_list_add(&l, strncmp(at, "sched:", 6) ? &hardware : &tracepoint);
		event_desc_set_name(d, at, len);
		/* asked one by one, as they come in a pipe */
		(void)event_chosen(&c, &l, &list, d);
	}
	for (size_t i = 0; i < l.count; i++) {
		if (event_chosen(&c, &l, &list, l.descs[i]))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%zu", i);
	}
	event_choice_release(&c);
	name_list_release(&list);
	event_list_release(&l);
	return text;
}

static void test_bare(void)
{
	static const struct {
		const char *names, *wanted, *chosen;
	} cases[] = {
		{ "cycles:Pu instructions", "cycles", "0" },
		{ "cycles cycles:u", "cycles", "0" },
		{ "cycles:u cycles", "cycles", "1" },
		{ "cycles:u cycles", "cycles:u", "0" },
		{ "cycles:Pu", "cycles:P", "" },
		{ "cycles:up", "cycles:u", "" },
		{ "cpu-cycles:u", "cycles", "0" },
		{ "cycles:u", "cpu-cycles", "0" },
		{ "faults", "page-faults", "0" },
		{ "cpu_core/cycles/ cpu_atom/cycles/u", "cycles", "01" },
		{ "cpu_core/cycles/ cpu_atom/cycles/u", "cpu_atom/cycles/", "1" },
		{ "cpu_core/cycles/ cpu_atom/cycles/u", "cpu_core/cycles", "" },
		{ "cpu/cycles,period=9/P", "cycles", "0" },
		{ "cpu/period=9,cycles/P", "cycles", "0" },
		{ "page-faults/period=1/", "page-faults", "0" },
		{ "page-faults/period=1,overwrite/u", "page-faults", "0" },
		{ "cpu/event=1,umask=2/u", "cpu/event=1,umask=2/", "0" },
		{ "cpu-clock:u task-clock", "cpu-clock,task-clock", "01" },
		{ "sched:sched_switch sched:sched_waking:u", "sched_waking", "1" },
		{ "sched:sched_switch sched:sched_switch:u", "sched:sched_switch", "0" },
		{ "sched:sched_switch cycles:u", "sched", "" },
		{ "sched:sched_switch sched:sched_waking cycles", "sched:*", "01" },
		{ "sched:sched_switch sched:sched_waking cycles", "*_waking", "1" },
		{ "c* cycles cycles:u", "c*", "0" },
		{ "intel_pt// dummy:HG", "intel_pt,dummy", "01" },
		{ "hw-cpu-cycles sw-task-clock:u hw-", "cycles,task-clock", "01" },
		{ "cycles:u", "cycle", "" },
		{ "cycles:", "cycles", "" },
		{ "/ // : u", "cycles", "" },
		{ "a/ /a /a/ a//", "a", "23" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *got = chosen(cases[i].names, cases[i].wanted);

		unit_check(!strcmp(got, cases[i].chosen), __FILE__, __LINE__, cases[i].wanted);
		if (strcmp(got, cases[i].chosen) != 0)
			printf("  %s of %s: %s, not %s\n", cases[i].wanted, cases[i].names, got,
			       cases[i].chosen);
	}
}

int main(void)
{
	test_bare();
	return unit_end();
}
