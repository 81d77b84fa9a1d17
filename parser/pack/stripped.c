/* Header and event descriptions, records, and the table of features, one after the other. */
#include "parser/pack/stripped.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/file/source.h"
#include "parser/file/stream.h"
#include "parser/pack/rewrite.h"
#include "parser/record/record.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FEATURE_BYTES (256u << 20) /* of one section */

/* ---- records ---- */

enum way { EMPTY, KEEP, PATH, FEATURE, UNPACKED };

/* What becomes of the records of a type, and where in it a path begins. */
static const struct {
	uint8_t way, path;
} ways[RECORD_USER_MAX] = {
	[RECORD_MMAP] = { PATH, 40 },
	[RECORD_LOST] = { KEEP },
	[RECORD_COMM] = { PATH, 16 },
	[RECORD_EXIT] = { KEEP },
	[RECORD_THROTTLE] = { KEEP },
	[RECORD_UNTHROTTLE] = { KEEP },
	[RECORD_FORK] = { KEEP },
	[RECORD_READ] = { KEEP },
	[RECORD_SAMPLE] = { KEEP },
	[RECORD_MMAP2] = { PATH, 72 },
	[RECORD_AUX] = { KEEP },
	[RECORD_ITRACE_START] = { KEEP },
	[RECORD_LOST_SAMPLES] = { KEEP },
	[RECORD_SWITCH] = { KEEP },
	[RECORD_SWITCH_CPU_WIDE] = { KEEP },
	[RECORD_NAMESPACES] = { KEEP },
	[RECORD_KSYMBOL] = { KEEP },
	[RECORD_BPF_EVENT] = { KEEP },
	[RECORD_CGROUP] = { PATH, 16 },
	[RECORD_TEXT_POKE] = { KEEP },
	[RECORD_AUX_OUTPUT_HW_ID] = { KEEP },
	[RECORD_CALLCHAIN_DEFERRED] = { KEEP },
	[RECORD_HEADER_ATTR] = { KEEP },
	[RECORD_HEADER_EVENT_TYPE] = { KEEP },
	[RECORD_HEADER_TRACING_DATA] = { KEEP },
	[RECORD_HEADER_BUILD_ID] = { PATH, 36 },
	[RECORD_FINISHED_ROUND] = { KEEP },
	[RECORD_ID_INDEX] = { KEEP },
	[RECORD_AUXTRACE] = { KEEP },
	[RECORD_AUXTRACE_ERROR] = { KEEP },
	[RECORD_THREAD_MAP] = { KEEP },
	[RECORD_CPU_MAP] = { KEEP },
	[RECORD_STAT_CONFIG] = { KEEP },
	[RECORD_STAT] = { KEEP },
	[RECORD_STAT_ROUND] = { KEEP },
	[RECORD_EVENT_UPDATE] = { KEEP },
	[RECORD_TIME_CONV] = { KEEP },
	[RECORD_HEADER_FEATURE] = { FEATURE },
	[RECORD_COMPRESSED] = { UNPACKED },
	[RECORD_FINISHED_INIT] = { KEEP },
	[RECORD_COMPRESSED2] = { UNPACKED },
};

/* simpleperf's: "DSO" has a path, SPLIT is a piece of any other. */
static unsigned way_of(uint32_t type, unsigned *path)
{
	enum { DSO = 2, SYMBOL = 3, EVENT_ID = 6, TRACING_DATA = 9 };
	uint32_t own = type - RECORD_SIMPLEPERF;

	*path = 0;
	if (type < RECORD_USER_MAX) {
		*path = ways[type].path;
		return ways[type].way;
	}
	if (type < RECORD_SIMPLEPERF)
		return EMPTY;
	*path = own == DSO ? 32 : 0;
	return own == DSO							    ? PATH
	       : own && (own <= SYMBOL || (own >= EVENT_ID && own <= TRACING_DATA)) ? KEEP
										    : EMPTY;
}

