/* What perf stat counted, as a capture of perf stat record or its text tells it, and what follows
 * from it: in all, by CPU, socket, die, core or thread, once, for each interval or over runs. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/chance/tails.h"
#include "analyzers/counters/stat_read.h"
#include "analyzers/counters/stat_runs.h"
#include "analyzers/counters/stat_series.h"
#include "analyzers/counters/stat_text.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum by { BY_RECORDED, BY_TOTAL, BY_CPU, BY_SOCKET, BY_DIE, BY_CORE, BY_THREAD };

enum column_id {
	TIME_NS,
	CPU,
	SOCKET,
	DIE,
	CORE,
	COMM,
	TID,
	PLACE,
	COUNT,
	VALUE,
	UNIT,
	EVENT,
	METRIC,
	METRIC_UNIT,
	RUNNING,
	RUNS,
	ERROR,
	LOW,
	HIGH,
	RAW,
	ENABLED_NS,
	RUNNING_NS,
	READINGS,
};

struct stat {
	enum by by;
	bool summary;
	enum { COMPAT_NONE, COMPAT_PERF } compat;
	bool by_known;
	struct counts counts;
	struct metrics metrics;
	struct stat_text text;
	struct stat_read read;
	struct stat_runs captures;
	struct stat_series series;
	size_t inputs;
	bool is_text;
	uint32_t runs;	     /* of one measurement: captures, or what texts tell; 0: none */
	const char *command; /* of all of them; NULL: there are several */
	struct lines_part lines;
	struct answer answer;
	bool intervals; /* a row for each of them */
	bool repeated;	/* of several runs, which have a deviation */
	size_t *rank;	/* by place: where it stands in their order */
	struct column columns[READINGS + 2];
};

#define O(member) offsetof(struct stat, member)

static const char *const bys[] = { [BY_RECORDED] = "recorded", [BY_TOTAL] = "total",
				   [BY_CPU] = "cpu",	       [BY_SOCKET] = "socket",
				   [BY_DIE] = "die",	       [BY_CORE] = "core",
				   [BY_THREAD] = "thread",     NULL };
static const char *const compats[] = { "", "perf", NULL };

static const struct option options[] = {
	{ "by", 0, OPT_WORD, O(by), NULL,
	  "what counts are summed up for (default: as they were recorded)", .words = bys },
	{ "no-aggr", 'A', OPT_SAME, 0, "--by cpu" },
	{ "per-socket", 0, OPT_SAME, 0, "--by socket" },
	{ "per-die", 0, OPT_SAME, 0, "--by die" },
	{ "per-core", 0, OPT_SAME, 0, "--by core" },
	{ "per-thread", 0, OPT_SAME, 0, "--by thread" },
	{ "summary", 0, OPT_FLAG, O(summary), NULL, "of intervals (-I) the sum" },
	{ "compat", 0, OPT_WORD, O(compat), NULL, "the text of perf stat report (6.12)",
	  .words = compats },
	{ 0 },
};

static const struct column all_columns[] = {
	[TIME_NS] = { "time_ns", COLUMN_TIME_NS },
	[CPU] = { "cpu", COLUMN_ID },
	[SOCKET] = { "socket", COLUMN_ID },
	[DIE] = { "die", COLUMN_ID },
	[CORE] = { "core", COLUMN_ID },
	[COMM] = { "comm", COLUMN_TEXT },
	[TID] = { "tid", COLUMN_ID },
	[PLACE] = { "place", COLUMN_TEXT },
	[EVENT] = { "event", COLUMN_TEXT },
	[COUNT] = { "count", COLUMN_ID },
	[VALUE] = { "value", COLUMN_REAL, 3 },
	[UNIT] = { "unit", COLUMN_TEXT },
	[METRIC] = { "metric", COLUMN_REAL, 3 },
	[METRIC_UNIT] = { "metric_unit", COLUMN_TEXT },
	[RUNNING] = { "running_pct", COLUMN_PERCENT, 2 },
	[RUNS] = { "runs", COLUMN_COUNT },
	[ERROR] = { "error_pct", COLUMN_PERCENT, 2 },
	[LOW] = { "low", COLUMN_REAL, 3, "Low, 95 %" },
	[HIGH] = { "high", COLUMN_REAL, 3, "High, 95 %" },
	[RAW] = { "raw_count", COLUMN_COUNT },
	[ENABLED_NS] = { "enabled_ns", COLUMN_NS },
	[RUNNING_NS] = { "running_ns", COLUMN_NS },
	[READINGS] = { "counters", COLUMN_COUNT },
};

