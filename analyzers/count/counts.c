#include "analyzers/count/counts.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool same(const struct count_entry *a, const struct count_entry *b)
{
	return a->stack == b->stack && a->step == b->step && a->comm == b->comm &&
	       a->desc == b->desc && a->pid0 == b->pid0;
}

/* Where an entry like K is, or would be. */
static size_t slot_of(const struct counts *t, const struct count_entry *k)
{
	uint64_t a = (uint64_t)k->comm << 32 | k->stack;
	size_t i = hash_fold(a ^ HASH_K0, k->step ^ ((uint64_t)k->desc << 48) ^ HASH_K1) &
		   (t->slots - 1);

	while (t->table[i] && !same(&t->list[t->table[i] - 1], k))
		i = (i + 1) & (t->slots - 1);
	return i;
}

static void grow(struct counts *t)
{
	t->slots = t->slots ? t->slots * 2 : 1024;
	free(t->table);
	t->table = xcalloc(t->slots, sizeof(*t->table));
	for (size_t i = 0; i < t->count; i++)
		t->table[slot_of(t, &t->list[i])] = (uint32_t)i + 1;
}

void counts_add(struct counts *t, const struct event *e, uint64_t step)
{
	struct count_entry k = { .step = step,
				 .desc = e->desc->index,
				 .comm = e->comm,
				 .stack = e->stack,
				 .pid0 = !e->pid };
	struct count_entry *to;
	size_t i;

	if ((t->count + 1) * 2 > t->slots)
		grow(t);
	i = slot_of(t, &k);
	if (!t->table[i]) {
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count++] = k;
		t->table[i] = (uint32_t)t->count;
	}
	to = &t->list[t->table[i] - 1];
	t->overflow |= to->weight + e->weight < to->weight;
	to->weight = add_held(to->weight, e->weight);
	to->squares += (double)e->weight * (double)e->weight;
}

void counts_release(struct counts *t)
{
	free(t->list);
	free(t->table);
	memset(t, 0, sizeof(*t));
}
