/* Pump records out of the streams into time order. Samples are decoded and their chains interned at
 * once, while their bytes are at hand; records that change state are copied and wait with them. */
#include "parser/feed/reader.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"
#include "parser/base/hash.h"
#include "parser/record/record.h"
#include "parser/session.h"
#include "parser/unwind/unwinding.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STAT_MAX	(1u << 20)  /* counters: a damaged file invents them without end */
#define AHEAD_BYTES_MAX (16u << 20) /* no more than stays in memory of a mapped file */
#define PLAIN_BATCH	16	    /* samples whose look-ups overlap */

struct type_count {
	uint32_t type;
	uint64_t count;
};

static const struct event_stats no_samples;

static void add_reader(struct readers *r, struct source *source)
{
	struct reader *e;

	r->list = xrealloc(r->list, (r->count + 1) * sizeof(*r->list));
	e = &r->list[r->count++];
	memset(e, 0, sizeof(*e));
	e->source = source;
	e->order.max = r->count > 1 ? ORDER_MAX_SORTED : ORDER_MAX;
	e->order.max_bytes = r->needs & NEED_RAW ? ORDER_MAX_BYTES_RAW : ORDER_MAX_BYTES;
	e->stream = stream_new(&r->capture, source);
}

/* SOURCE: PATH's bytes, or NULL. */
static int open_capture(struct readers *r, const char *path, struct source *source,
			struct warnings *w)
{
	struct capture *f = &r->capture;
	int rc = 0;

	f->source = source;
	if (!source)
		rc = source_open(&f->source, path, w);
	if (rc == 0)
		rc = header_read(&f->header, f->source, w);
	if (rc == 0 && !f->header.pipe)
		rc = attrs_read(&f->events, &f->header, f->source, w);
	if (rc < 0)
		return rc;
	if (!f->header.pipe)
		features_read(f);
	add_reader(r, f->source);
	return 0;
}

/* perf record --threads: "data" is a capture, "data.0", "data.1" ... have records only. */
static int open_directory(struct readers *r, const char *path, struct warnings *w)
{
	char name[4096];
	int rc;

	snprintf(name, sizeof(name), "%s/data", path);
	rc = open_capture(r, name, NULL, w);
	if (rc < 0)
		return rc;
	for (int i = 0;; i++) {
		struct source *s;
		struct stat st;

		snprintf(name, sizeof(name), "%s/data.%d", path, i);
		if (stat(name, &st) < 0)
			return 0;
		rc = source_open(&s, name, w);
		if (rc < 0)
			return rc;
		add_reader(r, s);
	}
}

int readers_open(struct readers *r, const char *path, struct source *source, unsigned needs,
		 struct warnings *w)
{
	struct stat st;

	memset(r, 0, sizeof(*r));
	capture_meta_init(&r->capture.meta);
	chains_init(&r->chains);
	r->needs = needs;
	r->want_chains = needs & NEED_STACKS;
	r->want_ips = needs & NEED_IP && !r->want_chains;
	r->capture.warnings = w;
	r->counts = xcalloc(RECORD_USER_MAX, sizeof(*r->counts));
	if (!source && strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return open_directory(r, path, w);
	return open_capture(r, path, source, w);
}

void readers_close(struct readers *r)
{
	for (size_t i = 0; i < r->count; i++) {
		stream_free(r->list[i].stream);
		order_release(&r->list[i].order);
		if (r->list[i].source != r->capture.source)
			source_close(r->list[i].source);
	}
	free(r->list);
	chunks_release(&r->payloads);
	source_close(r->capture.source);
	event_list_release(&r->capture.events);
	capture_meta_release(&r->capture.meta);
	chains_release(&r->chains);
	free(r->event_stats);
	free(r->counts);
	free(r->others);
	idmap_release(&r->stat_ids);
	free(r->stat_values);
	idmap_release(&r->read_ids);
	free(r->read_values);
}

static void count_record(struct readers *r, uint32_t type)
{
	if (type < RECORD_USER_MAX) {
		r->counts[type]++;
		return;
	}
	for (size_t i = 0; i < r->other_count; i++) {
		if (r->others[i].type == type) {
			r->others[i].count++;
			return;
		}
	}
	if (r->other_count >= 4096) /* a damaged file invents types without end */
		return;
	r->others = xgrow(r->others, &r->other_cap, r->other_count + 1, sizeof(*r->others));
	r->others[r->other_count++] = (struct type_count){ type, 1 };
}

static struct event_stats *stats_of(struct readers *r, const struct event_desc *d)
{
	size_t want = d->index + 1, old = r->event_stats_cap;

