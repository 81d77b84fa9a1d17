/* What is wanted of a trace of instructions, as events: perf's --itrace. */
#ifndef PDTOOL_BASE_ITRACE_H
#define PDTOOL_BASE_ITRACE_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: nothing. */
struct itrace {
	bool branches; /* all taken ones; else CALLS and RETURNS choose */
	bool calls, returns;
	bool insns; /* one of every PERIOD */
	enum itrace_unit { ITRACE_INSNS, ITRACE_NS, ITRACE_TICKS } unit; /* of the TSC */
	uint64_t period; /* at least 1 */
	bool cycles;	 /* those that packets tell of, of each event */
};

static inline bool itrace_any(const struct itrace *t)
{
	return t->branches || t->calls || t->returns || t->insns;
}

#endif
