/*
 * mkperf: the records. Most are rows of a table; a layout string lists the body's fields.
 *
 *	KIND:KEY=DEFAULT	DEFAULT is a number, another key's value, or @id (the event's id)
 *	u8 u16 u32 u64		an integer		a	an address
 *	s	a string, padded to 8			fN	a string in N bytes
 *	b	a byte list, as it is			xN	N zeros, no key
 *	l	a list of u64				LN	u64 count and tuples of N u64
 * and the irregular ones: R(ead values) C(hain) M(map2's union) T(ext poke) t(hread map)
 * c(pu map) U(event update) P(ayload after the record).
 *
 * Sources: include/uapi/linux/perf_event.h (types below 64, which end in a sample_id trailer)
 * and tools/lib/perf/include/perf/event.h (types from 64 on, which do not).
 */
#include "mkperf.h"

#include <stdlib.h>
#include <string.h>

enum { ITEM_MAX = 256, BUILD_ID_MAX = 20 };

enum {
	REC_FORK = 7, REC_SAMPLE = 9, REC_HEADER_SIZE = 8,
	MISC_KERNEL = 1, MISC_USER = 2, MISC_MODE_MASK = 7,
	MISC_BIT12 = 1 << 12, MISC_BIT13 = 1 << 13, MISC_BIT14 = 1 << 14,
};

static const struct record_row {
	const char *name;
	uint16_t type;
	char mode; /* the usual cpumode: 'u'ser, 'k'ernel, 'm' by pid -1, or none */
	const char *layout;
} rows[] = {
	{ "mmap", 1, 'm', "u32:pid u32:tid=pid a:addr a:len u64:pgoff=0 s:file" },
	{ "lost", 2, 0, "u64:id=@id u64:lost" },
	{ "comm", 3, 0, "u32:pid u32:tid=pid s:comm" },
	{ "exit", 4, 0, "u32:pid u32:ppid u32:tid=pid u32:ptid=ppid u64:time=0" },
	{ "throttle", 5, 0, "u64:time=0 u64:id=@id u64:stream_id=@id" },
	{ "unthrottle", 6, 0, "u64:time=0 u64:id=@id u64:stream_id=@id" },
	{ "fork", REC_FORK, 0, "u32:pid u32:ppid u32:tid=pid u32:ptid=ppid u64:time=0" },
	{ "read", 8, 0, "u32:pid u32:tid=pid R" },
	{ "sample", REC_SAMPLE, 'u', "" },
	{ "mmap2", 10, 'm', "u32:pid u32:tid=pid a:addr a:len u64:pgoff=0 M "
			    "u32:prot=5 u32:flags=2 s:file" },
	{ "aux", 11, 0, "u64:offset u64:size u64:flags=0" },
	{ "itrace_start", 12, 0, "u32:pid u32:tid=pid" },
	{ "lost_samples", 13, 0, "u64:lost" },
	{ "switch", 14, 0, "" },
	{ "switch_cpu_wide", 15, 0, "u32:next_pid u32:next_tid=next_pid" },
	{ "namespaces", 16, 0, "u32:pid u32:tid=pid L2:ns" },
	{ "ksymbol", 17, 'k', "a:addr u32:len u16:type=1 u16:flags=0 s:name" },
	{ "bpf_event", 18, 0, "u16:type=1 u16:flags=0 u32:prog_id b:tag" },
	{ "cgroup", 19, 0, "u64:cgroup s:path" },
	{ "text_poke", 20, 'k', "a:addr T" },
	{ "aux_output_hw_id", 21, 0, "u64:hw_id" },
	{ "callchain_deferred", 22, 'u', "u64:cookie C" },
	{ "event_type", 65, 0, "u64:config f64:name" },
	{ "finished_round", 68, 0, "" },
	{ "id_index", 69, 0, "L4:entries" },
	{ "auxtrace_info", 70, 0, "u32:type x4 l:priv" },
	{ "auxtrace", 71, 0, "P u64:offset=0 u64:reference=0 u32:idx=0 u32:tid=-1 u32:cpu=-1 x4" },
	{ "auxtrace_error", 72, 0, "u32:type=1 u32:code=0 u32:cpu=0 u32:pid=0 u32:tid=pid "
				   "u32:fmt=2 u64:ip=0 u64:time=0 f64:msg u32:machine_pid=0 "
				   "u32:vcpu=0" },
	{ "thread_map", 73, 0, "t" },
	{ "cpu_map", 74, 0, "c" },
	{ "stat_config", 75, 0, "L2:config" },
	{ "stat", 76, 0, "u64:id=@id u32:cpu=0 u32:thread=0 u64:val u64:ena=0 u64:run=0" },
	{ "stat_round", 77, 0, "u64:type=0 u64:time" },
	{ "event_update", 78, 0, "U" },
	{ "time_conv", 79, 0, "u64:shift u64:mult u64:zero u64:cycles=0 u64:mask=-1 "
			      "u8:cap_zero=1 u8:cap_short=0 x6" },
	{ "finished_init", 82, 0, "" },
};