/* What perf was told: 0 nothing is summed up, 1 all, 2 by socket (enum aggr_mode of perf's
 * util/stat.h). What the numbers above mean has changed several times: they are of threads where it
 * was threads that were counted, else of cores. */
static enum count_by recorded_by(const struct pdt_session *s)
{
	uint64_t mode;
	uint32_t tid;

	if (!pdt_stat_config(s, PDT_STAT_AGGREGATION, &mode) || mode == 1)
		return COUNT_BY_ALL;
	if (mode == 0)
		return COUNT_BY_CPU;
	if (mode == 2)
		return COUNT_BY_SOCKET;
	return pdt_counted_thread(s, 0, &tid) && (int32_t)tid >= 0 ? COUNT_BY_THREAD
								   : COUNT_BY_CORE;
}

static const enum count_by count_bys[] = {
	[BY_RECORDED] = COUNT_BY_ALL,  [BY_TOTAL] = COUNT_BY_ALL, [BY_CPU] = COUNT_BY_CPU,
	[BY_SOCKET] = COUNT_BY_SOCKET, [BY_DIE] = COUNT_BY_DIE,	  [BY_CORE] = COUNT_BY_CORE,
	[BY_THREAD] = COUNT_BY_THREAD,
};

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct stat *s = state;

	if (e->kind != PDT_COUNTER && e->kind != PDT_ROUND)
		return;
	if (!s->by_known)
		s->counts.by = s->by == BY_RECORDED ? recorded_by(session) : count_bys[s->by];
	s->by_known = true;
	if (s->inputs > 1 && e->desc)
		s->counts.events = stat_runs_map(&s->captures, &s->metrics, session, e->desc);
	counts_add(&s->counts, e, session);
}

/* ---- rows ---- */

static void cell_id_if(struct answer *a, int32_t id)
{
	answer_cell_count_if(a, id >= 0, (uint32_t)id);
}

/* SESSION: NULL of text, and of several captures, in all of these. */
static void row_thread(struct stat *s, const struct pdt_session *session, int32_t thread)
{
	struct buf read = { 0 };
	const char *comm = NULL;
	uint32_t tid = UINT32_MAX;

	if (session)
		comm = pdt_counted_thread(session, (uint32_t)thread, &tid);
	else if (thread >= 0)
		tid = stat_read_thread(&s->read, thread, &read);
	answer_cell_text(&s->answer, comm ?: read.data ?: "");
	cell_id_if(&s->answer, (int32_t)tid);
	buf_release(&read);
}

static void row_place(struct stat *s, const struct pdt_session *session, size_t place)
{
	struct count_place p = counts_place(&s->counts, place);
	struct answer *a = &s->answer;

	switch (s->counts.by) {
	case COUNT_BY_ALL:
		break;
	case COUNT_BY_CPU:
		cell_id_if(a, p.cpu);
		break;
	case COUNT_BY_THREAD:
		row_thread(s, session, p.thread);
		break;
	default:
		cell_id_if(a, p.socket);
		if (s->counts.by != COUNT_BY_SOCKET)
			cell_id_if(a, p.die);
		if (s->counts.by == COUNT_BY_CORE)
			cell_id_if(a, p.core);
	}
	if (s->read.has_other)
		answer_cell_text(a, stat_read_other(&s->read, p.other));
}

