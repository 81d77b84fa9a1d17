/* Captures go into a store (parser/store.h): their samples by step of time, CPU, thread, event and
 * named stack. The stacks are those of collapse.
 *
 * Counted as everywhere, under who took them and under their stack; the step and the CPU are part
 * of who it was. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/missing.h"
#include "analyzers/lanes/threads.h"
#include "analyzers/store/latency.h"
#include "analyzers/store/parts.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"
#include "parser/store.h"

#include <stdlib.h>
#include <string.h>

/* Of an event of the capture that is read. */
struct counted {
	unsigned __int128 weight, squares;
	uint64_t samples;
};

/* The sample that came last of an event and a thread, or of those with the same place. */
struct counted_last {
	const struct pdt_desc *desc; /* NULL: none */
	uint32_t pid, tid, comm, thread;
	uint32_t cpu, stack;
	uint64_t step_ns; /* where its step begins */
	struct samples_place pair;
};

#define LASTS 4096

struct adding {
	const char *path;
	struct store *store;
	struct name_list labels; /* KEY=VALUE */
	uint64_t step_ns;
	struct folding folding; /* names frames; nothing is counted in it */
	struct answer answer;
	/* of the capture that is read */
	struct samples samples; /* their labels: ids of threads */
	struct samples threads; /* nothing is counted in it */
	struct counted_last *lasts; /* by event and thread; NULL: none yet */
	struct counted *events;
	size_t event_count, event_cap;
	uint32_t first_event; /* of the first sample; STORE_NONE: there is none */
	struct store_hash hash;
	bool saw_idle; /* pid 0 had samples */
	struct latencies latencies;
	bool alone; /* there is one input */
};

/* A label that a stack has, + 1, and what it is below that: a leaf's number, or LEFT_OUT. */
struct labelled {
	uint32_t label, leaf;
};

/* What is given to the store. */
struct whole {
	struct store_parts p;
	struct store_label *labels;
	struct store_event *events;
	struct store_thread *threads;
	uint32_t *labels_of; /* by thread: its label in the folding, * 2, + 1: it is idle */
	struct store_cell *cells;
	struct labelled *first_leaves; /* by stack: mostly there is no other label */
	struct idmap leaves;	       /* by label and stack: the others */
};

#define LEFT_OUT (STORE_NONE - 1)

#define A(member) offsetof(struct adding, member)

static const struct option options[] = {
	{ "store", 0, OPT_STORE, A(path), "STORE", "the store, made where it is not there" },
	{ "label", 0, OPT_TEXTS, A(labels), "KEY=VALUE",
	  "what these captures are: service=web, version=1.2 (may be repeated)",
	  .pattern = "^[^=]+=.", .wanted = "KEY=VALUE" },
	{ "step", 0, OPT_DURATION, A(step_ns), "TIME", "the least time that is told apart",
	  .initial = "1s", .positive = true },
	{ 0 },
};

static const struct column columns[] = {
	{ "capture", COLUMN_TEXT },
	{ "samples", COLUMN_COUNT },
	{ "stacks", COLUMN_COUNT },
	{ "what", COLUMN_TEXT },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct adding *a = state;

	a->first_event = STORE_NONE;
	a->alone = in->count == 1;
	a->samples.wants = WANT_NUMBERS;
	if (a->path)
		return store_open(&a->store, a->path, STORE_WRITE, w);
	warn_add(w, SEV_FATAL, "usage", "store add: expected a store, then captures");
	return ERR_USAGE;
}

static void configure(void *state, struct asked *o)
{
	struct adding *a = state;

	folding_configure(&a->folding, o);
	o->wants |= latencies_want();
	o->renumbered = NULL; /* the time off the CPU could not follow */
	a->samples.max_bytes = o->max_memory;
}

/* ---- while events flow ---- */

static struct counted *counted_at(struct adding *a, uint32_t event)
{
	size_t had = a->event_count;

	if (event >= had) {
		a->events = xgrow(a->events, &a->event_cap, (size_t)event + 1, sizeof(*a->events));
		memset(a->events + had, 0, (event + 1 - had) * sizeof(*a->events));
		a->event_count = (size_t)event + 1;
	}
	return &a->events[event];
}

static uint32_t thread_id(struct adding *a, const struct pdt_event *e, const struct pdt_session *s)
{
	struct who thread = { .idle = !e->pid, .pid = e->pid, .tid = e->tid };

	who_comm(&thread, e, s);
	return samples_id(&a->threads, &thread);
}

