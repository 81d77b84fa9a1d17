/* Reads the output of perf stat in each of its forms and adds up its clocks. A line that is
 * none of them is passed over; a form that cannot be told apart is refused. */
#include "analyzers/profile/cputime/perf_stat.h"
#include "parser/base/buf.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (64u << 20) /* a day of -I 100 on 64 CPUs */

/* What the rows of one event came to. With --summary the sum stands at the end once more, so the
 * rows of intervals, where there are any, are the ones that count. */
struct sum {
	char event[64];
	uint64_t whole_ns, interval_ns, whole, intervals;
	double squares; /* of the errors, in ns */
};

struct reading {
	struct sum sums[8]; /* task-clock, cpu-clock, their modifiers; more are left out */
	size_t count;
	struct sum counter;	  /* of the event that was asked for ... */
	const char *counter_name; /* ... unless this is NULL */
	struct perf_stat *out;
	bool csv, json;
	uint64_t odd; /* -x: value and running time tell different things */
};

const char *stat_form_name(enum stat_form form)
{
	static const char *const names[STAT_FORMS] = {
		[STAT_TEXT] = "text",
		[STAT_CSV] = "-x",
		[STAT_JSON] = "-j",
		[STAT_CAPTURE] = "capture",
	};

	return names[form];
}

static struct sum *sum_of(struct reading *r, const char *event, size_t len)
{
	for (size_t i = 0; i < r->count; i++) {
		if (strlen(r->sums[i].event) == len && !memcmp(r->sums[i].event, event, len))
			return &r->sums[i];
	}
	if (r->count == ARRAY_SIZE(r->sums) || len >= sizeof(r->sums[0].event))
		return NULL;
	memcpy(r->sums[r->count].event, event, len);
	return &r->sums[r->count++];
}

static void add(struct sum *s, uint64_t ns, bool interval)
{
	uint64_t *to = interval ? &s->interval_ns : &s->whole_ns;

	interval ? s->intervals++ : s->whole++;
	(void)add_held(to, ns);
}

/* -x rounds the value to 10 us; a clock runs as long as it counts, so that its running time, where
 * it agrees, is the value with all its digits. */
static uint64_t exact_ns(struct reading *r, const struct stat_line *l)
{
	uint64_t off = l->ns > l->running_ns ? l->ns - l->running_ns : l->running_ns - l->ns;

	if (!l->running_ns || off <= 5000)
		return l->running_ns ? l->running_ns : l->ns;
	if (l->error > 0) /* the mean of several runs; the running time may be of the last */
		return l->ns;
	r->odd += off > l->ns / 10;
	return l->ns;
}

static void take_line(struct reading *r, const char *line, size_t len)
{
	struct stat_line l;
	struct sum *s;
	char *command;

	if (stat_title_parse(line, len, &command, &r->out->runs)) {
		free(r->out->command);
		r->out->command = command;
		return;
	}
	if (stat_elapsed_parse(line, len, &r->out->elapsed_ns))
		return;
	if (r->counter_name && stat_line_parse(&l, r->counter_name, line, len) && l.counted)
		add(&r->counter, l.ns, l.interval);
	if (!stat_line_parse(&l, NULL, line, len) || !l.counted)
		return;
	s = sum_of(r, l.event, l.event_len);
	if (!s)
		return;
	r->csv |= l.csv;
	s->squares += l.error * (double)l.ns * l.error * (double)l.ns;
	add(s, l.csv ? exact_ns(r, &l) : l.ns, l.interval);
}

static bool is_clock(const char *name)
{
	return !strncmp(name, "task-clock", 10) || !strncmp(name, "cpu-clock", 9);
}

static bool is_counter(const struct reading *r, const char *name)
{
	size_t n = r->counter_name ? strlen(r->counter_name) : 0;

	return n && !strncmp(name, r->counter_name, n) && (!name[n] || name[n] == ':');
}

/* One object; the value is text, "1106.283911", and in newer versions may be a number. */
static void take_object(struct reading *r, const json_t *o)
{
	const char *event = json_string_value(json_object_get(o, "event"));
	const char *unit = json_string_value(json_object_get(o, "unit"));
	const json_t *value = json_object_get(o, "counter-value");
	double msec = json_number_value(value), error;
	bool interval = json_object_get(o, "interval") != NULL;
	struct sum *s;
	char *end;

	if (!event || !(is_clock(event) || is_counter(r, event)))
		return;
	if (json_is_string(value)) {
		msec = strtod(json_string_value(value), &end);
		if (*end || end == json_string_value(value))
			return; /* "<not counted>" */
	}
	if (is_counter(r, event) && msec >= 0 && msec < 1.8e19)
		add(&r->counter, (uint64_t)(msec + 0.5), interval);
	if (!is_clock(event))
		return;
	if (unit && (!strcmp(unit, "nsec") || !strcmp(unit, "ns")))
		msec /= 1e6;
	s = sum_of(r, event, strlen(event));
	if (!s || !(msec >= 0 && msec < 1e13))
		return;
	error = json_number_value(json_object_get(o, "variance")) / 100 * msec * 1e6;
	s->squares += error * error;
	add(s, (uint64_t)(msec * 1e6 + 0.5), interval);
}