	if (want > old) {
		r->event_stats =
			xgrow(r->event_stats, &r->event_stats_cap, want, sizeof(*r->event_stats));
		memset(r->event_stats + old, 0,
		       (r->event_stats_cap - old) * sizeof(*r->event_stats));
	}
	return &r->event_stats[d->index];
}

static inline void count_time(struct session_stats *stats, uint64_t time_ns)
{
	if (time_ns < stats->first_ns || !stats->first_ns)
		stats->first_ns = time_ns;
	if (time_ns > stats->last_ns)
		stats->last_ns = time_ns;
}

static void count_sample(struct readers *r, const struct sample *s, struct session_stats *stats)
{
	struct event_stats *e = stats_of(r, s->desc);

	e->samples++;
	e->weight += s->period;
	stats->samples++;
	stats->modes[mode_of_misc(s->misc)]++;
	if (s->has_time)
		count_time(stats, s->time_ns);
	if (s->desc->attr.sample_type & SAMPLE_CALLCHAIN)
		s->chain_nr ? stats->chains_recorded++ : stats->chains_empty++;
	stats->user_stacks += s->stack_size > 0;
	stats->lbr += s->branch_nr && s->desc->attr.branch_sample_type & BRANCH_CALL_STACK;
}

static struct pending *queue_sample(struct reader *to, const struct sample *s,
				    const struct event_desc *d, uint64_t weight, uint32_t chain)
{
	struct pending *p;

	order_reserve(&to->order, 1);
	p = order_put(&to->order, s->time_ns);
	p->weight = weight;
	p->pid = s->pid;
	p->tid = s->tid;
	p->cpu = s->cpu;
	p->desc = d->index;
	p->mode = (uint8_t)mode_of_misc(s->misc);
	p->flags = (uint8_t)((s->has_cpu ? PENDING_HAS_CPU : 0) |
			     (s->has_time ? PENDING_HAS_TIME : 0) |
			     (s->misc & MISC_EXACT_IP ? PENDING_EXACT : 0) |
			     (s->desc->attr.sample_type & SAMPLE_IP ? PENDING_IP : 0));
	p->chain = chain;
	return p;
}

/* memcpy() for payloads, which are short and of a few sizes: a call costs more than the bytes. */
static inline void copy_short(uint8_t *to, const uint8_t *from, size_t len)
{
	if (len < 16) {
		memcpy(to, from, len);
		return;
	}
	for (size_t i = 0; i < len - 16; i += 16)
		memcpy(to + i, from + i, 16);
	memcpy(to + len - 16, from + len - 16, 16);
}

/* Keep the payload of a tracepoint's sample that waits. */
static void queue_payload(struct readers *r, struct reader *to, struct pending *p,
			  const uint8_t *raw, uint32_t size)
{
	if (size > UINT16_MAX) /* longer than a record can be */
		return;
	p->payload = chunks_take(&r->payloads, size);
	p->payload_size = (uint16_t)size;
	p->flags |= PENDING_PAYLOAD;
	copy_short(p->payload, raw, size);
	to->order.held_bytes += size;
}

/* Keep what is needed of a sample when its time has come: its payload if RAW, and its user stack if
 * there is one to unwind. */
static void hold_sample(struct readers *r, struct reader *to, struct pending *p,
			const struct sample *s, bool raw)
{
	uint32_t size = raw && s->raw_size <= UINT16_MAX ? s->raw_size : 0;
	bool lasts = stream_lasts(to->stream);
	size_t user = r->want_chains ? user_stack_bytes(s, lasts) : 0;

	if (!user || size + user > CHUNK_PIECE_MAX) {
		if (raw)
			queue_payload(r, to, p, s->raw, s->raw_size);
		return;
	}
	p->payload = chunks_take(&r->payloads, size + user);
	p->payload_size = (uint16_t)size;
	p->flags |= PENDING_USER;
	if (raw && size == s->raw_size)
		p->flags |= PENDING_PAYLOAD;
	if (size)
		memcpy(p->payload, s->raw, size);
	user_stack_write(s, lasts, p->payload + size);
	to->order.held_bytes += size + user;
	r->ahead_bytes += size + user + (lasts ? s->stack_size : 0);
	to->order.max_bytes = ORDER_MAX_BYTES_RAW;
}

/* What counter ID grew by since it was read last. */
static uint64_t read_delta(struct readers *r, uint64_t id, uint64_t value)
{
	uint32_t *slot = idmap_put(&r->read_ids, id);
	uint64_t delta;

	if (*slot == IDMAP_NONE) {
		r->read_values = xgrow(r->read_values, &r->read_cap, r->read_count + 1,
				       sizeof(*r->read_values));
		r->read_values[r->read_count] = 0;
		*slot = (uint32_t)r->read_count++;
	}
	/* a counter that went back was read too late: nothing new */
	delta = value > r->read_values[*slot] ? value - r->read_values[*slot] : 0;
	r->read_values[*slot] = value;
	return delta;
}

/* A sample with counter values stands for one sample of each counter that moved, weighted by how
 * far (tools/perf/util/session.c: deliver_sample_group). */
static void queue_read(struct readers *r, struct reader *to, const struct sample *s, uint32_t chain)
{
	uint64_t format = s->desc->attr.read_format;
	bool group = format & FORMAT_GROUP;
	unsigned times = 8 * (!!(format & FORMAT_TIME_ENABLED) + !!(format & FORMAT_TIME_RUNNING));
	struct cursor c = cursor_make(s->read, s->read_size, s->swap);
	uint64_t nr = group ? cursor_u64(&c) : 1;

	if (group)
		cursor_skip(&c, times);
	while (nr-- && !c.bad) {
		uint64_t value = cursor_u64(&c), id, delta;
		const struct event_desc *d;

		if (!group)
			cursor_skip(&c, times);
		id = cursor_u64(&c);
		if (format & FORMAT_LOST)
			cursor_skip(&c, 8);
		d = event_list_by_id(&r->capture.events, id);
		/* inherited counters are each thread's own, under one id */
		if (s->desc->attr.flags & ATTR_INHERIT)
			id ^= (uint64_t)s->tid << 40;
		delta = d && !c.bad ? read_delta(r, id, value) : 0;
		if (delta)
			hold_sample(r, to, queue_sample(to, s, d, delta, chain), s, false);
	}
}

static void take_sample(struct readers *r, struct reader *from, const struct raw *raw,
			struct session_stats *stats)
{
	struct sample s;
	struct pending *p;
	uint32_t chain;

