/* Sums of weights by (who, stack). A stack is mostly taken by one thread or command: the first one
 * seen lies in arrays by stack id, a load away, the others in a hash table. */
#include "analyzers/count/samples.h"
#include "analyzers/analyzer.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define RECENT	     256
#define STACKS_AHEAD 256
#define WHO_NONE     UINT32_MAX

_Static_assert(sizeof(struct who) == 40, "compared as bytes");

void samples_forget(struct samples *s)
{
	intern_release(&s->whos);
	memset(&s->whos, 0, sizeof(s->whos));
	free(s->recent);
	free(s->others);
	s->recent = NULL;
	s->others = NULL;
	s->stack_count = s->slots = s->used = 0;
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

static inline bool is(const struct samples *s, uint32_t id, const struct who *who)
{
	return !memcmp(intern_str(&s->whos, id), who, sizeof(*who));
}

uint32_t samples_id(struct samples *s, const struct who *who)
{
	uint64_t hash;
	uint32_t *recent;

	if (s->recent && is(s, s->last, who))
		return s->last;
	hash = hash_words(who, sizeof(*who) / 8);
	if (!s->recent) {
		s->recent = xmalloc(RECENT * sizeof(*s->recent));
		memset(s->recent, 0xff, RECENT * sizeof(*s->recent));
	}
	recent = &s->recent[hash >> 32 & (RECENT - 1)];
	if (*recent == WHO_NONE || !is(s, *recent, who))
		*recent = intern_add(&s->whos, (const char *)who, sizeof(*who));
	return s->last = *recent;
}

struct who samples_who(const struct samples *s, uint32_t who)
{
	struct who out;

	memcpy(&out, intern_str(&s->whos, who), sizeof(out));
	return out;
}

/* ---- the other pairs ---- */

static size_t slot_of(const struct samples *s, uint32_t who, uint32_t stack)
{
	size_t i = hash_u64((uint64_t)who << 32 | stack) & (s->slots - 1);

	while (s->others[i].stack && (s->others[i].stack != stack || s->others[i].who != who))
		i = (i + 1) & (s->slots - 1);
	return i;
}

static void grow(struct samples *s)
{
	struct sample_sum *old = s->others;
	size_t n = s->slots;

	s->slots = n ? n * 2 : 1024;
	s->others = xcalloc(s->slots, sizeof(*s->others));
	for (size_t i = 0; i < n; i++) {
		if (old[i].stack)
			s->others[slot_of(s, old[i].who, old[i].stack)] = old[i];
	}
	free(old);
}

static struct sample_sum *other(struct samples *s, uint32_t who, uint32_t stack)
{
	struct sample_sum *to;

	if ((s->used + 1) * 2 > s->slots)
		grow(s);
	to = &s->others[slot_of(s, who, stack + 1)];
	s->used += !to->stack;
	to->who = who;
	to->stack = stack + 1;
	return to;
}

static void add_other(struct samples *s, uint32_t who, uint32_t stack, uint64_t weight)
{
	struct sample_sum *to = other(s, who, stack);

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
	double w = (double)weight;

	if (stack >= s->stack_count)
		more_stacks(s, stack);
	if (s->first_who[stack] == WHO_NONE) {
		s->first_who[stack] = who;
		samples_add(s, who, stack, weight);
		return;
	}
	s->weight += w;
	s->squares += w * w;
	add_other(s, who, stack, weight);
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

static void renumber(void *samples, const uint32_t *now, size_t count)
{
	struct samples *s = samples;
	struct samples old = *s;
	struct sample_sum pair;
	size_t at = 0;

	s->first_who = NULL;
	s->first_weight = s->first_number = NULL;
	s->first_squares = NULL;
	s->others = NULL;
	s->stack_count = s->who_cap = s->weight_cap = s->number_cap = s->squares_cap = 0;
	s->slots = s->used = 0;
	while (samples_next(&old, &at, &pair)) {
		pair.stack = pair.stack < count ? now[pair.stack] : pair.stack;
		add_pair(s, &pair);
	}
	free(old.first_who);
	free(old.first_weight);
	free(old.first_number);
	free(old.first_squares);
	free(old.others);
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
	for (; *at - s->stack_count < s->slots; ++*at) {
		const struct sample_sum *o = &s->others[*at - s->stack_count];

		if (!o->stack)
			continue;
		*out = *o;
		out->stack--;
		++*at;
		return true;
	}
	return false;
}