static void take_json(struct reading *r, const char *line, size_t len)
{
	json_t *o = json_loadb(line, len, 0, NULL);

	if (json_is_object(o))
		take_object(r, o);
	json_decref(o);
}

static void take_text(struct reading *r, const struct buf *b)
{
	const char *p = b->data, *end = b->data + b->len;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		const char *stop = eol ? eol : end;
		size_t blanks = strspn(p, " \t");

		if (p[blanks] == '{' && p + blanks < stop) {
			r->json = true;
			take_json(r, p, (size_t)(stop - p));
		} else if (p[blanks] != '#') {
			take_line(r, p, (size_t)(stop - p));
		}
		p = stop + 1;
	}
}

/* task-clock before cpu-clock: with -a they are the same, else only the first is the task's. */
static const struct sum *best_sum(const struct reading *r)
{
	const struct sum *best = NULL;

	for (size_t i = 0; i < r->count; i++) {
		if (!best || (best->event[0] == 'c' && r->sums[i].event[0] == 't'))
			best = &r->sums[i];
	}
	return best;
}

static int nothing(const char *path, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "stat",
		 "%s: no task-clock or cpu-clock in it. Count with: perf stat -e task-clock -o %s "
		 "-- COMMAND",
		 path, path);
	return ERR_FORMAT;
}

static int no_counter(const char *path, const char *counter, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "stat", "%s: no count of '%s'", path, counter);
	return ERR_ABSENT;
}

static int from_text(struct perf_stat *out, const char *path, const char *counter,
		     const struct buf *b, struct warnings *w)
{
	struct reading r = { .out = out, .counter_name = counter };
	const struct sum *s;

	take_text(&r, b);
	s = best_sum(&r);
	if (!s)
		return nothing(path, w);
	memcpy(out->event, s->event, sizeof(out->event));
	out->form = r.json ? STAT_JSON : r.csv ? STAT_CSV : STAT_TEXT;
	out->cpu_ns = s->intervals ? s->interval_ns : s->whole_ns;
	out->values = s->intervals ? s->intervals : s->whole;
	out->error = out->cpu_ns ? sqrt(s->squares) / (double)out->cpu_ns : 0;
	out->counter = r.counter.intervals ? r.counter.interval_ns : r.counter.whole_ns;
	if (counter && !out->counter)
		return no_counter(path, counter, w);
	if (r.odd)
		warn_add(
			w, SEV_WARN, "stat-value",
			"%s: the value of %s and its running time differ; taken as it stands (is a "
			"decimal comma parting it?)",
			path, s->event);
	return 0;
}

static int from_capture(struct perf_stat *out, const char *path, const char *counter,
			struct warnings *w)
{
	struct pdt_session *s = pdt_new();
	const struct pdt_event *e;
	const struct pdt_desc *d;
	bool found = false;
	uint64_t count = 0;
	int rc = pdt_open(s, path, 0);

	while (rc == 0 && (rc = pdt_next(s, &e)) == 1)
		rc = 0;
	for (size_t i = 0; rc == 0 && (d = pdt_desc_at(s, i)) != NULL; i++) {
		uint64_t counters = pdt_desc_number(s, d, PDT_DESC_COUNTERS);

		if (counter && pdt_desc_is(d, counter))
			(void)add_held(&count, pdt_desc_number(s, d, PDT_DESC_COUNTED));
		if (!pdt_desc_in_ns(d) || !counters || (found && pdt_desc_config(d) != 1))
			continue;
		found = true;
		*out = (struct perf_stat){ .cpu_ns = pdt_desc_number(s, d, PDT_DESC_COUNTED),
					   .form = STAT_CAPTURE,
					   .values = counters };
		snprintf(out->event, sizeof(out->event), "%s", pdt_desc_name(d));
	}
	if (rc < 0)
		warn_add(w, SEV_FATAL, "stat", "%s", pdt_message(s));
	pdt_close(s);
	if (rc < 0)
		return rc;
	out->counter = count;
	if (!found)
		return nothing(path, w);
	return counter && !count ? no_counter(path, counter, w) : 0;
}

static int read_file(struct buf *b, const char *path, struct warnings *w)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	while (fd >= 0 && n > 0 && b->len < FILE_MAX) {
		n = read(fd, buf_reserve(b, 65536), 65536);
		b->len += n > 0 ? (size_t)n : 0;
	}
	if (fd < 0 || n < 0)
		warn_add(w, SEV_FATAL, "stat", "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return fd < 0 || n < 0 ? ERR_IO : 0;
}

void perf_stat_release(struct perf_stat *s)
{
	free(s->command);
}

int perf_stat_read(struct perf_stat *out, const char *path, const char *counter, struct warnings *w)
{
	static const char magics[][8] = { "PERFILE2", "2ELIFREP" };
	struct buf b = { 0 };
	int rc = read_file(&b, path, w);

	memset(out, 0, sizeof(*out));
	if (rc == 0 && b.len >= 8 &&
	    (!memcmp(b.data, magics[0], 8) || !memcmp(b.data, magics[1], 8)))
		rc = from_capture(out, path, counter, w);
	else if (rc == 0) {
		buf_char(&b, '\n'); /* also ends the text with a NUL */
		rc = from_text(out, path, counter, &b, w);
	}
	buf_release(&b);
	return rc;
}
