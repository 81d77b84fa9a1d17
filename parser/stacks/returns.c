/* Which addresses are return addresses: each is looked at in all stacks. */
#include "parser/stacks/stacks.h"

#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <stdlib.h>

#define PART_MIN 4096 /* stacks: fewer are looked at before a thread has begun */

/* What an address is in stacks: both is possible. Above these bits is its mode, so that what is
 * asked of a location lies in one byte. */
enum { LOC_EXACT = 1, LOC_RETURN = 2, LOC_BOTH = LOC_EXACT | LOC_RETURN };
#define MODE_SHIFT 2

struct uses {
	struct stacks *stacks;
	size_t parts;
	uint8_t *of;	 /* by location, those that are no twins */
	uint32_t *twins; /* by location: the one that is a return address, where it is both; NULL:
			    not yet */
};

/* The ids of STACK, which lie at IDS, are marked as what they are, or become those of twins. An
 * address where a stack begins, or where the kernel was entered, is exact, and so is a sample's
 * own. */
static inline void look(const struct uses *u, const struct stack *stack, uint32_t *ids)
{
	size_t before = stack_ids_before(stack->flags), count = before + stack->count;
	unsigned mode = 0;

	for (size_t k = 0; k < count; k++) {
		uint8_t *use = &u->of[ids[k]], now = __atomic_load_n(use, __ATOMIC_RELAXED);
		unsigned called = mode;
		uint8_t as;

		mode = now >> MODE_SHIFT;
		as = k <= before || mode != called ? LOC_EXACT : LOC_RETURN;
		if (!u->twins && !(now & as))
			(void)__atomic_fetch_or(use, as, __ATOMIC_RELAXED);
		else if (u->twins && as == LOC_RETURN && now & LOC_EXACT)
			ids[k] = u->twins[ids[k]];
	}
}

static void look_part(void *ctx, size_t i)
{
	const struct uses *u = ctx;
	struct stacks *s = u->stacks;

	for (size_t k = s->count * i / u->parts; k < s->count * (i + 1) / u->parts; k++) {
		struct stack *e = &s->list[k];

		if (!stack_is_deep(e))
			look(u, e, s->loc_ids + e->first);
	}
}

/* Deep stacks share their pieces and the room in which they are expanded. */
static void look_at_deep(const struct uses *u)
{
	struct stacks *s = u->stacks;

	for (size_t i = 0; i < s->count; i++) {
		struct stack *e = &s->list[i];

		if (!stack_is_deep(e))
			continue;
		(void)stack_ids(s, e);
		look(u, e, s->whole + 1);
		if (!u->twins)
			continue;
		e->first =
			pieces_put(&s->pieces, s->whole + 1, stack_ids_before(e->flags) + e->count);
		s->whole[0] = 0; /* they are no longer those of the pieces */
	}
}

static void look_at_all(struct uses *u)
{
	pool_for((unsigned)u->parts, u->parts, look_part, u);
	look_at_deep(u);
}

/* Locations that are both become two. */
static void make_twins(struct uses *u)
{
	struct stacks *s = u->stacks;
	size_t before = s->loc_count;

	for (size_t i = 0; i < before; i++) {
		if ((u->of[i] & LOC_BOTH) != LOC_BOTH)
			continue;
		if (!u->twins)
			u->twins = xcalloc(before, sizeof(*u->twins));
		u->twins[i] = (uint32_t)s->loc_count;
		s->locs = xgrow(s->locs, &s->loc_cap, s->loc_count + 1, sizeof(*s->locs));
		s->locs[s->loc_count] = s->locs[i];
		s->locs[s->loc_count++].twin = true;
		s->twins++;
	}
}

bool *stacks_returns(struct stacks *st, unsigned jobs)
{
	size_t before = st->loc_count, parts = st->count / PART_MIN;
	struct uses u = { .stacks = st, .parts = parts < jobs ? parts : jobs };
	bool *returns;

	u.parts += !u.parts;
	u.of = xmalloc(before + 1);
	for (size_t i = 0; i < before; i++)
		u.of[i] = (uint8_t)(st->locs[i].mode << MODE_SHIFT |
				    (st->locs[i].alone ? LOC_EXACT : 0));
	look_at_all(&u);
	make_twins(&u);
	if (u.twins)
		look_at_all(&u);
	returns = xcalloc(st->loc_count + 1, 1);
	for (size_t i = 0; i < st->loc_count; i++)
		returns[i] = i >= before || (u.of[i] & LOC_BOTH) == LOC_RETURN;
	free(u.of);
	free(u.twins);
	return returns;
}
