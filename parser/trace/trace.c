/* The buffers of a trace side by side, each with its decoder and the event that it has ready. */
#include "parser/trace/trace.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"
#include "parser/file/source.h"
#include "parser/trace/auxdata.h"
#include "parser/trace/code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* AUXTRACE_INFO of Intel PT: numbers by place (tools/perf/util/intel-pt.h of perf) */
enum {
	INFO_PMU_TYPE,
	INFO_TIME_SHIFT,
	INFO_TIME_MULT,
	INFO_TIME_ZERO,
	INFO_HAS_TIME,
	INFO_MTC_FREQ_BITS = 11,
	INFO_TSC_CTC_N,
	INFO_TSC_CTC_D,
	INFO_NOM_FREQ = 15,
};

struct trace_queue {
	struct trace *trace;
	uint32_t id;
	uint32_t pid, tid; /* who runs; UINT32_MAX: not known */
	size_t next_piece;
	struct aux_run run;
	struct flow *flow;	 /* of the run; NULL: none is open */
	struct flow_event ready; /* if HAS_READY */
	bool has_ready, ended;
	uint64_t last_tsc;
	/* what is counted: in the runs before, and up to the last event of this one */
	uint64_t insns_before, insns, cycles_before, cycles;
};

struct trace {
	struct trace_options o;
	struct source *source;
	struct aux_data data;
	struct trace_code code;
	struct trace_queue *queues;
	struct time_conv conv;
};

/* ---- to begin with ---- */

static int refuse(struct warnings *w, const struct source *s, const char *why)
{
	warn_add(w, SEV_FATAL, "itrace", "%s: --itrace: %s", source_path(s), why);
	return ERR_ABSENT;
}

static int check(const struct trace *t, struct warnings *w)
{
	const struct aux_data *a = &t->data;

	if (!a->has_info && !a->count) {
		warn_add(w, SEV_FATAL, "itrace",
			 "%s: --itrace: the capture has no trace of instructions (perf record -e "
			 "intel_pt//)",
			 source_path(t->source));
		return ERR_ABSENT;
	}
	if (a->has_info && a->type != AUX_INTEL_PT)
		return refuse(w, t->source, "its trace is not Intel PT, which alone is decoded");
	if (!flow_library())
		return refuse(w, t->source,
			      "libipt is not here, or this program was built without it");
	return 0;
}

int trace_open(struct trace **out, struct source *source, struct warnings *w)
{
	struct trace *t = xcalloc(1, sizeof(*t));
	int rc = source_seekable(source) ? 0 : source_spool(source, w);

	*out = NULL;
	t->source = source;
	if (rc == 0)
		rc = aux_data_read(&t->data, source);
	if (rc == 0)
		rc = check(t, w);
	if (rc == 0)
		*out = t;
	else
		trace_free(t);
	return rc;
}

static uint64_t info(const struct trace *t, unsigned i)
{
	return i < t->data.info_count ? t->data.info[i] : 0;
}

static void find_conv(struct trace *t)
{
	uint64_t shift = info(t, INFO_TIME_SHIFT);

	t->conv = t->o.capture->meta.time_conv;
	if (info(t, INFO_HAS_TIME) && info(t, INFO_TIME_MULT) && shift < 64)
		t->conv = (struct time_conv){ .known = true,
					      .shift = (unsigned)shift,
					      .mult = info(t, INFO_TIME_MULT),
					      .zero = info(t, INFO_TIME_ZERO) };
	t->conv.known &= t->conv.mult && t->conv.shift < 64;
}

void trace_begin(struct trace *t, const struct trace_options *o)
{
	t->o = *o;
	t->code = (struct trace_code){ .meta = &o->capture->meta,
				       .symbols = o->symbols,
				       .machine = o->machine };
	find_conv(t);
	t->queues = xcalloc(t->data.queue_count, sizeof(*t->queues));
	for (uint32_t i = 0; i < t->data.queue_count; i++)
		t->queues[i] = (struct trace_queue){
			.trace = t, .id = i, .pid = UINT32_MAX, .tid = t->data.queues[i].tid
		};
	if (t->data.left_out)
		warn_add(o->warnings, SEV_WARN, "trace-left-out",
			 "%s: %" PRIu64 " pieces of trace are too many: they are not decoded",
			 source_path(t->source), t->data.left_out);
}