static bool is_counted(const struct count *k)
{
	return k->enabled_ns && k->running_ns;
}

static void row_count(struct stat *s, const struct metric_event *e, const struct count *k)
{
	struct answer *a = &s->answer;
	bool counted = is_counted(k);

	if (counted && e->in_unit)
		answer_cell_empty(a);
	else if (counted)
		answer_cell_sum(a, k->scaled);
	else
		answer_cell_text(a, k->readings ? "<not counted>" : "<not supported>");
	answer_cell_real(a, counted && e->unit ? (double)k->scaled * e->scale : NAN);
	answer_cell_text(a, e->unit ? e->unit : "");
	answer_cell_text(a, e->name);
}

static void row_metric(struct answer *a, const struct metric *m)
{
	answer_cell_real(a, m ? m->value : NAN);
	answer_cell_text(a, m ? m->unit : "");
}

/* The interval that holds the mean of all runs that there could be with 95 %: of the value in its
 * unit, else of the count. */
static void row_error(struct stat *s, const struct metric_event *e, const struct count *k)
{
	struct answer *a = &s->answer;
	double one = e->unit ? e->scale : 1, error = sqrt(k->error2), half = NAN;
	double mean = k->mean > 0 ? k->mean : (double)k->scaled;

	if (!s->repeated)
		return;
	if (k->runs > 1)
		half = error * student_quantile(0.025, k->runs - 1);
	answer_cell_count_if(a, k->runs, k->runs);
	answer_cell_real(a, is_counted(k) && (k->runs || error > 0) && mean > 0 ? 100 * error / mean
										: NAN);
	answer_cell_real(a, (mean - half) * one);
	answer_cell_real(a, (mean + half) * one);
}

/* Text tells less, and of runs there is no count that was read. */
static void row_times(struct stat *s, const struct metric_event *e, const struct count *k)
{
	struct answer *a = &s->answer;
	bool read = !s->is_text && k->readings;

	answer_cell_real(a, k->enabled_ns ? 100.0 * (double)k->running_ns / (double)k->enabled_ns
					  : NAN);
	row_error(s, e, k);
	answer_cell_count_if(a, read && !s->repeated, k->value);
	answer_cell_count_if(a, read, k->enabled_ns);
	answer_cell_count_if(a, s->is_text ? k->value : k->readings, k->running_ns);
	answer_cell_count_if(a, !s->is_text || k->readings > 1, k->readings);
}

struct row_of {
	uint64_t time_ns;
	bool rest; /* there is no time */
	size_t place, event;
};

static bool same_metric(const char *a, const char *b)
{
	const char *per_a = strstr(a, "/sec"), *per_b = strstr(b, "/sec");

	return !strcmp(a, b) || (per_a && per_b && !strcmp(per_a, per_b));
}

/* Of the count K of R. METRIC: NULL: none. */
static void row_of(struct stat *s, const struct pdt_session *session, const struct row_of *r,
		   const struct count *k, const struct metric *metric)
{
	const struct metric_event *e = &s->metrics.events[r->event];

	if (s->intervals)
		answer_cell_count_if(&s->answer, !r->rest, r->time_ns);
	row_place(s, session, r->place);
	row_count(s, e, k);
	row_metric(&s->answer, metric);
	row_times(s, e, k);
}

/* A row for each of its metrics, and one where it has none. What text tells of it counts beside
 * those that are made of its counts. */
