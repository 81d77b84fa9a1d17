/* What becomes of a record that is no sample. */
#include "parser/recordevent.h"
#include "parser/pdtool_record.h"
#include "parser/base/abi.h"
#include "parser/feed/held.h"
#include "parser/record/record.h"
#include "parser/state/machine.h"

#include <string.h>

/* Which event is a record that is no sample, and who asks for it? */
static const struct {
	unsigned need;
	uint8_t kind;
} record_events[RECORD_KERNEL_MAX] = {
	[RECORD_LOST] = { PDT_WANT_LOST, PDT_LOST },
	[RECORD_COMM] = { PDT_WANT_TASKS, PDT_COMM },
	[RECORD_EXIT] = { PDT_WANT_TASKS, PDT_EXIT },
	[RECORD_FORK] = { PDT_WANT_TASKS, PDT_FORK },
	[RECORD_SWITCH] = { PDT_WANT_SWITCHES, PDT_SWITCH_IN },
	[RECORD_SWITCH_CPU_WIDE] = { PDT_WANT_SWITCHES, PDT_SWITCH_IN },
};

/* What only this type of record tells. */
static void fill(struct pdt_event *e, const struct record *r, struct machine *m)
{
	switch (r->type) {
	case RECORD_LOST:
		e->weight = r->lost.lost;
		break;
	case RECORD_COMM:
		e->pid = r->comm.pid;
		e->tid = r->comm.tid;
		e->exec = r->comm.exec;
		e->comm = machine_thread(m, e->pid, e->tid)->comm;
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		e->pid = r->task.pid;
		e->tid = r->task.tid;
		e->other_pid = r->task.ppid;
		e->other_tid = r->task.ptid;
		e->has_time |= r->task.time_ns != 0;
		e->time_ns = e->time_ns ? e->time_ns : r->task.time_ns;
		break;
	default:
		e->kind = r->sw.out ? PDT_SWITCH_OUT : PDT_SWITCH_IN;
		e->preempted = r->sw.preempt;
		e->other_pid = r->sw.other_pid;
		e->other_tid = r->sw.other_tid;
	}
}

static void begin(struct pdt_event *e, const struct record *r, uint8_t kind)
{
	*e = (struct pdt_event){
		.kind = kind,
		.time_ns = r->sample_id.time_ns,
		.pid = r->sample_id.pid,
		.tid = r->sample_id.tid,
		.cpu = r->sample_id.cpu,
		.has_cpu = r->sample_id.has_cpu,
		.has_time = r->sample_id.has_time,
		.comm = PDT_NONE,
		.stack = PDT_NONE,
		.chain = PDT_NONE,
		.place = PDT_NONE,
	};
}

bool record_event(struct pdt_event *e, const struct record *r, struct machine *m, unsigned needs)
{
	if (!(needs & record_events[r->type].need))
		return false;
	begin(e, r, record_events[r->type].kind);
	fill(e, r, m);
	return true;
}

/* Whom R is about. */
static void find_who(const struct record *r, uint32_t *pid, uint32_t *tid)
{
	switch (r->type) {
	case RECORD_COMM:
		*pid = r->comm.pid;
		*tid = r->comm.tid;
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		*pid = r->task.pid;
		*tid = r->task.tid;
		break;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		*pid = r->mmap.pid;
		*tid = r->mmap.tid;
		break;
	case RECORD_NAMESPACES:
		*pid = r->namespaces.pid;
		*tid = r->namespaces.tid;
		break;
	default:
		*pid = r->sample_id.pid;
		*tid = r->sample_id.tid;
	}
}

void record_whole(struct pdt_event *e, const struct record *r, struct machine *m,
		  const struct held_record *h)
{
	uint32_t pid, tid;

	begin(e, r, PDT_RECORD);
	find_who(r, &pid, &tid);
	if (!r->sample_id.has_tid) {
		e->pid = pid;
		e->tid = tid;
	}
	if (tid != UINT32_MAX)
		e->comm = machine_thread(m, pid, tid)->comm;
	e->raw = (const uint8_t *)h;
	e->raw_size = (uint32_t)(sizeof(*h) + h->size);
}

int pdt_event_record(const struct pdt_event *e, struct pdt_record *out)
{
	struct held_record h;

	if (e->kind != PDT_RECORD || e->raw_size < sizeof(h))
		return 0;
	memcpy(&h, e->raw, sizeof(h));
	*out = (struct pdt_record){ h.type, h.misc, h.swap, e->raw + sizeof(h),
				    e->raw_size - (uint32_t)sizeof(h) };
	return 1;
}
