/* The sections of the header, and the formats of tracepoints. */
#include "parser/cut/scrub.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pack/rewrite.h"

#include <string.h>

#define HEAD_BUILD_ID 36 /* bytes before the path: see put_build_id() in scrub.c */

/* ---- texts ---- */

/* u32 size, text. In C, up to its NUL. */
static bool take_string(struct cursor *c, struct interned *out, uint32_t *size)
{
	const char *text;

	*size = cursor_u32(c);
	text = cursor_take(c, *size);
	*out = (struct interned){ text, text ? (uint32_t)strnlen(text, *size) : 0 };
	return text && !c->bad;
}

/* Filled up to a multiple of 64, as recorders do. */
static void add_string(const struct scrub *s, struct interned t, struct buf *out)
{
	uint32_t size = (t.len + 64) / 64 * 64;

	add_number(s->capture, out, size, 4);
	buf_add(out, t.s, t.len);
	buf_fill(out, 0, size - t.len);
}

static void add_text(struct scrub *s, struct buf *out)
{
	add_string(s, (struct interned){ s->text.data, (uint32_t)s->text.len }, out);
}

static void keep(struct scrub *s, struct cursor c, struct buf *out)
{
	(void)s;
	buf_add(out, c.pos, cursor_left(&c));
}

static void add_host(struct scrub *s, struct cursor c, struct buf *out)
{
	(void)c;
	add_string(s, (struct interned){ "host-1", 6 }, out);
}

/* u32 how many, and those. Options of one letter name nobody. */
static void add_cmdline(struct scrub *s, struct cursor c, struct buf *out)
{
	uint32_t n = cursor_u32(&c), size;
	size_t begin = out->len;
	struct interned word;

	add_number(s->capture, out, n, 4);
	for (; n && take_string(&c, &word, &size); n--) {
		s->text.len = 0;
		if (word.len == 2 && word.s[0] == '-')
			buf_add(&s->text, word.s, 2);
		else
			pseudonym_add(&s->names, NAME_ARG, word, &s->text);
		add_text(s, out);
	}
	if (n)
		out->len = begin;
}

/* Records as HEADER_BUILD_ID. */
static void add_build_ids(struct scrub *s, struct cursor c, struct buf *out)
{
	while (s->level < SCRUB_ALL && cursor_left(&c) >= HEAD_BUILD_ID) {
		struct cursor head = c;
		size_t begin = out->len, size;
		const char *rec;

		cursor_skip(&head, 6);
		size = cursor_u16(&head);
		rec = size > HEAD_BUILD_ID ? cursor_take(&c, size) : NULL;
		if (!rec)
			return;
		buf_add(out, rec, HEAD_BUILD_ID);
		pseudonym_path(&s->names,
			       (struct interned){ rec + HEAD_BUILD_ID,
						  (uint32_t)strnlen(rec + HEAD_BUILD_ID,
								    size - HEAD_BUILD_ID) },
			       out);
		buf_char(out, '\0');
		buf_fill(out, 0, (begin - out->len) % 8);
		put_number(out->data + begin + 6, out->len - begin, 2, s->capture->header.swap);
	}
}

/* ---- events ---- */

/* u32 how many, u32 size of an attr; of each: that, u32 how many ids, name, ids. */
static void add_events(struct scrub *s, struct cursor c, struct buf *out)
{
	uint32_t n = cursor_u32(&c), attr_size = cursor_u32(&c), size;
	size_t begin = out->len;

	add_number(s->capture, out, n, 4);
	add_number(s->capture, out, attr_size, 4);
	for (; n && attr_size >= 64; n--) {
		const void *attr = cursor_take(&c, attr_size);
		uint32_t ids = cursor_u32(&c);
		struct event_attr a;
		struct cursor at = cursor_make(attr, attr ? attr_size : 0, c.swap);
		struct interned name;
		const void *list;

		if (!attr || !take_string(&c, &name, &size) || ids > cursor_left(&c) / 8 ||
		    attr_decode(&a, &at, s->capture->header.big) < 0)
			break;
		list = cursor_take(&c, (size_t)ids * 8);
		s->text.len = 0;
		scrub_event_name(s, &a, name, &s->text);
		buf_add(out, attr, attr_size);
		add_number(s->capture, out, ids, 4);
		add_text(s, out);
		if (ids)
			buf_add(out, list, (size_t)ids * 8);
	}
	if (n)
		out->len = begin;
}

