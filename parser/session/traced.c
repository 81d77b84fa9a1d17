/* From what the trace tells to what analyzers see: branches, and instructions now and then, each
 * with the address alone for its stack. */
#include "parser/session/traced.h"
#include "parser/session/inside.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/file/source.h"
#include "parser/trace/callstack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* linux/perf_event.h, PERF_COUNT_HW_* */
#define TYPE_BREAKPOINT 5 /* the last one of the kernel's own */
#define HW_INSTRUCTIONS 1
#define HW_BRANCHES	4

struct traced {
	struct trace *trace;
	struct itrace wanted;
	struct pdt_desc *branches, *insns;
	uint64_t since; /* instructions since the last sample of them */
	uint64_t next;	/* time of the next one, where that decides */
	bool started, begun;
	bool has_branch; /* it comes behind a sample of the same instruction */
	struct trace_event branch;
	uint32_t branch_depth;
	struct call_stacks calls;
	struct counted {
		uint64_t insns, cycles;
	} *counted; /* by buffer: up to its last branch, and its last instruction */
};

void traced_library(bool wanted)
{
	if (wanted)
		(void)flow_library(); /* without it trace_open() says so */
}

static int open_trace(struct session *s, const char *path)
{
	struct traced *t = xcalloc(1, sizeof(*t));
	int rc = 0;

	s->traced = t;
	t->wanted = s->options.itrace;
	if (!s->options.source) {
		rc = source_is_directory(path, s->warnings);
		if (rc > 0) {
			warn_add(s->warnings, SEV_FATAL, "itrace",
				 "%s: --itrace: traces in a directory (perf record --threads) are "
				 "not decoded",
				 path);
			return ERR_USAGE;
		}
		if (rc == 0)
			rc = source_open(&s->options.source, path, s->warnings);
	}
	return rc ?: trace_open(&t->trace, s->options.source, s->warnings);
}

/* That which recorded the trace. */
static const struct event_attr *attr_of_trace(const struct event_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->descs[i]->attr.type > TYPE_BREAKPOINT)
			return &l->descs[i]->attr;
	}
	return NULL;
}

/* As perf makes its events, so that their names and columns are the same: what is excluded of the
 * trace shows in the name. */
static struct pdt_desc *add_desc(struct event_list *l, uint64_t config, uint64_t period,
				 bool per_cpu)
{
	const struct event_attr *like = attr_of_trace(l);
	struct event_attr a = { .size = sizeof(struct event_attr),
				.config = config,
				.sample_period = period };
	struct pdt_desc *d;
	char name[32];

	/* perf's instructions do not say that they have an address, but it is there */
	a.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_PERIOD |
			(per_cpu ? SAMPLE_CPU : 0);
	if (like)
		a.flags = like->flags & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV);
	d = event_list_add(l, &a);
	snprintf(name, sizeof(name), "%s%s", config == HW_BRANCHES ? "branches" : "instructions",
		 a.flags & ATTR_EXCLUDE_KERNEL ? ":u"
		 : a.flags & ATTR_EXCLUDE_USER ? ":k"
					       : "");
	event_desc_set_name(d, name, strlen(name));
	return d;
}

static void begin(struct session *s)
{
	struct traced *t = s->traced;
	struct event_list *l = &s->readers.capture.events;
	bool per_cpu = trace_is_per_cpu(t->trace);

	t->begun = true;
	if (t->wanted.branches || t->wanted.calls || t->wanted.returns)
		t->branches = add_desc(l, HW_BRANCHES, 1, per_cpu);
	if (t->wanted.insns)
		t->insns = add_desc(l, HW_INSTRUCTIONS,
				    t->wanted.unit == ITRACE_INSNS ? t->wanted.period : 1, per_cpu);
	trace_begin(t->trace,
		    &(struct trace_options){ &s->readers.capture, &s->machine, &s->options.symbols,
					     s->warnings, t->wanted.cycles });
	t->counted = xcalloc(2 * (size_t)trace_buffers(t->trace), sizeof(*t->counted));
}

