/* What is kept on its way: rows of a stream and of trails come back as they went; pairs that take
 * turns are counted as those that are looked up; buckets as in a plain table. */
#include "analyzers/count/samples.h"
#include "analyzers/export/gather.h"
#include "analyzers/export/trail.h"
#include "analyzers/lanes/threads.h"
#include "analyzers/store/buckets.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"
#include "parser/file/attr.h"
#include "parser/library/door.h"
#include "tests/lib/unit.h"

#include <string.h>

static uint64_t random_62(uint64_t *seed)
{
	uint64_t high = unit_random(seed);

	return high << 31 | unit_random(seed);
}

/* ---- streams ---- */

static size_t size_of(unsigned i)
{
	return 1 + i * 7919u % (i % 1000 == 999 ? TEMP_BUFFER : 90);
}

static void fill(unsigned char *row, unsigned i)
{
	memset(row, (int)(i % 251 + 1), size_of(i));
}

/* COUNT rows, all of them ROUNDS times, of the last one only the beginning. */
static void test_stream(unsigned count, unsigned rounds)
{
	static unsigned char row[TEMP_BUFFER], want[TEMP_BUFFER];
	struct temp_stream t = { 0 };

	for (unsigned i = 0; i < count; i++) {
		fill(row, i);
		temp_stream_add(&t, row, size_of(i));
	}
	for (unsigned r = 0; r < rounds; r++) {
		unsigned i = 0;

		temp_stream_rewind(&t);
		for (; i < count && temp_stream_next(&t, row, size_of(i)); i++) {
			fill(want, i);
			CHECK(!memcmp(row, want, size_of(i)));
			if (r && i == count / 2)
				break;
		}
		CHECK_EQ(i, r ? count / 2 : count);
		CHECK(r || !temp_stream_next(&t, row, 1));
	}
	CHECK_EQ(t.error, 0);
	temp_stream_release(&t);
}

/* ---- trails ---- */

struct row {
	uint64_t number;
	uint32_t series;
};

static void test_trail(unsigned series, unsigned count)
{
	struct trail t = { .size = sizeof(struct row) };
	unsigned seen = 0;

	for (unsigned i = 0; i < series; i++)
		CHECK_EQ(trail_new(&t), i);
	for (unsigned i = 0; i < count; i++)
		trail_add(&t, i * i % series, &(struct row){ i, i * i % series },
			  sizeof(struct row));
	trail_end(&t);
	for (unsigned twice = 0; twice < 2 * series; twice++) {
		uint64_t before = 0;
		struct row row;

		trail_begin(&t, twice / 2);
		for (; trail_next(&t, &row, sizeof(row)); seen++) {
			CHECK_EQ(row.series, twice / 2);
			CHECK(!before || row.number >= before);
			before = row.number + 1;
		}
	}
	CHECK_EQ(seen, 2 * count);
	CHECK_EQ(t.error, 0);
	trail_release(&t);
}

/* ---- samples of exports ---- */

/* Times and weights at the edges of what a row holds, of more threads than are known lately. */
static struct pdt_event event_at(const struct pdt_desc *d, unsigned i)
{
	static const uint64_t times[] = { 0, UINT32_MAX, 1ull << 32, UINT64_MAX - 1, UINT64_MAX };
	static const uint64_t weights[] = { 1, UINT32_MAX - 1, UINT32_MAX, 1ull << 32, UINT64_MAX };

	return (struct pdt_event){ .kind = PDT_SAMPLE,
				   .desc = d,
				   .tid = i / 3 % 5 * (GATHER_RECENT / 8),
				   .pid = 1,
				   .time_ns = times[i / 7 % 5] - (i / 7 % 5 > 2) * (i & 1),
				   .weight = weights[i % 5],
				   .stack = i };
}

static void test_gather(void)
{
	const struct pdt_session none = { .session = NULL };
	const struct pdt_desc d = { .index = 0 };
	struct gather g = { .apart_most = UINT64_MAX };
	struct profile_row row;
	unsigned seen = 0;

	for (unsigned i = 0; i < 5000; i++) {
		struct pdt_event e = event_at(&d, i);

		gather_add(&g, &e, &none);
	}
	gather_end(&g);
	CHECK_EQ(g.series_count, 5);
	for (size_t s = 0; s < g.series_count; s++) {
		gather_begin(&g, s);
		for (; gather_next(&g, &row); seen++) {
			struct pdt_event e = event_at(&d, row.stack);

			CHECK_EQ(row.time_ns, e.time_ns);
			CHECK_EQ(row.weight, e.weight);
			CHECK_EQ(gather_who(&g, s).tid, e.tid);
		}
	}
	CHECK_EQ(seen, 5000);
	CHECK_EQ(g.trail.error, 0);
	gather_release(&g);
}

