/* Who waited for a CPU, how long, and why. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/compat/perf_latency.h"
#include "analyzers/count/listing.h"
#include "analyzers/count/quantile.h"
#include "analyzers/heat/heat.h"
#include "analyzers/heat/histogram.h"
#include "analyzers/heat/picked.h"
#include "analyzers/sched/waits.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct latency {
	bool each, histogram, heatmap;
	struct word_or_text by_what;
	enum { COMPAT_NONE, COMPAT_PERF } compat;
	enum rq_by by;
	struct listing listing;
	struct word_list perf_order; /* --compat: places in wait_keys */
	struct sched_events events;
	struct waits waits;
	struct picked field; /* BY_PART: what parts waits, and what it was */
	struct intern parts;
	struct perf_latency perf;
	struct answer answer;
	const struct column *columns;
	size_t summary_columns;
	struct heat heat; /* --heatmap */
};

#define O(member) offsetof(struct latency, member)

static const char *const compats[] = { "", "perf", NULL };
static const char *const bys[] = { "", /* a field */
				   [1 + RQ_BY_THREAD] = "thread",
				   [1 + RQ_BY_COMM] = "comm",
				   [1 + RQ_BY_PID] = "pid",
				   [1 + RQ_BY_CPU] = "cpu",
				   NULL };

/* What rows are ordered by, and the columns that tell it, of the rows and of single waits. */
enum key {
	BY_WAIT,
	BY_AVG,
	BY_MAX,
	BY_P50,
	BY_P90,
	BY_P95,
	BY_P99,
	BY_START,
	BY_SWITCH,
	BY_RUNTIME
};
static const char *const keys[] = { "wait", "avg",   "max",    "p50",	  "p90", "p95",
				    "p99",  "start", "switch", "runtime", NULL };
static const char *const row_keys[] = {
	"wait_ns", "avg_ns", "max_ns",	     "p50_ns", "p90_ns",
	"p95_ns",  "p99_ns", "max_start_ns", "count",  "runtime_ns"
};
static const char *const each_keys[] = { "wait_ns", "wait_ns", "wait_ns", "wait_ns",
					 "wait_ns", "wait_ns", "wait_ns", "start_ns" };

static const char *const perf_row_keys[] = { "max_ns" };

static const struct option options[] = {
	{ "by", 0, OPT_CHOICE, O(by_what), "WHAT",
	  "what a row is: thread, comm, pid, cpu, or a field of the sched_switch that ends waits "
	  "(default: thread; with --compat comm)",
	  .words = bys },
	{ "pids", 'p', OPT_SAME, 0, "--by thread" },
	{ "sort", 's', OPT_WORDS, O(listing.order), "KEYS",
	  "order of the rows (default: wait; with --compat avg,max,switch,runtime)", .words = keys,
	  .given = O(listing.ordered) },
	{ .type = OPT_TABLE, .table = listing_options, .offset = O(listing) },
	{ "each", 0, OPT_FLAG, O(each), NULL, "list every wait", .one_of = "view" },
	{ "histogram", 0, OPT_FLAG, O(histogram), NULL, "waits by length, in powers of two",
	  .one_of = "view" },
	{ "heatmap", 0, OPT_FLAG, O(heatmap), NULL,
	  "waits by the moment they ended and by length: a matrix, or a drawing",
	  .one_of = "view" },
	{ "compat", 0, OPT_WORD, O(compat), NULL, "the figures of perf sched latency (6.12)",
	  .words = compats },
	{ 0 },
};

static const char *const cause_names[CAUSE_COUNT] = {
	[CAUSE_WAKEUP] = "wakeup",
	[CAUSE_NEW] = "new",
	[CAUSE_PREEMPTED] = "preempted",
	[CAUSE_RACING] = "racing",
};

static int refuse(struct warnings *w, const char *why)
{
	warn_add(w, SEV_FATAL, "usage", "sched latency: %s", why);
	return ERR_USAGE;
}