/* simpleperf: texts, each with a NUL: keys and values. */
static void add_meta(struct scrub *s, struct cursor c, struct buf *out)
{
	static const char *const kept[] = { "system_wide_collection",
					    "trace_offcpu",
					    "clockid",
					    "event_type_info",
					    "android_version",
					    "android_sdk_version",
					    "timestamp",
					    "kernel_symbols_available",
					    "arch" };
	const char *end = (const char *)c.end;

	(void)s;
	for (const char *key = (const char *)c.pos; key < end;) {
		const char *value = memchr(key, 0, (size_t)(end - key));
		const char *next = value ? memchr(value + 1, 0, (size_t)(end - value - 1)) : NULL;

		if (!next)
			return;
		for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
			if (!strcmp(key, kept[i]))
				buf_add(out, key, (size_t)(next + 1 - key));
		}
		key = next + 1;
	}
}

static void add_tracing(struct scrub *s, struct cursor c, struct buf *out)
{
	(void)c;
	scrub_tracing(s, out);
}

static void (*const features[FEAT_BITS])(struct scrub *s, struct cursor c, struct buf *out) = {
	[FEAT_TRACING_DATA] = add_tracing,
	[FEAT_BUILD_ID] = add_build_ids,
	[FEAT_HOSTNAME] = add_host,
	[FEAT_OSRELEASE] = keep,
	[FEAT_VERSION] = keep,
	[FEAT_ARCH] = keep,
	[FEAT_NRCPUS] = keep,
	[FEAT_CPUDESC] = keep,
	[FEAT_CPUID] = keep,
	[FEAT_TOTAL_MEM] = keep,
	[FEAT_CMDLINE] = add_cmdline,
	[FEAT_EVENT_DESC] = add_events,
	[FEAT_CPU_TOPOLOGY] = keep,
	[FEAT_NUMA_TOPOLOGY] = keep,
	[FEAT_BRANCH_STACK] = keep,
	[FEAT_PMU_MAPPINGS] = keep,
	[FEAT_GROUP_DESC] = keep,
	[FEAT_STAT] = keep,
	[FEAT_CACHE] = keep,
	[FEAT_SAMPLE_TIME] = keep,
	[FEAT_MEM_TOPOLOGY] = keep,
	[FEAT_CLOCKID] = keep,
	[FEAT_CPU_PMU_CAPS] = keep,
	[FEAT_CLOCK_DATA] = keep,
	[FEAT_HYBRID_TOPOLOGY] = keep,
	[FEAT_PMU_CAPS] = keep,
	[FEAT_CPU_DOMAIN_INFO] = keep,
	[FEAT_SIMPLEPERF_META_INFO] = add_meta,
};

bool scrub_knows(const struct scrub *s, unsigned id)
{
	return id < FEAT_BITS && features[id] && (id != FEAT_BUILD_ID || s->level < SCRUB_ALL);
}

void scrub_section(struct scrub *s, unsigned id, struct cursor c, struct buf *out)
{
	size_t begin = out->len;

	if (features[id])
		features[id](s, c, out);
	s->sections += out->len == begin && cursor_left(&c);
}

/* ---- tracing data: record/tracepoint.c has the layout ---- */

struct copier {
	struct scrub *s;
	struct cursor c;
	struct buf *out;
};

static bool copy(struct copier *k, uint64_t n)
{
	const void *p = n <= cursor_left(&k->c) ? cursor_take(&k->c, (size_t)n) : NULL;

	if (!p)
		k->c.bad = true;
	else
		buf_add(k->out, p, (size_t)n);
	return !k->c.bad;
}

static bool copy_string(struct copier *k)
{
	const uint8_t *nul = memchr(k->c.pos, 0, cursor_left(&k->c));

	return copy(k, nul ? (uint64_t)(nul + 1 - k->c.pos) : UINT64_MAX);
}

static uint64_t copy_number(struct copier *k, unsigned size)
{
	struct cursor at = k->c;

	return !copy(k, size) ? 0 : size == 4 ? cursor_u32(&at) : cursor_u64(&at);
}

static bool contains(const char *p, size_t len, const char *word)
{
	return memmem(p, len, word, strlen(word)) != NULL;
}

