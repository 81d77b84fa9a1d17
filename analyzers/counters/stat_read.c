/* A round is an interval, or a run: a title begins one, and so does the first row of the one before
 * when it comes again. Where there are intervals, rows without a time are their sums, which perf
 * prints at the end: they are left out. */
#include "analyzers/counters/stat_read.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_ONE 10000 /* of enabled time where text tells none: percent with two decimals */
#define UNIT_ONE  1e6	/* what is in a unit has at most six decimals */
#define SAME_MAX  64	/* events of one name */

void stat_read_release(struct stat_read *r)
{
	stat_rows_release(&r->rows);
	intern_release(&r->events);
	intern_release(&r->words);
	free(r->command);
}

/* ---- who was counted ---- */

static int32_t word_id(struct stat_read *r, struct stat_span s)
{
	return (int32_t)intern_add(&r->words, s.start ? s.start : "", s.len);
}

/* "S0-D0-C1", "CPU2": the numbers; false: it has others, too. */
static bool take_place(const char *text, struct count_place *p)
{
	static const struct {
		const char *name;
		size_t at;
	} parts[] = {
		{ "CPU", offsetof(struct count_place, cpu) },
		{ "S", offsetof(struct count_place, socket) },
		{ "D", offsetof(struct count_place, die) },
		{ "C", offsetof(struct count_place, core) },
	};

	while (*text) {
		size_t i = 0;
		char *end;
		long v;

		while (i < ARRAY_SIZE(parts) &&
		       (strncmp(text, parts[i].name, strlen(parts[i].name)) != 0 ||
			isalpha((unsigned char)text[strlen(parts[i].name)])))
			i++;
		if (i == ARRAY_SIZE(parts))
			return false;
		text += strlen(parts[i].name);
		v = strtol(text, &end, 10);
		if (end == text || v < -1 || v > INT32_MAX || (*end && *end != '-'))
			return false;
		*(int32_t *)((char *)p + parts[i].at) = (int32_t)v;
		text = end + (*end == '-');
	}
	return true;
}

static void other_place(struct stat_read *r, struct count_place *p, struct stat_span place,
			struct stat_span cgroup)
{
	struct buf b = { 0 };

	buf_add(&b, place.start, place.len);
	if (place.len && cgroup.len)
		buf_char(&b, ' ');
	buf_add(&b, cgroup.start, cgroup.len);
	p->other = word_id(r, (struct stat_span){ b.data, b.len });
	r->has_other = true;
	buf_release(&b);
}

static struct count_place place_of(struct stat_read *r, const struct stat_row *row)
{
	struct count_place p = { -1, -1, -1, -1, -1, -1 };
	struct stat_span none = { "", 0 };
	char text[64];
	bool known = row->place.len < sizeof(text);

	if (row->is_thread) {
		p.thread = word_id(r, row->place);
	} else if (row->place.len && known) {
		/* -j has only the number of a CPU */
		snprintf(text, sizeof(text), "%s%.*s",
			 isdigit((unsigned char)*row->place.start) ? "CPU" : "",
			 (int)row->place.len, row->place.start);
		known = take_place(text, &p);
	}
	if (!known)
		p = (struct count_place){ -1, -1, -1, -1, -1, -1 };
	if (!known || row->cgroup.len)
		other_place(r, &p, known ? none : row->place, row->cgroup);
	return p;
}

static enum count_by by_of(const struct count_place *p)
{
	if (p->thread >= 0)
		return COUNT_BY_THREAD;
	if (p->cpu >= 0)
		return COUNT_BY_CPU;
	if (p->core >= 0)
		return COUNT_BY_CORE;
	if (p->die >= 0)
		return COUNT_BY_DIE;
	return p->socket >= 0 ? COUNT_BY_SOCKET : COUNT_BY_ALL;
}

static const char *const count_by_names[] = {
	[COUNT_BY_ALL] = "total", [COUNT_BY_CPU] = "cpu",   [COUNT_BY_SOCKET] = "socket",
	[COUNT_BY_DIE] = "die",	  [COUNT_BY_CORE] = "core", [COUNT_BY_THREAD] = "thread",
};

/* Can rows that are BY be summed up for WANT? */
static bool sums_up(enum count_by by, enum count_by want)
{
	bool parts = by == COUNT_BY_CORE || by == COUNT_BY_DIE;

	return want == by || want == COUNT_BY_ALL ||
	       (parts && (want == COUNT_BY_SOCKET || (want == COUNT_BY_DIE)));
}

static void reduce(const struct stat_read *r, struct count_place *p)
{
	enum count_by by = r->counts->by;

	if (by == COUNT_BY_ALL && r->by_given)
		*p = (struct count_place){ -1, -1, -1, -1, -1, -1 };
	if (by == COUNT_BY_SOCKET)
		p->die = -1;
	if (by == COUNT_BY_SOCKET || by == COUNT_BY_DIE)
		p->core = -1;
}

