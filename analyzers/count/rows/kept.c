/* Stacks under open addressing by their steps: many addresses come down to few functions. */
#include "analyzers/count/rows/kept.h"
#include "analyzers/count/samples.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_at_first(const struct kept *t, const struct kept_stack *k, const uint32_t *steps)
{
	uint64_t hash = hash_bytes(steps, k->count * sizeof(*steps));

	return hash_u64(hash ^ k->base) & (t->slots - 1);
}

static void grow(struct kept *t)
{
	free(t->table);
	t->slots = t->slots ? t->slots * 2 : 1024;
	t->table = xcalloc(t->slots, sizeof(*t->table));
	for (size_t n = 0; n < t->count; n++) {
		size_t i = slot_at_first(t, &t->list[n], t->steps + t->list[n].first);

		while (t->table[i])
			i = (i + 1) & (t->slots - 1);
		t->table[i] = (uint32_t)n + 1;
	}
}

static struct kept_stack *find(const struct kept *t, const struct kept_stack *k,
			       const uint32_t *steps, size_t *slot)
{
	size_t i;

	for (i = slot_at_first(t, k, steps); t->table[i]; i = (i + 1) & (t->slots - 1)) {
		struct kept_stack *had = &t->list[t->table[i] - 1];

		if (had->base == k->base && had->count == k->count &&
		    !memcmp(t->steps + had->first, steps, k->count * sizeof(*steps)))
			return had;
	}
	*slot = i;
	return NULL;
}

void kept_add(struct kept *t, const struct kept_stack *k, const uint32_t *steps)
{
	struct kept_stack *had;
	size_t slot = 0;

	if ((t->count + 1) * 2 > t->slots)
		grow(t);
	t->frames += k->count;
	had = find(t, k, steps, &slot);
	if (had) {
		add_held(&had->weight, k->weight);
		add_held(&had->samples, k->samples);
		return;
	}
	t->steps = xgrow(t->steps, &t->step_cap, t->step_count + k->count, sizeof(*t->steps));
	memcpy(t->steps + t->step_count, steps, k->count * sizeof(*steps));
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count] = *k;
	t->list[t->count++].first = t->step_count;
	t->step_count += k->count;
	t->table[slot] = (uint32_t)t->count;
}

void kept_release(struct kept *t)
{
	free(t->list);
	free(t->steps);
	free(t->table);
	*t = (struct kept){ 0 };
}
