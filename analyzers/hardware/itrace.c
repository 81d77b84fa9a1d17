/* The letters of --itrace, from left to right; blanks and commas between them mean nothing. Source:
 * tools/perf/Documentation/itrace.txt of perf. */
#include "analyzers/hardware/itrace.h"

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_NS 100000 /* perf's own */

static const char *skip(const char *p)
{
	return p + strspn(p, " ,");
}

/* What a number counts: 0: none of these. */
static uint64_t unit_of(const char **p, enum itrace_unit *unit)
{
	static const struct {
		const char *name;
		uint64_t times;
		enum itrace_unit unit;
	} units[] = { { "ns", 1, ITRACE_NS },
		      { "us", 1000, ITRACE_NS },
		      { "ms", 1000000, ITRACE_NS },
		      { "t", 1, ITRACE_TICKS },
		      { "i", 1, ITRACE_INSNS } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t len = strlen(units[i].name);

		if (strncmp(*p, units[i].name, len))
			continue;
		*p += len;
		*unit = units[i].unit;
		return units[i].times;
	}
	return 0;
}

/* Behind the letter i: false: it makes no sense. */
static bool take_period(struct itrace *t, const char **p)
{
	uint64_t times;
	char *end;

	t->insns = true;
	t->unit = ITRACE_NS;
	t->period = PERIOD_NS;
	*p = skip(*p);
	if (!isdigit((unsigned char)**p))
		return true;
	errno = 0;
	t->period = strtoull(*p, &end, 10);
	*p = skip(end);
	times = **p ? unit_of(p, &t->unit) : 1; /* without a unit: ns, as perf has it */
	return !errno && times && t->period &&
	       !__builtin_mul_overflow(t->period, times, &t->period);
}

static bool take_letter(struct itrace *t, const char **p)
{
	switch (*(*p)++) {
	case 'b':
		return t->branches = true;
	case 'c':
		return t->calls = true;
	case 'r':
		return t->returns = true;
	case 'i':
		return take_period(t, p);
	default:
		return false;
	}
}

int itrace_parse(struct itrace *out, const char *text, const char *command, struct warnings *w)
{
	*out = (struct itrace){ .branches = !*skip(text) };
	for (const char *p = skip(text); *p; p = skip(p)) {
		if (take_letter(out, &p))
			continue;
		warn_add(w, SEV_FATAL, "itrace", "%s: --itrace %s: expected " ITRACE_WANTED,
			 command, text);
		return ERR_USAGE;
	}
	return 0;
}

static const struct {
	uint32_t flow;
	const char *name;
} names[] = {
	{ PDT_FLOW_CALL, "call" },
	{ PDT_FLOW_RETURN, "return" },
	{ PDT_FLOW_CONDITIONAL, "jcc" },
	{ 0, "jmp" },
	{ PDT_FLOW_CALL | PDT_FLOW_INTERRUPT, "int" },
	{ PDT_FLOW_RETURN | PDT_FLOW_INTERRUPT, "iret" },
	{ PDT_FLOW_CALL | PDT_FLOW_SYSTEM, "syscall" },
	{ PDT_FLOW_RETURN | PDT_FLOW_SYSTEM, "sysret" },
	{ PDT_FLOW_ASYNC, "async" },
	{ PDT_FLOW_CALL | PDT_FLOW_ASYNC | PDT_FLOW_INTERRUPT, "hw int" },
	{ PDT_FLOW_ABORT, "tx abrt" },
};

static const char *name_of(uint32_t flow)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (flow == (names[i].flow | PDT_FLOW_BRANCH))
			return names[i].name;
	}
	return NULL;
}

void flow_put(uint32_t flow, struct buf *b)
{
	uint32_t ends = flow & (PDT_FLOW_BEGIN | PDT_FLOW_END);
	const char *name = name_of(flow & ~ends) ?: "?";

	if (!flow)
		buf_printf(b, "  %-21s ", "");
	else if (!ends)
		buf_printf(b, "  %-15s%6s ", name, "");
	else if (flow == (ends | PDT_FLOW_BRANCH))
		buf_printf(b, "  %-15s%6s ", ends & PDT_FLOW_BEGIN ? "tr strt" : "tr end", "");
	else
		buf_printf(b, "  %s %-7s%6s ", ends & PDT_FLOW_BEGIN ? "tr strt" : "tr end ", name,
			   "");
}
