/* Stacks under open addressing by their steps: many addresses come down to few functions. */
#include "analyzers/count/rows/kept.h"
#include "analyzers/count/samples.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct kept_stack *k, const uint32_t *steps)
{
	return hash_u64(hash_bytes(steps, k->count * sizeof(*steps)) ^ k->base);
}

void kept_add(struct kept *t, const struct kept_stack *k, const uint32_t *steps)
{
	uint64_t hash = hash_of(k, steps);
	uint32_t id;
	size_t at;

	t->frames += k->count;
	slots_reserve(&t->places);
	SLOTS_EACH(&t->places, hash, at, id)
	{
		struct kept_stack *had = &t->list[id];

		if (had->base != k->base || had->count != k->count ||
		    memcmp(t->steps + had->first, steps, k->count * sizeof(*steps)) != 0)
			continue;
		add_held(&had->weight, k->weight);
		add_held(&had->samples, k->samples);
		return;
	}
	slots_set(&t->places, at, hash, (uint32_t)t->count);
	t->steps = xgrow(t->steps, &t->step_cap, t->step_count + k->count, sizeof(*t->steps));
	memcpy(t->steps + t->step_count, steps, k->count * sizeof(*steps));
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count] = *k;
	t->list[t->count++].first = t->step_count;
	t->step_count += k->count;
}

void kept_release(struct kept *t)
{
	free(t->list);
	free(t->steps);
	slots_release(&t->places);
	*t = (struct kept){ 0 };
}
