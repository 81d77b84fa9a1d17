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
 *   floor --latency FILE  what counts scheduler delays: the same file as --walk;
 *		     of each sched_switch and sched_waking (sched_wakeup) the tasks
 *		     are kept until its round is over, put in order of time, and
 *		     each task's run time, delays and their histogram are counted.
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
	CPUS = 1024,
	IDS = 1 << 14, /* slots: a power of two */
	TASKS = 1 << 18,
	NOBODY = 0, /* the idle task, whose time is not counted */
	EVENT_DESC = 12, /* the bit of this feature */
	TYPE_SOFTWARE = 1,
	COUNT_SW_DUMMY = 9,
	RECORD_USER = 64,
	RECORD_SAMPLE = 9,
	RECORD_FINISHED_ROUND = 68,
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
#define SAMPLE_RAW	  (1u << 10)
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

/* One switch or wake-up that waits for its time. */
struct happened {
	uint64_t time;
	uint32_t from, to;     /* threads; in a wake-up FROM is NOBODY */
	bool from_is_runnable; /* it did not want to sleep */
	bool is_wakeup;
};

struct cpu_list {
	struct happened *list;
	size_t first, count, cap;
};

enum doing { SLEEPS, WAITS, RUNS };

struct task {
	uint32_t tid; /* 0: the slot is free */
	enum doing doing;
	uint64_t since, run, delay, longest, delays;
	uint32_t histogram[64];
};

enum kind { KIND_NONE, KIND_SWITCH, KIND_WAKEUP };

struct latency {
	struct cpu_list cpu[CPUS];
	struct task **task; /* by thread: open addressing */
	uint64_t now, limit; /* the latest time; of the round before */
	uint64_t id[IDS];    /* open addressing; 0 is empty */
	enum kind kind[IDS];
	uint64_t events;
};

struct totals {
	bool walk;
	struct latency *latency; /* NULL: not asked for */
	uint64_t records, samples, chain_bytes, sum;
	struct set chains, addresses;
	struct store kept_chains, kept_addresses;
	/* offsets in a sample; 0: no such field, which in a chain's case only a walk bears */
	uint32_t id_at, pid_at, time_at, cpu_at, chain_at, raw_at;
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

/* ---- scheduler delays ---- */

static inline size_t slot_of_id(uint64_t id)
{
	return mix(id, SALT_A) & (IDS - 1);
}

static inline enum kind kind_of(const struct latency *l, uint64_t id)
{
	size_t at = slot_of_id(id);

	while (l->id[at] && l->id[at] != id)
		at = (at + 1) & (IDS - 1);
	return l->kind[at];
}

static inline uint32_t raw_u32(const unsigned char *raw, size_t at)
{
	uint32_t value;

	memcpy(&value, raw + at, sizeof(value));
	return value;
}

static struct task *task_of(struct latency *l, uint32_t tid)
{
	size_t at = mix(tid, SALT_A) & (TASKS - 1);

	while (l->task[at] && l->task[at]->tid != tid)
		at = (at + 1) & (TASKS - 1);
	if (!l->task[at]) {
		l->task[at] = calloc(1, sizeof(**l->task));
		if (!l->task[at])
			die("out of memory");
		l->task[at]->tid = tid;
	}
	return l->task[at];
}

static void push(struct cpu_list *c, struct happened h)
{
	if (c->count == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 4096;
		c->list = realloc(c->list, c->cap * sizeof(*c->list));
		if (!c->list)
			die("out of memory");
	}
	c->list[c->count++] = h;
}

/*
 * Behind the size of the payload, a u32, at (sched_switch and sched_waking of 64-bit kernels,
 * tracefs events/sched/.../format):
 * OFFSET SIZE MEANING
 *     24    4 prev_pid; pid
 *     32    8 prev_state
 *     56    4 next_pid
 */
static inline void scheduled(struct latency *l, const unsigned char *raw, struct happened h,
			     enum kind kind, uint32_t cpu)
{
	uint32_t size = raw_u32(raw, 0);

