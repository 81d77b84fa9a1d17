/*
 * mkperf: PERF_RECORD_SAMPLE and the sample_id trailer of the other kernel records, in the
 * order of perf_output_sample() and __perf_event__output_id_sample() of kernel/events/core.c.
 */
#include "mkperf.h"

#include <stdlib.h>
#include <string.h>

enum { ITEM_MAX = 256 };

#define PERF_CONTEXT_MAX ((uint64_t)-4095)

enum {
	S_IP = 1 << 0, S_TID = 1 << 1, S_TIME = 1 << 2, S_ADDR = 1 << 3, S_READ = 1 << 4,
	S_CALLCHAIN = 1 << 5, S_ID = 1 << 6, S_CPU = 1 << 7, S_PERIOD = 1 << 8,
	S_STREAM_ID = 1 << 9, S_RAW = 1 << 10, S_BRANCH_STACK = 1 << 11, S_REGS_USER = 1 << 12,
	S_STACK_USER = 1 << 13, S_WEIGHT = 1 << 14, S_DATA_SRC = 1 << 15,
	S_IDENTIFIER = 1 << 16, S_TRANSACTION = 1 << 17, S_REGS_INTR = 1 << 18,
	S_PHYS_ADDR = 1 << 19, S_AUX = 1 << 20, S_CGROUP = 1 << 21,
	S_DATA_PAGE_SIZE = 1 << 22, S_CODE_PAGE_SIZE = 1 << 23, S_WEIGHT_STRUCT = 1 << 24,
};

enum { R_ENABLED = 1, R_RUNNING = 2, R_ID = 4, R_GROUP = 8, R_LOST = 16 };

enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19 };

static const struct name chain_names[] = {
	{ "hv", (uint64_t)-32 }, { "kernel", (uint64_t)-128 }, { "user", (uint64_t)-512 },
	{ "user_deferred", (uint64_t)-640 }, { "guest", (uint64_t)-2048 },
	{ "guest_kernel", (uint64_t)-2176 }, { "guest_user", (uint64_t)-2560 },
	{ "context_max", PERF_CONTEXT_MAX }, { NULL, 0 },
};

/* Mispredicted, predicted, in transaction, aborted; then cycles, type, spec, new type, priv. */
static const struct name branch_flag_names[] = {
	{ "M", 1 }, { "P", 2 }, { "X", 4 }, { "A", 8 }, { NULL, 0 },
};
static const uint8_t branch_flag_widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3 };

/* The machine of --word 32 has no address above 4G; the markers stay what they are. */
uint64_t address(const struct mk *m, uint64_t v)
{
	return m->opt.word == 32 && v < PERF_CONTEXT_MAX ? v & UINT32_MAX : v;
}

/* nr and the entries of a list whose items are marker, marker:entry or entry. */
void put_chain(struct mk *m, struct buf *b, const char *list)
{
	size_t nr_at = b->len;
	uint64_t nr = 0;
	char item[ITEM_MAX];

	put_u64(b, 0);
	while (list_next(&list, ',', item, sizeof(item))) {
		char *entry = strchr(item, ':');

		if (entry)
			*entry++ = '\0';
		put_u64(b, address(m, eval(m, item, chain_names)));
		nr++;
		if (entry && *entry) {
			put_u64(b, address(m, eval(m, entry, chain_names)));
			nr++;
		}
	}
	set_u64(b, nr_at, nr);
}

/* Up to @max numbers of "a:b:c"; what is not given keeps its value. */
static int tuple(struct mk *m, const char *s, uint64_t *v, int max, const struct name *names)
{
	char item[ITEM_MAX];
	int n = 0;

	while (list_next(&s, ':', item, sizeof(item))) {
		if (n == max)
			die(m, "more than %d values in a tuple", max);
		v[n++] = eval(m, item, names);
	}
	return n;
}

static int list_length(const char *list)
{
	char item[ITEM_MAX];
	int n = 0;

	while (list_next(&list, ',', item, sizeof(item)))
		n++;
	return n;
}

/* read=VALUE[:ID[:LOST]],...: the body of READ records and of PERF_SAMPLE_READ. */
void put_read_values(struct mk *m, struct buf *b, struct args *a, const struct event *e)
{
	uint64_t format = e->attr[ATTR_READ_FORMAT];
	const char *list = arg_list(a, "read", "0");
	uint64_t enabled = arg_num(m, a, "enabled", 0), running = arg_num(m, a, "running", 0);
	uint32_t cpu = (uint32_t)arg_num(m, a, "cpu", 0);
	bool group = format & R_GROUP, first = true;
	char item[ITEM_MAX];

	if (!group && list_length(list) != 1)
		die(m, "read: one value, for read_format has no GROUP");
	if (group)
		put_u64(b, (uint64_t)list_length(list));
	while (list_next(&list, ',', item, sizeof(item))) {
		uint64_t v[3] = { 0, event_id(e, cpu), 0 };

		tuple(m, item, v, 3, NULL);
		if (!group)
			put_u64(b, v[0]);
		if (first && format & R_ENABLED)
			put_u64(b, enabled);
		if (first && format & R_RUNNING)
			put_u64(b, running);
		first = false;
		if (group)
			put_u64(b, v[0]);
		if (format & R_ID)
			put_u64(b, v[1]);
		if (format & R_LOST)
			put_u64(b, v[2]);
	}
}

