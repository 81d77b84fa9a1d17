/* The whole capture for one page (formats/page), or two: all samples over one tree of named stacks,
 * and beside them what threads and disks did.
 *
 * Samples have no names while they flow, so they wait in a temporary file; memory follows the
 * threads and the different stacks. The stacks are those of collapse. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/missing.h"
#include "analyzers/page/beside.h"
#include "analyzers/page/stored.h"
#include "analyzers/page/tree.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <stdlib.h>
#include <string.h>

struct kept {
	uint64_t time_ns, weight, samples;
	uint32_t stack, thread, cpu, event;
};

/* One of the captures. */
struct recorded {
	struct samples threads;	 /* whose they are; nothing is counted in it */
	struct temp_stream rows; /* struct kept */
	struct beside beside;
	struct idmap leaves; /* by label and stack: its node, or LEFT_OUT */
	uint32_t *labels;    /* by thread */
	uint32_t *events;    /* by description: which of the page's */
	uint32_t first_thread;
	bool any;
	uint64_t low_ns, high_ns; /* of its rows */
	uint64_t shift_ns;	  /* what makes its times those of the page, modulo 2^64 */
};

struct page {
	struct folding folding; /* names frames; nothing is counted in it */
	struct recorded list[PAGE_CAPTURES];
	size_t count;	/* of captures that are read */
	size_t reading; /* the one whose rows are read */
	struct page_tree tree;
	struct page_event *events;
	struct page_thread *threads;
	size_t event_cap, thread_cap;
	const char **names, **modules;
	uint8_t *kinds;
	size_t placed, module_cap, kind_cap; /* names that have their places */
	struct page_capture captures[PAGE_CAPTURES];
	struct intern texts[BESIDE_SERIES]; /* of both */
	struct page_series series[BESIDE_SERIES];
	struct answer answer;
	struct page_part part;
	uint64_t budget_bytes;
};

#define LEFT_OUT     (UINT32_MAX - 1)
#define BUDGET_BYTES (25u << 20)

#define P(member) offsetof(struct page, member)

static const struct option options[] = {
	{ "budget", 0, OPT_SIZE, P(budget_bytes), "SIZE",
	  "at most so large; times in coarser steps where it has to be (default: 25M)",
	  .least = 1 << 16 },
	{ .type = OPT_TABLE, .table = namer_option_rows, .offset = P(folding.o.names) },
	{ 0 },
};

static void configure(void *state, struct asked *o)
{
	struct page *p = state;

	folding_configure(&p->folding, o);
	o->wants |= beside_wants();
	o->renumbered = NULL; /* what lies in a file does not follow */
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct page *p = state;

	if (in->count > PAGE_CAPTURES) {
		warn_add(w, SEV_FATAL, "usage", "expected one capture or two");
		return ERR_USAGE;
	}
	for (size_t i = 0; i < PAGE_CAPTURES; i++)
		beside_begin(&p->list[i].beside, p->texts);
	return 0;
}

static void widen(struct recorded *r, uint64_t low_ns, uint64_t high_ns)
{
	r->low_ns = r->any && r->low_ns < low_ns ? r->low_ns : low_ns;
	r->any = true;
	r->high_ns = r->high_ns > high_ns ? r->high_ns : high_ns;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct page *p = state;
	struct recorded *r = &p->list[p->count];
	struct who who = { .idle = !e->pid, .pid = e->pid, .tid = e->tid };
	struct kept k = { e->time_ns, e->weight, 1, e->stack };

	beside_event(&r->beside, e, s);
	if (e->kind != PDT_SAMPLE || !sample_passes(s, e))
		return;
	who_comm(&who, e, s);
	k.thread = samples_id(&r->threads, &who);
	k.cpu = e->has_cpu ? e->cpu : PAGE_NONE;
	k.event = pdt_desc_index(e->desc);
	temp_stream_add(&r->rows, &k, sizeof(k));
	widen(r, e->time_ns, e->time_ns);
}

/* Where its stack leads. */
static uint32_t *leaf_of(struct recorded *r, const struct kept *k)
{
	return idmap_put(&r->leaves, (uint64_t)r->labels[k->thread] << 32 | k->stack);
}

static void begin_rows(void *ctx)
{
	struct page *p = ctx;

	p->reading = 0;
	for (size_t i = 0; i < p->count; i++)
		temp_stream_rewind(&p->list[i].rows);
}

