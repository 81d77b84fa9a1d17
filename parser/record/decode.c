/* Decode records other than samples; a table says how and how short they may be. */
#include "parser/record/record.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <math.h>
#include <string.h>

#define PROT_READ_EXEC 5

static unsigned id_position(uint64_t type)
{
	unsigned n = 0;

	if (type & SAMPLE_IDENTIFIER)
		return 0;
	n += !!(type & SAMPLE_IP);
	n += !!(type & SAMPLE_TID);
	n += !!(type & SAMPLE_TIME);
	n += !!(type & SAMPLE_ADDR);
	return n;
}

uint16_t sample_id_offset(const struct event_list *events)
{
	uint64_t type = events->count > 1 ? events->descs[0]->attr.sample_type : 0;

	if (!(type & (SAMPLE_ID | SAMPLE_IDENTIFIER)))
		return 0;
	return (uint16_t)(RECORD_HEADER_SIZE + id_position(type) * 8);
}

const struct pdt_desc *event_of_sample(struct event_list *events, const struct raw *raw)
{
	uint16_t offset = sample_id_offset(events);
	struct cursor c = raw->body;

	if (!offset)
		return events->count ? events->descs[0] : NULL;
	cursor_skip(&c, offset - RECORD_HEADER_SIZE);
	return event_list_by_id(events, cursor_u64(&c));
}

static unsigned trailer_size(uint64_t type)
{
	return 8u * (unsigned)__builtin_popcountll(type & (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID |
							   SAMPLE_STREAM_ID | SAMPLE_CPU |
							   SAMPLE_IDENTIFIER));
}

/* Which event wrote the record? With IDENTIFIER the last u64 tells; else all events agree on the
 * shape. */
const struct pdt_desc *event_of_record(struct event_list *events, const struct raw *raw)
{
	const struct pdt_desc *d = events->count ? events->descs[0] : NULL;

	if (d && d->attr.sample_type & SAMPLE_IDENTIFIER && cursor_left(&raw->body) >= 8) {
		struct cursor c = cursor_make(raw->body.end - 8, 8, raw->body.swap);
		const struct pdt_desc *by_id = event_list_by_id(events, cursor_u64(&c));

		d = by_id ? by_id : d;
	}
	return d;
}

static const struct pdt_desc *event_of_trailer(struct event_list *events, const struct raw *raw)
{
	const struct pdt_desc *d = event_of_record(events, raw);

	return d && d->attr.flags & ATTR_SAMPLE_ID_ALL ? d : NULL;
}

size_t record_trailer_size(const struct raw *raw, struct event_list *events)
{
	const struct pdt_desc *d =
		raw->type < RECORD_KERNEL_MAX ? event_of_trailer(events, raw) : NULL;

	return d ? trailer_size(d->attr.sample_type) : 0;
}

void record_id_decode(struct record_id *id, const struct raw *raw, struct event_list *events)
{
	const struct pdt_desc *d = event_of_trailer(events, raw);
	struct cursor c = raw->body;
	uint64_t type;

	memset(id, 0, sizeof(*id));
	if (!d || raw->type >= RECORD_KERNEL_MAX)
		return;
	type = d->attr.sample_type;
	if (cursor_left(&c) < trailer_size(type))
		return;
	c.pos = c.end - trailer_size(type);
	id->has_tid = type & SAMPLE_TID;
	id->has_time = type & SAMPLE_TIME;
	id->has_cpu = type & SAMPLE_CPU;
	if (type & SAMPLE_TID) {
		id->pid = cursor_u32(&c);
		id->tid = cursor_u32(&c);
	}
	if (type & SAMPLE_TIME)
		id->time_ns = cursor_u64(&c);
	if (type & SAMPLE_ID)
		id->id = cursor_u64(&c);
	if (type & SAMPLE_STREAM_ID)
		cursor_skip(&c, 8);
	if (type & SAMPLE_CPU)
		id->cpu = cursor_u32(&c);
}

static struct text take_text(struct cursor *c)
{
	struct text t;

	t.s = cursor_str(c, cursor_left(c), &t.len);
	return t;
}

/* OFFSET SIZE MEANING of MMAP (2.6.31)
 *      0    4 pid (-1: kernel)  4 4 tid  8 8 start  16 8 length  24 8 page offset  32 - file name
 */
static void decode_mmap(struct record *r, struct cursor *c)
{
	struct record_mmap *m = &r->mmap;

	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	m->prot = r->misc & (1 << 13) ? 3 : PROT_READ_EXEC; /* MISC_MMAP_DATA */
	m->filename = take_text(c);
}

/* MMAP2 (3.12): MMAP, then at offset 32: u32 major, u32 minor, u64 inode, u64 generation; or, with
 * misc bit 14 (5.12): u8 build-id size, u8, u16, u8[20] build-id. Then u32 prot, u32 flags, file
 * name. */