/* The record of SIZE bytes at REC, its body empty. */
static void put_empty(struct rewrite *r, const uint8_t *rec, uint64_t size)
{
	r->out->emptied += size > RECORD_HEADER_SIZE;
	rewrite_add(r, rec, RECORD_HEADER_SIZE);
	rewrite_zeros(r, size - RECORD_HEADER_SIZE);
}

/* HEAD bytes of the record at REC, the text in r->text and the last TAIL bytes of its SIZE, and
 * what zeros there were or must be between them. */
static void put_named(struct rewrite *r, const uint8_t *rec, size_t size, size_t head, size_t tail)
{
	size_t room = size - head - tail, need = r->text.len + 1;
	size_t more = need > room ? (need - room + 7) / 8 * 8 : 0;
	uint8_t bytes[2];

	if (size + more > RECORD_BYTES) {
		put_empty(r, rec, size);
		return;
	}
	put_number(bytes, size + more, sizeof(bytes), r->capture.header.swap);
	rewrite_add(r, rec, 6);
	rewrite_add(r, bytes, sizeof(bytes));
	rewrite_add(r, rec + RECORD_HEADER_SIZE, head - RECORD_HEADER_SIZE);
	rewrite_add(r, r->text.data, r->text.len);
	rewrite_zeros(r, room + more - r->text.len);
	rewrite_add(r, rec + size - tail, tail);
}

static void put_path(struct rewrite *r, const struct raw *raw, const uint8_t *rec, size_t at)
{
	size_t tail = record_trailer_size(raw, &r->capture.events), len;
	const char *text = (const char *)rec + at;

	if (raw->size < at + 1 + tail) {
		put_empty(r, rec, raw->size);
		return;
	}
	r->text.len = 0;
	len = strnlen(text, raw->size - at - tail);
	if (raw->type != RECORD_COMM)
		paths_strip(r->paths, text, len, &r->text);
	else if (text[0] == '/') /* hiperf calls a program by its path */
		paths_strip_within(text, len, &r->text);
	else
		buf_add(&r->text, text, len);
	put_named(r, rec, raw->size, at, tail);
}

/* HEADER_FEATURE: u64 which one, its contents. */
static void put_feature(struct rewrite *r, const struct raw *raw, const uint8_t *rec)
{
	struct cursor c = raw->body;
	uint64_t id = cursor_u64(&c);
	uint8_t bytes[2];

	r->text.len = 0;
	if (!c.bad && id < FEAT_BITS)
		stripfeat_add(r, (unsigned)id, c, &r->text);
	if (c.bad || id >= FEAT_BITS || r->text.len + 16 > RECORD_BYTES) {
		put_empty(r, rec, raw->size);
		return;
	}
	put_number(bytes, r->text.len + 16, sizeof(bytes), r->capture.header.swap);
	rewrite_add(r, rec, 6);
	rewrite_add(r, bytes, sizeof(bytes));
	rewrite_add(r, rec + RECORD_HEADER_SIZE, 8);
	rewrite_add(r, r->text.data, r->text.len);
}

/* Does it hold anything like "/x"? */
static bool has_path(const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;

	while (len && (p = memchr(p, '/', (size_t)(end - p))) && ++p < end) {
		if (isalnum(*p) || *p == '.' || *p == '_')
			return true;
	}
	return false;
}

static void note_sample(struct rewrite *r, const struct raw *raw)
{
	const struct pdt_desc *d = event_of_sample(&r->capture.events, raw);

	if (d && d->attr.sample_type & SAMPLE_STACK_USER)
		r->out->stacks++;
	else if (d && d->attr.sample_type & SAMPLE_RAW)
		r->out->texts += has_path(raw->body.pos, cursor_left(&raw->body));
}

