/* Samples counted under ids while events flow: under who took them and under their stack, which
 * also says where they were (stack_ip()). Memory follows the different pairs, not the samples.
 *
 * What stands on it names these ids once, at the end of each capture: rows, shares, folded stacks.
 */
#ifndef PDTOOL_SAMPLES_H
#define PDTOOL_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/held.h"
#include "parser/base/slots.h"

struct answer;
struct asked;
struct pdt_session;
struct share_ids;
struct warnings;

/* Whose a sample is. What a user of the kit does not ask for is 0. Compared as bytes: no padding.
 */
struct who {
	uint64_t step;	      /* of time */
	uint32_t desc	: 30; /* event_desc.index */
	uint32_t idle	: 1;  /* pid 0: --no-idle looks at where it was */
	uint32_t others : 1;  /* those that made room: only DESC and IDLE are known of it */
	uint32_t comm;	      /* for pdt_comm() */
	uint32_t label;	      /* an id of the user's own */
	uint32_t pid, tid, cpu;
};

enum samples_wants {
	WANT_NUMBERS = 1, /* how many samples each pair has */
	WANT_SQUARES = 2, /* the sum of their squared weights */
};

/* The samples of one pair. */
struct sample_sum {
	uint32_t who, stack; /* who: for samples_who() */
	uint64_t weight;
	uint64_t samples; /* with WANT_NUMBERS */
	double squares;	  /* with WANT_SQUARES */
};

#define SAMPLES_LATE 8
#define SAMPLES_FEW (1u << 15) /* stacks, whose sums stay in a second-level cache */

/* Where a pair is; all zero is nowhere. */
struct samples_place {
	uint32_t who, stack;
	uint32_t place; /* among the others, + 1; SAMPLES_FIRST: seen first with the stack */
	uint32_t moves; /* until there are more */
};
#define SAMPLES_FIRST UINT32_MAX

struct samples {
	unsigned wants;			   /* enum samples_wants; set before the first sample */
	unsigned __int128 weight, squares; /* of all samples: in whatever order they come */
	bool overflow;			   /* a sum passed 2^64 - 1 and was held there */

	/* What whos, pairs and the rows that they make may take; 0: any. Past it the rarest whos
	 * are one, until a quarter is left; the ids of the others are new. */
	size_t max_bytes;
	/* LIST is all whos then: their labels may be given anew, and those of others are to be. */
	void (*relabel)(void *ctx, struct who *list, size_t count);
	void *relabel_ctx;
	size_t made_room; /* whos */
	size_t full_at;	  /* bytes that are looked at next */

	struct who *whos; /* by their ids */
	size_t who_count, who_room;
	struct slots who_ids;
	uint32_t *recent; /* ids of whos, by a hash of them */
	struct recent_pair *pairs; /* of samples_count(), by a hash of them */
	uint32_t last;	  /* the one asked for last */
	/* by stack: who was seen first with it, and that pair's sums; mostly there is no other */
	uint32_t *first_who;
	uint64_t *first_weight, *first_number;
	double *first_squares;
	size_t stack_count, who_cap, weight_cap, number_cap, squares_cap;
	/* the other pairs, as they came, and where they are */
	struct sample_sum *others;
	size_t other_count, other_cap;
	struct slots other_places;
	/* of samples_later(), by their number: those that came last are not counted yet */
	struct late_sample {
		uint32_t who, stack;
		uint64_t weight;
	} late[SAMPLES_LATE];
	size_t late_count; /* that ever came */
	uint32_t moves; /* of pairs, to other places */
};

/* All zero is an empty struct samples. */
void samples_release(struct samples *s);
/* Forget the pairs: ids are one capture's own. The sums of all samples stay. */
void samples_forget(struct samples *s);
/* No more come before samples_forget(): what finds their pairs is given back. */
void samples_end(struct samples *s);

uint32_t samples_id(struct samples *s, const struct who *who);
void samples_add_other(struct samples *s, uint32_t who, uint32_t stack, uint64_t weight);

/* A sample of WHO, from samples_id(). Mostly it is the pair seen first. */
static inline void samples_add(struct samples *s, uint32_t who, uint32_t stack, uint64_t weight)
{
	if (stack >= s->stack_count || s->first_who[stack] != who) {
		samples_add_other(s, who, stack, weight);
		return;
	}
	s->weight += weight;
	s->squares += (unsigned __int128)weight * weight;
	s->overflow |= add_held(&s->first_weight[stack], weight);
	if (!s->wants)
		return;
	if (s->wants & WANT_NUMBERS)
		s->first_number[stack]++;
	if (s->wants & WANT_SQUARES)
		s->first_squares[stack] += (double)weight * (double)weight;
}

/* The same, when some more have come, or at samples_end(): where the sums of its stack lie has been
 * fetched then. */
static inline void samples_later(struct samples *s, uint32_t who, uint32_t stack, uint64_t weight)
{
	struct late_sample *l, due;

	if (s->stack_count < SAMPLES_FEW) {
		samples_add(s, who, stack, weight);
		return;
	}
	l = &s->late[s->late_count++ % SAMPLES_LATE];
	due = *l;
	if (stack < s->stack_count) {
		__builtin_prefetch(&s->first_who[stack]);
		__builtin_prefetch(&s->first_weight[stack]);
	}
	*l = (struct late_sample){ who, stack, weight };
	if (s->late_count > SAMPLES_LATE)
		samples_add(s, due.who, due.stack, due.weight);
}

/* The same of who it is, where many pairs take turns: mostly neither is looked up. It is the place
 * of the pair, until the next call. */
const struct samples_place *samples_count(struct samples *s, const struct who *who, uint32_t stack,
					  uint64_t weight);
/* The same of the pair at P, a copy; false: it is there no more, and does not count. */
bool samples_again(struct samples *s, const struct samples_place *p, uint64_t weight);

/* Nothing but S holds ids of stacks, and follows when they change. */
void samples_follow(struct samples *s, struct asked *o);
static inline struct who samples_who(const struct samples *s, uint32_t who)
{
	return s->whos[who];
}

/* The pairs of FROM, another part of the same capture, whose ids are IDS of those here; LABELS:
 * those of its labels; NULL: they are the same. FROM is released. */
void samples_take(struct samples *s, struct samples *from, const struct share_ids *ids,
		  const uint32_t *labels);

/* What made room, of a capture that was read, and in the end. */
void samples_warn_rare(const struct samples *s, const struct pdt_session *of, struct warnings *w);
void samples_rare(size_t made_room, struct answer *a);

/* The pairs, one by one: *AT begins with 0, and is behind the pair's place afterwards. False: there
 * are no more. */
bool samples_next(const struct samples *s, size_t *at, struct sample_sum *out);

/* How many places there are. */
static inline size_t samples_places(const struct samples *s)
{
	return s->stack_count + s->other_count;
}

#endif