uint32_t stat_read_thread(const struct stat_read *r, int32_t thread, struct buf *comm)
{
	const char *text = intern_str(&r->words, (uint32_t)thread), *dash = strrchr(text, '-');

	buf_add(comm, text, (size_t)(dash - text));
	return (uint32_t)strtoul(dash + 1, NULL, 10);
}

const char *stat_read_other(const struct stat_read *r, int32_t other)
{
	return other < 0 ? "" : intern_str(&r->words, (uint32_t)other);
}

/* ---- what was counted ---- */

static bool is_in_unit(const struct stat_row *row)
{
	uint64_t count;

	return row->state == STAT_COUNTED && !stat_row_count(row, &count);
}

/* The event of that name, the N-th of several. */
static uint32_t event_of(struct stat_read *r, const struct stat_row *row, unsigned n)
{
	struct metric_event *e;
	struct buf key = { 0 };
	uint32_t id;

	buf_add(&key, row->event.start, row->event.len);
	buf_char(&key, '\0');
	buf_add(&key, &n, sizeof(n));
	id = intern_add(&r->events, key.data, key.len);
	buf_release(&key);
	if (id < r->metrics->count)
		return id;
	e = metrics_add(r->metrics, intern_str(&r->events, id));
	if (metrics_is_clock(e)) {
		e->unit = "msec";
		e->scale = 1e-6;
	} else if (row->unit.len || is_in_unit(row)) {
		e->unit = intern_str(&r->words, (uint32_t)word_id(r, row->unit));
		e->scale = 1 / UNIT_ONE;
		e->in_unit = true;
	}
	return id;
}

/* False: it does not fit into 64 bits. */
static bool value_of(const struct stat_row *row, const struct metric_event *e, uint64_t *out)
{
	double v = stat_number(row->value) * UNIT_ONE;

	if (metrics_is_clock(e))
		return stat_row_ns(row, out);
	if (!e->in_unit)
		return stat_row_count(row, out);
	*out = v < 1.8e19 ? (uint64_t)llround(v) : UINT64_MAX;
	return v < 9e18;
}

/* Where text does not tell both times, their ratio. */
static bool count_of(const struct stat_read *r, const struct stat_row *row,
		     const struct metric_event *e, struct count *k)
{
	double pct = fmin(fmax(row->running_pct, 0), 100), error;

	*k = (struct count){ .readings = row->counters ?: 1 };
	if (row->state != STAT_COUNTED) {
		k->readings = row->state == STAT_NOT_COUNTED ? k->readings : 0;
		return true;
	}
	if (!value_of(row, e, &k->scaled))
		return false;
	k->value = row->has_running; /* what was read is not told */
	k->running_ns =
		row->has_running ? row->running_ns : (uint64_t)llround(pct * SHARE_ONE / 100);
	k->running_ns += !k->running_ns;
	k->enabled_ns =
		pct > 0 ? (uint64_t)fmin((double)k->running_ns * 100 / pct, 1.8e19) : k->running_ns;
	if (pct == 100)
		k->enabled_ns = k->running_ns;
	error = row->has_error ? row->error_pct / 100 * (double)k->scaled : 0;
	k->error2 = error * error;
	k->runs = r->repeats > 1 && (row->has_error || row->form == STAT_TEXT) ? r->repeats : 0;
	return true;
}

/* ---- rounds ---- */

static void end_round(struct stat_read *r)
{
	struct count_round round = { .time_ns = r->timed ? r->time_ns : r->elapsed_ns,
				     .last = !r->timed,
				     .run = r->runs - 1 };

	if (r->open)
		counts_end_round(r->counts, &round);
	r->open = false;
	r->elapsed_ns = 0;
}

static void begin_round(struct stat_read *r, const struct stat_row *row)
{
	/* intervals are of one run, which the file began */
	r->runs += !row->has_time || r->counts->round_count == r->first_round;
	r->open = true;
	r->timed = row->has_time;
	r->time_ns = row->time_ns;
	r->has_interval |= row->has_time;
}

/* Does ROW begin another round than that which goes on? */
static bool is_next(const struct stat_read *r, const struct stat_row *row, uint32_t event,
		    const struct count_place *p)
{
	if (r->timed != row->has_time)
		return true;
	if (r->timed)
		return r->time_ns != row->time_ns;
	return event == r->first_event && !memcmp(p, &r->first_place, sizeof(*p));
}

/* Several rows are one of the table. */
static bool is_sum(const struct stat_read *r)
{
	return r->counts->by != r->rows_by || (r->by_given && r->has_other);
}