static void decode_mmap2(struct record *r, struct cursor *c)
{
	struct record_mmap *m = &r->mmap;

	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	if (r->misc & MISC_MMAP_BUILD_ID) {
		uint8_t len = cursor_u8(c);
		const uint8_t *id;

		cursor_skip(c, 3);
		id = cursor_take(c, BUILD_ID_MAX);
		if (id && len <= BUILD_ID_MAX) {
			m->ids.build_id.len = len;
			memcpy(m->ids.build_id.bytes, id, len);
		}
	} else {
		m->ids.file.major = cursor_u32(c);
		m->ids.file.minor = cursor_u32(c);
		m->ids.file.inode = cursor_u64(c);
		m->ids.file.generation = cursor_u64(c);
	}
	m->prot = cursor_u32(c);
	cursor_skip(c, 4);
	m->filename = take_text(c);
}

/* COMM: u32 pid, u32 tid, name. */
static void decode_comm(struct record *r, struct cursor *c)
{
	r->comm.pid = cursor_u32(c);
	r->comm.tid = cursor_u32(c);
	r->comm.exec = r->misc & MISC_COMM_EXEC;
	r->comm.comm = take_text(c);
}

/* FORK, EXIT: u32 pid, ppid, tid, ptid, u64 time. */
static void decode_task(struct record *r, struct cursor *c)
{
	r->task.pid = cursor_u32(c);
	r->task.ppid = cursor_u32(c);
	r->task.tid = cursor_u32(c);
	r->task.ptid = cursor_u32(c);
	r->task.time_ns = cursor_u64(c);
}

static void decode_lost(struct record *r, struct cursor *c)
{
	r->lost.id = cursor_u64(c);
	r->lost.lost = cursor_u64(c);
}

static void decode_lost_samples(struct record *r, struct cursor *c)
{
	r->lost.lost = cursor_u64(c);
}

/* SWITCH (4.3): no body. misc bit 13: out, bit 14: preempted (4.17). */
static void decode_switch(struct record *r, struct cursor *c)
{
	(void)c;
	r->sw.out = r->misc & MISC_SWITCH_OUT;
	r->sw.preempt = r->misc & MISC_SWITCH_OUT_PREEMPT;
	r->sw.other_pid = r->sw.other_tid = UINT32_MAX;
}

/* SWITCH_CPU_WIDE (4.3): u32 pid, u32 tid of the next one (out) or the one before (in). */
static void decode_switch_wide(struct record *r, struct cursor *c)
{
	decode_switch(r, c);
	r->sw.wide = true;
	r->sw.other_pid = cursor_u32(c);
	r->sw.other_tid = cursor_u32(c);
}

/* THROTTLE, UNTHROTTLE: u64 time, u64 id, u64 stream_id. */
static void decode_throttle(struct record *r, struct cursor *c)
{
	r->throttle.time_ns = cursor_u64(c);
	r->throttle.id = cursor_u64(c);
	r->throttle.stream_id = cursor_u64(c);
}

/* KSYMBOL (5.0): u64 address, u32 length, u16 type, u16 flags, name. */
static void decode_ksymbol(struct record *r, struct cursor *c)
{
	r->ksymbol.addr = cursor_u64(c);
	r->ksymbol.len = cursor_u32(c);
	r->ksymbol.type = cursor_u16(c);
	r->ksymbol.unregister = cursor_u16(c) & MISC_KSYMBOL_UNREGISTER;
	r->ksymbol.name = take_text(c);
}

/* NAMESPACES (4.12): u32 pid, u32 tid, u64 nr, then nr of u64 device, u64 inode: net, uts, ipc,
 * pid, user, mnt, cgroup. */
static void decode_namespaces(struct record *r, struct cursor *c)
{
	enum { NS_PID = 3, NS_MNT = 5 };
	uint64_t nr, inode;

	r->namespaces.pid = cursor_u32(c);
	r->namespaces.tid = cursor_u32(c);
	nr = cursor_u64(c);
	r->namespaces.count = nr;
	r->namespaces.ids = *c;
	for (uint64_t i = 0; i < nr && i <= NS_MNT && cursor_left(c) >= 16; i++) {
		cursor_skip(c, 8);
		inode = cursor_u64(c);
		if (i == NS_PID)
			r->namespaces.pid_ns = inode;
		else if (i == NS_MNT)
			r->namespaces.mnt_ns = inode;
	}
}

/* CALLCHAIN_DEFERRED (6.19): u64 cookie, u64 nr, u64 values[nr] with a context marker first. */
static void decode_deferred(struct record *r, struct cursor *c)
{
	uint64_t nr;

	r->deferred.cookie = cursor_u64(c);
	nr = cursor_u64(c);
	if (nr > cursor_left(c) / 8)
		c->bad = true;
	else
		r->deferred.values = cursor_sub(c, (size_t)nr * 8);
}

