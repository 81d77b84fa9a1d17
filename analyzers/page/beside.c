/* Each source gets all events, and its rows are written as they are; ids of threads and stacks
 * become those of the page when they are read. */
#include "analyzers/page/beside.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <stdlib.h>
#include <string.h>

static const struct series_source *const sources[BESIDE_SOURCES] = { &sched_series, &io_series };

#define LEFT_OUT (UINT32_MAX - 1)

static const struct page_column gap_columns[] = {
	{ "start", PAGE_TIME }, { "length", PAGE_NUMBER }, { "lost", PAGE_NUMBER }, { 0 }
};
static const struct page_column recorded_columns[] = { { "start", PAGE_TIME },
						       { "length", PAGE_NUMBER },
						       { 0 } };

enum { GAPS, RECORDED }; /* series without a source */

/* ---- rows ---- */

static void add_row(struct beside *b, size_t i, const uint64_t *row)
{
	struct beside_series *x = &b->list[i];

	if (!b->any || row[0] < b->first_ns)
		b->first_ns = row[0];
	if (!b->any || row[0] + row[1] > b->last_ns)
		b->last_ns = row[0] + row[1];
	b->any = true;
	temp_stream_add(&x->stream, row, x->width * sizeof(*row));
	b->error = b->error ?: x->stream.error;
}

static void add(void *ctx, size_t i, const uint64_t *row)
{
	const struct beside_source *x = ctx;

	add_row(x->beside, x->first + i, row);
}

static uint32_t thread(void *ctx, const char *comm, uint32_t pid, uint32_t tid)
{
	const struct beside_source *x = ctx;

	return lane_thread_id(&x->beside->threads, comm, pid, tid);
}

static uint32_t text(void *ctx, size_t i, const char *text)
{
	const struct beside_source *x = ctx;

	return intern_add(&x->beside->texts[x->first + i], text, strlen(text));
}

bool beside_thread(const struct beside *b, size_t i, struct page_thread *t)
{
	struct lane_thread of;

	if (!lane_thread_at(&b->threads, i, &of))
		return false;
	t->comm = of.comm;
	t->pid = of.pid;
	t->tid = of.tid;
	return true;
}

/* ---- the life of it ---- */

unsigned beside_wants(void)
{
	unsigned wants = PDT_WANT_GAPS;

	for (size_t i = 0; i < BESIDE_SOURCES; i++)
		wants |= sources[i]->wants;
	return wants;
}

static void add_series(struct beside *b, struct beside_source *source,
		       const struct series_kind *kind)
{
	struct beside_series *x = &b->list[b->count++];

	x->source = source;
	x->name = kind->name;
	x->columns = kind->columns;
	while (kind->columns[x->width].name)
		x->width++;
}

void beside_begin(struct beside *b, struct intern *texts)
{
	static const struct series_kind own[] = {
		[GAPS] = { "gaps", gap_columns }, [RECORDED] = { "recorded", recorded_columns }
	};

	b->texts = texts;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		add_series(b, NULL, &own[i]);
	for (size_t i = 0; i < BESIDE_SOURCES; i++) {
		struct beside_source *x = &b->sources[i];

		*x = (struct beside_source){ .of = sources[i], .beside = b, .first = b->count };
		x->sink = (struct series_sink){ add, thread, text, x };
		for (size_t k = 0; k < x->of->count; k++)
			add_series(b, x, &x->of->kinds[k]);
		x->state = xcalloc(1, x->of->state_size);
		x->of->begin(x->state, &x->sink);
	}
}

void beside_release(struct beside *b)
{
	for (size_t i = 0; b->texts && i < BESIDE_SOURCES; i++) {
		b->sources[i].of->release(b->sources[i].state);
		free(b->sources[i].state);
		idmap_release(&b->sources[i].leaves);
	}
	for (size_t i = 0; i < b->count; i++)
		temp_stream_release(&b->list[i].stream);
	free(b->thread_list);
	lane_threads_release(&b->threads);
}

void beside_event(struct beside *b, const struct pdt_event *e, const struct pdt_session *s)
{
	for (size_t i = 0; i < BESIDE_SOURCES; i++)
		b->sources[i].of->event(b->sources[i].state, e, s);
}

