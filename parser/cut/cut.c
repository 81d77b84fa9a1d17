/* Which records go on, and the header around them. */
#include "parser/cut/cut.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/cut/formats.h"
#include "parser/cut/reads.h"
#include "parser/cut/scrub.h"
#include "parser/cut/target.h"
#include "parser/file/source.h"
#include "parser/pack/rewrite.h"
#include "parser/record/record.h"
#include "parser/record/sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum fate {
	SAMPLE_KEPT,
	RECORD_KEPT,
	SAMPLE_OUT,
	SWITCH_OUT,
	AUX_OUT,
	ROUND_OUT,
	META_OUT,
	UNKNOWN_OUT,
	BAD,
	FATES,
	CARRIER = FATES, /* COMPRESSED: what was in it follows, and is told of */
};

static const char *const fates[FATES] = {
	[SAMPLE_KEPT] = "samples kept",
	[RECORD_KEPT] = "other records kept",
	[SAMPLE_OUT] = "samples taken out by filters",
	[SWITCH_OUT] = "context switches taken out by filters",
	[AUX_OUT] = "records of hardware traces (AUX) dropped",
	[ROUND_OUT] = "ends of rounds dropped: several files became one",
	[META_OUT] = "records about the file dropped: they hold no more",
	[UNKNOWN_OUT] = "records dropped that may hold names",
	[BAD] = "damaged records dropped",
};

/* One file of the capture. */
struct part {
	struct source *source;
	struct stream *stream;
	struct raw raw;
	struct sample sample; /* of a raw that is one */
	bool there, sound;    /* there is a record at hand; it can be decoded */
	uint64_t time_ns, samples;
};

struct cut {
	const struct cut_job *job;
	struct rewrite r;
	struct stripped out;
	struct part *parts;
	size_t count;
	uint64_t records[FATES], bytes[FATES];
	struct reads reads;
	struct scrub scrub;
	struct buf copy;    /* of a record that is changed */
	struct buf formats; /* for tracepoints that lost theirs */
	uint64_t first_ns, last_ns;
	uint64_t sections; /* that are not there, or hold no more */
};

/* ---- records ---- */

/* Does what follows the record lie in the file? */
static bool is_whole(const struct part *p)
{
	const struct raw *raw = &p->raw;
	struct cursor c = raw->body;

	if (raw->type == RECORD_AUXTRACE && !raw->payload_size)
		return !raw->inflated && cursor_u64(&c) == 0;
	return (!raw->payload_size && raw->size <= RECORD_BYTES) ||
	       rewrite_size(raw) <= source_size(p->source) - raw->offset;
}

static bool is_sound(struct cut *c, struct part *p)
{
	struct event_list *events = &c->r.capture.events;
	struct record rec;

	p->time_ns = 0;
	if (p->raw.type == RECORD_SAMPLE) {
		if (sample_decode(&p->sample, &p->raw, events) < 0)
			return false;
		p->time_ns = p->sample.has_time ? p->sample.time_ns : 0;
		return true;
	}
	if (p->raw.type < RECORD_KERNEL_MAX) {
		struct record_id id;

		record_id_decode(&id, &p->raw, events);
		p->time_ns = id.time_ns;
		return record_decode(&rec, &p->raw, events) != ERR_FORMAT;
	}
	return is_whole(p);
}

/* The next record of P is at hand; 1, 0 at the end, negative. */
static int advance(struct cut *c, struct part *p)
{
	int rc = stream_next(p->stream, &p->raw);

	p->there = rc == 1;
	if (p->there)
		p->sound = is_sound(c, p);
	return rc;
}

/* Switches are events, too: as those they are filtered. */
static bool switch_passes(const struct cut *c, const struct part *p)
{
	const struct filter *f = c->job->filter;
	struct event_list *events = (struct event_list *)&c->r.capture.events;
	struct record_id id;

	record_id_decode(&id, &p->raw, events);
	return (!f->cpus.count || (id.has_cpu && num_list_has(&f->cpus, id.cpu))) &&
	       (!f->times.count || (id.has_time && num_list_has(&f->times, id.time_ns))) &&
	       num_list_passes(&f->pids, id.pid) && num_list_passes(&f->tids, id.tid);
}

