/* Frame records in a sliding window over the source, and in a second one over what is decompressed.
 *
 * A header that cannot be right (size below 8, beyond the end) starts a search for the next place
 * where two plausible headers follow one another. May assume nothing of the bytes; never casts
 * onto them. */
#include "parser/file/stream.h"
#include "parser/file/source.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"
#include "parser/file/inflate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WINDOW_SIZE   (256u << 10)
#define RECORD_MAX    65536	  /* bytes: header.size is 16 bits */
#define MAPPED_STEP   (16u << 20) /* bytes of a mapped file that are let go at a time */
#define TRACING_MAX   (64u << 20) /* bytes of tracing data that are believed */
#define AUXTRACE_BODY 40
#define CHAIN_LENGTH  2 /* plausible headers in a row that end a search */

struct window {
	uint8_t *buf;
	size_t pos, end; /* unread bytes are buf[pos, end) */
	uint64_t offset; /* of buf[pos] in the source */
	bool eof;
	bool inflated;	  /* over what came out of COMPRESSED records */
	unsigned step;	  /* records begin at multiples of it from one to the next: 8 or 1 */
	bool searching;	  /* looking for the next record after damage */
	bool cut;	  /* the search began at a record that runs past the end */
	uint64_t skipped; /* bytes passed over in this search */
	uint64_t search_offset;
};

struct stream {
	struct capture *capture;
	struct source *source;
	struct window outer, inner;
	struct inflate *inflate;
	uint64_t left;	  /* bytes of the data section not yet in the window */
	uint64_t carrier; /* offset of the COMPRESSED record being drained */
	bool again;	  /* source_pread() has the outer window, too */
	bool draining;
	uint8_t head[AUXTRACE_BODY]; /* of the record whose payload moved the window on */
	uint8_t *map;		     /* the whole file, once stream_lasting() was asked for it */
	uint64_t let_go;	     /* its first bytes that need not be in memory */
};

enum frame { FRAME_OK, FRAME_MORE, FRAME_BAD };

/* The resident set must not grow with the file. What is let go can still be read: it is brought
 * back when it is. */
static void let_go(struct stream *s)
{
	(void)madvise(s->map + s->let_go, MAPPED_STEP, MADV_DONTNEED);
	s->let_go += MAPPED_STEP;
}

struct stream *stream_new(struct capture *f, struct source *source)
{
	struct stream *s = xcalloc(1, sizeof(*s));

	s->capture = f;
	s->source = source;
	/* HEADER_FEATURE and COMPRESSED records are not padded */
	s->outer.step = f->header.pipe || f->meta.has_compression ? 1 : 8;
	s->inner.step = 8;
	s->inner.inflated = true;
	if (f->header.pipe) {
		s->left = UINT64_MAX;
		s->outer.offset = PIPE_HEADER_SIZE;
	} else if (source == f->source) {
		s->left = f->header.data.size;
		s->outer.offset = f->header.data.offset;
		source_seek(source, s->outer.offset);
	} else {
		s->left = source_size(source);
	}
	s->again = !f->header.pipe && source_seekable(source) && !source_compression(source) &&
		   source_pack(f->source) < 0;
	s->outer.buf = xmalloc(WINDOW_SIZE);
	return s;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	free(s->outer.buf);
	free(s->inner.buf);
	inflate_free(s->inflate);
	free(s);
}

uint64_t stream_position(const struct stream *s)
{
	return s->outer.offset;
}

static void window_consume(struct window *w, size_t n)
{
	w->pos += n;
	w->offset += n;
}

static void window_compact(struct window *w)
{
	memmove(w->buf, w->buf + w->pos, w->end - w->pos);
	w->end -= w->pos;
	w->pos = 0;
}

