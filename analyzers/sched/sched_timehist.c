/* Every switch: who left the CPU, how long it ran, slept and waited before that. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/listing.h"
#include "analyzers/count/namer.h"
#include "analyzers/sched/timehist.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_MAX 20
#define VISUAL_MAX 128 /* CPUs that -V has room for */
#define HISTORY	   64  /* runs that are remembered of each CPU, for --meanwhile */
#define PEOPLE_MAX 4

/* A run on a CPU that has ended. */
struct run {
	uint32_t thread;
	uint64_t start_ns, end_ns;
};

struct cpu_history {
	struct run runs[HISTORY];
	size_t count; /* in all: the last HISTORY are there */
};

struct show {
	struct listing listing;
	struct sched_events events;
	struct timehist hist;
	struct answer answer;
	bool wakeups, visual, migrations, next, idle, summary, state, meanwhile, prio, chains;
	bool with_summary;
	struct answer sums; /* of --with-summary: the cells alone */
	struct table_part sums_part;
	struct num_list prios; /* --prio */
	uint64_t max_stack;
	uint32_t *stacks; /* --call-graph: by row; PDT_NONE: none */
	size_t row_count, stack_cap, stack_column;
	enum { COMPAT_NONE, COMPAT_PERF } compat;
	const struct filter *filter;
	struct cpu_history *history; /* by CPU */
	size_t history_count, history_cap;
	const char **comms; /* by comm id: made safe */
	size_t comm_count, comm_cap;
	struct column columns[COLUMN_MAX];
	size_t column_count;
};

#define O(member) offsetof(struct show, member)

static const char *const compats[] = { "", "perf", NULL };

/* What switches are ordered by, and the columns that tell it. */
static const char *const keys[] = { "delay", "wait", "run", "time", NULL };
static const char *const row_keys[] = { "delay_ns", "wait_ns", "run_ns", "time_ns" };

static const struct option options[] = {
	{ "wakeups", 'w', OPT_FLAG, O(wakeups), NULL, "show wake-ups, too" },
	{ "cpu-visual", 'V', OPT_FLAG, O(visual), NULL,
	  "a column of marks: which CPU switched, i from idle, s else" },
	{ "migrations", 'M', OPT_FLAG, O(migrations), NULL, "show migrations, too" },
	{ "next", 'n', OPT_FLAG, O(next), NULL, "show who got the CPU" },
	{ "idle-hist", 'I', OPT_FLAG, O(idle), NULL,
	  "only idle time; with -s by the thread that went to sleep" },
	{ "summary", 's', OPT_FLAG, O(summary), NULL, "only the sums of each thread" },
	{ "with-summary", 'S', OPT_FLAG, O(with_summary), NULL,
	  "the switches, then the sums of each thread" },
	{ "state", 0, OPT_FLAG, O(state), NULL,
	  "show the state of who left; with -s the times by state" },
	{ "show-prio", 0, OPT_FLAG, O(prio), NULL, "show the priority of who left" },
	{ "prio", 0, OPT_NUMS, O(prios), "LIST",
	  "only switches of threads that had these priorities: 0-99" },
	{ "call-graph", 'g', OPT_FLAG, O(chains), NULL, "show where the thread left the CPU" },
	{ "max-stack", 0, OPT_COUNT, O(max_stack), "N", "with -g: so many functions",
	  .initial = "5", .least = 1, .most = 127 },
	{ "meanwhile", 0, OPT_FLAG, O(meanwhile), NULL,
	  "show who had the CPU while the thread waited for it" },
	{ "sort", 0, OPT_WORDS, O(listing.order), "KEYS", "order of the switches (default: time)",
	  .words = keys, .given = O(listing.ordered) },
	{ .type = OPT_TABLE, .table = listing_options, .offset = O(listing) },
	{ "compat", 0, OPT_WORD, O(compat), NULL,
	  "as perf sched timehist (6.12): forget threads at their exit", .words = compats },
	{ 0 },
};

/* ---- names ---- */