/* P: as it is told. */
static void put_row(struct stat_read *r, const struct stat_row *row, struct count_place p)
{
	bool sums = is_sum(r);
	uint32_t event = event_of(r, row, 0);
	struct count k;

	if (r->open && is_next(r, row, event, &p))
		end_round(r);
	if (!r->open) {
		begin_round(r, row);
		r->first_event = event;
		r->first_place = p;
	}
	reduce(r, &p);
	for (unsigned n = 1; !sums && n < SAME_MAX && counts_has(r->counts, &p, event); n++)
		event = event_of(r, row, n);
	r->put = (sums || !counts_has(r->counts, &p, event)) &&
		 count_of(r, row, &r->metrics->events[event], &k);
	if (!r->put)
		return;
	r->repeated |= k.error2 > 0;
	counts_put(r->counts, &p, event, &k);
	r->put = !sums;
}

/* ---- lines ---- */

/* False: rows that are BY cannot be in this table. */
static bool take_by(struct stat_read *r, enum count_by by)
{
	if (by == COUNT_BY_ALL || by == r->rows_by)
		return true;
	if (r->rows_by != COUNT_BY_ALL)
		return false;
	if (r->by_given && !sums_up(by, r->counts->by)) {
		r->refused = count_by_names[by];
		return false;
	}
	r->rows_by = by;
	if (!r->by_given)
		r->counts->by = by;
	return true;
}

static bool is_full(const struct stat_read *r, const struct folded *text)
{
	size_t room = folded_room(text);
	const struct counts *c = r->counts;

	return room && c->entry_count * sizeof(*c->entries) + c->told_count * sizeof(*c->told) +
				       r->words.bytes + r->events.bytes >
			       room / 2;
}

/* False: it is no row, or one that has no place here. */
static bool take_row(struct stat_read *r, const char *line, size_t len)
{
	struct stat_row row;
	struct count_place p;

	if (!stat_row_read(&r->rows, &row, line, len))
		return false;
	if (!row.more) {
		p = place_of(r, &row);
		r->put = false;
		if (!take_by(r, by_of(&p)))
			return false;
		put_row(r, &row, p);
		r->any = true;
		if (!r->put && !is_sum(r))
			return false;
	}
	if (row.has_metric && r->put)
		counts_tell(r->counts, row.metric,
			    intern_str(&r->words, (uint32_t)word_id(r, row.metric_unit)));
	return true;
}

static void take_line(struct stat_read *r, const char *line, size_t len)
{
	char *command;
	uint64_t runs;

	if (stat_title_parse(line, len, &command, &runs)) {
		end_round(r);
		free(r->command);
		r->command = command;
		r->repeats = runs < UINT32_MAX ? (uint32_t)runs : 0;
		return;
	}
	if (stat_elapsed_parse(line, len, &r->elapsed_ns) || take_row(r, line, len) ||
	    stat_line_is_other(line, len))
		return;
	if (!r->unread++)
		r->unread_line = r->lines;
}

/* With intervals, what has no time is their sum. */
static void end_file(struct stat_read *r, uint32_t runs)
{
	size_t i = r->counts->round_count;

	end_round(r);
	i = r->counts->round_count;
	while (r->has_interval && i > r->first_round && r->counts->rounds[i - 1].last)
		i--;
	if (i == r->counts->round_count)
		return;
	counts_drop_rounds(r->counts, i);
	r->runs = runs + 1;
}

int stat_read_text(struct stat_read *r, struct folded *text, struct warnings *w)
{
	uint32_t runs = r->runs;
	const char *line;
	size_t len;
	int rc;

	r->first_round = r->counts->round_count;
	r->has_interval = r->any = r->put = false;
	r->lines = r->unread = r->full = 0;
	while ((rc = folded_line_text(text, &line, &len)) == 1) {
		r->lines++;
		if (is_full(r, text))
			r->full++;
		else
			take_line(r, line, len);
	}
	end_file(r, runs);
	if (rc < 0)
		return rc;
	if (!r->any && r->refused) {
		warn_add(w, SEV_FATAL, "stat", "%s: --by %s: it tells what was counted by %s",
			 folded_path(text), count_by_names[r->counts->by], r->refused);
		return ERR_USAGE;
	}
	if (!r->any) {
		warn_add(w, SEV_FATAL, "stat",
			 "%s: neither a capture of perf stat record nor what perf stat prints%s",
			 folded_path(text), r->unread ? "" : " (it is empty)");
		return ERR_FORMAT;
	}
	if (r->unread)
		warn_add(w, SEV_WARN, "stat",
			 "%s: %" PRIu64 " of %" PRIu64 " lines are no counters, the first is line "
			 "%" PRIu64,
			 folded_path(text), r->unread, r->lines, r->unread_line);
	if (r->full)
		warn_add(w, SEV_WARN, "memory",
			 "%s: %" PRIu64 " lines are left out: there is no more memory for them "
			 "(--max-memory)",
			 folded_path(text), r->full);
	return 0;
}