static bool next_row(void *ctx, struct page_row *row, int *error)
{
	struct page *p = ctx;
	struct kept k;

	for (; p->reading < p->count; p->reading++) {
		struct recorded *r = &p->list[p->reading];

		while (temp_stream_next(&r->rows, &k, sizeof(k))) {
			uint32_t leaf = *leaf_of(r, &k);

			if (leaf == LEFT_OUT)
				continue;
			*row = (struct page_row){ .time_ns = k.time_ns + r->shift_ns,
						  .weight = k.weight,
						  .samples = k.samples,
						  .event = r->events[k.event],
						  .thread = r->first_thread + k.thread,
						  .cpu = k.cpu,
						  .node = leaf,
						  .capture = (uint32_t)p->reading };
			return true;
		}
		if (r->rows.error) {
			*error = r->rows.error;
			break;
		}
	}
	return false;
}

static void begin_series(void *ctx, size_t i)
{
	struct page *p = ctx;

	p->reading = 0;
	for (size_t c = 0; c < p->count; c++)
		beside_rewind(&p->list[c].beside, i);
}

static bool next_of_series(void *ctx, size_t i, uint64_t *row, int *error)
{
	struct page *p = ctx;

	for (; p->reading < p->count; p->reading++) {
		struct recorded *r = &p->list[p->reading];

		if (beside_next(&r->beside, i, row)) {
			row[0] += r->shift_ns;
			return true;
		}
		if (r->beside.error) {
			*error = r->beside.error;
			break;
		}
	}
	return false;
}

/* ---- names ---- */

static uint32_t thread_key(struct intern *known, const struct page_thread *t)
{
	struct buf key = { 0 };
	uint32_t id;

	buf_add(&key, &t->pid, sizeof(t->pid));
	buf_add(&key, &t->tid, sizeof(t->tid));
	buf_str(&key, t->comm);
	id = intern_add(known, key.data, key.len);
	buf_release(&key);
	return id;
}

/* Threads of what is beside the samples, which may have none. */
static void name_others(struct page *p, struct recorded *r)
{
	struct intern known = { 0 };
	struct idmap at = { 0 };
	struct buf text = { 0 };
	struct page_thread t;

	for (size_t i = r->first_thread; i < p->part.thread_count; i++)
		*idmap_put(&at, thread_key(&known, &p->threads[i])) = (uint32_t)i;
	r->beside.thread_list = xcalloc(r->beside.threads.all.count + 1, sizeof(uint32_t));
	for (size_t i = 0; beside_thread(&r->beside, i, &t); i++) {
		uint32_t *id;

		text.len = 0;
		if (t.comm && t.comm[0])
			buf_str(&text, t.comm);
		else
			comm_text(NULL, t.tid, &text);
		t.comm = answer_string(&p->answer, text.data);
		t.capture = (uint32_t)p->count;
		id = idmap_put(&at, thread_key(&known, &t));
		if (*id == IDMAP_NONE) {
			*id = (uint32_t)p->part.thread_count++;
			p->threads[*id] = t;
		}
		r->beside.thread_list[i] = *id;
	}
	buf_release(&text);
	idmap_release(&at);
	intern_release(&known);
}

/* A label of its own for each command, and for the idle task, which filters tell apart. */
static void name_threads(struct page *p, struct recorded *r, const struct pdt_session *s)
{
	size_t count = r->threads.who_count, first = p->part.thread_count;
	struct buf text = { 0 };

	r->first_thread = (uint32_t)first;
	r->labels = xcalloc(count + 1, sizeof(*r->labels));
	p->threads = xgrow(p->threads, &p->thread_cap,
			   first + count + r->beside.threads.all.count + 1, sizeof(*p->threads));
	for (uint32_t i = 0; i < count; i++) {
		struct who who = samples_who(&r->threads, i);
		const char *comm = pdt_comm(s, who.comm);

		text.len = 0;
		comm_text(comm, who.tid, &text);
		p->threads[first + i] =
			(struct page_thread){ answer_string(&p->answer, text.data), who.pid,
					      who.tid, (uint32_t)p->count };
		r->labels[i] = folding_label(&p->folding, comm, who.pid, who.tid) << 1 | who.idle;
	}
	buf_release(&text);
	p->part.threads = p->threads;
	p->part.thread_count += count;
	name_others(p, r);
}

