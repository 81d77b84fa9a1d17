/* Sums of weights by (who, stack). A stack is mostly taken by one thread or command: the first one
 * seen lies in arrays by stack id, a load away, the others in a hash table. */
#include "analyzers/count/samples.h"
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "parser/base/compare.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/shares.h"

#include <stdlib.h>
#include <string.h>

#define RECENT	     256
#define RECENT_PAIRS 4096
#define STACKS_AHEAD 256
#define WHO_NONE     UINT32_MAX
#define WHO_BYTES    400 /* with its rows */
#define PAIR_BYTES   64

_Static_assert(sizeof(struct who) == 32, "compared as bytes");

static void forget_others(struct samples *s)
{
	free(s->others);
	slots_release(&s->other_places);
	s->others = NULL;
	s->other_count = s->other_cap = 0;
}

/* Count those that came last. */
static void count_late(struct samples *s)
{
	size_t count = s->late_count;

	for (size_t i = count < SAMPLES_LATE ? 0 : count - SAMPLES_LATE; i < count; i++) {
		const struct late_sample *l = &s->late[i % SAMPLES_LATE];

		samples_add(s, l->who, l->stack, l->weight);
	}
	s->late_count = 0;
}

void samples_end(struct samples *s)
{
	count_late(s);
	free(s->recent);
	s->recent = NULL;
	free(s->pairs);
	s->pairs = NULL;
	slots_release(&s->who_ids);
	slots_release(&s->other_places);
}

void samples_forget(struct samples *s)
{
	samples_end(s);
	free(s->whos);
	s->whos = NULL;
	s->who_count = s->who_room = s->full_at = s->made_room = 0;
	forget_others(s);
	s->stack_count = 0;
}

void samples_release(struct samples *s)
{
	samples_forget(s);
	free(s->first_who);
	free(s->first_weight);
	free(s->first_number);
	free(s->first_squares);
	memset(s, 0, sizeof(*s));
}

/* ---- whos ---- */

/* Here and below member by member, and none with the one that lies beside it: what was just written
 * as two numbers is slow to be read as one. */
static inline bool is_same(const struct who *a, const struct who *b)
{
	return a->label == b->label && a->cpu == b->cpu && a->desc == b->desc &&
	       a->step == b->step && a->tid == b->tid && a->pid == b->pid && a->comm == b->comm &&
	       a->idle == b->idle && a->others == b->others;
}

static inline bool is(const struct samples *s, uint32_t id, const struct who *who)
{
	return is_same(&s->whos[id], who);
}

static inline uint64_t hash_who(const struct who *who)
{
	uint64_t whose = hash_fold((uint64_t)who->label << 32 | who->tid, HASH_K1);
	uint64_t where = (uint64_t)who->pid << 32 | who->cpu;
	uint64_t what = who->desc << 2 | who->idle << 1 | who->others;

	return hash_fold(who->step ^ whose ^ HASH_K0,
			 where ^ (what << 32 | who->comm) * HASH_K2 ^ HASH_K3);
}

static uint32_t add_who(struct samples *s, const struct who *who, uint64_t hash)
{
	uint32_t id;
	size_t at;

	slots_reserve(&s->who_ids);
	SLOTS_EACH(&s->who_ids, hash, at, id)
	{
		if (is(s, id, who))
			return id;
	}
	s->whos = xgrow(s->whos, &s->who_room, s->who_count + 1, sizeof(*s->whos));
	s->whos[s->who_count] = *who;
	slots_set(&s->who_ids, at, hash, (uint32_t)s->who_count);
	return (uint32_t)s->who_count++;
}

static void rebuild(struct samples *s, const uint32_t *stacks, size_t count, const uint32_t *whos);

static size_t samples_bytes(const struct samples *s)
{
	return s->who_count * WHO_BYTES + s->other_count * PAIR_BYTES;
}

static inline bool is_full(const struct samples *s)
{
	return s->max_bytes && samples_bytes(s) > (s->full_at ?: s->max_bytes);
}

static int by_weight(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)b, *(const uint64_t *)a);
}

