/* What a store is given of stacks: the same where a capture comes in and where its names become
 * better, so that both have the same frames. */
#include "analyzers/store/parts.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Room for the COUNT frames of one more stack. */
static uint32_t *begin_stack(struct store_parts *p, size_t count)
{
	p->ids = xgrow(p->ids, &p->id_cap, p->id_count + count, sizeof(*p->ids));
	return p->ids + p->id_count;
}

static bool has(const struct store_parts *p, uint32_t stack, const uint32_t *ids, size_t count)
{
	const struct store_stack *s = &p->stacks[stack];

	return s->count == count && !memcmp(p->ids + s->first, ids, count * sizeof(*ids));
}

/* The stack of the COUNT frames that were put there; many come down to few. */
static uint32_t end_stack(struct store_parts *p, size_t count)
{
	const uint32_t *ids = p->ids + p->id_count;
	uint64_t hash = hash_bytes(ids, count * sizeof(*ids));
	uint32_t stack;
	size_t at;

	slots_reserve(&p->places);
	SLOTS_EACH(&p->places, hash, at, stack)
	{
		if (has(p, stack, ids, count))
			return stack;
	}
	p->stacks = xgrow(p->stacks, &p->stack_cap, p->stack_count + 1, sizeof(*p->stacks));
	p->stacks[p->stack_count] = (struct store_stack){ p->id_count, (uint32_t)count };
	p->id_count += count;
	slots_set(&p->places, at, hash, (uint32_t)p->stack_count);
	return (uint32_t)p->stack_count++;
}

/* SESSION: its stack there. */
static uint32_t push_leaf(struct store_parts *p, uint32_t stack, uint32_t session)
{
	p->leaves = xgrow(p->leaves, &p->leaf_cap, p->leaf_count + 1, sizeof(*p->leaves));
	p->sessions = xgrow(p->sessions, &p->session_cap, p->leaf_count + 1, sizeof(*p->sessions));
	p->leaves[p->leaf_count] = stack;
	p->sessions[p->leaf_count] = session;
	return (uint32_t)p->leaf_count++;
}

uint32_t store_parts_push_row(struct store_parts *p, const uint32_t *frames, size_t count)
{
	uint32_t *ids = begin_stack(p, count);

	for (size_t i = 0; i < count; i++)
		ids[i] = frames[i] & STACKSET_ID;
	return push_leaf(p, end_stack(p, count), PDT_NONE);
}

uint32_t store_parts_push(struct store_parts *p, uint32_t label, const struct frame_list *list,
			  uint32_t stack)
{
	uint32_t *ids = begin_stack(p, list->count + 1);

	*ids++ = label;
	for (size_t i = list->count; i-- > 0;)
		*ids++ = list->ids[i] & STACKSET_ID;
	return push_leaf(p, end_stack(p, list->count + 1), stack);
}

/* Of a name in several modules it is the first of these by their names, so that captures agree. */
static void place_frame(struct store_frame *f, const char *module, uint8_t kind)
{
	int order = *f->module ? strcmp(module, f->module) : -1;

	if (!order && kind < f->kind)
		f->kind = kind;
	if (order >= 0)
		return;
	f->module = module;
	f->kind = kind;
}

/* What frames are, and where. */
static void place_frames(struct store_parts *p, const struct folding *folding,
			 const struct pdt_session *s)
{
	const struct frames *f = &folding->frames;
	const struct intern *names = &folding->set.names;

	p->frames = xcalloc(names->count + 1, sizeof(*p->frames));
	for (uint32_t i = 0; i < names->count; i++)
		p->frames[i] = (struct store_frame){ intern_str(names, i), "", 0 };
	for (uint32_t loc = 0; loc < f->locations; loc++) {
		const char *module = place_of((struct place){ s, loc });

		for (uint32_t i = f->first[loc]; i < f->first[loc + 1]; i++)
			place_frame(&p->frames[f->ids[i] & STACKSET_ID], module,
				    (uint8_t)((f->ids[i] & ~STACKSET_ID) >> STACKSET_KIND_SHIFT));
	}
	p->c.frame_count = names->count;
}

void store_parts_end(struct store_parts *p, const struct folding *f, const struct pdt_session *s)
{
	place_frames(p, f, s);
	p->c.frames = p->frames;
	p->c.stacks = p->stacks;
	p->c.stack_count = p->stack_count;
	p->c.frame_ids = p->ids;
	p->c.leaves = p->leaves;
	p->c.leaf_count = p->leaf_count;
}

/* By location as it is kept: its frames. */
static void keep_frames(struct store_parts *p, const struct frames *f)
{
	size_t count = 0;

	p->loc_first = xcalloc(f->locations + 1, sizeof(*p->loc_first));
	p->loc_frames = xcalloc(f->count + 1, sizeof(*p->loc_frames));
	for (size_t i = 0; i < f->locations; i++) {
		uint32_t loc = p->kept.locations[i];

		p->loc_first[i] = (uint32_t)count;
		for (uint32_t k = f->first[loc]; k < f->first[loc + 1]; k++)
			p->loc_frames[count++] = f->ids[k] & STACKSET_ID;
	}
	p->loc_first[f->locations] = (uint32_t)count;
}

void store_parts_keep(struct store_parts *p, const struct folding *f, const struct pdt_session *s)
{
	struct store_addresses *to = &p->addresses;
	uint32_t *place;

	kept_make(s, &p->kept);
	place = xcalloc(p->kept.stack_count + 1, sizeof(*place));
	for (uint32_t i = 0; i < p->kept.stack_count; i++)
		place[p->kept.order[i]] = i;
	p->chains = xcalloc(p->leaf_count + 1, sizeof(*p->chains));
	for (size_t i = 0; i < p->leaf_count; i++)
		p->chains[i] = place[p->sessions[i]];
	free(place);
	keep_frames(p, &f->frames);
	for (size_t i = 0; i < KEPT_COLUMNS; i++)
		to->columns[i] =
			(struct kept_column){ p->kept.columns[i].data, p->kept.columns[i].len };
	to->location_count = f->frames.locations;
	to->first = p->loc_first;
	to->frames = p->loc_frames;
	to->chains = p->chains;
	to->chain_count = p->kept.stack_count;
	p->c.addresses = to;
}

void store_parts_release(struct store_parts *p)
{
	free(p->frames);
	free(p->stacks);
	free(p->ids);
	slots_release(&p->places);
	free(p->leaves);
	free(p->sessions);
	kept_stacks_release(&p->kept);
	free(p->loc_first);
	free(p->loc_frames);
	free(p->chains);
	arena_release(&p->texts);
}