static uint32_t add_stack(struct page *p, const struct pdt_session *s, uint32_t label,
			  uint32_t stack)
{
	struct folding *f = &p->folding;
	const char *comm = intern_str(&f->labels, label >> 1);
	uint32_t node;

	if (!where_passes(where_of(s, stack), filter_of(s), label & 1))
		return LEFT_OUT;
	folding_frames(f, s, stack, &f->list);
	node = page_tree_node(&p->tree, PAGE_NONE, stackset_frame(&f->set, comm, strlen(comm)));
	for (size_t i = f->list.count; i-- > 0;)
		node = page_tree_node(&p->tree, node, f->list.ids[i] & STACKSET_ID);
	return node;
}

/* What frames are, and where: by the first location that has them. */
static void place_names(struct page *p, const struct pdt_session *s)
{
	const struct frames *f = &p->folding.frames;
	size_t count = p->folding.set.names.count;

	p->kinds = xgrow(p->kinds, &p->kind_cap, count + 1, sizeof(*p->kinds));
	p->modules = xgrow(p->modules, &p->module_cap, count + 1, sizeof(*p->modules));
	for (; p->placed < count; p->placed++) {
		p->kinds[p->placed] = 0;
		p->modules[p->placed] = "";
	}
	for (uint32_t loc = 0; loc < f->locations; loc++) {
		const char *module = answer_string(&p->answer, place_of((struct place){ s, loc }));

		for (uint32_t i = f->first[loc]; i < f->first[loc + 1]; i++) {
			uint32_t name = f->ids[i] & STACKSET_ID;

			if (*p->modules[name])
				continue;
			p->modules[name] = module;
			p->kinds[name] =
				(uint8_t)((f->ids[i] & ~STACKSET_ID) >> STACKSET_KIND_SHIFT);
		}
	}
}

/* The event of this name and unit, which captures share; those of one are its own. UNIT may be
 * NULL; TOLD: as folded text tells it. */
static uint32_t page_event(struct page *p, const char *name, const char *unit,
			   const struct folded_unit *told)
{
	struct buf line = { 0 };
	uint32_t i = p->count ? 0 : (uint32_t)p->part.event_count;

	folded_unit_write(told, &line);
	while (i < p->part.event_count && (strcmp(p->events[i].name, name) != 0 ||
					   strcmp(p->events[i].unit_line, line.data) != 0))
		i++;
	if (i == p->part.event_count) {
		p->events = xgrow(p->events, &p->event_cap, i + 1, sizeof(*p->events));
		p->events[i] = (struct page_event){
			.name = answer_string(&p->answer, name),
			.unit = answer_string(&p->answer, unit),
			.unit_line = answer_string(&p->answer, line.data),
		};
		p->part.event_count++;
	}
	buf_release(&line);
	return i;
}

static uint32_t event_of(struct page *p, const struct pdt_desc *d)
{
	struct unit unit = { 0 };
	struct folded_unit told;
	struct samples none = { 0 };

	unit_of_samples(&unit, &none, d, NULL);
	unit_folded(&unit, &told);
	return page_event(p, pdt_desc_name(d), unit_name(&unit), &told);
}

static void make_events(struct page *p, struct recorded *r, const struct pdt_session *s)
{
	size_t count = pdt_desc_count(s);

	r->events = xcalloc(count + 1, sizeof(*r->events));
	for (size_t i = 0; i < count; i++) {
		const struct pdt_desc *d = pdt_desc_at(s, i);

		r->events[i] = event_of(p, d);
		p->events[r->events[i]].rate[p->count] = pdt_desc_number(s, d, PDT_DESC_PERIOD);
	}
	p->part.events = p->events;
}

/* The stacks of all samples go into the tree. */
static void add_stacks(struct page *p, struct recorded *r, const struct pdt_session *s)
{
	struct kept k;

	temp_stream_rewind(&r->rows);
	while (temp_stream_next(&r->rows, &k, sizeof(k))) {
		uint32_t *leaf = leaf_of(r, &k);

		if (*leaf == IDMAP_NONE)
			*leaf = add_stack(p, s, r->labels[k.thread], k.stack);
		if (*leaf != LEFT_OUT)
			p->events[r->events[k.event]].samples++;
	}
	beside_stacks(&r->beside, s, &p->folding, &p->tree);
}

/* As diff takes it: where the command line does not tell, samples of the idle task do. */
static struct page_input input_of(const struct recorded *r, const struct pdt_session *s)
{
	uint64_t first = pdt_number(s, PDT_FIRST_NS), last = pdt_number(s, PDT_LAST_NS);
	bool idle = false;

