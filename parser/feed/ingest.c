/* From samples to entries. */
#include "parser/feed/ingest.h"
#include "parser/pdtool_cut.h"
#include "parser/base/abi.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/feed/extras.h"
#include "parser/feed/userstack.h"
#include "parser/stacks/gather.h"

#include <stdlib.h>
#include <string.h>

void ingest_init(struct ingest *in, unsigned needs, struct event_list *events)
{
	memset(in, 0, sizeof(*in));
	in->needs = needs;
	in->events = events;
	chains_init(&in->chains);
}

void ingest_release(struct ingest *in)
{
	chunks_release(&in->payloads);
	chains_release(&in->chains);
	counters_release(&in->counters);
	plain_release(&in->plain);
	free(in->event_stats);
}

void ingest_grow(struct ingest *in, size_t count)
{
	size_t old = in->event_stats_cap;

	in->event_stats =
		xgrow(in->event_stats, &in->event_stats_cap, count, sizeof(*in->event_stats));
	memset(in->event_stats + old, 0, (in->event_stats_cap - old) * sizeof(*in->event_stats));
}

/* A sample as it was read: all that becomes of it is decided by what stands here. */
struct ingest_sample {
	const struct pdt_desc *desc;
	uint64_t time_ns, weight, ip;
	uint32_t pid, tid, cpu;
	uint16_t misc;
	uint8_t flags; /* pending_flags() */
	bool has_time;
	uint64_t offset;	    /* where its record can be read again; 0: nowhere */
	bool lasts;		    /* its bytes stay where they are until the capture is closed */
	const uint8_t *chain;	    /* chain_nr u64 in this host's byte order, any alignment */
	const uint8_t *raw;	    /* NULL: none */
	const struct sample *whole; /* NULL: there is nothing more of it than the above */
	uint16_t raw_size;
	uint16_t chain_nr; /* 0: none, or an empty one */
};

/* ---- counting ---- */

static inline void count_time(struct session_stats *stats, uint64_t time_ns)
{
	if (time_ns < stats->first_ns || !stats->first_ns)
		stats->first_ns = time_ns;
	if (time_ns > stats->last_ns)
		stats->last_ns = time_ns;
}

/* A sample of D. One that has read a group of counters is one of each that went on. */
static inline void count_of(struct ingest *in, const struct pdt_desc *d, uint64_t weight)
{
	struct event_stats *e = ingest_stats(in, d);

	in->stats.samples++;
	e->samples++;
	(void)add_held(&e->weight, weight);
}

static inline void count(struct ingest *in, const struct ingest_sample *s)
{
	struct session_stats *stats = &in->stats;

	stats->modes[mode_of_misc(s->misc)]++;
	if (s->has_time)
		count_time(stats, s->time_ns);
	if (s->chain_nr)
		stats->chains_recorded++;
	else if (s->desc->attr.sample_type & SAMPLE_CALLCHAIN)
		stats->chains_empty++;
	if (!s->whole)
		return;
	stats->user_stacks += s->whole->stack_size > 0;
	stats->lbr += s->whole->branch_nr && s->desc->attr.branch_sample_type & BRANCH_CALL_STACK;
}

/* ---- entries ---- */

