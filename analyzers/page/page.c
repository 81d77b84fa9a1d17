/* The whole capture for one page (formats/page): all samples over a tree of named stacks, and
 * beside them what threads and disks did.
 *
 * Samples have no names while they flow, so they wait in a temporary file; memory follows the
 * threads and the different stacks. The stacks are those of collapse. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/missing.h"
#include "analyzers/page/beside.h"
#include "analyzers/page/tree.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"

#include <stdlib.h>
#include <string.h>

struct kept {
	uint64_t time_ns, weight;
	uint32_t stack, thread, cpu, event;
};

struct page {
	struct folding folding;	 /* names frames; nothing is counted in it */
	struct samples threads;	 /* whose they are; nothing is counted in it */
	struct temp_stream rows; /* struct kept */
	struct beside beside;
	struct page_tree tree;
	struct idmap leaves; /* by label and stack: its node, or LEFT_OUT */
	uint32_t *labels;    /* by thread */
	struct page_event *events;
	struct page_thread *list;
	const char **names, **modules;
	uint8_t *kinds;
	struct answer answer;
	struct page_part part;
};

#define LEFT_OUT (UINT32_MAX - 1)

#define P(member) offsetof(struct page, member)

static const struct option options[] = {
	{ .type = OPT_TABLE, .table = namer_option_rows, .offset = P(folding.o.names) },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	(void)in;
	(void)w;
	beside_begin(&((struct page *)state)->beside);
	return 0;
}

static void configure(void *state, struct asked *o)
{
	struct page *p = state;

	folding_configure(&p->folding, o);
	o->wants |= beside_wants();
	o->renumbered = NULL; /* what lies in a file does not follow */
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct page *p = state;
	struct who who = { .idle = !e->pid, .pid = e->pid, .tid = e->tid };
	struct kept k = { e->time_ns, e->weight, e->stack };

	beside_event(&p->beside, e, s);
	if (e->kind != PDT_SAMPLE || !sample_passes(s, e))
		return;
	who_comm(&who, e, s);
	k.thread = samples_id(&p->threads, &who);
	k.cpu = e->has_cpu ? e->cpu : PAGE_NONE;
	k.event = pdt_desc_index(e->desc);
	temp_stream_add(&p->rows, &k, sizeof(k));
}

static void rewind_kept(void *ctx)
{
	temp_stream_rewind(&((struct page *)ctx)->rows);
}

/* Where its stack leads. */
static uint32_t *leaf_of(struct page *p, const struct kept *k)
{
	return idmap_put(&p->leaves, (uint64_t)p->labels[k->thread] << 32 | k->stack);
}

static bool next_row(void *ctx, struct page_row *row, int *error)
{
	struct page *p = ctx;
	struct kept k;

	while (temp_stream_next(&p->rows, &k, sizeof(k))) {
		uint32_t leaf = *leaf_of(p, &k);

		if (leaf == LEFT_OUT)
			continue;
		*row = (struct page_row){ k.time_ns, k.weight, k.event, k.thread, k.cpu, leaf };
		return true;
	}
	if (p->rows.error)
		*error = p->rows.error;
	return false;
}

static void rewind_series(void *ctx, size_t i)
{
	beside_rewind(&((struct page *)ctx)->beside, i);
}