/* What a who must weigh at least, so that no more than COUNT stay. */
static uint64_t least_weight(const struct samples *s, const uint64_t *weights, size_t count)
{
	uint64_t *sorted = xmalloc((s->who_count + 1) * sizeof(*sorted)), least;

	memcpy(sorted, weights, s->who_count * sizeof(*sorted));
	qsort(sorted, s->who_count, sizeof(*sorted), by_weight);
	sorted[s->who_count] = 0;
	least = count < s->who_count ? sorted[count] + 1 : 0;
	free(sorted);
	return least;
}

static uint64_t *who_weights(const struct samples *s)
{
	uint64_t *weights = xcalloc(s->who_count + 1, sizeof(*weights));
	struct sample_sum pair;

	for (size_t at = 0; samples_next(s, &at, &pair);)
		(void)add_held(&weights[pair.who], pair.weight);
	return weights;
}

static void index_whos(struct samples *s)
{
	slots_release(&s->who_ids);
	for (size_t i = 0; i < s->who_count; i++) {
		uint64_t hash = hash_who(&s->whos[i]);
		size_t at;
		uint32_t id;

		slots_reserve(&s->who_ids);
		SLOTS_EACH(&s->who_ids, hash, at, id);
		slots_set(&s->who_ids, at, hash, (uint32_t)i);
	}
	memset(s->recent, 0xff, RECENT * sizeof(*s->recent));
}

/* The rarest whos are one for each event, but for ID; returns what ID is now. */
static uint32_t make_room(struct samples *s, uint32_t id)
{
	uint64_t *weights, least;
	uint32_t *now = xmalloc(s->who_count * sizeof(*now));
	struct samples kept = { 0 }; /* whos alone */

	count_late(s);
	weights = who_weights(s);
	least = least_weight(s, weights, s->max_bytes / 4 / WHO_BYTES);

	for (uint32_t i = 0; i < s->who_count; i++) {
		const struct who *w = &s->whos[i];
		struct who others = { .desc = w->desc, .idle = w->idle, .others = 1 };
		bool stays = i == id || w->others || weights[i] >= least;

		now[i] = add_who(&kept, stays ? w : &others, hash_who(stays ? w : &others));
		s->made_room += !stays;
	}
	free(weights);
	free(s->whos);
	slots_release(&kept.who_ids);
	s->whos = kept.whos;
	s->who_count = kept.who_count;
	s->who_room = kept.who_room;
	if (s->relabel)
		s->relabel(s->relabel_ctx, s->whos, s->who_count);
	index_whos(s);
	rebuild(s, NULL, 0, now);
	id = now[id];
	free(now);
	s->full_at = samples_bytes(s) * 2 > s->max_bytes ? samples_bytes(s) * 2 : s->max_bytes;
	return id;
}

uint32_t samples_id(struct samples *s, const struct who *who)
{
	uint64_t hash;
	uint32_t *recent;

	if (s->recent && is(s, s->last, who))
		return s->last;
	hash = hash_who(who);
	if (!s->recent) {
		s->recent = xmalloc(RECENT * sizeof(*s->recent));
		memset(s->recent, 0xff, RECENT * sizeof(*s->recent));
	}
	recent = &s->recent[hash >> 32 & (RECENT - 1)];
	if (*recent == WHO_NONE || !is(s, *recent, who))
		*recent = add_who(s, who, hash);
	s->last = *recent;
	if (is_full(s))
		s->last = make_room(s, s->last);
	return s->last;
}

/* ---- the other pairs ---- */

static uint64_t hash_pair(uint32_t who, uint32_t stack)
{
	return hash_u64((uint64_t)who << 32 | stack);
}

static struct sample_sum *other(struct samples *s, uint32_t who, uint32_t stack)
{
	uint64_t hash = hash_pair(who, stack);
	struct sample_sum *to;
	uint32_t id;
	size_t at;

	slots_reserve(&s->other_places);
	SLOTS_EACH(&s->other_places, hash, at, id)
	{
		to = &s->others[id];
		if (to->stack == stack && to->who == who)
			return to;
	}
	s->others = xgrow(s->others, &s->other_cap, s->other_count + 1, sizeof(*s->others));
	slots_set(&s->other_places, at, hash, (uint32_t)s->other_count);
	to = &s->others[s->other_count++];
	*to = (struct sample_sum){ .who = who, .stack = stack };
	return to;
}

