/* parser/base: cursor, buf, digits, arena, intern, idmap, hash, pool, warnings, chunks, big arrays.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "parser/base/arena.h"
#include "parser/base/buf.h"
#include "parser/base/chunks.h"
#include "parser/base/cursor.h"
#include "parser/base/digits.h"
#include "parser/base/err.h"
#include "parser/base/hash.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"
#include "tests/lib/unit.h"

static void test_cursor(void)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	struct cursor c = cursor_make(bytes, sizeof(bytes), false);
	struct cursor s = cursor_make(bytes, sizeof(bytes), true);

	CHECK_EQ(cursor_left(&c), 15);
	CHECK_EQ(cursor_u8(&c), 1);
	CHECK_EQ(cursor_u16(&c), 0x0302);
	CHECK_EQ(cursor_u32(&c), 0x07060504);
	CHECK_EQ(cursor_u64(&c), 0x0f0e0d0c0b0a0908);
	CHECK(!c.bad);
	CHECK_EQ(cursor_left(&c), 0);
	CHECK_EQ(cursor_u8(&c), 0);
	CHECK(c.bad);
	CHECK_EQ(cursor_u8(&s), 1);
	CHECK_EQ(cursor_u16(&s), 0x0203);
	CHECK_EQ(cursor_u32(&s), 0x04050607);
	CHECK_EQ(cursor_u64(&s), 0x08090a0b0c0d0e0f);
	CHECK(!s.bad);
}

/* A field that is there in part is not there, and nothing behind it is either. */
static void test_cursor_end(void)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7 };
	struct cursor c = cursor_make(bytes, sizeof(bytes), false);

	CHECK_EQ(cursor_u64(&c), 0);
	CHECK(c.bad);
	CHECK_EQ(cursor_left(&c), 0);
	CHECK_EQ(cursor_u8(&c), 0);
	c = cursor_make(bytes, sizeof(bytes), false);
	CHECK(cursor_take(&c, 8) == NULL && c.bad);
	c = cursor_make(bytes, sizeof(bytes), false);
	CHECK(cursor_take(&c, 7) == bytes && !c.bad);
	CHECK(cursor_take(&c, 0) == bytes + 7 && !c.bad);
	c = cursor_make(bytes, sizeof(bytes), false);
	cursor_skip(&c, SIZE_MAX);
	CHECK(c.bad && cursor_left(&c) == 0);
	c = cursor_make(NULL, 0, false);
	CHECK_EQ(cursor_u32(&c), 0);
	CHECK(c.bad);
}

static void test_cursor_parts(void)
{
	static const char bytes[] = "ab\0\0cdefgh";
	struct cursor c = cursor_make(bytes, 10, false), sub;
	size_t len;
	const char *s = cursor_str(&c, 4, &len);

	CHECK(s == bytes && len == 2);
	sub = cursor_sub(&c, 4);
	CHECK(!sub.bad && cursor_left(&sub) == 4 && cursor_left(&c) == 2);
	s = cursor_str(&sub, 4, &len);
	CHECK(s && len == 4 && !memcmp(s, "cdef", 4)); /* no NUL: the whole field */
	CHECK_EQ(cursor_u8(&sub), 0);
	CHECK(sub.bad && !c.bad);
	sub = cursor_sub(&c, 3);
	CHECK(sub.bad && c.bad && cursor_left(&sub) == 2);
	s = cursor_str(&c, 1, &len);
	CHECK(!s && len == 0);
}

static void test_buf(void)
{
	struct buf b = { 0 };

	buf_add(&b, NULL, 0);
	CHECK_EQ(b.len, 0);
	buf_str(&b, "");
	CHECK_STR(b.data, "");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%d;", i);
	CHECK_EQ(b.len, 10 * 2 + 90 * 3 + 900 * 4);
	CHECK(b.data && strlen(b.data) == b.len);
	b.len = 3;
	buf_char(&b, '!');
	CHECK_STR(b.data, "0;1!");
	buf_printf(&b, "%5000d", 7);
	CHECK_EQ(b.len, 5004);
	b.len = 0;
	buf_hex(&b, NULL, 0, ", ");
	CHECK_STR(b.data, "");
	buf_hex(&b, "\x0f", 1, ", ");
	buf_char(&b, ' ');
	buf_hex(&b, "\xa0\0\xff", 3, ", ");
	CHECK_STR(b.data, "0f a0, 00, ff");
	buf_hex(&b, "\x12\x34", 2, "");
	CHECK_STR(b.data, "0f a0, 00, ff1234");
	CHECK_EQ(b.len, 17);
	buf_release(&b);
	CHECK(!b.data && !b.len && !b.cap);
}

