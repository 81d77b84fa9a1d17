/* What perf stat record counted, and what follows from it: in all, by CPU, socket, die, core or
 * thread, once or for each interval. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/counters/stat_text.h"
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
	COUNT,
	VALUE,
	UNIT,
	EVENT,
	METRIC,
	METRIC_UNIT,
	RUNNING,
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
	struct lines_part lines;
	struct answer answer;
	bool intervals; /* a row for each of them */
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
	[EVENT] = { "event", COLUMN_TEXT },
	[COUNT] = { "count", COLUMN_ID },
	[VALUE] = { "value", COLUMN_REAL, 3 },
	[UNIT] = { "unit", COLUMN_TEXT },
	[METRIC] = { "metric", COLUMN_REAL, 3 },
	[METRIC_UNIT] = { "metric_unit", COLUMN_TEXT },
	[RUNNING] = { "running_pct", COLUMN_PERCENT, 2 },
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

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	static const enum count_by count_bys[] = {
		[BY_TOTAL] = COUNT_BY_ALL, [BY_CPU] = COUNT_BY_CPU,   [BY_SOCKET] = COUNT_BY_SOCKET,
		[BY_DIE] = COUNT_BY_DIE,   [BY_CORE] = COUNT_BY_CORE, [BY_THREAD] = COUNT_BY_THREAD,
	};
	struct stat *s = state;

	if (e->kind != PDT_COUNTER && e->kind != PDT_ROUND)
		return;
	if (!s->by_known)
		s->counts.by = s->by == BY_RECORDED ? recorded_by(session) : count_bys[s->by];
	s->by_known = true;
	counts_add(&s->counts, e, session);
}

/* ---- rows ---- */

static void cell_id_if(struct answer *a, int32_t id)
{
	answer_cell_count_if(a, id >= 0, (uint32_t)id);
}

static void row_place(struct stat *s, const struct pdt_session *session, size_t place)
{
	struct count_place p = counts_place(&s->counts, place);
	struct answer *a = &s->answer;
	const char *comm;
	uint32_t tid;

	switch (s->counts.by) {
	case COUNT_BY_ALL:
		break;
	case COUNT_BY_CPU:
		cell_id_if(a, p.cpu);
		break;
	case COUNT_BY_THREAD:
		comm = pdt_counted_thread(session, (uint32_t)p.thread, &tid);
		answer_cell_text(a, comm ? comm : "");
		cell_id_if(a, (int32_t)tid);
		break;
	default:
		cell_id_if(a, p.socket);
		if (s->counts.by != COUNT_BY_SOCKET)
			cell_id_if(a, p.die);
		if (s->counts.by == COUNT_BY_CORE)
			cell_id_if(a, p.core);
	}
}

static void row_count(struct stat *s, const struct pdt_desc *d, const struct count *k)
{
	struct answer *a = &s->answer;
	bool counted = k->enabled_ns && k->running_ns;
	double scale;
	const char *unit = pdt_desc_unit(d, &scale);

	if (counted)
		answer_cell_sum(a, k->scaled);
	else
		answer_cell_text(a, k->readings ? "<not counted>" : "<not supported>");
	answer_cell_real(a, counted && unit ? (double)k->scaled * scale : NAN);
	answer_cell_text(a, unit ? unit : "");
	answer_cell_text(a, pdt_desc_name(d));
}

static void row_metric(struct answer *a, const struct metric *m)
{
	answer_cell_real(a, m ? m->value : NAN);
	answer_cell_text(a, m ? m->unit : "");
}

static void row_times(struct answer *a, const struct count *k)
{
	answer_cell_real(a, k->enabled_ns ? 100.0 * (double)k->running_ns / (double)k->enabled_ns
					  : NAN);
	answer_cell_count_if(a, k->readings, k->value);
	answer_cell_count_if(a, k->readings, k->enabled_ns);
	answer_cell_count_if(a, k->readings, k->running_ns);
	answer_cell_count(a, k->readings);
}