/* A trace of hardware cannot be cut by what is known of samples. */
static bool drops_aux(const struct cut *c)
{
	return c->job->passed || c->job->scrub;
}

/* HEADER_FEATURE of a pipe: sections that hold no more. */
static bool feature_holds(const struct cut *c, unsigned id)
{
	if (c->job->scrub && !scrub_knows(&c->scrub, id))
		return false;
	if (id == FEAT_COMPRESSED || (id == FEAT_DIR_FORMAT && c->count > 1))
		return false;
	if (id == FEAT_SAMPLE_TIME && c->r.capture.header.pipe)
		return !c->job->passed;
	return id != FEAT_AUXTRACE || !drops_aux(c);
}

static enum fate fate_of(struct cut *c, size_t part)
{
	struct part *p = &c->parts[part];
	struct cursor body = p->raw.body;
	uint64_t number;

	switch (p->raw.type) {
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		return CARRIER;
	case RECORD_SAMPLE:
		number = p->samples++;
		if (!p->sound)
			return BAD;
		return !c->job->passed || passed_has(c->job->passed, part, number) ? SAMPLE_KEPT
										   : SAMPLE_OUT;
	case RECORD_AUX:
	case RECORD_ITRACE_START:
	case RECORD_AUX_OUTPUT_HW_ID:
	case RECORD_AUXTRACE_INFO:
	case RECORD_AUXTRACE:
	case RECORD_AUXTRACE_ERROR:
		if (drops_aux(c))
			return AUX_OUT;
		break;
	case RECORD_FINISHED_ROUND:
		if (c->count > 1)
			return ROUND_OUT;
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		if (p->sound && c->job->passed && !switch_passes(c, p))
			return SWITCH_OUT;
		break;
	case RECORD_HEADER_FEATURE:
		if (!feature_holds(c, (unsigned)cursor_u64(&body)))
			return META_OUT;
		break;
	default:
		break;
	}
	return p->sound ? RECORD_KEPT : BAD;
}

/* A copy of the record of P, whose bytes are at hand. */
static struct raw copy_record(struct cut *c, const struct part *p)
{
	struct raw raw = p->raw;

	c->copy.len = 0;
	buf_add(&c->copy, raw.body.pos - RECORD_HEADER_SIZE, raw.size);
	raw.body = cursor_make(c->copy.data + RECORD_HEADER_SIZE, raw.size - RECORD_HEADER_SIZE,
			       raw.body.swap);
	return raw;
}

/* Samples that read counters: some samples are left out. */
static void sum_reads(struct cut *c, const struct part *p, bool kept)
{
	const struct sample *s = &p->sample;
	const uint8_t *rec = p->raw.body.pos - RECORD_HEADER_SIZE;

	if (s->read && s->desc->attr.read_format & FORMAT_ID)
		reads_sum(&c->reads, &c->r.capture.events, s,
			  kept ? (uint8_t *)c->copy.data + (s->read - rec) : NULL);
}

/* False: nothing of it may be shown. */
static bool put_scrubbed(struct cut *c, const struct raw *raw)
{
	struct sample s = { 0 };

	if (raw->type == RECORD_SAMPLE &&
	    sample_decode(&s, raw, &c->r.capture.events) < 0) /* its copy is as it was */
		return false;
	scrub_record(&c->scrub, raw, &s);
	rewrite_add(&c->r, c->scrub.out.data, c->scrub.out.len);
	return c->scrub.out.len != 0;
}

/* As it is. */
static void put_large(struct cut *c, const struct part *p)
{
	const struct raw *raw = &p->raw;

	rewrite_moves(&c->r, raw);
	c->r.source = p->source;
	rewrite_copy(&c->r, raw->offset, rewrite_size(raw));
}

