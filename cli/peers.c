/* What options are called by perf, FlameGraph, inferno and others, where pdtool calls them
 * something else. A row holds for the commands that are named beside its table; it is understood
 * only when it is written in full, and stands in pdtool-peers(7), not in the help. What the peer's
 * option asks for must be what the command then does: tests/parity shows that it is. */
#include "cli/options.h"
#include "parser/base/mem.h"

#include <string.h>

/* MEANS: "--other", or "--other value". */
#define SAME(name, letter, means)                \
	{                                        \
		name, letter, OPT_SAME, 0, means \
	}
/* What the option asks for always holds. */
#define HOLDS(name, letter)            \
	{                              \
		name, letter, OPT_FLAG \
	}

/* perf's, of all that names functions */
static const struct option all[] = {
	SAME("stdio-color", 0, "--color"),
	HOLDS("demangle", 0),
	/* programs that are not run, as libraries do what they do */
	{ "addr2line", 0, OPT_TEXT },
	{ "objdump", 0, OPT_TEXT },
	{ 0 },
};

static const struct option stacks[] = {
	SAME("include-pid", 0, "--label-pid"), /* stackcollapse.py */
	SAME("include-tid", 0, "--label-tid"),
	SAME("threads", 0, "--label-tid"), /* jfrconv */
	SAME("nthreads", 0, "--jobs"),	   /* inferno-collapse-perf */
	HOLDS("context", 0),		   /* stackcollapse-perf.pl */
	{ 0 },
};

static const struct option graph[] = {
	/* cargo flamegraph */
	SAME("perfdata", 0, "--input"),
	SAME("palette", 0, "--colors"),
	SAME("min-width", 0, "--minwidth"),
	/* flamegraph.py */
	SAME("colorscheme", 0, "--colors"),
	/* inferno-flamegraph */
	SAME("", 'c', "--colors"),
	HOLDS("deterministic", 0),
	HOLDS("truncate-text-right", 0),
	HOLDS("no-sort", 0),
	HOLDS("pretty-xml", 0),
	{ 0 },
};

static const struct option diff[] = {
	SAME("", 'C', "--comms"), /* perf diff */
	SAME("", 'd', "--dsos"),
	SAME("strip-hex", 0, "--s"), /* inferno-diff-folded */
	{ 0 },
};

static const struct option annotate[] = {
	SAME("", 'd', "--dsos"), HOLDS("print-line", 'l'), HOLDS("source", 0),
	HOLDS("stdio2", 0),	 HOLDS("stdio", 0),	   { 0 },
};

static const struct option latency[] = { SAME("CPU", 0, "--cpu"), { 0 } };

static const struct option map[] = { SAME("cpus", 0, "--cpu"), { 0 } };

static const struct option timehist[] = {
	SAME("", 'p', "--pid"),
	SAME("", 't', "--tid"),
	{ 0 },
};

static const struct option script[] = {
	SAME("Latency", 0, "--latency"),
	SAME("", 'c', "--comms"),
	{ 0 },
};

static const struct option timeline[] = {
	SAME("", 'w', "--width"), /* perf timechart */
	SAME("tasks-only", 'T', "--by thread"),
	{ "proc-num", 'n', OPT_COUNT },
	{ 0 },
};

static const struct option heatmap[] = { HOLDS("accstats", 0) /* trace2heatmap.pl */, { 0 } };

static const struct {
	const char *command;
	const struct option *options;
} peers[] = {
	{ "", all }, /* of every command */
	{ "collapse", stacks },
	{ "flamegraph", stacks },
	{ "flamegraph", graph },
	{ "offcpu", stacks },
	{ "wakeup", stacks },
	{ "diff", stacks },
	{ "diff", diff },
	{ "annotate", annotate },
	{ "sched latency", latency },
	{ "sched map", map },
	{ "sched timehist", timehist },
	{ "sched timeline", timeline },
	{ "heatmap", heatmap },
	{ "script", script },
};

const struct option *peer_options(const char *command, size_t i)
{
	for (size_t k = 0; k < ARRAY_SIZE(peers); k++) {
		if ((!*peers[k].command || !strcmp(peers[k].command, command)) && !i--)
			return peers[k].options;
	}
	return NULL;
}
