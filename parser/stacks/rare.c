/* Forget the chains and stacks with the fewest samples. */
#include "parser/stacks/rare.h"
#include "parser/base/mem.h"
#include "parser/stacks/chainmove.h"
#include "parser/stacks/stacking.h"

#include <stdlib.h>
#include <string.h>

/* What there is for each stack and location elsewhere: rows of an analyzer, names. */
#define ROW_BYTES  28
#define LOC_BYTES  128
#define STEP_MIN   (64u << 10)
#define DROP_BYTES (4u << 20)
#define HITS	   (UINT8_MAX + 1)

static size_t stacks_bytes(const struct stacks *s)
{
	return s->count * (sizeof(*s->list) + ROW_BYTES) + s->id_count * sizeof(*s->loc_ids) +
	       pieces_bytes(&s->pieces) + s->loc_count * (sizeof(*s->locs) + LOC_BYTES);
}

/* Of the stack and its chain. */
static size_t bytes_of(const struct stack *e)
{
	return sizeof(struct chain) + sizeof(*e) + ROW_BYTES +
	       e->count * (sizeof(uint64_t) + sizeof(uint32_t));
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

/* Stacks on their way from OLD to NOW. */
struct move {
	struct stacks old, *now;
	uint32_t *locs;	  /* by old location: the new one + 1; NULL: they stay */
	uint32_t *stacks; /* by old id: the new one */
};

static uint32_t move_loc(struct move *m, uint32_t loc)
{
	if (!m->locs)
		return loc;
	if (!m->locs[loc])
		m->locs[loc] = stacks_location(m->now, m->old.locs[loc]) + 1;
	return m->locs[loc] - 1;
}

/* E, as it was, with its ids among the new ones. */
static struct stack move_stack(struct move *m, struct stack e)
{
	size_t count = e.count + (e.flags & PDT_STACK_APART ? 1u : 0);
	struct stacks *s = m->now;
	const uint32_t *from = stack_ids(&m->old, &e);
	uint32_t *to;

	s->loc_ids = xgrow(s->loc_ids, &s->id_cap, s->id_count + count, sizeof(*s->loc_ids));
	to = s->loc_ids + s->id_count;
	for (size_t i = 0; i < count; i++)
		to[i] = move_loc(m, from[i]);
	e.first = (uint32_t)s->id_count;
	if (stack_is_deep(&e))
		e.first = pieces_put(&s->pieces, to, count);
	else
		s->id_count += count;
	return e;
}

/* What does not stay becomes RARE. */
static void move_stacks(struct move *m, unsigned most, uint32_t rare)
{
	struct stacks *s = m->now;

	for (uint32_t i = 0; i < m->old.count; i++) {
		struct stack e = m->old.list[i];
		bool gone = e.flags & PDT_STACK_RARE || e.hits <= most;

		s->made_room += gone && !(e.flags & PDT_STACK_RARE);
		if (gone && m->locs) {
			m->stacks[i] = rare;
			continue;
		}
		e = gone ? s->list[rare] : move_stack(m, e);
		m->stacks[i] = m->locs ? (uint32_t)s->count++ : i;
		s->list[m->stacks[i]] = e;
	}
}

/* Locations begin anew. */
static void renumber(struct move *m)
{
	struct stacks *s = m->now;

	m->locs = xcalloc(s->loc_count + 1, sizeof(*m->locs));
	s->list = xcalloc(s->cap, sizeof(*s->list));
	s->count = 0;
	s->locs = NULL;
	s->loc_places = (struct slots){ 0 };
	s->loc_count = s->loc_cap = 0;
	s->rare = 0;
}

/* What leads to stacks follows them. */
static void move_ways(struct move *m, struct chains *c)
{
	struct stacks *s = m->now;
	struct chain *e;
	uint32_t id = 0;

	stacks_forget_near(s);
	s->table = big_alloc(s->slots * sizeof(*s->table));
	s->variants = 0;
	for (size_t i = 0; i < s->slots; i++) {
		uint64_t tag = m->old.table[i] >> 32;
		size_t to = tag & (s->slots - 1);
		uint32_t now;

		if (!m->old.table[i])
			continue;
		now = m->stacks[(uint32_t)m->old.table[i] - 1];
		if (s->list[now].flags & PDT_STACK_RARE)
			continue;
		while (s->table[to])
			to = (to + 1) & (s->slots - 1);
		s->table[to] = tag << 32 | (now + 1);
		s->variants++;
	}
	for (size_t i = 0; i < s->deferred.count; i++)
		s->deferred.list[i].stack = m->stacks[s->deferred.list[i].stack];
	while ((e = chains_next(c, &id))) {
		if (e->space)
			e->stack = m->stacks[e->stack];
	}
}

static void move_release(struct move *m)
{
	if (m->locs) {
		free(m->old.list);
		free(m->old.locs);
		slots_release(&m->old.loc_places);
	}
	free(m->old.loc_ids);
	pieces_release(&m->old.pieces);
	big_free(m->old.table, m->old.slots * sizeof(*m->old.table));
	free(m->locs);
	if (m->now->whole)
		m->now->whole[0] = 0;
}

static void forget(struct rare *r, unsigned most)
{
	struct stacks *s = r->stacks;
	uint32_t rare = stacks_rare(s);
	struct move m = { .old = *s, .now = s };

	r->old = *r->chains;
	keep_chains(r->chains, &r->old, s, most);
	r->now = m.stacks = xcalloc(s->count, sizeof(*m.stacks));
	r->count = s->count;
	s->loc_ids = NULL;
	s->id_cap = s->id_count = 0;
	s->pieces = (struct pieces){ 0 };
	if (r->renumbers)
		renumber(&m);
	if (r->renumbers)
		rare = stacks_rare(s);
	else
		s->list[rare] = move_stack(&m, s->list[rare]);
	move_stacks(&m, most, rare);
	move_ways(&m, r->chains);
	move_release(&m);
}

/* A sample or a stack waits for it. */
static bool is_waited_for(const struct chain *e)
{
	return !e->space || e->stack != PDT_NONE;
}

/* At least half of the chains can go: else there would be two of nearly all of them for a while,
 * and nothing won. */
static bool is_worth_it(const struct chains *c)
{
	size_t stay = 0, go = 0;
	uint32_t id = 0;

	for (struct chain *e; (e = chains_next(c, &id));)
		*(is_waited_for(e) ? &stay : &go) += 1;
	return go > stay;
}

bool rare_drop(struct rare *r)
{
	struct stacks *s = r->stacks;
	struct chains *c = r->chains;
	size_t least = DROP_BYTES;
	bool drops = is_worth_it(c);
	struct chain *e;
	uint32_t id = 0;

	if (drops) {
		r->old = *c;
		chains_init(c);
		while ((e = chains_next(&r->old, &id)))
			e->own = is_waited_for(e) ? chains_copy(c, &r->old, e) : 0;
		stacks_forget_near(s);
	}
	if (least > r->max_bytes / 4)
		least = r->max_bytes / 4;
	/* what stays may be much: then as much may come */
	c->look_at = c->bytes + (c->bytes > least ? c->bytes : least);
	if (c->bytes + stacks_bytes(s) <= r->max_bytes)
		return drops;
	(void)chains_rare(c);
	c->full = true;
	c->look_at = SIZE_MAX;
	return drops;
}

bool rare_look(struct rare *r)
{
	struct stacks *s = r->stacks;
	struct chains *c = r->chains;
	size_t used = c->bytes + stacks_bytes(s), left, half = r->max_bytes / 2;
	bool full = used > r->max_bytes && !c->full, over = full && !r->keeps;

	s->counting = used > half && !r->keeps;
	if (full && r->keeps) {
		(void)chains_rare(c);
		c->full = true;
	}
	if (over) {
		forget(r, most_hits(s, r->max_bytes / 4));
		used = c->bytes + stacks_bytes(s);
		c->full = used > r->max_bytes / 4 * 3;
	}
	left = used > r->max_bytes ? 0 : (used > half ? r->max_bytes : half) - used;
	c->look_at = c->full ? SIZE_MAX : c->bytes + (left / 4 > STEP_MIN ? left / 4 : STEP_MIN);
	return over;
}

bool rare_is_full(struct rare *r)
{
	struct chains *c = r->chains;
	size_t used = c->bytes + stacks_bytes(r->stacks), left;

	left = used > r->max_bytes ? 0 : r->max_bytes - used;
	c->look_at = c->bytes + (left / 4 > STEP_MIN ? left / 4 : STEP_MIN);
	return used > r->max_bytes;
}

void rare_done(struct rare *r)
{
	chains_release(&r->old);
	free(r->now);
	r->now = NULL;
}