/* A probe's, without what it is called and what it asks for. */
static void bare_format(struct scrub *s, const char *system, struct interned f, struct buf *out)
{
	const char *end = f.s + f.len, *next;

	for (const char *line = f.s; line < end; line = next) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		size_t len;

		next = nl ? nl + 1 : end;
		len = (size_t)(next - line);
		if (len > 6 && !memcmp(line, "name: ", 6)) {
			struct buf whole = { 0 };

			/* as EVENT_DESC has it */
			buf_printf(&whole, "%s:%.*s", system, (int)(len - 6 - (nl != NULL)),
				   line + 6);
			buf_str(out, "name: ");
			pseudonym_add(&s->names, NAME_EVENT,
				      (struct interned){ whole.data, (uint32_t)whole.len }, out);
			buf_char(out, '\n');
			buf_release(&whole);
		} else if (len > 10 && !memcmp(line, "print fmt:", 10)) {
			buf_str(out, "print fmt: \"\"\n");
		} else if (!contains(line, len, "field") || contains(line, len, " common_") ||
			   contains(line, len, " __probe_")) {
			buf_add(out, line, len);
		}
	}
}

/* The formats of a system; those of PROBES without names. */
static bool copy_formats(struct copier *k, const char *system, bool probes)
{
	uint64_t n = copy_number(k, 4);

	for (; n && !k->c.bad; n--) {
		uint64_t size = cursor_u64(&k->c);
		const char *text =
			size <= cursor_left(&k->c) ? cursor_take(&k->c, (size_t)size) : NULL;
		struct buf format = { 0 };

		if (!text)
			return false;
		if (probes && contains(text, (size_t)size, "__probe_"))
			bare_format(k->s, system, (struct interned){ text, (uint32_t)size },
				    &format);
		else
			buf_add(&format, text, (size_t)size);
		add_number(k->s->capture, k->out, format.len, 8);
		buf_add(k->out, format.data, format.len);
		buf_release(&format);
	}
	return !k->c.bad;
}

/* Has the system that begins at C probes? */
static bool has_probes(struct cursor c)
{
	uint32_t n = cursor_u32(&c);
	uint64_t size;
	const char *text;

	while (n-- && !c.bad) {
		size = cursor_u64(&c);
		text = size <= cursor_left(&c) ? cursor_take(&c, (size_t)size) : NULL;
		if (!text)
			return false;
		if (contains(text, (size_t)size, "__probe_"))
			return true;
	}
	return false;
}

static bool copy_systems(struct copier *k)
{
	uint64_t n = copy_number(k, 4);

	for (; n && !k->c.bad; n--) {
		const char *name = (const char *)k->c.pos;
		const uint8_t *nul = memchr(name, 0, cursor_left(&k->c));
		bool probes;

		if (!nul)
			return false;
		cursor_skip(&k->c, (size_t)(nul + 1 - k->c.pos));
		probes = has_probes(k->c);
		buf_str(k->out, probes ? "probe" : name);
		buf_char(k->out, '\0');
		if (!copy_formats(k, name, probes))
			return false;
	}
	return !k->c.bad;
}

static bool copy_head(struct copier *k, bool *has_comms)
{
	const uint16_t one = 1;
	const char *version;
	uint64_t big;

	if (!copy(k, 10))
		return false;
	version = (const char *)k->c.pos;
	if (!copy_string(k) || cursor_left(&k->c) < 6)
		return false;
	*has_comms = strcmp(version, "0.6") >= 0;
	big = *k->c.pos;
	k->c.swap = big == *(const uint8_t *)&one;
	return copy(k, 6) && copy_string(k) && copy(k, copy_number(k, 8)) && copy_string(k) &&
	       copy(k, copy_number(k, 8));
}

/* Without the kernel's symbols, its texts, and the tasks that ran while it was traced. */
void scrub_tracing(struct scrub *s, struct buf *out)
{
	const struct capture_meta *m = &s->capture->meta;
	struct copier k = { s, cursor_make(m->tracing_data, m->tracing_size, false), out };
	size_t begin = out->len;
	bool has_comms = false;

	if (m->tracing_data && copy_head(&k, &has_comms) && copy_formats(&k, "ftrace", false) &&
	    copy_systems(&k))
		buf_fill(out, 0, has_comms ? 16 : 8);
	else
		out->len = begin;
}