/* The keys that perf has, as places in wait_keys; all of them where none was asked for. */
static int take_perf_order(struct latency *l, struct warnings *w)
{
	static const uint8_t perf_keys[] = { BY_AVG, BY_MAX, BY_SWITCH, BY_RUNTIME };
	const struct word_list *from = &l->listing.order;
	struct word_list *to = &l->perf_order;

	for (size_t i = 0; i < from->count; i++) {
		unsigned k = 0;

		while (k < ARRAY_SIZE(perf_keys) && perf_keys[k] != from->list[i])
			k++;
		if (k == ARRAY_SIZE(perf_keys))
			return refuse(w, "--compat perf sorts by avg, max, switch and runtime");
		to->list[to->count++] = k;
	}
	for (unsigned k = 0; !from->count && k < ARRAY_SIZE(perf_keys); k++)
		to->list[to->count++] = k;
	l->listing.ordered = false; /* they come in perf's order */
	return 0;
}

static int take_order(struct latency *l, struct warnings *w)
{
	struct word_list *o = &l->listing.order;

	if ((l->histogram || l->heatmap) && listing_given(&l->listing))
		return refuse(w, "--sort, --min and --limit are for rows and single waits");
	for (size_t i = 0; l->each && i < o->count; i++) {
		if (o->list[i] > BY_START)
			return refuse(w, "--each has single waits: --sort wait or start");
	}
	if (l->compat)
		return take_perf_order(l, w);
	if (l->listing.ordered || l->each)
		return 0;
	l->listing.ordered = true;
	*o = (struct word_list){ { BY_WAIT, BY_MAX, BY_RUNTIME }, 3 };
	return 0;
}

static int begin(void *state, const struct inputs *inputs, struct warnings *w)
{
	struct latency *l = state;

	waits_init(&l->waits);
	l->by = l->compat ? RQ_BY_COMM : RQ_BY_THREAD;
	if (l->by_what.word)
		l->by = (enum rq_by)(l->by_what.word - 1);
	else if (l->by_what.text)
		l->by = RQ_BY_PART;
	if (l->by == RQ_BY_PART)
		picked_field(&l->field, l->by_what.text);
	l->waits.by = l->by;
	l->waits.keep_list = l->each || l->histogram || l->heatmap;
	if (l->compat && (l->waits.keep_list || l->by >= RQ_BY_PID)) {
		warn_add(w, SEV_FATAL, "usage",
			 "sched latency: --compat perf has rows by thread or by comm only");
		return ERR_USAGE;
	}
	return take_order(l, w);
}

/* SE as perf has it, if perf looks at it. */
static void perf_event(struct latency *l, const struct sched_event *se)
{
	static const uint8_t kinds[SCHED_KINDS] = {
		[SCHED_SWITCH] = 1 + PERF_SWITCH,   [SCHED_WAKING] = 1 + PERF_WAKEUP,
		[SCHED_WAKEUP] = 1 + PERF_WAKEUP,   [SCHED_WAKEUP_NEW] = 1 + PERF_WAKEUP,
		[SCHED_RUNTIME] = 1 + PERF_RUNTIME, [SCHED_FORK] = 1 + PERF_FORK,
		[SCHED_COMM] = 1 + PERF_COMM,
	};
	struct perf_sched out = { .pid = se->pid,
				  .next_pid = se->next_pid,
				  .process = se->process,
				  .cpu = se->cpu,
				  .state = se->state,
				  .time_ns = se->time_ns,
				  .amount_ns = se->amount_ns };

	if (!kinds[se->kind] || (se->kind == SCHED_FORK && !se->record))
		return;
	out.kind = (enum perf_sched_kind)(kinds[se->kind] - 1);
	if (se->kind == SCHED_COMM)
		out.comm = sched_comm(se, &out.comm_len);
	perf_latency_event(&l->perf, &out);
}

#define PARTS_MAX 4096

/* The value of the field in E, as the number of a part. A wait that no switch is seen to end, and
 * one without the field, is of an unknown one. */
static uint32_t part_of(struct latency *l, const struct sched_event *se, const struct pdt_event *e,
			const struct pdt_session *s)
{
	const struct picked_binding *b =
		se->kind == SCHED_SWITCH ? picked_bind(&l->field, e) : NULL;
	struct buf text = { 0 };
	uint32_t part;

	if (!b || !picked_text(&b->fields[0], e, s, &text))
		part = intern_add(&l->parts, "unknown", 7);
	else if (l->parts.count < PARTS_MAX ||
		 intern_find(&l->parts, text.data, text.len) != INTERN_NONE)
		part = intern_add(&l->parts, text.data, text.len);
	else
		part = intern_add(&l->parts, "other", 5);
	buf_release(&text);
	return part;
}