static void rows_of(struct stat *s, const struct pdt_session *session, const struct row_of *r)
{
	struct count k = counts_at(&s->counts, r->place, r->event);
	const struct told_metric *t = k.told ? &s->counts.told[k.told - 1] : NULL;
	struct metric m[METRICS_MAX];
	size_t n = k.running_ns ? metrics_of(&s->metrics, &s->counts, r->place, r->event, m) : 0;
	size_t rows = 0;

	for (; rows < n; rows++)
		row_of(s, session, r, &k, &m[rows]);
	for (; t; t = t->last ? NULL : t + 1) {
		bool known = false;

		for (size_t i = 0; i < n; i++)
			known |= same_metric(m[i].unit, t->unit);
		if (!known)
			row_of(s, session, r, &k,
			       &(struct metric){ .value = t->value, .unit = t->unit });
		rows += !known;
	}
	if (!rows)
		row_of(s, session, r, &k, NULL);
}

/* Cells by event, then by place, as perf shows them; by parts of the machine the other way round.
 */
static int by_row(const void *a, const void *b, void *ctx)
{
	const struct stat *s = ctx;
	enum count_by by = s->counts.by;
	bool places_first = by == COUNT_BY_SOCKET || by == COUNT_BY_DIE || by == COUNT_BY_CORE;
	size_t xp, xe, yp, ye;

	counts_where(&s->counts, *(const uint32_t *)a, &xp, &xe);
	counts_where(&s->counts, *(const uint32_t *)b, &yp, &ye);
	xp = s->rank[xp];
	yp = s->rank[yp];
	if (places_first && xp != yp)
		return xp < yp ? -1 : 1;
	if (xe != ye)
		return xe < ye ? -1 : 1;
	return xp < yp ? -1 : xp > yp;
}

static void rows_of_cells(struct stat *s, const struct pdt_session *session, uint32_t *cells,
			  size_t count, struct row_of *r)
{
	if (count)
		qsort_r(cells, count, sizeof(*cells), by_row, s);
	for (size_t i = 0; i < count; i++) {
		counts_where(&s->counts, cells[i], &r->place, &r->event);
		rows_of(s, session, r);
	}
}

/* What the line of a place is called. */
struct naming {
	struct stat *stat;
	const struct pdt_session *session;
};

static const char *line_name(void *ctx, size_t place)
{
	const struct naming *n = ctx;
	struct stat *s = n->stat;
	struct count_place p = counts_place(&s->counts, place);
	const char *comm, *kept;
	struct buf b = { 0 };
	uint32_t tid;

	if (p.thread >= 0 && n->session) {
		comm = pdt_counted_thread(n->session, (uint32_t)p.thread, &tid);
		buf_printf(&b, "%s %d", comm ?: "", (int32_t)tid);
	} else if (p.thread >= 0) {
		tid = stat_read_thread(&s->read, p.thread, &b);
		buf_printf(&b, " %d", (int32_t)tid);
	}
	if (p.cpu >= 0)
		buf_printf(&b, "CPU %d", p.cpu);
	if (p.socket >= 0)
		buf_printf(&b, "socket %d", p.socket);
	if (p.die >= 0)
		buf_printf(&b, " die %d", p.die);
	if (p.core >= 0)
		buf_printf(&b, " core %d", p.core);
	if (p.other >= 0)
		buf_printf(&b, "%s%s", b.len ? " " : "", stat_read_other(&s->read, p.other));
	kept = answer_string(&s->answer, b.data ?: "");
	buf_release(&b);
	return kept;
}

static void interval_rows(struct stat *s, const struct pdt_session *session, uint32_t *cells)
{
	uint64_t before = 0;

	stat_series_begin(&s->series, &s->counts, &s->metrics, s->rank, &s->answer.arena);
	for (size_t i = 0; i < s->counts.round_count; i++) {
		const struct count_round *round = &s->counts.rounds[i];
		struct row_of r = { .time_ns = round->time_ns, .rest = round->rest };

		for (size_t k = 0; k < round->count; k++)
			cells[k] = s->counts.entries[round->first + k].cell;
		counts_load(&s->counts, i);
		s->metrics.wall_ns = fmax(0, (double)round->time_ns - (double)before);
		rows_of_cells(s, session, cells, round->count, &r);
		stat_series_add(&s->series, i);
		counts_unload(&s->counts, i);
		before = round->time_ns;
	}
	stat_series_end(&s->series, line_name, &(struct naming){ s, session });
}