	raw += 4;
	if (kind == KIND_NONE)
		return;
	if (cpu >= CPUS || size < (kind == KIND_SWITCH ? 60 : 28))
		die("a scheduler event of another kernel");
	if (kind == KIND_SWITCH) {
		uint64_t state = word_at(raw, 32);

		h.from = raw_u32(raw, 24);
		h.to = raw_u32(raw, 56);
		h.from_is_runnable = !(state & 0xff);
	} else {
		h.to = raw_u32(raw, 24);
		h.is_wakeup = true;
	}
	push(&l->cpu[cpu], h);
}

static void leave(struct task *t, const struct happened *h)
{
	if (t->doing == RUNS)
		t->run += h->time - t->since;
	t->doing = h->from_is_runnable ? WAITS : SLEEPS;
	t->since = h->time;
}

static void enter(struct task *t, uint64_t time)
{
	uint64_t delay = time - t->since;

	if (t->doing == WAITS) {
		t->delay += delay;
		t->delays++;
		t->longest = delay > t->longest ? delay : t->longest;
		t->histogram[63 - __builtin_clzll(delay | 1)]++;
	}
	t->doing = RUNS;
	t->since = time;
}

static void happens(struct latency *l, const struct happened *h)
{
	l->events++;
	if (h->from != NOBODY)
		leave(task_of(l, h->from), h);
	if (h->to == NOBODY)
		return;
	struct task *t = task_of(l, h->to);

	if (h->is_wakeup) {
		if (t->doing == SLEEPS) {
			t->doing = WAITS;
			t->since = h->time;
		}
	} else {
		enter(t, h->time);
	}
}

/* All up to LIMIT, in order of time; each CPU's are in order. */
static void merge(struct latency *l, uint64_t limit)
{
	uint32_t live[CPUS], count = 0;

	for (uint32_t i = 0; i < CPUS; i++)
		if (l->cpu[i].count && l->cpu[i].list[0].time <= limit)
			live[count++] = i;
	while (count) {
		uint32_t least = 0;
		struct cpu_list *c;

		for (uint32_t i = 1; i < count; i++) {
			const struct cpu_list *a = &l->cpu[live[i]], *b = &l->cpu[live[least]];

			if (a->list[a->first].time < b->list[b->first].time)
				least = i;
		}
		c = &l->cpu[live[least]];
		happens(l, &c->list[c->first++]);
		if (c->first == c->count || c->list[c->first].time > limit)
			live[least] = live[--count];
	}
	for (uint32_t i = 0; i < CPUS; i++) {
		struct cpu_list *c = &l->cpu[i];

		memmove(c->list, c->list + c->first, (c->count - c->first) * sizeof(*c->list));
		c->count -= c->first;
		c->first = 0;
	}
}

/* What comes later is not older than the round before this one. */
static void round_is_over(struct latency *l)
{
	merge(l, l->limit);
	l->limit = l->now;
}

static inline void walked(struct totals *t, const unsigned char *record, uint32_t size)
{
	if (size < t->cpu_at + 8 || size < t->time_at + 8 || size < t->pid_at + 8)
		die("a sample is too short");
	t->samples++;
	if (t->latency) {
		uint64_t time = word_at(record, t->time_at);

		if (size < t->raw_at + 4)
			die("a sample is too short");
		t->latency->now = time > t->latency->now ? time : t->latency->now;
		scheduled(t->latency, record + t->raw_at, (struct happened){ .time = time },
			  kind_of(t->latency, word_at(record, t->id_at)),
			  (uint32_t)word_at(record, t->cpu_at));
		return;
	}
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
		else if (type == RECORD_FINISHED_ROUND && t->latency)
			round_is_over(t->latency);
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
		{ SAMPLE_RAW, &t->raw_at },
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

static uint64_t kept_at(int fd, uint64_t at, void *to, size_t size)
{
	if (pread(fd, to, size, (off_t)at) != (ssize_t)size)
		die("cannot read the names of events");
	return at + size;
}

static enum kind kind_named(const char *name)
{
	if (!strcmp(name, "sched:sched_switch"))
		return KIND_SWITCH;
	return !strcmp(name, "sched:sched_waking") || !strcmp(name, "sched:sched_wakeup_new") ?
		       KIND_WAKEUP :
		       KIND_NONE;
}

/*
 * The ids of the scheduler's events, by feature EVENT_DESC (tools/perf/util/header.c): u32 events,
 * u32 size of an attr; of each event its attr, u32 ids, u32 length, the name, u64 ids.
 */
static struct latency *latency_of(int fd)
{
	uint64_t flags = u64_at(fd, 72), at = u64_at(fd, 40) + u64_at(fd, 48);
	struct latency *l = calloc(1, sizeof(*l));
	uint32_t head[2], counts[2];

	if (!l || !(l->task = calloc(TASKS, sizeof(struct task *))))
		die("out of memory");
	if (!(flags >> EVENT_DESC & 1))
		die("the capture does not name its events");
	at = u64_at(fd, at + 16 * (uint64_t)__builtin_popcountll(flags & ((1u << EVENT_DESC) - 1)));
	at = kept_at(fd, at, head, sizeof(head));
	while (head[0]--) {
		char name[64] = "";
		enum kind kind;

		at = kept_at(fd, at + head[1], counts, sizeof(counts));
		kept_at(fd, at, name, counts[1] < 64 ? counts[1] : 64);
		at += counts[1];
		kind = kind_named(name);
		for (; counts[0]; counts[0]--, at += 8) {
			uint64_t id = u64_at(fd, at);
			size_t slot = slot_of_id(id);

			while (l->id[slot])
				slot = (slot + 1) & (IDS - 1);
			l->id[slot] = id;
			l->kind[slot] = kind;
		}
	}
	return l;
}

static void print_latency(struct latency *l)
{
	unsigned long long tasks = 0, run = 0, delay = 0, delays = 0;

	merge(l, UINT64_MAX);
	for (size_t i = 0; i < TASKS; i++) {
		const struct task *t = l->task[i];

		if (!t)
			continue;
		tasks++;
		run += t->run;
		delay += t->delay;
		delays += t->delays;
	}
	printf("scheduled %llu\ntasks %llu\nrun %llu\ndelays %llu\ndelayed %llu\n",
	       (unsigned long long)l->events, tasks, run, delays, delay);
}

int main(int argc, char **argv)
{
	bool latency = argc == 3 && !strcmp(argv[1], "--latency");
	struct totals t = { 0 };
	uint64_t size;
	int fd;

	t.walk = latency || (argc == 3 && !strcmp(argv[1], "--walk"));
	if (argc != 2 + t.walk)
		die("usage: floor [--walk|--latency] FILE");
	fd = open(argv[argc - 1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("cannot open the file");
	t.latency = latency ? latency_of(fd) : NULL;
	size = layout(&t, fd);
	if (latency && (!t.raw_at || t.chain_at || !t.id_at || !t.cpu_at))
		die("no plain samples of tracepoints");
	set_init(&t.chains, 1 << 16);
	set_init(&t.addresses, 1 << 16);
	scan(&t, fd, size);
	printf("records %llu\nsamples %llu\nsum %llx\nunique_chains %llu\nunique_chain_bytes %llu\n"
	       "unique_addresses %llu\n",
	       (unsigned long long)t.records, (unsigned long long)t.samples,
	       (unsigned long long)t.sum, (unsigned long long)t.chains.used,
	       (unsigned long long)t.chain_bytes, (unsigned long long)t.addresses.used);
	if (latency)
		print_latency(t.latency);
	return 0;
}