static void add_other(struct samples *s, struct sample_sum *to, uint64_t weight)
{
	s->weight += weight;
	s->squares += (unsigned __int128)weight * weight;
	s->overflow |= add_held(&to->weight, weight);
	to->samples++;
	to->squares += (double)weight * (double)weight;
}

/* ---- counting ---- */

/* Make room for STACK, and for others that come soon. */
static void more_stacks(struct samples *s, uint32_t stack)
{
	size_t n = ((size_t)stack / STACKS_AHEAD + 1) * STACKS_AHEAD;
	size_t old = s->stack_count, more = n - old;

	s->first_who = xgrow(s->first_who, &s->who_cap, n, sizeof(*s->first_who));
	memset(s->first_who + old, 0xff, more * sizeof(*s->first_who));
	s->first_weight = xgrow(s->first_weight, &s->weight_cap, n, sizeof(*s->first_weight));
	memset(s->first_weight + old, 0, more * sizeof(*s->first_weight));
	if (s->wants & WANT_NUMBERS) {
		s->first_number =
			xgrow(s->first_number, &s->number_cap, n, sizeof(*s->first_number));
		memset(s->first_number + old, 0, more * sizeof(*s->first_number));
	}
	if (s->wants & WANT_SQUARES) {
		s->first_squares =
			xgrow(s->first_squares, &s->squares_cap, n, sizeof(*s->first_squares));
		memset(s->first_squares + old, 0, more * sizeof(*s->first_squares));
	}
	s->stack_count = n;
}

void samples_add_other(struct samples *s, uint32_t who, uint32_t stack, uint64_t weight)
{
	if (stack >= s->stack_count)
		more_stacks(s, stack);
	if (s->first_who[stack] == WHO_NONE) {
		s->first_who[stack] = who;
		samples_add(s, who, stack, weight);
		return;
	}
	add_other(s, other(s, who, stack), weight);
}

/* ---- pairs that take turns ---- */

struct recent_pair {
	struct who who;
	struct samples_place at;
};

static struct recent_pair *recent_pair(struct samples *s, const struct who *who, uint32_t stack)
{
	if (!s->pairs)
		s->pairs = xcalloc(RECENT_PAIRS, sizeof(*s->pairs));
	return &s->pairs[(hash_who(who) ^ stack * HASH_K1 >> 32) % RECENT_PAIRS];
}

/* One that was not seen lately. */
static struct recent_pair *count_other(struct samples *s, const struct who *who, uint32_t stack,
				       uint64_t weight)
{
	uint32_t id = samples_id(s, who), place = SAMPLES_FIRST;
	struct recent_pair *p;

	if (stack < s->stack_count && s->first_who[stack] != id &&
	    s->first_who[stack] != WHO_NONE) {
		struct sample_sum *to = other(s, id, stack);

		add_other(s, to, weight);
		place = (uint32_t)(to - s->others) + 1;
	} else {
		samples_add(s, id, stack, weight);
	}
	p = recent_pair(s, who, stack);
	*p = (struct recent_pair){ *who, { id, stack, place, s->moves } };
	return p;
}

bool samples_again(struct samples *s, const struct samples_place *p, uint64_t weight)
{
	if (!p->place || p->moves != s->moves || is_full(s))
		return false;
	if (p->place == SAMPLES_FIRST)
		samples_add(s, p->who, p->stack, weight);
	else
		add_other(s, &s->others[p->place - 1], weight);
	return true;
}

const struct samples_place *samples_count(struct samples *s, const struct who *who, uint32_t stack,
					  uint64_t weight)
{
	struct recent_pair *p = recent_pair(s, who, stack);

	if (p->at.stack != stack || !is_same(&p->who, who) || !samples_again(s, &p->at, weight))
		p = count_other(s, who, stack, weight);
	return &p->at;
}