/* Mostly a sample is of the thread, stack, CPU and step of the one before of its event. */
static void count_pair(struct adding *a, const struct pdt_event *e, const struct pdt_session *s,
		       uint32_t index, uint32_t cpu)
{
	struct counted_last *l;
	struct who who;

	a->lasts = a->lasts ?: xcalloc(LASTS, sizeof(*a->lasts));
	l = &a->lasts[(e->tid * 8 + index) % LASTS];
	if (l->desc != e->desc || l->tid != e->tid || l->pid != e->pid || l->comm != e->comm)
		*l = (struct counted_last){ .desc = e->desc,
					    .pid = e->pid,
					    .tid = e->tid,
					    .comm = e->comm,
					    .thread = thread_id(a, e, s) };
	else if (l->stack == e->stack && l->cpu == cpu && e->time_ns - l->step_ns < a->step_ns &&
		 samples_again(&a->samples, &l->pair, e->weight))
		return;
	who = (struct who){ .step = e->time_ns / a->step_ns,
			    .desc = index,
			    .cpu = cpu,
			    .label = l->thread };
	l->cpu = cpu;
	l->stack = e->stack;
	l->step_ns = who.step * a->step_ns;
	l->pair = *samples_count(&a->samples, &who, e->stack, e->weight);
}

static void count_sample(struct adding *a, const struct pdt_event *e, const struct pdt_session *s)
{
	uint32_t index = pdt_desc_index(e->desc), cpu = e->has_cpu ? e->cpu : STORE_NONE;
	struct counted *c = counted_at(a, index);

	if (a->first_event == STORE_NONE)
		a->first_event = index;
	c->weight += e->weight;
	c->squares += (unsigned __int128)e->weight * e->weight;
	c->samples++;
	a->saw_idle |= !e->pid;
	store_hash_add(&a->hash, (const uint64_t[]){ e->time_ns, e->weight, e->ip, index,
						     (uint64_t)e->pid << 32 | e->tid, cpu });
	count_pair(a, e, s, index, cpu);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct adding *a = state;

	if (!a->latencies.states)
		latencies_begin(&a->latencies, a->step_ns);
	latencies_event(&a->latencies, e, s);
	if (e->kind == PDT_SAMPLE && sample_passes(s, e))
		count_sample(a, e, s);
}

/* ---- names ---- */

/* COMM may be NULL. */
static struct store_thread thread_of(struct whole *p, const char *comm, uint32_t pid, uint32_t tid)
{
	struct buf text = { 0 };
	const char *kept;

	comm_text(comm, tid, &text);
	kept = arena_strndup(&p->p.texts, text.data, text.len);
	buf_release(&text);
	return (struct store_thread){ kept, pid, tid };
}

static void name_thread(struct adding *a, struct whole *p, const struct pdt_session *s, uint32_t i)
{
	struct who who = samples_who(&a->threads, i);
	const char *comm = pdt_comm(s, who.comm);

	p->threads[i] = thread_of(p, comm, who.pid, who.tid);
	p->labels_of[i] = folding_label(&a->folding, comm, who.pid, who.tid) << 1 | who.idle;
}

/* The stack below LABEL, which was not met before; LEFT_OUT: the filters do not let it pass. */
static uint32_t name_stack(struct adding *a, struct whole *p, const struct pdt_session *s,
			   uint32_t label, uint32_t stack)
{
	struct folding *f = &a->folding;
	const char *comm = intern_str(&f->labels, label >> 1);

	if (!where_passes(where_of(s, stack), filter_of(s), label & 1))
		return LEFT_OUT;
	folding_frames(f, s, stack, &f->list);
	return store_parts_push(&p->p, stackset_frame(&f->set, comm, strlen(comm)), &f->list,
				stack);
}

/* LABEL: as in LABELS_OF. */
static uint32_t leaf_of(struct adding *a, struct whole *p, const struct pdt_session *s,
			uint32_t label, uint32_t stack)
{
	struct labelled *first = &p->first_leaves[stack];
	uint32_t *leaf;

	if (first->label == label + 1)
		return first->leaf;
	if (!first->label) {
		*first = (struct labelled){ label + 1, name_stack(a, p, s, label, stack) };
		return first->leaf;
	}
	leaf = idmap_put(&p->leaves, (uint64_t)label << 32 | stack);
	if (*leaf == IDMAP_NONE)
		*leaf = name_stack(a, p, s, label, stack);
	return *leaf;
}

static void name_cells(struct adding *a, struct whole *p, const struct pdt_session *s)
{
	struct sample_sum sum;

	p->cells = xmalloc((samples_places(&a->samples) + samples_places(&a->latencies.off) + 1) *
			   sizeof(*p->cells));
	p->first_leaves = xcalloc(a->samples.stack_count + 1, sizeof(*p->first_leaves));
	for (size_t at = 0; samples_next(&a->samples, &at, &sum);) {
		struct who who = samples_who(&a->samples, sum.who);
		uint32_t leaf = leaf_of(a, p, s, p->labels_of[who.label], sum.stack);

		if (leaf == LEFT_OUT)
			continue;
		p->cells[p->p.c.cell_count++] =
			(struct store_cell){ who.desc, leaf,	   who.cpu,    who.label,
					     who.step, sum.weight, sum.samples };
	}
}