struct row_of {
	uint64_t time_ns;
	bool rest; /* there is no time */
	size_t place, event;
};

/* A row for each of its metrics, and one where it has none. */
static void rows_of(struct stat *s, const struct pdt_session *session, const struct row_of *r)
{
	const struct pdt_desc *d = pdt_desc_at(session, r->event);
	struct count k = counts_at(&s->counts, r->place, r->event);
	struct metric m[METRICS_MAX];
	size_t n = k.running_ns ? metrics_of(&s->metrics, &s->counts, r->place, r->event, m) : 0;

	for (size_t i = 0; i < n || !i; i++) {
		if (s->intervals)
			answer_cell_count_if(&s->answer, !r->rest, r->time_ns);
		row_place(s, session, r->place);
		row_count(s, d, &k);
		row_metric(&s->answer, i < n ? &m[i] : NULL);
		row_times(&s->answer, &k);
	}
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

static void interval_rows(struct stat *s, const struct pdt_session *session, uint32_t *cells)
{
	uint64_t before = 0;

	for (size_t i = 0; i < s->counts.round_count; i++) {
		const struct count_round *round = &s->counts.rounds[i];
		struct row_of r = { .time_ns = round->time_ns, .rest = round->rest };

		for (size_t k = 0; k < round->count; k++)
			cells[k] = s->counts.entries[round->first + k].cell;
		counts_load(&s->counts, i);
		s->metrics.wall_ns = fmax(0, (double)round->time_ns - (double)before);
		rows_of_cells(s, session, cells, round->count, &r);
		counts_unload(&s->counts, i);
		before = round->time_ns;
	}
}

static void sum_rows(struct stat *s, const struct pdt_session *session, uint32_t *cells)
{
	struct row_of r = { 0 };

	for (size_t i = 0; i < s->counts.round_count; i++) {
		counts_load(&s->counts, i);
		s->metrics.wall_ns = fmax(s->metrics.wall_ns, (double)s->counts.rounds[i].time_ns);
	}
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

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct stat *s = state;
	bool rest = counts_end(&s->counts);
	uint32_t *cells = xcalloc(s->counts.cells.count + 1, sizeof(*cells));

	if (!s->counts.round_count && !s->by_known) {
		free(cells);
		warn_add(w, SEV_FATAL, "stat",
			 "no counters in it. Count with: perf stat record -- COMMAND");
		return ERR_USAGE;
	}
	s->metrics.as_perf = s->compat;
	metrics_init(&s->metrics, session);
	rank_places(s);
	s->intervals = s->counts.round_count > 1 && !s->summary;
	tell(s, session, rest);
	if (s->compat) {
		stat_text_init(&s->text, session, &s->counts, &s->metrics);
		if (stat_text_left_out(&s->text))
			warn_add(w, SEV_WARN, "stat-lines",
				 "lines of counters that were not read are left out: %llu",
				 (unsigned long long)stat_text_left_out(&s->text));
	} else if (s->intervals) {
		interval_rows(s, session, cells);
	} else {
		sum_rows(s, session, cells);
	}
	free(cells);
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
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all_columns); i++) {
		if (!hidden[i])
			s->columns[n++] = all_columns[i];
	}
	s->columns[n] = (struct column){ 0 };
}

static void result(void *state, struct result *out)
{
	enum { FOR_MACHINES = READINGS - RUNNING };
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
}

static void release(void *state)
{
	struct stat *s = state;

	counts_release(&s->counts);
	metrics_release(&s->metrics);
	stat_text_release(&s->text);
	free(s->rank);
	answer_release(&s->answer);
}

const struct analyzer analyzer_stat = {
	.name = "stat",
	.summary = "counters of perf stat record, and what follows from them",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_COUNTERS,
	.shapes = SHAPE_TABLE | SHAPE_LINES,
	.single = true,
	.options = options,
	.state_size = sizeof(struct stat),
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
