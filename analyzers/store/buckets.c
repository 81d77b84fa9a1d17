/* A histogram that few of many buckets are of is a list of those, found by a map. */
#include "analyzers/store/buckets.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void buckets_add(struct buckets *b, uint32_t of, uint32_t bucket, uint64_t count)
{
	uint32_t first = bucket / BUCKETS_BESIDE;
	uint32_t *at = idmap_put(&b->at, (uint64_t)of << 32 | first);

	if (*at == IDMAP_NONE) {
		*at = (uint32_t)b->beside_count;
		b->beside =
			xgrow(b->beside, &b->beside_cap, b->beside_count + 1, sizeof(*b->beside));
		b->beside[b->beside_count++] = (struct buckets_beside){ of, first, { 0 } };
	}
	(void)add_held(&b->beside[*at].counts[bucket % BUCKETS_BESIDE], count);
}

static int by_place(const void *a, const void *b)
{
	const struct buckets_beside *x = a, *y = b;

	return compare_u64((uint64_t)x->of << 32 | x->first, (uint64_t)y->of << 32 | y->first);
}

/* Those of P that have any. */
static void put_list(struct buckets *b, const struct buckets_beside *p)
{
	for (uint32_t k = 0; k < BUCKETS_BESIDE; k++) {
		if (p->counts[k])
			b->list[b->count++] =
				(struct bucket_count){ p->of, p->first * BUCKETS_BESIDE + k,
						       p->counts[k] };
	}
}

void buckets_sort(struct buckets *b, const uint32_t *now)
{
	size_t n = b->beside_count, all = 0;

	idmap_release(&b->at);
	for (size_t i = 0; i < n; i++) {
		b->beside[i].of = now ? now[b->beside[i].of] : b->beside[i].of;
		for (size_t k = 0; k < BUCKETS_BESIDE; k++)
			all += b->beside[i].counts[k] != 0;
	}
	if (n)
		qsort(b->beside, n, sizeof(*b->beside), by_place);
	b->list = xcalloc(all + 1, sizeof(*b->list));
	for (size_t i = 0; i < n; i++)
		put_list(b, &b->beside[i]);
	free(b->beside);
	b->beside = NULL;
	b->beside_count = b->beside_cap = 0;
}

void buckets_release(struct buckets *b)
{
	free(b->list);
	free(b->beside);
	idmap_release(&b->at);
}