/* ---- pairs ---- */

static bool same_pairs(const struct samples *a, const struct samples *b)
{
	struct sample_sum x, y;
	size_t i = 0, k = 0;

	while (samples_next(a, &i, &x)) {
		struct who who = samples_who(a, x.who), other;

		if (!samples_next(b, &k, &y))
			return false;
		other = samples_who(b, y.who);
		if (memcmp(&who, &other, sizeof(who)) != 0 || x.who != y.who ||
		    x.stack != y.stack || x.weight != y.weight || x.samples != y.samples)
			return false;
	}
	return !samples_next(b, &k, &y);
}

/* Each comes, the one before it once more, and it again: room is made by those known, too. */
static void test_pairs(unsigned whos, unsigned stacks, size_t max_bytes)
{
	struct samples a = { .wants = WANT_NUMBERS, .max_bytes = max_bytes };
	struct samples b = { .wants = WANT_NUMBERS, .max_bytes = max_bytes };
	struct who who[2] = { 0 };
	uint32_t stack[2] = { 0 };
	uint64_t seed = 7;

	for (unsigned i = 0; i < 150000; i++) {
		unsigned k = i / 3 % 2;
		uint64_t r = random_62(&seed);

		if (i % 3 == 0) {
			who[k] = (struct who){ .step = i / 40000,
					       .desc = (uint32_t)(r >> 8) % 3,
					       .label = (uint32_t)(r >> 16) % whos,
					       .idle = (r >> 59) & 1,
					       .cpu = (r >> 58) & 1 };
			stack[k] = (uint32_t)(r >> 40) % stacks;
		}
		k ^= i % 3 == 1;
		samples_add(&a, samples_id(&a, &who[k]), stack[k], r % 5);
		samples_count(&b, &who[k], stack[k], r % 5);
	}
	CHECK(a.weight == b.weight && a.squares == b.squares);
	CHECK_EQ(a.made_room, b.made_room);
	CHECK(!max_bytes || a.made_room);
	CHECK(same_pairs(&a, &b));
	samples_release(&a);
	samples_release(&b);
}

/* ---- buckets ---- */

#define OWNERS	5
#define NUMBERS 300

static void test_buckets(void)
{
	static uint64_t table[OWNERS][NUMBERS];
	static const uint32_t now[OWNERS] = { 3, 0, 4, 1, 2 };
	struct buckets b = { 0 };
	uint64_t seed = 3;
	size_t at = 0;

	for (unsigned i = 0; i < 5000; i++) {
		uint64_t r = random_62(&seed);
		uint32_t of = (uint32_t)r % OWNERS, bucket = (uint32_t)(r >> 32) % NUMBERS / 3 * 3;

		table[now[of]][bucket] += r >> 58;
		buckets_add(&b, of, bucket, r >> 58);
	}
	buckets_sort(&b, now);
	for (uint32_t of = 0; of < OWNERS; of++) {
		for (uint32_t k = 0; k < NUMBERS; k++) {
			if (!table[of][k])
				continue;
			CHECK(at < b.count && b.list[at].of == of && b.list[at].bucket == k);
			CHECK_EQ(b.list[at++].count, table[of][k]);
		}
	}
	CHECK_EQ(at, b.count);
	buckets_release(&b);
}

/* ---- threads ---- */

/* Names of all lengths, none, and one that is another's beginning. */
static void test_threads(void)
{
	static const char long_name[] =
		"a name that is longer than what is kept of those asked for";
	struct lane_threads t = { 0 };

	for (unsigned round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 3 * sizeof(long_name); i++) {
			size_t from = sizeof(long_name) - 1 - i / 3;
			const char *comm = i / 3 < sizeof(long_name) - 1 ? long_name + from : NULL;
			struct lane_thread got;
			uint32_t id = lane_thread_id(&t, comm, i % 3, 7);

			CHECK_EQ(id, i);
			CHECK(lane_thread_at(&t, id, &got) && got.pid == i % 3 && got.tid == 7);
			CHECK(comm ? got.comm && !strcmp(got.comm, comm) : !got.comm);
		}
	}
	CHECK_EQ(t.all.count, 3 * sizeof(long_name));
	lane_threads_release(&t);
}

int main(void)
{
	test_stream(0, 2);
	test_stream(1, 3);
	test_stream(900, 3); /* no file */
	test_stream(50000, 3);
	test_trail(1, 10);
	test_trail(3, 100000);
	test_trail(2000, 100000);
	test_gather();
	test_pairs(3, 4, 0);
	test_pairs(5000, 40, 0);
	test_pairs(5000, 40, 1 << 20);
	for (size_t room = 1; room < 40; room++)
		test_pairs(90, 4000, room << 16);
	test_buckets();
	test_threads();
	return unit_end();
}