static bool next_of_series(void *ctx, size_t i, uint64_t *row, int *error)
{
	struct page *p = ctx;
	bool got = beside_next(&p->beside, i, row);

	if (p->beside.error)
		*error = p->beside.error;
	return got;
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
static void name_others(struct page *p)
{
	struct intern known = { 0 };
	struct idmap at = { 0 };
	struct buf text = { 0 };
	struct page_thread t;

	for (size_t i = 0; i < p->part.thread_count; i++)
		*idmap_put(&at, thread_key(&known, &p->list[i])) = (uint32_t)i;
	p->beside.thread_list = xcalloc(p->beside.threads.count + 1, sizeof(uint32_t));
	for (size_t i = 0; beside_thread(&p->beside, i, &t); i++) {
		uint32_t *id;

		text.len = 0;
		if (t.comm && t.comm[0])
			buf_str(&text, t.comm);
		else
			comm_text(NULL, t.tid, &text);
		t.comm = answer_string(&p->answer, text.data);
		id = idmap_put(&at, thread_key(&known, &t));
		if (*id == IDMAP_NONE) {
			*id = (uint32_t)p->part.thread_count++;
			p->list[*id] = t;
		}
		p->beside.thread_list[i] = *id;
	}
	buf_release(&text);
	idmap_release(&at);
	intern_release(&known);
}

/* A label of its own for each command, and for the idle task, which filters tell apart. */
static void name_threads(struct page *p, const struct pdt_session *s)
{
	size_t count = p->threads.who_count;
	struct buf text = { 0 };

	p->labels = xcalloc(count + 1, sizeof(*p->labels));
	p->list = xcalloc(count + p->beside.threads.count + 1, sizeof(*p->list));
	for (uint32_t i = 0; i < count; i++) {
		struct who who = samples_who(&p->threads, i);
		const char *comm = pdt_comm(s, who.comm);

		text.len = 0;
		comm_text(comm, who.tid, &text);
		p->list[i] = (struct page_thread){ answer_string(&p->answer, text.data), who.pid,
						   who.tid };
		p->labels[i] = folding_label(&p->folding, comm, who.pid, who.tid) << 1 | who.idle;
	}
	buf_release(&text);
	p->part.thread_count = count;
	name_others(p);
	p->part.threads = p->list;
}

static uint32_t add_stack(struct page *p, const struct pdt_session *s, const struct kept *k)
{
	struct folding *f = &p->folding;
	uint32_t label = p->labels[k->thread];
	const char *comm = intern_str(&f->labels, label >> 1);
	uint32_t node;

	if (!where_passes(where_of(s, k->stack), filter_of(s), label & 1))
		return LEFT_OUT;
	folding_frames(f, s, k->stack, &f->list);
	node = page_tree_node(&p->tree, PAGE_NONE, stackset_frame(&f->set, comm, strlen(comm)));
	for (size_t i = f->list.count; i-- > 0;)
		node = page_tree_node(&p->tree, node, f->list.ids[i] & STACKSET_ID);
	return node;
}

/* What frames are, and where: by the first location that has them. */
static void place_names(struct page *p, const struct pdt_session *s)
{
	const struct frames *f = &p->folding.frames;
	size_t count = p->part.name_count;

	p->kinds = xcalloc(count + 1, sizeof(*p->kinds));
	p->modules = xcalloc(count + 1, sizeof(*p->modules));
	for (size_t i = 0; i < count; i++)
		p->modules[i] = "";
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
	p->part.kinds = p->kinds;
	p->part.modules = p->modules;
}

static void make_names(struct page *p, const struct pdt_session *s)
{
	const struct intern *names = &p->folding.set.names;

	p->part.name_count = names->count;
	p->names = xcalloc(names->count + 1, sizeof(*p->names));
	for (uint32_t i = 0; i < names->count; i++)
		p->names[i] = intern_str(names, i);
	p->part.names = p->names;
	place_names(p, s);
}

static void make_events(struct page *p, const struct pdt_session *s)
{
	size_t count = pdt_desc_count(s);

	p->events = xcalloc(count + 1, sizeof(*p->events));
	for (size_t i = 0; i < count; i++) {
		const struct pdt_desc *d = pdt_desc_at(s, i);
		struct unit unit = { 0 };
		struct folded_unit folded;
		struct samples none = { 0 };
		struct buf line = { 0 };

		unit_of_samples(&unit, &none, d, NULL);
		unit_folded(&unit, &folded);
		folded_unit_write(&folded, &line);
		p->events[i] = (struct page_event){
			.name = answer_string(&p->answer, pdt_desc_name(d)),
			.unit = answer_string(&p->answer, unit_name(&unit)),
			.unit_line = answer_string(&p->answer, line.data),
			.rate = pdt_desc_number(s, d, PDT_DESC_PERIOD),
		};
		buf_release(&line);
	}
	p->part.events = p->events;
	p->part.event_count = count;
}

/* All stacks of the samples become the tree. */
static void make_tree(struct page *p, const struct pdt_session *s)
{
	struct kept k;

	rewind_kept(p);
	while (temp_stream_next(&p->rows, &k, sizeof(k))) {
		uint32_t *leaf = leaf_of(p, &k);

		if (*leaf == IDMAP_NONE)
			*leaf = add_stack(p, s, &k);
		if (*leaf != LEFT_OUT)
			p->events[k.event].samples++;
	}
	beside_stacks(&p->beside, s, &p->folding, &p->tree);
	make_names(p, s);
	page_tree_order(&p->tree, p->names, p->part.name_count);
	for (size_t i = 0; i < p->leaves.slots; i++) {
		uint32_t *leaf = &p->leaves.table[i].value;

		if (*leaf < LEFT_OUT)
			*leaf = p->tree.now[*leaf];
	}
	beside_order(&p->beside, &p->tree);
	p->part.nodes = p->tree.nodes;
	p->part.node_count = p->tree.count;
}

/* As diff takes it: where the command line does not tell, samples of the idle task do. */
static struct page_input input_of(const struct page *p, const struct pdt_session *s)
{
	bool idle = false;

	for (size_t i = 0; i < p->part.thread_count; i++)
		idle |= !p->list[i].pid;
	return (struct page_input){
		.duration_ns = pdt_number(s, PDT_LAST_NS) - pdt_number(s, PDT_FIRST_NS),
		.lost = pdt_number(s, PDT_LOST_ANY),
		.samples = pdt_number(s, PDT_SAMPLES),
		.cpus = (uint32_t)pdt_number(s, PDT_CPUS_ONLINE),
		.system_wide = pdt_text(s, PDT_CMDLINE) ? pdt_number(s, PDT_IS_SYSTEM_WIDE) : idle,
	};
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct page *p = state;
	struct page_part *part = &p->part;

	answer_capture(&p->answer, s);
	missing_part(s, PART_STACK, w);
	beside_end(&p->beside, s);
	folding_name(&p->folding, s);
	name_threads(p, s);
	make_events(p, s);
	make_tree(p, s);
	if (p->rows.error || p->beside.error) {
		warn_add(w, SEV_FATAL, "trail", "the samples " TEMP_FAILED,
			 strerror(p->rows.error ?: p->beside.error));
		return ERR_IO;
	}
	part->begin = rewind_kept;
	part->next = next_row;
	part->series = p->beside.parts;
	part->series_count = p->beside.count;
	part->begin_series = rewind_series;
	part->next_of_series = next_of_series;
	part->beside = p->beside.rows;
	part->beside_first_ns = p->beside.first_ns;
	part->beside_last_ns = p->beside.last_ns;
	part->ctx = p;
	part->input = input_of(p, s);
	part->first_ns = pdt_number(s, PDT_FIRST_NS);
	part->last_ns = pdt_number(s, PDT_LAST_NS);
	part->has_time = part->last_ns || part->beside;
	part->has_wall = pdt_number(s, PDT_HAS_WALL);
	part->wall_ns = (int64_t)(pdt_number(s, PDT_WALL_NS) - pdt_number(s, PDT_CLOCK_NS));
	part->path = pdt_text(s, PDT_PATH);
	part->host = pdt_text(s, PDT_HOSTNAME);
	part->os = pdt_text(s, PDT_OSRELEASE);
	part->arch = pdt_text(s, PDT_ARCH);
	part->command = pdt_text(s, PDT_CMDLINE);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct page *p = state;

	answer_result(&p->answer, NULL, out);
	out->page = &p->part;
}

static void release(void *state)
{
	struct page *p = state;

	temp_stream_release(&p->rows);
	beside_release(&p->beside);
	folding_release(&p->folding);
	samples_release(&p->threads);
	page_tree_release(&p->tree);
	idmap_release(&p->leaves);
	free(p->labels);
	free(p->events);
	free(p->list);
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
	.single = true,
	.default_format = "html",
	.options = options,
	.state_size = sizeof(struct page),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
