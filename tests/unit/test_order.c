/* parser/file/order: time order by rounds, ties, records without a time, late ones, no rounds at
 * all. */
#include <stdlib.h>

#include "parser/base/mem.h"
#include "parser/feed/order.h"
#include "tests/lib/unit.h"

/* The number of a record goes into its weight. */
static void put(struct order *o, uint64_t time_ns, uint64_t number)
{
	struct pending *p;

	order_reserve(o, 1);
	p = order_put(o, time_ns);
	p->flags = 0;
	p->weight = number;
}

static size_t take(struct order *o, uint64_t *out, size_t room)
{
	const struct pending *p;
	size_t n = 0;

	while (n < room && (p = order_peek(o))) {
		out[n++] = p->weight;
		order_pop(o);
	}
	return n;
}

static void test_rounds(void)
{
	struct order o = { 0 };
	uint64_t got[16];

	put(&o, 30, 1);
	put(&o, 10, 2);
	put(&o, 20, 3);
	CHECK(!order_peek(&o));
	order_round(&o); /* nothing is older than the round before: there was none */
	CHECK(!order_peek(&o));
	put(&o, 25, 4);
	put(&o, 40, 5);
	order_round(&o); /* now what is not newer than round 1's newest, 30 */
	CHECK_EQ(take(&o, got, 16), 4);
	CHECK_EQ(got[0], 2);
	CHECK_EQ(got[1], 3);
	CHECK_EQ(got[2], 4);
	CHECK_EQ(got[3], 1);
	put(&o, 35, 6);
	CHECK_EQ(o.late, 0);
	order_end(&o);
	CHECK_EQ(take(&o, got, 16), 2);
	CHECK_EQ(got[0], 6);
	CHECK_EQ(got[1], 5);
	order_release(&o);
}

static void test_ties(void)
{
	struct order o = { 0 };
	uint64_t got[64];
	bool good = true;

	/* the later half comes first in the file; equal times keep the order of the file */
	for (uint64_t i = 0; i < 20; i++)
		put(&o, 100 + i / 5, i);
	for (uint64_t i = 20; i < 40; i++)
		put(&o, 98 + i / 10, i);
	order_end(&o);
	CHECK_EQ(take(&o, got, 64), 40);
	for (size_t i = 1; i < 40; i++) {
		uint64_t a = got[i - 1] < 20 ? 100 + got[i - 1] / 5 : 98 + got[i - 1] / 10;
		uint64_t b = got[i] < 20 ? 100 + got[i] / 5 : 98 + got[i] / 10;

		good &= a < b || (a == b && got[i - 1] < got[i]);
	}
	CHECK(good);
	order_release(&o);
}

static void test_no_time(void)
{
	struct order o = { 0 };
	uint64_t got[8];

	put(&o, 50, 1);
	put(&o, 0, 2);
	put(&o, 40, 3);
	put(&o, UINT64_MAX, 4); /* perf's "no time" */
	order_end(&o);
	CHECK_EQ(take(&o, got, 8), 4);
	CHECK_EQ(got[0], 2);
	CHECK_EQ(got[1], 4);
	CHECK_EQ(got[2], 3);
	CHECK_EQ(got[3], 1);
	CHECK_EQ(o.late, 0);
	order_release(&o);
}

/* A record that breaks the promise of the rounds is handed out all the same, and counted. */
static void test_late(void)
{
	struct order o = { 0 };
	uint64_t got[8];

	put(&o, 100, 1);
	order_round(&o);
	put(&o, 200, 2);
	order_round(&o);
	CHECK_EQ(take(&o, got, 8), 1);
	put(&o, 50, 3);
	CHECK_EQ(o.late, 1);
	put(&o, 100, 4); /* as new as what was handed out: not late */
	CHECK_EQ(o.late, 1);
	order_end(&o);
	CHECK_EQ(take(&o, got, 8), 3);
	CHECK_EQ(got[0], 3);
	CHECK_EQ(got[1], 4);
	CHECK_EQ(got[2], 2);
	order_release(&o);
}

/* Without rounds memory stays bounded: the older half goes when ORDER_MAX wait. */
static void test_bound(void)
{
	struct order o = { 0 };
	uint64_t n = ORDER_MAX * 3ull, last = 0, got = 0;
	const struct pending *p;
	bool sorted = true;
	size_t most = 0;

	for (uint64_t i = 0; i < n; i++) {
		put(&o, 1000 + (i ^ 1), i); /* neighbours are exchanged */
		most = o.count > most ? o.count : most;
		while ((p = order_peek(&o))) {
			sorted &= p->time_ns >= last;
			last = p->time_ns;
			got++;
			order_pop(&o);
		}
	}
	CHECK(most <= ORDER_MAX + 1);
	order_end(&o);
	while ((p = order_peek(&o))) {
		sorted &= p->time_ns >= last;
		last = p->time_ns;
		got++;
		order_pop(&o);
	}
	CHECK(sorted);
	CHECK_EQ(got, n);
	CHECK_EQ(o.late, 0);
	order_release(&o);
}

