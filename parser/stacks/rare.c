/* Forget the chains and stacks with the fewest samples. */
#include "parser/stacks/rare.h"
#include "parser/base/mem.h"
#include "parser/stacks/stacking.h"

#include <stdlib.h>
#include <string.h>

/* What there is for each stack and location elsewhere: rows of an analyzer, names. */
#define ROW_BYTES 28
#define LOC_BYTES 128
#define STEP_MIN  (64u << 10)
#define HITS	  (UINT8_MAX + 1)

static size_t stacks_bytes(const struct stacks *s)
{
	return s->count * (sizeof(*s->list) + ROW_BYTES) + s->id_count * sizeof(*s->loc_ids) +
	       pieces_bytes(&s->pieces) + s->loc_count * (sizeof(*s->locs) + LOC_BYTES);
}

/* Of the stack and its chain. */
static size_t bytes_of(const struct stack *e)
{
	return sizeof(struct chain) + e->count * (sizeof(uint64_t) + sizeof(uint32_t));
}

/* The most samples that a stack may have to be forgotten, so that all others have no more than
 * BYTES. */
static unsigned most_hits(const struct stacks *s, size_t bytes)
{
	size_t by_hits[HITS] = { 0 };
	unsigned most = HITS - 1;

	for (size_t i = 0; i < s->count; i++) {
		if (!(s->list[i].flags & PDT_STACK_RARE))
			by_hits[s->list[i].hits] += bytes_of(&s->list[i]);
	}
	while (most && by_hits[most] <= bytes) {
		bytes -= by_hits[most];
		most--;
	}
	return most < HITS - 1 ? most : HITS - 2; /* it may be any number of samples */
}

/* C without the chains that have no more than MOST samples; they were in OLD. */
static void keep_chains(struct chains *c, struct chains *old, const struct stacks *s, unsigned most)
{
	uint32_t id = 0, rare;
	struct chain *e;

	chains_init(c);
	rare = chains_rare(c);
	while ((e = chains_next(old, &id))) {
		/* those without a space wait for their first sample */
		unsigned hits = e->space ? s->list[e->stack].hits : 1;

		e->own = e->kind & CHAIN_RARE || hits <= most ? rare : chains_copy(c, old, e);
	}
}

/* The ids of E, which stays, go to the new ones. */
static void keep_ids(struct stacks *s, struct stack *e, const struct stacks *old)
{
	size_t ids = e->count + (e->flags & PDT_STACK_APART ? 1u : 0);
	const uint32_t *from = stack_ids(old, e);

	if (stack_is_deep(e)) {
		e->first = pieces_put(&s->pieces, from, ids);
		return;
	}
	memcpy(s->loc_ids + s->id_count, from, ids * sizeof(*from));
	e->first = (uint32_t)s->id_count;
	s->id_count += ids;
}

static uint64_t keep_stacks(struct stacks *s, unsigned most)
{
	struct stack rare;
	struct stacks old;
	uint32_t id = stacks_rare(s);
	uint64_t gone = 0;

	rare = s->list[id];
	old = *s;
	rare.hits = UINT8_MAX;
	s->loc_ids = NULL;
	s->id_cap = s->id_count = 0;
	s->loc_ids = xgrow(NULL, &s->id_cap, old.id_count, sizeof(*s->loc_ids));
	s->pieces = (struct pieces){ 0 };
	keep_ids(s, &rare, &old);
	for (size_t i = 0; i < s->count; i++) {
		struct stack *e = &s->list[i];

		if (e->flags & PDT_STACK_RARE || e->hits <= most) {
			gone += !(e->flags & PDT_STACK_RARE);
			*e = rare;
		} else {
			keep_ids(s, e, &old);
			e->hits = 0;
		}
	}
	free(old.loc_ids);
	pieces_release(&old.pieces);
	if (s->whole)
		s->whole[0] = 0;
	return gone;
}

/* What leads to stacks that are gone. */
static void forget_ways(struct stacks *s)
{
	uint64_t *old = s->table;

	if (s->shared)
		memset(s->shared, 0, STACKS_SHARED * sizeof(*s->shared));
	s->table = big_alloc(s->slots * sizeof(*s->table));
	s->variants = 0;
	for (size_t i = 0; i < s->slots; i++) {
		size_t to = old[i] >> 32 & (s->slots - 1);

		if (!old[i] || s->list[(uint32_t)old[i] - 1].flags & PDT_STACK_RARE)
			continue;
		while (s->table[to])
			to = (to + 1) & (s->slots - 1);
		s->table[to] = old[i];
		s->variants++;
	}
	big_free(old, s->slots * sizeof(*old));
}

bool rare_look(size_t max_bytes, struct stacks *s, struct chains *c, struct chains *old)
{
	size_t used = c->bytes + stacks_bytes(s), left, half = max_bytes / 2;
	bool over = used > max_bytes && !c->full;
	unsigned most;

	s->counting = used > half;
	if (over) {
		most = most_hits(s, max_bytes / 4);
		*old = *c;
		keep_chains(c, old, s, most);
		s->made_room += keep_stacks(s, most);
		forget_ways(s);
		used = c->bytes + stacks_bytes(s);
		c->full = used > max_bytes / 4 * 3;
	}
	left = used > max_bytes ? 0 : (used > half ? max_bytes : half) - used;
	c->look_at = c->full ? SIZE_MAX : c->bytes + (left / 4 > STEP_MIN ? left / 4 : STEP_MIN);
	return over;
}
