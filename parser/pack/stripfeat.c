/* What a capture says of its machine and its recording, feature by feature: most of it has no
 * paths, of the rest each has its own form. */
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pack/rewrite.h"

#include <string.h>

#define HIPERF_WORKLOAD_CMD (FEAT_HIPERF_FIRST + 1)
#define HIPERF_RECORD_TIME  (FEAT_HIPERF_FIRST + 2)

static void keep(struct rewrite *r, struct cursor c, struct buf *out)
{
	(void)r;
	buf_add(out, c.pos, cursor_left(&c));
}

/* Records of HEADER_BUILD_ID's form, without a trailer: 8 header, 28 pid and id, the path. */
static void add_build_ids(struct rewrite *r, struct cursor c, struct buf *out)
{
	enum { HEAD = 36 };

	while (cursor_left(&c) >= HEAD) {
		struct cursor head = c;
		const uint8_t *rec = c.pos;
		size_t begin = out->len, size;
		const void *body;

		cursor_skip(&head, 6);
		size = cursor_u16(&head);
		body = size > HEAD ? cursor_take(&c, size) : NULL;
		if (!body)
			return;
		buf_add(out, rec, HEAD);
		paths_strip(r->paths, (const char *)rec + HEAD,
			    strnlen((const char *)rec + HEAD, size - HEAD), out);
		buf_char(out, '\0');
		while (out->len - begin < size || (out->len - begin) % 8)
			buf_char(out, '\0');
		put_number(out->data + begin + 6, out->len - begin, 2, r->capture.header.swap);
	}
}

/* SIZE bytes, filled up with zeros: what of TEXT may leave the house. */
static void add_words(const char *text, size_t size, struct buf *out)
{
	size_t end = out->len + size;

	paths_strip_words(text, strnlen(text, size), out);
	buf_fill(out, 0, end > out->len ? end - out->len : 0);
}

/* u32 size, text. */
static bool add_string(struct rewrite *r, struct cursor *c, struct buf *out)
{
	uint32_t size = cursor_u32(c);
	const char *text = cursor_take(c, size);

	if (c->bad)
		return false;
	add_number(&r->capture, out, size, 4);
	add_words(text, size, out);
	return true;
}

/* How many, and those; hiperf writes one alone. */
static void add_cmdline(struct rewrite *r, struct cursor c, struct buf *out)
{
	struct cursor bare = c;
	size_t begin = out->len;
	uint32_t n = cursor_u32(&c);

	add_number(&r->capture, out, n, 4);
	while (n && add_string(r, &c, out))
		n--;
	if (n) {
		out->len = begin;
		(void)add_string(r, &bare, out);
	}
}

static void add_command(struct rewrite *r, struct cursor c, struct buf *out)
{
	(void)add_string(r, &c, out);
}

/* Texts, each with a NUL: keys and values, these of one line or more. */
static void add_meta(struct rewrite *r, struct cursor c, struct buf *out)
{
	const char *text = (const char *)c.pos, *end = (const char *)c.end;

	(void)r;
	for (size_t len; text < end; text += len) {
		for (len = 0; text + len < end && text[len] && text[len] != '\n';)
			len++;
		paths_strip_within(text, len, out);
		if (text + len < end)
			buf_char(out, text[len++]);
	}
}

/* u64 how many, then u64 offset of a record AUXTRACE in the file, u64 its size with its trace. */
static void add_aux_index(struct rewrite *r, struct cursor c, struct buf *out)
{
	size_t i = 0;

	add_number(&r->capture, out, cursor_u64(&c), 8);
	while (cursor_left(&c) >= 16) {
		uint64_t from = cursor_u64(&c), size = cursor_u64(&c);

		/* they mostly come in order */
		for (size_t n = 0; n < r->moved_count && r->moved[i % r->moved_count].from != from;
		     n++)
			i++;
		if (r->moved_count && r->moved[i % r->moved_count].from == from)
			from = r->moved[i % r->moved_count].to;
		else
			from = 0;
		add_number(&r->capture, out, from, 8);
		add_number(&r->capture, out, size, 8);
	}
}

/* BPF programs' types hold the text of their sources: none of them are there. */
static void add_no_types(struct rewrite *r, struct cursor c, struct buf *out)
{
	r->out->emptied += cursor_u32(&c) != 0;
	add_number(&r->capture, out, 0, 4);
}

static void (*const features[FEAT_BITS])(struct rewrite *r, struct cursor c, struct buf *out) = {
	[FEAT_TRACING_DATA] = keep,
	[FEAT_BUILD_ID] = add_build_ids,
	[FEAT_HOSTNAME] = keep,
	[FEAT_OSRELEASE] = keep,
	[FEAT_VERSION] = keep,
	[FEAT_ARCH] = keep,
	[FEAT_NRCPUS] = keep,
	[FEAT_CPUDESC] = keep,
	[FEAT_CPUID] = keep,
	[FEAT_TOTAL_MEM] = keep,
	[FEAT_CMDLINE] = add_cmdline,
	[FEAT_EVENT_DESC] = keep,
	[FEAT_CPU_TOPOLOGY] = keep,
	[FEAT_NUMA_TOPOLOGY] = keep,
	[FEAT_BRANCH_STACK] = keep,
	[FEAT_PMU_MAPPINGS] = keep,
	[FEAT_GROUP_DESC] = keep,
	[FEAT_AUXTRACE] = add_aux_index,
	[FEAT_STAT] = keep,
	[FEAT_CACHE] = keep,
	[FEAT_SAMPLE_TIME] = keep,
	[FEAT_MEM_TOPOLOGY] = keep,
	[FEAT_CLOCKID] = keep,
	[FEAT_DIR_FORMAT] = keep,
	[FEAT_BPF_PROG_INFO] = keep,
	[FEAT_BPF_BTF] = add_no_types,
	[FEAT_COMPRESSED] = keep,
	[FEAT_CPU_PMU_CAPS] = keep,
	[FEAT_CLOCK_DATA] = keep,
	[FEAT_HYBRID_TOPOLOGY] = keep,
	[FEAT_PMU_CAPS] = keep,
	[FEAT_CPU_DOMAIN_INFO] = keep,
	[FEAT_SIMPLEPERF_META_INFO] = add_meta,
	[HIPERF_WORKLOAD_CMD] = add_command,
	[HIPERF_RECORD_TIME] = keep,
};

void stripfeat_add(struct rewrite *r, unsigned id, struct cursor c, struct buf *out)
{
	if (features[id])
		features[id](r, c, out);
	else
		r->out->emptied += cursor_left(&c) != 0;
}