static void take(struct latency *l, const struct sched_event *se, const struct pdt_event *e,
		 const struct pdt_session *s)
{
	if (l->by == RQ_BY_PART)
		l->waits.part = part_of(l, se, e, s);
	runqueue_take(&l->waits.rq, se, s);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct latency *l = state;
	struct sched_event se;

	if (!sched_event_read(&l->events, e, s, &se))
		return;
	if (l->compat)
		perf_event(l, &se);
	else
		take(l, &se, e, s);
}

/* ---- as perf ---- */

static const struct column perf_columns[] = {
	{ "comm", COLUMN_TEXT },
	{ "pid", COLUMN_ID },
	{ "tid", COLUMN_ID },
	{ "runtime_ns", COLUMN_NS },
	{ "count", COLUMN_COUNT },
	{ "avg_ns", COLUMN_NS },
	{ "max_ns", COLUMN_NS },
	{ "max_start_ns", COLUMN_TIME_NS },
	{ "max_end_ns", COLUMN_TIME_NS },
	{ 0 },
};

/* perf names a row COMM:TID, and COMM:(K) where it is of K threads. */
static void perf_row(struct latency *l, const struct perf_row *r)
{
	struct answer *a = &l->answer;
	const struct wait_figures *f = &r->figures;

	answer_cell_text(a, r->comm);
	answer_cell_count_if(a, r->merged <= 1 && r->process != UINT32_MAX, r->process);
	answer_cell_count_if(a, r->merged <= 1, r->tid);
	answer_cell_sum(a, f->runtime_ns);
	answer_cell_count(a, f->count);
	answer_cell_count(a, wait_average(f));
	answer_cell_count(a, f->max_ns);
	answer_cell_count(a, f->max_start_ns);
	answer_cell_count(a, f->max_end_ns);
}

#define MERGED_SHOWN 20

/* Which rows are of several threads. */
static void merged_fact(struct latency *l)
{
	const struct perf_latency *p = &l->perf;
	struct buf b = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < p->row_count; i++) {
		if (p->rows[i].merged > 1 && n++ < MERGED_SHOWN)
			buf_printf(&b, "%s%.32s:(%" PRIu32 ")", b.len ? ", " : "", p->rows[i].comm,
				   p->rows[i].merged);
	}
	if (n)
		answer_fact(&l->answer, "of several threads", "%s%s", b.data,
			    n > MERGED_SHOWN ? " ..." : "");
	buf_release(&b);
}

static void share_fact(struct answer *a, const char *name, uint64_t part, uint64_t whole)
{
	if (part && whole)
		answer_warn(a, name, "%s (%s out of %s)", SHARE_TEXT(part, whole), COUNT_TEXT(part),
			    COUNT_TEXT(whole));
}

static void perf_answer(struct latency *l, const struct pdt_session *s)
{
	const struct perf_latency *p = &l->perf;
	uint64_t runtime = 0, count = 0, lost = pdt_number(s, PDT_LOST_RECORDS);

	perf_latency_rows(&l->perf, l->by == RQ_BY_COMM, &l->perf_order);
	for (size_t i = 0; i < p->row_count; i++) {
		perf_row(l, &p->rows[i]);
		(void)add_held(&runtime, p->rows[i].figures.runtime_ns);
		count += p->rows[i].figures.count;
	}
	merged_fact(l);
	answer_fact(&l->answer, "total", "%s, %s waits", NS_TEXT(answer_sum(&l->answer, runtime)),
		    COUNT_TEXT(count));
	answer_leads(&l->answer);
	share_fact(&l->answer, "unordered timestamps", p->unordered, p->wakeups);
	share_fact(&l->answer, "lost events", lost, lost + pdt_number(s, PDT_SAMPLES));
	share_fact(&l->answer, "context switch bugs", p->mismatches, p->wakeups);
	l->columns = perf_columns;
	listing_apply(&l->listing, perf_row_keys, perf_columns, &l->answer);
}

/* ---- the default ---- */