	if (sample_decode(&s, raw, &r->capture.events) < 0) {
		stats->bad_samples++;
		warn_add(r->capture.warnings, SEV_WARN, "bad-sample", "%s: offset %llu: %s",
			 source_path(from->source), (unsigned long long)raw->offset,
			 s.desc ? "sample: a length in it does not fit"
				: "sample of an unknown event");
		return;
	}
	count_sample(r, &s, stats);
	chain = r->want_chains ? chains_add_sample(&r->chains, &s)
		: r->want_ips  ? chains_add_ip(&r->chains, s.ip, mode_of_misc(s.misc))
			       : 0;
	if (s.read && s.desc->attr.read_format & FORMAT_ID) {
		queue_read(r, from, &s, chain);
		return;
	}
	p = queue_sample(from, &s, s.desc, s.period, chain);
	hold_sample(r, from, p, &s,
		    r->needs & NEED_RAW && s.raw && s.desc->attr.type == EVENT_TYPE_TRACEPOINT);
}

/* ---- plain samples: the same, in a few loads each ---- */

struct plain {
	const uint8_t *record;
	const struct event_desc *desc;
	struct chain_ref ref;
};

/* Frame up to PLAIN_BATCH plain samples at DATA and hash their chains; *USED is their size. Stops
 * before whatever is no plain sample with a chain. */
static unsigned plain_frame(struct readers *r, const uint8_t *data, size_t len, struct plain *batch,
			    size_t *used)
{
	const struct plain_layout *l = &r->plain;
	const struct event_desc *desc = r->capture.events.descs[0];
	size_t at = 0;
	unsigned n = 0;

	while (n < PLAIN_BATCH && len - at >= l->min_size + 8u) {
		const uint8_t *p = data + at;
		uint64_t head = plain_u64(p);
		uint64_t size = head >> 48, nr;

		if ((uint32_t)head != RECORD_SAMPLE || size > len - at || size < l->min_size + 8u)
			break;
		nr = plain_u64(p + l->chain);
		if (nr - 1 > (size - l->min_size) / 8 - 1)
			break;
		if (l->by_id &&
		    !(desc = event_list_by_id(&r->capture.events, plain_u64(p + l->id))))
			break;
		batch[n].record = p;
		batch[n].desc = desc;
		if (r->want_chains) {
			struct chain_ip own = { plain_u64(p + l->ip), mode_of_misc(p[4]), l->ip };

			batch[n].ref =
				chain_ref_of(CHAIN_RECORDED, p + l->chain + 8, (uint16_t)nr, &own);
			chains_begin(&r->chains, &batch[n].ref);
		}
		n++;
		at += size;
	}
	*used = at;
	return n;
}

static uint32_t plain_ip(struct readers *r, const struct plain_layout *l, const uint8_t *record)
{
	return l->ip ? chains_add_ip(&r->chains, plain_u64(record + l->ip), mode_of_misc(record[4]))
		     : 0;
}

static inline void plain_take(struct readers *r, struct reader *from, struct plain *s,
			      struct session_stats *stats)
{
	const struct plain_layout *l = &r->plain;
	uint64_t time_ns = plain_u64(s->record + l->time);
	uint64_t weight = plain_u64(s->record + l->period);
	struct event_stats *e = &r->event_stats[s->desc->index];
	struct pending *p = order_put(&from->order, time_ns);