/* V by buf_number(), as printf() shows it. */
static void check_number(struct buf *b, uint64_t v)
{
	char as[64], fixed[6 + 9 + HEX_WIDE], put[DIGITS_ROOM + 1];

	snprintf(as, sizeof(as), "%" PRIu64, v);
	*digits_put(put, v) = '\0';
	CHECK_STR(put, as);
	for (int width = 0; width <= 24; width += 6) {
		b->len = 0;
		buf_number(b, v, false, (unsigned)width, ' ');
		buf_number(b, v, true, (unsigned)width, '0');
		snprintf(as, sizeof(as), "%*" PRIu64 "%0*" PRIx64, width, v, width, v);
		CHECK_STR(b->data, as);
		CHECK_EQ(b->len, strlen(as));
	}
	digits_fixed(fixed, (uint32_t)v, 6);
	digits_fixed(fixed + 6, (uint32_t)v, 9);
	hex_wide(fixed + 15, v);
	snprintf(as, sizeof(as), "%06" PRIu32 "%09" PRIu32 "%16" PRIx64, (uint32_t)v % 1000000,
		 (uint32_t)v % 1000000000, v);
	CHECK(!memcmp(fixed, as, sizeof(fixed)));
}

static void test_digits(void)
{
	static const char text[2 * BUF_SHORT] = "abc";
	struct buf b = { 0 };

	for (uint64_t v = 1; v <= UINT64_MAX / 10; v *= 10) {
		check_number(&b, v - 1);
		check_number(&b, v);
		check_number(&b, 10 * v - 1);
	}
	for (unsigned bit = 0; bit < 64; bit++) {
		check_number(&b, 1ull << bit);
		check_number(&b, (1ull << bit) - 1);
	}
	check_number(&b, UINT64_MAX);
	b.len = 0;
	buf_add_short(&b, text, 3);
	CHECK_STR(b.data, "abc");
	buf_add_short(&b, text, 0);
	buf_add_short(&b, text, BUF_SHORT);
	buf_add_short(&b, text, BUF_SHORT + 1);
	CHECK_EQ(b.len, 3 + 2 * BUF_SHORT + 1);
	CHECK_EQ(b.data[b.len], 0);
	buf_release(&b);
}

static void test_arena(void)
{
	struct arena a;
	char *text[2000];
	uint64_t *number[2000];
	bool good = true;

	arena_init(&a);
	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		char name[32];

		snprintf(name, sizeof(name), "name %zu", i);
		text[i] = arena_strndup(&a, name, strlen(name));
		number[i] = arena_alloc(&a, sizeof(**number) * (i % 7 + 1));
		for (size_t k = 0; k <= i % 7; k++)
			number[i][k] = i;
	}
	/* all stay where they are, aligned, apart from one another */
	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		char name[32];

		snprintf(name, sizeof(name), "name %zu", i);
		good &= !strcmp(text[i], name) && !((uintptr_t)number[i] & 7);
		for (size_t k = 0; k <= i % 7; k++)
			good &= number[i][k] == i;
	}
	CHECK(good);
	memset(arena_bytes(&a, 3 << 20), 1, 3 << 20); /* larger than a block */
	CHECK_STR(arena_strndup(&a, "abc", 0), "");
	CHECK_STR(arena_strndup(&a, "abcdef", 3), "abc");
	arena_release(&a);
	CHECK(!a.blocks);
	arena_release(&a);
}