void item_add(struct mk *m, const struct buf *b, uint32_t type, uint32_t cpu, bool bare)
{
	if (m->nr_items == m->cap_items) {
		m->cap_items = m->cap_items * 2 + 64;
		m->items = xrealloc(m->items, m->cap_items * sizeof(*m->items));
	}
	m->items[m->nr_items++] = (struct item){
		.offset = m->data.len, .len = b->len, .type = type, .cpu = cpu, .bare = bare,
	};
	put_bytes(&m->data, b->p, b->len);
}

/* struct perf_event_header: u32 type, u16 misc, u16 size. */
size_t record_begin(struct buf *b, uint32_t type, uint16_t misc)
{
	size_t start = b->len;

	put_u32(b, type);
	put_u16(b, misc);
	put_u16(b, 0);
	return start;
}

void record_end(struct mk *m, struct buf *b, size_t start)
{
	size_t size = b->len - start;

	if (size > MK_RECORD_MAX)
		die(m, "a record of %zu bytes; the size field ends at %d", size, MK_RECORD_MAX);
	set_u16(b, start + 6, (uint16_t)size);
}

uint16_t record_mode(struct mk *m, struct args *a, uint16_t fallback)
{
	static const struct name modes[] = {
		{ "unknown", 0 }, { "kernel", 1 }, { "user", 2 }, { "hv", 3 },
		{ "guest_kernel", 4 }, { "guest_user", 5 }, { NULL, 0 },
	};

	return (uint16_t)(arg_names(m, a, "mode", fallback, modes) & MISC_MODE_MASK);
}

static uint16_t record_misc(struct mk *m, struct args *a, char usual)
{
	static const struct {
		const char *word;
		uint16_t bit;
	} bits[] = {
		{ "parse_timeout", MISC_BIT12 }, { "exec", MISC_BIT13 }, { "data", MISC_BIT13 },
		{ "out", MISC_BIT13 }, { "preempt", MISC_BIT14 }, { "exact_ip", MISC_BIT14 },
	};
	uint16_t misc = usual == 'u' ? MISC_USER : usual == 'k' ? MISC_KERNEL : 0;

	if (usual == 'm')
		misc = arg_num(m, a, "pid", 0) == UINT64_MAX ? MISC_KERNEL : MISC_USER;
	misc = record_mode(m, a, misc);
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (arg_flag(a, bits[i].word))
			misc |= bits[i].bit;
	if (arg_find(a, "build_id"))
		misc |= MISC_BIT14;
	return (uint16_t)(misc | arg_num(m, a, "misc", 0));
}

/* A tuple's numbers as u64; exactly @width of them. */
static void put_tuple(struct mk *m, struct buf *b, const char *tuple, int width)
{
	char item[ITEM_MAX];
	int n = 0;

	for (; list_next(&tuple, ':', item, sizeof(item)); n++)
		put_u64(b, eval(m, item, NULL));
	if (n != width)
		die(m, "a tuple of %d values, not %d", n, width);
}

static void put_tuples(struct mk *m, struct buf *b, struct args *a, const char *key, int width)
{
	const char *list = arg_list(a, key, "");
	size_t nr_at = b->len;
	uint64_t nr = 0;
	char item[ITEM_MAX];

	put_u64(b, 0);
	for (; list_next(&list, ',', item, sizeof(item)); nr++)
		put_tuple(m, b, item, width);
	set_u64(b, nr_at, nr);
}

static void put_u64_list(struct mk *m, struct buf *b, const char *list)
{
	char item[ITEM_MAX];

	while (list_next(&list, ',', item, sizeof(item)))
		put_u64(b, eval(m, item, NULL));
}

/* maj, min, ino, generation; or with MISC_BIT14 u8 size, u8 + u16 zero, the build-id. */
static void put_mmap2_union(struct mk *m, struct buf *b, struct args *a)
{
	const char *hex = arg_str(a, "build_id", NULL);
	struct buf id = { .big = b->big };

	if (!hex) {
		put_u32(b, (uint32_t)arg_num(m, a, "maj", 0));
		put_u32(b, (uint32_t)arg_num(m, a, "min", 0));
		put_u64(b, arg_num(m, a, "ino", 0));
		put_u64(b, arg_num(m, a, "ino_generation", 0));
		return;
	}
	put_list(m, &id, hex);
	if (id.len > BUILD_ID_MAX)
		die(m, "a build-id of %zu bytes", id.len);
	put_uint(b, id.len, 1);
	put_zero(b, 3);
	put_bytes(b, id.p, id.len);
	put_zero(b, BUILD_ID_MAX - id.len);
	free(id.p);
}

