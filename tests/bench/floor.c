// SPDX-License-Identifier: MIT
/*
 * The floor under every speed claim: the least that any program must do to the
 * same file, in one thread. It reads the file once, 1 MiB at a time, into a
 * buffer used again and again, and goes from record to record. Then
 *
 *   floor FILE	     what counts call chains: of each sample the chain is hashed
 *		     with its process; a chain not seen before is kept, whole, and
 *		     its addresses are collected, each (process, address) once.
 *   floor --walk FILE  what counts events: of each sample the process, thread,
 *		     time, CPU and id are read and summed; of any other record of
 *		     the kernel its time; nothing is kept, nothing is put in order.
 *
 * It names nothing, applies no mapping, and prints only totals.
 *
 * It may assume what the bench captures are: a little-endian file on a
 * little-endian machine, not compressed, one sample layout, no AUX data. It
 * refuses anything else, and must never be taken for a parser: it trusts a
 * 64-bit hash, without comparing chains.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BUF_SIZE = 1 << 20,
	BLOCK_SIZE = 1 << 20, /* of the stores */
	TYPE_SOFTWARE = 1,
	COUNT_SW_DUMMY = 9,
	RECORD_USER = 64,
	RECORD_SAMPLE = 9,
	RECORD_AUXTRACE = 71,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

/* perf_event.h: PERF_SAMPLE_*, in the order of the fields before the chain. */
#define SAMPLE_IP	  (1u << 0)
#define SAMPLE_TID	  (1u << 1)
#define SAMPLE_TIME	  (1u << 2)
#define SAMPLE_ADDR	  (1u << 3)
#define SAMPLE_READ	  (1u << 4)
#define SAMPLE_CALLCHAIN  (1u << 5)
#define SAMPLE_ID	  (1u << 6)
#define SAMPLE_CPU	  (1u << 7)
#define SAMPLE_PERIOD	  (1u << 8)
#define SAMPLE_STREAM_ID  (1u << 9)
#define SAMPLE_IDENTIFIER (1u << 16)

#define CONTEXT_MAX ((uint64_t)-4095) /* the markers in a chain are above this */

/* Open addressing; the keys are hashes, so their low bits are the slot; 0 is empty. */
struct set {
	uint64_t *slot;
	uint64_t mask, used;
};

/* What is kept, in blocks that are never moved. */
struct store {
	unsigned char *block;
	size_t left;
};

struct address {
	uint64_t ip;
	uint32_t pid;
};

struct totals {
	bool walk;
	uint64_t records, samples, chain_bytes, sum;
	struct set chains, addresses;
	struct store kept_chains, kept_addresses;
	/* offsets in a sample; 0: no such field, which in a chain's case only a walk bears */
	uint32_t id_at, pid_at, time_at, cpu_at, chain_at;
	uint32_t trailer_time; /* from the end of any other record */
};

