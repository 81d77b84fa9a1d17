/*
 * mkperf: the feature sections and the tracing data.
 *
 * Sources: tools/perf/util/header.c (the write_*() functions) and, for the tracing data,
 * tools/perf/util/trace-event-info.c and trace-event-read.c.
 */
#include "mkperf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FEAT_TRACING_DATA = 1, FEAT_BUILD_ID = 2, FEAT_ARCH = 6, FEAT_NRCPUS = 7,
	FEAT_TOTAL_MEM = 10, FEAT_CMDLINE = 11, FEAT_EVENT_DESC = 12, FEAT_SAMPLE_TIME = 21,
	FEAT_CLOCKID = 23, FEAT_CLOCK_DATA = 29,
	BUILD_ID_BYTES = 20, MISC_BUILD_ID_SIZE = 1 << 15,
};

static const struct {
	const char *name;
	uint8_t id;
} string_features[] = {
	{ "host", 3 }, { "release", 4 }, { "version", 5 }, { "arch", FEAT_ARCH },
	{ "cpudesc", 8 }, { "cpuid", 9 },
};

static const struct {
	const char *name;
	uint8_t id;
	uint8_t numbers;
	uint8_t bytes;
} number_features[] = {
	{ "nrcpus", FEAT_NRCPUS, 2, 4 }, { "total_mem", FEAT_TOTAL_MEM, 1, 8 },
	{ "sample_time", FEAT_SAMPLE_TIME, 2, 8 }, { "clockid_resolution", FEAT_CLOCKID, 1, 8 },
};

/* What a 32-bit kernel of the same family calls itself. */
static const char *arch_of(const struct mk *m, const char *arch)
{
	static const char *const pairs[][2] = {
		{ "x86_64", "i686" }, { "aarch64", "armv7l" }, { "ppc64", "ppc" },
		{ "s390x", "s390" }, { "riscv64", "riscv32" }, { "mips64", "mips" },
	};

	for (size_t i = 0; m->opt.word == 32 && i < ARRAY_SIZE(pairs); i++)
		if (!strcmp(arch, pairs[i][0]))
			return pairs[i][1];
	return arch;
}

static struct buf *feature_begin(struct mk *m, uint64_t id)
{
	if (id >= MK_FEATURES_MAX)
		die(m, "features end at %d", MK_FEATURES_MAX - 1);
	m->has_feature[id] = true;
	m->features[id].len = 0;
	m->features[id].big = m->opt.big;
	return &m->features[id];
}

static void add_string(struct mk *m, uint8_t id, struct args *a)
{
	const char *s = arg_need_word(m, a, "the text");

	put_perf_string(feature_begin(m, id), id == FEAT_ARCH ? arch_of(m, s) : s);
}

/* The last number given stands for those that are not: `nrcpus 4` is 4 of 4. */
static void add_numbers(struct mk *m, size_t row, struct args *a)
{
	struct buf *b = feature_begin(m, number_features[row].id);
	const char *word = arg_need_word(m, a, "a number");

	for (int i = 0; i < number_features[row].numbers; i++) {
		const char *next = i ? arg_word(a) : NULL;

		word = next ? next : word;
		put_uint(b, eval(m, word, NULL), number_features[row].bytes);
	}
}

static uint32_t count_words(const struct args *a)
{
	uint32_t n = 0;

	for (int i = 0; i < a->n; i++)
		n += !a->v[i].value && !a->v[i].used;
	return n;
}

static void add_cmdline(struct mk *m, struct args *a)
{
	struct buf *b = feature_begin(m, FEAT_CMDLINE);

	put_u32(b, count_words(a));
	for (char *word = arg_word(a); word; word = arg_word(a))
		put_perf_string(b, word);
}

/* u32 version 1, u32 clockid, u64 wall clock, u64 that clock at the same moment. */
static void add_clock_data(struct mk *m, struct args *a)
{
	struct buf *b = feature_begin(m, FEAT_CLOCK_DATA);

	put_u32(b, 1);
	put_u32(b, (uint32_t)arg_num(m, a, "clockid", 1));
	put_u64(b, arg_num(m, a, "wall", 0));
	put_u64(b, arg_num(m, a, "clock", 0));
}

/* feature N BYTES...: any other section. */
static void add_feature(struct mk *m, struct args *a)
{
	struct buf *b = feature_begin(m, eval(m, arg_need_word(m, a, "its number"), NULL));

	for (char *word = arg_word(a); word; word = arg_word(a))
		put_item(m, b, word);
}

