/* Counts by bucket (parser/base/hdr.h) of many histograms. Memory follows the different buckets. */
#ifndef PDTOOL_STORE_ROOM_BUCKETS_H
#define PDTOOL_STORE_ROOM_BUCKETS_H

#include "parser/base/idmap.h"

struct bucket_count {
	uint32_t of, bucket; /* of: whose, a number of the caller's */
	uint64_t count;
};

/* All zero is empty. */
struct buckets {
	struct bucket_count *list;
	size_t count, cap;
	struct idmap at;
};

void buckets_add(struct buckets *b, uint32_t of, uint32_t bucket, uint64_t count);
/* By whose they are, ascending; nothing is added then. */
void buckets_sort(struct buckets *b);
void buckets_release(struct buckets *b);

#endif
