/* mkperf: event descriptions, struct perf_event_attr. */
#include "mkperf.h"

#include <stdlib.h>
#include <string.h>

/* OFFSET and SIZE in struct perf_event_attr; the rows are in the order of enum mk_attr. */
static const struct attr_field {
	const char *key;
	uint16_t offset;
	uint8_t size;
} attr_fields[] = {
	{ "type", 0, 4 },
	{ NULL, 4, 4 }, /* size */
	{ "config", 8, 8 },
	{ "period", 16, 8 },
	{ "sample_type", 24, 8 },
	{ "read_format", 32, 8 },
	{ NULL, 40, 8 }, /* flags */
	{ "wakeup", 48, 4 },
	{ "bp_type", 52, 4 },
	{ "config1", 56, 8 },
	{ "config2", 64, 8 },
	{ "branch_sample_type", 72, 8 },
	{ "regs_user", 80, 8 },
	{ "stack_user", 88, 4 },
	{ "clockid", 92, 4 },
	{ "regs_intr", 96, 8 },
	{ "aux_watermark", 104, 4 },
	{ "max_stack", 108, 2 },
	{ "aux_sample_size", 112, 4 },
	{ "aux_action", 116, 4 },
	{ "sig_data", 120, 8 },
	{ "config3", 128, 8 },
	{ "config4", 136, 8 },
};

/* The bits of the flags word from the first on. All are one bit wide but precise_ip. */
static const char *const attr_flags[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
	"bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap", "defer_callchain", "defer_output",
};

enum { FLAG_PRECISE_IP = 15, PRECISE_IP_WIDTH = 2 };

static const struct name type_names[] = {
	{ "hardware", 0 }, { "software", 1 }, { "tracepoint", 2 }, { "hw_cache", 3 },
	{ "raw", 4 }, { "breakpoint", 5 }, { NULL, 0 },
};

#define BIT(name, n) { name, UINT64_C(1) << (n) }

static const struct name sample_type_names[] = {
	BIT("IP", 0), BIT("TID", 1), BIT("TIME", 2), BIT("ADDR", 3), BIT("READ", 4),
	BIT("CALLCHAIN", 5), BIT("ID", 6), BIT("CPU", 7), BIT("PERIOD", 8), BIT("STREAM_ID", 9),
	BIT("RAW", 10), BIT("BRANCH_STACK", 11), BIT("REGS_USER", 12), BIT("STACK_USER", 13),
	BIT("WEIGHT", 14), BIT("DATA_SRC", 15), BIT("IDENTIFIER", 16), BIT("TRANSACTION", 17),
	BIT("REGS_INTR", 18), BIT("PHYS_ADDR", 19), BIT("AUX", 20), BIT("CGROUP", 21),
	BIT("DATA_PAGE_SIZE", 22), BIT("CODE_PAGE_SIZE", 23), BIT("WEIGHT_STRUCT", 24),
	{ NULL, 0 },
};

static const struct name read_format_names[] = {
	BIT("ENABLED", 0), BIT("RUNNING", 1), BIT("ID", 2), BIT("GROUP", 3), BIT("LOST", 4),
	{ NULL, 0 },
};

static const struct name branch_names[] = {
	BIT("USER", 0), BIT("KERNEL", 1), BIT("HV", 2), BIT("ANY", 3), BIT("ANY_CALL", 4),
	BIT("ANY_RETURN", 5), BIT("IND_CALL", 6), BIT("ABORT_TX", 7), BIT("IN_TX", 8),
	BIT("NO_TX", 9), BIT("COND", 10), BIT("CALL_STACK", 11), BIT("IND_JUMP", 12),
	BIT("CALL", 13), BIT("NO_FLAGS", 14), BIT("NO_CYCLES", 15), BIT("TYPE_SAVE", 16),
	BIT("HW_INDEX", 17), BIT("PRIV_SAVE", 18), BIT("COUNTERS", 19), { NULL, 0 },
};