/* The record of P, which stays; false: not, after all. */
static bool put_record(struct cut *c, const struct part *p)
{
	bool large = p->raw.payload_size || p->raw.size > RECORD_BYTES;
	struct raw raw = p->raw;

	if (large && c->job->scrub)
		return raw.type == RECORD_HEADER_TRACING_DATA && put_scrubbed(c, &raw);
	if (large) {
		put_large(c, p);
		return true;
	}
	raw = copy_record(c, p);
	if (raw.type == RECORD_SAMPLE && c->job->passed)
		sum_reads(c, p, true);
	if (c->job->scrub)
		return put_scrubbed(c, &raw);
	rewrite_moves(&c->r, &raw);
	rewrite_add(&c->r, c->copy.data, c->copy.len);
	return true;
}

static void note_time(struct cut *c, const struct part *p)
{
	if (!p->time_ns || p->raw.type != RECORD_SAMPLE)
		return;
	if (!c->first_ns || p->time_ns < c->first_ns)
		c->first_ns = p->time_ns;
	if (p->time_ns > c->last_ns)
		c->last_ns = p->time_ns;
}

static void take(struct cut *c, size_t part)
{
	struct part *p = &c->parts[part];
	enum fate fate = fate_of(c, part);

	if (fate == CARRIER)
		return;
	if (fate <= RECORD_KEPT && !put_record(c, p))
		fate = UNKNOWN_OUT;
	else if (fate == SAMPLE_OUT)
		sum_reads(c, p, false);
	c->records[fate]++;
	c->bytes[fate] += rewrite_size(&p->raw);
	if (fate <= RECORD_KEPT)
		note_time(c, p);
}

/* That which comes first in time, of those at hand; PARTS: none is left. */
static size_t first_part(const struct cut *c)
{
	size_t best = c->count;

	for (size_t i = 0; i < c->count; i++) {
		if (c->parts[i].there &&
		    (best == c->count || c->parts[i].time_ns < c->parts[best].time_ns))
			best = i;
	}
	return best;
}

static void put_records(struct cut *c)
{
	struct rewrite *r = &c->r;
	struct capture *f = &r->capture;
	size_t i;
	int rc = 0;

	if (f->header.pipe)
		source_seek(c->parts[0].source, PIPE_HEADER_SIZE);
	for (i = 0; i < c->count && rc >= 0; i++) {
		c->parts[i].stream = stream_new(f, c->parts[i].source);
		rc = advance(c, &c->parts[i]);
	}
	while (r->rc == 0 && rc >= 0 && (i = first_part(c)) < c->count) {
		take(c, i);
		rc = advance(c, &c->parts[i]);
	}
	for (i = 0; i < c->count; i++)
		stream_free(c->parts[i].stream);
	if (r->rc == 0 && rc < 0)
		r->rc = rc;
}

/* ---- the header ---- */

/* The contents of section ID, which lies at AT. */
static void put_section(struct cut *c, unsigned id, struct section at)
{
	bool swap = c->r.capture.header.swap;
	struct buf was = { 0 }, out = { 0 };
	uint8_t times[16];
	ssize_t n;

	if (id == FEAT_SAMPLE_TIME) {
		put_number(times, c->first_ns, 8, swap);
		put_number(times + 8, c->last_ns, 8, swap);
		rewrite_add(&c->r, times, sizeof(times));
	} else if (id == FEAT_TRACING_DATA && c->formats.len) {
		rewrite_add(&c->r, c->formats.data, c->formats.len);
	} else if (id == FEAT_AUXTRACE || c->job->scrub) {
		n = source_pread(c->r.source, buf_reserve(&was, (size_t)at.size), (size_t)at.size,
				 at.offset);
		was.len = n > 0 ? (size_t)n : 0;
		if (c->job->scrub)
			scrub_section(&c->scrub, id, cursor_make(was.data, was.len, swap), &out);
		else
			stripfeat_add(&c->r, id, cursor_make(was.data, was.len, swap), &out);
		rewrite_add(&c->r, out.data, out.len);
	} else {
		rewrite_copy(&c->r, at.offset, at.size);
	}
	buf_release(&was);
	buf_release(&out);
}

