/* Decides, for each capture, which source gives its CPU time: the option, the output of perf
 * stat, or the samples themselves; and says in the result which one it was. */
#include "analyzers/profile/cputime/cpu_time.h"
#include "analyzers/profile/cputime/perf_stat.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_HARDWARE	0
#define TYPE_TRACEPOINT 2

int cpu_time_begin(struct cpu_time *t, size_t captures, struct warnings *w)
{
	const struct cpu_time_options *o = &t->o;
	const struct {
		const char *option;
		size_t count;
	} lists[] = { { "stat", o->stats.count },
		      { "cpu-time", o->cpu_time.count },
		      { "freq-ghz", o->freq_ghz.count } };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!lists[i].count || lists[i].count == captures)
			continue;
		warn_add(w, SEV_FATAL, "usage", "--%s: expected %zu, one for each capture",
			 lists[i].option, captures);
		return ERR_USAGE;
	}
	t->in_percent = o->cpu_time.count && o->cpu_time.list[0].unit == QUANTITY_PERCENT;
	for (size_t i = 1; i < o->cpu_time.count; i++) {
		if (o->cpu_time.list[i].unit == o->cpu_time.list[0].unit)
			continue;
		warn_add(w, SEV_FATAL, "usage",
			 "--cpu-time: expected all seconds or all percent, so that they compare");
		return ERR_USAGE;
	}
	return 0;
}

/* The period of a sched_stat_runtime sample is the runtime when the kernel was asked for each one
 * and for its period (kernel/events/core.c, perf_swevent_event()); with a frequency it is 1. */
static bool is_runtime(const struct pdt_desc *d)
{
	return pdt_desc_type(d) == TYPE_TRACEPOINT && pdt_desc_is(d, "sched:sched_stat_runtime") &&
	       pdt_desc_number(NULL, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_PERIOD &&
	       !pdt_desc_number(NULL, d, PDT_DESC_IS_FREQ);
}

static bool is_cycles(const struct pdt_desc *d)
{
	static const char *const names[] = { "cycles", "cpu-cycles", "/cycles/", "/cpu-cycles/" };

	if (pdt_desc_type(d) == TYPE_HARDWARE && !(uint32_t)pdt_desc_config(d))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *p = strstr(pdt_desc_name(d), names[i]);

		if (p && (*p == '/' || (p == pdt_desc_name(d) &&
					(!p[strlen(names[i])] || p[strlen(names[i])] == ':'))))
			return true;
	}
	return false;
}

bool cpu_time_in_ns(const struct pdt_desc *d)
{
	return pdt_desc_in_ns(d) || is_runtime(d);
}

enum cpu_rank cpu_time_rank(const struct cpu_time *t, const struct pdt_desc *d)
{
	if (pdt_desc_in_ns(d))
		return CPU_CLOCK;
	if (is_runtime(d))
		return CPU_RUNTIME;
	return t->o.freq_ghz.count && is_cycles(d) ? CPU_CYCLES : CPU_OTHER;
}

static int from_stat(const struct cpu_time *t, size_t i, struct cpu_total *out, struct warnings *w)
{
	struct perf_stat s;
	struct buf b = { 0 };
	int rc = perf_stat_read(&s, t->o.stats.list[i], w);

	if (rc < 0)
		return rc;
	out->ns = s.cpu_ns;
	buf_printf(&b, "%s counted by perf stat (%s, %s", s.event, t->o.stats.list[i],
		   stat_form_name(s.form));
	if (s.values > 1)
		buf_printf(&b, ", sum of %" PRIu64 " values", s.values);
	buf_char(&b, ')');
	out->source = b.data;
	if (!s.cpu_ns) {
		warn_add(w, SEV_FATAL, "stat", "%s: %s is 0, or was not counted",
			 t->o.stats.list[i], s.event);
		free(out->source);
		out->source = NULL;
		return ERR_FORMAT;
	}
	return 0;
}

static uint64_t ns_from(double ns)
{
	return ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
}

static int from_periods(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
			struct cpu_total *out, struct warnings *w)
{
	enum cpu_rank rank = cpu_time_rank(t, m->event);
	struct buf b = { 0 };

	out->ns = m->weight;
	if (rank == CPU_CLOCK) {
		buf_printf(&b, "the periods of the capture's own %s", pdt_desc_name(m->event));
	} else if (rank == CPU_RUNTIME) {
		buf_printf(&b, "the runtimes of %s", pdt_desc_name(m->event));
	} else {
		double ns = (double)m->weight / t->o.freq_ghz.list[i].number;

		out->ns = ns_from(ns);
		buf_printf(&b, "%s at %g GHz", pdt_desc_name(m->event),
			   t->o.freq_ghz.list[i].number);
		warn_add(
			w, SEV_NOTE, "frequency",
			"%s: %g GHz is taken for all of the time; turbo and power saving change it",
			m->path, t->o.freq_ghz.list[i].number);
	}
	out->source = b.data;
	return 0;
}

int cpu_time_of(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
		struct cpu_total *out, struct warnings *w)
{
	memset(out, 0, sizeof(*out));
	if (t->o.stats.count)
		return from_stat(t, i, out, w);
	if (t->o.cpu_time.count) {
		const struct quantity *given = &t->o.cpu_time.list[i];

		out->ns = t->in_percent ? 0 : ns_from(given->number);
		out->percent = t->in_percent ? given->number : 0;
		out->source = xstrdup("--cpu-time");
		return 0;
	}
	if (m->event && cpu_time_rank(t, m->event) != CPU_OTHER)
		return from_periods(t, i, m, out, w);
	warn_add(w, SEV_FATAL, "no-time",
		 "%s: %s%s. Give --stat FILE or --cpu-time%s, or record with: perf record -e "
		 "task-clock -F 997 -g -- COMMAND",
		 m->path, m->event ? "no event that counts CPU time; found: " : "folded text",
		 m->event ? pdt_desc_name(m->event) : " has no CPU time",
		 m->event ? " or --freq-ghz" : "");
	return ERR_USAGE;
}