static const struct column row_columns[] = {
	{ "comm", COLUMN_TEXT },
	{ "pid", COLUMN_ID },
	{ "tid", COLUMN_ID },
	{ "runtime_ns", COLUMN_NS },
	{ "count", COLUMN_COUNT },
	{ "avg_ns", COLUMN_NS },
	{ "max_ns", COLUMN_NS },
	{ "max_start_ns", COLUMN_TIME_NS },
	{ "max_end_ns", COLUMN_TIME_NS },
	{ "p50_ns", COLUMN_NS },
	{ "p90_ns", COLUMN_NS },
	{ "p95_ns", COLUMN_NS },
	{ "p99_ns", COLUMN_NS },
	{ "wakeup_ns", COLUMN_NS },
	{ "new_ns", COLUMN_NS },
	{ "preempted_ns", COLUMN_NS },
	{ "racing_ns", COLUMN_NS },
	{ "sleep_ns", COLUMN_NS },
	{ "disk_ns", COLUMN_NS },
	{ "other_blocked_ns", COLUMN_NS },
	{ "unknown_ns", COLUMN_NS },
	{ "wakeup_count", COLUMN_COUNT },
	{ "new_count", COLUMN_COUNT },
	{ "preempted_count", COLUMN_COUNT },
	{ "racing_count", COLUMN_COUNT },
	{ "sleeps", COLUMN_COUNT },
	{ "preemptions", COLUMN_COUNT },
	{ "migrations", COLUMN_COUNT },
	{ "run_ns", COLUMN_NS },
#define WAIT_COLUMN 29
	{ "wait_ns", COLUMN_NS },
	{ "blocked_ns", COLUMN_NS },
	{ "first_ns", COLUMN_TIME_NS },
	{ "last_ns", COLUMN_TIME_NS },
	{ "threads", COLUMN_COUNT },
	{ "cpu", COLUMN_ID },
	{ 0 },
};

/* What people see: all waits, how long they were, and where the rest of the time went. */
static const uint8_t summary[] = { 0,  1,  2,  3,  WAIT_COLUMN, 4,  5,	6,  7,	8,  9,
				   10, 11, 12, 13, 14,		15, 16, 17, 18, 19, 20 };

/* Who the row is about. */
static void name_cells(struct latency *l, const struct wait_group *g)
{
	struct answer *a = &l->answer;
	const struct rq_task *t = g->task == UINT32_MAX ? NULL : &l->waits.rq.tasks[g->task];
	struct buf part = { 0 };
	char text[16];

	if (l->by == RQ_BY_PART) {
		buf_printf(&part, "%s %s", l->by_what.text, intern_str(&l->parts, g->cpu));
		answer_cell_text(a, part.data);
		buf_release(&part);
		answer_cell_empty(a);
		answer_cell_empty(a);
		return;
	}
	snprintf(text, sizeof(text), "CPU %" PRIu32, g->cpu);
	answer_cell_text(a, t ? runqueue_name(&l->waits.rq, t, text) : text);
	answer_cell_count_if(
		a, t && t->process != UINT32_MAX && (l->by != RQ_BY_COMM || g->tasks == 1),
		t ? t->process : 0);
	answer_cell_count_if(a, t && (l->by == RQ_BY_THREAD || g->tasks == 1), t ? t->tid : 0);
}

static void figure_cells(struct latency *l, const struct wait_group *g)
{
	static const double percents[] = { 50, 90, 95, 99 };
	const struct wait_figures *f = &g->sums->figures;
	bool has_runs = l->by != RQ_BY_PART;
	struct answer *a = &l->answer;
	uint64_t at[ARRAY_SIZE(percents)] = { 0 };

	answer_cell_count_if(a, has_runs, answer_sum(a, f->runtime_ns));
	answer_cell_count(a, f->count);
	answer_cell_count_if(a, f->count, wait_average(f));
	answer_cell_count_if(a, f->count, f->max_ns);
	answer_cell_count_if(a, f->count, f->max_start_ns);
	answer_cell_count_if(a, f->count, f->max_end_ns);
	if (f->count)
		quantiles(wait_values(&l->waits, g->sums), f->count, percents, ARRAY_SIZE(percents),
			  at);
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++)
		answer_cell_count_if(a, f->count, at[i]);
}

