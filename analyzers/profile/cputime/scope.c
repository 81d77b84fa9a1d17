/* CPU time of another command, of another duration or of another part of the system would be shared
 * out among functions that did not use it. */
#include "analyzers/profile/cputime/scope.h"
#include "formats/model/amount.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <string.h>

#define APART	  1.5 /* times; sampling misses a quarter of bursts at most */
#define ENOUGH	  50  /* samples: fewer tell a time badly ... */
#define APART_FEW 20  /* ... but not that badly */

bool is_filtered(const struct filter *f)
{
	return f->pids.count || f->tids.count || f->cpus.count || f->comms.count ||
	       f->events.count || f->fields || f->times.count || f->no_idle;
}

static bool apart(double a, double b, double samples)
{
	double limit = samples >= ENOUGH ? APART : APART_FEW;

	return a > limit * b || b > limit * a;
}

static const char *times_text(char text[AMOUNT_MAX], double a, double b)
{
	snprintf(text, AMOUNT_MAX, "%.3g", a / b);
	return text;
}

/* The word at P, without directories before it and quotes around it. */
static size_t word_at(const char *p, const char **word)
{
	size_t n = strcspn(p, " '\"");

	*word = p;
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '/' && i + 1 < n)
			*word = p + i + 1;
	}
	return n - (size_t)(*word - p);
}

static bool has_program(const char *cmdline, const char *program, size_t len)
{
	const char *word;

	for (const char *p = cmdline; *p; p += strcspn(p, " '\"")) {
		p += strspn(p, " '\"");
		if (word_at(p, &word) == len && !memcmp(word, program, len))
			return true;
	}
	return false;
}

/* These run another program, which may be the recorded one. */
static bool is_wrapper(const char *program, size_t len)
{
	static const char *const names[] = { "sh",   "bash",	"dash",	   "env",
					     "nice", "taskset", "numactl", "timeout",
					     "chrt", "setarch", "sudo",	   "time" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) == len && !memcmp(names[i], program, len))
			return true;
	}
	return false;
}

/* 'COMMAND', else "system wide", "process id '5'", "CPU(s) 0". */
static bool is_other_command(const struct perf_stat *s, const struct cpu_measured *m,
			     struct buf *why)
{
	const char *cmdline = pdt_text(m->session, PDT_CMDLINE), *program;
	bool wide = pdt_number(m->session, PDT_IS_SYSTEM_WIDE);
	size_t len;

	if (!s->command || !cmdline || wide)
		return false;
	if (!strncmp(s->command, "'system wide'", 13) || !strncmp(s->command, "system wide", 11) ||
	    !strncmp(s->command, "'CPU(s)", 7) || !strncmp(s->command, "CPU(s)", 6)) {
		buf_printf(why, "it counted %s", s->command);
		return true;
	}
	if (s->command[0] != '\'' || strstr(cmdline, " -p ") || strstr(cmdline, " -t "))
		return false;
	len = word_at(s->command + 1, &program);
	if (!len || is_wrapper(program, len) || has_program(cmdline, program, len))
		return false;
	buf_printf(why, "it counted %s, and recorded was: %s", s->command, cmdline);
	return true;
}

/* A run that waits has samples in a part of its time only: a longer one is told by CPU time. */
static bool is_other_duration(const struct perf_stat *s, const struct cpu_measured *m,
			      struct buf *why)
{
	uint64_t first = pdt_number(m->session, PDT_FIRST_NS);
	uint64_t span = pdt_number(m->session, PDT_LAST_NS) - first;
	uint64_t cpus = pdt_number(m->session, PDT_CPUS_ONLINE);
	bool shorter, more;

	if (!first || !span || s->runs > 1 || s->error > 0 || m->samples < ENOUGH ||
	    is_filtered(filter_of(m->session)))
		return false;
	shorter = s->elapsed_ns && (double)span > APART * (double)s->elapsed_ns;
	if (shorter || (s->elapsed_ns && !m->in_ns &&
			apart((double)span, (double)s->elapsed_ns, m->samples))) {
		buf_printf(why, "it took %s, and the samples %s", NS_TEXT(s->elapsed_ns),
			   NS_TEXT(span));
		return true;
	}
	more = cpus && (double)s->cpu_ns > APART * (double)cpus * (double)span;
	if (more)
		buf_printf(why,
			   "its %s of CPU time do not fit into the %s of the samples on %s CPUs",
			   NS_TEXT(s->cpu_ns), NS_TEXT(span), COUNT_TEXT(cpus));
	return more;
}

/* Repeated runs tell their mean; the capture may be of one of them or of all. */
static bool is_other_time(const struct perf_stat *s, const struct cpu_measured *m)
{
	double one = (double)s->cpu_ns, all = one * (double)s->runs;

	return m->in_ns && m->weight && apart(one, (double)m->weight, m->samples) &&
	       (s->runs < 2 || apart(all, (double)m->weight, m->samples));
}

bool stat_is_of_another(const struct perf_stat *s, const struct cpu_measured *m, struct buf *why)
{
	if (m->session && is_other_command(s, m, why))
		return true;
	if (is_other_time(s, m)) {
		buf_printf(
			why, "it counted %s times the CPU time of the samples (%s, %s)",
			times_text((char[AMOUNT_MAX]){ 0 }, (double)s->cpu_ns, (double)m->weight),
			NS_TEXT(s->cpu_ns), NS_TEXT(m->weight));
		return true;
	}
	return m->session && is_other_duration(s, m, why);
}