static void put_text_poke(struct mk *m, struct buf *b, struct args *a)
{
	struct buf before = { .big = b->big }, after = { .big = b->big };
	size_t n;

	put_list(m, &before, arg_list(a, "old", ""));
	put_list(m, &after, arg_list(a, "new", ""));
	n = 4 + before.len + after.len;
	put_u16(b, (uint16_t)before.len);
	put_u16(b, (uint16_t)after.len);
	put_bytes(b, before.p, before.len);
	put_bytes(b, after.p, after.len);
	put_zero(b, (8 - n % 8) % 8);
	free(before.p);
	free(after.p);
}

/* threads=PID:COMM,... */
static void put_thread_map(struct mk *m, struct buf *b, struct args *a)
{
	const char *list = arg_list(a, "threads", "");
	size_t nr_at = b->len;
	uint64_t nr = 0;
	char item[ITEM_MAX];

	put_u64(b, 0);
	for (; list_next(&list, ',', item, sizeof(item)); nr++) {
		char *comm = strchr(item, ':');

		if (comm)
			*comm++ = '\0';
		put_u64(b, eval(m, item, NULL));
		put_fixed(b, comm ? comm : "", 16);
	}
	set_u64(b, nr_at, nr);
}

/* cpus=0,1 (u16 type 0), mask=BITS (type 1, in longs of the recorder) or range=FIRST:LAST (2). */
static void put_cpu_map(struct mk *m, struct buf *b, struct args *a)
{
	const char *cpus = arg_list(a, "cpus", NULL), *range = arg_list(a, "range", NULL);
	size_t start = b->len, nr_at = start + 2;
	uint16_t nr = 0;
	char item[ITEM_MAX];

	put_u16(b, cpus ? 0 : range ? 2 : 1);
	if (cpus) {
		put_u16(b, 0);
		for (; list_next(&cpus, ',', item, sizeof(item)); nr++)
			put_u16(b, (uint16_t)eval(m, item, NULL));
		set_u16(b, nr_at, nr);
	} else if (range) {
		put_u16(b, 0);
		while (list_next(&range, ':', item, sizeof(item)))
			put_u16(b, (uint16_t)eval(m, item, NULL));
	} else {
		put_u16(b, 1);
		put_u16(b, (uint16_t)(m->opt.word / 8));
		put_zero(b, m->opt.word == 64 ? 4 : 0);
		put_uint(b, arg_num(m, a, "mask", 0), (int)m->opt.word / 8);
	}
	put_zero(b, (8 - (b->len - start) % 8) % 8);
}

static void put_event_update(struct mk *m, struct buf *b, struct args *a)
{
	const char *unit = arg_str(a, "unit", NULL), *scale = arg_str(a, "scale", NULL);
	const char *name = arg_str(a, "name", NULL);
	double number = scale ? strtod(scale, NULL) : 0;
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	put_u64(b, unit ? 0 : scale ? 1 : name ? 2 : 3);
	put_u64(b, arg_num(m, a, "id", event_id(event_get(m, a), 0)));
	if (unit || name)
		put_cstring(b, unit ? unit : name, 8);
	else if (scale)
		put_u64(b, bits);
	else
		put_cpu_map(m, b, a);
}

struct body {
	struct mk *m;
	struct buf *b;
	struct args *a;
	struct buf payload;
};

static void put_payload_size(struct body *y)
{
	y->payload.big = y->b->big;
	put_list(y->m, &y->payload, arg_list(y->a, "payload", ""));
	put_u64(y->b, arg_num(y->m, y->a, "size", y->payload.len));
}

static uint64_t field_number(struct body *y, const char *key, const char *fallback)
{
	if (arg_find(y->a, key))
		return arg_num(y->m, y->a, key, 0);
	if (!fallback)
		die(y->m, "%s= is missing", key);
	if (!strcmp(fallback, "@id"))
		return event_id(event_get(y->m, y->a),
				(uint32_t)arg_num(y->m, y->a, "cpu", 0));
	if (*fallback >= 'a' && *fallback <= 'z')
		return arg_num(y->m, y->a, fallback, 0);
	return eval(y->m, fallback, NULL);
}