/* Read on into the outer window. 1 when bytes came, 0 at the end, negative on failure. */
static int outer_fill(struct stream *s)
{
	struct window *w = &s->outer;
	size_t want;
	ssize_t n;

	window_compact(w);
	want = WINDOW_SIZE - w->end;
	if (want > s->left)
		want = (size_t)s->left;
	n = want ? source_read(s->source, w->buf + w->end, want, s->capture->warnings) : 0;
	if (n < 0)
		return (int)n;
	w->end += (size_t)n;
	if (s->left != UINT64_MAX)
		s->left -= (uint64_t)n;
	if ((size_t)n < want || s->left == 0)
		w->eof = true;
	return n > 0;
}

/* Pass over N bytes that follow the window's position, reading on as needed. */
static uint64_t outer_skip(struct stream *s, uint64_t n)
{
	struct window *w = &s->outer;
	uint64_t done = 0;

	while (done < n) {
		uint64_t have = w->end - w->pos;
		uint64_t take = have < n - done ? have : n - done;

		window_consume(w, (size_t)take);
		done += take;
		if (done < n && (w->eof || outer_fill(s) <= 0))
			break;
	}
	return done;
}

struct head {
	uint32_t type;
	uint16_t misc;
	uint32_t size;
};

static struct head read_head(const struct stream *s, const uint8_t *p)
{
	struct cursor c = cursor_make(p, RECORD_HEADER_SIZE, s->capture->header.swap);
	struct head h;

	h.type = cursor_u32(&c);
	h.misc = cursor_u16(&c);
	h.size = cursor_u16(&c);
	/* simpleperf's own records keep the high half of their size where misc is */
	if (h.type > RECORD_SIMPLEPERF && h.type < RECORD_SIMPLEPERF_MAX) {
		h.size |= (uint32_t)h.misc << 16;
		h.misc = 0;
	}
	return h;
}

static bool plausible(const struct window *w, const struct head *h)
{
	if (!record_type_name(h->type) || h->size < RECORD_HEADER_SIZE)
		return false;
	if (w->inflated && h->size > RECORD_MAX)
		return false;
	if (h->size % (h->type < RECORD_KERNEL_MAX ? 8 : w->step))
		return false;
	if (h->type == RECORD_SAMPLE && h->size < 16)
		return false;
	/* user-space records have no misc bits, but for build ids and AUX; kernel ones a CPU mode
	 * below 7 */
	if (h->type >= RECORD_HEADER_ATTR && h->type != RECORD_HEADER_BUILD_ID)
		return h->misc == 0;
	return (h->misc & MISC_CPUMODE_MASK) < 7;
}

/* Do CHAIN_LENGTH plausible records, or fewer that end exactly at the end, start at POS? */
static bool chain_at(const struct stream *s, const struct window *w, size_t pos)
{
	for (int i = 0; i < CHAIN_LENGTH; i++) {
		struct head h;

		/* one record that ends with the data will do, but not out of the bytes of one that
		 * is cut */
		if (i > 0 && pos == w->end && w->eof)
			return !w->cut;
		if (w->end - pos < RECORD_HEADER_SIZE)
			return false;
		h = read_head(s, w->buf + pos);
		if (!plausible(w, &h))
			return false;
		if (h.size > w->end - pos)
			return i > 0 && !w->eof;
		pos += h.size;
	}
	return true;
}

/* An unknown type is believed when what follows it, after at most some more unknown ones, is
 * plausible. */
static bool unknown_fits(const struct stream *s, const struct window *w)
{
	size_t pos = w->pos;

	for (int i = 0; i < 16; i++) {
		struct head h;

		if (w->end - pos < RECORD_HEADER_SIZE)
			return !w->eof || pos == w->end;
		h = read_head(s, w->buf + pos);
		if (plausible(w, &h))
			return true;
		if (h.size < RECORD_HEADER_SIZE || record_type_name(h.type) || h.type == 0 ||
		    h.size % w->step)
			return false;
		if (h.size > w->end - pos)
			return !w->eof;
		pos += h.size;
	}
	return false;
}

