/* Counts by bucket (parser/base/hdr.h) of many histograms. Memory follows the different buckets. */
#ifndef PDTOOL_STORE_ROOM_BUCKETS_H
#define PDTOOL_STORE_ROOM_BUCKETS_H

#include "parser/base/idmap.h"

struct bucket_count {
	uint32_t of, bucket; /* of: whose, a number of the caller's */
	uint64_t count;
};

/* Those beside each other: what comes mostly lies close to what came. */
#define BUCKETS_BESIDE 8

struct buckets_beside {
	uint32_t of, first; /* first: bucket / BUCKETS_BESIDE */
	uint64_t counts[BUCKETS_BESIDE];
};

/* All zero is empty. */
struct buckets {
	struct buckets_beside *beside; /* while they are added */
	size_t beside_count, beside_cap;
	struct idmap at;
	struct bucket_count *list; /* then */
	size_t count;
};

void buckets_add(struct buckets *b, uint32_t of, uint32_t bucket, uint64_t count);
/* The list, by whose they are, ascending; nothing is added then. NOW: the numbers that come in
 * place of theirs; NULL: they stay. */
void buckets_sort(struct buckets *b, const uint32_t *now);
void buckets_release(struct buckets *b);

#endif
