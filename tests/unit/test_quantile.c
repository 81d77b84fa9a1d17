/* Percentiles against a sorted copy; what is in flight against a plain list. */
#include "analyzers/count/inflight.h"
#include "analyzers/count/quantile.h"
#include "parser/base/hdr.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Kinds of orders that selection could stumble over. */
static uint64_t value_of(unsigned kind, size_t i, size_t n, uint64_t *seed)
{
	switch (kind) {
	case 0:
		return unit_random(seed);
	case 1:
		return unit_random(seed) % 3;
	case 2:
		return i;
	case 3:
		return n - i;
	case 4:
		return 7;
	default:
		return i % 2 ? i : n - i; /* two interleaved ramps */
	}
}

static void test_quantile(size_t n, unsigned kind)
{
	static const double percents[] = { 0.001, 1, 50, 90, 99, 99.9, 100 };
	static const uint64_t per_100000[] = { 1, 1000, 50000, 90000, 99000, 99900, 100000 };
	uint64_t *values = xmalloc(n * sizeof(*values)), *sorted = xmalloc(n * sizeof(*sorted));
	uint64_t seed = n + kind;

	for (size_t i = 0; i < n; i++)
		values[i] = sorted[i] = value_of(kind, i, n, &seed);
	qsort(sorted, n, sizeof(*sorted), compare);
	for (size_t p = 0; p < ARRAY_SIZE(percents); p++) {
		size_t rank = (size_t)((per_100000[p] * n + 99999) / 100000);

		CHECK_EQ(quantile(values, n, percents[p]), sorted[rank - 1]);
	}
	qsort(values, n, sizeof(*values), compare);
	CHECK(!memcmp(values, sorted, n * sizeof(*values))); /* still the same values */
	free(values);
	free(sorted);
}

#define MODEL_MAX 3000

/* Random steps, beside a list in which the newest is last. */
static void test_inflight(void)
{
	struct inflight f;
	struct {
		uint32_t slot;
		uint64_t key;
	} list[MODEL_MAX];
	size_t n = 0;
	uint64_t seed = 5;

	inflight_init(&f);
	for (unsigned step = 0; step < 20000; step++) {
		struct inflight_key key = { unit_random(&seed) % 300, 1 };
		size_t at = n ? unit_random(&seed) % n : 0;
		uint32_t slot = inflight_find(&f, key);
		size_t i = n;

		while (i && list[i - 1].key != key.a)
			i--;
		CHECK_EQ(slot, i ? list[i - 1].slot : INFLIGHT_NONE);
		if (slot != INFLIGHT_NONE) {
			for (i--; i && list[i - 1].key != key.a;)
				i--;
			CHECK_EQ(inflight_older(&f, slot), i ? list[i - 1].slot : INFLIGHT_NONE);
		}
		if (n < MODEL_MAX && unit_random(&seed) % 5 < 3) {
			list[n].slot = inflight_add(&f, key);
			list[n++].key = key.a;
			continue;
		}
		if (!n)
			continue;
		slot = list[at].slot;
		memmove(&list[at], &list[at + 1], (--n - at) * sizeof(list[0]));
		if (unit_random(&seed) % 2) {
			inflight_remove(&f, slot);
			continue;
		}
		inflight_move(&f, slot, key);
		list[n].slot = slot;
		list[n++].key = key.a;
	}
	CHECK_EQ(f.used, n);
	CHECK_EQ(f.oldest, list[0].slot);
	inflight_release(&f);
}

/* Is V's bucket one, no lower than BELOW, and its middle within 1/128 of V? */
static uint32_t check_bucket(uint64_t v, uint32_t below)
{
	uint32_t bucket = hdr_bucket(v);
	uint64_t middle = hdr_value(bucket);

	CHECK(bucket < HDR_BUCKETS && bucket >= below);
	CHECK((middle > v ? middle - v : v - middle) <= v / 128);
	CHECK_EQ(hdr_bucket(middle), bucket);
	return bucket;
}

static void test_buckets(void)
{
	uint64_t seed = 1;
	uint32_t below = 0;

	for (uint64_t v = 0; v < 5000; v++)
		below = check_bucket(v, below);
	for (unsigned bit = 13; bit < 64; bit++) {
		below = check_bucket((UINT64_C(1) << bit) - 1, below);
		below = check_bucket(UINT64_C(1) << bit, below);
	}
	CHECK_EQ(check_bucket(UINT64_MAX, below), HDR_BUCKETS - 1);
	for (int i = 0; i < 100000; i++)
		(void)check_bucket(unit_random(&seed) >> (unit_random(&seed) % 64), 0);
}

int main(void)
{
	static const size_t counts[] = { 1, 2, 3, 5, 100, 1000, 20001 };

	for (unsigned kind = 0; kind < 6; kind++) {
		for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
			test_quantile(counts[i], kind);
	}
	test_inflight();
	test_buckets();
	return unit_end();
}