/* simpleperf's own may be larger than what comes as one piece. One that is cut stays so. */
static void put_large(struct rewrite *r, const struct raw *raw, unsigned way)
{
	uint64_t size = rewrite_size(raw);
	uint64_t left = source_size(r->source) - raw->offset;

	if (size > left)
		size = left;
	if (way == KEEP) {
		rewrite_copy(r, raw->offset, size);
		return;
	}
	rewrite_copy(r, raw->offset, RECORD_HEADER_SIZE);
	rewrite_zeros(r, size - RECORD_HEADER_SIZE);
	r->out->emptied++;
}

static void put_record(struct rewrite *r, const struct raw *raw)
{
	const uint8_t *rec = raw->body.pos - RECORD_HEADER_SIZE;
	unsigned path, way = way_of(raw->type, &path);

	rewrite_moves(r, raw);
	if (raw->payload_size || raw->size > RECORD_BYTES) {
		put_large(r, raw, way);
		return;
	}
	if (raw->type == RECORD_SAMPLE)
		note_sample(r, raw);
	switch (way) {
	case KEEP:
		rewrite_add(r, rec, raw->size);
		break;
	case PATH:
		put_path(r, raw, rec, path);
		break;
	case FEATURE:
		put_feature(r, raw, rec);
		break;
	case UNPACKED: /* what was in it follows */
		break;
	default:
		put_empty(r, rec, raw->size);
	}
}

/* What was no record is as long, and no record again, but for the head of one that was cut. */
static void put_gap(struct rewrite *r, uint64_t from, uint64_t to)
{
	uint8_t head[RECORD_HEADER_SIZE] = { 0 };
	struct cursor c = cursor_make(head, sizeof(head), r->capture.header.swap);

	if (to <= from)
		return;
	if (to - from > sizeof(head) &&
	    source_pread(r->source, head, sizeof(head), from) == sizeof(head) &&
	    record_type_name(cursor_u32(&c))) {
		rewrite_add(r, head, sizeof(head));
		from += sizeof(head);
	}
	rewrite_zeros(r, to - from);
}

static uint64_t data_end(const struct rewrite *r)
{
	const struct file_header *h = &r->capture.header;

	return h->pipe ? source_size(r->source) : h->data.offset + h->data.size;
}

static void put_records(struct rewrite *r)
{
	struct stream *s = stream_new(&r->capture, r->source);
	uint64_t next = r->capture.header.pipe ? PIPE_HEADER_SIZE : r->capture.header.data.offset;
	struct raw raw;
	int rc = 0;

	while (r->rc == 0 && (rc = stream_next(s, &raw)) == 1) {
		if (!raw.inflated) {
			put_gap(r, next, raw.offset);
			next = raw.offset + rewrite_size(&raw);
		}
		put_record(r, &raw);
	}
	if (r->rc == 0)
		r->rc = rc;
	put_gap(r, next, data_end(r));
	stream_free(s);
}

/* ---- a file: header, events, records, features ---- */

/* OFFSET 16 of the header: size of an entry, and sections: see struct file_header. */
static void put_header(struct rewrite *r, uint64_t data, uint64_t data_size)
{
	const struct file_header *h = &r->capture.header;
	uint8_t raw[FILE_HEADER_SIZE] = { 0 };
	struct cursor c = cursor_make(raw, sizeof(raw), h->swap);
	uint64_t said;

	if (source_pread(r->source, raw, sizeof(raw), 0) <= 0)
		r->rc = ERR_IO;
	cursor_skip(&c, 8);
	if (cursor_u64(&c) != FILE_HEADER_SIZE) /* the older, shorter one */
		memset(raw + 72, 0, sizeof(raw) - 72);
	cursor_skip(&c, 32);
	said = cursor_u64(&c);
	if (h->unfinished) /* as much is missing as was */
		data_size = said ? data_size + (said - h->data.size) : 0;
	put_number(raw + 24, FILE_HEADER_SIZE, 8, h->swap);
	put_number(raw + 40, data, 8, h->swap);
	put_number(raw + 48, data_size, 8, h->swap);
	memset(raw + 56, 0, 16); /* types of events, of old: nobody reads them */
	rewrite_back(r, raw, sizeof(raw), 0);
}

