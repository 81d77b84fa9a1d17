/* What has begun and not ended, found by key; the newest of several with one key first. */
#include "analyzers/count/inflight.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS_FIRST 1024

static const char *const pairings[] = { "newest|lifo", "oldest|fifo", NULL };

const struct option pair_options[] = {
	{ "pair", 0, OPT_WORD, 0, NULL,
	  "several I/Os at one place: whose a completion is, the newest's or the oldest's",
	  .words = pairings },
	{ 0 },
};

void inflight_init(struct inflight *f)
{
	memset(f, 0, sizeof(*f));
	f->free = f->newest = f->oldest = INFLIGHT_NONE;
}

void inflight_release(struct inflight *f)
{
	free(f->links);
	free(f->buckets);
	inflight_init(f);
}

static uint32_t *bucket_of(const struct inflight *f, struct inflight_key key)
{
	return &f->buckets[hash_fold(key.a ^ HASH_K0, key.b ^ HASH_K1) & (f->bucket_count - 1)];
}

static void link_in(struct inflight *f, uint32_t slot)
{
	struct inflight_link *l = &f->links[slot];
	uint32_t *bucket = bucket_of(f, l->key);

	l->before = INFLIGHT_NONE;
	l->after = *bucket;
	if (l->after != INFLIGHT_NONE)
		f->links[l->after].before = slot;
	*bucket = slot;
}

static void link_out(struct inflight *f, uint32_t slot)
{
	const struct inflight_link *l = &f->links[slot];

	if (l->before == INFLIGHT_NONE)
		*bucket_of(f, l->key) = l->after;
	else
		f->links[l->before].after = l->after;
	if (l->after != INFLIGHT_NONE)
		f->links[l->after].before = l->before;
}

static void age_in(struct inflight *f, uint32_t slot)
{
	f->links[slot].newer = INFLIGHT_NONE;
	f->links[slot].older = f->newest;
	if (f->newest == INFLIGHT_NONE)
		f->oldest = slot;
	else
		f->links[f->newest].newer = slot;
	f->newest = slot;
}

static void age_out(struct inflight *f, uint32_t slot)
{
	const struct inflight_link *l = &f->links[slot];

	if (l->newer == INFLIGHT_NONE)
		f->newest = l->older;
	else
		f->links[l->newer].older = l->older;
	if (l->older == INFLIGHT_NONE)
		f->oldest = l->newer;
	else
		f->links[l->older].newer = l->newer;
}

/* From the oldest on, so that chains keep their order. */
static void grow_buckets(struct inflight *f)
{
	f->bucket_count = f->bucket_count ? f->bucket_count * 2 : BUCKETS_FIRST;
	f->buckets = xrealloc(f->buckets, f->bucket_count * sizeof(*f->buckets));
	memset(f->buckets, 0xff, f->bucket_count * sizeof(*f->buckets));
	for (uint32_t i = f->oldest; i != INFLIGHT_NONE; i = f->links[i].newer)
		link_in(f, i);
}

uint32_t inflight_add(struct inflight *f, struct inflight_key key)
{
	uint32_t slot = f->free;

	if (f->used >= f->bucket_count)
		grow_buckets(f);
	if (slot == INFLIGHT_NONE) {
		f->links = xgrow(f->links, &f->cap, f->count + 1, sizeof(*f->links));
		slot = (uint32_t)f->count++;
	} else {
		f->free = f->links[slot].older;
	}
	f->used++;
	f->links[slot].key = key;
	link_in(f, slot);
	age_in(f, slot);
	return slot;
}

void inflight_remove(struct inflight *f, uint32_t slot)
{
	link_out(f, slot);
	age_out(f, slot);
	f->used--;
	f->links[slot].older = f->free;
	f->free = slot;
}

void inflight_move(struct inflight *f, uint32_t slot, struct inflight_key key)
{
	link_out(f, slot);
	age_out(f, slot);
	f->links[slot].key = key;
	link_in(f, slot);
	age_in(f, slot);
}

static uint32_t same_key(const struct inflight *f, uint32_t slot, struct inflight_key key)
{
	while (slot != INFLIGHT_NONE &&
	       (f->links[slot].key.a != key.a || f->links[slot].key.b != key.b))
		slot = f->links[slot].after;
	return slot;
}

uint32_t inflight_find(const struct inflight *f, struct inflight_key key)
{
	return f->used ? same_key(f, *bucket_of(f, key), key) : INFLIGHT_NONE;
}

uint32_t inflight_older(const struct inflight *f, uint32_t slot)
{
	return same_key(f, f->links[slot].after, f->links[slot].key);
}