/* ---- the time off the CPU ---- */

/* Behind the threads of samples. */
static void name_off_threads(struct adding *a, struct whole *p)
{
	struct lane_thread t;

	for (size_t i = 0; lane_thread_at(&a->latencies.threads, i, &t); i++)
		p->threads[p->p.c.thread_count++] =
			thread_of(p, t.comm && *t.comm ? t.comm : NULL, t.pid, t.tid);
}

/* The stack KEY of the time off the CPU; LEFT_OUT: the filters do not let it pass. */
static uint32_t off_stack(struct adding *a, struct whole *p, const struct pdt_session *s,
			  uint32_t key)
{
	struct stackset *set = &a->folding.set;
	size_t first = set->frame_count;
	uint32_t at;

	stackset_begin(set);
	if (!latencies_stack(&a->latencies, s, &a->folding, key)) {
		set->frame_count = first;
		return LEFT_OUT;
	}
	at = store_parts_push_row(&p->p, set->frames + first, set->frame_count - first);
	set->frame_count = first;
	return at;
}

/* As samples of one event more, "offcpu". */
static void add_off(struct adding *a, struct whole *p, const struct pdt_session *s)
{
	const struct samples *off = &a->latencies.off;
	uint32_t first_thread = (uint32_t)p->p.c.thread_count, event = (uint32_t)p->p.c.event_count;
	struct idmap leaves = { 0 };
	struct sample_sum sum;

	if (!off->who_count)
		return;
	name_off_threads(a, p);
	for (size_t at = 0; samples_next(off, &at, &sum);) {
		struct who who = samples_who(off, sum.who);
		uint32_t *leaf = idmap_put(&leaves, sum.stack);

		if (*leaf == IDMAP_NONE)
			*leaf = off_stack(a, p, s, sum.stack);
		if (*leaf == LEFT_OUT)
			continue;
		p->cells[p->p.c.cell_count++] = (struct store_cell){
			event,	  *leaf,      who.cpu,	  first_thread + who.label,
			who.step, sum.weight, sum.samples
		};
	}
	p->events[p->p.c.event_count++] =
		(struct store_event){ .name = latency_kinds[DURATION_OFFCPU],
				      .unit = "ns",
				      .squares = (double)off->squares };
	idmap_release(&leaves);
}

static void name_events(struct adding *a, struct whole *p, const struct pdt_session *s)
{
	p->events = xcalloc(a->event_count + 2, sizeof(*p->events));
	for (size_t i = 0; i < a->event_count; i++) {
		const struct pdt_desc *d = pdt_desc_at(s, i);

		struct samples none = { 0 };
		struct unit unit = { 0 };

		unit_of_samples(&unit, &none, d, NULL);
		p->events[i] = (struct store_event){ .name = pdt_desc_name(d),
						     .unit = arena_strndup(&p->p.texts, unit.name,
									   strlen(unit.name)),
						     .squares = (double)a->events[i].squares,
						     .rate = pdt_desc_number(s, d, PDT_DESC_PERIOD),
						     .counts = i == a->first_event };
	}
	p->p.c.event_count = a->event_count;
}

/* What is known of the capture is a label, too. */
static void make_labels(struct adding *a, struct whole *p)
{
	size_t n = 0;

	p->labels = xcalloc(a->labels.count + 4, sizeof(*p->labels));
	for (size_t i = 0; i < a->labels.count; i++) {
		const char *text = a->labels.list[i], *equals = strchr(text, '=');

		p->labels[n++] = (struct store_label){
			arena_strndup(&p->p.texts, text, (size_t)(equals - text)), equals + 1
		};
	}
	if (p->p.c.host)
		p->labels[n++] = (struct store_label){ "host", p->p.c.host };
	if (p->p.c.release)
		p->labels[n++] = (struct store_label){ "kernel", p->p.c.release };
	if (p->p.c.arch)
		p->labels[n++] = (struct store_label){ "arch", p->p.c.arch };
	p->p.c.label_count = n;
}