	for (uint32_t i = 0; i < r->threads.who_count; i++)
		idle |= samples_who(&r->threads, i).idle;
	return (struct page_input){
		.first_ns = first + r->shift_ns,
		.last_ns = last + r->shift_ns,
		.duration_ns = filter_span(s),
		.lost = pdt_number(s, PDT_LOST_ANY),
		.samples = pdt_number(s, PDT_SAMPLES),
		.cpus = (uint32_t)pdt_number(s, PDT_CPUS_ONLINE),
		.system_wide = pdt_text(s, PDT_CMDLINE) ? pdt_number(s, PDT_IS_SYSTEM_WIDE) : idle,
	};
}

static const char *kept_text(struct page *p, const struct pdt_session *s, int what)
{
	const char *text = pdt_text(s, what);

	return text ? answer_string(&p->answer, text) : NULL;
}

/* Times of the second one follow those of the first, from a round time after its beginning; both
 * begin with a step. */
static uint64_t shift_of(const struct page *p, const struct recorded *r)
{
	const struct recorded *first = &p->list[0];
	uint64_t span_us = first->high_ns / 1000 - first->low_ns / 1000 + 1;
	uint64_t least = p->part.step_us ?: 1, step = least;

	while (step <= span_us / 20)
		step *= 10;
	return (first->low_ns / 1000 / least * least + (span_us / step + 1) * step -
		r->low_ns / 1000 / least * least) *
	       1000;
}

static int kept_badly(const struct recorded *r, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "trail", "the samples " TEMP_FAILED,
		 strerror(r->rows.error ?: r->beside.error));
	return ERR_IO;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct page *p = state;
	struct recorded *r = &p->list[p->count];
	struct page_capture *c = &p->captures[p->count];

	answer_capture(&p->answer, s);
	if (pdt_number(s, PDT_IS_UNFINISHED))
		answer_fact(&p->answer, "unfinished",
			    "the recorder did not end this capture: what it writes last, as host "
			    "and command line, is not there");
	missing_part(s, PART_STACK, w);
	beside_end(&r->beside, s);
	if (r->beside.any)
		widen(r, r->beside.first_ns, r->beside.last_ns);
	folding_name(&p->folding, s);
	name_threads(p, r, s);
	make_events(p, r, s);
	add_stacks(p, r, s);
	place_names(p, s);
	if (r->rows.error || r->beside.error)
		return kept_badly(r, w);
	r->shift_ns = p->count ? shift_of(p, r) : 0;
	*c = (struct page_capture){
		.input = input_of(r, s),
		.shift_ns = r->shift_ns,
		.has_time = pdt_number(s, PDT_LAST_NS) || r->beside.any,
		.beside = r->beside.any,
		.beside_first_ns = r->beside.first_ns + r->shift_ns,
		.beside_last_ns = r->beside.last_ns + r->shift_ns,
		.has_wall = pdt_number(s, PDT_HAS_WALL),
		.wall_ns = (int64_t)(pdt_number(s, PDT_WALL_NS) - pdt_number(s, PDT_CLOCK_NS)),
		.path = kept_text(p, s, PDT_PATH),
		.host = kept_text(p, s, PDT_HOSTNAME),
		.os = kept_text(p, s, PDT_OSRELEASE),
		.arch = kept_text(p, s, PDT_ARCH),
		.command = kept_text(p, s, PDT_CMDLINE),
	};
	p->count++;
	return 0;
}

/* ---- a store in place of a capture ---- */

static void place_stored(void *ctx, uint32_t name, const char *module, uint8_t kind)
{
	struct page *p = ctx;

	p->kinds = xgrow(p->kinds, &p->kind_cap, name + 1, sizeof(*p->kinds));
	p->modules = xgrow(p->modules, &p->module_cap, name + 1, sizeof(*p->modules));
	for (; p->placed <= name; p->placed++) {
		p->kinds[p->placed] = 0;
		p->modules[p->placed] = "";
	}
	/* of several the first by their text: stacks come in any order */
	if (!*module || (*p->modules[name] && strcmp(p->modules[name], module) <= 0))
		return;
	p->modules[name] = answer_string(&p->answer, module);
	p->kinds[name] = kind < FRAME_KINDS ? kind : 0;
}