static const char *comm_of(struct show *s, uint32_t thread)
{
	const struct timehist_thread *t = &s->hist.threads[thread];
	char buf[16];

	if (t->idle || t->comm == UINT32_MAX)
		return answer_string(&s->answer, timehist_comm(&s->hist, t, buf));
	s->comms = xgrow_to(s->comms, &s->comm_count, &s->comm_cap, t->comm, sizeof(*s->comms));
	if (!s->comms[t->comm])
		s->comms[t->comm] = answer_string(&s->answer, intern_str(&s->hist.comms, t->comm));
	return s->comms[t->comm];
}

/* "comm[tid/pid]", as perf writes it. */
static void task_text(struct show *s, uint32_t thread, struct buf *out)
{
	const struct timehist_thread *t = &s->hist.threads[thread];
	char buf[16];

	buf_str(out, timehist_comm(&s->hist, t, buf));
	if (t->idle || !t->process)
		return;
	if (t->process != t->tid && t->process != UINT32_MAX)
		buf_printf(out, "[%d/%d]", (int)t->tid, (int)t->process);
	else
		buf_printf(out, "[%d]", (int)t->tid);
}

static void name_cells(struct show *s, uint32_t thread, struct answer *a)
{
	const struct timehist_thread *t = &s->hist.threads[thread];

	answer_cell_kept(a, comm_of(s, thread));
	answer_cell_count(a, t->tid);
	answer_cell_count_if(a, t->process != UINT32_MAX, t->process);
}

/* Who woke up: no thread, where an interrupt did. */
static void actor_cells(struct show *s, const struct timehist_row *r)
{
	if (!r->by_interrupt) {
		name_cells(s, r->thread, &s->answer);
		return;
	}
	answer_cell_kept(&s->answer, interrupt_name(r->event->interrupt));
	answer_cell_empty(&s->answer);
	answer_cell_empty(&s->answer);
}

/* ---- who was there meanwhile ---- */

static struct cpu_history *history_of(struct show *s, uint32_t cpu)
{
	s->history =
		xgrow_to(s->history, &s->history_count, &s->history_cap, cpu, sizeof(*s->history));
	return &s->history[cpu];
}

struct share {
	uint32_t thread;
	uint64_t ns;
};

static void add_share(struct share *list, size_t *count, uint32_t thread, uint64_t ns)
{
	size_t i = 0;

	while (i < *count && list[i].thread != thread)
		i++;
	if (i == *count)
		list[(*count)++] = (struct share){ thread, 0 };
	(void)add_held(&list[i].ns, ns);
}

static int by_share(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return compare_u64(y->ns, x->ns) ?: compare_u64(x->thread, y->thread);
}

/* The shares of [START, END) on H's CPU, as far back as is remembered; the longest first. */
static size_t shares_of(const struct cpu_history *h, uint64_t start, uint64_t end,
			struct share *list)
{
	size_t known = h->count < HISTORY ? h->count : HISTORY, count = 0;

	for (size_t i = 0; i < known; i++) {
		const struct run *r = &h->runs[(h->count - 1 - i) % HISTORY];
		uint64_t a = r->start_ns > start ? r->start_ns : start;
		uint64_t b = r->end_ns < end ? r->end_ns : end;

		if (a < b)
			add_share(list, &count, r->thread, b - a);
	}
	qsort(list, count, sizeof(*list), by_share);
	return count;
}

static void meanwhile_cell(struct show *s, const struct timehist_row *r)
{
	struct share list[HISTORY];
	struct buf b = { 0 };
	size_t n = 0;

	if (r->kind == TIMEHIST_SWITCH && r->wait_start_ns)
		n = shares_of(history_of(s, r->cpu), r->wait_start_ns, r->run_start_ns, list);
	for (size_t i = 0; i < n && i < PEOPLE_MAX; i++) {
		buf_str(&b, i ? ", " : "");
		task_text(s, list[i].thread, &b);
		buf_printf(&b, " %s", NS_TEXT(list[i].ns));
	}
	if (n > PEOPLE_MAX)
		buf_printf(&b, " and %zu more", n - PEOPLE_MAX);
	answer_cell_text(&s->answer, b.len ? b.data : "");
	buf_release(&b);
}

/* ---- rows ---- */

static void visual_cell(struct show *s, const struct timehist_row *r)
{
	char marks[VISUAL_MAX + 1];
	size_t n = s->hist.cpu_count < VISUAL_MAX ? s->hist.cpu_count : VISUAL_MAX;

	memset(marks, '.', sizeof(marks));
	marks[n] = 0;
	if (r->kind == TIMEHIST_SWITCH && r->cpu < n)
		marks[r->cpu] = s->hist.threads[r->thread].idle ? 'i' : 's';
	answer_cell_text(&s->answer, marks);
}

