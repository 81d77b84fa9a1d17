/*
 * mkperf: the forms a capture is written in: file, pipe, the first file version, and each of
 * the first two with its data compressed. Source: tools/perf/util/header.c, zstd.c.
 */
#include "mkperf.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
	FILE_HEADER_SIZE = 104, PIPE_HEADER_SIZE = 16, SECTION_SIZE = 16,
	V1_EVENT_NAME = 64, V1_LAST_FEATURE = 15, FEAT_COMPRESSED = 27,
	REC_ATTR = 64, REC_TRACING_DATA = 66, REC_BUILD_ID = 67, REC_FEATURE = 80,
	REC_COMPRESSED = 81, REC_COMPRESSED2 = 83,
	FEATURES_END = 32, /* perf 6.1's HEADER_LAST_FEATURE, the mark after the last one */
	ZSTD_LEVEL = 1, MMAP_LEN = 1 << 19,
};

/* One zstd stream over the whole capture; @step makes the blocks end at odd places. */
struct packer {
	struct mk *m;
	ZSTD_CCtx *zstd;
	struct buf pending;
	unsigned int step;
};

static void pack_block(struct packer *p, struct buf *out, const uint8_t *bytes, size_t n)
{
	bool second = p->m->opt.zstd == MK_ZSTD2;
	size_t start = record_begin(out, second ? REC_COMPRESSED2 : REC_COMPRESSED, 0);
	size_t bound = ZSTD_compressBound(n) + 64, left;
	ZSTD_inBuffer in = { bytes, n, 0 };
	ZSTD_outBuffer to = { xrealloc(NULL, bound), bound, 0 };

	do {
		left = ZSTD_compressStream2(p->zstd, &to, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			die(p->m, "zstd: %s", ZSTD_getErrorName(left));
	} while (left);
	if (second)
		put_u64(out, to.pos);
	put_bytes(out, to.dst, to.pos);
	if (second)
		put_zero(out, (8 - to.pos % 8) % 8);
	record_end(p->m, out, start);
	free(to.dst);
}

/* Block sizes that double from 97 bytes to 25 kB: no multiple of 8, so records are cut. */
static void pack_flush(struct packer *p, struct buf *out)
{
	size_t at = 0;

	while (at < p->pending.len) {
		size_t n = (size_t)97 << p->step;

		p->step = p->step == 8 ? 0 : p->step + 1;
		if (n > p->pending.len - at)
			n = p->pending.len - at;
		pack_block(p, out, p->pending.p + at, n);
		at += n;
	}
	p->pending.len = 0;
}

/* perf record compresses what the kernel wrote; its own records stay outside, in place. */
static void put_packed(struct mk *m, struct buf *out)
{
	struct packer p = { .m = m, .zstd = ZSTD_createCCtx() };

	ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	for (size_t i = 0; i < m->nr_items; i++) {
		const struct item *t = &m->items[i];

		if (!t->bare && t->type < MK_FIRST_USER_TYPE) {
			put_bytes(&p.pending, m->data.p + t->offset, t->len);
			continue;
		}
		pack_flush(&p, out);
		put_bytes(out, m->data.p + t->offset, t->len);
	}
	pack_flush(&p, out);
	ZSTD_freeCCtx(p.zstd);
	free(p.pending.p);
}

static bool is_barrier(const struct item *t)
{
	return t->bare || t->type >= MK_FIRST_USER_TYPE;
}

/* The items of one round as buffers of one CPU after the other, the last CPU first. */
static void shuffle_run(struct item *run, size_t n)
{
	struct item *old = xrealloc(NULL, n * sizeof(*old));
	uint32_t max = 0;
	size_t k = 0;

	memcpy(old, run, n * sizeof(*old));
	for (size_t i = 0; i < n; i++)
		max = old[i].cpu > max ? old[i].cpu : max;
	for (uint32_t cpu = max + 1; cpu-- > 0;)
		for (size_t i = 0; i < n; i++)
			if (old[i].cpu == cpu)
				run[k++] = old[i];
	free(old);
}

static void shuffle(struct mk *m)
{
	size_t i = 0, end;

	for (; i < m->nr_items; i = end + 1) {
		for (end = i; end < m->nr_items && !is_barrier(&m->items[end]);)
			end++;
		if (end > i)
			shuffle_run(m->items + i, end - i);
	}
}

static void put_data(struct mk *m, struct buf *out)
{
	if (m->opt.shuffle)
		shuffle(m);
	if (m->opt.zstd != MK_PLAIN) {
		put_packed(m, out);
		return;
	}
	for (size_t i = 0; i < m->nr_items; i++)
		put_bytes(out, m->data.p + m->items[i].offset, m->items[i].len);
}

/* u32 version, u32 type (1 is zstd), u32 level, u32 ratio, u32 mmap_len. */
static void add_compressed_feature(struct mk *m)
{
	struct buf *b = &m->features[FEAT_COMPRESSED];

	if (m->opt.zstd == MK_PLAIN || m->omit_feature[FEAT_COMPRESSED])
		return;
	m->has_feature[FEAT_COMPRESSED] = true;
	*b = (struct buf){ .big = m->opt.big };
	put_u32(b, 1);
	put_u32(b, 1);
	put_u32(b, ZSTD_LEVEL);
	put_u32(b, 3);
	put_u32(b, MMAP_LEN);
}

/* An unsigned long[]: on a 32-bit big-endian recorder the words are of 32 bits. */
static void put_feature_bits(struct mk *m, struct buf *out)
{
	int word = (int)m->opt.word;

	for (int base = 0; base < MK_FEATURES_MAX; base += word) {
		uint64_t v = 0;

		for (int i = 0; i < word; i++)
			v |= (uint64_t)m->has_feature[base + i] << i;
		put_uint(out, v, word / 8);
	}
}

static void put_feature_sections(struct mk *m, struct buf *out)
{
	size_t at = out->len;

	for (int i = 0; i < MK_FEATURES_MAX; i++)
		if (m->has_feature[i])
			at += SECTION_SIZE;
	for (int i = 0; i < MK_FEATURES_MAX; i++) {
		if (!m->has_feature[i])
			continue;
		put_u64(out, at);
		put_u64(out, m->features[i].len);
		at += m->features[i].len;
	}
	for (int i = 0; i < MK_FEATURES_MAX; i++)
		if (m->has_feature[i])
			put_bytes(out, m->features[i].p, m->features[i].len);
}

static void put_attr_entries(struct mk *m, struct buf *out)
{
	size_t ids_at = FILE_HEADER_SIZE;

	for (int i = 0; i < m->nr_events; i++) {
		const struct event *e = &m->events[i];

		put_attr(m, out, e);
		put_u64(out, ids_at);
		put_u64(out, (uint64_t)e->nr_ids * 8);
		ids_at += (size_t)e->nr_ids * 8;
	}
}

/* Version 1's third section: u64 config, char name[64] of each event. */
static void put_event_types(struct mk *m, struct buf *out)
{
	for (int i = 0; i < m->nr_events; i++) {
		put_u64(out, m->events[i].attr[ATTR_CONFIG]);
		put_fixed(out, m->events[i].name, V1_EVENT_NAME);
	}
}

/*
 * 0 magic, 8 header size, 16 attr entry size, then offset and size of attrs (24), data (40),
 * event types (56), and the feature bits (72). Version 1's magic is text, whatever the byte
 * order; version 2's is a u64 that tells it.
 */
static void write_file(struct mk *m, struct buf *out)
{
	static const uint64_t magic2 = UINT64_C(0x32454c4946524550);
	size_t attrs_at, types_at, data_at;

	put_zero(out, FILE_HEADER_SIZE);
	for (int i = 0; i < m->nr_events; i++)
		for (int j = 0; j < m->events[i].nr_ids; j++)
			put_u64(out, m->events[i].ids[j]);
	attrs_at = out->len;
	put_attr_entries(m, out);
	types_at = out->len;
	if (m->opt.mode == MK_V1)
		put_event_types(m, out);
	data_at = out->len;
	put_data(m, out);
	memcpy(out->p, "PERFFILE", 8);
	if (m->opt.mode == MK_FILE)
		set_u64(out, 0, magic2);
	set_u64(out, 8, FILE_HEADER_SIZE);
	set_u64(out, 16, m->opt.attr_size + SECTION_SIZE);
	set_u64(out, 24, attrs_at);
	set_u64(out, 32, types_at - attrs_at);
	set_u64(out, 40, data_at);
	set_u64(out, 48, m->killed ? 0 : out->len - data_at);
	set_u64(out, 56, data_at > types_at ? types_at : 0);
	set_u64(out, 64, data_at - types_at);
	if (!m->killed)
		put_feature_sections(m, out);
}

static void write_feature_bits(struct mk *m, struct buf *out)
{
	struct buf bits = { .big = m->opt.big };

	put_feature_bits(m, &bits);
	memcpy(out->p + 72, bits.p, bits.len);
	free(bits.p);
}

static void put_feature_records(struct mk *m, struct buf *out)
{
	size_t start;

	for (int i = 0; i < MK_FEATURES_MAX; i++) {
		const struct buf *f = &m->features[i];

		if (!m->has_feature[i])
			continue;
		start = record_begin(out, REC_FEATURE, 0);
		put_u64(out, (uint64_t)i);
		put_bytes(out, f->p, f->len);
		if (m->opt.align)
			put_zero(out, (8 - f->len % 8) % 8);
		record_end(m, out, start);
	}
	start = record_begin(out, REC_FEATURE, 0);
	put_u64(out, FEATURES_END);
	record_end(m, out, start);
}

/* The payload follows the 12-byte record, which tells its padded size. */
static void put_tracing_record(struct mk *m, struct buf *out)
{
	struct buf text = { .big = m->opt.big };
	size_t start;

	put_tracing_data(m, &text);
	put_align(&text, 8);
	start = record_begin(out, REC_TRACING_DATA, 0);
	put_u32(out, (uint32_t)text.len);
	record_end(m, out, start);
	put_bytes(out, text.p, text.len);
	free(text.p);
}

/* In the data a build-id's record has its type; in the section perf leaves that zero. */
static void put_build_id_records(struct mk *m, struct buf *out)
{
	for (size_t at = 0; at < m->build_ids.len;) {
		const uint8_t *p = m->build_ids.p + at;
		size_t size = m->opt.big ? (size_t)(p[6] << 8 | p[7]) : (size_t)(p[7] << 8 | p[6]);

		put_u32(out, REC_BUILD_ID);
		put_bytes(out, p + 4, size - 4);
		at += size;
	}
}

static void write_pipe(struct mk *m, struct buf *out)
{
	put_u64(out, UINT64_C(0x32454c4946524550));
	put_u64(out, PIPE_HEADER_SIZE);
	for (int i = 0; i < m->nr_events; i++) {
		size_t start = record_begin(out, REC_ATTR, 0);

		put_attr(m, out, &m->events[i]);
		for (int j = 0; j < m->events[i].nr_ids; j++)
			put_u64(out, m->events[i].ids[j]);
		record_end(m, out, start);
	}
	put_feature_records(m, out);
	if (m->nr_tracepoints)
		put_tracing_record(m, out);
	put_build_id_records(m, out);
	put_data(m, out);
}

static void damage(struct mk *m, struct buf *out)
{
	put_bytes(out, m->trailing.p, m->trailing.len);
	if (m->cut_bytes > out->len)
		die(m, "cut: the capture has %zu bytes", out->len);
	out->len -= m->cut_bytes;
	for (int i = 0; i < m->nr_patches; i++) {
		const struct patch *p = &m->patches[i];

		if (p->offset > out->len || p->bytes.len > out->len - p->offset)
			die(m, "patch: beyond the capture's %zu bytes", out->len);
		memcpy(out->p + p->offset, p->bytes.p, p->bytes.len);
	}
}

void write_capture(struct mk *m, struct buf *out)
{
	out->big = m->opt.big;
	features_finish(m);
	add_compressed_feature(m);
	for (int i = V1_LAST_FEATURE + 1; m->opt.mode == MK_V1 && i < MK_FEATURES_MAX; i++)
		m->has_feature[i] = false;
	if (m->opt.mode == MK_PIPE) {
		write_pipe(m, out);
	} else {
		write_file(m, out);
		write_feature_bits(m, out);
	}
	damage(m, out);
}