	p->weight = weight;
	p->pid = plain_u32(s->record + l->tid);
	p->tid = plain_u32(s->record + l->tid + 4);
	p->cpu = l->cpu ? plain_u32(s->record + l->cpu) : 0;
	p->desc = s->desc->index;
	p->mode = (uint8_t)mode_of_misc(s->record[4]);
	p->flags = (uint8_t)(PENDING_HAS_TIME | (l->cpu ? PENDING_HAS_CPU : 0) |
			     (l->ip ? PENDING_IP : 0));
	p->chain = r->want_chains ? chains_add(&r->chains, &s->ref)
		   : r->want_ips  ? plain_ip(r, l, s->record)
				  : 0;
	e->samples++;
	e->weight += weight;
	stats->modes[p->mode]++;
	count_time(stats, time_ns);
}

static const struct event_desc *new_recent(struct readers *r, struct recent_id *recent, uint64_t id)
{
	const struct event_desc *d = event_list_by_id(&r->capture.events, id);

	if (!d || d->attr.sample_type != r->plain_raw.type)
		return NULL;
	*recent = (struct recent_id){ id, d };
	return d;
}

/* The event of a plain sample: each CPU's counter has an id, and those of an event or two go on and
 * on. */
static inline const struct event_desc *event_of(struct readers *r, uint64_t id)
{
	struct recent_id *recent = &r->recent[id % RECENT_IDS];

	return recent->id == id && recent->desc ? recent->desc : new_recent(r, recent, id);
}

/* Take the sample of a tracepoint at P, at most LEFT bytes, if it is a plain one; returns its size,
 * or 0. */
static size_t plain_raw_take(struct readers *r, struct reader *from, const uint8_t *p, size_t left,
			     struct session_stats *stats)
{
	const struct plain_layout *l = &r->plain_raw;
	const struct event_desc *desc = r->capture.events.descs[0];
	uint64_t head = plain_u64(p), size = head >> 48;
	struct event_stats *e;
	struct pending *o;
	uint32_t raw_size;