static void put_irregular(struct body *y, char kind)
{
	struct mk *m = y->m;

	switch (kind) {
	case 'R':
		put_read_values(m, y->b, y->a, event_get(m, y->a));
		break;
	case 'C':
		put_chain(m, y->b, arg_list(y->a, "chain", ""));
		break;
	case 'M':
		put_mmap2_union(m, y->b, y->a);
		break;
	case 'T':
		put_text_poke(m, y->b, y->a);
		break;
	case 't':
		put_thread_map(m, y->b, y->a);
		break;
	case 'c':
		put_cpu_map(m, y->b, y->a);
		break;
	case 'U':
		put_event_update(m, y->b, y->a);
		break;
	default:
		put_payload_size(y);
		break;
	}
}

static void put_field(struct body *y, char *field)
{
	char *key = strchr(field, ':'), *fallback = NULL;
	int width;

	if (key) {
		*key++ = '\0';
		fallback = strchr(key, '=');
	}
	if (fallback)
		*fallback++ = '\0';
	width = (int)strtol(field + 1, NULL, 10);
	if (*field == 'x')
		put_zero(y->b, (size_t)width);
	else if (!key)
		put_irregular(y, *field);
	else if (*field == 'u')
		put_uint(y->b, field_number(y, key, fallback), width / 8);
	else if (*field == 'a')
		put_u64(y->b, address(y->m, field_number(y, key, fallback)));
	else if (*field == 's')
		put_cstring(y->b, arg_str(y->a, key, ""), 8);
	else if (*field == 'f')
		put_fixed(y->b, arg_str(y->a, key, ""), (size_t)width);
	else if (*field == 'b')
		put_list(y->m, y->b, arg_list(y->a, key, "0000000000000000"));
	else if (*field == 'l')
		put_u64_list(y->m, y->b, arg_list(y->a, key, ""));
	else
		put_tuples(y->m, y->b, y->a, key, width);
}

static void put_body(struct body *y, const char *layout)
{
	char field[64];

	while (list_next(&layout, ' ', field, sizeof(field)))
		put_field(y, field);
}

static void add_row(struct mk *m, const struct record_row *row, struct args *a)
{
	struct buf b = { .big = m->opt.big };
	struct body y = { .m = m, .b = &b, .a = a };
	size_t start = record_begin(&b, row->type, record_misc(m, a, row->mode));
	uint32_t cpu = 0;

	put_body(&y, row->layout);
	if (row->type == REC_SAMPLE)
		put_sample(m, &b, a);
	else if (row->type < MK_FIRST_USER_TYPE)
		put_sample_id(m, &b, a, row->type == REC_FORK);
	if (row->type < MK_FIRST_USER_TYPE)
		cpu = (uint32_t)arg_num(m, a, "cpu", 0);
	record_end(m, &b, start);
	item_add(m, &b, row->type, cpu, false);
	if (y.payload.len)
		item_add(m, &y.payload, 0, 0, true);
	free(y.payload.p);
	free(b.p);
}

/* unknown TYPE BYTES...: any record. Those of the kernel's range get their trailer. */
static void add_unknown(struct mk *m, struct args *a)
{
	uint32_t type = (uint32_t)eval(m, arg_need_word(m, a, "the type"), NULL);
	struct buf b = { .big = m->opt.big };
	size_t start = record_begin(&b, type, record_misc(m, a, 0));
	uint32_t cpu = (uint32_t)arg_num(m, a, "cpu", 0);

	for (char *word = arg_word(a); word; word = arg_word(a))
		put_item(m, &b, word);
	if (type < MK_FIRST_USER_TYPE) {
		put_align(&b, 8);
		put_sample_id(m, &b, a, false);
	}
	record_end(m, &b, start);
	item_add(m, &b, type, cpu, false);
	free(b.p);
}

/* What is no record: `raw BYTES...`, `hole N`, `zero_record [TYPE]`. */
static bool add_bare(struct mk *m, const char *directive, struct args *a)
{
	struct buf b = { .big = m->opt.big };
	const char *word = arg_word(a);

	if (!strcmp(directive, "hole")) {
		put_zero(&b, eval(m, word ? word : "8", NULL));
	} else if (!strcmp(directive, "zero_record")) {
		record_begin(&b, word ? (uint32_t)eval(m, word, NULL) : 0, 0);
	} else if (!strcmp(directive, "raw")) {
		for (; word; word = arg_word(a))
			put_item(m, &b, word);
	} else {
		return false;
	}
	item_add(m, &b, 0, 0, true);
	free(b.p);
	return true;
}

/* False if @directive is no record. */
bool record_add(struct mk *m, const char *directive, struct args *a)
{
	if (!strcmp(directive, "unknown")) {
		add_unknown(m, a);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strcmp(rows[i].name, directive))
			continue;
		add_row(m, &rows[i], a);
		return true;
	}
	if (strcmp(directive, "hole") && strcmp(directive, "zero_record") &&
	    strcmp(directive, "raw"))
		return false;
	return add_bare(m, directive, a);
}
