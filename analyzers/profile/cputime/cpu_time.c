#include "analyzers/profile/cputime/cpu_time.h"
#include "analyzers/count/duration.h"
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

static int usage(struct warnings *w, const char *option, const char *value, const char *expected)
{
	warn_add(w, SEV_FATAL, "usage", "--%s %s: expected %s", option, value, expected);
	return ERR_USAGE;
}

/* A number above 0 up to the end of TEXT, but for the byte END. */
static bool parse_positive(const char *text, char end, double *out)
{
	char *rest;

	*out = strtod(text, &rest);
	return rest > text && *rest == end && (!end || !rest[1]) && isfinite(*out) && *out > 0;
}

static int take_time(struct cpu_time *t, size_t i, const char *text, struct warnings *w)
{
	bool percent = strchr(text, '%') != NULL;

	if (i && percent != t->in_percent) {
		warn_add(w, SEV_FATAL, "usage",
			 "--cpu-time %s: all seconds or all percent, so that they compare",
			 t->o.cpu_time);
		return ERR_USAGE;
	}
	t->in_percent = percent;
	if (percent ? parse_positive(text, '%', &t->percent[i])
		    : duration_parse(text, &t->given_ns[i]) == 0 && t->given_ns[i])
		return 0;
	return usage(w, "cpu-time", t->o.cpu_time, "seconds, 20ms, or percent of the wall time");
}

static int take_ghz(struct cpu_time *t, size_t i, const char *text, struct warnings *w)
{
	return parse_positive(text, '\0', &t->ghz[i])
		       ? 0
		       : usage(w, "freq-ghz", t->o.freq_ghz, "a number above 0");
}

/* "a,b": one value for each capture. */
static int take_list(struct cpu_time *t, const char *option, const char *text,
		     int (*take)(struct cpu_time *t, size_t i, const char *text,
				 struct warnings *w),
		     struct warnings *w)
{
	char *copy = xstrdup(text), *rest = copy, *one;
	size_t n = 0;
	int rc = 0;

	while (rc == 0 && (one = strsep(&rest, ",")) && n < t->captures)
		rc = take(t, n++, one, w);
	if (rc == 0 && (rest || one || n != t->captures)) {
		warn_add(w, SEV_FATAL, "usage", "--%s %s: expected %zu, one for each capture",
			 option, text, t->captures);
		rc = ERR_USAGE;
	}
	free(copy);
	return rc;
}

int cpu_time_begin(struct cpu_time *t, size_t captures, struct warnings *w)
{
	const struct cpu_time_options *o = &t->o;
	int rc = 0;

	t->captures = captures;
	t->given_ns = xcalloc(captures + 1, sizeof(*t->given_ns));
	t->percent = xcalloc(captures + 1, sizeof(*t->percent));
	t->ghz = xcalloc(captures + 1, sizeof(*t->ghz));
	if (o->stats.count && o->cpu_time) {
		warn_add(w, SEV_FATAL, "usage", "--stat and --cpu-time exclude each other");
		return ERR_USAGE;
	}
	if (o->stats.count && o->stats.count != captures) {
		warn_add(w, SEV_FATAL, "usage", "--stat: expected %zu, one for each capture",
			 captures);
		return ERR_USAGE;
	}
	if (o->cpu_time)
		rc = take_list(t, "cpu-time", o->cpu_time, take_time, w);
	if (rc == 0 && o->freq_ghz)
		rc = take_list(t, "freq-ghz", o->freq_ghz, take_ghz, w);
	return rc;
}

void cpu_time_release(struct cpu_time *t)
{
	name_list_release(&t->o.stats);
	free(t->given_ns);
	free(t->percent);
	free(t->ghz);
}

/* The period of a sched_stat_runtime sample is the runtime when the kernel was asked for each one
 * and for its period (kernel/events/core.c, perf_swevent_event()); with a frequency it is 1. */
static bool is_runtime(const struct event_desc *d)
{
	return d->attr.type == TYPE_TRACEPOINT && event_desc_is(d, "sched:sched_stat_runtime") &&
	       d->attr.sample_type & SAMPLE_PERIOD && !(d->attr.flags & ATTR_FREQ);
}

static bool is_cycles(const struct event_desc *d)
{
	static const char *const names[] = { "cycles", "cpu-cycles", "/cycles/", "/cpu-cycles/" };

	if (d->attr.type == TYPE_HARDWARE && !(uint32_t)d->attr.config)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *p = strstr(d->name, names[i]);

		if (p && (*p == '/' ||
			  (p == d->name && (!p[strlen(names[i])] || p[strlen(names[i])] == ':'))))
			return true;
	}
	return false;
}

bool cpu_time_in_ns(const struct event_desc *d)
{
	return event_counts_ns(d) || is_runtime(d);
}

enum cpu_rank cpu_time_rank(const struct cpu_time *t, const struct event_desc *d)
{
	if (event_counts_ns(d))
		return CPU_CLOCK;
	if (is_runtime(d))
		return CPU_RUNTIME;
	return t->o.freq_ghz && is_cycles(d) ? CPU_CYCLES : CPU_OTHER;
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

static int from_periods(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
			struct cpu_total *out, struct warnings *w)
{
	enum cpu_rank rank = cpu_time_rank(t, m->event);
	struct buf b = { 0 };

	out->ns = m->weight;
	if (rank == CPU_CLOCK) {
		buf_printf(&b, "the periods of the capture's own %s", m->event->name);
	} else if (rank == CPU_RUNTIME) {
		buf_printf(&b, "the runtimes of %s", m->event->name);
	} else {
		double ns = (double)m->weight / t->ghz[i];

		out->ns = ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
		buf_printf(&b, "%s at %g GHz", m->event->name, t->ghz[i]);
		warn_add(
			w, SEV_NOTE, "frequency",
			"%s: %g GHz is taken for all of the time; turbo and power saving change it",
			m->path, t->ghz[i]);
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
	if (t->o.cpu_time) {
		out->ns = t->given_ns[i];
		out->percent = t->percent[i];
		out->source = xstrdup("--cpu-time");
		return 0;
	}
	if (m->event && cpu_time_rank(t, m->event) != CPU_OTHER)
		return from_periods(t, i, m, out, w);
	warn_add(w, SEV_FATAL, "no-time",
		 "%s: %s%s. Give --stat FILE or --cpu-time%s, or record with: perf record -e "
		 "task-clock -F 997 -g -- COMMAND",
		 m->path, m->event ? "no event that counts CPU time; found: " : "folded text",
		 m->event ? m->event->name : " tells no CPU time",
		 m->event ? " or --freq-ghz" : "");
	return ERR_USAGE;
}