static void decode_aux(struct record *r, struct cursor *c)
{
	r->aux.offset = cursor_u64(c);
	r->aux.size = cursor_u64(c);
	r->aux.flags = cursor_u64(c);
}

static void decode_start(struct record *r, struct cursor *c)
{
	r->task.pid = cursor_u32(c);
	r->task.tid = cursor_u32(c);
}

static const struct {
	void (*decode)(struct record *r, struct cursor *c);
	uint16_t min_size; /* bytes after the header */
} decoders[RECORD_KERNEL_MAX] = {
	[RECORD_MMAP] = { decode_mmap, 33 },
	[RECORD_LOST] = { decode_lost, 16 },
	[RECORD_COMM] = { decode_comm, 9 },
	[RECORD_EXIT] = { decode_task, 24 },
	[RECORD_THROTTLE] = { decode_throttle, 24 },
	[RECORD_UNTHROTTLE] = { decode_throttle, 24 },
	[RECORD_FORK] = { decode_task, 24 },
	[RECORD_MMAP2] = { decode_mmap2, 65 },
	[RECORD_AUX] = { decode_aux, 24 },
	[RECORD_ITRACE_START] = { decode_start, 8 },
	[RECORD_LOST_SAMPLES] = { decode_lost_samples, 8 },
	[RECORD_SWITCH] = { decode_switch, 0 },
	[RECORD_SWITCH_CPU_WIDE] = { decode_switch_wide, 8 },
	[RECORD_NAMESPACES] = { decode_namespaces, 16 },
	[RECORD_KSYMBOL] = { decode_ksymbol, 17 },
	[RECORD_CALLCHAIN_DEFERRED] = { decode_deferred, 16 },
};

int record_decode(struct record *r, const struct raw *raw, struct event_list *events)
{
	struct cursor c = raw->body;

	memset(r, 0, sizeof(*r));
	r->type = raw->type;
	r->misc = raw->misc;
	r->offset = raw->offset;
	if (raw->type >= RECORD_KERNEL_MAX || !decoders[raw->type].decode)
		return ERR_ABSENT;
	if (cursor_left(&c) < decoders[raw->type].min_size)
		return ERR_FORMAT;
	record_id_decode(&r->sample_id, raw, events);
	decoders[raw->type].decode(r, &c);
	return c.bad ? ERR_FORMAT : 0;
}

/* HEADER_ATTR: perf_event_attr of its own size, then ids to the end. */
int record_attr(struct capture *f, const struct raw *raw)
{
	struct cursor c = raw->body;
	struct event_attr attr;
	struct pdt_desc *d;

	if (attr_decode(&attr, &c, f->header.big) < 0)
		return ERR_FORMAT;
	d = event_list_add(&f->events, &attr);
	while (cursor_left(&c) >= 8)
		event_list_add_id(&f->events, d, cursor_u64(&c));
	return 0;
}

/* OFFSET SIZE MEANING of STAT (perf 4.4)
 *      0    8 id  8 4 cpu (-1: all)  12 4 thread  16 8 value  24 8 enabled  32 8 running */
int record_stat_decode(struct record_stat *out, const struct raw *raw)
{
	struct cursor c = raw->body;

	out->id = cursor_u64(&c);
	out->cpu = cursor_u32(&c);
	out->thread = cursor_u32(&c);
	out->value = cursor_u64(&c);
	out->enabled_ns = cursor_u64(&c);
	out->running_ns = cursor_u64(&c);
	return c.bad ? ERR_FORMAT : 0;
}

/* STAT_ROUND: u64 type (0 an interval, 1 the last), u64 time */
int record_round_decode(struct pdt_round *out, const struct raw *raw)
{
	struct cursor c = raw->body;

	out->last = cursor_u64(&c) == 1;
	out->time_ns = cursor_u64(&c);
	return c.bad ? ERR_FORMAT : 0;
}

/* EVENT_UPDATE: u64 what (0 unit, 1 scale, 2 name, 3 cpus), u64 id, text; the scale is a double. */
void record_event_update(struct event_list *events, const struct raw *raw)
{
	enum { UNIT, SCALE, NAME };
	struct cursor c = raw->body;
	uint64_t what = cursor_u64(&c), bits;
	struct pdt_desc *d = event_list_by_id(events, cursor_u64(&c));
	struct cursor number = c;
	struct text text = take_text(&c);

	if (d && what == SCALE && cursor_left(&number) >= sizeof(bits)) {
		double scale;

		bits = cursor_u64(&number);
		memcpy(&scale, &bits, sizeof(scale));
		d->scale = isfinite(scale) ? scale : 0;
	} else if (d && what == UNIT && text.len && !d->unit) {
		d->unit = memcpy(xcalloc(text.len + 1, 1), text.s, text.len);
	} else if (d && what == NAME && text.len && !d->named) {
		event_desc_set_name(d, text.s, text.len);
	}
}
