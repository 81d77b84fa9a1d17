/* What began and has not ended yet, by key: numbers of slots, for which the caller keeps an array.
 * Several with one key are held newest first. Bounded: see inflight_full(). */
#ifndef PDTOOL_INFLIGHT_H
#define PDTOOL_INFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/option.h"

#define INFLIGHT_NONE UINT32_MAX
#define INFLIGHT_MAX  (1u << 20)

/* Of several under way with one key, which one does an end end? */
enum pairing { PAIR_NEWEST, PAIR_OLDEST };

extern const struct option pair_options[]; /* of an enum pairing: --pair */

struct inflight_key {
	uint64_t a, b;
};

struct inflight_link {
	struct inflight_key key;
	uint32_t before, after; /* in the chain of its bucket, newest first */
	uint32_t newer, older;	/* among all; a free slot's OLDER is the next free one */
};

struct inflight {
	struct inflight_link *links;
	size_t count, cap; /* slots ever used */
	uint32_t free;	   /* the first slot given back */
	uint32_t newest, oldest;
	size_t used; /* slots in use */
	uint32_t *buckets;
	size_t bucket_count; /* a power of two */
};

void inflight_init(struct inflight *f);
void inflight_release(struct inflight *f);

/* Must one be removed before the next can be added? f->oldest is the one that waits longest. */
static inline bool inflight_full(const struct inflight *f)
{
	return f->used >= INFLIGHT_MAX;
}

/* Keys are passed by value: in registers, not through memory. */

/* A slot for a new one with KEY: less than f->count. */
uint32_t inflight_add(struct inflight *f, struct inflight_key key);
void inflight_remove(struct inflight *f, uint32_t slot);
/* SLOT becomes the newest of KEY. */
void inflight_move(struct inflight *f, uint32_t slot, struct inflight_key key);
/* The newest with KEY, and the one that is older than SLOT with the same key; or INFLIGHT_NONE. */
uint32_t inflight_find(const struct inflight *f, struct inflight_key key);
uint32_t inflight_older(const struct inflight *f, uint32_t slot);

#endif