static uint32_t event_stored(struct page *p, const struct folded *f, double weight)
{
	const struct folded_input *in = folded_input(f);
	struct folded_unit told = { 0 };
	struct unit unit = { 0 };
	uint32_t event;

	if (folded_unit(f))
		told = *folded_unit(f);
	told.sample = 0;
	unit_of_text(&unit, f, weight);
	event = page_event(p, in->event, unit_name(&unit) ?: "", &told);
	p->events[event].rate[p->count] = in->sample_rate;
	p->part.events = p->events;
	return event;
}

static void take_threads(struct page *p, struct recorded *r, const struct store_steps *s)
{
	size_t first = p->part.thread_count;

	r->first_thread = (uint32_t)first;
	r->labels = xcalloc(s->thread_count + 1, sizeof(*r->labels)); /* stacks tell them */
	p->threads =
		xgrow(p->threads, &p->thread_cap, first + s->thread_count + 1, sizeof(*p->threads));
	for (size_t i = 0; i < s->thread_count; i++) {
		const struct store_thread *t = &s->threads[i];

		p->threads[first + i] = (struct page_thread){ answer_string(&p->answer, t->comm),
							      t->pid, t->tid, (uint32_t)p->count };
	}
	p->part.thread_count += s->thread_count;
	p->part.threads = p->threads;
}

static void take_steps(struct page *p, struct recorded *r, const struct stored *s)
{
	uint64_t *samples = &p->events[r->events[0]].samples;

	for (size_t i = 0; i < s->leaf_count; i++)
		*idmap_put(&r->leaves, i) = s->leaves[i] == PAGE_NONE ? LEFT_OUT : s->leaves[i];
	for (size_t i = 0; i < s->steps.count; i++) {
		const struct store_step *from = &s->steps.list[i];
		const struct kept k = { from->begin_ns, from->weight, from->samples,
					from->stack,	from->thread, from->cpu };

		temp_stream_add(&r->rows, &k, sizeof(k));
		widen(r, k.time_ns, k.time_ns);
		*samples += k.samples;
	}
}

static void take_spans(struct page *p, struct recorded *r, const struct folded *f, uint64_t step_ns)
{
	int64_t from, to;
	size_t i;

	for (i = 0; store_rows_span(folded_rows(f), i, &from, &to); i++) {
		if (from >= 0 && to >= from)
			beside_recorded(&r->beside, (uint64_t)from, (uint64_t)(to - from));
	}
	if (r->beside.any)
		widen(r, r->beside.first_ns / step_ns * step_ns, r->beside.last_ns - 1);
	answer_fact(&p->answer, "captures", "%s, recorded for %s", COUNT_TEXT(i),
		    NS_TEXT((uint64_t)folded_input(f)->duration_ns));
	answer_fact(&p->answer, "times", "in steps of %s: within one there is no order",
		    NS_TEXT(step_ns));
	if (p->part.step_us)
		return; /* it is said */
	answer_fact(&p->answer, "threads",
		    "those of one name and number are one, whatever host "
		    "or capture they are of");
	answer_fact(&p->answer, "not in a store",
		    "other events than this one (STORE:event=NAME), what threads did off the CPU, "
		    "I/Os one by one, times that were lost");
}

static int take_stored(struct page *p, const struct folded *f, const struct stored *s,
		       struct warnings *w)
{
	struct recorded *r = &p->list[p->count];
	const struct folded_input *in = folded_input(f);
	uint64_t step_us = (s->steps.step_ns + 999) / 1000;

	r->events = xcalloc(1, sizeof(*r->events));
	r->events[0] = event_stored(p, f, s->weight);
	take_threads(p, r, &s->steps);
	take_steps(p, r, s);
	take_spans(p, r, f, s->steps.step_ns);
	if (r->rows.error || r->beside.error)
		return kept_badly(r, w);
	if (step_us < 2)
		step_us = 2;
	if (p->part.step_us < step_us)
		p->part.step_us = step_us;
	r->shift_ns = p->count ? shift_of(p, r) : 0;
	p->captures[p->count++] = (struct page_capture){
		.input = { .first_ns = r->beside.first_ns + r->shift_ns,
			   .last_ns = r->beside.last_ns + r->shift_ns,
			   .duration_ns = (uint64_t)in->duration_ns,
			   .lost = (uint64_t)in->lost,
			   .samples = (uint64_t)in->samples,
			   .cpus = in->cpus,
			   .system_wide = in->system_wide },
		.shift_ns = r->shift_ns,
		.has_time = true,
		.stored = true,
		.beside = r->beside.any,
		.beside_first_ns = r->beside.first_ns + r->shift_ns,
		.beside_last_ns = r->beside.last_ns - 1 + r->shift_ns, /* it is its end */
		.has_wall = in->has_wall,
		.path = answer_string(&p->answer, folded_path(f)),
		.arch = in->arch ? answer_string(&p->answer, in->arch) : NULL,
	};
	return 0;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct page *p = state;
	const struct stored_into into = { &p->folding.set, &p->tree, place_stored, p };
	struct stored s;
	int rc;

