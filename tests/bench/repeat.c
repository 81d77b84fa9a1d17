// SPDX-License-Identifier: MIT
/*
 * repeat [--vary] [--first MB] ROUNDS IN OUT: the same capture several times
 * over, to see that memory follows the stacks and not the samples. The records
 * of the data section are written ROUNDS times, each round later by the length
 * of the capture, so that the times still rise. What perf record writes once,
 * before the first event (its own records, the maps that were there at the
 * start: time 0), is not repeated.
 *
 *   --first MB  of the data section only so much, as if perf had ended there
 *   --vary	 from the second round on, the addresses of two frames of every
 *		 other sample move by less than 64 bytes: new stacks in the same
 *		 functions, the same ones whenever it is run
 *
 * It may assume a little-endian perf.data file of one sample layout, on a
 * little-endian machine, as the bench captures are.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	GAP_NS = 1000000,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_USER = 64,
	RECORD_FINISHED_ROUND = 68,
};

/* perf_event.h: PERF_SAMPLE_* */
#define SAMPLE_BEFORE_TIME (1u << 0 | 1u << 1 | 1u << 16)	    /* IP, TID, IDENTIFIER */
#define SAMPLE_AFTER_TIME  (1u << 6 | 1u << 7 | 1u << 9 | 1u << 16) /* ID CPU STREAM IDENTIFIER */
#define SAMPLE_TIME	   (1u << 2)
#define SAMPLE_BEFORE_CHAIN \
	(SAMPLE_BEFORE_TIME | 1u << 2 | 1u << 3 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9)
#define SAMPLE_CHAIN (1u << 5)
#define SAMPLE_READ  (1u << 4)

#define CONTEXT_MAX ((uint64_t)-4095) /* the markers in a chain are above this */

struct capture {
	const unsigned char *base;
	size_t size;
	uint64_t data_at, data_size, features_at;
	uint32_t sample_time;  /* offset of the time in a sample */
	uint32_t trailer_time; /* its distance from the end of any other record */
	uint32_t chain;	       /* offset of the chain in a sample; 0: they are to stay */
	uint64_t first_ns, last_ns;
	struct timespec times[2];
};

static void die(const char *what)
{
	fprintf(stderr, "repeat: %s\n", what);
	exit(1);
}

