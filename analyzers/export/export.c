/* What was recorded, sample by sample, for the viewers of others: formats/export writes it.
 *
 * Samples have no names while they flow, so they wait in a temporary file: by thread
 * (trail.h), or in the order of time (moments.h). */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/missing.h"
#include "analyzers/count/namer.h"
#include "analyzers/export/compilers.h"
#include "analyzers/export/places.h"
#include "analyzers/export/gather.h"
#include "analyzers/export/marks.h"
#include "analyzers/export/moments.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct exporting {
	unsigned to; /* 0: not given; else enum profile_reader + 1 */
	enum { ORDER_AUTO, ORDER_TIME, ORDER_WEIGHT } order;
	struct gather rows;
	struct moments moments;
	bool all;     /* events are not filtered yet */
	bool marking; /* MARKS are made */
	struct marks marks;
	struct compilers compilers;
	/* what is read is named: */
	const struct pdt_session *session;
	struct profile_places places;
	const char **cgroups;
	struct profile_event *events;
	struct profile_thread *threads, *tasks;
	struct profile_series *series;
	uint32_t *lanes;
	uint32_t *chain; /* the stack at hand, where the sample's own address lies apart */
	size_t chain_cap;
	struct mark_row *passing;
	size_t passing_cap;
	struct answer answer;
	struct profile_part part;
};

#define APART_MOST 200000

#define O(member) offsetof(struct exporting, member)

static const char *const readers[] = { "",
				       [READER_PPROF + 1] = "pprof",
				       [READER_SPEEDSCOPE + 1] = "speedscope",
				       [READER_FIREFOX + 1] = "firefox",
				       [READER_CHROME + 1] = "chrome",
				       [READER_PERFETTO + 1] = "perfetto",
				       [READER_BOLT + 1] = "bolt",
				       [READER_PROFGEN + 1] = "profgen",
				       [READER_AUTOFDO + 1] = "autofdo",
				       NULL };

/* What each of them gets. */
static const struct {
	bool lines;   /* of the source */
	bool labels;  /* CPU and cgroup of samples */
	bool merged;  /* equal samples as one */
	bool moments; /* all events in the order of time, not samples by thread */
	bool marks;   /* what threads did, beside their samples */
	bool code;    /* where one file's code ran, not who ran it */
} gets[PROFILE_READERS] = {
	[READER_PPROF] = { .lines = true, .labels = true, .merged = true },
	[READER_SPEEDSCOPE] = { .marks = true },
	[READER_FIREFOX] = { .lines = true, .marks = true },
	[READER_CHROME] = { .moments = true },
	[READER_PERFETTO] = { .lines = true, .moments = true },
	[READER_BOLT] = { .code = true },
	[READER_PROFGEN] = { .code = true },
	[READER_AUTOFDO] = { .code = true },
};

static const char *const orders[] = { "", "time", "weight", NULL };

static const struct option options[] = {
	{ "to", 0, OPT_WORD, O(to), NULL,
	  "what is to read it: go tool pprof, speedscope, the Firefox Profiler, Chrome's trace "
	  "viewer, Perfetto, llvm-bolt, llvm-profgen, AutoFDO",
	  .words = readers },
	{ "order", 0, OPT_WORD, O(order), NULL,
	  "speedscope: samples as they came, or equal stacks of a thread as one (default: as they "
	  "came, up to 200,000)",
	  .words = orders },
	{ "binary", 0, OPT_TEXT, O(compilers.binary), "NAME",
	  "bolt, profgen, autofdo: the program or library that the profile is of (default: the "
	  "one that has most of it)" },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct exporting *x = state;

	const char *why = NULL;

	(void)in;
	if (!x->to)
		why = "expected --to pprof, speedscope, firefox, chrome, perfetto, bolt, profgen "
		      "or autofdo";
	else if (x->order && x->to - 1 != READER_SPEEDSCOPE)
		why = "--order is of --to speedscope";
	else if (x->compilers.binary && !gets[x->to - 1].code)
		why = "--binary is of --to bolt, profgen and autofdo";
	if (!why)
		return 0;
	warn_add(w, SEV_FATAL, "export", "export: %s", why);
	return ERR_USAGE;
}

