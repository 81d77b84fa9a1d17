/* Keeps what has begun under its key until its end comes. The number of open ones is bounded
 * by inflight.h; the oldest gives way and is counted. */
#include "analyzers/heat/pairs.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WALK_MAX 256 /* so many with one key are looked at for the oldest */

void pairs_init(struct pairs *p)
{
	memset(p, 0, sizeof(*p));
	inflight_init(&p->inflight);
}

void pairs_release(struct pairs *p)
{
	picked_release(&p->begin);
	picked_release(&p->end);
	inflight_release(&p->inflight);
	free(p->times);
}

/* ---- what to pair ---- */

static bool is_thread(const struct picked *side)
{
	return side->name_count == 1 &&
	       (!strcmp(side->names[0], "thread") || !strcmp(side->names[0], "tid"));
}

void pairs_pick(struct pairs *p, const char *const events[2], const struct name_list key[2])
{
	struct picked *sides[] = { &p->begin, &p->end };

	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		sides[i]->pattern = events[i];
		picked_fields(sides[i], &key[i]);
		if (!key[i].count)
			sides[i]->names[sides[i]->name_count++] = "thread";
	}
	p->by_thread = is_thread(&p->begin) && is_thread(&p->end);
}

/* ---- pairing ---- */

static bool key_of(struct pairs *p, const struct picked *side, const struct picked_binding *b,
		   const struct pdt_event *e, struct inflight_key *out)
{
	uint64_t h[2] = { HASH_K0, HASH_K1 };

	if (p->by_thread && !e->tid && e->has_cpu) /* the idle tasks: one for each CPU */
		h[0] = hash_fold(h[0] ^ e->cpu, HASH_K2);
	for (size_t i = 0; i < side->name_count; i++) {
		if (!picked_hash(&b->fields[i], e, h)) {
			p->keyless++;
			return false;
		}
	}
	*out = (struct inflight_key){ h[0], h[1] };
	return true;
}

static bool take_end(struct pairs *p, struct inflight_key key, uint64_t *begin_ns)
{
	uint32_t slot = inflight_find(&p->inflight, key), older;

	p->ends++;
	if (slot == INFLIGHT_NONE) {
		p->stray_ends++;
		return false;
	}
	older = inflight_older(&p->inflight, slot);
	p->nested += older != INFLIGHT_NONE;
	for (unsigned i = 0; p->oldest_first && older != INFLIGHT_NONE && i < WALK_MAX; i++) {
		slot = older;
		older = inflight_older(&p->inflight, slot);
	}
	*begin_ns = p->times[slot];
	inflight_remove(&p->inflight, slot);
	p->matched++;
	return true;
}

static void take_begin(struct pairs *p, struct inflight_key key, uint64_t time_ns)
{
	uint32_t slot = p->by_thread ? inflight_find(&p->inflight, key) : INFLIGHT_NONE;

	p->begins++;
	if (slot != INFLIGHT_NONE) {
		p->restarted++;
		inflight_remove(&p->inflight, slot);
	}
	if (inflight_full(&p->inflight)) {
		p->unended++;
		inflight_remove(&p->inflight, p->inflight.oldest);
	}
	slot = inflight_add(&p->inflight, key);
	p->times = xgrow(p->times, &p->time_cap, slot + 1, sizeof(*p->times));
	p->times[slot] = time_ns;
}

bool pairs_event(struct pairs *p, const struct pdt_event *e, uint64_t *begin_ns)
{
	const struct picked_binding *end = picked_bind(&p->end, e);
	const struct picked_binding *begin = picked_bind(&p->begin, e);
	struct inflight_key key;
	bool matched = false;

	/* an event that is meant by both ends one and begins the next */
	if (end && key_of(p, &p->end, end, e, &key))
		matched = take_end(p, key, begin_ns);
	if (begin && key_of(p, &p->begin, begin, e, &key))
		take_begin(p, key, e->time_ns);
	return matched;
}

void pairs_end(struct pairs *p)
{
	p->unended += p->inflight.used;
	inflight_release(&p->inflight);
}
