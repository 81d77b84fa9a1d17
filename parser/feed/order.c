/* Natural merge sort of what waits: the input is a few ascending runs, one for each buffer of the
 * round. */
#include "parser/feed/order.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void order_release(struct order *o)
{
	for (size_t i = o->next; i < o->count; i++) {
		if (o->items[i].flags & PENDING_RECORD)
			free(o->items[i].record);
	}
	big_free(o->items, o->cap * sizeof(*o->items));
	big_free(o->spare, o->spare_cap * sizeof(*o->spare));
	memset(o, 0, sizeof(*o));
}

static size_t run_end(const struct pending *p, size_t from, size_t count)
{
	size_t i = from + 1;

	while (i < count && p[i - 1].time_ns <= p[i].time_ns)
		i++;
	return i < count ? i : count;
}

/* Merge P[a,b) and P[b,c) into OUT; equal times keep their order. */
static void merge(const struct pending *p, size_t a, size_t b, size_t c, struct pending *out)
{
	size_t i = a, j = b;

	/* without a branch: which run comes next is as good as random */
	while (i < b && j < c) {
		bool right = p[j].time_ns < p[i].time_ns;

		*out++ = p[right ? j : i];
		j += right;
		i += !right;
	}
	memcpy(out, p + i, (b - i) * sizeof(*p));
	out += b - i;
	memcpy(out, p + j, (c - j) * sizeof(*p));
}

/* One pass: merge neighbouring runs. How many are left; 0 when there was only one to begin with. */
static size_t merge_pass(const struct pending *p, size_t count, struct pending *out)
{
	size_t a = 0, runs = 0;

	while (a < count) {
		size_t b = run_end(p, a, count);
		size_t c = b < count ? run_end(p, b, count) : b;

		if (a == 0 && b == count)
			return 0;
		merge(p, a, b, c, out + a);
		a = c;
		runs++;
	}
	return runs;
}

static void swap_arrays(struct order *o)
{
	struct pending *items = o->items;
	size_t cap = o->cap;

	o->items = o->spare;
	o->cap = o->spare_cap;
	o->spare = items;
	o->spare_cap = cap;
}

/* Just as large as the other: as they change places, one that grows beyond it would make that one
 * grow, too, round by round. */
static void renew_spare(struct order *o)
{
	big_free(o->spare, o->spare_cap * sizeof(*o->spare));
	o->spare_cap = o->cap;
	o->spare = big_alloc(o->cap * sizeof(*o->spare));
}

static void sort(struct order *o)
{
	struct pending *p = o->items + o->ready_end;
	size_t n = o->count - o->ready_end, runs = 0;
	struct pending *out;

	if (!o->unsorted || !n)
		return;
	o->unsorted = false;
	o->last_time = o->max_time;
	if (o->spare_cap < o->cap)
		renew_spare(o);
	out = o->spare;
	while (runs != 1 && (runs = merge_pass(p, n, out))) {
		struct pending *t = p;

		p = out;
		out = t;
	}
	if (p == o->spare && !o->ready_end)
		swap_arrays(o);
	else if (p == o->spare)
		memcpy(o->items + o->ready_end, p, n * sizeof(*p));
}

static void release_up_to(struct order *o, uint64_t limit)
{
	size_t lo = o->ready_end, hi = o->count;

	if (lo == hi)
		return;
	sort(o);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (o->items[mid].time_ns <= limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > o->ready_end && o->items[lo - 1].time_ns > o->emitted)
		o->emitted = o->items[lo - 1].time_ns;
	o->ready_end = lo;
}

void order_round(struct order *o)
{
	release_up_to(o, o->limit);
	o->limit = o->max_time;
	o->held_bytes = 0;
}

void order_end(struct order *o)
{
	release_up_to(o, UINT64_MAX);
}

void order_reserve(struct order *o, size_t count)
{
	size_t waiting;

	if (o->next == o->ready_end && o->next > 0) { /* all that was ready is gone */
		memmove(o->items, o->items + o->next, (o->count - o->next) * sizeof(*o->items));
		o->count -= o->next;
		o->next = o->ready_end = 0;
	}
	waiting = o->count - o->ready_end;
	if (waiting && (waiting >= (o->max ? o->max : ORDER_MAX) ||
			o->held_bytes > (o->max_bytes ? o->max_bytes : ORDER_MAX_BYTES))) {
		sort(o);
		release_up_to(o, o->items[o->ready_end + waiting / 2].time_ns);
		o->held_bytes = 0;
	}
	o->items = big_grow(o->items, &o->cap, o->count + count, sizeof(*o->items));
}
