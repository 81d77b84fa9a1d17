/* Drives libipt. The target of a branch is where the next instruction is, so each branch waits for
 * that. Without the library's header at build time, or the library at run time, there is none of
 * it. */
#include "parser/trace/ptflow.h"
#include "parser/base/mem.h"
#include "parser/pdtool_record.h"

#include <stdlib.h>
#include <string.h>

#if defined(STATIC) || !__has_include(<intel-pt.h>)

bool flow_library(void)
{
	return false;
}

struct flow *flow_new(const struct flow_options *o)
{
	return NULL;
}

void flow_free(struct flow *f)
{
}

enum flow_answer flow_next(struct flow *f, uint64_t until, struct flow_event *out)
{
	return FLOW_ENDS;
}

size_t flow_position(const struct flow *f)
{
	return 0;
}

#else

#include <intel-pt.h>

#include "parser/base/dynlib.h"

#define LIBRARY DYNLIB_NAME("libipt", LIBIPT_VERSION_MAJOR)

#define WAITING_MAX 4

struct calls {
	__typeof__(pt_cpu_errata) *errata;
	__typeof__(pt_insn_alloc_decoder) *alloc;
	__typeof__(pt_insn_free_decoder) *free;
	__typeof__(pt_insn_sync_set) *sync;
	__typeof__(pt_insn_get_offset) *offset;
	__typeof__(pt_insn_next) *next;
	__typeof__(pt_insn_event) *event;
	__typeof__(pt_insn_get_image) *image;
	__typeof__(pt_image_set_callback) *read;
	__typeof__(pt_pkt_alloc_decoder) *packets;
	__typeof__(pt_pkt_free_decoder) *free_packets;
	__typeof__(pt_pkt_sync_set) *packets_from;
	__typeof__(pt_pkt_get_offset) *packets_at;
	__typeof__(pt_pkt_next) *packet;
};

struct flow {
	struct flow_options o;
	struct calls calls;
	struct pt_insn_decoder *decoder;
	struct pt_packet_decoder *packets;
	int status;  /* enum pt_status_flag */
	bool synced; /* it knows where it is */
	bool ended;
	bool pending; /* LAST is a branch; where it went is not known yet */
	bool begins;  /* the next instruction is the first one after synchronisation */
	struct pt_insn last;
	uint64_t last_tsc, last_offset;
	/* the next PSB, whether it says where it is, and what was said of it above */
	uint64_t watched, limit;
	bool watched_tells;
	bool began;
	uint64_t sync;	 /* offset of the PSB that it went on from last */
	uint64_t passed; /* PSBs before this offset need not be gone on from */
	uint64_t tsc;	 /* the time by now; 0: not known */
	uint64_t offset; /* of the packets */
	uint64_t insns, silent;
	/* packets counted up to this offset, and what is left of the last one there; is code traced
	 * there? have there been more cycles since the last event that a packet told of? */
	uint64_t counted, cycles;
	unsigned bits;
	bool traced, fresh;
	struct flow_event waiting[WAITING_MAX];
	unsigned first, count;
};

static bool find_functions(struct calls *c)
{
	const struct dynlib_function wanted[] = {
		{ &c->errata, "pt_cpu_errata" },
		{ &c->alloc, "pt_insn_alloc_decoder" },
		{ &c->free, "pt_insn_free_decoder" },
		{ &c->sync, "pt_insn_sync_set" },
		{ &c->offset, "pt_insn_get_offset" },
		{ &c->next, "pt_insn_next" },
		{ &c->event, "pt_insn_event" },
		{ &c->image, "pt_insn_get_image" },
		{ &c->read, "pt_image_set_callback" },
		{ &c->packets, "pt_pkt_alloc_decoder" },
		{ &c->free_packets, "pt_pkt_free_decoder" },
		{ &c->packets_from, "pt_pkt_sync_set" },
		{ &c->packets_at, "pt_pkt_get_offset" },
		{ &c->packet, "pt_pkt_next" },
	};

	return dynlib_find(dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL), wanted, ARRAY_SIZE(wanted));
}