static void put_tid(struct mk *m, struct buf *b, struct args *a, bool fork)
{
	uint64_t pid = arg_num(m, a, "pid", 0);
	uint64_t tid = arg_num(m, a, "tid", pid);

	/* A FORK is written while the parent runs. */
	if (fork) {
		pid = arg_num(m, a, "ppid", pid);
		tid = arg_num(m, a, "ptid", pid);
	}
	/* perf's own kernel MMAPs have pid -1 and an empty trailer. */
	if (pid == UINT64_MAX)
		pid = tid = 0;
	pid = arg_num(m, a, "spid", pid);
	put_u32(b, (uint32_t)pid);
	put_u32(b, (uint32_t)arg_num(m, a, "stid", tid));
}

void put_sample_id(struct mk *m, struct buf *b, struct args *a, bool fork)
{
	const struct event *e = event_get(m, a);
	uint64_t type = event_flag(e, "sample_id_all") ? e->attr[ATTR_SAMPLE_TYPE] : 0;
	uint32_t cpu = (uint32_t)arg_num(m, a, "cpu", 0);
	uint64_t id = arg_num(m, a, "id", event_id(e, cpu));
	uint64_t stream_id = arg_num(m, a, "stream_id", id), time = arg_num(m, a, "time", 0);
	struct buf tid = { .big = b->big };

	put_tid(m, &tid, a, fork);
	if (type & S_TID)
		put_bytes(b, tid.p, tid.len);
	free(tid.p);
	if (type & S_TIME)
		put_u64(b, time);
	if (type & S_ID)
		put_u64(b, id);
	if (type & S_STREAM_ID)
		put_u64(b, stream_id);
	if (type & S_CPU) {
		put_u32(b, cpu);
		put_u32(b, 0);
	}
	if (type & S_IDENTIFIER)
		put_u64(b, id);
}

/* The kernel rounds the size up so that size field and data end on 8 bytes. */
static void put_raw(struct mk *m, struct buf *b, struct args *a)
{
	struct buf raw = { .big = b->big };

	put_list(m, &raw, arg_list(a, "raw", ""));
	put_zero(&raw, (8 - (raw.len + 4) % 8) % 8);
	put_u32(b, (uint32_t)raw.len);
	put_bytes(b, raw.p, raw.len);
	free(raw.p);
}

/* branch=FROM:TO[:FLAGS],... */
static void put_branches(struct mk *m, struct buf *b, struct args *a, const struct event *e)
{
	const char *list = arg_list(a, "branch", "");
	uint64_t type = e->attr[ATTR_BRANCH];
	char item[ITEM_MAX];

	put_u64(b, (uint64_t)list_length(list));
	if (type & BRANCH_HW_INDEX)
		put_u64(b, arg_num(m, a, "hw_idx", 0));
	while (list_next(&list, ',', item, sizeof(item))) {
		uint64_t v[3] = { 0, 0, 2 };

		tuple(m, item, v, 3, branch_flag_names);
		put_u64(b, address(m, v[0]));
		put_u64(b, address(m, v[1]));
		put_u64(b, bitfield_layout(v[2], branch_flag_widths,
					   ARRAY_SIZE(branch_flag_widths), b->big));
	}
	if (!(type & BRANCH_COUNTERS))
		return;
	list = arg_list(a, "counters", "");
	if (list_length(list) != list_length(arg_list(a, "branch", "")))
		die(m, "counters: one for each branch");
	while (list_next(&list, ',', item, sizeof(item)))
		put_u64(b, eval(m, item, NULL));
}

/* The ABI word, then one value for each bit of the mask; without values, ABI_NONE alone. */
static void put_regs(struct mk *m, struct buf *b, struct args *a, const char *key,
		     uint64_t mask)
{
	const char *list = arg_list(a, key, NULL);
	char item[ITEM_MAX];

	put_u64(b, list ? arg_num(m, a, "regs_abi", m->opt.word == 32 ? 1 : 2) : 0);
	if (list && list_length(list) != __builtin_popcountll(mask))
		die(m, "%s: %d values for a mask of %d", key, list_length(list),
		    __builtin_popcountll(mask));
	while (list_next(&list, ',', item, sizeof(item)))
		put_u64(b, address(m, eval(m, item, NULL)));
}

