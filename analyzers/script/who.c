/* Source of the forms: perf 6.12, tools/perf/builtin-script.c, perf_sample__fprintf_start(). */
#include "analyzers/script/who.h"
#include "analyzers/count/namer.h"
#include "analyzers/script/records.h"
#include "parser/base/abi.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_record.h"

#include <string.h>

/* As %d shows it, V -1 where it is not recorded. */
static void put_int(struct buf *b, uint32_t v, unsigned width, char pad)
{
	if ((int32_t)v < 0)
		buf_printf(b, pad == '0' ? "%0*d" : "%*d", (int)width, (int32_t)v);
	else
		buf_number(b, v, false, width, pad);
}

static const struct kept_text *comm_of(struct printer *p, uint32_t comm)
{
	struct buf b = { 0 };

	if (comm >= p->comm_count)
		p->comms =
			xgrow_to(p->comms, &p->comm_count, &p->comm_cap, comm, sizeof(*p->comms));
	if (!p->comms[comm].text) {
		put_safe(&b, pdt_comm(p->session, comm));
		p->comms[comm] = kept_text_of(&b);
	}
	return &p->comms[comm];
}

static void put_comm(struct printer *p, const struct pdt_event *e, bool padded, struct buf *b)
{
	struct buf made = { 0 };
	struct kept_text t;

	if (pdt_comm(p->session, e->comm)) {
		t = *comm_of(p, e->comm);
	} else {
		struct pdt_record r;

		comm_text(NULL, pdt_event_record(e, &r) ? record_tid(&r, e->tid) : e->tid, &made);
		t = (struct kept_text){ made.data, made.len };
	}
	if (p->options->latency)
		buf_printf(b, "%8.8s ", t.text);
	else {
		if (padded && t.len < 16)
			buf_fill(b, ' ', 16 - t.len);
		buf_add(b, t.text, t.len);
		buf_char(b, ' ');
	}
	buf_release(&made);
}

static void put_ids(const struct pdt_event *e, uint64_t fields, struct buf *b)
{
	if (fields & FIELD_PID)
		put_int(b, e->pid, 7, ' ');
	if (fields & FIELD_PID && fields & FIELD_TID) {
		size_t from = b->len;

		buf_char(b, '/');
		put_int(b, e->tid, 1, ' ');
		if (b->len - from < 8)
			buf_fill(b, ' ', 8 - (b->len - from));
	} else if (fields & FIELD_TID) {
		put_int(b, e->tid, 7, ' ');
	}
	buf_char(b, ' ');
}

static void put_cpu(const struct printer *p, const struct pdt_event *e, struct buf *b)
{
	uint32_t cpu = e->has_cpu ? e->cpu : UINT32_MAX;

	if (p->options->latency) {
		put_int(b, cpu, 3, ' ');
	} else {
		buf_char(b, '[');
		put_int(b, cpu, 3, '0');
		buf_char(b, ']');
	}
	buf_char(b, ' ');
}

/* The letters of a mode are of bit patterns that others contain. */
static unsigned put_mode(unsigned misc, struct buf *b)
{
	static const char letters[] = "KUHGg"; /* MISC_KERNEL and so on */
	unsigned n = 0;

	for (unsigned bits = 1; bits < sizeof(letters); bits++) {
		if ((misc & bits) != bits)
			continue;
		buf_char(b, letters[bits - 1]);
		n++;
	}
	return n;
}

static const char *misc_of_record(const struct pdt_record *r)
{
	switch (r->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return r->misc & MISC_MMAP_DATA ? "M" : "";
	case RECORD_COMM:
		return r->misc & MISC_COMM_EXEC ? "E" : "";
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		return !(r->misc & MISC_SWITCH_OUT)	   ? ""
		       : r->misc & MISC_SWITCH_OUT_PREEMPT ? "Sp"
							   : "S";
	default:
		return "";
	}
}

void misc_put(const struct pdt_event *e, struct buf *b)
{
	static const uint8_t modes[PDT_MODES] = {
		[PDT_USER] = MISC_USER,
		[PDT_KERNEL] = MISC_KERNEL,
		[PDT_HYPERVISOR] = MISC_HYPERVISOR,
		[PDT_GUEST_USER] = MISC_GUEST_USER,
		[PDT_GUEST_KERNEL] = MISC_GUEST_KERNEL,
	};
	struct pdt_record r;
	bool record = pdt_event_record(e, &r);
	unsigned misc = record ? r.misc & MISC_CPUMODE_MASK : modes[e->mode % PDT_MODES];
	const char *more = record ? misc_of_record(&r) : "";
	unsigned n = put_mode(misc, b) + (unsigned)strlen(more);

	buf_str(b, more);
	buf_fill(b, ' ', n < 6 ? 6 - n : 1);
}

void head_put(struct printer *p, const struct pdt_event *e, const struct head_of *of,
	      struct buf *b)
{
	if (of->fields & FIELD_COMM)
		put_comm(p, e, of->padded, b);
	if (of->fields & (FIELD_PID | FIELD_TID))
		put_ids(e, of->fields, b);
	if (of->fields & FIELD_CPU)
		put_cpu(p, e, b);
}