/* Advance to the next believable record. True when there is one in the window. */
static bool search(struct stream *s, struct window *w)
{
	while (w->end - w->pos >= RECORD_HEADER_SIZE) {
		/* decide only with enough ahead in the window for the chain */
		if (!w->eof && w->end - w->pos < CHAIN_LENGTH * RECORD_MAX)
			return false;
		if (chain_at(s, w, w->pos))
			return true;
		window_consume(w, w->step);
		w->skipped += w->step;
	}
	return false;
}

static void search_begin(struct stream *s, struct window *w, uint64_t offset)
{
	struct head h = { 0 };

	if (w->end - w->pos >= RECORD_HEADER_SIZE)
		h = read_head(s, w->buf + w->pos);
	w->cut = plausible(w, &h);
	w->searching = true;
	w->skipped = 0;
	w->search_offset = offset;
}

static void search_end(struct stream *s, struct window *w)
{
	w->searching = false;
	warn_add(s->capture->warnings, SEV_WARN, "damaged",
		 "%s: offset %llu: expected a record; %llu bytes skipped up to the next one",
		 source_path(s->source), (unsigned long long)w->search_offset,
		 (unsigned long long)w->skipped);
	warn_bytes(s->capture->warnings, "damaged", w->skipped);
}

/* simpleperf's kallsyms are read when names are asked for. */
static void note_symbols(struct stream *s, const struct raw *r)
{
	struct section at = { r->offset + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE };

	if (!r->inflated && s->source == s->capture->source && source_seekable(s->source))
		symbol_section_add(&s->capture->meta, r->type, at);
}

/* The record with header H at the window's position. */
static void hand_out(struct stream *s, struct window *w, const struct head *h, struct raw *out)
{
	out->type = h->type;
	out->misc = h->misc;
	out->size = h->size;
	out->payload_size = 0;
	out->offset = w->offset;
	out->inflated = w == &s->inner;
	if (h->type == RECORD_SIMPLEPERF_KERNEL_SYMBOL)
		note_symbols(s, out);
	if (h->size > RECORD_MAX) { /* simpleperf's tables: passed over */
		out->body = cursor_make(w->buf, 0, s->capture->header.swap);
		out->payload_size = outer_skip(s, h->size);
		return;
	}
	out->body = cursor_make(w->buf + w->pos + RECORD_HEADER_SIZE, h->size - RECORD_HEADER_SIZE,
				s->capture->header.swap);
	window_consume(w, h->size);
}

static enum frame frame(struct stream *s, struct window *w, struct raw *out)
{
	struct head h;

	if (w->searching) {
		if (!search(s, w))
			return FRAME_MORE;
		search_end(s, w);
	}
	if (w->end - w->pos < RECORD_HEADER_SIZE)
		return FRAME_MORE;
	h = read_head(s, w->buf + w->pos);
	if (h.size < RECORD_HEADER_SIZE || h.type == 0 || (w->inflated && h.size > RECORD_MAX))
		return FRAME_BAD;
	if (h.size > w->end - w->pos && h.size <= RECORD_MAX)
		return w->eof ? FRAME_BAD : FRAME_MORE;
	if (!record_type_name(h.type) && !unknown_fits(s, w))
		return FRAME_BAD;
	hand_out(s, w, &h, out);
	return FRAME_OK;
}

/* Keep the SIZE bytes of tracing data that follow, padded to PADDED; returns how many there were.
 */
static uint64_t take_tracing(struct stream *s, uint64_t padded, uint32_t size)
{
	struct window *w = &s->outer;
	struct buf b = { 0 };

	while (b.len < padded && size <= TRACING_MAX) {
		uint64_t have = w->end - w->pos;
		uint64_t take = have < padded - b.len ? have : padded - b.len;

		buf_add(&b, w->buf + w->pos, (size_t)take);
		window_consume(w, (size_t)take);
		if (b.len < padded && (w->eof || outer_fill(s) <= 0))
			break;
	}
	if (b.len >= size)
		tracing_data_keep(&s->capture->meta, b.data, size);
	if (size > TRACING_MAX)
		warn_add(s->capture->warnings, SEV_WARN, "tracing-data",
			 "%s: tracing data: %u bytes are more than 64 MiB: they are not read",
			 source_path(s->source), size);
	padded = size <= TRACING_MAX ? b.len : outer_skip(s, padded);
	buf_release(&b);
	return padded;
}