	if ((uint32_t)head != RECORD_SAMPLE || size > left || size < l->min_size)
		return 0;
	if (l->by_id)
		desc = event_of(r, plain_u64(p + l->id));
	raw_size = plain_u32(p + l->raw);
	if (!desc || raw_size > size - l->min_size)
		return 0;
	o = order_put(&from->order, plain_u64(p + l->time));
	count_time(stats, plain_u64(p + l->time));
	o->weight = plain_u64(p + l->period);
	o->pid = plain_u32(p + l->tid);
	o->tid = plain_u32(p + l->tid + 4);
	o->cpu = l->cpu ? plain_u32(p + l->cpu) : 0;
	o->desc = desc->index;
	o->mode = (uint8_t)mode_of_misc(p[4]);
	o->flags = (uint8_t)(PENDING_HAS_TIME | (l->cpu ? PENDING_HAS_CPU : 0) |
			     (l->ip ? PENDING_IP : 0));
	o->chain = r->want_ips ? plain_ip(r, l, p) : 0;
	e = &r->event_stats[desc->index];
	e->samples++;
	e->weight += o->weight;
	stats->modes[o->mode]++;
	if (r->needs & NEED_RAW && desc->attr.type == EVENT_TYPE_TRACEPOINT)
		queue_payload(r, from, o, p + l->min_size, raw_size);
	return (size_t)size;
}

/* Take the plain samples of tracepoints at hand. */
static void take_plain_raw(struct readers *r, struct reader *from, struct session_stats *stats)
{
	const uint8_t *data;
	size_t len, at, used;
	uint64_t n;

	while ((data = stream_at_hand(from->stream, &len))) {
		order_reserve(&from->order, PLAIN_BATCH);
		for (at = n = 0; n < PLAIN_BATCH && len - at >= 8; n++, at += used) {
			used = len - at >= r->plain_raw.min_size
				       ? plain_raw_take(r, from, data + at, len - at, stats)
				       : 0;
			if (!used)
				break;
		}
		stream_took(from->stream, at);
		r->counts[RECORD_SAMPLE] += n;
		stats->samples += n;
		if (n < PLAIN_BATCH || order_peek(&from->order))
			return;
	}
}

/* Take the plain samples at hand. The tables that their chains are looked up in are larger than any
 * cache, so the misses of several look-ups had better overlap: hash a batch, then look it up. */
static void take_plain(struct readers *r, struct reader *from, struct session_stats *stats)
{
	struct plain batch[PLAIN_BATCH];
	struct event_list *events = &r->capture.events;
	const uint8_t *data;
	size_t len, used;
	unsigned n;

	data = stream_at_hand(from->stream, &len);
	if (!data || len < 8 || plain_u32(data) != RECORD_SAMPLE)
		return;
	if (r->plain_events != events->count) {
		r->plain = plain_layout_of(events, r->capture.header.swap);
		r->plain_raw = plain_raw_layout_of(events, r->capture.header.swap);
		r->plain_events = events->count;
		memset(r->recent, 0, sizeof(r->recent));
		if (events->count)
			(void)stats_of(r, events->descs[events->count - 1]);
	}
	if (r->plain_raw.usable && !r->want_chains)
		take_plain_raw(r, from, stats);
	while (r->plain.usable && (data = stream_at_hand(from->stream, &len))) {
		n = plain_frame(r, data, len, batch, &used);
		order_reserve(&from->order, PLAIN_BATCH);
		for (unsigned i = 0; i < n; i++)
			plain_take(r, from, &batch[i], stats);
		stream_took(from->stream, used);
		r->counts[RECORD_SAMPLE] += n;
		stats->samples += n;
		stats->chains_recorded += n;
		if (n < PLAIN_BATCH || order_peek(&from->order))
			return;
	}
}

static void hold(struct readers *r, struct reader *from, const struct raw *raw)
{
	size_t len = cursor_left(&raw->body);
	struct held_record *h = xmalloc(sizeof(*h) + len);
	struct record_id id;
	struct pending *p;

	*h = (struct held_record){ .type = raw->type,
				   .size = (uint32_t)len,
				   .misc = raw->misc,
				   .swap = raw->body.swap,
				   .offset = raw->offset };
	memcpy(h->body, raw->body.pos, len);
	record_id_decode(&id, raw, &r->capture.events);
	order_reserve(&from->order, 1);
	p = order_put(&from->order, id.time_ns);
	p->record = h;
	p->flags = PENDING_RECORD;
	from->order.held_bytes += len;
}

struct raw held_record_raw(const struct held_record *h)
{
	return (struct raw){ .type = h->type,
			     .misc = h->misc,
			     .size = h->size + RECORD_HEADER_SIZE,
			     .offset = h->offset,
			     .body = cursor_make(h->body, h->size, h->swap) };
}

/* Records that are only counted. */
static void count_other(struct readers *r, const struct raw *raw, struct session_stats *stats)
{
	struct record rec;
	int rc;

	if (raw->type == RECORD_THROTTLE)
		stats->throttles++;
	if (raw->type == RECORD_AUXTRACE) {
		stats->aux_records++;
		stats->aux_bytes += raw->payload_size;
	}
	rc = record_decode(&rec, raw, &r->capture.events);
	if (rc == ERR_FORMAT)
		warn_add(r->capture.warnings, SEV_WARN, "bad-record",
			 "%s: offset %llu: %s record of %u bytes is too short",
			 source_path(r->capture.source), (unsigned long long)raw->offset,
			 record_type_name(raw->type), raw->size);
	if (rc < 0)
		return;
	if (raw->type == RECORD_LOST)
		stats->lost_records += rec.lost.lost;
	else if (raw->type == RECORD_LOST_SAMPLES)
		stats->lost_samples += rec.lost.lost;
	else if (raw->type == RECORD_AUX && rec.aux.flags & 1)
		stats->aux_truncated++;
}

/* What S would have counted had it run all the time that it was enabled. */
static uint64_t stat_scaled(const struct record_stat *s)
{
	unsigned __int128 v = s->value;

	if (!s->running_ns)
		return 0;
	v = v * s->enabled_ns / s->running_ns;
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

/* With perf stat -I a counter is read again and again, each time with all that it counted so far.
 */
static void take_stat(struct readers *r, const struct raw *raw)
{
	struct record_stat s;
	struct event_desc *d;
	struct event_stats *e;
	uint64_t key[2], scaled;
	uint32_t *slot;

	if (record_stat_decode(&s, raw) < 0 || !(d = event_list_by_id(&r->capture.events, s.id)))
		return;
	key[0] = s.id;
	key[1] = (uint64_t)s.cpu << 32 | s.thread;
	e = stats_of(r, d);
	slot = r->stat_count < STAT_MAX ? idmap_put(&r->stat_ids, hash_words(key, 2)) : NULL;
	if (!slot)
		return;
	if (*slot == IDMAP_NONE) {
		r->stat_values = xgrow(r->stat_values, &r->stat_cap, r->stat_count + 1,
				       sizeof(*r->stat_values));
		r->stat_values[r->stat_count] = 0;
		*slot = (uint32_t)r->stat_count++;
		e->counters++;
	}
	scaled = stat_scaled(&s);
	e->counted += scaled - r->stat_values[*slot];
	r->stat_values[*slot] = scaled;
}

/* HEADER_FEATURE: u64 id, then the section. */
static void take_feature(struct capture *f, const struct raw *raw)
{
	struct cursor c = raw->body;
	uint64_t id = cursor_u64(&c);

	if (!c.bad)
		feature_decode(f, id < FEAT_BITS ? (unsigned)id : FEAT_BITS, c);
}

static void take_record(struct readers *r, struct reader *from, const struct raw *raw,
			struct session_stats *stats)
{
	count_record(r, raw->type);
	switch (raw->type) {
	case RECORD_SAMPLE:
		take_sample(r, from, raw, stats);
		break;
	case RECORD_MMAP:
	case RECORD_MMAP2:
	case RECORD_KSYMBOL: /* who asks for payloads and no stacks looks up no address */
		if (r->needs & NEED_STACKS || !(r->needs & NEED_RAW))
			hold(r, from, raw);
		break;
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_EXIT:
		if (r->needs & (NEED_STACKS | NEED_COMMS | NEED_TASKS) || !(r->needs & NEED_RAW))
			hold(r, from, raw);
		break;
	case RECORD_CALLCHAIN_DEFERRED:
		if (r->want_chains)
			hold(r, from, raw);
		break;
	case RECORD_FINISHED_ROUND:
		order_round(&from->order);
		break;
	case RECORD_HEADER_ATTR:
		if (record_attr(&r->capture, raw) < 0)
			warn_add(r->capture.warnings, SEV_WARN, "attr",
				 "%s: offset %llu: event description of %u bytes is too short",
				 source_path(from->source), (unsigned long long)raw->offset,
				 raw->size);
		break;
	case RECORD_EVENT_UPDATE:
		record_event_update(&r->capture.events, raw);
		break;
	case RECORD_HEADER_FEATURE:
		take_feature(&r->capture, raw);
		break;
	case RECORD_HEADER_BUILD_ID:
		build_id_decode(&r->capture.meta, raw->misc, raw->body);
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		if (r->needs & NEED_SWITCH)
			hold(r, from, raw);
		break;
	case RECORD_LOST:
		if (r->needs & (NEED_LOST | NEED_GAPS))
			hold(r, from, raw);
		count_other(r, raw, stats);
		break;
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		if (r->needs & NEED_GAPS)
			hold(r, from, raw);
		count_other(r, raw, stats);
		break;
	case RECORD_TIME_CONV:
		time_conv_decode(&r->capture.meta, raw->body);
		break;
	case RECORD_STAT:
		take_stat(r, raw);
		break;
	default:
		count_other(r, raw, stats);
	}
}

/* May enough of it be handed out? */
static bool has_enough(const struct readers *r, const struct reader *from)
{
	size_t ready = from->order.ready_end - from->order.next;

	return ready && (ready >= r->ahead || !r->ahead_bytes || r->ahead_bytes > AHEAD_BYTES_MAX);
}

/* Read on in one stream until something of it may be handed out, or it ends. */
static int pump(struct readers *r, struct reader *from, struct session_stats *stats)
{
	struct raw raw;
	int rc;

	if (!order_peek(&from->order))
		r->ahead_bytes = 0;
	while (!from->ended && !has_enough(r, from)) {
		rc = stream_next(from->stream, &raw);
		if (rc < 0)
			return rc;
		if (rc == 0) {
			from->ended = true;
			order_end(&from->order);
			stats->late += from->order.late;
			break;
		}
		take_record(r, from, &raw, stats);
		take_plain(r, from, stats);
	}
	return 0;
}

/* Choose the stream that has the next entry, reading on where one has none at hand. 1, 0 at the
 * end. */
int readers_fill(struct readers *r, struct session_stats *stats)
{
	struct reader *best = NULL;

	for (size_t i = 0; i < r->count; i++) {
		struct reader *e = &r->list[i];
		int rc = pump(r, e, stats);

		if (rc < 0)
			return rc;
		if (order_peek(&e->order) &&
		    (!best || order_peek(&e->order)->time_ns < order_peek(&best->order)->time_ns))
			best = e;
	}
	r->current = best;
	return best != NULL;
}

const struct event_stats *readers_event_stats(const struct readers *r, uint32_t desc)
{
	return desc < r->event_stats_cap ? &r->event_stats[desc] : &no_samples;
}

bool readers_record_count(const struct readers *r, size_t i, uint32_t *type, uint64_t *count)
{
	for (uint32_t t = 0; t < RECORD_USER_MAX; t++) {
		if (!r->counts[t] || i--)
			continue;
		*type = t;
		*count = r->counts[t];
		return true;
	}
	if (i >= r->other_count)
		return false;
	*type = r->others[i].type;
	*count = r->others[i].count;
	return true;
}

void readers_progress(const struct readers *r, uint64_t *done, uint64_t *total)
{
	*done = *total = 0;
	for (size_t i = 0; i < r->count; i++) {
		uint64_t size = source_size(r->list[i].source);

		*done += stream_position(r->list[i].stream);
		*total += size == UINT64_MAX ? 0 : size;
	}
}
