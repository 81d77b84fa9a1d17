/* Records, one type after the other. */
#include "parser/cut/scrub.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pack/rewrite.h"
#include "parser/record/record.h"

#include <string.h>

/* The size of the record in S->out is known now; it has none if it is too large. */
static void end_record(struct scrub *s)
{
	if (s->out.len > RECORD_BYTES)
		s->out.len = 0;
	else
		put_number(s->out.data + 6, s->out.len, 2, s->capture->header.swap);
}

static const uint8_t *bytes_of(const struct raw *raw)
{
	return raw->body.pos - RECORD_HEADER_SIZE;
}

static void keep(struct scrub *s, const struct raw *raw, size_t at)
{
	(void)at;
	buf_add(&s->out, bytes_of(raw), raw->size);
}

/* What was looked up last is noted there. */
static struct event_list *events_list(const struct scrub *s)
{
	return (struct event_list *)&s->capture->events;
}

/* What is at AT, up to a NUL or the trailer of SIZE bytes. */
static struct interned text_at(const struct raw *raw, size_t at, size_t trailer)
{
	const char *text = (const char *)bytes_of(raw) + at;

	if (raw->size < at + trailer)
		return (struct interned){ "", 0 };
	return (struct interned){ text, (uint32_t)strnlen(text, raw->size - at - trailer) };
}

static void put_text(struct scrub *s, const struct raw *raw, size_t at)
{
	size_t trailer = record_trailer_size(raw, events_list(s));

	if (raw->size < at + trailer)
		return;
	buf_add(&s->out, bytes_of(raw), at);
	buf_add(&s->out, s->text.data, s->text.len);
	buf_char(&s->out, '\0');
	buf_fill(&s->out, 0, -s->out.len % 8);
	buf_add(&s->out, bytes_of(raw) + raw->size - trailer, trailer);
	end_record(s);
}

static struct interned text_of(struct scrub *s, const struct raw *raw, size_t at)
{
	s->text.len = 0;
	return text_at(raw, at, record_trailer_size(raw, events_list(s)));
}

static void put_path(struct scrub *s, const struct raw *raw, size_t at)
{
	pseudonym_path(&s->names, text_of(s, raw, at), &s->text);
	put_text(s, raw, at);
}

/* Build-ids stand in place of device and inode (record/decode.c). */
static void put_mmap2(struct scrub *s, const struct raw *raw, size_t at)
{
	put_path(s, raw, at);
	if (s->level < SCRUB_ALL || !(raw->misc & MISC_MMAP_BUILD_ID) || s->out.len < at)
		return;
	put_number(s->out.data + 4, raw->misc & ~(unsigned)MISC_MMAP_BUILD_ID, 2,
		   s->capture->header.swap);
	memset(s->out.data + 40, 0, 24);
}

static void put_comm(struct scrub *s, const struct raw *raw, size_t at)
{
	pseudonym_add(&s->names, NAME_COMM, text_of(s, raw, at), &s->text);
	put_text(s, raw, at);
}

static void put_symbol(struct scrub *s, const struct raw *raw, size_t at)
{
	pseudonym_add(&s->names, NAME_SYMBOL, text_of(s, raw, at), &s->text);
	put_text(s, raw, at);
}

static void put_cgroup(struct scrub *s, const struct raw *raw, size_t at)
{
	struct interned t = text_of(s, raw, at);

	buf_char(&s->text, '/');
	if (t.len > 1)
		pseudonym_add(&s->names, NAME_CGROUP, t, &s->text);
	put_text(s, raw, at);
}

/* AT: the hash of a program. */
static void put_bpf(struct scrub *s, const struct raw *raw, size_t at)
{
	keep(s, raw, at);
	if (s->level == SCRUB_ALL && s->out.len >= at + 8)
		memset(s->out.data + at, 0, 8);
}

static void put_build_id(struct scrub *s, const struct raw *raw, size_t at)
{
	if (s->level < SCRUB_ALL && raw->size > at)
		put_path(s, raw, at);
}

/* u64 how many; of each: u64 tid, 16 bytes of name. */
static void put_threads(struct scrub *s, const struct raw *raw, size_t at)
{
	struct cursor c = raw->body;

	buf_add(&s->out, bytes_of(raw), at);
	cursor_skip(&c, at - RECORD_HEADER_SIZE);
	while (cursor_left(&c) >= 24) {
		const char *p = cursor_take(&c, 24);

		s->text.len = 0;
		pseudonym_add(&s->names, NAME_COMM,
			      (struct interned){ p + 8, (uint32_t)strnlen(p + 8, 16) }, &s->text);
		buf_add(&s->out, p, 8);
		buf_add(&s->out, s->text.data, s->text.len < 15 ? s->text.len : 15);
		buf_fill(&s->out, 0, 16 - (s->text.len < 15 ? s->text.len : 15));
	}
	end_record(s);
}