/* struct perf_record_header_build_id: s32 pid, u8 id[20], u8 size, u8 + u16 zero, filename. */
static void add_build_id(struct mk *m, struct args *a)
{
	const char *hex = arg_need_word(m, a, "the build-id");
	const char *file = arg_need_word(m, a, "the file");
	uint16_t mode = record_mode(m, a, 2);
	struct buf id = { .big = m->opt.big }, *b = &m->build_ids;
	size_t start;

	b->big = m->opt.big;
	put_list(m, &id, hex);
	if (id.len > BUILD_ID_BYTES)
		die(m, "a build-id of %zu bytes", id.len);
	start = record_begin(b, 0, (uint16_t)(mode | MISC_BUILD_ID_SIZE));
	put_u32(b, (uint32_t)arg_num(m, a, "pid", UINT64_MAX));
	put_bytes(b, id.p, id.len);
	put_zero(b, BUILD_ID_BYTES - id.len);
	put_uint(b, id.len, 1);
	put_zero(b, 3);
	put_cstring(b, file, 64);
	record_end(m, b, start);
	free(id.p);
}

static void add_tracepoint(struct mk *m, struct args *a)
{
	struct tracepoint *t = &m->tracepoints[m->nr_tracepoints];
	const char *name = arg_need_word(m, a, "system:name");
	const char *colon = strchr(name, ':'), *fields, *print;

	if (m->nr_tracepoints++ == MK_EVENTS_MAX || !colon)
		die(m, "tracepoint system:name, %d at most", MK_EVENTS_MAX);
	t->system = xstrndup(name, (size_t)(colon - name));
	t->name = xstrndup(colon + 1, strlen(colon + 1));
	t->id = arg_num(m, a, "id", 0);
	fields = arg_str(a, "fields", "");
	print = arg_str(a, "print", "\"\"");
	t->fields = xstrndup(fields, strlen(fields));
	t->print = xstrndup(print, strlen(print));
}

/* False if @directive is no feature. */
bool feature_add(struct mk *m, const char *directive, struct args *a)
{
	static const struct {
		const char *name;
		void (*add)(struct mk *m, struct args *a);
	} others[] = {
		{ "cmdline", add_cmdline }, { "clock_data", add_clock_data },
		{ "feature", add_feature }, { "build_id", add_build_id },
		{ "tracepoint", add_tracepoint },
	};

	for (size_t i = 0; i < ARRAY_SIZE(string_features); i++)
		if (!strcmp(directive, string_features[i].name)) {
			add_string(m, string_features[i].id, a);
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(number_features); i++)
		if (!strcmp(directive, number_features[i].name)) {
			add_numbers(m, i, a);
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(directive, others[i].name)) {
			others[i].add(m, a);
			return true;
		}
	return false;
}

/* u32 nr, u32 attr size, and per event: attr, u32 nr_ids, name, the ids. */
static void put_event_desc(struct mk *m, struct buf *b)
{
	put_u32(b, (uint32_t)m->nr_events);
	put_u32(b, m->opt.attr_size);
	for (int i = 0; i < m->nr_events; i++) {
		const struct event *e = &m->events[i];

		put_attr(m, b, e);
		put_u32(b, (uint32_t)e->nr_ids);
		put_perf_string(b, e->name);
		for (int j = 0; j < e->nr_ids; j++)
			put_u64(b, e->ids[j]);
	}
}

/* The features that follow from the rest of the description. */
void features_finish(struct mk *m)
{
	if (!m->has_feature[FEAT_EVENT_DESC] && m->nr_events)
		put_event_desc(m, feature_begin(m, FEAT_EVENT_DESC));
	if (m->nr_tracepoints && m->opt.mode != MK_PIPE)
		put_tracing_data(m, feature_begin(m, FEAT_TRACING_DATA));
	if (m->build_ids.len && m->opt.mode != MK_PIPE)
		put_bytes(feature_begin(m, FEAT_BUILD_ID), m->build_ids.p, m->build_ids.len);
	for (int i = 0; i < MK_FEATURES_MAX; i++)
		if (m->omit_feature[i])
			m->has_feature[i] = false;
}

static void put_text(struct buf *b, const char *s)
{
	put_bytes(b, s, strlen(s));
}