/* Labels that are no cgroup's are of those that made room. */
static void relabel(void *rows, struct who *list, size_t count)
{
	(void)rows;
	for (size_t i = 0; i < count; i++)
		list[i].label = list[i].others ? 0 : list[i].label;
}

static void configure(void *state, struct asked *o)
{
	struct exporting *x = state;

	x->compilers.reader = (enum profile_reader)(x->to - 1);
	if (gets[x->to - 1].code) {
		compilers_configure(&x->compilers, o);
		return;
	}
	namer_configure(&(struct namer_options){ 0 }, o);
	if (gets[x->to - 1].lines)
		o->wants |= PDT_WANT_LINES;
	if (gets[x->to - 1].moments)
		o->wants |= PDT_WANT_FIELDS | PDT_WANT_SWITCHES;
	x->moments.tasks_later = filters_places(&o->filter);
	x->moments.by_cpu = x->to - 1 == READER_PERFETTO;
	x->all = x->marking = gets[x->to - 1].marks && x->order != ORDER_WEIGHT;
	if (x->marking)
		o->wants |= marks_wants();
	x->rows.labels = gets[x->to - 1].labels;
	if (x->to - 1 == READER_SPEEDSCOPE && x->order != ORDER_TIME)
		x->rows.apart_most = x->order == ORDER_WEIGHT ? 0 : APART_MOST;
	else
		x->rows.apart_most = gets[x->to - 1].merged ? 0 : UINT64_MAX;
	if (x->rows.apart_most) /* what lies in a file does not follow */
		return;
	samples_follow(&x->rows.pairs, o);
	x->rows.pairs.max_bytes = o->max_memory;
	x->rows.pairs.relabel = relabel;
}

/* Sources of marks see all events. Once samples are put together there is no order of time. */
static bool event_passes(struct exporting *x, const struct pdt_event *e,
			 const struct pdt_session *s)
{
	bool passes = e->kind == PDT_SAMPLE && sample_passes(s, e);

	if (x->marking && !x->rows.merged) {
		marks_event(&x->marks, e, s, passes);
	} else if (x->marking) {
		x->marking = false;
		marks_release(&x->marks);
	}
	return passes;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct exporting *x = state;

	if (x->all && !event_passes(x, e, s))
		return;
	if (gets[x->to - 1].code)
		compilers_add(&x->compilers, e, s);
	else if (gets[x->to - 1].moments)
		moments_add(&x->moments, e, s);
	else
		gather_add(&x->rows, e, s);
}

/* ---- what is read ---- */

static void begin_series(void *ctx, size_t i)
{
	struct exporting *x = ctx;

	gather_begin(&x->rows, i);
}

static bool next_row(void *ctx, struct profile_row *row, int *error)
{
	struct exporting *x = ctx;
	bool idle = samples_who(&x->rows.whos, x->rows.reading).idle;

	while (gather_next(&x->rows, row)) {
		if (stack_passes(x->session, row->stack, filter_of(x->session), idle))
			return true;
	}
	if (x->rows.trail.error)
		*error = x->rows.trail.error;
	return false;
}

static size_t next_rows(void *ctx, struct profile_row *rows, size_t most, int *error)
{
	struct exporting *x = ctx;
	size_t count = 0;

	if (!filters_places(filter_of(x->session)))
		count = gather_some(&x->rows, rows, most);
	else
		while (count < most && next_row(ctx, rows + count, error))
			count++;
	if (x->rows.trail.error)
		*error = x->rows.trail.error;
	return count;
}

static void begin_moments(void *ctx)
{
	struct exporting *x = ctx;

	temp_stream_rewind(&x->moments.rows);
}

static bool next_moment(void *ctx, struct profile_moment *m, int *error)
{
	struct exporting *x = ctx;

	while (moments_next(&x->moments, m)) {
		if (!x->moments.tasks_later || m->kind != PROFILE_SAMPLE ||
		    stack_passes(x->session, m->sample.stack, filter_of(x->session),
				 !x->moments.whos[m->who].pid))
			return true;
	}
	if (x->moments.rows.error)
		*error = x->moments.rows.error;
	return false;
}

static void begin_marks(void *ctx, size_t lane)
{
	struct exporting *x = ctx;

	marks_begin(&x->marks, lane);
}

