/* By a few ids after the others, as long beginnings are the same (Bentley and Sedgewick, "Fast
 * Algorithms for Sorting and Searching Strings", 1997). These lie as keys in the list that is
 * sorted, as each look at the ids themselves is one at memory. */
#include "parser/session/stackorder.h"
#include "parser/base/mem.h"
#include "parser/base/numbered.h"

#include <stdlib.h>
#include <string.h>

#define FEW  8	  /* stacks, which are put in place one by one */
#define MANY 1024 /* of which all bits of their keys are looked at */

/* Stacks [from, to) that are alike up to DEPTH. */
struct range {
	size_t from, to;
	uint32_t depth;
};

struct sorting {
	const struct ordered_stacks *o;
	const struct stacks *of;
	unsigned bits, per_key; /* of an id; ids */
	struct numbered *list;	/* number: key_at() the depth of its range; id: the stack */
	struct range *todo;
	size_t todo_count, todo_cap;
};

/* Each id + 1; 0: the stack ends before. */
static uint64_t key_at(const struct sorting *s, size_t stack, uint32_t depth)
{
	uint64_t first = s->o->first[stack] + depth, end = s->o->first[stack + 1], key = 0;

	for (unsigned i = 0; i < s->per_key; i++, first++)
		key = key << s->bits | (first < end ? s->o->ids[first] + 1 : 0);
	return key;
}

/* Does the stack end among them? */
static bool key_ends(const struct sorting *s, uint64_t key)
{
	return !(key & (((uint64_t)1 << s->bits) - 1));
}

/* Ids lie anywhere: ask for those of stacks that come soon, and for where they are. */
static void want(const struct sorting *s, size_t i, size_t end, uint32_t depth)
{
	if (i + 24 < end)
		__builtin_prefetch(&s->o->first[s->list[i + 24].id]);
	if (i + 12 < end)
		__builtin_prefetch(&s->o->ids[s->o->first[s->list[i + 12].id] + depth]);
}

/* Of stacks with the same ids. */
static int by_end(const void *a, const void *b, void *stacks)
{
	const struct stacks *st = stacks;
	size_t x = ((const struct numbered *)a)->id, y = ((const struct numbered *)b)->id;
	int flags = st->list[x].flags - st->list[y].flags;

	return flags ? flags : (x > y) - (x < y);
}

/* Of stacks that are alike up to DEPTH. */
static bool is_before(const struct sorting *s, const struct numbered *x, const struct numbered *y,
		      uint32_t depth)
{
	uint64_t a = x->number, b = y->number;

	while (a == b && !key_ends(s, a)) {
		depth += s->per_key;
		a = key_at(s, x->id, depth);
		b = key_at(s, y->id, depth);
	}
	return a != b ? a < b : by_end(x, y, (void *)s->of) < 0;
}

static void sort_few(const struct sorting *s, struct range one)
{
	struct numbered *list = s->list;

	for (size_t i = one.from + 1; i < one.to; i++) {
		struct numbered moved = list[i];
		size_t at = i;

		for (; at > one.from && is_before(s, &moved, &list[at - 1], one.depth); at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

static void push_range(struct sorting *s, struct range one)
{
	if (one.to - one.from < 2)
		return;
	s->todo = xgrow(s->todo, &s->todo_cap, s->todo_count + 1, sizeof(*s->todo));
	s->todo[s->todo_count++] = one;
}

/* ONE has the same keys throughout. */
static void go_deeper(struct sorting *s, struct range one)
{
	if (one.to - one.from < 2)
		return;
	if (key_ends(s, s->list[one.from].number)) {
		qsort_r(s->list + one.from, one.to - one.from, sizeof(*s->list), by_end,
			(void *)s->of);
		return;
	}
	one.depth += s->per_key;
	for (size_t i = one.from; i < one.to; i++) {
		want(s, i, one.to, one.depth);
		s->list[i].number = key_at(s, s->list[i].id, one.depth);
	}
	push_range(s, one);
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Those below the middle one's key, those of it and those above it become ranges. */
static void split_range(struct sorting *s, struct range one)
{
	struct numbered *list = s->list;
	uint64_t middle = middle_of(list[one.from].number, list[(one.from + one.to) / 2].number,
				    list[one.to - 1].number);
	size_t low = one.from, at = one.from, high = one.to;

	while (at < high) {
		uint64_t key = list[at].number;
		size_t with = key < middle ? low++ : key > middle ? --high : at;
		struct numbered swapped = list[at];

		list[at] = list[with];
		list[with] = swapped;
		at += key <= middle;
	}
	push_range(s, (struct range){ one.from, low, one.depth });
	push_range(s, (struct range){ high, one.to, one.depth });
	go_deeper(s, (struct range){ low, high, one.depth });
}

static void split_many(struct sorting *s, struct range one)
{
	struct numbered *list = s->list + one.from;
	size_t n = one.to - one.from;

	numbered_sort(list, n);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && list[to].number == list[from].number;)
			to++;
		go_deeper(s, (struct range){ one.from + from, one.from + to, one.depth });
	}
}

static void sort(struct sorting *s)
{
	while (s->todo_count) {
		struct range one = s->todo[--s->todo_count];
		size_t n = one.to - one.from;

		if (n > MANY)
			split_many(s, one);
		else if (n > FEW)
			split_range(s, one);
		else
			sort_few(s, one);
	}
}

static void order(struct ordered_stacks *o, const struct stacks *st)
{
	struct sorting s = { .o = o, .of = st, .bits = 1 };

	for (; st->loc_count >> s.bits; s.bits++)
		;
	s.per_key = 64 / s.bits;
	s.list = xmalloc((o->count + 1) * sizeof(*s.list));
	for (size_t i = 0; i < o->count; i++)
		s.list[i] = (struct numbered){ key_at(&s, i, 0), i };
	push_range(&s, (struct range){ 0, o->count, 0 });
	sort(&s);
	o->order = xmalloc((o->count + 1) * sizeof(*o->order));
	for (size_t i = 0; i < o->count; i++)
		o->order[i] = (uint32_t)s.list[i].id;
	free(s.list);
	free(s.todo);
}

/* ---- their ids ---- */

static uint32_t ids_of(const struct stack *k)
{
	return k->count + !!(k->flags & PDT_STACK_APART);
}

void ordered_stacks_make(struct ordered_stacks *o, const struct stacks *st, const uint32_t *numbers)
{
	size_t at = 0;

	*o = (struct ordered_stacks){ .count = st->count };
	for (size_t i = 0; i < st->count; i++)
		o->room += ids_of(&st->list[i]) * sizeof(*o->ids);
	o->room += sizeof(*o->ids);
	o->ids = big_alloc(o->room);
	o->first = xmalloc((st->count + 1) * sizeof(*o->first));
	for (size_t i = 0; i < st->count; i++) {
		const struct stack *k = &st->list[i];
		uint32_t n = ids_of(k);
		const uint32_t *from = n ? stack_ids(st, k) : NULL;

		o->first[i] = at;
		for (uint32_t j = n; j-- > 0;)
			o->ids[at++] = numbers[from[j]];
	}
	o->first[st->count] = at;
	order(o, st);
}

void ordered_stacks_release(struct ordered_stacks *o)
{
	big_free(o->ids, o->room);
	free(o->first);
	free(o->order);
}