bool flow_library(void)
{
	struct calls ignored;

	return find_functions(&ignored);
}

static int read_code(uint8_t *to, size_t size, const struct pt_asid *asid, uint64_t ip, void *ctx)
{
	const struct flow *f = ctx;
	size_t n = f->o.code(f->o.ctx, ip, to, size < FLOW_CODE_BYTES ? size : FLOW_CODE_BYTES);

	return n ? (int)n : -pte_nomap;
}

static struct pt_config config_of(const struct flow *f)
{
	const struct flow_options *o = &f->o;
	struct pt_config c;

	pt_config_init(&c);
	c.flags.variant.insn.enable_tick_events = 1; /* the time of each packet */
	c.begin = (uint8_t *)o->data;
	c.end = (uint8_t *)o->data + o->size;
	c.mtc_freq = o->mtc_freq;
	c.nom_freq = o->nom_freq;
	c.cpuid_0x15_ebx = o->tsc_ctc_n;
	c.cpuid_0x15_eax = o->tsc_ctc_d;
	if (o->family) {
		c.cpu = (struct pt_cpu){ pcv_intel, o->family, o->model, o->stepping };
		(void)f->calls.errata(&c.errata, &c.cpu);
	}
	return c;
}

struct flow *flow_new(const struct flow_options *o)
{
	struct flow *f = xcalloc(1, sizeof(*f));
	struct pt_config config;

	f->o = *o;
	if (find_functions(&f->calls)) {
		config = config_of(f);
		f->decoder = f->calls.alloc(&config);
		f->packets = f->calls.packets(&config);
	}
	if (!f->decoder || !f->packets ||
	    f->calls.read(f->calls.image(f->decoder), read_code, f) < 0) {
		flow_free(f);
		return NULL;
	}
	return f;
}

void flow_free(struct flow *f)
{
	if (f && f->decoder)
		f->calls.free(f->decoder);
	if (f && f->packets)
		f->calls.free_packets(f->packets);
	free(f);
}

size_t flow_position(const struct flow *f)
{
	return (size_t)f->offset;
}

/* ---- what comes out ---- */

static struct flow_event *put(struct flow *f, enum flow_kind kind)
{
	struct flow_event *e = &f->waiting[(f->first + f->count++) % WAITING_MAX];

	*e = (struct flow_event){ .kind = kind,
				  .tsc = f->tsc,
				  .offset = f->offset,
				  .insns = f->insns,
				  .cycles = f->cycles };
	return e;
}

static struct flow_event *put_branch(struct flow *f, uint64_t from, uint64_t to, uint32_t flags)
{
	struct flow_event *e = put(f, FLOW_BRANCH);

	e->from = from;
	e->to = to;
	e->flags = PDT_FLOW_BRANCH | flags;
	return e;
}

/* ---- cycles: packets once more, in step with the branches that they are of ---- */

/* Which the decoder reads no further than before it is asked for them. */
static bool is_of_branches(enum pt_packet_type type)
{
	return type == ppt_tnt_8 || type == ppt_tnt_64 || type == ppt_tip || type == ppt_tip_pge ||
	       type == ppt_tip_pgd;
}

/* As perf has it, cycles count where code is traced, and at a point of synchronisation they stop
 * being news. */
static void count_packet(struct flow *f, const struct pt_packet *p)
{
	if (p->type == ppt_cyc) {
		f->cycles += f->traced ? p->payload.cyc.value : 0;
		f->fresh = true;
	} else if (p->type == ppt_tip_pge || p->type == ppt_fup) {
		f->traced = true;
	} else if (p->type == ppt_tip_pgd) {
		f->traced = false;
	} else if (p->type == ppt_tnt_8 || p->type == ppt_tnt_64) {
		f->bits = p->payload.tnt.bit_size;
	} else if (p->type == ppt_psbend) {
		f->fresh = false;
	}
}