/* u64 size, the data, and for the user stack how much of it the kernel really copied. */
static void put_blob(struct mk *m, struct buf *b, struct args *a, const char *key, bool dyn)
{
	struct buf blob = { .big = b->big };

	put_list(m, &blob, arg_list(a, key, ""));
	if (blob.len % 8)
		put_align(&blob, 8);
	put_u64(b, blob.len);
	put_bytes(b, blob.p, blob.len);
	if (dyn && blob.len)
		put_u64(b, arg_num(m, a, "dyn_size", blob.len));
	free(blob.p);
}

/* weight=FULL, or for WEIGHT_STRUCT weight=VAR1[:VAR2[:VAR3]]: the same u64 on both orders. */
static void put_weight(struct mk *m, struct buf *b, struct args *a, uint64_t type)
{
	uint64_t v[3] = { 0 };

	tuple(m, arg_list(a, "weight", "0"), v, type & S_WEIGHT_STRUCT ? 3 : 1, NULL);
	if (type & S_WEIGHT_STRUCT)
		v[0] = (v[0] & UINT32_MAX) | (v[1] & UINT16_MAX) << 32 | v[2] << 48;
	put_u64(b, v[0]);
}

static void put_fixed_fields(struct mk *m, struct buf *b, struct args *a,
			     const struct event *e)
{
	uint64_t type = e->attr[ATTR_SAMPLE_TYPE];
	uint32_t cpu = (uint32_t)arg_num(m, a, "cpu", 0);
	uint64_t id = arg_num(m, a, "id", event_id(e, cpu));
	uint64_t ip = address(m, arg_num(m, a, "ip", 0)), time = arg_num(m, a, "time", 0);
	uint64_t period = event_flag(e, "freq") ? 1 : e->attr[ATTR_PERIOD];
	struct buf tid = { .big = b->big };

	if (type & S_IDENTIFIER)
		put_u64(b, id);
	if (type & S_IP)
		put_u64(b, ip);
	put_tid(m, &tid, a, false);
	if (type & S_TID)
		put_bytes(b, tid.p, tid.len);
	free(tid.p);
	if (type & S_TIME)
		put_u64(b, time);
	if (type & S_ADDR)
		put_u64(b, address(m, arg_num(m, a, "addr", 0)));
	if (type & S_ID)
		put_u64(b, id);
	if (type & S_STREAM_ID)
		put_u64(b, arg_num(m, a, "stream_id", id));
	if (type & S_CPU) {
		put_u32(b, cpu);
		put_u32(b, 0);
	}
	if (type & S_PERIOD)
		put_u64(b, arg_num(m, a, "period", period));
}

static void put_stack_fields(struct mk *m, struct buf *b, struct args *a,
			     const struct event *e)
{
	uint64_t type = e->attr[ATTR_SAMPLE_TYPE];

	if (type & S_READ)
		put_read_values(m, b, a, e);
	if (type & S_CALLCHAIN)
		put_chain(m, b, arg_list(a, "chain", ""));
	if (type & S_RAW)
		put_raw(m, b, a);
	if (type & S_BRANCH_STACK)
		put_branches(m, b, a, e);
	if (type & S_REGS_USER)
		put_regs(m, b, a, "regs_user", e->attr[ATTR_REGS_USER]);
	if (type & S_STACK_USER)
		put_blob(m, b, a, "stack", true);
}

void put_sample(struct mk *m, struct buf *b, struct args *a)
{
	const struct event *e = event_get(m, a);
	uint64_t type = e->attr[ATTR_SAMPLE_TYPE];
	static const struct {
		uint64_t bit;
		const char *key;
	} last[] = {
		{ S_PHYS_ADDR, "phys_addr" }, { S_CGROUP, "cgroup" },
		{ S_DATA_PAGE_SIZE, "data_page_size" }, { S_CODE_PAGE_SIZE, "code_page_size" },
	};

	put_fixed_fields(m, b, a, e);
	put_stack_fields(m, b, a, e);
	if (type & (S_WEIGHT | S_WEIGHT_STRUCT))
		put_weight(m, b, a, type);
	if (type & S_DATA_SRC)
		put_u64(b, arg_num(m, a, "data_src", 0));
	if (type & S_TRANSACTION)
		put_u64(b, arg_num(m, a, "transaction", 0));
	if (type & S_REGS_INTR)
		put_regs(m, b, a, "regs_intr", e->attr[ATTR_REGS_INTR]);
	for (size_t i = 0; i < ARRAY_SIZE(last); i++)
		if (type & last[i].bit)
			put_u64(b, arg_num(m, a, last[i].key, 0));
	if (type & S_AUX)
		put_blob(m, b, a, "aux", false);
}
