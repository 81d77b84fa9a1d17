/* Merges the ascending runs that the input is made of, one for each buffer of a round, a few
 * thousand entries at a time: so what waits is kept once, and stays where it is until a part of it
 * is gone. */
#include "parser/feed/order.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define READY 4096 /* entries that are merged at a time */

/* A part of the items that is in order. */
struct order_run {
	uint32_t next, stop; /* let go, and not merged yet */
	uint32_t end;	     /* from STOP on it waits; of the last run it is the end of all */
};

/* What is next in a run. */
struct order_head {
	uint64_t time_ns;
	uint32_t run;
};

static void free_records(const struct pending *p, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (p[i].flags & PENDING_RECORD)
			free(p[i].record);
	}
}

static void set_end(struct order *o)
{
	if (o->run_count)
		o->runs[o->run_count - 1].end = (uint32_t)o->count;
}

void order_release(struct order *o)
{
	set_end(o);
	if (o->ready)
		free_records(o->ready + o->next, o->ready_end - o->next);
	for (size_t i = 0; i < o->run_count; i++)
		free_records(o->items + o->runs[i].next, o->runs[i].end - o->runs[i].next);
	big_grown_free(o->items, o->cap * sizeof(*o->items));
	free(o->ready);
	free(o->runs);
	free(o->heads);
	memset(o, 0, sizeof(*o));
}

void order_begin_run(struct order *o)
{
	uint32_t at = (uint32_t)o->count;

	set_end(o);
	o->runs = xgrow(o->runs, &o->run_cap, o->run_count + 1, sizeof(*o->runs));
	o->runs[o->run_count++] = (struct order_run){ at, at, at };
}

void order_each(struct order *o, void (*take)(void *ctx, struct pending *p), void *ctx)
{
	set_end(o);
	for (size_t i = o->next ? o->next - 1 : 0; i < o->ready_end; i++)
		take(ctx, &o->ready[i]);
	for (size_t r = 0; r < o->run_count; r++) {
		for (size_t i = o->runs[r].next; i < o->runs[r].end; i++)
			take(ctx, &o->items[i]);
	}
}

/* ---- merging ---- */

/* Equal times: the run that is first in the file. */
static inline bool is_before(const struct order_head *a, const struct order_head *b)
{
	return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->run < b->run);
}

/* Let H take its place in the heap, from I on. */
static inline void sink(struct order *o, size_t i, struct order_head h)
{
	struct order_head *heap = o->heads;

	for (size_t k; (k = 2 * i + 1) < o->head_count; i = k) {
		k += k + 1 < o->head_count && is_before(&heap[k + 1], &heap[k]);
		if (is_before(&h, &heap[k]))
			break;
		heap[i] = heap[k];
	}
	heap[i] = h;
}

static void build_heap(struct order *o)
{
	size_t n = 0;

	o->heads = xgrow(o->heads, &o->head_cap, o->run_count, sizeof(*o->heads));
	for (size_t i = 0; i < o->run_count; i++) {
		const struct order_run *r = &o->runs[i];

		if (r->next < r->stop)
			o->heads[n++] =
				(struct order_head){ o->items[r->next].time_ns, (uint32_t)i };
	}
	o->head_count = n;
	for (size_t i = n / 2; i-- > 0;)
		sink(o, i, o->heads[i]);
}

/* Merge COUNT entries of those that were let go, which are as many at least. */
static void merge(struct order *o, size_t count)
{
	struct pending *out;

	o->ready = xgrow(o->ready, &o->ready_cap, o->ready_end + count, sizeof(*o->ready));
	out = o->ready + o->ready_end;
	o->ready_end += count;
	o->left -= count;
	while (count--) {
		struct order_head h = o->heads[0];
		struct order_run *r = &o->runs[h.run];

		*out++ = o->items[r->next++];
		if (r->next < r->stop)
			h.time_ns = o->items[r->next].time_ns;
		else
			h = o->heads[--o->head_count];
		sink(o, 0, h);
	}
}

void order_refill(struct order *o)
{
	o->next = o->ready_end = 0;
	merge(o, o->left < READY ? o->left : READY);
}

/* ---- what waits ---- */

/* Where the part of R that waits and is not newer than LIMIT ends. */
static uint32_t end_of(const struct order *o, const struct order_run *r, uint64_t limit)
{
	uint32_t lo = r->stop, hi = r->end;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (o->items[mid].time_ns <= limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void release_up_to(struct order *o, uint64_t limit)
{
	set_end(o);
	if (o->left) /* what was let go before comes before */
		merge(o, o->left);
	for (size_t i = 0; i < o->run_count; i++) {
		struct order_run *r = &o->runs[i];

		r->stop = end_of(o, r, limit);
		o->left += r->stop - r->next;
		if (r->next < r->stop && o->items[r->stop - 1].time_ns > o->emitted)
			o->emitted = o->items[r->stop - 1].time_ns;
	}
	o->waiting -= o->left;
	o->gone |= o->left > 0;
	build_heap(o);
}

void order_round(struct order *o)
{
	release_up_to(o, o->limit);
	/* it is the time of a record, which may be another session's */
	if (o->shared && o->limit > o->emitted)
		o->emitted = o->limit;
	o->limit = o->max_time;
	o->held_bytes = 0;
	o->passed_before = o->passed;
	o->passed = 0;
}

void order_end(struct order *o)
{
	release_up_to(o, UINT64_MAX);
}

/* The time that so many entries that wait are not newer than, and no older one is. */
static uint64_t time_of(const struct order *o, size_t count)
{
	uint64_t low = UINT64_MAX, high = o->max_time;

	for (size_t i = 0; i < o->run_count; i++) {
		const struct order_run *r = &o->runs[i];

		if (r->stop < r->end && o->items[r->stop].time_ns < low)
			low = o->items[r->stop].time_ns;
	}
	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		size_t n = 0;

		for (size_t i = 0; i < o->run_count; i++)
			n += end_of(o, &o->runs[i], mid) - o->runs[i].stop;
		if (n >= count)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* Move what waits to where what is gone was. */
static void close_up(struct order *o)
{
	size_t to = 0, runs = 0;

	set_end(o);
	for (size_t i = 0; i < o->run_count; i++) {
		struct order_run r = o->runs[i];
		uint32_t n = r.end - r.next;

		if (!n)
			continue;
		memmove(o->items + to, o->items + r.next, n * sizeof(*o->items));
		o->runs[runs++] =
			(struct order_run){ (uint32_t)to, (uint32_t)to, (uint32_t)to + n };
		to += n;
	}
	o->count = to;
	o->run_count = runs;
	o->last_time = runs ? o->items[to - 1].time_ns : UINT64_MAX;
	o->gone = false;
}

static bool is_full(const struct order *o)
{
	size_t all = o->waiting + o->passed + o->passed_before;

	return all && (all >= (o->max ? o->max : ORDER_MAX) ||
		       o->held_bytes > (o->max_bytes ? o->max_bytes : ORDER_MAX_BYTES));
}

void order_reserve(struct order *o, size_t count)
{
	if (o->gone && !o->left)
		close_up(o);
	if (is_full(o) && o->shared) {
		o->alone = true;
	} else if (is_full(o)) {
		set_end(o);
		release_up_to(o, time_of(o, o->waiting / 2 + 1));
		o->held_bytes = 0;
	}
	if (!o->run_count)
		o->last_time = UINT64_MAX;
	o->items = big_grow(o->items, &o->cap, o->count + count, sizeof(*o->items));
}