static void die(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

static void set_init(struct set *set, uint64_t size)
{
	set->slot = calloc(size, sizeof(*set->slot));
	if (!set->slot)
		die("out of memory");
	set->mask = size - 1;
	set->used = 0;
}

static void set_grow(struct set *set)
{
	struct set old = *set;

	set_init(set, (old.mask + 1) * 2);
	set->used = old.used;
	for (uint64_t i = 0; i <= old.mask; i++) {
		uint64_t key = old.slot[i], at = key & set->mask;

		if (!key)
			continue;
		while (set->slot[at])
			at = (at + 1) & set->mask;
		set->slot[at] = key;
	}
	free(old.slot);
}

/* True if the key is new. */
static inline bool set_add(struct set *set, uint64_t key)
{
	uint64_t at;

	key += !key;
	for (at = key & set->mask; set->slot[at]; at = (at + 1) & set->mask)
		if (set->slot[at] == key)
			return false;
	set->slot[at] = key;
	if (++set->used * 2 > set->mask)
		set_grow(set);
	return true;
}

static inline uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define SALT_A 0x9e3779b97f4a7c15u
#define SALT_B 0xd1b54a32d192ed03u
#define SALT_C 0x8cb92ba72f3d8dd7u

/* Two independent chains of multiplications, four words a step. */
static inline uint64_t hash_words(const uint64_t *word, uint64_t nr, uint64_t seed)
{
	uint64_t a = seed ^ SALT_A, b = nr ^ SALT_B;

	for (; nr >= 4; nr -= 4, word += 4) {
		a = mix(word[0] ^ SALT_B, word[1] ^ a);
		b = mix(word[2] ^ SALT_C, word[3] ^ b);
	}
	for (; nr; nr--, word++)
		a = mix(word[0] ^ SALT_C, a ^ SALT_B);
	return mix(a ^ SALT_C, b ^ SALT_A);
}

static void *keep(struct store *store, size_t size)
{
	if (store->left < size) {
		store->left = BLOCK_SIZE;
		store->block = malloc(store->left);
		if (!store->block)
			die("out of memory");
	}
	store->left -= size;
	return store->block + store->left;
}

static void new_chain(struct totals *t, const uint64_t *ip, uint64_t nr, uint32_t pid)
{
	t->chain_bytes += nr * sizeof(*ip);
	memcpy(keep(&t->kept_chains, nr * sizeof(*ip)), ip, nr * sizeof(*ip));
	for (uint64_t i = 0; i < nr; i++)
		if (ip[i] < CONTEXT_MAX &&
		    set_add(&t->addresses, mix(ip[i] ^ SALT_A, pid ^ SALT_B)))
			*(struct address *)keep(&t->kept_addresses, sizeof(struct address)) =
				(struct address){ ip[i], pid };
}

static inline uint64_t word_at(const unsigned char *record, uint32_t offset)
{
	uint64_t value = 0;

	if (offset)
		memcpy(&value, record + offset, sizeof(value));
	return value;
}

static inline void walked(struct totals *t, const unsigned char *record, uint32_t size)
{
	if (size < t->cpu_at + 8 || size < t->time_at + 8 || size < t->pid_at + 8)
		die("a sample is too short");
	t->samples++;
	t->sum += word_at(record, t->id_at) + word_at(record, t->pid_at) +
		  word_at(record, t->time_at) + word_at(record, t->cpu_at);
}

static inline void sample(struct totals *t, const unsigned char *record, uint32_t size)
{
	const uint64_t *chain = (const void *)(record + t->chain_at);
	uint32_t pid;

	t->samples++;
	if (size < t->chain_at + 8 || chain[0] > (size - t->chain_at - 8) / 8)
		die("a chain is longer than its record");
	memcpy(&pid, record + t->pid_at, sizeof(pid));
	if (set_add(&t->chains, hash_words(chain + 1, chain[0], pid)))
		new_chain(t, chain + 1, chain[0], pid);
}

/* The whole records in buf; returns how many bytes they took. */
static size_t walk(struct totals *t, const unsigned char *buf, size_t len)
{
	size_t at = 0;

	while (len - at >= 8) {
		const unsigned char *record = buf + at;
		uint32_t type;
		uint16_t size;

		memcpy(&type, record, sizeof(type));
		memcpy(&size, record + 6, sizeof(size));
		if (size < 8 || size & 7)
			die("a record has a bad size");
		if (size > len - at)
			break;
		if (type == RECORD_SAMPLE && t->walk)
			walked(t, record, size);
		else if (type == RECORD_SAMPLE)
			sample(t, record, size);
		else if (type < RECORD_USER && t->walk && size >= 8 + t->trailer_time)
			t->sum += word_at(record, size - t->trailer_time);
		else if (type == RECORD_AUXTRACE || type == RECORD_COMPRESSED ||
			 type == RECORD_COMPRESSED2)
			die("AUX or compressed data");
		t->records++;
		at += size;
	}
	return at;
}

static void scan(struct totals *t, int fd, uint64_t left)
{
	static unsigned char buf[BUF_SIZE + (1 << 16)] __attribute__((aligned(64)));
	size_t kept = 0;

	while (left) {
		size_t want = left < BUF_SIZE ? left : BUF_SIZE, done;
		ssize_t got = read(fd, buf + kept, want);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			die("the data section is cut short");
		left -= (uint64_t)got;
		done = walk(t, buf, kept + (size_t)got);
		kept += (size_t)got - done;
		memmove(buf, buf + done, kept);
	}
}

static uint64_t u64_at(int fd, uint64_t offset)
{
	uint64_t value;

	if (pread(fd, &value, sizeof(value), (off_t)offset) != sizeof(value))
		die("cannot read the header");
	return value;
}

/* Where the fields of a sample lie, one u64 each, in the order of perf_output_sample(). */
static void fields(struct totals *t, uint64_t type)
{
	struct {
		uint32_t bit, *at;
	} const order[] = {
		{ SAMPLE_IDENTIFIER, &t->id_at },
		{ SAMPLE_IP, NULL },
		{ SAMPLE_TID, &t->pid_at },
		{ SAMPLE_TIME, &t->time_at },
		{ SAMPLE_ADDR, NULL },
		{ SAMPLE_ID, &t->id_at },
		{ SAMPLE_STREAM_ID, NULL },
		{ SAMPLE_CPU, &t->cpu_at },
		{ SAMPLE_PERIOD, NULL },
		{ SAMPLE_CALLCHAIN, &t->chain_at },
	};
	uint32_t at = 8;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(type & order[i].bit))
			continue;
		if (order[i].at)
			*order[i].at = at;
		at += 8;
	}
	/* sample_id_all: TID TIME ID STREAM_ID CPU IDENTIFIER end the other records. */
	t->trailer_time = 8 * (uint32_t)__builtin_popcountll(type & (SAMPLE_TIME | SAMPLE_ID |
								     SAMPLE_STREAM_ID | SAMPLE_CPU |
								     SAMPLE_IDENTIFIER));
}