/* The same by their bytes. */
static void test_bytes(void)
{
	static const size_t most[] = { ORDER_MAX_BYTES, ORDER_MAX_BYTES_RAW };

	for (size_t i = 0; i < ARRAY_SIZE(most); i++) {
		struct order o = { .max_bytes = i ? most[i] : 0 };
		uint64_t n = 3 * most[i] / 60000, got = 0;
		size_t held = 0;

		for (uint64_t k = 0; k < n; k++) {
			put(&o, 1000 + k, k);
			o.held_bytes += 60000; /* as who holds the record counts them */
			held = o.held_bytes > held ? o.held_bytes : held;
			for (; order_peek(&o); got++)
				order_pop(&o);
		}
		CHECK(got > n / 3 && got < n);
		CHECK(held > most[i] && held <= most[i] + 60000);
		order_release(&o);
	}
}

/* Round after round, each older than the end of the one before: what is held does not grow with
 * their number. */
static void test_rounds_without_end(void)
{
	struct order o = { 0 };

	for (uint64_t round = 0; round < 60; round++) {
		for (uint64_t i = 0; i < 10000; i++)
			put(&o, 1 + round * 50000 + i * 7, i);
		order_round(&o);
		while (order_peek(&o))
			order_pop(&o);
	}
	CHECK(o.cap <= 200000 && o.ready_cap <= 200000);
	CHECK_EQ(o.late, 0);
	order_release(&o);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Runs of many lengths, as from many CPUs, against qsort. */
static void test_random(uint64_t seed)
{
	uint64_t want[5000], time = 0;
	struct order o = { 0 };
	const struct pending *p;
	bool good = true;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		time = unit_random(&seed) % 40 ? time + unit_random(&seed) % 5
					       : 1 + unit_random(&seed) % 3000;
		put(&o, time + 1, i);
		want[i] = time + 1;
	}
	qsort(want, ARRAY_SIZE(want), sizeof(*want), by_number);
	order_end(&o);
	for (; (p = order_peek(&o)) && n < ARRAY_SIZE(want); n++) {
		good &= p->time_ns == want[n];
		order_pop(&o);
	}
	CHECK(good);
	CHECK_EQ(n, ARRAY_SIZE(want));
	CHECK(!order_peek(&o));
	order_release(&o);
}

/* Many, twice, of which some are left in between: equal times keep the order of the file. */
static void test_many(uint64_t seed)
{
	uint64_t n = ORDER_MAX / 3, got = 0, late = 0, last = 0, before = 0, time = 0;
	struct order o = { 0 };
	const struct pending *p;
	bool good = true;

	for (uint64_t i = 0; i < 2 * n; i++) {
		uint64_t least = i < n ? 1 : n + 1;

		time = i % n && unit_random(&seed) % 50 ? time + unit_random(&seed) % 3
							: least + unit_random(&seed) % (2 * n);
		put(&o, time, i);
		if (i + 1 != n)
			continue;
		o.limit = n;
		order_round(&o);
		CHECK(order_peek(&o) != NULL);
		for (; (p = order_peek(&o)); got++, order_pop(&o)) {
			good &= p->time_ns > last || (p->time_ns == last && p->weight > before);
			last = p->time_ns;
			before = p->weight;
		}
		CHECK(got < n);
	}
	order_end(&o);
	for (; (p = order_peek(&o)); got++, order_pop(&o)) {
		late += p->time_ns < last;
		good &= p->time_ns != last || p->weight > before;
		last = p->time_ns;
		before = p->weight;
	}
	CHECK(good);
	CHECK_EQ(late, 0);
	CHECK_EQ(got, 2 * n);
	order_release(&o);
}

/* What was never taken is freed (the sanitizer looks). */
static void test_release(void)
{
	struct order o = { 0 };

	for (uint64_t i = 0; i < 10; i++) {
		struct pending *p;

		order_reserve(&o, 1);
		p = order_put(&o, 10 - i);
		p->record = malloc(16);
		p->flags = PENDING_RECORD;
	}
	order_round(&o);
	order_round(&o);
	free(order_peek(&o) ? order_peek(&o)->record : NULL);
	if (order_peek(&o))
		order_pop(&o);
	order_release(&o);
	CHECK(!o.items && !o.ready);
}

int main(void)
{
	test_rounds();
	test_ties();
	test_no_time();
	test_late();
	test_many(1);
	test_many(7);
	test_bound();
	test_bytes();
	test_rounds_without_end();
	for (uint64_t seed = 1; seed < 20; seed++)
		test_random(seed);
	test_release();
	return unit_end();
}