/* An entry for sample S, as one of event D with WEIGHT. */
static inline struct pending *put(struct order *to, const struct ingest_sample *s,
				  const struct pdt_desc *d, uint64_t weight)
{
	struct pending *p = order_put(to, s->time_ns);

	p->weight = weight;
	p->pid = s->pid;
	p->tid = s->tid;
	p->cpu = s->cpu;
	p->desc = d->index;
	p->mode = (uint8_t)mode_of_misc(s->misc);
	p->flags = (uint8_t)(s->flags | (s->misc & MISC_EXACT_IP ? PENDING_EXACT : 0));
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

#define WANT_EXTRAS (PDT_WANT_BRANCHES | PDT_WANT_REGISTERS)

/* Of struct pdt_values. */
#define VALUES                                                                                     \
	(SAMPLE_ADDR | SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT | SAMPLE_DATA_SRC | SAMPLE_PHYS_ADDR | \
	 SAMPLE_CGROUP | SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE)

/* What few events record is no burden to all others. */
static inline bool records_wanted(unsigned needs, uint64_t sample_type)
{
	return needs & PDT_WANT_CUT || (needs & PDT_WANT_VALUES && sample_type & VALUES) ||
	       (needs & PDT_WANT_BRANCHES && sample_type & SAMPLE_BRANCH_STACK) ||
	       (needs & PDT_WANT_REGISTERS && sample_type & (SAMPLE_REGS_USER | SAMPLE_REGS_INTR));
}

static inline bool wants_details(const struct ingest *in, const struct ingest_sample *s)
{
	const struct sample *w = s->whole;
	uint64_t type = s->desc->attr.sample_type;

	return w &&
	       ((in->needs & PDT_WANT_DETAILS && type & SAMPLE_LATE && (w->cgroup || w->weight)) ||
		records_wanted(in->needs, type));
}

static struct pdt_values values_of(const struct sample *s)
{
	struct pdt_values v = { .addr = s->addr };

	if (!(s->desc->attr.sample_type & SAMPLE_LATE)) /* the rest is not set */
		return v;
	v.phys_addr = s->phys_addr;
	v.data_src = s->data_src;
	v.data_page_size = s->data_page_size;
	v.code_page_size = s->code_page_size;
	v.cgroup = s->cgroup;
	v.weight = s->weight;
	return v;
}

/* Of the branches and registers of S, rounded: what lies behind them is aligned. */
static size_t extras_size(const struct ingest *in, const struct ingest_sample *s)
{
	return in->needs & WANT_EXTRAS ? (extras_bytes(s->whole, in->needs) + 7) & ~7ul : 0;
}

/* Room for SIZE bytes of P, behind its weight and the details of S if they are wanted. */
static inline void take_piece(struct ingest *in, struct order *to, struct pending *p,
			      const struct ingest_sample *s, size_t size)
{
	bool details = wants_details(in, s);
	size_t extras = details ? extras_size(in, s) : 0;
	size_t before = details ? extras + sizeof(struct sample_details) : 0;
	uint64_t weight = p->weight;
	struct sample_details d = { .extras_bytes = extras, .number = in->number };

	if (extras || in->needs & PDT_WANT_CUT)
		to->max_bytes = ORDER_MAX_BYTES_RAW;
	p->payload = chunks_take(&in->payloads, before + sizeof(weight) + size);
	to->held_bytes += before + size;
	if (details) {
		d.values = values_of(s->whole);
		if (extras)
			extras_write(s->whole, in->needs, p->payload);
		memcpy(p->payload + extras, &d, sizeof(d));
		p->flags |= PENDING_DETAILS;
	}
	p->payload += before + sizeof(weight);
	memcpy(p->payload - sizeof(weight), &weight, sizeof(weight));
}

/* Keep S's payload until its time has come. */
static inline void keep_payload(struct ingest *in, struct order *to, struct pending *p,
				const struct ingest_sample *s)
{
	take_piece(in, to, p, s, s->raw_size);
	p->payload_size = s->raw_size;
	p->flags |= PENDING_PAYLOAD;
	copy_short(p->payload, s->raw, s->raw_size);
}

/* Many payloads wait already, and that of S can be read again. Whose CPU is not known would be read
 * with all others. */
static inline bool stays_away(const struct ingest *in, const struct ingest_sample *s)
{
	return s->offset && s->flags & PENDING_HAS_CPU && chunks_full(&in->payloads, NEAR_CHUNKS);
}

/* linux/perf_event.h, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT */
#define EVENT_TYPE_SOFTWARE 1
#define SW_BPF_OUTPUT	    10

/* What a BPF program writes by bpf_perf_event_output(). */
static inline bool is_bpf_output(const struct event_attr *a)
{
	return a->type == EVENT_TYPE_SOFTWARE && a->config == SW_BPF_OUTPUT;
}

static inline bool wants_payload(const struct ingest *in, const struct ingest_sample *s)
{
	return s->raw && in->needs & PDT_WANT_FIELDS &&
	       (s->desc->attr.type == EVENT_TYPE_TRACEPOINT || is_bpf_output(&s->desc->attr));
}

/* Keep S's user stack, USER bytes, until its time has come, and its payload. */
static void keep_user_stack(struct ingest *in, struct order *to, struct pending *p,
			    const struct ingest_sample *s, size_t user)
{
	bool raw = wants_payload(in, s);
	uint16_t size = raw ? s->raw_size : 0;

	take_piece(in, to, p, s, size + user);
	p->payload_size = size;
	p->flags |= PENDING_USER;
	if (raw) {
		p->flags |= PENDING_PAYLOAD;
		memcpy(p->payload, s->raw, size);
	}
	user_stack_write(s->whole, s->lasts, p->payload + size);
	in->ahead_bytes += size + user + (s->lasts ? s->whole->stack_size : 0);
	to->max_bytes = ORDER_MAX_BYTES_RAW;
}

/* Were this and take() called for each sample, sched latency would execute 15 % more
 * instructions. */
#define EACH inline __attribute__((always_inline))

/* Keep what is needed of S when its time has come. A record, and so all of it, has less than 64
 * KiB.
 */
static EACH void keep(struct ingest *in, struct order *to, struct pending *p,
		      const struct ingest_sample *s)
{
	size_t user =
		s->whole && in->needs & PDT_WANT_STACKS ? user_stack_bytes(s->whole, s->lasts) : 0;

	if (user && user + s->raw_size + sizeof(struct sample_details) <= CHUNK_PIECE_MAX)
		keep_user_stack(in, to, p, s, user);
	else if (wants_payload(in, s) && stays_away(in, s)) {
		p->away = 1;
		p->offset = s->offset;
		to->held_bytes += s->raw_size;
	} else if (wants_payload(in, s))
		keep_payload(in, to, p, s);
	else if (wants_details(in, s))
		take_piece(in, to, p, s, 0);
}

/* A sample with counter values stands for one sample of each counter that moved, weighted by how
 * far (tools/perf/util/session.c: deliver_sample_group). */
static void put_read(struct ingest *in, struct order *to, const struct ingest_sample *sample,
		     uint32_t chain)
{
	struct ingest_sample s = *sample;
	const struct sample *whole = s.whole;
	uint64_t format = s.desc->attr.read_format;
	bool group = format & FORMAT_GROUP;
	unsigned times = 8 * (!!(format & FORMAT_TIME_ENABLED) + !!(format & FORMAT_TIME_RUNNING));
	struct cursor c = cursor_make(whole->read, whole->read_size, whole->swap);
	uint64_t nr = group ? cursor_u64(&c) : 1;

	s.raw = NULL; /* it is of one of them only */
	s.raw_size = 0;
	if (group)
		cursor_skip(&c, times);
	while (nr-- && !c.bad) {
		uint64_t value = cursor_u64(&c), id, delta;
		const struct pdt_desc *d;
		struct pending *p;

		if (!group)
			cursor_skip(&c, times);
		id = cursor_u64(&c);
		if (format & FORMAT_LOST)
			cursor_skip(&c, 8);
		d = event_list_by_id(in->events, id);
		/* inherited counters are each thread's own, under one id */
		if (s.desc->attr.flags & ATTR_INHERIT)
			id ^= (uint64_t)s.tid << 40;
		delta = d && !c.bad ? counters_read(&in->counters, id, value) : 0;
		if (!delta)
			continue;
		count_of(in, d, delta);
		order_reserve(to, 1);
		p = put(to, &s, d, delta);
		p->chain = chain;
		keep(in, to, p, &s);
	}
}

/* ---- chains ---- */

/* S's chain, where chains or addresses are wanted. */
static inline void chain_of(const struct ingest *in, const struct ingest_sample *s,
			    struct chain_ref *ref)
{
	struct chain_ip own = { s->ip, marker_of_misc(s->misc), s->flags & PENDING_IP };
	bool wanted = in->needs & PDT_WANT_STACKS;

	if (wanted && s->chain_nr)
		chain_ref_init(ref, CHAIN_RECORDED, s->chain, s->chain_nr, &own);
	else if (wanted && s->desc->attr.sample_type & SAMPLE_CALLCHAIN)
		chain_ref_alone(ref, CHAIN_EMPTY, own.marker, own.ip);
	else
		chain_ref_alone(ref, CHAIN_NONE, own.marker, own.ip);
}

/* Equal chains come to one session. */
static inline bool is_mine(const struct ingest *in, const struct chain_ref *ref)
{
	return !in->shares || (ref->foretold >> 32) * in->shares >> 32 == in->share;
}

static inline bool wants_chains(const struct ingest *in)
{
	return in->needs & (PDT_WANT_STACKS | PDT_WANT_IP);
}

/* ---- the way in ---- */

/* The one place through which every sample comes. CHAIN: its chain's id; 0: none is wanted. Returns
 * its entry; NULL: it may be several. */
static EACH struct pending *take(struct ingest *in, struct order *to, const struct ingest_sample *s,
				 uint32_t chain)
{
	struct pending *p;

	count(in, s);
	if (s->whole && s->whole->read && s->desc->attr.read_format & FORMAT_ID) {
		put_read(in, to, s, chain);
		return NULL;
	}
	count_of(in, s->desc, s->weight);
	p = put(to, s, s->desc, s->weight);
	keep(in, to, p, s);
	p->chain = chain;
	return p;
}

static inline struct ingest_sample of_plain(const struct plain_sample *p)
{
	const struct plain_layout *l = p->layout;
	const uint8_t *r = p->record;
	struct ingest_sample s = {
		.desc = l->desc,
		.time_ns = plain_u64(r + l->time),
		.weight = l->period ? plain_u64(r + l->period) : l->weight,
		.ip = l->ip ? plain_u64(r + l->ip) : 0,
		.pid = plain_u32(r + l->tid),
		.tid = plain_u32(r + l->tid + 4),
		.cpu = l->cpu ? plain_u32(r + l->cpu) : 0,
		.misc = plain_misc(p),
		.flags = l->flags,
		.has_time = true,
	};

	if (l->chain) {
		s.chain_nr = (uint16_t)plain_u64(r + l->rest); /* a record has room for 8191 */
		s.chain = r + l->rest + 8;
	}
	if (l->raw) {
		const uint8_t *raw = r + plain_raw_at(l, s.chain_nr);

		s.raw_size = (uint16_t)plain_u32(raw);
		s.raw = raw + 4;
	}
	return s;
}

/* Where FOUND, AT bytes behind what is at hand, can be read again; 0: nowhere. */
static inline uint64_t again_at(const struct ingest *in, size_t at,
				const struct plain_sample *found)
{
	return in->again && plain_size(found) <= AGAIN_RECORD ? in->again + at : 0;
}

bool ingest_again(struct ingest *in, struct pending *p, const uint8_t *data, size_t len)
{
	struct order ignored = { 0 };
	struct plain_sample found;
	struct ingest_sample s;

	if (!plain_find(&in->plain, data, len, &found) || found.layout->desc->index != p->desc ||
	    !found.layout->raw)
		return false;
	s = of_plain(&found);
	p->away = 0;
	p->weight = s.weight;
	keep_payload(in, &ignored, p, &s);
	return true;
}

/* Are those without chains not to be stacks? */
static inline bool wants_places(const struct ingest *in)
{
	return in->places && in->needs & PDT_WANT_STACKS && !in->shares && !in->chains.full;
}

/* Is its address all that S, whose type is alone, is to be located by? */
static inline bool fits_alone(const struct ingest_sample *s)
{
	enum pdt_mode mode = mode_of_misc(s->misc);

	return (mode == PDT_USER || mode == PDT_KERNEL) && s->ip < CONTEXT_MAX &&
	       pending_has_room(s->ip);
}

/* Those that need no chain, up to the first other one. */
static size_t plain_places(struct ingest *in, struct order *to, const uint8_t *data, size_t len,
			   unsigned *n)
{
	const uint8_t *at = data, *end = data + len;
	struct plain_sample found;

	for (; *n < INGEST_MAX && plain_find(&in->plain, at, (size_t)(end - at), &found); ++*n) {
		struct ingest_sample s = of_plain(&found);

		if (!found.layout->alone || !fits_alone(&s))
			break;
		pending_set_alone(take(in, to, &s, 0), s.ip);
		at += plain_size(&found);
	}
	return (size_t)(at - data);
}

static size_t plain_alone(struct ingest *in, struct order *to, const uint8_t *data, size_t len,
			  unsigned *n)
{
	const uint8_t *at = data, *end = data + len;
	struct plain_sample found;
	unsigned i;

	for (i = 0; i < INGEST_MAX && plain_find(&in->plain, at, (size_t)(end - at), &found); i++) {
		struct ingest_sample s = of_plain(&found);

		s.offset = again_at(in, (size_t)(at - data), &found);
		take(in, to, &s, 0);
		at += plain_size(&found);
	}
	*n = i;
	return (size_t)(at - data);
}

#define CHAINS_NEAR (256u << 10) /* bytes of chains that stay in a second-level cache */

static size_t plain_with_chains(struct ingest *in, struct order *to, const uint8_t *data,
				size_t len, unsigned *n)
{
	struct {
		struct plain_sample found;
		struct chain_ref chain;
	} batch[INGEST_MAX], *b = batch, *last;
	const uint8_t *at = data, *end = data + len;
	unsigned i;

	for (i = *n; i < INGEST_MAX; i++) {
		struct ingest_sample s;

		if (!plain_find(&in->plain, at, (size_t)(end - at), &b->found))
			break;
		at += plain_size(&b->found);
		s = of_plain(&b->found);
		chain_of(in, &s, &b->chain);
		if (is_mine(in, &b->chain))
			chains_begin(&in->chains, &b++->chain);
		else
			order_pass(to, s.time_ns);
	}
	last = b;
	for (b = in->chains.bytes > CHAINS_NEAR ? batch : last; b < last; b++)
		chains_expect(&in->chains, &b->chain);
	for (b = batch; b < last; b++) {
		uint32_t chain = chains_add(&in->chains, &b->chain);
		struct ingest_sample s = of_plain(&b->found);

		s.offset = again_at(in, (size_t)(b->found.record - data), &b->found);
		take(in, to, &s, chain);
	}
	*n = i;
	return (size_t)(at - data);
}

size_t ingest_plain(struct ingest *in, struct order *to, const uint8_t *data, size_t len,
		    unsigned *n)
{
	size_t used = 0;

	*n = 0;
	if (in->plain.count < in->events->count)
		plain_lay_out(&in->plain);
	if (!in->plain.count || in->needs & PDT_WANT_CUT)
		return 0;
	if (in->event_stats_cap < in->events->count)
		ingest_grow(in, in->events->count);
	order_reserve(to, INGEST_MAX);
	if (!wants_chains(in))
		return plain_alone(in, to, data, len, n);
	if (wants_places(in))
		used = plain_places(in, to, data, len, n);
	in->again += in->again ? used : 0;
	return used + plain_with_chains(in, to, data + used, len - used, n);
}

void ingest_decoded(struct ingest *in, struct order *to, const struct sample *s, bool lasts)
{
	struct ingest_sample one = {
		.desc = s->desc,
		.time_ns = s->time_ns,
		.weight = s->period,
		.ip = s->ip,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.misc = s->misc,
		.flags = pending_flags(s->desc->attr.sample_type),
		.has_time = s->has_time,
		.lasts = lasts,
		.whole = s,
	};
	struct chain_ref ref;
	uint32_t chain = 0;

	if (s->raw_size <= UINT16_MAX) { /* a record has no room for more */
		one.raw = s->raw;
		one.raw_size = (uint16_t)s->raw_size;
	}
	one.chain = chains_gather(&in->chains, s, &one.chain_nr);
	order_reserve(to, 1);
	(void)ingest_stats(in, s->desc);
	if (wants_places(in) && plain_alone_type(s->desc->attr.sample_type) && fits_alone(&one)) {
		pending_set_alone(take(in, to, &one, 0), s->ip);
		return;
	}
	if (wants_chains(in)) {
		chain_of(in, &one, &ref);
		if (!is_mine(in, &ref)) {
			order_pass(to, s->time_ns);
			return;
		}
		chains_begin(&in->chains, &ref);
		chain = chains_add(&in->chains, &ref);
	}
	take(in, to, &one, chain);
}