/* Of a run; all of it are its rounds. */
static double mean_wall(const struct counts *c)
{
	double sum = 0, most = 0;
	size_t runs = 0;

	for (size_t i = 0; i < c->round_count; i++) {
		most = fmax(most, (double)c->rounds[i].time_ns);
		if (i + 1 < c->round_count && c->rounds[i + 1].run == c->rounds[i].run)
			continue;
		if (most <= 0)
			return 0;
		sum += most;
		most = 0;
		runs++;
	}
	return runs ? sum / (double)runs : 0;
}

static void sum_rows(struct stat *s, const struct pdt_session *session, uint32_t *cells)
{
	struct row_of r = { 0 };

	counts_load_all(&s->counts, s->runs);
	s->metrics.wall_ns = mean_wall(&s->counts);
	for (size_t i = 0; i < s->counts.cells.count; i++)
		cells[i] = (uint32_t)i;
	rows_of_cells(s, session, cells, s->counts.cells.count, &r);
}

/* Events that no counter was read of, as a fact. */
static void tell_missing(struct stat *s, const struct pdt_session *session)
{
	const struct pdt_desc *d;
	struct buf list = { 0 };

	for (size_t i = 0; (d = pdt_desc_at(session, i)); i++) {
		if (!pdt_desc_number(session, d, PDT_DESC_COUNTERS))
			buf_printf(&list, "%s%s", list.len ? ", " : "", pdt_desc_name(d));
	}
	if (list.len)
		answer_warn(&s->answer, "not supported", "%s", list.data);
	buf_release(&list);
}

/* With -I perf reads the counters once more at the end, and writes no round. */
static void tell_rest(struct stat *s, const struct pdt_session *session)
{
	uint64_t ms;

	if (pdt_stat_config(session, PDT_STAT_INTERVAL_MS, &ms) && ms)
		answer_fact(&s->answer, "rest",
			    "rows without a time are of what was counted after the last interval");
	else
		answer_warn(&s->answer, "cut", "the time that it took is not told");
}

static void tell(struct stat *s, const struct pdt_session *session, bool rest)
{
	const struct counts *c = &s->counts;
	size_t rounds = c->round_count - rest;
	uint64_t wall = rounds ? c->rounds[rounds - 1].time_ns : 0;

	answer_capture(&s->answer, session);
	answer_fact_if(&s->answer, "command", pdt_text(session, PDT_CMDLINE));
	if (wall)
		answer_fact(&s->answer, "time elapsed", "%s", NS_TEXT(wall));
	if (rounds > 1)
		answer_fact(&s->answer, "intervals", "%s", COUNT_TEXT(rounds));
	if (rest)
		tell_rest(s, session);
	answer_held(&s->answer, c->held);
	tell_missing(s, session);
}

static void rank_places(struct stat *s)
{
	size_t places = counts_places(&s->counts);
	size_t *order = xcalloc(places + 1, sizeof(*order));

	s->rank = xcalloc(places + 1, sizeof(*s->rank));
	counts_order(&s->counts, order);
	for (size_t i = 0; i < places; i++)
		s->rank[order[i]] = i;
	free(order);
}

static void make_rows(struct stat *s, const struct pdt_session *session)
{
	uint32_t *cells = xcalloc(s->counts.cells.count + 1, sizeof(*cells));

	rank_places(s);
	if (s->intervals)
		interval_rows(s, session, cells);
	else
		sum_rows(s, session, cells);
	free(cells);
}

