#include "analyzers/heat/heat_words.h"
#include "analyzers/count/word.h"

#include <string.h>

int heat_preset(const char *name, const char **events, struct warnings *w)
{
	static const char *const names[] = { "block", "syscall", NULL };
	static const char *const meant[] = { "block_rq_*",
					     "raw_syscalls:sys_enter,raw_syscalls:sys_exit" };
	int i = name ? word_of(name, names) : 0;

	if (!name)
		return 0;
	if (i >= 0 && !*events) {
		*events = meant[i];
		return 0;
	}
	if (*events)
		warn_add(w, SEV_FATAL, "option", "--preset %s and --events: one or the other",
			 name);
	else if (!strcmp(name, "sched-wait")) /* two events do not tell a wait; see there */
		warn_add(w, SEV_FATAL, "option",
			 "--preset sched-wait: pdtool sched latency --heatmap draws waits");
	else
		warn_add(w, SEV_FATAL, "option", "--preset %s: expected block or syscall", name);
	return ERR_USAGE;
}

int heat_scale(const char *name, enum grid_scale *out, struct warnings *w)
{
	static const char *const names[] = { "auto", "linear", "sqrt", "log", "rank", NULL };
	int i = name ? word_of(name, names) : GRID_SCALE_AUTO;

	if (i < 0) {
		warn_add(w, SEV_FATAL, "option",
			 "--color-scale %s: expected linear, sqrt, log or rank", name);
		return ERR_USAGE;
	}
	*out = (enum grid_scale)i;
	return 0;
}
