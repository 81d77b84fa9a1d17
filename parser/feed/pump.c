/* Pump records out of the streams into time order: samples as ingest.h has them, at once, while
 * their bytes are at hand; records that change state as copies. */
#include "parser/feed/reader.h"
#include "parser/pdtool_record.h"
#include "parser/file/source.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/record/record.h"

#include <stdlib.h>

/* In a share so many records that make the machine are no reason to give up, nor are so many since
 * the first sample, nor is one for so many bytes: of the file, or of what was read since then,
 * which counts as that part of the file at least. */
#define STATE_RECORDS 8192
#define STATE_SINCE   2048
#define STATE_BYTES   4096
#define STATE_PART    8
/* a trace is decoded by the code that is mapped */
#define WANT_MAPS    (PDT_WANT_STACKS | PDT_WANT_PROGRAM | PDT_WANT_FLOW)
#define WANT_THREADS (WANT_MAPS | PDT_WANT_COMMS | PDT_WANT_TASKS)

#define AHEAD_BYTES_MAX (16u << 20) /* no more than stays in memory of a mapped file */

struct type_count {
	uint32_t type;
	uint64_t count;
};

static const struct event_stats no_samples;

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

/* Records that are only counted. */
static void count_other(struct readers *r, const struct raw *raw)
{
	struct session_stats *stats = &r->in.stats;
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

static void take_sample(struct readers *r, struct reader *from, struct raw *raw)
{
	struct sample s;
	bool lasts = raw->size > AGAIN_RECORD && chunks_full(&r->in.payloads, STACK_CHUNKS) &&
		     stream_lasting(from->stream, raw);

	r->in.number = from->samples++;
	if (sample_decode(&s, raw, &r->capture.events) == 0) {
		ingest_decoded(&r->in, &from->order, &s, lasts);
		return;
	}
	if (r->in.share) /* the first one tells of it */
		return;
	r->in.stats.bad_samples++;
	warn_add(r->capture.warnings, SEV_WARN, "bad-sample", "%s: offset %llu: %s",
		 source_path(from->source), (unsigned long long)raw->offset,
		 s.desc ? "sample: a length in it does not fit" : "sample of an unknown event");
}

/* Take the plain samples at hand. */
static void take_plain(struct readers *r, struct reader *from)
{
	const uint8_t *data;
	size_t len, used;
	unsigned n;

	while ((data = stream_at_hand(from->stream, &len)) && plain_may_begin(data, len)) {
		r->in.again = stream_again(from->stream);
		used = ingest_plain(&r->in, &from->order, data, len, &n);
		stream_took(from->stream, used);
		r->counts[RECORD_SAMPLE] += n;
		if (n < INGEST_MAX || order_peek(&from->order))
			return;
	}
}

const struct pdt_desc *readers_stat(struct readers *r, const struct raw *raw,
				    struct pdt_counter *out)
{
	struct record_stat s;
	struct pdt_desc *d;

	if (record_stat_decode(&s, raw) < 0 || !(d = event_list_by_id(&r->capture.events, s.id)))
		return NULL;
	out->scaled = counters_stat(&r->in.counters, ingest_stats(&r->in, d), &s);
	out->cpu = s.cpu;
	out->thread = s.thread;
	out->value = s.value;
	out->enabled_ns = s.enabled_ns;
	out->running_ns = s.running_ns;
	return d;
}

/* What perf stat record writes. Counters have no time of their own: they come out when a round of
 * them ends, and none waits for longer. */
static void take_stat(struct readers *r, struct reader *from, const struct raw *raw)
{
	struct pdt_counter unused;

	if (raw->type == RECORD_THREAD_MAP)
		counters_threads(&r->in.counters, raw);
	else if (raw->type == RECORD_STAT_CONFIG)
		counters_config(&r->in.counters, raw);
	else if (r->in.needs & PDT_WANT_COUNTERS)
		hold_record(&from->order, raw, &r->capture.events);
	else if (raw->type == RECORD_STAT)
		(void)readers_stat(r, raw, &unused);
	if (raw->type == RECORD_STAT_ROUND && r->in.needs & PDT_WANT_COUNTERS)
		order_end(&from->order);
}

/* HEADER_FEATURE: u64 id, then the section. */
static void take_feature(struct capture *f, const struct raw *raw)
{
	struct cursor c = raw->body;
	uint64_t id = cursor_u64(&c);

	if (!c.bad)
		feature_decode(f, id < FEAT_BITS ? (unsigned)id : FEAT_BITS, c);
}

/* CGROUP (5.7): u64 id, the path. */
static void take_cgroup(struct readers *r, const struct raw *raw)
{
	bool wanted = r->in.needs & (PDT_WANT_DETAILS | PDT_WANT_VALUES);
	struct cursor c = raw->body;
	uint64_t id = cursor_u64(&c);
	size_t left = cursor_left(&c);
	const char *path = (const char *)cursor_take(&c, left);

	if (wanted && !c.bad && id && left)
		*idmap_put(&r->cgroups, id) =
			intern_add(&r->cgroup_names, path, strnlen(path, left));
}

static void warn_short_attr(struct readers *r, const struct reader *from, const struct raw *raw)
{
	warn_add(r->capture.warnings, SEV_WARN, "attr",
		 "%s: offset %llu: event description of %u bytes is too short",
		 source_path(from->source), (unsigned long long)raw->offset, raw->size);
}

static void take_attr(struct readers *r, const struct reader *from, const struct raw *raw)
{
	if (record_attr(&r->capture, raw) < 0)
		warn_short_attr(r, from, raw);
}

/* Hold RAW if it is WANTED, or all records are. */
static void hold(struct readers *r, struct reader *from, const struct raw *raw, bool wanted)
{
	if (wanted || (r->in.needs & PDT_WANT_RECORDS && raw->type < RECORD_KERNEL_MAX))
		hold_record(&from->order, raw, &r->capture.events);
}

static void take_record(struct readers *r, struct reader *from, struct raw *raw)
{
	unsigned needs = r->in.needs;

	count_record(r, raw->type);
	switch (raw->type) {
	case RECORD_SAMPLE:
		take_sample(r, from, raw);
		break;
	case RECORD_MMAP:
	case RECORD_MMAP2:
	case RECORD_NAMESPACES:
	case RECORD_KSYMBOL: /* who asks for payloads and no stacks looks up no address */
		hold(r, from, raw, needs & WANT_MAPS || !(needs & PDT_WANT_FIELDS));
		break;
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_EXIT:
		hold(r, from, raw, needs & WANT_THREADS || !(needs & PDT_WANT_FIELDS));
		break;
	case RECORD_CALLCHAIN_DEFERRED:
		hold(r, from, raw, needs & PDT_WANT_STACKS);
		break;
	case RECORD_CGROUP:
		take_cgroup(r, raw);
		hold(r, from, raw, false);
		break;
	case RECORD_FINISHED_ROUND:
		order_round(&from->order);
		break;
	case RECORD_HEADER_ATTR:
		take_attr(r, from, raw);
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
	case RECORD_ITRACE_START:
		hold(r, from, raw, needs & (PDT_WANT_SWITCHES | PDT_WANT_FLOW));
		break;
	case RECORD_LOST:
		hold(r, from, raw, needs & (PDT_WANT_LOST | PDT_WANT_GAPS));
		count_other(r, raw);
		break;
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		hold(r, from, raw, needs & PDT_WANT_GAPS);
		count_other(r, raw);
		break;
	case RECORD_TIME_CONV:
		time_conv_decode(&r->capture.meta, raw->body);
		break;
	case RECORD_THREAD_MAP:
	case RECORD_STAT_CONFIG:
	case RECORD_STAT:
	case RECORD_STAT_ROUND:
		take_stat(r, from, raw);
		break;
	default:
		hold(r, from, raw, false);
		count_other(r, raw);
	}
}

/* May enough of it be handed out? */
static bool has_enough(const struct readers *r, const struct reader *from)
{
	size_t ready = from->order.ready_end - from->order.next + from->order.left;

	return ready &&
	       (ready >= r->ahead || !r->in.ahead_bytes || r->in.ahead_bytes > AHEAD_BYTES_MAX);
}

/* In one share of several: do mappings and tasks, which each share has for itself, cost more than
 * shares save? Or would they, were it to go on as since the first sample, when all was told that
 * was there before? */
static bool state_costs(struct readers *r, const struct reader *from)
{
	uint64_t state = r->counts[RECORD_MMAP] + r->counts[RECORD_MMAP2] + r->counts[RECORD_COMM] +
			 r->counts[RECORD_FORK];
	uint64_t at = stream_position(from->stream), size = r->capture.header.data.size;
	uint64_t least = size / STATE_PART;

	if (!r->counts[RECORD_SAMPLE]) {
		r->state_before = state;
		r->samples_at = at;
	}
	if (state > STATE_RECORDS && state > size / STATE_BYTES)
		return true;
	state -= r->state_before;
	at -= r->samples_at;
	return state > STATE_SINCE && state > (at > least ? at : least) / STATE_BYTES;
}

/* Read on in one stream until something of it may be handed out, or it ends. */
static int pump(struct readers *r, struct reader *from)
{
	struct raw raw;
	int rc;

	if (!order_peek(&from->order))
		r->in.ahead_bytes = 0;
	while (!from->ended && !has_enough(r, from)) {
		rc = stream_next(from->stream, &raw);
		if (rc < 0)
			return rc;
		if (rc == 0) {
			from->ended = true;
			order_end(&from->order);
			r->in.stats.late += from->order.late;
			break;
		}
		take_record(r, from, &raw);
		take_plain(r, from);
		if (r->in.chains.bytes >= r->in.chains.look_at)
			r->crowded(r->crowded_ctx);
		if (from->order.alone || (r->in.shares > 1 && state_costs(r, from)))
			return ERR_ALONE;
	}
	return 0;
}

/* Choose the stream that has the next entry, reading on where one has none at hand. 1, 0 at the
 * end. */
int readers_fill(struct readers *r)
{
	struct reader *best = NULL;

	for (size_t i = 0; i < r->count; i++) {
		struct reader *e = &r->list[i];
		int rc = pump(r, e);

		if (rc < 0)
			return rc;
		if (order_peek(&e->order) &&
		    (!best || order_peek(&e->order)->time_ns < order_peek(&best->order)->time_ns))
			best = e;
	}
	r->current = best;
	return best != NULL;
}

/* TAKE each chain that a sample waits for, of CHAINS. */
struct chain_taker {
	void (*take)(const struct chains *chains, uint32_t *chain);
	const struct chains *chains;
};

static void take_chain(void *ctx, struct pending *p)
{
	const struct chain_taker *t = ctx;

	if (!(p->flags & PENDING_RECORD) && !p->alone && p->chain)
		t->take(t->chains, &p->chain);
}

static void each_waiting(struct readers *r, struct chain_taker t)
{
	for (size_t i = 0; i < r->count; i++)
		order_each(&r->list[i].order, take_chain, &t);
}

static void renumber(const struct chains *old, uint32_t *chain)
{
	*chain = chains_get(old, *chain)->own;
}

void readers_renumber(struct readers *r, const struct chains *old)
{
	each_waiting(r, (struct chain_taker){ renumber, old });
}

static void unsettle(const struct chains *c, uint32_t *chain)
{
	struct chain *e = chains_get(c, *chain);

	if (e->stack == PDT_NONE)
		e->space = 0;
}

void readers_unsettle(struct readers *r)
{
	each_waiting(r, (struct chain_taker){ unsettle, &r->in.chains });
}

const struct event_stats *readers_event_stats(const struct readers *r, uint32_t desc)
{
	return desc < r->in.event_stats_cap ? &r->in.event_stats[desc] : &no_samples;
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

int readers_span(const char *path, uint64_t *first_ns, uint64_t *last_ns)
{
	struct warnings ignored = { 0 };
	const struct pending *p;
	struct readers r;
	int rc = readers_open(&r, path, NULL, 0, &ignored);

	while (rc >= 0 && (rc = readers_next(&r, &p)) == 1) {
		if (p->flags & PENDING_RECORD)
			free(p->record);
	}
	*first_ns = r.in.stats.first_ns;
	*last_ns = r.in.stats.last_ns;
	readers_close(&r);
	warnings_release(&ignored);
	return rc;
}