/* SWITCH records tell the id alone, those of single threads not even that. */
static void next_of_record(struct show *s, const struct sched_event *e)
{
	uint32_t i =
		e->next_pid == UINT32_MAX ? IDMAP_NONE : idmap_get(&s->hist.by_tid, e->next_pid);
	struct buf b = { 0 };

	if (i < s->hist.count)
		buf_printf(&b, "%s[%" PRIu32 "]", comm_of(s, i), e->next_pid);
	else if (e->next_pid != UINT32_MAX)
		buf_printf(&b, "%s[%" PRIu32 "]", e->next_pid ? "" : "<idle>", e->next_pid);
	answer_cell_text(&s->answer, b.len ? b.data : "");
	buf_release(&b);
}

static void next_cell(struct show *s, const struct timehist_row *r)
{
	char text[64] = "";
	size_t len;
	const char *comm = sched_next_comm(r->event, &len);

	if (r->event->record) {
		next_of_record(s, r->event);
		return;
	}
	if (r->kind == TIMEHIST_SWITCH)
		snprintf(text, sizeof(text), "%.*s[%u]", (int)(len < 32 ? len : 32),
			 comm ? comm : "", r->event->next_pid);
	answer_cell_text(&s->answer, text);
}

/* What happened when it was no switch. */
static void event_cell(struct show *s, const struct timehist_row *r)
{
	struct buf b = { 0 };

	if (r->kind != TIMEHIST_SWITCH) {
		buf_str(&b, r->kind == TIMEHIST_WAKEUP ? "awakened: " : "migrated: ");
		task_text(s, r->other, &b);
	}
	if (r->kind == TIMEHIST_MIGRATE)
		buf_printf(&b, " cpu %" PRIu32 " => %" PRIu32, r->event->origin_cpu,
			   r->event->target_cpu);
	answer_cell_text(&s->answer, b.len ? b.data : "");
	buf_release(&b);
}

static void time_cells(struct show *s, const struct timehist_row *r)
{
	const struct timehist_runs *t = timehist_runs(&s->hist, r->thread);
	struct answer *a = &s->answer;

	if (r->kind == TIMEHIST_SWITCH) {
		answer_cell_count(a, t->slept_ns + t->io_ns + t->preempted_ns);
		answer_cell_count_if(a, !r->delay_unknown, t->delay_ns);
		answer_cell_count_if(a, !r->event->record || r->run_start_ns, t->run_ns);
		return;
	}
	for (int i = 0; i < 3; i++)
		answer_cell_empty(a);
}

static void state_cell(struct show *s, const struct timehist_row *r)
{
	char text[2] = "";

	if (r->kind == TIMEHIST_SWITCH)
		text[0] = s->hist.threads[r->thread].idle ? 'I' : r->event->state;
	answer_cell_text(&s->answer, text);
}

/* The kernel's figure: 0 to 99 are real-time ones, 120 is the usual one. */
static bool prio_of(const struct timehist_row *r, uint64_t *out)
{
	const struct pdt_event *e = r->event->sample;

	return r->kind == TIMEHIST_SWITCH && e &&
	       pdt_event_number(e, pdt_event_field(e, "prev_prio"), out) == 0;
}

static void prio_cell(struct show *s, const struct timehist_row *r)
{
	uint64_t prio = 0;
	bool known = prio_of(r, &prio);

	answer_cell_count_if(&s->answer, known, prio);
}

/* Its text comes when functions have names. */
static void stack_cell(struct show *s, const struct timehist_row *r)
{
	s->stacks[s->row_count] = r->kind == TIMEHIST_SWITCH ? r->event->stack : PDT_NONE;
	answer_cell_kept(&s->answer, NULL);
}

static bool wants_row(const struct show *s, const struct timehist_row *r)
{
	uint64_t prio;

	return num_list_passes(&s->filter->cpus, r->cpu) &&
	       (!s->prios.count || (prio_of(r, &prio) && num_list_has(&s->prios, prio)));
}