/* A pair, of which there may be some already. */
static void add_pair(struct samples *s, const struct sample_sum *p)
{
	struct sample_sum *to;

	if (p->stack >= s->stack_count)
		more_stacks(s, p->stack);
	if (s->first_who[p->stack] == WHO_NONE)
		s->first_who[p->stack] = p->who;
	if (s->first_who[p->stack] == p->who) {
		s->overflow |= add_held(&s->first_weight[p->stack], p->weight);
		if (s->wants & WANT_NUMBERS)
			s->first_number[p->stack] += p->samples;
		if (s->wants & WANT_SQUARES)
			s->first_squares[p->stack] += p->squares;
		return;
	}
	to = other(s, p->who, p->stack);
	s->overflow |= add_held(&to->weight, p->weight);
	to->samples += p->samples;
	to->squares += p->squares;
}

/* The pairs with other ids: of COUNT stacks, and of whos; NULL: they stay. */
static void rebuild(struct samples *s, const uint32_t *stacks, size_t count, const uint32_t *whos)
{
	struct samples old = *s;
	struct sample_sum pair;
	size_t at = 0;

	s->first_who = NULL;
	s->first_weight = s->first_number = NULL;
	s->first_squares = NULL;
	s->others = NULL;
	s->other_places = (struct slots){ 0 };
	s->stack_count = s->who_cap = s->weight_cap = s->number_cap = s->squares_cap = 0;
	s->other_count = s->other_cap = 0;
	free(s->pairs);
	s->pairs = NULL;
	s->moves++;
	while (samples_next(&old, &at, &pair)) {
		pair.stack = pair.stack < count ? stacks[pair.stack] : pair.stack;
		pair.who = whos ? whos[pair.who] : pair.who;
		add_pair(s, &pair);
	}
	free(old.first_who);
	free(old.first_weight);
	free(old.first_number);
	free(old.first_squares);
	forget_others(&old);
}

/* What whos of FROM are here. */
static uint32_t *take_whos(struct samples *s, const struct samples *from,
			   const struct share_ids *ids, const uint32_t *labels)
{
	uint32_t *now = xmalloc((from->who_count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->who_count; i++) {
		struct who who = from->whos[i];

		if (who.comm < ids->comm_count)
			who.comm = ids->comms[who.comm];
		if (labels)
			who.label = labels[who.label];
		now[i] = samples_id(s, &who);
	}
	return now;
}

void samples_take(struct samples *s, struct samples *from, const struct share_ids *ids,
		  const uint32_t *labels)
{
	uint32_t *whos = take_whos(s, from, ids, labels);
	struct sample_sum pair;

	count_late(from);
	for (size_t at = 0; samples_next(from, &at, &pair);) {
		pair.stack += ids->first_stack;
		pair.who = whos[pair.who];
		add_pair(s, &pair);
	}
	free(whos);
	s->weight += from->weight;
	s->squares += from->squares;
	s->overflow |= from->overflow;
	samples_release(from);
}

static void renumber(void *samples, const uint32_t *now, size_t count)
{
	count_late(samples);
	rebuild(samples, now, count, NULL);
}

void samples_follow(struct samples *s, struct asked *o)
{
	o->renumbered = renumber;
	o->renumbered_ctx = s;
}

bool samples_next(const struct samples *s, size_t *at, struct sample_sum *out)
{
	for (; *at < s->stack_count; ++*at) {
		size_t i = *at;

		if (s->first_who[i] == WHO_NONE)
			continue;
		*out = (struct sample_sum){ .who = s->first_who[i],
					    .stack = (uint32_t)i,
					    .weight = s->first_weight[i] };
		if (s->wants & WANT_NUMBERS)
			out->samples = s->first_number[i];
		if (s->wants & WANT_SQUARES)
			out->squares = s->first_squares[i];
		++*at;
		return true;
	}
	if (*at - s->stack_count >= s->other_count)
		return false;
	*out = s->others[(*at)++ - s->stack_count];
	return true;
}

#define MADE_ROOM "rare threads or other keys of samples made room: they count as [others]"

void samples_warn_rare(const struct samples *s, const struct pdt_session *of, struct warnings *w)
{
	if (s->made_room)
		warn_add(w, SEV_WARN, "others", "%s: %zu " MADE_ROOM " (see --max-memory)",
			 pdt_text(of, PDT_PATH), s->made_room);
}

void samples_rare(size_t made_room, struct answer *a)
{
	if (made_room)
		answer_warn(a, "others", "%s " MADE_ROOM, COUNT_TEXT(made_room));
}
