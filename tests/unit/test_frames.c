/* Frames: what was added comes out again, the same bytes are made by however many threads and
 * however it was added, and failures are told. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "parser/base/mem.h"
#include "parser/file/frames.h"
#include "parser/file/inflate.h"
#include "tests/lib/unit.h"

struct bytes {
	uint8_t *data;
	size_t len;
};

static int temporary(void)
{
	char path[] = "/tmp/pdtool-frames-XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	unlink(path);
	return fd;
}

/* LEN bytes that compress somewhat. */
static struct bytes make(size_t len)
{
	struct bytes b = { xmalloc(len + 1), len };
	uint64_t seed = 1;

	for (size_t i = 0; i < len; i++)
		b.data[i] = i % 64 < 56 ? (uint8_t)i : (uint8_t)unit_random(&seed);
	return b;
}

static struct bytes whole(int fd)
{
	off_t len = lseek(fd, 0, SEEK_END);
	struct bytes b = { xmalloc((size_t)len + 1), (size_t)len };

	CHECK_EQ(pread(fd, b.data, b.len, 0), len);
	close(fd);
	return b;
}

static bool equal(const struct bytes *a, const struct bytes *b)
{
	return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

static void check_inflates_to(const struct bytes *packed, const struct bytes *want)
{
	struct inflate *z = inflate_new();
	struct bytes got = { xmalloc(want->len + 1), 0 };
	int64_t n;

	inflate_feed(z, packed->data, packed->len);
	while ((n = inflate_read(z, got.data + got.len, want->len + 1 - got.len)) > 0)
		got.len += (size_t)n;
	CHECK_EQ(n, 0);
	CHECK(equal(&got, want));
	inflate_free(z);
	free(got.data);
}

static ssize_t read_bytes(void *ctx, void *buf, size_t len, uint64_t offset)
{
	const struct bytes *b = ctx;

	if (offset + len > b->len)
		len = (size_t)(b->len - offset);
	memcpy(buf, b->data + offset, len);
	return (ssize_t)len;
}

/* B added in pieces of STEP bytes; 0: taken at once. */
static struct bytes pack(struct bytes *b, size_t step, unsigned jobs)
{
	int fd = temporary();
	struct frames *f = frames_new(fd, jobs);

	if (step) {
		for (size_t at = 0; at < b->len; at += step)
			CHECK(frames_add(f, b->data + at,
					 b->len - at < step ? b->len - at : step) == 0);
		CHECK(frames_end(f) == 0);
	} else {
		CHECK(frames_take(f, &(struct frames_input){ b->len, read_bytes, b }) == 0);
	}
	CHECK(frames_end(f) == 0);
	frames_free(f);
	return whole(fd);
}

static void test_lengths(void)
{
	static const size_t lengths[] = { 0,
					  1,
					  FRAME_BYTES - 1,
					  FRAME_BYTES,
					  FRAME_BYTES + 1,
					  FRAMES_ONCE * FRAME_BYTES,
					  FRAMES_ONCE * FRAME_BYTES + 1,
					  (FRAMES_ONCE + 3) * FRAME_BYTES - 7 };
	static const size_t steps[] = { 0, 1000003, SIZE_MAX / 2 };
	static const unsigned jobs[] = { 0, 1, 2, 5, 99 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct bytes b = make(lengths[i]);
		struct bytes one = pack(&b, 0, 1);

		check_inflates_to(&one, &b);
		CHECK(b.len < 100 || one.len < b.len / 2);
		for (size_t k = 0; k < ARRAY_SIZE(steps) * ARRAY_SIZE(jobs); k++) {
			struct bytes other = pack(&b, steps[k % 3], jobs[k / 3]);

			CHECK(equal(&one, &other));
			free(other.data);
		}
		free(one.data);
		free(b.data);
	}
}

/* What is added before something is taken stands before it. */
static void test_mixed(void)
{
	struct bytes b = make(3 * FRAME_BYTES), packed, want = make(4 * FRAME_BYTES);
	int fd = temporary();
	struct frames *f = frames_new(fd, 2);

	CHECK(frames_add(f, "head", 4) == 0);
	CHECK(frames_take(f, &(struct frames_input){ b.len, read_bytes, &b }) == 0);
	CHECK(frames_add(f, "tail", 4) == 0);
	CHECK(frames_end(f) == 0);
	frames_free(f);
	packed = whole(fd);
	memcpy(want.data, "head", 4);
	memcpy(want.data + 4, b.data, b.len);
	memcpy(want.data + 4 + b.len, "tail", 4);
	want.len = b.len + 8;
	check_inflates_to(&packed, &want);
	free(packed.data);
	free(want.data);
	free(b.data);
}

static void test_failures(void)
{
	struct bytes b = make(5 * FRAME_BYTES);
	int fd = temporary(), full = open("/dev/full", O_WRONLY);
	struct frames *f = frames_new(fd, 3);

	/* it is shorter than it was said to be */
	CHECK_EQ(frames_take(f, &(struct frames_input){ b.len + 1, read_bytes, &b }), ERR_FORMAT);
	frames_free(f);
	close(fd);
	f = frames_new(full, 3);
	CHECK_EQ(frames_take(f, &(struct frames_input){ b.len, read_bytes, &b }), ERR_IO);
	CHECK(frames_add(f, b.data, b.len) == 0);
	CHECK_EQ(frames_end(f), ERR_IO);
	frames_free(f);
	close(full);
	free(b.data);
}

int main(void)
{
	test_lengths();
	test_mixed();
	test_failures();
	return unit_end();
}