/* A payload larger than what is left: its size is wrong, or the file is cut. What follows is looked
 * at for records either way. */
static void damaged_payload(struct stream *s, struct raw *r)
{
	warn_add(s->capture->warnings, SEV_WARN, "damaged-payload",
		 "%s: offset %llu: %s of %llu bytes runs past the end of the data",
		 source_path(s->source), (unsigned long long)r->offset, record_type_name(r->type),
		 (unsigned long long)r->payload_size);
	r->payload_size = 0;
	search_begin(s, &s->outer, s->outer.offset);
}

/* Payloads that follow their record. */
static void take_payload(struct stream *s, struct raw *r)
{
	struct cursor c = r->body;
	size_t kept = cursor_left(&c) < AUXTRACE_BODY ? cursor_left(&c) : AUXTRACE_BODY;
	uint64_t done = 0;

	if (r->type == RECORD_AUXTRACE) {
		memcpy(s->head, c.pos, kept);
		r->payload_size = cursor_u64(&c);
		if (s->left != UINT64_MAX &&
		    r->payload_size > s->left + (s->outer.end - s->outer.pos)) {
			damaged_payload(s, r);
			return;
		}
		done = outer_skip(s, r->payload_size);
		r->body = cursor_make(s->head, kept, c.swap);
	} else if (r->type == RECORD_HEADER_TRACING_DATA) {
		uint32_t size = cursor_u32(&c);

		if (size && cursor_left(&c) >= size) { /* simpleperf: inside the record */
			tracing_data_keep(&s->capture->meta, c.pos, size);
			return;
		}
		r->payload_size = ((uint64_t)size + 7) & ~7ULL;
		done = take_tracing(s, r->payload_size, size);
		if (r->payload_size) /* the window moved on: the record's own bytes are gone */
			r->body.pos = r->body.end;
	}
	if (done < r->payload_size) {
		warn_add(s->capture->warnings, SEV_WARN, "truncated",
			 "%s: offset %llu: the payload of %s is cut", source_path(s->source),
			 (unsigned long long)r->offset, record_type_name(r->type));
		warn_bytes(s->capture->warnings, "truncated", r->payload_size - done);
	}
}

static void begin_drain(struct stream *s, const struct raw *r)
{
	struct cursor c = r->body;
	uint64_t size = cursor_left(&c);

	if (r->type == RECORD_COMPRESSED2) {
		uint64_t said = cursor_u64(&c);

		size = said < cursor_left(&c) ? said : cursor_left(&c);
	}
	if (!s->inflate)
		s->inflate = inflate_new();
	if (!s->inflate)
		return;
	if (!s->inner.buf)
		s->inner.buf = xmalloc(WINDOW_SIZE);
	inflate_feed(s->inflate, c.pos, (size_t)size);
	s->carrier = r->offset;
	s->outer.step = 1;
	s->draining = true;
}

/* The next record out of the compressed one being drained: 1, or 0 when it is used up. */
static int drain_next(struct stream *s, struct raw *out)
{
	struct window *w = &s->inner;

	for (;;) {
		enum frame f = frame(s, w, out);
		int64_t n;

		if (f == FRAME_OK) {
			out->offset = s->carrier;
			return 1;
		}
		if (f == FRAME_BAD) {
			search_begin(s, w, s->carrier);
			continue;
		}
		window_compact(w);
		n = inflate_read(s->inflate, w->buf + w->end, WINDOW_SIZE - w->end);
		if (n <= 0) {
			s->draining = false;
			if (n < 0)
				warn_add(s->capture->warnings, SEV_WARN, "damaged-zstd",
					 "%s: offset %llu: the compressed data is damaged",
					 source_path(s->source), (unsigned long long)s->carrier);
			return 0;
		}
		w->end += (size_t)n;
	}
}