static void show_row(struct show *s, const struct timehist_row *r)
{
	if (!wants_row(s, r))
		return;
	answer_cell_count(&s->answer, r->time_ns);
	answer_cell_count(&s->answer, r->cpu);
	if (s->visual)
		visual_cell(s, r);
	actor_cells(s, r);
	time_cells(s, r);
	if (s->state)
		state_cell(s, r);
	if (s->prio)
		prio_cell(s, r);
	if (s->next)
		next_cell(s, r);
	if (s->wakeups || s->migrations)
		event_cell(s, r);
	if (s->meanwhile)
		meanwhile_cell(s, r);
	if (s->chains) {
		s->stacks = xgrow(s->stacks, &s->stack_cap, s->row_count + 1, sizeof(*s->stacks));
		stack_cell(s, r);
	}
	s->row_count++;
}

static void on_row(void *ctx, const struct timehist_row *r)
{
	struct show *s = ctx;

	if (s->summary || (r->kind == TIMEHIST_WAKEUP && !s->wakeups) ||
	    (r->kind == TIMEHIST_MIGRATE && !s->migrations))
		return;
	show_row(s, r);
}

/* ---- where threads left the CPU ---- */

static bool is_scheduler(const char *name)
{
	return name && (!strcmp(name, "schedule") || !strcmp(name, "__schedule") ||
			!strncmp(name, "preempt_schedule", 16));
}

/* "a <- b <- c": without the scheduler's own functions at the end, as perf has it. */
static void chain_text(const struct show *s, const struct pdt_session *session, uint32_t stack,
		       struct buf *out)
{
	struct pdt_stack k = pdt_stack_at(session, stack);
	uint64_t left = s->max_stack;
	bool begun = false;

	for (uint32_t i = 0; i < k.depth; i++) {
		size_t count = pdt_function_count(session, k.locations[i]);

		for (size_t n = 0; n < count && left; n++) {
			struct pdt_function f = pdt_function_at(session, k.locations[i], n);

			if (!begun && is_scheduler(f.name))
				continue;
			buf_str(out, begun ? " <- " : "");
			function_text(&(struct namer_options){ 0 }, &f,
				      (struct place){ session, k.locations[i] }, out);
			begun = true;
			left--;
		}
	}
}

/* Put the texts into the cells that were left empty for them. */
static void name_stacks(struct show *s, const struct pdt_session *session)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < s->row_count; i++) {
		size_t cell = i * s->column_count + s->stack_column;

		b.len = 0;
		if (s->stacks[i] == PDT_NONE)
			continue;
		chain_text(s, session, s->stacks[i], &b);
		if (b.len)
			cells_set_text(&s->answer.cells, cell, answer_string(&s->answer, b.data));
	}
	buf_release(&b);
}

/* Remember who had the CPU, also those about whom no row is shown. */
static void remember(struct show *s, const struct sched_event *e)
{
	struct cpu_history *h;
	uint64_t since;
	uint32_t i;

	if (!s->meanwhile || (e->kind != SCHED_SWITCH && e->kind != SCHED_OUT) ||
	    e->cpu >= s->hist.cpu_count)
		return;
	since = s->hist.cpus[e->cpu].switch_ns;
	i = e->pid ? idmap_get(&s->hist.by_tid, e->pid) : s->hist.cpus[e->cpu].idle;
	if (!since || i >= s->hist.count)
		return;
	h = history_of(s, e->cpu);
	h->runs[h->count++ % HISTORY] = (struct run){ i, since, e->time_ns };
}

/* ---- the summary ---- */

static const struct column summary_columns[] = {
	{ "comm", COLUMN_TEXT },	{ "tid", COLUMN_ID },
	{ "pid", COLUMN_ID },		{ "parent", COLUMN_ID },
	{ "switches", COLUMN_COUNT },	{ "run_ns", COLUMN_NS },
	{ "min_ns", COLUMN_NS },	{ "avg_ns", COLUMN_NS },
	{ "max_ns", COLUMN_NS },	{ "deviation_pct", COLUMN_PERCENT, 2, NULL },
	{ "migrations", COLUMN_COUNT }, { 0 },
};