/* A packet tells of E: the next one, or a bit of the last one. */
static void put_cycles(struct flow *f, struct flow_event *e)
{
	struct pt_packet p = { .type = ppt_invalid };

	if (!f->o.cycles)
		return;
	if (!f->bits && f->calls.packets_from(f->packets, f->counted) == 0) {
		while (!is_of_branches(p.type) &&
		       f->calls.packet(f->packets, &p, sizeof(p)) > 0) {
			f->counted += p.size;
			count_packet(f, &p);
		}
	}
	f->bits -= f->bits ? 1 : 0;
	e->cycles = f->cycles;
	e->counts = f->fresh;
	f->fresh = false;
}

/* Its first byte behind the prefixes, and the next one. */
static unsigned opcode_of(const struct pt_insn *i)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					    0x66, 0x67, 0xf0, 0xf2, 0xf3 };
	unsigned at = 0;

	while (at + 2 < i->size && memchr(prefixes, i->raw[at], sizeof(prefixes)))
		at++;
	if (i->mode == ptem_64bit && at + 2 < i->size && (i->raw[at] & 0xf0) == 0x40)
		at++;
	return i->raw[at] << 8 | (at + 1 < i->size ? i->raw[at + 1] : 0u);
}

static uint32_t flags_of(const struct pt_insn *i)
{
	unsigned opcode = opcode_of(i);

	switch (i->iclass) {
	case ptic_call:
		return PDT_FLOW_CALL;
	case ptic_return:
		return PDT_FLOW_RETURN;
	case ptic_cond_jump:
		return PDT_FLOW_CONDITIONAL;
	case ptic_far_call:
		if (opcode == 0x0f05 || opcode == 0x0f34)
			return PDT_FLOW_CALL | PDT_FLOW_SYSTEM;
		return PDT_FLOW_CALL |
		       (opcode >> 8 >= 0xcc && opcode >> 8 <= 0xce ? PDT_FLOW_INTERRUPT : 0);
	case ptic_far_return:
		if (opcode == 0x0f07 || opcode == 0x0f35)
			return PDT_FLOW_RETURN | PDT_FLOW_SYSTEM;
		return PDT_FLOW_RETURN | (opcode >> 8 == 0xcf ? PDT_FLOW_INTERRUPT : 0);
	default:
		return 0;
	}
}

/* Does code alone say where it leads? Then no packet does. */
static bool is_direct(const struct pt_insn *i)
{
	unsigned first = opcode_of(i) >> 8;

	return (i->iclass == ptic_call && first == 0xe8) ||
	       (i->iclass == ptic_jump && (first == 0xe9 || first == 0xeb));
}

/* The branch that waits went TO. */
static void settle(struct flow *f, uint64_t to, uint32_t more)
{
	const struct pt_insn *i = &f->last;
	struct flow_event *e;

	if (!f->pending)
		return;
	f->pending = false;
	if (i->iclass == ptic_cond_jump && to == i->ip + i->size && !more) {
		e = put(f, FLOW_INSN);
		e->flags = PDT_FLOW_BRANCH | PDT_FLOW_CONDITIONAL;
	} else {
		e = put_branch(f, i->ip, to, flags_of(i) | more);
	}
	e->from = i->ip;
	e->insn_size = i->size;
	e->tsc = f->last_tsc;
	e->offset = f->last_offset;
	if (more & PDT_FLOW_END || !is_direct(i))
		put_cycles(f, e);
}

/* ---- what comes in ---- */

static void fail(struct flow *f, int error, uint64_t ip)
{
	struct flow_event *e = put(f, FLOW_ERROR);

	e->error = error;
	e->from = ip;
	f->synced = f->pending = false;
}