static void test_intern(void)
{
	struct intern t;
	bool good = true;
	char name[32];

	intern_init(&t);
	CHECK_EQ(intern_add(&t, "", 0), 0);
	CHECK_EQ(intern_add(&t, "a", 1), 1);
	CHECK_EQ(intern_add(&t, "a\0b", 3), 2); /* bytes, not text */
	CHECK_EQ(intern_add(&t, "ab", 1), 1);
	CHECK_EQ(intern_add(&t, "", 0), 0);
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		good &= intern_add(&t, name, strlen(name)) == i + 3;
	}
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		good &= intern_add(&t, name, strlen(name)) == i + 3;
		good &= !strcmp(intern_str(&t, i + 3), name);
	}
	CHECK(good);
	CHECK_EQ(t.count, 20003);
	CHECK_EQ(t.list[2].len, 3);
	CHECK(!memcmp(intern_str(&t, 2), "a\0b", 4));
	intern_release(&t);
}

static void test_idmap(void)
{
	struct idmap m = { 0 };
	bool good = true;

	CHECK_EQ(idmap_get(&m, 0), IDMAP_NONE);
	*idmap_put(&m, 0) = 5;
	*idmap_put(&m, UINT64_MAX) = 0;
	CHECK_EQ(idmap_get(&m, 0), 5);
	CHECK_EQ(idmap_get(&m, UINT64_MAX), 0);
	CHECK_EQ(idmap_get(&m, 1), IDMAP_NONE);
	for (uint64_t i = 1; i < 50000; i++) {
		uint32_t *v = idmap_put(&m, i << 32);

		good &= *v == IDMAP_NONE;
		*v = (uint32_t)i;
	}
	for (uint64_t i = 1; i < 50000; i++)
		good &= idmap_get(&m, i << 32) == i && idmap_get(&m, (i << 32) + 1) == IDMAP_NONE;
	CHECK(good);
	*idmap_put(&m, 7ull << 32) = 70;
	CHECK_EQ(idmap_get(&m, 7ull << 32), 70);
	CHECK_EQ(idmap_get(&m, 0), 5);
	idmap_release(&m);
	CHECK_EQ(idmap_get(&m, 0), IDMAP_NONE);
}

/* The same bytes at another alignment hash alike; other bytes and other lengths do not. */
static void test_hash(void)
{
	char room[300], zeros[300] = { 0 };
	uint64_t seen[200];
	bool good = true;

	for (size_t n = 0; n < 200; n++) {
		for (size_t i = 0; i < n; i++)
			room[i + 1] = (char)(i * 7);
		memmove(room + 80, room + 1, n);
		good &= hash_bytes(room + 80, n) == hash_bytes(memmove(room + 3, room + 80, n), n);
		seen[n] = hash_bytes(zeros, n);
		for (size_t k = 0; k < n; k++)
			good &= seen[k] != seen[n];
	}
	CHECK(good);
	good = true;
	for (size_t n = 1; n < 30; n++) {
		uint64_t before = hash_words(zeros, n);

		for (size_t i = 0; i < n * 8; i++) {
			zeros[i] = 1;
			good &= hash_words(zeros, n) != before;
			zeros[i] = 0;
		}
		good &= hash_words(zeros, n) == before && hash_words(zeros, n - 1) != before;
	}
	CHECK(good);
}

static void square(void *ctx, size_t i)
{
	((uint64_t *)ctx)[i] += i * i;
}

struct deep {
	pthread_barrier_t both;
	int room[2];
};

/* More than musl gives a thread by itself. */
static void use_stack(void *ctx, size_t i)
{
	struct deep *d = ctx;
	volatile char stack[1u << 20];

	pthread_barrier_wait(&d->both); /* one of the two is not on the first thread */
	for (size_t at = sizeof(stack); at; at -= 4096)
		stack[at - 1] = 1;
	d->room[i] = stack[sizeof(stack) - 1];
}

/* A job has room, however little a thread has where nobody asks. */
static void test_pool_stack(void)
{
	pthread_attr_t before, small;
	struct deep d = { 0 };

	CHECK(!pthread_getattr_default_np(&before) && !pthread_attr_init(&small));
	CHECK(!pthread_attr_setstacksize(&small, 128u << 10));
	CHECK(!pthread_setattr_default_np(&small));
	pthread_barrier_init(&d.both, NULL, 2);
	pool_for(2, 2, use_stack, &d);
	CHECK(d.room[0] && d.room[1]);
	pthread_barrier_destroy(&d.both);
	pthread_setattr_default_np(&before);
	pthread_attr_destroy(&small);
}