/* Events are filtered by where they were, what threads did is not. */
static size_t keep_passing(struct exporting *x, const struct mark_row **rows, size_t count)
{
	size_t kept = 0;

	x->passing = xgrow(x->passing, &x->passing_cap, count, sizeof(*x->passing));
	for (size_t i = 0; i < count; i++) {
		const struct mark_row *m = &(*rows)[i];

		if (m->kind != MARK_EVENT ||
		    stack_passes(x->session, m->stack, filter_of(x->session), false))
			x->passing[kept++] = *m;
	}
	*rows = x->passing;
	return kept;
}

static size_t next_marks(void *ctx, const struct mark_row **rows, int *error)
{
	struct exporting *x = ctx;
	size_t count, kept = 0;

	while (!kept && (count = kept = marks_next(&x->marks, rows)) != 0) {
		if (filters_places(filter_of(x->session)))
			kept = keep_passing(x, rows, count);
	}
	if (x->marks.error)
		*error = x->marks.error;
	return kept;
}

static uint32_t mark_stack(void *ctx, const struct mark_row *m)
{
	struct exporting *x = ctx;

	if (m->kind == MARK_IO || m->stack == PROFILE_NONE ||
	    pdt_stack_at(x->session, m->stack).flags & (PDT_STACK_NO_CHAIN | PDT_STACK_EMPTY))
		return PROFILE_NONE; /* what called the tracepoint is no news */
	return m->stack;
}

static const struct mark_io *mark_io(void *ctx, int *error)
{
	struct exporting *x = ctx;
	const struct mark_io *io = marks_io(&x->marks);

	if (!io)
		*error = x->marks.error;
	return io;
}

static const char *mark_text(void *ctx, const struct mark_row *m, int *error)
{
	struct exporting *x = ctx;
	const char *text = marks_text(&x->marks, m);

	if (!text)
		*error = x->marks.error;
	return text;
}

static const uint32_t *nowhere(struct exporting *x, const struct pdt_stack *st)
{
	x->chain = xgrow(x->chain, &x->chain_cap, 1, sizeof(*x->chain));
	x->chain[0] = st->flags & PDT_STACK_RARE ? x->places.others : x->places.unknown;
	return x->chain;
}

static uint32_t innermost(const struct exporting *x, uint32_t location)
{
	const struct profile_location *l = &x->places.locations[location];

	return x->places.lines[l->first].function;
}

/* Self weight counts where the sample was: its own address comes on top of a chain that begins in
 * another function. */
static size_t stack_of(void *ctx, uint32_t stack, const uint32_t **locations)
{
	struct exporting *x = ctx;
	struct pdt_stack st = pdt_stack_at(x->session, stack);

	*locations = st.depth ? st.locations : nowhere(x, &st);
	if (!st.depth && (st.ip == PDT_NONE || st.flags & PDT_STACK_RARE))
		return 1;
	if (!(st.flags & PDT_STACK_APART) || st.ip == PDT_NONE ||
	    (st.depth && innermost(x, st.ip) == innermost(x, st.locations[0])))
		return st.depth;
	x->chain = xgrow(x->chain, &x->chain_cap, st.depth + (size_t)1, sizeof(*x->chain));
	x->chain[0] = st.ip;
	memcpy(x->chain + 1, st.locations, st.depth * sizeof(*x->chain));
	*locations = x->chain;
	return st.depth + (size_t)1;
}

/* ---- the profile ---- */

static void make_events(struct exporting *x)
{
	size_t count = pdt_desc_count(x->session);

	x->events = xcalloc(count + 1, sizeof(*x->events));
	for (size_t i = 0; i < count; i++) {
		const struct pdt_desc *d = pdt_desc_at(x->session, i);
		bool by_freq = pdt_desc_number(NULL, d, PDT_DESC_IS_FREQ);
		uint64_t period = pdt_desc_number(NULL, d, PDT_DESC_PERIOD);

		x->events[i] = (struct profile_event){ .name = pdt_desc_name(d),
						       .in_ns = pdt_desc_in_ns(d),
						       .period = by_freq ? 0 : period };
		if (by_freq && period && x->events[i].in_ns)
			x->events[i].period = 1000000000 / period;
	}
	x->part.events = x->events;
	x->part.event_count = count;
}

