/* Each duration counts in the bucket of its kind, command and step. Memory follows the different
 * buckets, not the durations. */
#include "analyzers/store/latency.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/hdr.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <stdlib.h>
#include <string.h>

static const struct duration_source *const sources[] = { &sched_durations, &io_durations };

#define SOURCES (sizeof(sources) / sizeof(*sources))

const char *const latency_kinds[DURATIONS] = {
	[DURATION_WAITS] = "waits",	  [DURATION_OFFCPU] = "offcpu",
	[DURATION_IO_QUEUE] = "io-queue", [DURATION_IO_DEVICE] = "io-device",
	[DURATION_IO_TOTAL] = "io-total",
};

/* ---- while they come ---- */

/* Compared as bytes: no padding. */
struct cell_key {
	uint64_t step;
	uint32_t comm, what, kind, zero;
};

static uint32_t cell_of(struct latencies *l, enum duration_kind kind, const struct duration *d)
{
	const char *what = d->what ?: "";
	struct cell_key key = { .step = d->end_ns / l->step_ns,
				.comm = l->comm_of[d->thread],
				.what = intern_add(&l->whats, what, strlen(what)),
				.kind = kind };
	size_t had = l->keys.count;
	uint32_t cell = intern_add(&l->keys, (const char *)&key, sizeof(key));

	l->last[d->thread].of[kind] = (struct latency_last){ key.step, d->what, cell + 1 };
	if (cell < had)
		return cell;
	l->cells = xgrow(l->cells, &l->cell_cap, (size_t)cell + 1, sizeof(*l->cells));
	l->cells[cell] = (struct latency_cell){
		.step = key.step, .comm = key.comm, .what = key.what, .kind = (uint8_t)kind
	};
	return cell;
}

/* Mostly that of the one before of its thread and kind. */
static uint32_t last_cell_of(struct latencies *l, enum duration_kind kind, const struct duration *d)
{
	const struct latency_last *last = &l->last[d->thread].of[kind];

	if (last->cell && last->what == d->what && last->step == d->end_ns / l->step_ns)
		return last->cell - 1;
	return cell_of(l, kind, d);
}

static void add(void *ctx, enum duration_kind kind, const struct duration *d)
{
	struct latencies *l = ctx;
	struct latency_cell *c;
	uint32_t cell;

	if (l->filter->times.count && !num_list_has(&l->filter->times, d->end_ns))
		return;
	cell = last_cell_of(l, kind, d);
	c = &l->cells[cell];
	c->count++;
	(void)add_held(&c->sum_ns, d->ns);
	c->max_ns = d->ns > c->max_ns ? d->ns : c->max_ns;
	buckets_add(&l->numbers, cell, hdr_bucket(d->ns), 1);
	if (d->key) {
		const struct who who = { .step = c->step, .label = d->thread, .cpu = d->cpu };

		samples_count(&l->off, &who, (uint32_t)(d->key - 1), d->ns);
	}
}

static uint32_t thread(void *ctx, const char *comm, uint32_t pid, uint32_t tid)
{
	struct latencies *l = ctx;
	size_t had = l->threads.all.count;
	uint32_t id = lane_thread_id(&l->threads, comm, pid, tid);
	struct buf text = { 0 };

	if (id < had)
		return id;
	comm_text(comm && *comm ? comm : NULL, tid, &text);
	l->comm_of = xgrow(l->comm_of, &l->comm_cap, (size_t)id + 1, sizeof(*l->comm_of));
	l->last = xgrow_to(l->last, &l->last_count, &l->last_cap, id, sizeof(*l->last));
	l->comm_of[id] = intern_add(&l->comms, text.data, text.len);
	buf_release(&text);
	return id;
}

unsigned latencies_want(void)
{
	unsigned wants = 0;

	for (size_t i = 0; i < SOURCES; i++)
		wants |= sources[i]->wants;
	return wants;
}

void latencies_begin(struct latencies *l, uint64_t step_ns)
{
	*l = (struct latencies){ .step_ns = step_ns,
				 .sink = { add, thread, l },
				 .states = xcalloc(SOURCES, sizeof(*l->states)) };
	l->off.wants = WANT_NUMBERS;
	for (size_t i = 0; i < SOURCES; i++) {
		l->states[i] = xcalloc(1, sources[i]->state_size);
		sources[i]->begin(l->states[i], &l->sink);
	}
}

