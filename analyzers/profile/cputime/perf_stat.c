/* Reads the output of perf stat in each of its forms and adds up its clocks. A line that is
 * none of them is passed over; a form that cannot be told apart is refused. */
#include "analyzers/profile/cputime/perf_stat.h"
#include "parser/base/buf.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
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
	enum stat_form form;
	uint64_t odd; /* -x: value and running time tell different things */
};

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

static void take_clock(struct reading *r, const struct stat_row *row)
{
	struct sum *s;
	uint64_t ns;
	double error;

	if (!stat_row_ns(row, &ns))
		return;
	s = sum_of(r, row->event.start, row->event.len);
	if (!s)
		return;
	if (row->form != STAT_TEXT)
		r->form = row->form;
	r->odd += stat_row_is_odd(row);
	error = row->has_error ? row->error_pct / 100 * (double)ns : 0;
	s->squares += error * error;
	add(s, ns, row->has_time);
}

static void take_line(struct reading *r, struct stat_rows *rows, const char *line, size_t len)
{
	struct stat_row row;
	uint64_t count;
	char *command;

	if (stat_title_parse(line, len, &command, &r->out->runs)) {
		free(r->out->command);
		r->out->command = command;
		return;
	}
	if (stat_elapsed_parse(line, len, &r->out->elapsed_ns) ||
	    !stat_row_read(rows, &row, line, len) || row.more)
		return;
	if (r->counter_name && stat_event_is(row.event, r->counter_name) &&
	    stat_row_count(&row, &count))
		add(&r->counter, count, row.has_time);
	if (stat_event_is_clock(row.event))
		take_clock(r, &row);
}

static void take_text(struct reading *r, const struct buf *b)
{
	const char *p = b->data, *end = b->data + b->len;
	struct stat_rows rows = { 0 };

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		const char *stop = eol ? eol : end;

		take_line(r, &rows, p, (size_t)(stop - p));
		p = stop + 1;
	}
	stat_rows_release(&rows);
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
	out->form = r.form;
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