/* A thread for each of who they are but for the event. */
static void make_series(struct exporting *x)
{
	size_t count = x->rows.series_count;
	struct samples threads = { 0 };
	struct buf text = { 0 };

	x->series = xcalloc(count + 1, sizeof(*x->series));
	x->threads = xcalloc(count + x->marks.lane_count + 1, sizeof(*x->threads));
	for (size_t i = 0; i < count; i++) {
		struct who who = gather_who(&x->rows, i);
		uint32_t desc = who.desc, id;

		who.desc = 0;
		id = samples_id(&threads, &who);
		x->series[i] = (struct profile_series){ desc, id };
		if (id < x->part.thread_count)
			continue;
		text.len = 0;
		if (who.others)
			buf_str(&text, "[others]");
		else
			comm_text(pdt_comm(x->session, who.comm), who.tid, &text);
		x->threads[x->part.thread_count++] =
			(struct profile_thread){ answer_string(&x->answer, text.data), who.pid,
						 who.tid };
	}
	samples_release(&threads);
	buf_release(&text);
	x->part.threads = x->threads;
	x->part.series = x->series;
	x->part.series_count = count;
}

/* The thread of a lane that has no samples. */
static uint32_t add_thread(struct exporting *x, const struct mark_lane *l)
{
	uint32_t id = (uint32_t)x->part.thread_count++;
	const char *comm = l->comm == INTERN_NONE ? NULL : intern_str(&x->marks.comms, l->comm);
	struct buf text = { 0 };

	if (l->tid == PROFILE_NONE)
		buf_str(&text, "[interrupts]");
	else
		comm_text(comm, l->tid, &text);
	x->threads[id] =
		(struct profile_thread){ answer_string(&x->answer, text.data), l->pid, l->tid };
	buf_release(&text);
	return id;
}

/* What a thread did is of the name that it had last. */
static void make_lanes(struct exporting *x)
{
	struct idmap threads = { 0 };
	struct profile_part *p = &x->part;

	for (size_t i = 0; i < p->thread_count; i++)
		*idmap_put(&threads, x->threads[i].tid) = (uint32_t)i;
	x->lanes = xcalloc(x->marks.lane_count + 1, sizeof(*x->lanes));
	for (size_t i = 0; i < x->marks.lane_count; i++) {
		const struct mark_lane *l = &x->marks.lanes[i];
		uint32_t thread = idmap_get(&threads, l->tid);

		x->lanes[i] = thread == IDMAP_NONE ? add_thread(x, l) : thread;
	}
	idmap_release(&threads);
	p->lanes = x->lanes;
	p->lane_count = x->marks.lane_count;
}

static void make_cgroups(struct exporting *x)
{
	size_t count = x->rows.cgroup_count;

	x->cgroups = xcalloc(count + 1, sizeof(*x->cgroups));
	for (size_t i = 0; i < count; i++)
		x->cgroups[i] = pdt_cgroup(x->session, x->rows.cgroups[i]) ?: "";
	x->part.cgroups = x->cgroups;
}

/* What lies from FIRST_NS to LAST_NS is shown, too. */
static void widen(struct profile_part *p, uint64_t first_ns, uint64_t last_ns)
{
	p->first_ns = !p->last_ns || first_ns < p->first_ns ? first_ns : p->first_ns;
	p->last_ns = last_ns > p->last_ns ? last_ns : p->last_ns;
}

/* Samples and what threads did: switches may come before the first sample. */
static void make_times(struct exporting *x)
{
	x->part.first_ns = pdt_number(x->session, PDT_FIRST_NS);
	x->part.last_ns = pdt_number(x->session, PDT_LAST_NS);
	if (x->marks.lane_count)
		widen(&x->part, x->marks.first_ns, x->marks.last_ns);
	if (x->moments.last_ns)
		widen(&x->part, x->moments.first_ns, x->moments.last_ns);
	x->part.has_time = x->part.last_ns != 0;
	x->part.monotonic =
		x->part.has_time && pdt_number(x->session, PDT_CLOCK_ID) == CLOCK_MONOTONIC;
}