/*
 * OFFSET SIZE MEANING (file header, tools/perf/util/header.h; all u64)
 *      0    8 "PERFILE2"
 *      8    8 size of this header
 *     16    8 size of an entry of the attr section
 *     24   16 attr section: offset, size
 *     40   16 data section: offset, size
 * In an entry, which begins with a perf_event_attr, type is at 0, config at 8, sample_type at 24.
 */
static uint64_t layout(struct totals *t, int fd)
{
	uint64_t entry = u64_at(fd, 16), at = u64_at(fd, 24), end = at + u64_at(fd, 32);
	uint64_t type = 0;

	if (u64_at(fd, 0) != 0x32454c4946524550u || u64_at(fd, 8) < 104 || entry < 64)
		die("not a little-endian perf.data file");
	for (; at < end; at += entry) {
		uint64_t other = u64_at(fd, at + 24);

		/* The dummy that carries records of mappings has no samples. */
		if ((uint32_t)u64_at(fd, at) == TYPE_SOFTWARE &&
		    u64_at(fd, at + 8) == COUNT_SW_DUMMY)
			continue;
		if (type && other != type)
			die("more than one sample layout");
		type = other;
	}
	if (!(type & SAMPLE_CALLCHAIN) && !t->walk)
		die("no chain in the samples");
	if (!(type & SAMPLE_TID) || type & SAMPLE_READ)
		die("no pid, or counter values in the samples");
	fields(t, type);
	if (lseek(fd, (off_t)u64_at(fd, 40), SEEK_SET) < 0)
		die("cannot seek");
	return u64_at(fd, 48);
}

int main(int argc, char **argv)
{
	struct totals t = { 0 };
	uint64_t size;
	int fd;

	t.walk = argc == 3 && !strcmp(argv[1], "--walk");
	if (argc != 2 + t.walk)
		die("usage: floor [--walk] FILE");
	fd = open(argv[argc - 1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("cannot open the file");
	size = layout(&t, fd);
	set_init(&t.chains, 1 << 16);
	set_init(&t.addresses, 1 << 16);
	scan(&t, fd, size);
	printf("records %llu\nsamples %llu\nsum %llx\nunique_chains %llu\nunique_chain_bytes %llu\n"
	       "unique_addresses %llu\n",
	       (unsigned long long)t.records, (unsigned long long)t.samples,
	       (unsigned long long)t.sum, (unsigned long long)t.chains.used,
	       (unsigned long long)t.chain_bytes, (unsigned long long)t.addresses.used);
	return 0;
}