static int error_of(int status)
{
	switch (-status) {
	case pte_nomap:
		return FLOW_NO_CODE;
	case pte_bad_query:
	case pte_bad_insn:
	case pte_bad_retcomp:
	case pte_retstack_empty:
	case pte_event_ignored:
	case pte_noip:
	case pte_no_enable:
		return FLOW_MISMATCH;
	case pte_overflow:
		return FLOW_OVERFLOW;
	default:
		return FLOW_BAD_TRACE;
	}
}

static void note_offset(struct flow *f)
{
	uint64_t offset;

	if (f->calls.offset(f->decoder, &offset) < 0 || offset == f->offset)
		return;
	f->offset = offset;
	f->silent = 0;
}

/* The time in the head of the PSB that was found. */
static void find_sync_tsc(struct flow *f)
{
	struct pt_packet p;

	if (f->calls.packets_from(f->packets, f->sync) < 0)
		return;
	while (f->calls.packet(f->packets, &p, sizeof(p)) > 0 && p.type != ppt_psbend) {
		if (p.type == ppt_tsc)
			f->tsc = p.payload.tsc.tsc;
	}
}

/* The first PSB from offset FROM on; SIZE: none. */
static uint64_t find_psb(const struct flow *f, uint64_t from)
{
	static const uint8_t psb[] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				       2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	const uint8_t *at = NULL;

	if (from < f->o.size)
		at = memmem(f->o.data + from, f->o.size - from, psb, sizeof(psb));
	return at ? (uint64_t)(at - f->o.data) : f->o.size;
}

/* The PSB at or behind FROM says where the program is (FUP), which the decoder takes for an event
 * there, and where it does not come by, it goes on all the same. So that it is not believed further
 * than to the next packet about branches, that one's offset becomes LIMIT. */
static void watch(struct flow *f, uint64_t from)
{
	struct pt_packet p;
	bool head = true, mode = false, ip = false;

	f->watched = find_psb(f, from);
	f->watched_tells = false;
	f->limit = f->o.size;
	if (f->watched == f->o.size || f->calls.packets_from(f->packets, f->watched) < 0)
		return;
	while (f->calls.packets_at(f->packets, &f->limit) == 0 &&
	       f->calls.packet(f->packets, &p, sizeof(p)) > 0) {
		mode |= head && p.type == ppt_mode && p.payload.mode.leaf == pt_mol_exec;
		ip |= head && p.type == ppt_fup;
		if (!head && is_of_branches(p.type))
			break;
		head &= p.type != ppt_psbend;
	}
	f->watched_tells = mode && ip;
}

/* Did it go on where a PSB says that it cannot be? */
static bool is_lost(struct flow *f)
{
	while (f->offset > f->limit) {
		if (f->watched_tells && f->passed < f->watched)
			return true;
		watch(f, f->watched + 1);
	}
	return false;
}

/* Go on at the next PSB. */
static void synchronise(struct flow *f)
{
	bool first = !f->began;

	f->sync = find_psb(f, !f->began ? 0 : f->sync < f->passed ? f->passed : f->sync + 1);
	f->began = true;
	if (first && f->sync)
		put(f, FLOW_ERROR)->error = FLOW_NO_SYNC;
	f->ended = f->sync == f->o.size;
	if (f->ended)
		return;
	f->counted = f->sync;
	f->bits = 0;
	find_sync_tsc(f);
	watch(f, f->sync + 1);
	f->status = f->calls.sync(f->decoder, f->sync);
	note_offset(f);
	if (f->status < 0) {
		fail(f, error_of(f->status), 0);
		return;
	}
	f->synced = true;
	f->begins = !(f->status & pts_ip_suppressed);
}