/* Why SESSION cannot be one of several runs; NULL: it can. */
static const char *no_run(const struct stat *s, const struct pdt_session *session)
{
	if (s->compat)
		return "--compat perf: one capture at a time";
	if (s->is_text)
		return "runs are captures or texts of perf stat, not both";
	if (s->counts.by == COUNT_BY_THREAD)
		return "threads of several runs are not the same: --by total";
	if (s->by == BY_RECORDED && recorded_by(session) != s->counts.by)
		return "counts are not summed up as those of the run before: --by total";
	return NULL;
}

/* A capture is read that is one of several. */
static int finish_run(struct stat *s, const struct pdt_session *session, struct warnings *w)
{
	const char *why = no_run(s, session), *command = pdt_text(session, PDT_CMDLINE);

	if (why) {
		warn_add(w, SEV_FATAL, "usage", "%s: %s", pdt_text(session, PDT_PATH), why);
		return ERR_USAGE;
	}
	answer_capture(&s->answer, session);
	tell_missing(s, session);
	if (!s->runs++)
		s->command = command ? answer_string(&s->answer, command) : NULL;
	else if (s->command && (!command || strcmp(s->command, command) != 0))
		s->command = NULL;
	s->counts.run = s->runs;
	s->counts.events = NULL;
	stat_runs_end(&s->captures);
	return 0;
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct stat *s = state;
	bool rest = counts_end_run(&s->counts), several = s->inputs > 1;

	/* of several, this one has none */
	if (!several ? !s->by_known : !s->captures.map_count) {
		warn_add(w, SEV_FATAL, "stat",
			 "no counters in it. Count with: perf stat record -- COMMAND");
		return ERR_USAGE;
	}
	if (several)
		return finish_run(s, session, w);
	counts_end(&s->counts);
	s->metrics.as_perf = s->compat;
	metrics_init(&s->metrics, session);
	s->intervals = s->counts.round_count > 1 && !s->summary;
	tell(s, session, rest);
	if (!s->compat) {
		make_rows(s, session);
		return 0;
	}
	stat_text_init(&s->text, session, &s->counts, &s->metrics);
	if (stat_text_left_out(&s->text))
		warn_add(w, SEV_WARN, "stat-lines",
			 "lines of counters that were not read are left out: %llu",
			 (unsigned long long)stat_text_left_out(&s->text));
	return 0;
}

/* ---- text ---- */

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	((struct stat *)state)->inputs = in->count;
	return 0;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct stat *s = state;

	if (s->compat || s->runs) {
		warn_add(w, SEV_FATAL, "usage", "%s: %s", folded_path(f),
			 s->compat ? "--compat perf: it is no capture of perf stat record"
				   : "runs are captures or texts of perf stat, not both");
		return ERR_USAGE;
	}
	s->read.counts = &s->counts;
	s->read.metrics = &s->metrics;
	s->read.by_given = s->by != BY_RECORDED;
	if (!s->by_known)
		s->counts.by = count_bys[s->by];
	s->by_known = s->is_text = true;
	answer_text_input(&s->answer, "perf stat", f);
	return stat_read_text(&s->read, f, w);
}

/* Some runs are told one by one, of others only how many there were. */
static void tell_runs(struct stat *s)
{
	const struct stat_read *r = &s->read;
	struct answer *a = &s->answer;
	double wall = mean_wall(&s->counts);

	answer_fact_if(a, "command", s->is_text ? r->command : s->command);
	if (wall > 0)
		answer_fact(a, "time elapsed", "%s%s", NS_TEXT((uint64_t)(wall + 0.5)),
			    s->runs > 1 ? ", the mean of all runs" : "");
	if (s->intervals)
		answer_fact(a, "intervals", "%s", COUNT_TEXT(s->counts.round_count));
	if (s->runs > 1)
		answer_fact(a, "runs", "%s: counts are their mean", COUNT_TEXT(s->runs));
	else if (r->repeats > 1)
		answer_fact(a, "runs", "%s: counts are their mean", COUNT_TEXT(r->repeats));
	else if (s->repeated)
		answer_warn(
			a, "runs",
			"how many there were is not told, so that there is no interval of 95 %%");
	answer_held(a, s->counts.held);
}