static void make_tasks(struct exporting *x)
{
	struct profile_moment m;
	int error = 0;

	if (x->moments.tasks_later) {
		begin_moments(x);
		while (next_moment(x, &m, &error))
			moments_task(&x->moments, &m);
	}
	x->tasks = xcalloc(x->moments.task_count + 1, sizeof(*x->tasks));
	for (size_t i = 0; i < x->moments.task_count; i++) {
		const struct moment_task *t = &x->moments.tasks[i];

		x->tasks[i] = (struct profile_thread){ "", PROFILE_NONE, t->tid };
		if (t->name != PROFILE_NONE)
			x->tasks[i].comm = x->moments.whos[t->name].comm;
		if (t->process != PROFILE_NONE)
			x->tasks[i].pid = x->moments.whos[t->process].pid;
	}
	x->part.whos = x->moments.whos;
	x->part.who_count = x->moments.who_count;
	x->part.tasks = x->tasks;
	x->part.task_count = x->moments.task_count;
}

static void make_part(struct exporting *x)
{
	const struct pdt_session *s = x->session;
	struct profile_part *p = &x->part;

	make_events(x);
	make_series(x);
	make_lanes(x);
	make_tasks(x);
	make_cgroups(x);
	make_times(x);
	profile_places_make(&x->places, s);
	p->modules = x->places.modules;
	p->module_count = x->places.module_count;
	p->functions = x->places.functions;
	p->function_count = x->places.function_count;
	p->locations = x->places.locations;
	p->location_count = x->places.location_count;
	p->lines = x->places.lines;
	p->has_wall = pdt_number(s, PDT_HAS_WALL);
	p->wall_ns = (int64_t)(pdt_number(s, PDT_WALL_NS) - pdt_number(s, PDT_CLOCK_NS));
	p->path = pdt_text(s, PDT_PATH);
	p->host = pdt_text(s, PDT_HOSTNAME);
	p->os = pdt_text(s, PDT_OSRELEASE);
	p->arch = pdt_text(s, PDT_ARCH);
	p->command = pdt_text(s, PDT_CMDLINE);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct exporting *x = state;
	int error;

	if (gets[x->to - 1].code) {
		x->part.reader = x->compilers.reader;
		x->part.code = &x->compilers.part;
		answer_capture(&x->answer, s);
		return compilers_end(&x->compilers, s, &x->answer, w);
	}
	gather_end(&x->rows);
	marks_end(&x->marks);
	error = x->rows.trail.error ?: x->moments.rows.error ?: x->marks.error;
	if (error) {
		warn_add(w, SEV_FATAL, "trail", "the samples " TEMP_FAILED, strerror(error));
		return ERR_IO;
	}
	if (x->moments.left_out)
		warn_add(w, SEV_WARN, "cpu",
			 "%llu switch records have no CPU, which Perfetto needs (record with "
			 "--sample-cpu)",
			 (unsigned long long)x->moments.left_out);
	x->session = s;
	answer_capture(&x->answer, s);
	missing_part(s, PART_STACK, w);
	x->part = (struct profile_part){ .reader = (enum profile_reader)(x->to - 1),
					 .stack = stack_of,
					 .begin = begin_series,
					 .next = next_row,
					 .begin_moments = begin_moments,
					 .next_moment = next_moment,
					 .moment_count = x->moments.count,
					 .next_rows = next_rows,
					 .marks = { .far = x->marks.far,
						    .begin = begin_marks,
						    .next = next_marks,
						    .stack = mark_stack,
						    .io = mark_io,
						    .text = mark_text },
					 .ctx = x };
	make_part(x);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct exporting *x = state;

	answer_result(&x->answer, NULL, out);
	out->profile = &x->part;
}

static void release(void *state)
{
	struct exporting *x = state;

	gather_release(&x->rows);
	moments_release(&x->moments);
	marks_release(&x->marks);
	compilers_release(&x->compilers);
	profile_places_release(&x->places);
	free(x->cgroups);
	free(x->events);
	free(x->threads);
	free(x->tasks);
	free(x->series);
	free(x->lanes);
	free(x->chain);
	free(x->passing);
	answer_release(&x->answer);
}

const struct analyzer analyzer_export = {
	.name = "export",
	.summary = "the capture for others: pprof, speedscope, Firefox Profiler, Perfetto, BOLT",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_DETAILS,
	.shapes = SHAPE_PROFILE,
	.single = true,
	.default_format = "export",
	.options = options,
	.state_size = sizeof(struct exporting),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