	if (!folded_is_store(f)) {
		warn_add(w, SEV_FATAL, "page",
			 "%s: expected a capture or a store: folded stacks have no times",
			 folded_path(f));
		return ERR_FORMAT;
	}
	answer_folded(&p->answer, f);
	rc = stored_read(&s, f, &into, w);
	if (rc == 0)
		rc = take_stored(p, f, &s, w);
	stored_release(&s);
	return rc;
}

static void make_series(struct page *p)
{
	for (size_t i = 0; i < p->list[0].beside.count; i++) {
		const struct beside_series *x = &p->list[0].beside.list[i];
		const char **texts = xcalloc(p->texts[i].count + 1, sizeof(*texts));

		for (uint32_t k = 0; k < p->texts[i].count; k++)
			texts[k] = intern_str(&p->texts[i], k);
		p->series[i] = (struct page_series){ .name = x->name,
						     .columns = x->columns,
						     .column_count = x->width,
						     .texts = texts,
						     .text_count = p->texts[i].count };
		for (size_t c = 0; c < p->count; c++)
			p->series[i].rows += p->list[c].beside.list[i].rows;
	}
	p->part.series = p->series;
	p->part.series_count = p->list[0].beside.count;
	p->part.begin_series = begin_series;
	p->part.next_of_series = next_of_series;
}

/* All names are there: the tree gets its order. */
static int complete(void *state, struct warnings *w)
{
	struct page *p = state;
	struct page_part *part = &p->part;
	const struct intern *names = &p->folding.set.names;

	(void)w;
	p->names = xcalloc(names->count + 1, sizeof(*p->names));
	for (uint32_t i = 0; i < names->count; i++)
		p->names[i] = intern_str(names, i);
	page_tree_order(&p->tree, p->names, names->count);
	for (size_t c = 0; c < p->count; c++) {
		struct idmap *leaves = &p->list[c].leaves;

		for (size_t i = 0; i < leaves->slots; i++) {
			uint32_t *leaf = &leaves->table[i].value;

			if (*leaf < LEFT_OUT)
				*leaf = p->tree.now[*leaf];
		}
		beside_order(&p->list[c].beside, &p->tree);
	}
	make_series(p);
	part->names = p->names;
	part->name_count = names->count;
	part->kinds = p->kinds;
	part->modules = p->modules;
	part->nodes = p->tree.nodes;
	part->node_count = p->tree.count;
	part->begin = begin_rows;
	part->next = next_row;
	part->ctx = p;
	part->budget_bytes = p->budget_bytes ?: BUDGET_BYTES;
	part->captures = p->captures;
	part->capture_count = p->count;
	return 0;
}

static void result(void *state, struct result *out)
{
	struct page *p = state;

	answer_result(&p->answer, NULL, out);
	out->page = &p->part;
}

static void release_recorded(struct recorded *r)
{
	temp_stream_release(&r->rows);
	beside_release(&r->beside);
	samples_release(&r->threads);
	idmap_release(&r->leaves);
	free(r->labels);
	free(r->events);
}

static void release(void *state)
{
	struct page *p = state;

	for (size_t i = 0; i < PAGE_CAPTURES; i++)
		release_recorded(&p->list[i]);
	for (size_t i = 0; i < BESIDE_SERIES; i++) {
		free((void *)p->series[i].texts);
		intern_release(&p->texts[i]);
	}
	folding_release(&p->folding);
	page_tree_release(&p->tree);
	free(p->events);
	free(p->threads);
	free(p->names);
	free(p->modules);
	free(p->kinds);
	answer_release(&p->answer);
}

const struct analyzer analyzer_page = {
	.name = "page",
	.summary = "the capture as one page for a browser: ranges of time, flame graphs, functions",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_PAGE,
	.usage = { "[FILE [FILE2]]" },
	.default_format = "html",
	.options = options,
	.state_size = sizeof(struct page),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.complete = complete,
	.result = result,
	.release = release,
};