/* What is at AT of the feature ID, or nothing. */
static void put_section(struct rewrite *r, unsigned id, struct section at)
{
	struct buf contents = { 0 }, out = { 0 };
	ssize_t n;

	if (stripsyms_has(id)) {
		stripsyms_copy(r, id, at);
		return;
	}
	if (at.size > FEATURE_BYTES) {
		r->out->emptied++;
		return;
	}
	n = source_pread(r->source, buf_reserve(&contents, (size_t)at.size), (size_t)at.size,
			 at.offset);
	if (n > 0)
		stripfeat_add(r, id, cursor_make(contents.data, (size_t)n, r->capture.header.swap),
			      &out);
	rewrite_add(r, out.data, out.len);
	buf_release(&contents);
	buf_release(&out);
}

static void put_features(struct rewrite *r)
{
	const struct file_header *h = &r->capture.header;
	uint64_t from = h->data.offset + h->data.size, to = rewrite_at(r);
	uint8_t table[FEAT_BITS * 16] = { 0 };
	size_t count = 0;

	for (unsigned id = 0; id < FEAT_BITS; id++)
		count += header_has_feature(h, id);
	rewrite_zeros(r, count * 16);
	for (unsigned id = 0, i = 0; id < FEAT_BITS; id++) {
		uint64_t begin = rewrite_at(r);
		struct section at;

		if (!header_has_feature(h, id))
			continue;
		if (rewrite_place(r, from + i * 16, &at))
			put_section(r, id, at);
		put_number(table + i * 16, begin, 8, h->swap);
		put_number(table + i * 16 + 8, rewrite_at(r) - begin, 8, h->swap);
		i++;
	}
	rewrite_back(r, table, count * 16, to);
}

static void put_file(struct rewrite *r)
{
	uint64_t data, size;

	rewrite_zeros(r, FILE_HEADER_SIZE);
	rewrite_events(r);
	data = rewrite_at(r);
	put_records(r);
	size = rewrite_at(r) - data;
	put_features(r);
	put_header(r, data, size);
}

int stripped_make(struct stripped *out, const struct capture *f, struct source *s, struct paths *p,
		  struct warnings *w)
{
	struct rewrite r = { .out = out, .source = s, .paths = p };
	struct warnings scratch = { 0 };
	uint64_t offset;

	*out = (struct stripped){ .spool.fd = -1 };
	r.rc = spool_begin(&out->spool, &offset);
	rewrite_begin(&r, f, &scratch);
	if (f->header.pipe) {
		rewrite_copy(&r, 0, PIPE_HEADER_SIZE);
		source_seek(s, PIPE_HEADER_SIZE);
		put_records(&r);
	} else {
		put_file(&r);
	}
	rewrite_flush(&r);
	if (r.rc < 0)
		warn_add(w, SEV_FATAL, "pack", "%s: %s", source_path(s),
			 r.rc == ERR_FORMAT ? "it is too large to be stripped of paths"
					    : "it cannot be written anew to a temporary file");
	rewrite_end(&r);
	warnings_release(&scratch);
	return r.rc < 0 ? ERR_IO : 0;
}

void stripped_release(struct stripped *s)
{
	spool_release(&s->spool);
}

void stripped_tell(const struct stripped *s, struct warnings *w)
{
	if (s->stacks)
		warn_add(w, SEV_NOTE, "pack-stacks",
			 "left: paths may stand in the stack copies of %" PRIu64 " samples",
			 s->stacks);
	if (s->texts)
		warn_add(w, SEV_NOTE, "pack-texts",
			 "left: paths may stand in what %" PRIu64 " samples of tracepoints tell",
			 s->texts);
	if (s->emptied)
		warn_add(w, SEV_NOTE, "pack-emptied",
			 "%" PRIu64 " records and sections of the capture that may hold paths are "
			 "empty in the pack",
			 s->emptied);
}