static uint64_t get(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void add(unsigned char *at, uint64_t shift)
{
	uint64_t value = get(at) + shift;

	memcpy(at, &value, sizeof(value));
}

static void put(FILE *out, const void *bytes, size_t len)
{
	if (fwrite(bytes, 1, len, out) != len)
		die("cannot write");
}

/* Where the time of a record lies; 0 if it has none. */
static uint32_t time_at(const struct capture *c, uint32_t type, uint32_t size)
{
	if (type == RECORD_SAMPLE)
		return c->sample_time;
	if (type >= RECORD_USER || size < 8 + c->trailer_time)
		return 0;
	return size - c->trailer_time;
}

/* The record at *at, which moves past it. */
static const unsigned char *next(const struct capture *c, size_t *at, uint32_t *type,
				 uint16_t *size)
{
	const unsigned char *record = c->base + *at;

	memcpy(type, record, sizeof(*type));
	memcpy(size, record + 6, sizeof(*size));
	*at += *size;
	if (*size < 8 || *at > c->data_at + c->data_size)
		die("a record has a bad size");
	return record;
}

static void span(struct capture *c)
{
	size_t at = c->data_at;
	uint32_t type, when;
	uint16_t size;

	c->first_ns = UINT64_MAX;
	while (at < c->data_at + c->data_size) {
		const unsigned char *record = next(c, &at, &type, &size);
		uint64_t time_ns;

		when = time_at(c, type, size);
		time_ns = when ? get(record + when) : 0;
		if (!time_ns)
			continue;
		c->first_ns = time_ns < c->first_ns ? time_ns : c->first_ns;
		c->last_ns = time_ns > c->last_ns ? time_ns : c->last_ns;
	}
}

/* Frames 1 and 2 of the chain, which lie in the same functions afterwards as far as these are
 * longer. */
static void vary(const struct capture *c, unsigned char *sample, uint32_t size, uint64_t salt)
{
	uint64_t hash = (salt + get(sample + c->sample_time)) * 0x9e3779b97f4a7c15u;
	uint64_t nr = get(sample + c->chain);

	if (hash >> 63 || nr > (size - c->chain - 8) / 8)
		return;
	for (uint64_t i = 1, left = 2; i < nr && left; i++) {
		unsigned char *at = sample + c->chain + 8 + 8 * i;

		if (get(at) >= CONTEXT_MAX)
			continue;
		*at ^= hash >> (32 + 8 * left--) & 63;
	}
}

/* Later rounds leave out what belongs to the start of the capture. */
static uint64_t write_round(const struct capture *c, FILE *out, uint64_t shift)
{
	unsigned char copy[1 << 16];
	uint64_t written = 0;
	size_t at = c->data_at;
	uint32_t type, when;
	uint16_t size;

	while (at < c->data_at + c->data_size) {
		const unsigned char *record = next(c, &at, &type, &size);

		memcpy(copy, record, size);
		when = time_at(c, type, size);
		if (shift && type != RECORD_FINISHED_ROUND && (!when || !get(copy + when)))
			continue;
		if (when && get(copy + when))
			add(copy + when, shift);
		if (shift && type == RECORD_SAMPLE && c->chain)
			vary(c, copy, size, shift);
		if (type == RECORD_FORK || type == RECORD_EXIT)
			add(copy + 24, shift);
		if (type == RECORD_THROTTLE || type == RECORD_UNTHROTTLE)
			add(copy + 8, shift);
		put(out, copy, size);
		written += size;
	}
	return written;
}

/* The data section ends behind the record that is at its first so many bytes. */
static void cut(struct capture *c, uint64_t bytes)
{
	size_t at = c->data_at;
	uint32_t type;
	uint16_t size;

	while (at < c->data_at + c->data_size && at - c->data_at < bytes)
		next(c, &at, &type, &size);
	c->data_size = at - c->data_at;
}

/*
 * The table of the header's features follows the data, now of that size; its offsets are from the
 * file's start.
 */
static void write_features(const struct capture *c, FILE *out, uint64_t data_size)
{
	size_t end = c->features_at, at = end;
	uint64_t shift = c->data_at + data_size - end;
	unsigned char entry[16];

	for (int word = 0; word < 4; word++)
		for (uint64_t bits = get(c->base + 72 + 8 * word); bits; bits &= bits - 1) {
			memcpy(entry, c->base + at, sizeof(entry));
			if (get(entry) >= end)
				add(entry, shift);
			put(out, entry, sizeof(entry));
			at += sizeof(entry);
		}
	put(out, c->base + at, c->size - at);
}

static void load(struct capture *c, const char *path, bool varied)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	uint64_t type;

	if (fd < 0 || fstat(fd, &st) || st.st_size < 104)
		die("cannot read the capture");
	c->size = (size_t)st.st_size;
	c->times[0] = c->times[1] = st.st_mtim;
	c->base = mmap(NULL, c->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (c->base == MAP_FAILED || memcmp(c->base, "PERFILE2", 8))
		die("not a little-endian perf.data file");
	close(fd);
	c->data_at = get(c->base + 40);
	c->data_size = get(c->base + 48);
	c->features_at = c->data_at + c->data_size;
	type = get(c->base + get(c->base + 24) + 24);
	if (!(type & SAMPLE_TIME))
		die("the samples have no time");
	if (varied && (!(type & SAMPLE_CHAIN) || type & SAMPLE_READ))
		die("the samples have no chain, or counter values");
	if (varied)
		c->chain = 8 + 8 * (uint32_t)__builtin_popcountll(type & SAMPLE_BEFORE_CHAIN);
	c->sample_time = 8 + 8 * (uint32_t)__builtin_popcountll(type & SAMPLE_BEFORE_TIME);
	c->trailer_time = 8 + 8 * (uint32_t)__builtin_popcountll(type & SAMPLE_AFTER_TIME);
}

int main(int argc, char **argv)
{
	struct capture c = { 0 };
	uint64_t size = 0, rounds, first_mb = 0;
	bool varied = false;
	FILE *out;

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
		if (!strcmp(argv[1], "--vary"))
			varied = true;
		else if (!strcmp(argv[1], "--first") && argc-- > 2)
			first_mb = strtoull((++argv)[1], NULL, 10);
	}
	if (argc != 4)
		die("usage: repeat [--vary] [--first MB] ROUNDS IN OUT");
	rounds = strtoull(argv[1], NULL, 10);
	load(&c, argv[2], varied);
	if (first_mb)
		cut(&c, first_mb << 20);
	span(&c);
	out = fopen(argv[3], "wb");
	if (!out)
		die("cannot create the output");
	setvbuf(out, NULL, _IOFBF, 1 << 20);
	put(out, c.base, c.data_at);
	for (uint64_t round = 0; round < rounds; round++)
		size += write_round(&c, out, round * (c.last_ns - c.first_ns + GAP_NS));
	write_features(&c, out, size);
	if (fseek(out, 48, SEEK_SET))
		die("cannot seek");
	put(out, &size, sizeof(size));
	/* Files are told from later ones of the same name by the age of the capture. */
	if (fflush(out) || futimens(fileno(out), c.times) || fclose(out))
		die("cannot write");
	return 0;
}
