/*
 * mkperf: writes a capture from a text description. The types that its parts share.
 *
 * It is the oracle of the parser's tests, so it takes nothing from parser/: what it knows of
 * the format is written down here a second time, from include/uapi/linux/perf_event.h and
 * tools/lib/perf/include/perf/event.h. A test tool: it may exit at the first error.
 */
#ifndef MKPERF_H
#define MKPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum {
	MK_ARGS_MAX = 256,
	MK_EVENTS_MAX = 1024,
	MK_IDS_MAX = 64,
	MK_VARS_MAX = 32,
	MK_LOOPS_MAX = 8,
	MK_FEATURES_MAX = 256,
	MK_ATTR_FIELDS = 26,
	MK_FIRST_USER_TYPE = 64,
	MK_RECORD_MAX = 65535,
};

/* Growing bytes; multi-byte values are put in the recorded machine's byte order. */
struct buf {
	uint8_t *p;
	size_t len;
	size_t cap;
	bool big;
};

/* `key=value`, or a bare word (value NULL). Any other key is an error in the input. */
struct arg {
	char *key, *value;
	bool used, is_default;
};

struct args {
	struct arg v[MK_ARGS_MAX];
	int n;
};

/* A name that an expression may use for a number. Tables end with a NULL name. */
struct name {
	const char *name;
	uint64_t value;
};

struct event {
	char *name;
	uint64_t attr[MK_ATTR_FIELDS], ids[MK_IDS_MAX];
	uint64_t flags; /* as a little-endian machine lays them out */
	int nr_ids;
};

/* One item of the data section. Bare items are bytes without a record header (damage, payloads). */
struct item {
	size_t offset, len;
	uint32_t type, cpu;
	bool bare;
};

struct mk_options {
	enum mk_mode { MK_FILE, MK_PIPE, MK_V1 } mode;
	enum mk_zstd { MK_PLAIN, MK_ZSTD, MK_ZSTD2 } zstd;
	bool big;
	bool align; /* round HEADER_FEATURE records up to 8 */
	bool shuffle;
	unsigned int word;
	uint32_t attr_size;
	const char *out;
	const char *in;
};

/* A number under a name, for $name. */
struct var {
	char name[32];
	uint64_t value;
};

struct tracepoint {
	char *system, *name, *fields, *print;
	uint64_t id;
};

struct patch {
	uint64_t offset;
	struct buf bytes;
};

/* Everything: the options, where in the description we are, and the capture so far. */
struct mk {
	struct mk_options opt;
	int line;
	struct var vars[MK_VARS_MAX];
	int nr_vars;
	struct args defaults;
	struct event events[MK_EVENTS_MAX];
	int nr_events;
	struct tracepoint tracepoints[MK_EVENTS_MAX];
	int nr_tracepoints;
	struct buf features[MK_FEATURES_MAX];
	bool has_feature[MK_FEATURES_MAX];
	bool omit_feature[MK_FEATURES_MAX];
	struct buf build_ids; /* HEADER_BUILD_ID records */
	struct buf data;
	struct item *items;
	size_t nr_items, cap_items;
	struct patch patches[16];
	int nr_patches;
	struct buf trailing;
	uint64_t cut_bytes;
	bool killed;
};

void die(const struct mk *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* mkperf_buf.c */
void *xrealloc(void *p, size_t size);
char *xstrndup(const char *s, size_t n);
void put_bytes(struct buf *b, const void *p, size_t n);
void put_zero(struct buf *b, size_t n);
void put_uint(struct buf *b, uint64_t v, int bytes);
void put_u16(struct buf *b, uint16_t v);
void put_u32(struct buf *b, uint32_t v);
void put_u64(struct buf *b, uint64_t v);
void put_align(struct buf *b, size_t align);
void put_cstring(struct buf *b, const char *s, size_t align);
void put_fixed(struct buf *b, const char *s, size_t width);
void put_perf_string(struct buf *b, const char *s);
void set_u16(struct buf *b, size_t at, uint16_t v);
void set_u64(struct buf *b, size_t at, uint64_t v);
uint64_t bitfield_layout(uint64_t le, const uint8_t *widths, int n, bool big);

/* mkperf_expr.c */
uint64_t eval(struct mk *m, const char *s, const struct name *names);
char *substitute(struct mk *m, const char *line);
void args_parse(struct mk *m, struct args *a, const char *line);
void args_release(struct args *a);
void args_check(struct mk *m, const struct args *a);
struct arg *arg_find(struct args *a, const char *key);
char *arg_word(struct args *a);
char *arg_need_word(struct mk *m, struct args *a, const char *what);
bool arg_flag(struct args *a, const char *word);
const char *arg_str(struct args *a, const char *key, const char *fallback);
const char *arg_list(struct args *a, const char *key, const char *fallback);
uint64_t arg_num(struct mk *m, struct args *a, const char *key, uint64_t fallback);
uint64_t arg_names(struct mk *m, struct args *a, const char *key, uint64_t fallback,
		   const struct name *names);
bool list_next(const char **cursor, char separator, char *item, size_t size);
void put_item(struct mk *m, struct buf *b, const char *item);
void put_list(struct mk *m, struct buf *b, const char *list);

/* mkperf_event.c */
enum mk_attr {
	ATTR_TYPE, ATTR_SIZE, ATTR_CONFIG, ATTR_PERIOD, ATTR_SAMPLE_TYPE, ATTR_READ_FORMAT,
	ATTR_FLAGS, ATTR_WAKEUP, ATTR_BP_TYPE, ATTR_CONFIG1, ATTR_CONFIG2, ATTR_BRANCH,
	ATTR_REGS_USER, ATTR_STACK_USER, ATTR_CLOCKID, ATTR_REGS_INTR,
};

void event_add(struct mk *m, struct args *a);
struct event *event_get(struct mk *m, struct args *a);
uint64_t event_id(const struct event *e, uint32_t cpu);
bool event_flag(const struct event *e, const char *name);
void put_attr(struct mk *m, struct buf *b, const struct event *e);

/* mkperf_sample.c */
void put_sample(struct mk *m, struct buf *b, struct args *a);
void put_sample_id(struct mk *m, struct buf *b, struct args *a, bool fork);
void put_read_values(struct mk *m, struct buf *b, struct args *a, const struct event *e);
void put_chain(struct mk *m, struct buf *b, const char *list);
uint64_t address(const struct mk *m, uint64_t v);

/* mkperf_record.c */
bool record_add(struct mk *m, const char *directive, struct args *a);
void item_add(struct mk *m, const struct buf *b, uint32_t type, uint32_t cpu, bool bare);
size_t record_begin(struct buf *b, uint32_t type, uint16_t misc);
void record_end(struct mk *m, struct buf *b, size_t start);
uint16_t record_mode(struct mk *m, struct args *a, uint16_t fallback);

/* mkperf_feature.c */
bool feature_add(struct mk *m, const char *directive, struct args *a);
void features_finish(struct mk *m);
void put_tracing_data(struct mk *m, struct buf *b);

/* mkperf_write.c */
void write_capture(struct mk *m, struct buf *out);

#endif