bool trace_is_per_cpu(const struct trace *t)
{
	return t->data.queue_count && t->data.queues[0].cpu != UINT32_MAX;
}

uint32_t trace_buffers(const struct trace *t)
{
	return (uint32_t)t->data.queue_count;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->queues && i < t->data.queue_count; i++) {
		flow_free(t->queues[i].flow);
		aux_run_close(&t->queues[i].run);
	}
	free(t->queues);
	trace_code_release(&t->code);
	aux_data_release(&t->data);
	free(t);
}

/* ---- time: linux/perf_event.h, time_mult, time_shift ---- */

static uint64_t to_ns(const struct time_conv *c, uint64_t tsc)
{
	uint64_t rest = tsc & ((UINT64_C(1) << c->shift) - 1);

	if (!c->known || !tsc)
		return 0;
	return c->zero + (tsc >> c->shift) * c->mult + (rest * c->mult >> c->shift);
}

/* The last one that is not later. */
static uint64_t to_tsc(const struct time_conv *c, uint64_t ns)
{
	unsigned __int128 tsc;

	if (!c->known || ns == UINT64_MAX)
		return ns == UINT64_MAX ? UINT64_MAX : 0;
	if (ns < c->zero)
		return 0;
	tsc = ((unsigned __int128)(ns - c->zero + 1) << c->shift) / c->mult;
	return tsc < UINT64_MAX ? (uint64_t)tsc : UINT64_MAX - 1;
}

/* ---- who ---- */

void trace_runs(struct trace *t, uint32_t cpu, uint32_t pid, uint32_t tid)
{
	for (size_t i = 0; i < t->data.queue_count; i++) {
		const struct aux_queue *a = &t->data.queues[i];

		if (a->tid == UINT32_MAX ? a->cpu == cpu : a->tid == tid) {
			t->queues[i].pid = pid;
			t->queues[i].tid = tid;
		}
	}
}

static const struct process *process_of(struct trace_queue *q)
{
	struct machine *m = q->trace->o.machine;
	uint32_t i;

	if (q->pid == UINT32_MAX && q->tid != UINT32_MAX) {
		i = machine_tid(m, q->tid);
		q->pid = i == TASKIDS_NONE ? q->tid : m->threads[i].pid;
	}
	return q->pid == UINT32_MAX ? NULL : &m->processes[machine_task(m, q->pid, q->tid).process];
}

static size_t read_code(void *ctx, uint64_t ip, uint8_t *to, size_t len)
{
	struct trace_queue *q = ctx;
	const struct process *p = process_of(q);

	return p ? trace_code_read(&q->trace->code, p, ip, to, len) : 0;
}

/* ---- decoding ---- */

/* "GenuineIntel,6,158,10" */
static void find_cpu(const struct trace *t, struct flow_options *o)
{
	const char *id = t->o.capture->meta.cpuid;
	unsigned family, model, stepping;

	if (id && sscanf(id, "GenuineIntel,%5u,%3u,%3u", &family, &model, &stepping) == 3) {
		o->family = (uint16_t)family;
		o->model = (uint8_t)model;
		o->stepping = (uint8_t)stepping;
	}
}

/* The field BITS of the config that Intel PT was recorded with. */
static uint64_t config_field(const struct trace *t, uint64_t bits)
{
	const struct event_list *l = &t->o.capture->events;

	for (size_t i = 0; bits && i < l->count; i++) {
		const struct event_attr *a = &l->descs[i]->attr;

		if (a->type == info(t, INFO_PMU_TYPE))
			return (a->config & bits) >> __builtin_ctzll(bits);
	}
	return 0;
}