static void detail_cells(struct latency *l, const struct wait_group *g)
{
	struct answer *a = &l->answer;
	const struct wait_sums *s = g->sums;
	bool task = l->by != RQ_BY_CPU && l->by != RQ_BY_PART;
	uint64_t blocked = s->sleep_ns;

	(void)add_held(&blocked, s->disk_ns);
	(void)add_held(&blocked, s->other_ns);

	for (int i = 0; i < CAUSE_COUNT; i++)
		answer_cell_sum(a, s->cause_ns[i]);
	answer_cell_count_if(a, task, s->sleep_ns);
	answer_cell_count_if(a, task, s->disk_ns);
	answer_cell_count_if(a, task, s->other_ns);
	answer_cell_count_if(a, task, answer_sum(a, s->unknown_ns));
	for (int i = 0; i < CAUSE_COUNT; i++)
		answer_cell_count(a, s->cause_count[i]);
	answer_cell_count_if(a, task, s->sleeps);
	answer_cell_count_if(a, task, s->preemptions);
	answer_cell_count_if(a, task, s->migrations);
	answer_cell_count_if(a, l->by != RQ_BY_PART, answer_sum(a, s->run_ns));
	answer_cell_sum(a, s->wait_ns);
	answer_cell_count_if(a, task, answer_sum(a, blocked));
	answer_cell_count_if(a, task, s->first_ns);
	answer_cell_count_if(a, task, s->last_ns);
	answer_cell_count_if(a, task, g->tasks);
	answer_cell_count_if(a, l->by == RQ_BY_CPU, g->cpu);
}

static void rows_answer(struct latency *l)
{
	for (size_t i = 0; i < l->waits.group_count; i++) {
		name_cells(l, &l->waits.groups[i]);
		figure_cells(l, &l->waits.groups[i]);
		detail_cells(l, &l->waits.groups[i]);
	}
	l->columns = row_columns;
	l->summary_columns = ARRAY_SIZE(summary);
	listing_apply(&l->listing, row_keys, row_columns, &l->answer);
}

static const struct column each_columns[] = {
	{ "tid", COLUMN_ID },	      { "cpu", COLUMN_ID },
	{ "cause", COLUMN_TEXT },     { "start_ns", COLUMN_TIME_NS },
	{ "end_ns", COLUMN_TIME_NS }, { "wait_ns", COLUMN_NS },
	{ "comm", COLUMN_TEXT },      { 0 },
};

static void each_answer(struct latency *l)
{
	struct answer *a = &l->answer;

	for (size_t i = 0; i < l->waits.count; i++) {
		const struct wait *w = &l->waits.list[i];
		const struct rq_task *t = &l->waits.rq.tasks[w->task];
		const char *comm = runqueue_comm(&l->waits.rq, t);

		answer_cell_count(a, t->tid);
		answer_cell_count_if(a, w->cpu != 0xffffff, w->cpu);
		answer_cell_text(a, cause_names[w->cause]);
		answer_cell_count(a, w->start_ns);
		answer_cell_count(a, w->start_ns + w->ns);
		answer_cell_count(a, w->ns);
		answer_cell_text(a, comm ? comm : "");
	}
	l->columns = each_columns;
	listing_apply(&l->listing, each_keys, each_columns, &l->answer);
}

static const struct column histogram_columns[] = {
	{ "low_ns", COLUMN_NS },    { "high_ns", COLUMN_NS },
	{ "count", COLUMN_COUNT },  { "wakeup", COLUMN_COUNT },
	{ "new", COLUMN_COUNT },    { "preempted", COLUMN_COUNT },
	{ "racing", COLUMN_COUNT }, { 0 },
};

/* A row for each power of two between the shortest and the longest wait. */
static void histogram_answer(struct latency *l)
{
	uint64_t counts[OCTAVES][CAUSE_COUNT] = { 0 };

	for (size_t i = 0; i < l->waits.count; i++)
		counts[octave_of(l->waits.list[i].ns)][l->waits.list[i].cause]++;
	histogram_add_parts(&l->answer, counts[0], CAUSE_COUNT);
	l->columns = histogram_columns;
}

/* ---- the heat map ---- */