int traced_open(struct session *s, const char *path)
{
	int rc = itrace_any(&s->options.itrace) ? open_trace(s, path) : 0;

	if (s->traced)
		s->options.needs |= PDT_WANT_FLOW;
	if (rc < 0) {
		s->readers.capture.source = s->options.source;
		return rc;
	}
	return readers_open(&s->readers, path, s->options.source, s->options.needs, s->warnings);
}

void traced_free(struct session *s)
{
	if (s->waiting && s->waiting->flags & PENDING_RECORD)
		free(s->waiting->record);
	if (s->traced) {
		trace_free(s->traced->trace);
		call_stacks_release(&s->traced->calls);
		free(s->traced->counted);
	}
	free(s->traced);
}

void traced_record(struct session *s, const struct record *r)
{
	const struct record_id *id = &r->sample_id;

	if (!s->traced)
		return;
	if (r->type == RECORD_ITRACE_START)
		trace_runs(s->traced->trace, id->has_cpu ? id->cpu : UINT32_MAX, r->task.pid,
			   r->task.tid);
	else if (r->type == RECORD_SWITCH_CPU_WIDE && r->sw.out && id->has_cpu)
		trace_runs(s->traced->trace, id->cpu, r->sw.other_pid, r->sw.other_tid);
	else if ((r->type == RECORD_SWITCH || r->type == RECORD_SWITCH_CPU_WIDE) && !r->sw.out &&
		 id->has_cpu && id->has_tid)
		trace_runs(s->traced->trace, id->cpu, id->pid, id->tid);
}

/* perf: calls, and what else enters or leaves the trace, by 'c'; by 'r' what comes back. */
static bool is_wanted(const struct itrace *w, uint32_t flags)
{
	if (w->branches)
		return true;
	return (w->calls && flags & (PDT_FLOW_CALL | PDT_FLOW_ASYNC | PDT_FLOW_END)) ||
	       (w->returns && flags & (PDT_FLOW_RETURN | PDT_FLOW_BEGIN));
}

static uint8_t mode_of(uint64_t ip)
{
	return (int64_t)ip < 0 ? PDT_KERNEL : PDT_USER;
}

static uint32_t chain_of(struct session *s, uint64_t ip)
{
	struct chain_ref ref;

	chain_ref_alone(&ref, CHAIN_NONE, mode_of(ip) == PDT_KERNEL ? CONTEXT_KERNEL : CONTEXT_USER,
			ip);
	chains_begin(&s->readers.in.chains, &ref);
	return chains_add(&s->readers.in.chains, &ref);
}

/* E, at IP of which all is set that does not need the machine. False: a filter takes it out. */
static bool complete(struct session *s, struct pdt_event *e)
{
	const struct filter *f = &s->options.filter;
	struct task task;
	uint32_t chain;

	if (s->passing.counts)
		passing_seen(&s->passing, e);
	if (s->passing.filters && !passing_event(&s->passing, e))
		return false;
	task = machine_task(&s->machine, e->pid, e->tid);
	e->comm = task.comm;
	if (f->comms.count && !s->passing.all && !passing_comm(&s->passing, task.comm))
		return false;
	if (s->passing.fields && !s->passing.all && !passing_fields(&s->passing, e))
		return false;
	if (!(s->options.needs & PDT_WANT_STACKS))
		return true;
	chain = chain_of(s, e->ip);
	s->stacks.now_ns = e->time_ns;
	e->stack = stacks_get(&s->stacks, &s->machine, &s->machine.processes[task.process],
			      &s->readers.in.chains, chain);
	e->chain = s->options.needs & PDT_WANT_ADDRESSES ? chain : PDT_NONE;
	return true;
}

/* What is counted since the last event of that kind which perf shows it at. */
static void count(struct traced *t, const struct trace_event *e, bool insn, struct pdt_values *v)
{
	struct counted *last = &t->counted[2 * (size_t)e->buffer + insn];

	if (!e->flow.counts || e->flow.cycles == last->cycles)
		return;
	v->insns = e->flow.insns - last->insns;
	v->cycles = e->flow.cycles - last->cycles;
	*last = (struct counted){ e->flow.insns, e->flow.cycles };
}