/* Formats may come later. */
static uint32_t sources_of(struct latencies *l, const struct pdt_event *e)
{
	uint32_t i = pdt_desc_index(e->desc), of = 0;

	if (i < l->source_count && l->sources[i])
		return l->sources[i];
	for (size_t k = 0; k < SOURCES; k++)
		of |= (uint32_t)(!e->format || !strcmp(pdt_format_system(e->format),
						       sources[k]->system))
		      << k;
	l->sources =
		xgrow_to(l->sources, &l->source_count, &l->source_cap, i, sizeof(*l->sources));
	l->sources[i] = e->format ? of | 1u << SOURCES : 0;
	return of;
}

void latencies_event(struct latencies *l, const struct pdt_event *e, const struct pdt_session *s)
{
	uint32_t of = e->kind == PDT_SAMPLE ? sources_of(l, e) : UINT32_MAX;

	l->filter = filter_of(s);
	for (size_t i = 0; i < SOURCES; i++) {
		if (of >> i & 1)
			sources[i]->event(l->states[i], e, s);
	}
}

void latencies_release(struct latencies *l)
{
	for (size_t i = 0; l->states && i < SOURCES; i++) {
		sources[i]->release(l->states[i]);
		free(l->states[i]);
	}
	free(l->states);
	free(l->sources);
	lane_threads_release(&l->threads);
	intern_release(&l->comms);
	intern_release(&l->whats);
	free(l->comm_of);
	free(l->last);
	intern_release(&l->keys);
	free(l->cells);
	buckets_release(&l->numbers);
	samples_release(&l->off);
	free(l->list);
	free(l->sorted);
	*l = (struct latencies){ 0 };
}

bool latencies_stack(const struct latencies *l, const struct pdt_session *s, struct folding *to,
		     uint32_t stack)
{
	for (size_t i = 0; i < SOURCES; i++) {
		if (sources[i]->stack)
			return sources[i]->stack(l->states[i], s, to, stack);
	}
	return false;
}

/* ---- the list ---- */

/* Cell I, with its texts. */
struct named {
	const struct latency_cell *cell;
	const char *comm, *what;
	uint32_t index;
};

static int by_place(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return compare_u64(x->cell->kind, y->cell->kind)
		       ?: compare_u64(x->cell->step, y->cell->step) ?: strcmp(x->comm, y->comm)
		       ?: strcmp(x->what, y->what);
}

/* Each cell's place in the list: to be freed. */
static uint32_t *make_list(struct latencies *l)
{
	size_t n = l->keys.count;
	struct named *sorted = xcalloc(n + 1, sizeof(*sorted));
	uint32_t *places = xcalloc(n + 1, sizeof(*places));

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = (struct named){ &l->cells[i], intern_str(&l->comms, l->cells[i].comm),
					    intern_str(&l->whats, l->cells[i].what), i };
	qsort(sorted, n, sizeof(*sorted), by_place);
	l->list = xcalloc(n + 1, sizeof(*l->list));
	for (size_t i = 0; i < n; i++) {
		const struct latency_cell *c = sorted[i].cell;

		l->list[i] = (struct store_latency){ .kind = latency_kinds[c->kind],
						     .comm = sorted[i].comm,
						     .what = sorted[i].what,
						     .step = c->step,
						     .count = c->count,
						     .sum_ns = c->sum_ns,
						     .max_ns = c->max_ns };
		places[sorted[i].index] = (uint32_t)i;
	}
	l->count = n;
	free(sorted);
	return places;
}

/* The numbers go to the list, ascending. */
static void sort_numbers(struct latencies *l)
{
	uint32_t *places = make_list(l);
	const struct bucket_count *n;

	buckets_sort(&l->numbers, places);
	free(places);
	n = l->numbers.list;
	l->sorted = xcalloc(l->numbers.count + 1, sizeof(*l->sorted));
	for (size_t i = 0; i < l->numbers.count; i++) {
		struct store_latency *of = &l->list[n[i].of];

		l->sorted[i] = (struct store_bucket){ n[i].bucket, n[i].count };
		if (!of->bucket_count++)
			of->buckets = &l->sorted[i];
	}
}

void latencies_end(struct latencies *l)
{
	for (size_t i = 0; i < SOURCES; i++)
		sources[i]->end(l->states[i]);
	samples_end(&l->off);
	sort_numbers(l);
}