static void add_gaps(struct beside *b, const struct pdt_session *s)
{
	const struct num_list *windows = &filter_of(s)->times;
	uint64_t span[2];
	int cause;

	for (size_t i = 0; pdt_gap(s, i, span, &cause); i++) {
		const uint64_t row[] = { span[0], span[1] - span[0], cause == PDT_GAP_LOST };

		if (num_list_within(windows, span[0], span[1]))
			add_row(b, GAPS, row);
	}
}

void beside_recorded(struct beside *b, uint64_t first_ns, uint64_t length_ns)
{
	const uint64_t row[] = { first_ns, length_ns };

	add_row(b, RECORDED, row);
	b->list[RECORDED].rows++; /* it has no stacks */
}

void beside_end(struct beside *b, const struct pdt_session *s)
{
	add_gaps(b, s);
	for (size_t i = 0; i < BESIDE_SOURCES; i++)
		b->sources[i].of->end(b->sources[i].state);
}

/* ---- reading ---- */

void beside_rewind(struct beside *b, size_t i)
{
	temp_stream_rewind(&b->list[i].stream);
	b->error = b->error ?: b->list[i].stream.error;
}

static bool next_written(struct beside *b, struct beside_series *x, uint64_t *row)
{
	bool got = !b->error && temp_stream_next(&x->stream, row, x->width * sizeof(*row));

	b->error = b->error ?: x->stream.error;
	return got;
}

bool beside_next(struct beside *b, size_t i, uint64_t *row)
{
	struct beside_series *x = &b->list[i];
	bool out;

	do {
		if (!next_written(b, x, row))
			return false;
		out = false;
		for (size_t c = 0; c < x->width; c++) {
			uint32_t node = 0;

			if (x->columns[c].kind == PAGE_THREAD)
				row[c] = b->thread_list[row[c]];
			if (x->columns[c].kind != PAGE_NODE || !row[c])
				continue;
			node = idmap_get(&x->source->leaves, row[c] - 1);
			out |= node == LEFT_OUT;
			row[c] = node + (uint64_t)1;
		}
	} while (out);
	return true;
}

/* ---- stacks ---- */

static uint32_t add_stack(const struct beside_source *x, const struct pdt_session *s,
			  struct folding *f, struct page_tree *tree, uint64_t key)
{
	struct stackset *set = &f->set;
	size_t first = set->frame_count;
	uint32_t node = PAGE_NONE;

	stackset_begin(set);
	if (!x->of->stack(x->state, s, f, key))
		return LEFT_OUT;
	for (size_t i = first; i < set->frame_count; i++)
		node = page_tree_node(tree, node, set->frames[i] & STACKSET_ID);
	set->frame_count = first;
	return node;
}

static void add_stacks(struct beside *b, size_t i, const struct pdt_session *s, struct folding *f,
		       struct page_tree *tree)
{
	struct beside_series *x = &b->list[i];
	uint64_t row[BESIDE_MOST];

	beside_rewind(b, i);
	while (next_written(b, x, row)) {
		bool out = false;

		for (size_t c = 0; c < x->width; c++) {
			uint32_t *leaf;

			if (x->columns[c].kind != PAGE_NODE || !row[c])
				continue;
			leaf = idmap_put(&x->source->leaves, row[c] - 1);
			if (*leaf == IDMAP_NONE)
				*leaf = add_stack(x->source, s, f, tree, row[c] - 1);
			out |= *leaf == LEFT_OUT;
		}
		x->rows += !out;
	}
}

void beside_stacks(struct beside *b, const struct pdt_session *s, struct folding *folding,
		   struct page_tree *tree)
{
	for (size_t i = 0; i < b->count; i++)
		add_stacks(b, i, s, folding, tree);
}

void beside_order(struct beside *b, const struct page_tree *tree)
{
	for (size_t i = 0; i < BESIDE_SOURCES; i++) {
		struct idmap *leaves = &b->sources[i].leaves;

		for (size_t k = 0; k < leaves->slots; k++) {
			if (leaves->table[k].value < LEFT_OUT)
				leaves->table[k].value = tree->now[leaves->table[k].value];
		}
	}
}