static void test_pool(void)
{
	static const unsigned jobs[] = { 0, 1, 2, 8, 64 };
	uint64_t slots[1000];

	for (size_t j = 0; j < ARRAY_SIZE(jobs); j++) {
		bool good = true;

		memset(slots, 0, sizeof(slots));
		pool_for(jobs[j], ARRAY_SIZE(slots), square, slots);
		for (size_t i = 0; i < ARRAY_SIZE(slots); i++)
			good &= slots[i] == i * i;
		CHECK(good);
	}
	pool_for(4, 0, square, NULL);
	memset(slots, 0, sizeof(slots));
	pool_for(8, 1, square, slots + 1);
	CHECK_EQ(slots[1], 0);
}

static void test_warnings(void)
{
	struct warnings w = { 0 };

	CHECK(!warn_find(&w, "cut"));
	warn_add(&w, SEV_WARN, "cut", "offset %d", 5);
	warn_bytes(&w, "cut", 10);
	warn_add(&w, SEV_WARN, "cut", "offset %d", 6);
	warn_bytes(&w, "cut", 7);
	warn_add(&w, SEV_FATAL, "end", "no more");
	CHECK_EQ(w.count, 2);
	CHECK_EQ(warn_find(&w, "cut")->count, 2);
	CHECK_EQ(warn_find(&w, "cut")->bytes, 17);
	CHECK_STR(warn_find(&w, "cut")->first, "offset 5");
	CHECK_EQ(warn_find(&w, "end")->severity, SEV_FATAL);
	warnings_release(&w);
}

/* Pieces keep their bytes while they are there, and their room is used again. */
static void test_chunks(void)
{
	struct chunks c = { 0 };
	unsigned char *pieces[64] = { 0 };
	uint64_t seed = 1;
	size_t sizes[64];
	bool whole = true;
	void *first;

	for (unsigned i = 0; i < 20000; i++) {
		unsigned k = (unsigned)(unit_random(&seed) % 64);

		if (pieces[k]) {
			for (size_t b = 0; b < sizes[k]; b++)
				whole &= pieces[k][b] == k;
			chunks_give(&c, pieces[k]);
		}
		sizes[k] = i % 100 ? unit_random(&seed) % 300 : CHUNK_PIECE_MAX;
		pieces[k] = chunks_take(&c, sizes[k]);
		whole &= (uintptr_t)pieces[k] % 8 == 0;
		memset(pieces[k], (int)k, sizes[k]);
	}
	CHECK(whole);
	for (unsigned k = 0; k < 64; k++) {
		if (pieces[k])
			chunks_give(&c, pieces[k]);
	}
	first = chunks_take(&c, 100);
	chunks_give(&c, first);
	CHECK(chunks_take(&c, 100) == first);
	chunks_release(&c);
}

/* What is in an array stays as it grows, from malloc's to mappings of its own; elements of 24 bytes
 * fill no page evenly. */
static void test_big(void)
{
	struct three {
		uint64_t a[3];
	} *list = NULL;
	size_t cap = 0, n = 400000, bad = 0, grown = 0;

	for (size_t i = 0; i < n; i++) {
		size_t old = cap;

		list = big_grow(list, &cap, i + 1, sizeof(*list));
		grown += cap != old;
		list[i] = (struct three){ { i, ~i, i * i } };
	}
	for (size_t i = 0; i < n; i++)
		bad += list[i].a[0] != i || list[i].a[1] != ~i || list[i].a[2] != i * i;
	CHECK_EQ(bad, 0);
	CHECK(cap >= n && grown < 40);
	big_grown_free(list, cap * sizeof(*list));
	big_grown_free(NULL, 0);
	big_free(NULL, 0);
}

int main(void)
{
	test_chunks();
	test_big();
	test_cursor();
	test_cursor_end();
	test_cursor_parts();
	test_buf();
	test_digits();
	test_arena();
	test_intern();
	test_idmap();
	test_hash();
	test_pool();
	test_pool_stack();
	test_warnings();
	return unit_end();
}