static int complete(void *state, struct warnings *w)
{
	struct stat *s = state;

	if (s->is_text) {
		(void)counts_end_run(&s->counts);
		s->runs = s->read.runs;
	}
	if (!s->runs)
		return 0;
	counts_end(&s->counts);
	s->repeated = s->read.repeated || s->runs > 1;
	s->intervals = s->counts.round_count > 1 && s->runs == 1 && !s->summary;
	tell_runs(s);
	make_rows(s, NULL);
	return 0;
}

static bool next_lines(void *ctx, struct buf *out, int *error)
{
	(void)error;
	return stat_text_next(&((struct stat *)ctx)->text, out);
}

/* The columns that are shown. */
static void choose_columns(struct stat *s)
{
	enum count_by by = s->counts.by;
	const bool hidden[ARRAY_SIZE(all_columns)] = {
		[TIME_NS] = !s->intervals,
		[CPU] = by != COUNT_BY_CPU,
		[SOCKET] = by != COUNT_BY_SOCKET && by != COUNT_BY_DIE && by != COUNT_BY_CORE,
		[DIE] = by != COUNT_BY_DIE && by != COUNT_BY_CORE,
		[CORE] = by != COUNT_BY_CORE,
		[COMM] = by != COUNT_BY_THREAD,
		[TID] = by != COUNT_BY_THREAD,
		[PLACE] = !s->read.has_other,
		[RUNS] = !s->repeated,
		[ERROR] = !s->repeated,
		[LOW] = !s->repeated,
		[HIGH] = !s->repeated,
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all_columns); i++) {
		if (!hidden[i])
			s->columns[n++] = all_columns[i];
	}
	s->columns[n] = (struct column){ 0 };
}

static size_t column_at(const struct stat *s, enum column_id id)
{
	size_t c = 0;

	while (s->columns[c].name && strcmp(s->columns[c].name, all_columns[id].name) != 0)
		c++;
	return c;
}

/* A drawing has what people read, and bars of the counts of one event. */
static void draw_rows(struct stat *s)
{
	struct table_part *t = &s->answer.table;

	t->bar_column = column_at(s, COUNT);
	t->bar_else = 1 + column_at(s, VALUE);
	t->bar_group = 1 + column_at(s, EVENT);
	t->labels = ((1u << t->summary_columns) - 1) & ~(1u << t->bar_column);
}

static void result(void *state, struct result *out)
{
	enum { FOR_MACHINES = READINGS - HIGH };
	struct stat *s = state;

	out->title = "Performance counter stats";
	out->none = "no counter that passes was read";
	if (s->compat) {
		answer_result(&s->answer, NULL, out);
		s->lines = (struct lines_part){ next_lines, s,
						s->counts.cells.count ? s->counts.round_count : 0 };
		out->lines = &s->lines;
		return;
	}
	choose_columns(s);
	answer_result(&s->answer, s->columns, out);
	s->answer.table.as_written = true;
	s->answer.table.summary_columns = s->answer.table.column_count - FOR_MACHINES;
	draw_rows(s);
	out->series = s->intervals ? &s->series.part : NULL;
}

static void release(void *state)
{
	struct stat *s = state;

	counts_release(&s->counts);
	metrics_release(&s->metrics);
	stat_read_release(&s->read);
	stat_runs_release(&s->captures);
	stat_text_release(&s->text);
	free(s->rank);
	answer_release(&s->answer);
}

const struct analyzer analyzer_stat = {
	.name = "stat",
	.summary = "counters of perf stat, and what follows from them",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_COUNTERS,
	.shapes = SHAPE_TABLE | SHAPE_LINES,
	.options = options,
	.state_size = sizeof(struct stat),
	.begin = begin,
	.event = event,
	.finish = finish,
	.text = text,
	.complete = complete,
	.result = result,
	.release = release,
};