/* The next run of Q. 1; 0: there are no more. */
static int open_run(struct trace_queue *q)
{
	struct trace *t = q->trace;
	struct flow_options o = { .code = read_code, .ctx = q, .cycles = t->o.cycles };
	int rc = aux_run_open(&q->run, &t->data, t->source, q->id, &q->next_piece);

	if (rc < 0)
		warn_add(t->o.warnings, SEV_FATAL, "itrace", "%s: the trace " TEMP_FAILED,
			 source_path(t->source), strerror(errno));
	if (rc <= 0)
		return rc;
	o.data = q->run.data;
	o.size = q->run.size;
	o.mtc_freq = (uint8_t)config_field(t, info(t, INFO_MTC_FREQ_BITS));
	o.nom_freq = (uint8_t)info(t, INFO_NOM_FREQ);
	o.tsc_ctc_n = (uint32_t)info(t, INFO_TSC_CTC_N);
	o.tsc_ctc_d = (uint32_t)info(t, INFO_TSC_CTC_D);
	find_cpu(t, &o);
	q->flow = flow_new(&o);
	if (q->flow)
		return 1;
	warn_add(t->o.warnings, SEV_FATAL, "itrace", "%s: libipt refuses the trace",
		 source_path(t->source));
	return ERR_FORMAT;
}

static void close_run(struct trace_queue *q)
{
	flow_free(q->flow);
	q->flow = NULL;
	q->insns_before = q->insns;
	q->cycles_before = q->cycles;
	aux_run_close(&q->run);
}

/* By enum flow_error: a name for counting, and what is said of the first. */
static const struct {
	const char *kind, *text;
} errors[FLOW_ERRORS] = {
	[FLOW_NO_CODE] = { "trace-no-code", "what was run there is not at hand" },
	[FLOW_BAD_TRACE] = { "trace-bad", "packets that make no sense" },
	[FLOW_MISMATCH] = { "trace-mismatch", "code and trace do not fit" },
	[FLOW_OVERFLOW] = { "trace-overflow", "the processor lost packets" },
	[FLOW_ENDLESS] = { "trace-endless", "a loop without packets" },
	[FLOW_NO_SYNC] = { "trace-no-sync", "packets before the first point of synchronisation" },
};

static void say_error(const struct trace_queue *q, const struct flow_event *e)
{
	const struct aux_queue *a = &q->trace->data.queues[q->id];

	warn_add(q->trace->o.warnings, SEV_WARN, errors[e->error].kind,
		 "%s: trace of buffer %" PRIu32 ", offset %" PRIu64 ", at 0x%" PRIx64
		 ": %s: it goes on at the next point of synchronisation",
		 source_path(q->trace->source), a->idx, e->offset, e->from, errors[e->error].text);
}

/* Have an event ready, if there is one up to UNTIL. */
static int advance(struct trace_queue *q, uint64_t until)
{
	enum flow_answer answer;
	int rc = 1;

	while (!q->has_ready && !q->ended) {
		if (!q->flow)
			rc = open_run(q);
		if (rc <= 0) {
			q->ended = true;
			return rc;
		}
		answer = flow_next(q->flow, until, &q->ready);
		aux_run_done(&q->run, flow_position(q->flow));
		if (answer == FLOW_LATER)
			return 0;
		if (answer == FLOW_ENDS) {
			close_run(q);
			continue;
		}
		q->has_ready = true;
		if (q->ready.tsc < q->last_tsc)
			q->ready.tsc = q->last_tsc;
		q->last_tsc = q->ready.tsc;
		q->insns = q->ready.insns += q->insns_before;
		q->cycles = q->ready.cycles += q->cycles_before;
		if (q->ready.kind == FLOW_ERROR)
			say_error(q, &q->ready);
	}
	return 0;
}

static void hand_out(struct trace_queue *q, struct trace_event *out)
{
	(void)process_of(q);
	q->has_ready = false;
	*out = (struct trace_event){ .flow = q->ready,
				     .pid = q->pid,
				     .tid = q->tid,
				     .cpu = q->trace->data.queues[q->id].cpu,
				     .buffer = q->id,
				     .time_ns = to_ns(&q->trace->conv, q->ready.tsc) };
}

int trace_next(struct trace *t, uint64_t until_ns, struct trace_event *out)
{
	uint64_t until = to_tsc(&t->conv, until_ns);
	struct trace_queue *best = NULL;

	for (size_t i = 0; i < t->data.queue_count; i++) {
		struct trace_queue *q = &t->queues[i];
		int rc = advance(q, until);

		if (rc < 0)
			return rc;
		if (q->has_ready && q->ready.tsc <= until &&
		    (!best || q->ready.tsc < best->ready.tsc))
			best = q;
	}
	if (!best)
		return 0;
	hand_out(best, out);
	return 1;
}