static void take_event(struct flow *f)
{
	uint64_t at = f->offset;
	struct pt_event e;

	f->status = f->calls.event(f->decoder, &e, sizeof(e));
	note_offset(f);
	if (f->status < 0) {
		fail(f, error_of(f->status), 0);
		return;
	}
	if (e.status_update && e.type != ptev_exec_mode)
		return; /* of a PSB, read early */
	f->tsc = e.has_tsc ? e.tsc : f->tsc;
	if (e.status_update) {
		f->passed = at;
		return;
	}
	switch (e.type) {
	case ptev_tick: /* it comes before all else that a branch brings */
		f->last_tsc = f->pending ? f->tsc : f->last_tsc;
		break;
	case ptev_enabled:
		f->pending = f->begins = false;
		f->passed = at;
		put_cycles(f, put_branch(f, 0, e.variant.enabled.ip, PDT_FLOW_BEGIN));
		break;
	case ptev_disabled:
		f->pending = true; /* of what ran last, a branch or not */
		f->last_tsc = f->tsc;
		settle(f, e.ip_suppressed ? 0 : e.variant.disabled.ip, PDT_FLOW_END);
		break;
	case ptev_async_disabled:
		settle(f, e.variant.async_disabled.at, 0);
		put_cycles(f, put_branch(f, e.variant.async_disabled.at,
					 e.ip_suppressed ? 0 : e.variant.async_disabled.ip,
					 PDT_FLOW_ASYNC | PDT_FLOW_END));
		break;
	case ptev_async_branch:
		settle(f, e.variant.async_branch.from, 0);
		put_cycles(f, put_branch(f, e.variant.async_branch.from, e.variant.async_branch.to,
					 PDT_FLOW_CALL | PDT_FLOW_ASYNC | PDT_FLOW_INTERRUPT));
		break;
	case ptev_overflow:
		f->pending = false;
		put(f, FLOW_ERROR)->error = FLOW_OVERFLOW;
		f->begins = !e.ip_suppressed;
		break;
	default:
		break;
	}
}

static bool is_branch(const struct pt_insn *i)
{
	return i->iclass != ptic_other && i->iclass != ptic_ptwrite && i->iclass != ptic_error;
}

static bool is_endless(struct flow *f)
{
	return ++f->silent > FLOW_INSNS_SILENT ||
	       ++f->insns > FLOW_INSNS_BEGIN + f->offset * FLOW_INSNS_BYTE;
}

static void take_insn(struct flow *f)
{
	bool last = f->status & pts_eos; /* no packet tells of what comes behind this one */
	struct pt_insn i = { 0 };
	struct flow_event *e;

	f->status = f->calls.next(f->decoder, &i, sizeof(i));
	note_offset(f);
	if (f->status != -pte_eos || i.ip) {
		if (f->begins)
			put_branch(f, 0, i.ip, PDT_FLOW_BEGIN);
		settle(f, i.ip, 0);
	}
	f->begins = false;
	if (is_lost(f)) {
		fail(f, FLOW_MISMATCH, i.ip);
		return;
	}
	if (last || f->status == -pte_eos) {
		f->ended = true;
		return;
	}
	if (f->status < 0) {
		fail(f, error_of(f->status), i.ip);
	} else if (is_endless(f)) {
		fail(f, FLOW_ENDLESS, i.ip);
	} else {
		f->pending = is_branch(&i);
		f->last = i;
		f->last_tsc = f->tsc;
		f->last_offset = f->offset;
		if (f->pending)
			return;
		e = put(f, FLOW_INSN);
		e->from = i.ip;
		e->insn_size = i.size;
	}
}

static bool is_later(const struct flow *f, uint64_t until)
{
	return until != UINT64_MAX && (!f->tsc || f->tsc > until);
}

enum flow_answer flow_next(struct flow *f, uint64_t until, struct flow_event *out)
{
	while (!f->count && !f->ended) {
		if (!f->synced)
			synchronise(f);
		else if (is_later(f, until))
			return FLOW_LATER;
		else if (f->status & pts_event_pending)
			take_event(f);
		else if (f->status & pts_eos && f->status & pts_ip_suppressed)
			f->ended = true;
		else
			take_insn(f);
	}
	if (!f->count)
		return FLOW_ENDS;
	*out = f->waiting[f->first];
	f->first = (f->first + 1) % WAITING_MAX;
	f->count--;
	return FLOW_COMES;
}

#endif