static bool make_event(struct session *s, const struct trace_event *from, struct pdt_desc *d,
		       uint32_t depth, struct pdt_event *out)
{
	struct event_stats *stats = ingest_stats(&s->readers.in, d);
	uint64_t ip = from->flow.from ?: from->flow.to;

	*out = (struct pdt_event){
		.kind = PDT_SAMPLE,
		.time_ns = from->time_ns,
		.has_time = from->time_ns != 0,
		.weight = d == s->traced->insns ? s->traced->since : 1,
		.ip = from->flow.from,
		.desc = d,
		.pid = from->pid,
		.tid = from->tid,
		.cpu = from->cpu,
		.has_cpu = from->cpu != UINT32_MAX,
		.comm = PDT_NONE,
		.stack = PDT_NONE,
		.chain = PDT_NONE,
		.place = PDT_NONE,
		.mode = mode_of(ip),
		.exact = true,
		.flow = from->flow.flags,
		.depth = depth,
	};
	s->values = (struct pdt_values){ .addr = from->flow.to };
	count(s->traced, from, d == s->traced->insns, &s->values);
	out->values = &s->values;
	s->readers.in.stats.samples++;
	stats->samples++;
	stats->weight += out->weight;
	return complete(s, out);
}

/* Is it time for a sample of an instruction? */
static bool sample_is_due(struct traced *t, const struct trace_event *e)
{
	const struct itrace *w = &t->wanted;
	uint64_t now = w->unit == ITRACE_TICKS ? e->flow.tsc : e->time_ns;

	if (!w->insns || e->flow.kind == FLOW_ERROR || !e->flow.from ||
	    e->flow.flags & PDT_FLOW_ASYNC)
		return false;
	t->since++;
	if (w->unit == ITRACE_INSNS)
		return t->since == w->period;
	if (!t->started)
		t->next = now + w->period;
	t->started = true;
	if (now < t->next)
		return false;
	t->next += (now - t->next) / w->period * w->period + w->period;
	return true;
}

/* 1: *OUT is the next event of the trace up to UNTIL_NS that passes the filters; 0: there is none.
 */
static int next_event(struct session *s, uint64_t until_ns, struct pdt_event *out)
{
	struct traced *t = s->traced;
	struct trace_event e;
	int rc;

	if (t->has_branch) {
		t->has_branch = false;
		if (make_event(s, &t->branch, t->branches, t->branch_depth, out))
			return 1;
	}
	while ((rc = trace_next(t->trace, until_ns, &e)) == 1) {
		bool due = sample_is_due(t, &e);
		bool branch = e.flow.kind == FLOW_BRANCH && t->branches &&
			      is_wanted(&t->wanted, e.flow.flags);
		uint32_t depth = e.flow.kind == FLOW_BRANCH && t->branches
					 ? call_stacks_next(&t->calls, &e)
					 : 0;
		bool passes = due && make_event(s, &e, t->insns, 0, out);

		t->since = due ? 0 : t->since;
		if (passes) {
			t->branch = e;
			t->has_branch = branch;
			t->branch_depth = depth;
			return 1;
		}
		if (branch && make_event(s, &e, t->branches, depth, out))
			return 1;
	}
	return rc;
}

int traced_pending(struct session *s, const struct pending **p, struct pdt_event *out)
{
	int rc = 1, before;

	if (!s->waiting)
		rc = readers_next(&s->readers, &s->waiting);
	if (rc < 0)
		return rc;
	if (!s->traced->begun) /* a pipe has told of its events only now */
		begin(s);
	before = next_event(s, rc ? s->waiting->time_ns : UINT64_MAX, out);
	if (before < 0)
		return before;
	if (before) {
		s->readers.in.stats.used++;
		return TRACED_EVENT;
	}
	*p = s->waiting;
	s->waiting = NULL;
	return rc;
}