#define RUN_COLUMN 5 /* here and there */
static const struct column state_columns[] = {
	{ "comm", COLUMN_TEXT },
	{ "tid", COLUMN_ID },
	{ "pid", COLUMN_ID },
	{ "parent", COLUMN_ID },
	{ "switches", COLUMN_COUNT },
	{ "run_ns", COLUMN_NS },
	{ "sleep_ns", COLUMN_NS },
	{ "iowait_ns", COLUMN_NS },
	{ "preempt_ns", COLUMN_NS },
	{ "delay_ns", COLUMN_NS },
	{ 0 },
};

static void summary_row(struct show *s, uint32_t i, struct answer *a)
{
	const struct timehist_runs *t = timehist_runs(&s->hist, i);
	uint32_t parent = s->hist.threads[i].parent;

	name_cells(s, i, a);
	answer_cell_count_if(a, parent != UINT32_MAX, parent);
	answer_cell_count(a, t->count);
	answer_cell_sum(a, t->total_ns);
	if (s->state) {
		answer_cell_sum(a, t->total_slept_ns);
		answer_cell_sum(a, t->total_io_ns);
		answer_cell_sum(a, t->total_preempted_ns);
		answer_cell_sum(a, t->total_delay_ns);
		return;
	}
	answer_cell_count(a, t->min_ns);
	answer_cell_count(a, timehist_average(t));
	answer_cell_count(a, t->max_ns);
	answer_cell_real(a, timehist_deviation(t));
	answer_cell_count(a, t->migrations);
}

struct ranked {
	uint64_t total_ns;
	uint32_t thread;
};

static int by_total(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return compare_u64(y->total_ns, x->total_ns) ?: compare_u64(x->thread, y->thread);
}

/* Is thread I still known? perf sums up no others. */
static bool is_listed(const struct show *s, uint32_t i)
{
	const struct timehist_thread *t = &s->hist.threads[i];

	return timehist_runs(&s->hist, i)->count && !t->idle &&
	       (!s->hist.rules.forgets_exited || idmap_get(&s->hist.by_tid, t->tid) == i);
}

/* Returns how many rows came into A. */
static size_t summary(struct show *s, struct answer *a)
{
	struct ranked *list = xcalloc(s->hist.count + 1, sizeof(*list));
	size_t n = 0;

	for (uint32_t i = 0; i < s->hist.count; i++) {
		if (is_listed(s, i))
			list[n++] = (struct ranked){ timehist_runs(&s->hist, i)->total_ns, i };
	}
	qsort(list, n, sizeof(*list), by_total);
	for (size_t i = 0; i < n; i++)
		summary_row(s, list[i].thread, a);
	free(list);
	return n;
}

static const struct column *columns_of_summary(const struct show *s)
{
	return s->state ? state_columns : summary_columns;
}

/* The table behind the switches. */
static void add_sums(struct show *s)
{
	const struct column *columns = columns_of_summary(s);
	size_t rows = summary(s, &s->sums);

	s->sums_part = (struct table_part){ .columns = columns,
					    .cells = &s->sums.cells,
					    .row_count = rows,
					    .name = "threads",
					    .weight_column = RUN_COLUMN + 1 };
	while (columns[s->sums_part.column_count].name)
		s->sums_part.column_count++;
}

/* ---- the command ---- */

static bool wants(void *ctx, uint32_t i)
{
	const struct show *s = ctx;
	const struct timehist_thread *t = &s->hist.threads[i];
	const struct filter *f = s->filter;
	char buf[16];

	return filter_thread(f, t->process, t->tid,
			     f->comms.count ? timehist_comm(&s->hist, t, buf) : NULL);
}

static void add_column(struct show *s, const char *name, enum column_type type)
{
	s->columns[s->column_count++] = (struct column){ name, type, 0, NULL };
}

static void choose_columns(struct show *s)
{
	add_column(s, "time_ns", COLUMN_TIME_NS);
	add_column(s, "cpu", COLUMN_ID);
	if (s->visual)
		add_column(s, "cpus", COLUMN_TEXT);
	add_column(s, "comm", COLUMN_TEXT);
	add_column(s, "tid", COLUMN_ID);
	add_column(s, "pid", COLUMN_ID);
	add_column(s, "wait_ns", COLUMN_NS);
	add_column(s, "delay_ns", COLUMN_NS);
	add_column(s, "run_ns", COLUMN_NS);
	if (s->state)
		add_column(s, "state", COLUMN_TEXT);
	if (s->prio)
		add_column(s, "prio", COLUMN_ID);
	if (s->next)
		add_column(s, "next", COLUMN_TEXT);
	if (s->wakeups || s->migrations)
		add_column(s, "event", COLUMN_TEXT);
	if (s->meanwhile)
		add_column(s, "meanwhile", COLUMN_TEXT);
	s->stack_column = s->column_count;
	if (s->chains)
		add_column(s, "stack", COLUMN_TEXT);
}