static void make_whole(struct adding *a, struct whole *p, const struct pdt_session *s)
{
	size_t threads = a->threads.who_count, others = a->latencies.threads.all.count;

	p->p.c = (struct store_capture){
		.hash = a->hash,
		.path = pdt_text(s, PDT_PATH),
		.host = pdt_text(s, PDT_HOSTNAME),
		.release = pdt_text(s, PDT_OSRELEASE),
		.arch = pdt_text(s, PDT_ARCH),
		.command = pdt_text(s, PDT_CMDLINE),
		.has_wall = pdt_number(s, PDT_HAS_WALL),
		.wall_ns = (int64_t)(pdt_number(s, PDT_WALL_NS) - pdt_number(s, PDT_CLOCK_NS)),
		.first_ns = pdt_number(s, PDT_FIRST_NS),
		.last_ns = pdt_number(s, PDT_LAST_NS),
		.step_ns = a->step_ns,
		.lost = pdt_number(s, PDT_LOST_ANY),
		.samples = pdt_number(s, PDT_SAMPLES),
		.cpus = (uint32_t)pdt_number(s, PDT_CPUS_ONLINE),
		.system_wide =
			pdt_text(s, PDT_CMDLINE) ? pdt_number(s, PDT_IS_SYSTEM_WIDE) : a->saw_idle,
		.thread_count = threads,
	};
	arena_init(&p->p.texts);
	folding_name(&a->folding, s);
	p->threads = xcalloc(threads + others + 1, sizeof(*p->threads));
	p->labels_of = xcalloc(threads + 1, sizeof(*p->labels_of));
	for (uint32_t i = 0; i < threads; i++)
		name_thread(a, p, s, i);
	name_cells(a, p, s);
	name_events(a, p, s);
	add_off(a, p, s);
	make_labels(a, p);
	store_parts_end(&p->p, &a->folding, s);
	/* by better names others would pass, and time off the CPU has no stack of the session's */
	if (!filters_places(filter_of(s)) && !a->latencies.off.who_count)
		store_parts_keep(&p->p, &a->folding, s);
	p->p.c.labels = p->labels;
	p->p.c.events = p->events;
	p->p.c.threads = p->threads;
	p->p.c.cells = p->cells;
	p->p.c.latencies = a->latencies.list;
	p->p.c.latency_count = a->latencies.count;
}

static void release_whole(struct whole *p)
{
	free(p->labels);
	free(p->events);
	free(p->threads);
	free(p->labels_of);
	free(p->cells);
	free(p->first_leaves);
	idmap_release(&p->leaves);
	store_parts_release(&p->p);
}

/* Ids are one capture's own. */
static void forget(struct adding *a)
{
	unsigned wants = a->samples.wants;
	size_t max_bytes = a->samples.max_bytes;

	samples_release(&a->samples);
	samples_release(&a->threads);
	latencies_release(&a->latencies);
	a->samples = (struct samples){ .wants = wants, .max_bytes = max_bytes };
	a->threads = (struct samples){ 0 };
	folding_forget(&a->folding);
	free(a->events);
	a->events = NULL;
	a->event_count = a->event_cap = 0;
	a->first_event = STORE_NONE;
	a->hash = (struct store_hash){ 0 };
	a->saw_idle = false;
}

/* All events come, whatever the filters say. What of a capture alone lets nothing pass is told for
 * every command. */
static bool has_any(const struct adding *a, const struct pdt_session *s, struct warnings *w)
{
	bool any = a->first_event != STORE_NONE || a->latencies.count;

	if (!any && !a->alone)
		warn_add(w, SEV_NOTE, "nothing-there", "%s: no samples that pass: it is not added",
			 pdt_text(s, PDT_PATH));
	return any;
}

/* Into the store, and the row that tells of it. */
static int put(struct adding *a, const struct pdt_session *s, struct warnings *w)
{
	struct whole p = { 0 };
	bool known;
	int rc;

	make_whole(a, &p, s);
	rc = store_add(a->store, &p.p.c, &known, w);
	if (rc == 0) {
		answer_cell_text(&a->answer, p.p.c.path);
		answer_cell_count(&a->answer, pdt_number(s, PDT_SAMPLES));
		answer_cell_count(&a->answer, p.p.leaf_count);
		answer_cell_text(&a->answer, known ? "was there already" : "added");
	}
	release_whole(&p);
	return rc;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct adding *a = state;
	int rc = 0;

	answer_capture(&a->answer, s);
	missing_part(s, PART_STACK, w);
	samples_end(&a->samples);
	free(a->lasts);
	a->lasts = NULL;
	if (a->latencies.states)
		latencies_end(&a->latencies);
	if (has_any(a, s, w))
		rc = put(a, s, w);
	forget(a);
	return rc;
}

static void result(void *state, struct result *out)
{
	struct adding *a = state;

	answer_result(&a->answer, columns, out);
}

static void release(void *state)
{
	struct adding *a = state;

	store_close(a->store);
	samples_release(&a->samples);
	samples_release(&a->threads);
	latencies_release(&a->latencies);
	folding_release(&a->folding);
	free(a->lasts);
	free(a->events);
	answer_release(&a->answer);
}

const struct analyzer analyzer_store_add = {
	.name = "store add",
	.summary = "captures into a store of many, in one file: STORE, then captures",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE,
	.operand = "store",
	.usage = { "STORE [FILE...]" },
	.options = options,
	.state_size = sizeof(struct adding),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