static int heat_answer(struct latency *l, struct warnings *w)
{
	static const struct heat_options as = { .octaves = true };
	static const uint64_t no_rows[] = { 0 };
	struct grid_part *g = &l->heat.grid;
	int rc = 0;

	l->heat.shift_ns = l->answer.clock_shift;
	for (size_t i = 0; i < l->waits.count; i++) {
		const struct wait *wait = &l->waits.list[i];

		(void)heat_add(&l->heat, wait->start_ns + wait->ns, wait->ns);
	}
	*g = (struct grid_part){ .x_step = 1, .edges = no_rows };
	if (l->waits.count)
		rc = heat_build(&l->heat, &as, false, w);
	g->x = (struct column){ l->answer.clock_shift ? "wall_ns" : "time_ns", COLUMN_TIME_NS, 0,
				"Time" };
	g->y = (struct column){ "wait_ns", COLUMN_NS };
	g->cell = (struct column){ "count", COLUMN_COUNT };
	answer_fact(&l->answer, "waits", "%zu, all of them in the matrix", l->heat.count);
	answer_leads(&l->answer);
	return rc;
}

/* ---- how far it can be trusted ---- */

static void health_facts(struct latency *l)
{
	double known = 0, unknown = 0;

	for (size_t i = 0; i < l->waits.sums_count; i++) {
		const struct wait_sums *s = &l->waits.sums[i];

		known += (double)s->run_ns + (double)s->wait_ns + (double)s->sleep_ns +
			 (double)s->disk_ns + (double)s->other_ns;
		unknown += (double)s->unknown_ns;
	}
	runqueue_facts(&l->waits.rq, &l->answer);
	answer_fact(&l->answer, "unknown time", "%s of the threads' time",
		    SHARE_TEXT(unknown, known + unknown));
	answer_warns_if(&l->answer, unknown > 0);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct latency *l = state;
	int rc = sched_answer(&l->events, s, &l->answer, w);

	if (rc < 0)
		return rc;
	if (l->compat && filter_of(s)->fields) {
		warn_add(w, SEV_FATAL, "usage",
			 "sched latency: --compat perf has no --filter, as perf has none");
		return ERR_USAGE;
	}
	if (l->compat) {
		perf_answer(l, s);
		return 0;
	}
	if (l->by == RQ_BY_PART && !l->field.found) {
		warn_add(w, SEV_FATAL, "no-field", "%s: --by: %s", pdt_text(s, PDT_PATH),
			 l->field.lacking ?: "SWITCH records have no fields");
		return ERR_USAGE;
	}
	waits_end(&l->waits);
	health_facts(l);
	if (l->each) {
		each_answer(l);
	} else if (l->histogram) {
		histogram_answer(l);
	} else if (l->heatmap) {
		rc = heat_answer(l, w);
	} else {
		waits_group(&l->waits);
		rows_answer(l);
	}
	return rc;
}

static void result(void *state, struct result *out)
{
	struct latency *l = state;

	answer_result(&l->answer, l->columns, out);
	l->answer.table.summary_columns = l->summary_columns;
	l->answer.table.summary = l->summary_columns ? summary : NULL;
	l->answer.table.weight_column = l->summary_columns ? WAIT_COLUMN + 1 : 0;
	if (l->histogram)
		histogram_bars(&l->answer.table, 2);
	if (l->heatmap)
		out->grid = &l->heat.grid;
	out->title = "Waits for a CPU";
	if (l->each || l->histogram || l->heatmap) {
		out->none = "no task waited for a CPU";
		out->none_answers = true;
	}
	if (l->listing.none) {
		out->none = l->listing.none;
		out->none_answers = false;
	}
}

static void release(void *state)
{
	struct latency *l = state;

	sched_events_release(&l->events);
	waits_release(&l->waits);
	perf_latency_release(&l->perf);
	picked_release(&l->field);
	intern_release(&l->parts);
	answer_release(&l->answer);
	heat_release(&l->heat);
}

const struct analyzer analyzer_sched_latency = {
	.name = "sched latency",
	.summary = "who waited for a CPU, how long, and why",
	.question = QUESTION_WAIT,
	.wants = SCHED_WANTS,
	.shapes = SHAPE_TABLE | SHAPE_GRID,
	.single = true,
	.options = options,
	.state_size = sizeof(struct latency),
	.begin = begin,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