static int begin(void *state, const struct inputs *inputs, struct warnings *w)
{
	struct show *s = state;

	if (s->summary && listing_given(&s->listing)) {
		warn_add(w, SEV_FATAL, "usage",
			 "sched timehist: --sort, --min and --limit are for the list of switches");
		return ERR_USAGE;
	}
	if (s->compat)
		s->hist.rules = (struct timehist_rules)TIMEHIST_OF_PERF;
	s->hist.shows_migrations = s->migrations;
	s->hist.idle_only = s->idle;
	s->hist.row = on_row;
	s->hist.ctx = s;
	choose_columns(s);
	return 0;
}

static void configure(void *state, struct asked *o)
{
	const struct show *s = state;

	if (s->chains && !s->summary)
		o->wants |= PDT_WANT_STACKS | PDT_WANT_INLINES;
}

/* The filters are known from the first event on. */
static void take_filter(struct show *s, const struct pdt_session *session)
{
	const struct filter *f = filter_of(session);

	s->filter = f;
	if (f->pids.count || f->tids.count || f->comms.count)
		s->hist.wants = wants;
	for (size_t i = 0; i < f->times.count; i++) {
		s->hist.start_ns = !i || f->times.list[i].lo < s->hist.start_ns
					   ? f->times.list[i].lo
					   : s->hist.start_ns;
		s->hist.end_ns =
			f->times.list[i].hi > s->hist.end_ns ? f->times.list[i].hi : s->hist.end_ns;
	}
	if (s->hist.end_ns == UINT64_MAX)
		s->hist.end_ns = 0;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct show *s = state;
	struct sched_event se;

	if (!s->filter)
		take_filter(s, session);
	if (!sched_event_read(&s->events, e, session, &se))
		return;
	remember(s, &se);
	timehist_event(&s->hist, &se);
}

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct show *s = state;
	int rc = sched_answer(&s->events, session, &s->answer, w);

	if (rc < 0)
		return rc;
	if (s->compat && !sched_records(session, "sched_switch")) {
		warn_add(w, SEV_FATAL, "no-switches",
			 "%s: --compat perf: no sched:sched_switch events, only SWITCH records, "
			 "which perf sched timehist cannot read",
			 pdt_text(session, PDT_PATH));
		return ERR_USAGE;
	}
	if (!sched_records(session, "sched_switch"))
		answer_warn(&s->answer, "SWITCH records",
			    "the delay is known of preempted threads alone; state R (preempted) "
			    "or S (any other)");
	answer_fact(&s->answer, "switches", "%s shown or summed up", COUNT_TEXT(s->hist.switches));
	answer_leads(&s->answer);
	if (s->chains && !s->summary)
		name_stacks(s, session);
	if (s->with_summary && !s->summary)
		add_sums(s);
	if (s->summary)
		(void)summary(s, &s->answer);
	else
		listing_apply(&s->listing, row_keys, s->columns, &s->answer);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct show *s = state;
	const struct column *columns = s->columns;

	if (s->summary)
		columns = columns_of_summary(s);
	answer_result(&s->answer, columns, out);
	out->tables = &s->sums_part;
	out->table_count = s->sums_part.row_count > 0;
	s->answer.table.weight_column = s->summary ? RUN_COLUMN + 1 : 0;
	out->none = s->listing.none;
	out->title = "Switches";
}

static void release(void *state)
{
	struct show *s = state;

	sched_events_release(&s->events);
	timehist_release(&s->hist);
	answer_release(&s->answer);
	answer_release(&s->sums);
	free(s->history);
	free(s->comms);
	free(s->stacks);
}

const struct analyzer analyzer_sched_timehist = {
	.name = "sched timehist",
	.summary = "every switch: run time, sleep and wait before it",
	.question = QUESTION_WAIT,
	.wants = SCHED_WANTS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct show),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