/* u64 what (0 unit, 1 scale, 2 name, 3 CPUs), u64 id, text, or for a scale and CPUs numbers. */
static void put_update(struct scrub *s, const struct raw *raw, size_t at)
{
	struct cursor c = raw->body;
	uint64_t what = cursor_u64(&c);
	const struct pdt_desc *d = event_list_find_id(&s->capture->events, cursor_u64(&c));

	if (what == 1 || what == 3) {
		keep(s, raw, at);
	} else if (d) {
		scrub_event_name(s, &d->attr, text_of(s, raw, at), &s->text);
		put_text(s, raw, at);
	}
}

/* HEADER_FEATURE: u64 which one, its contents. */
static void put_feature(struct scrub *s, const struct raw *raw, size_t at)
{
	struct cursor c = raw->body;
	uint64_t id = cursor_u64(&c);

	buf_add(&s->out, bytes_of(raw), at);
	if (!c.bad && id < FEAT_BITS)
		scrub_section(s, (unsigned)id, c, &s->out);
	if (s->out.len == at && cursor_left(&c))
		s->out.len = 0;
	else
		end_record(s);
}

/* u32 size of what follows the record. */
static void put_tracing(struct scrub *s, const struct raw *raw, size_t at)
{
	struct buf data = { 0 };

	(void)at;
	scrub_tracing(s, &data);
	add_number(s->capture, &s->out, raw->type, 4);
	add_number(s->capture, &s->out, raw->misc, 2);
	add_number(s->capture, &s->out, 12, 2);
	add_number(s->capture, &s->out, data.len, 4);
	buf_add(&s->out, data.data, data.len);
	buf_fill(&s->out, 0, -data.len % 8);
	buf_release(&data);
}

static const struct {
	void (*put)(struct scrub *s, const struct raw *raw, size_t at);
	size_t at; /* where the text begins */
} types[RECORD_USER_MAX] = {
	[RECORD_MMAP] = { put_path, 40 },
	[RECORD_LOST] = { keep, 0 },
	[RECORD_COMM] = { put_comm, 16 },
	[RECORD_EXIT] = { keep, 0 },
	[RECORD_THROTTLE] = { keep, 0 },
	[RECORD_UNTHROTTLE] = { keep, 0 },
	[RECORD_FORK] = { keep, 0 },
	[RECORD_READ] = { keep, 0 },
	[RECORD_MMAP2] = { put_mmap2, 72 },
	[RECORD_LOST_SAMPLES] = { keep, 0 },
	[RECORD_SWITCH] = { keep, 0 },
	[RECORD_SWITCH_CPU_WIDE] = { keep, 0 },
	[RECORD_NAMESPACES] = { keep, 0 },
	[RECORD_KSYMBOL] = { put_symbol, 24 },
	[RECORD_BPF_EVENT] = { put_bpf, 16 },
	[RECORD_CGROUP] = { put_cgroup, 16 },
	[RECORD_CALLCHAIN_DEFERRED] = { keep, 0 },
	[RECORD_HEADER_ATTR] = { keep, 0 },
	[RECORD_HEADER_TRACING_DATA] = { put_tracing, 0 },
	[RECORD_HEADER_BUILD_ID] = { put_build_id, 36 },
	[RECORD_FINISHED_ROUND] = { keep, 0 },
	[RECORD_ID_INDEX] = { keep, 0 },
	[RECORD_THREAD_MAP] = { put_threads, 16 },
	[RECORD_CPU_MAP] = { keep, 0 },
	[RECORD_STAT_CONFIG] = { keep, 0 },
	[RECORD_STAT] = { keep, 0 },
	[RECORD_STAT_ROUND] = { keep, 0 },
	[RECORD_EVENT_UPDATE] = { put_update, 24 },
	[RECORD_TIME_CONV] = { keep, 0 },
	[RECORD_HEADER_FEATURE] = { put_feature, 16 },
	[RECORD_FINISHED_INIT] = { keep, 0 },
};

void scrub_record(struct scrub *s, const struct raw *raw, const struct sample *sample)
{
	s->out.len = 0;
	if (raw->type == RECORD_SAMPLE) {
		scrub_sample(s, raw, sample);
		end_record(s);
	} else if (raw->type < RECORD_USER_MAX && types[raw->type].put &&
		   raw->size >= types[raw->type].at) {
		types[raw->type].put(s, raw, types[raw->type].at);
	}
}
