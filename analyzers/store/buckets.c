/* A histogram that few of many buckets are of is a list of those, found by a map. */
#include "analyzers/store/buckets.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void buckets_add(struct buckets *b, uint32_t of, uint32_t bucket, uint64_t count)
{
	uint32_t *at = idmap_put(&b->at, (uint64_t)of << 32 | bucket);

	if (*at == IDMAP_NONE) {
		*at = (uint32_t)b->count;
		b->list = xgrow(b->list, &b->cap, b->count + 1, sizeof(*b->list));
		b->list[b->count++] = (struct bucket_count){ of, bucket, 0 };
	}
	(void)add_held(&b->list[*at].count, count);
}

static int by_place(const void *a, const void *b)
{
	const struct bucket_count *x = a, *y = b;

	return compare_u64(x->of, y->of) ?: compare_u64(x->bucket, y->bucket);
}

void buckets_sort(struct buckets *b)
{
	idmap_release(&b->at);
	b->at = (struct idmap){ 0 };
	if (b->count)
		qsort(b->list, b->count, sizeof(*b->list), by_place);
}

void buckets_release(struct buckets *b)
{
	free(b->list);
	idmap_release(&b->at);
}
