/* Decides, for each capture, which source gives its CPU time: the option, the output of perf
 * stat, or the samples themselves; and says in the result which one it was. */
#include "analyzers/profile/cputime/cpu_time.h"
#include "analyzers/profile/cputime/perf_stat.h"
#include "analyzers/profile/cputime/scope.h"
#include "formats/model/amount.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/eventname.h"

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
		      { "freq-ghz", o->freq_ghz.count },
		      { "per", o->per.count } };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!lists[i].count || lists[i].count == captures)
			continue;
		warn_add(w, SEV_FATAL, "usage", "--%s: expected %zu, one for each capture",
			 lists[i].option, captures);
		return ERR_USAGE;
	}
	t->per_operation = o->per.count || o->per_event;
	t->in_percent = o->cpu_time.count && o->cpu_time.list[0].unit == QUANTITY_PERCENT;
	for (size_t i = 1; i < o->cpu_time.count; i++) {
		if (o->cpu_time.list[i].unit == o->cpu_time.list[0].unit)
			continue;
		warn_add(w, SEV_FATAL, "usage",
			 "--cpu-time: expected all seconds or all percent, so that they compare");
		return ERR_USAGE;
	}
	if (t->in_percent && t->per_operation) {
		warn_add(w, SEV_FATAL, "usage",
			 "--per: percent of the wall time is no amount to divide; give --cpu-time "
			 "as a time");
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

#define RUNS_NOT_TOLD 5 /* -x and -j do not say how many runs the +- is of */

static void say_stat(struct buf *b, const struct perf_stat *s, const char *path)
{
	buf_printf(b, "%s counted by perf stat (%s, %s", s->event, path, stat_form_name(s->form));
	if (s->values > 1)
		buf_printf(b, ", sum of %" PRIu64 " values", s->values);
	if (s->error > 0)
		buf_printf(b, ", +- %.3g %%", 100 * s->error);
	if (s->runs > 1)
		buf_printf(b, ", mean of %" PRIu64 " runs", s->runs);
	buf_char(b, ')');
}

static int from_stat(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
		     struct cpu_total *out, struct warnings *w)
{
	const char *path = t->o.stats.list[i];
	struct buf b = { 0 };
	struct perf_stat s;
	int rc = perf_stat_read(&s, path, t->o.per_event, w);

	if (rc == 0 && !s.cpu_ns) {
		warn_add(w, SEV_FATAL, "stat", "%s: %s is 0, or was not counted", path, s.event);
		rc = ERR_FORMAT;
	}
	if (rc == 0 && !t->o.force && stat_is_of_another(&s, m, &b)) {
		warn_add(w, SEV_FATAL, "stat-scope",
			 "%s is not of what %s is of: %s (--force takes it nevertheless)", path,
			 m->path, b.data);
		rc = ERR_VOID;
	}
	b.len = 0;
	if (rc == 0) {
		out->ns = s.cpu_ns;
		out->exact_ns = (double)s.cpu_ns;
		out->operations = (double)s.counter;
		out->error = s.error;
		out->error_df = (double)(s.runs > 1 ? s.runs : RUNS_NOT_TOLD) - 1;
		say_stat(&b, &s, path);
		out->source = xstrdup(b.data);
	}
	buf_release(&b);
	perf_stat_release(&s);
	return rc;
}

static uint64_t ns_from(double ns)
{
	return ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
}

static bool has_others(const struct pdt_session *s, const struct pdt_desc *event)
{
	const struct pdt_desc *d;
	bool others = false;

	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++)
		others |= strcmp(pdt_desc_name(d), pdt_desc_name(event)) != 0 && !event_is_dummy(d);
	return others;
}

/* Lost samples of a clock are lost CPU time. Which events they were of, and whether a filter would
 * have let them through, is not known. */
static void add_lost(const struct cpu_measured *m, struct cpu_total *out, struct buf *b)
{
	const struct pdt_session *s = m->session;
	uint64_t lost = pdt_number(s, PDT_LOST_ANY);
	double period = m->samples > 0 ? (double)m->weight / m->samples : 0;
	const char *why = has_others(s, m->event)     ? "they may be of another event"
			  : is_filtered(filter_of(s)) ? "the filters would choose some of them"
						      : NULL;

	if (!lost || !(period > 0))
		return;
	if (why) {
		buf_printf(b, "; %s lost samples are not in it: %s", COUNT_TEXT(lost), why);
		return;
	}
	out->exact_ns += (double)lost * period;
	out->ns = ns_from(out->exact_ns);
	buf_printf(b, ", with %s for the %s samples that were lost",
		   NS_TEXT(ns_from((double)lost * period)), COUNT_TEXT(lost));
}

static int from_periods(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
			struct cpu_total *out, struct warnings *w)
{
	enum cpu_rank rank = cpu_time_rank(t, m->event);
	struct buf b = { 0 };

	out->ns = m->weight;
	out->exact_ns = (double)m->weight;
	if (rank == CPU_CLOCK) {
		buf_printf(&b, "the periods of the capture's own %s", pdt_desc_name(m->event));
		add_lost(m, out, &b);
	} else if (rank == CPU_RUNTIME) {
		buf_printf(&b, "the runtimes of %s", pdt_desc_name(m->event));
	} else {
		double ns = (double)m->weight / t->o.freq_ghz.list[i].number;

		out->ns = ns_from(ns);
		out->exact_ns = ns;
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

static void from_option(const struct cpu_time *t, size_t i, struct cpu_total *out)
{
	double given = t->o.cpu_time.list[i].number;

	out->ns = t->in_percent ? 0 : ns_from(given);
	out->exact_ns = t->in_percent ? 0 : given;
	out->percent = t->in_percent ? given : 0;
	out->source = xstrdup("--cpu-time");
}

/* Folded text may state that its weights are those of a clock. */
static void from_text(const struct cpu_measured *m, struct cpu_total *out)
{
	struct buf b = { 0 };

	out->ns = m->weight;
	out->exact_ns = (double)m->weight;
	buf_printf(&b, "the weights of the text, %s", m->text_event);
	out->source = b.data;
}

static int no_time(const struct cpu_measured *m, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "no-time",
		 "%s: %s%s. Give --stat FILE or --cpu-time%s, or record with: perf record -e "
		 "task-clock -F 997 -g -- COMMAND",
		 m->path, m->event ? "no event that counts CPU time; found: " : "folded text",
		 m->event ? pdt_desc_name(m->event) : " has no CPU time",
		 m->event ? " or --freq-ghz" : "");
	return ERR_USAGE;
}

int cpu_time_of(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
		struct cpu_total *out, struct warnings *w)
{
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (t->o.stats.count)
		rc = from_stat(t, i, m, out, w);
	else if (t->o.cpu_time.count)
		from_option(t, i, out);
	else if (!m->event && m->in_ns)
		from_text(m, out);
	else if (m->event && cpu_time_rank(t, m->event) != CPU_OTHER)
		rc = from_periods(t, i, m, out, w);
	else
		rc = no_time(m, w);
	if (t->o.per.count)
		out->operations = t->o.per.list[i].number;
	else if (!t->o.per_event)
		out->operations = 1;
	return rc;
}