/* Which sections there will be, and where they are now. A damaged table may name the same bytes
 * again and again: all sections together are no longer than the file. */
static void find_sections(struct cut *c, struct section at[FEAT_BITS], bool there[FEAT_BITS])
{
	const struct file_header *h = &c->r.capture.header;
	uint64_t table = h->data.offset + h->data.size, left = source_size(c->r.source);

	for (unsigned id = 0; id < FEAT_BITS; id++) {
		if (!header_has_feature(h, id))
			continue;
		there[id] = rewrite_place(&c->r, table, &at[id]) && at[id].size <= left;
		table += 16;
		if (there[id])
			left -= at[id].size;
		if (there[id] && feature_holds(c, id))
			continue;
		there[id] = false;
		c->sections++;
	}
	/* what the recorder did not come to */
	if (h->unfinished)
		formats_make(&c->r.capture, &c->formats);
	there[FEAT_TRACING_DATA] |= c->formats.len != 0;
	there[FEAT_SAMPLE_TIME] = c->last_ns && (there[FEAT_SAMPLE_TIME] || h->unfinished);
}

/* Returns which there are. */
static void put_features(struct cut *c, uint64_t bits[4])
{
	struct section at[FEAT_BITS] = { 0 };
	bool there[FEAT_BITS] = { false }, swap = c->r.capture.header.swap;
	uint8_t table[FEAT_BITS * 16] = { 0 };
	uint64_t begin = rewrite_at(&c->r);
	size_t count = 0, i = 0;

	c->r.source = c->parts[0].source;
	find_sections(c, at, there);
	for (unsigned id = 0; id < FEAT_BITS; id++)
		count += there[id];
	rewrite_zeros(&c->r, count * 16);
	for (unsigned id = 0; id < FEAT_BITS; id++) {
		uint64_t from = rewrite_at(&c->r);

		if (!there[id])
			continue;
		bits[id / 64] |= 1ull << id % 64;
		put_section(c, id, at[id]);
		put_number(table + i * 16, from, 8, swap);
		put_number(table + i * 16 + 8, rewrite_at(&c->r) - from, 8, swap);
		i++;
	}
	if (count)
		rewrite_back(&c->r, table, count * 16, begin);
}

/* See struct file_header. */
static void put_header(struct cut *c, struct section data, const uint64_t bits[4])
{
	const struct file_header *h = &c->r.capture.header;
	uint64_t attrs = h->attrs.size / h->attr_size * h->attr_size;
	uint8_t raw[FILE_HEADER_SIZE] = { 0 };

	if (source_pread(c->parts[0].source, raw, 8, 0) != 8)
		c->r.rc = ERR_IO;
	put_number(raw + 8, FILE_HEADER_SIZE, 8, h->swap);
	put_number(raw + 16, h->attr_size, 8, h->swap);
	put_number(raw + 24, FILE_HEADER_SIZE, 8, h->swap);
	put_number(raw + 32, attrs, 8, h->swap);
	put_number(raw + 40, data.offset, 8, h->swap);
	put_number(raw + 48, data.size, 8, h->swap);
	for (int i = 0; i < 4; i++)
		put_number(raw + 72 + i * 8, bits[i], 8, h->swap);
	rewrite_back(&c->r, raw, sizeof(raw), 0);
}

static void put_file(struct cut *c)
{
	uint64_t bits[4] = { 0 };
	struct section data;

	rewrite_zeros(&c->r, FILE_HEADER_SIZE);
	rewrite_events(&c->r);
	data.offset = rewrite_at(&c->r);
	put_records(c);
	data.size = rewrite_at(&c->r) - data.offset;
	put_features(c, bits);
	put_header(c, data, bits);
}

/* ---- the whole ---- */