/* The end of the data: say what was left over. */
static void finish(struct stream *s)
{
	struct window *w = &s->outer;
	struct warnings *ws = s->capture->warnings;
	uint64_t rest = w->end - w->pos;

	if (w->searching)
		rest += w->skipped;
	if (w->searching && !w->cut) {
		w->skipped = rest;
		warn_add(ws, SEV_WARN, "garbage",
			 "%s: offset %llu: the last %llu bytes are not records",
			 source_path(s->source), (unsigned long long)w->search_offset,
			 (unsigned long long)w->skipped);
		warn_bytes(ws, "garbage", w->skipped);
	} else if (rest) {
		warn_add(ws, SEV_WARN, "truncated",
			 "%s: offset %llu: the last record is cut, %llu bytes of it are present",
			 source_path(s->source),
			 (unsigned long long)(w->end - w->pos + w->offset - rest),
			 (unsigned long long)rest);
		warn_bytes(ws, "truncated", rest);
	}
	w->searching = false;
	rest = s->inner.end - s->inner.pos + s->inner.skipped * s->inner.searching;
	if (rest) {
		warn_add(ws, SEV_WARN, "truncated",
			 "%s: the last compressed record is cut, %llu bytes of it are present",
			 source_path(s->source), (unsigned long long)rest);
		warn_bytes(ws, "truncated", rest);
	}
	w->pos = w->end;
	s->inner.pos = s->inner.end = 0;
	s->inner.searching = false;
}

/* Nothing more comes: what the inner window still searches or waits for is there, or is not. */
static bool drain_rest(struct stream *s, struct raw *out)
{
	struct window *w = &s->inner;
	enum frame f;

	w->eof = true;
	while ((f = frame(s, w, out)) == FRAME_BAD)
		search_begin(s, w, s->carrier);
	out->offset = s->carrier;
	return f == FRAME_OK;
}

int stream_next(struct stream *s, struct raw *out)
{
	struct window *w = &s->outer;

	if (s->map && w->offset - s->let_go >= 2 * MAPPED_STEP)
		let_go(s);
	for (;;) {
		enum frame f;

		if (s->draining && drain_next(s, out))
			return 1;
		f = frame(s, w, out);
		if (f == FRAME_OK)
			break;
		if (f == FRAME_BAD) {
			search_begin(s, w, w->offset);
			continue;
		}
		if (!w->eof) {
			int rc = outer_fill(s);

			if (rc < 0)
				return rc;
			continue;
		}
		if (drain_rest(s, out))
			return 1;
		finish(s);
		return 0;
	}
	if (out->type == RECORD_COMPRESSED || out->type == RECORD_COMPRESSED2)
		begin_drain(s, out);
	else
		take_payload(s, out);
	return 1;
}

bool stream_lasting(struct stream *s, struct raw *r)
{
	const uint8_t *at;

	if (!s->again || r->inflated)
		return false;
	if (!s->map)
		s->map = source_map(s->source);
	if (!s->map || r->offset + r->size > source_size(s->source)) /* it has become longer */
		return false;
	at = s->map + r->offset + RECORD_HEADER_SIZE;
	r->body = cursor_make(at, cursor_left(&r->body), r->body.swap);
	return true;
}

const uint8_t *stream_at_hand(const struct stream *s, size_t *len)
{
	const struct window *w = s->draining ? &s->inner : &s->outer;

	*len = w->end - w->pos;
	return w->searching ? NULL : w->buf + w->pos;
}

uint64_t stream_again(const struct stream *s)
{
	return s->again && !s->draining ? s->outer.offset : 0;
}

void stream_took(struct stream *s, size_t len)
{
	window_consume(s->draining ? &s->inner : &s->outer, len);
}