static const struct name *names_of(int field)
{
	switch (field) {
	case ATTR_TYPE: return type_names;
	case ATTR_SAMPLE_TYPE: return sample_type_names;
	case ATTR_READ_FORMAT: return read_format_names;
	case ATTR_BRANCH: return branch_names;
	default: return NULL;
	}
}

static int flag_shift(int flag)
{
	return flag > FLAG_PRECISE_IP ? flag + PRECISE_IP_WIDTH - 1 : flag;
}

bool event_flag(const struct event *e, const char *name)
{
	for (int i = 0; i < (int)ARRAY_SIZE(attr_flags); i++)
		if (!strcmp(attr_flags[i], name))
			return e->flags >> flag_shift(i) & 1;
	return false;
}

/* `flag` or `flag=value`. */
static void event_flags(struct mk *m, struct event *e, struct args *a)
{
	for (int i = 0; i < (int)ARRAY_SIZE(attr_flags); i++) {
		uint64_t mask = i == FLAG_PRECISE_IP ? 3 : 1;
		uint64_t v = arg_num(m, a, attr_flags[i], arg_flag(a, attr_flags[i]) ? 1 : 0);

		if (v > mask)
			die(m, "%s=%llu: too large", attr_flags[i], (unsigned long long)v);
		e->flags |= v << flag_shift(i);
	}
}

void event_add(struct mk *m, struct args *a)
{
	struct event *e = &m->events[m->nr_events];
	const char *ids, *name = arg_need_word(m, a, "the event's name");
	char item[64];

	if (m->nr_events++ == MK_EVENTS_MAX)
		die(m, "more than %d events", MK_EVENTS_MAX);
	e->name = xstrndup(name, strlen(name));
	for (int i = 0; i < (int)ARRAY_SIZE(attr_fields); i++)
		if (attr_fields[i].key)
			e->attr[i] = arg_names(m, a, attr_fields[i].key, 0, names_of(i));
	event_flags(m, e, a);
	ids = arg_list(a, "ids", "");
	while (list_next(&ids, ',', item, sizeof(item))) {
		if (e->nr_ids == MK_IDS_MAX)
			die(m, "more than %d ids", MK_IDS_MAX);
		e->ids[e->nr_ids++] = eval(m, item, NULL);
	}
}

/* The event that governs a record: event=NAME, or else the first one. */
struct event *event_get(struct mk *m, struct args *a)
{
	const char *name = arg_str(a, "event", NULL);

	if (!m->nr_events)
		die(m, "an `event` must come before the records");
	if (!name)
		return &m->events[0];
	for (int i = 0; i < m->nr_events; i++)
		if (!strcmp(m->events[i].name, name))
			return &m->events[i];
	die(m, "no event '%s'", name);
}

/* One id for each CPU, as perf record opens the events. */
uint64_t event_id(const struct event *e, uint32_t cpu)
{
	return e->nr_ids ? e->ids[cpu % (uint32_t)e->nr_ids] : 0;
}

void put_attr(struct mk *m, struct buf *b, const struct event *e)
{
	uint8_t widths[ARRAY_SIZE(attr_flags)];
	struct buf attr = { .big = b->big };
	uint32_t size = m->opt.attr_size;

	memset(widths, 1, sizeof(widths));
	widths[FLAG_PRECISE_IP] = PRECISE_IP_WIDTH;
	for (int i = 0; i < (int)ARRAY_SIZE(attr_fields); i++) {
		uint64_t v = e->attr[i];

		if (i == ATTR_SIZE)
			v = size;
		if (i == ATTR_FLAGS)
			v = bitfield_layout(e->flags, widths, ARRAY_SIZE(widths), b->big);
		put_zero(&attr, attr_fields[i].offset - attr.len);
		put_uint(&attr, v, attr_fields[i].size);
	}
	if (attr.len < size)
		put_zero(&attr, size - attr.len);
	put_bytes(b, attr.p, size);
	free(attr.p);
}