static void add_part(struct cut *c, struct source *s)
{
	c->parts = xrealloc(c->parts, (c->count + 1) * sizeof(*c->parts));
	memset(&c->parts[c->count], 0, sizeof(*c->parts));
	c->parts[c->count++].source = s;
}

static int open_parts(struct cut *c)
{
	struct warnings *w = c->job->warnings;
	struct source *own = c->job->capture->source, *next;
	int rc;

	add_part(c, own);
	while ((rc = source_part(&next, own, (unsigned)c->count - 1, w)) == 0 && next)
		add_part(c, next);
	return rc;
}

static void tell_scrubbed(const struct scrub *s, struct warnings *w)
{
	if (s->stacks)
		warn_add(w, SEV_NOTE, "cut-stacks",
			 "%" PRIu64 " copies of stacks are not in the cut: what was unwound from "
			 "them is lost",
			 s->stacks);
	if (s->registers)
		warn_add(w, SEV_NOTE, "cut-registers",
			 "%" PRIu64 " copies of registers are not in the cut", s->registers);
	if (s->payloads)
		warn_add(w, SEV_NOTE, "cut-fields",
			 "%" PRIu64 " fields of samples that may hold text are empty in the cut",
			 s->payloads);
}

static void tell(const struct cut *c)
{
	struct warnings *w = c->job->warnings;

	for (int i = 0; i < FATES; i++) {
		if (c->records[i] || i == SAMPLE_KEPT)
			c->job->tell(c->job->ctx, fates[i], c->records[i], c->bytes[i]);
	}
	if (c->records[AUX_OUT])
		warn_add(w, SEV_NOTE, "cut-aux",
			 "%" PRIu64 " records of hardware traces (AUX) are not in the cut",
			 c->records[AUX_OUT]);
	tell_scrubbed(&c->scrub, w);
	if (c->sections)
		warn_add(w, SEV_NOTE, "cut-sections",
			 "%" PRIu64
			 " sections of the header are not in the cut: they are not whole, or "
			 "hold no more",
			 c->sections);
}

static int write_all(struct cut *c)
{
	struct warnings scratch = { 0 };
	struct target target;
	int rc = target_open(&target, c->job->path, &c->out.spool, c->job->warnings);

	if (rc < 0)
		return rc;
	c->r.out = &c->out;
	c->r.source = c->parts[0].source;
	rewrite_begin(&c->r, c->job->capture, &scratch);
	scrub_init(&c->scrub, c->job->scrub, c->job->capture);
	if (c->r.capture.header.pipe) {
		rewrite_copy(&c->r, 0, PIPE_HEADER_SIZE);
		put_records(c);
	} else {
		put_file(c);
	}
	rewrite_flush(&c->r);
	if (c->r.rc < 0)
		warn_add(c->job->warnings, SEV_FATAL, "cut", "%s: %s", c->job->path,
			 c->r.error ? strerror(c->r.error) : "it cannot be made");
	rc = target_close(&target, &c->out.spool, c->r.rc < 0, c->job->warnings);
	rewrite_end(&c->r);
	warnings_release(&scratch);
	return c->r.rc < 0 ? ERR_IO : rc;
}

int cut_write(const struct cut_job *job)
{
	struct cut c = { .job = job, .reads.events = &job->filter->events };
	int rc;

	if (job->passed && job->passed->full) {
		warn_add(job->warnings, SEV_FATAL, "cut",
			 "more than %llu samples: expected a filter that comes to fewer",
			 PASSED_MAX);
		return ERR_LIMIT;
	}
	rc = open_parts(&c);
	if (rc == 0)
		rc = write_all(&c);
	if (rc == 0)
		tell(&c);
	for (size_t i = 1; i < c.count; i++)
		source_close(c.parts[i].source);
	scrub_release(&c.scrub);
	reads_release(&c.reads);
	buf_release(&c.copy);
	buf_release(&c.formats);
	free(c.parts);
	return rc;
}