static int type_size(const struct mk *m, const char *type)
{
	static const struct {
		const char *name;
		int size;
	} sizes[] = {
		{ "__data_loc", 4 }, { "char", 1 }, { "u8", 1 }, { "s8", 1 }, { "bool", 1 },
		{ "short", 2 }, { "u16", 2 }, { "s16", 2 }, { "u64", 8 }, { "s64", 8 },
		{ "long long", 8 }, { "sector_t", 8 }, { "int", 4 }, { "u32", 4 }, { "s32", 4 },
		{ "pid_t", 4 }, { "dev_t", 4 }, { "gfp_t", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (strstr(type, sizes[i].name))
			return sizes[i].size;
	if (strchr(type, '*') || strstr(type, "long"))
		return (int)m->opt.word / 8;
	if (strstr(type, "unsigned"))
		return 4;
	die(m, "'%s': unknown field type", type);
}

/* "char comm[16]; pid_t pid": the fields after the common ones, naturally aligned. */
static void put_fields(struct mk *m, struct buf *b, const char *fields)
{
	char field[128], line[256];
	int offset = 8;

	while (list_next(&fields, ';', field, sizeof(field))) {
		char *decl = field + strspn(field, " "), *bracket = strchr(decl, '[');
		int size = type_size(m, decl), count = 1;
		bool is_signed = !strstr(decl, "unsigned") && !strchr(decl, '*') &&
				 *decl != 'u' && strncmp(decl, "dev_t", 5) &&
				 strncmp(decl, "sector_t", 8);

		if (bracket && strncmp(decl, "__data_loc", 10))
			count = (int)strtol(bracket + 1, NULL, 10);
		offset = (offset + size - 1) / size * size;
		snprintf(line, sizeof(line),
			 "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", decl, offset,
			 size * count, is_signed);
		put_text(b, line);
		offset += size * count;
	}
}

static void put_format(struct mk *m, struct buf *b, const struct tracepoint *t)
{
	struct buf text = { .big = b->big };
	char line[128];

	snprintf(line, sizeof(line), "name: %s\nID: %llu\nformat:\n", t->name,
		 (unsigned long long)t->id);
	put_text(&text, line);
	put_text(&text, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			"\tsigned:0;\n"
			"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	put_fields(m, &text, t->fields);
	put_text(&text, "\nprint fmt: ");
	put_text(&text, t->print);
	put_text(&text, "\n");
	put_u64(b, text.len);
	put_bytes(b, text.p, text.len);
	free(text.p);
}

static void put_header_page(struct mk *m, struct buf *b)
{
	char text[512];
	int n = snprintf(text, sizeof(text),
			 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			 "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			 "\tfield: char data;\toffset:%u;\tsize:4080;\tsigned:0;\n",
			 m->opt.word / 8, 8 + m->opt.word / 8);

	put_cstring(b, "header_page", 1);
	put_u64(b, (uint64_t)n);
	put_bytes(b, text, (size_t)n);
}

static bool first_of_system(const struct mk *m, int i)
{
	for (int j = 0; j < i; j++)
		if (!strcmp(m->tracepoints[j].system, m->tracepoints[i].system))
			return false;
	return true;
}

/* u32 systems, and per system: its name, u32 formats, the formats. */
static void put_systems(struct mk *m, struct buf *b)
{
	uint32_t systems = 0;

	for (int i = 0; i < m->nr_tracepoints; i++)
		systems += first_of_system(m, i);
	put_u32(b, systems);
	for (int i = 0; i < m->nr_tracepoints; i++) {
		const char *system = m->tracepoints[i].system;
		uint32_t n = 0;

		if (!first_of_system(m, i))
			continue;
		for (int j = i; j < m->nr_tracepoints; j++)
			n += !strcmp(m->tracepoints[j].system, system);
		put_cstring(b, system, 1);
		put_u32(b, n);
		for (int j = i; j < m->nr_tracepoints; j++)
			if (!strcmp(m->tracepoints[j].system, system))
				put_format(m, b, &m->tracepoints[j]);
	}
}

/* The trace.dat prologue as perf record writes it; version 0.6 ends in the saved comms. */
void put_tracing_data(struct mk *m, struct buf *b)
{
	static const char events[] =
		"# compressed entry header\n\ttype_len    :    5 bits\n"
		"\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
		"\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		"\tdata max type_len  == 28\n";

	put_cstring(b, "\x17\x08\x44" "tracing" "0.6", 1);
	put_uint(b, b->big, 1);
	put_uint(b, m->opt.word / 8, 1);
	put_u32(b, 4096);
	put_header_page(m, b);
	put_cstring(b, "header_event", 1);
	put_u64(b, sizeof(events) - 1);
	put_bytes(b, events, sizeof(events) - 1);
	put_u32(b, 0); /* ftrace's own events */
	put_systems(m, b);
	put_u32(b, 0); /* kallsyms */
	put_u32(b, 0); /* printk formats */
	put_u64(b, 0); /* comms */
}
