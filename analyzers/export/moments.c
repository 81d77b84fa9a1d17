/* Fields are those of include/trace/events/sched.h and block.h. */
#include "analyzers/export/moments.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <stdlib.h>
#include <string.h>

void moments_release(struct moments *m)
{
	temp_stream_release(&m->rows);
	free(m->bindings);
	free(m->tasks);
	idmap_release(&m->task_ids);
	*m = (struct moments){ 0 };
}

/* ---- what an event is ---- */

enum { PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };
enum { WAKEUP_COMM, WAKEUP_PID, WAKEUP_PRIO, WAKEUP_CPU };
enum { RQ_DEV, RQ_SECTOR, RQ_SECTORS, RQ_BYTES, RQ_ERROR, RQ_RWBS, RQ_COMM };

static const struct {
	const char *event;
	enum profile_kind kind;
	const char *fields[MOMENT_FIELDS];
} known[] = {
	{ "sched:sched_switch",
	  PROFILE_SWITCH,
	  { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid",
	    "next_prio" } },
	{ "sched:sched_waking", PROFILE_WAKING, { "comm", "pid", "prio", "target_cpu" } },
	{ "sched:sched_wakeup", PROFILE_WAKEUP, { "comm", "pid", "prio", "target_cpu" } },
	{ "sched:sched_wakeup_new", PROFILE_WAKEUP_NEW, { "comm", "pid", "prio", "target_cpu" } },
	{ "block:block_rq_issue",
	  PROFILE_ISSUE,
	  { "dev", "sector", "nr_sector", "bytes", NULL, "rwbs", "comm" } },
	{ "block:block_rq_complete",
	  PROFILE_COMPLETE,
	  { "dev", "sector", "nr_sector", NULL, "error", "rwbs", NULL } },
};

static struct moment_binding *bind(struct moments *m, const struct pdt_event *e)
{
	uint32_t i = pdt_desc_index(e->desc);
	struct moment_binding *b;

	m->bindings =
		xgrow_to(m->bindings, &m->binding_count, &m->binding_cap, i, sizeof(*m->bindings));
	b = &m->bindings[i];
	if (b->bound)
		return b;
	b->bound = true;
	for (size_t k = 0; e->format && k < ARRAY_SIZE(known); k++) {
		if (strcmp(known[k].event, pdt_desc_name(e->desc)) != 0)
			continue;
		b->kind = known[k].kind;
		for (size_t f = 0; f < MOMENT_FIELDS; f++)
			b->fields[f] =
				known[k].fields[f] ? pdt_event_field(e, known[k].fields[f]) : NULL;
	}
	return b;
}

/* ---- its fields ---- */

static uint64_t number(const struct pdt_event *e, const struct pdt_field *f)
{
	uint64_t n = 0;

	if (!f || pdt_event_number(e, f, &n) < 0)
		return 0;
	return n;
}

static void text(const struct pdt_event *e, const struct pdt_field *f, char to[PROFILE_COMM])
{
	size_t len = 0;
	const char *from = f ? pdt_event_text(e, f, &len) : NULL;

	if (from)
		memcpy(to, from, len < PROFILE_COMM - 1 ? len : PROFILE_COMM - 1);
}

static void read_switch(const struct moment_binding *b, const struct pdt_event *e,
			struct profile_moment *m)
{
	text(e, b->fields[PREV_COMM], m->comm);
	m->sched_switch.prev = (uint32_t)number(e, b->fields[PREV_PID]);
	m->sched_switch.prev_prio = (int32_t)number(e, b->fields[PREV_PRIO]);
	m->sched_switch.prev_state = (int64_t)number(e, b->fields[PREV_STATE]);
	text(e, b->fields[NEXT_COMM], m->sched_switch.next_comm);
	m->sched_switch.next = (uint32_t)number(e, b->fields[NEXT_PID]);
	m->sched_switch.next_prio = (int32_t)number(e, b->fields[NEXT_PRIO]);
}

static void read_wakeup(const struct moment_binding *b, const struct pdt_event *e,
			struct profile_moment *m)
{
	text(e, b->fields[WAKEUP_COMM], m->comm);
	m->wakeup.tid = (uint32_t)number(e, b->fields[WAKEUP_PID]);
	m->wakeup.prio = (int32_t)number(e, b->fields[WAKEUP_PRIO]);
	m->wakeup.target_cpu = (uint32_t)number(e, b->fields[WAKEUP_CPU]);
}

static void read_request(const struct moment_binding *b, const struct pdt_event *e,
			 struct profile_moment *m)
{
	text(e, b->fields[RQ_COMM], m->comm);
	m->request.dev = (uint32_t)number(e, b->fields[RQ_DEV]);
	m->request.sector = number(e, b->fields[RQ_SECTOR]);
	m->request.sectors = (uint32_t)number(e, b->fields[RQ_SECTORS]);
	m->request.bytes = (uint32_t)number(e, b->fields[RQ_BYTES]);
	m->request.error = (int32_t)number(e, b->fields[RQ_ERROR]);
	text(e, b->fields[RQ_RWBS], m->request.rwbs);
}

static void read_sample(const struct moment_binding *b, const struct pdt_event *e,
			struct profile_moment *m)
{
	(void)b;
	m->sample.event = pdt_desc_index(e->desc);
	m->sample.stack = e->stack;
	m->sample.weight = e->weight;
}

/* ---- records of switches: one of who leaves a CPU, one of who gets it ---- */

#define SAMPLE_RAW    (1u << 10)
#define RUNNABLE      0 /* prev_state: as TASK_RUNNING and TASK_INTERRUPTIBLE in linux/sched.h */
#define INTERRUPTIBLE 1

/* Both are told as a switch, from or to the idle task, which runs where nobody is known to. Which
 * sleep it is they do not tell. */
static void read_record(const struct pdt_event *e, const struct pdt_session *s,
			struct profile_moment *m)
{
	const char *comm = pdt_comm(s, e->comm) ?: "";

	m->kind = PROFILE_SWITCH;
	if (e->kind == PDT_SWITCH_OUT) {
		m->sched_switch.prev = e->tid;
		m->sched_switch.prev_state = e->preempted ? RUNNABLE : INTERRUPTIBLE;
		strncpy(m->comm, comm, PROFILE_COMM - 1);
	} else {
		m->sched_switch.next = e->tid;
		strncpy(m->sched_switch.next_comm, comm, PROFILE_COMM - 1);
	}
}

/* Where the tracepoint is recorded with its fields, it tells more. */
static bool counts(struct moments *m, const struct pdt_event *e, const struct pdt_session *s)
{
	const struct pdt_desc *d;

	if (m->switches == SWITCHES_UNKNOWN) {
		m->switches = SWITCHES_RECORDS;
		for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
			if (!strcmp(pdt_desc_name(d), known[0].event) &&
			    pdt_desc_number(s, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_RAW)
				m->switches = SWITCHES_TRACED;
		}
	}
	if (m->switches != SWITCHES_RECORDS || !e->time_ns)
		return false;
	m->left_out += m->by_cpu && !e->has_cpu;
	return !m->by_cpu || e->has_cpu;
}

/* ---- tasks ---- */

static struct moment_task *task_put(struct moments *m, uint32_t tid)
{
	uint32_t *id;

	if (m->task_count && m->tasks[m->last_task].tid == tid)
		return &m->tasks[m->last_task];
	id = idmap_put(&m->task_ids, tid);
	if (*id == IDMAP_NONE) {
		*id = (uint32_t)m->task_count;
		m->tasks = xgrow(m->tasks, &m->task_cap, m->task_count + 1, sizeof(*m->tasks));
		m->tasks[m->task_count++] = (struct moment_task){ .pid = PROFILE_NONE, .tid = tid };
	}
	m->last_task = *id;
	return &m->tasks[*id];
}

static void name(struct moments *m, uint32_t tid, const char comm[PROFILE_COMM])
{
	struct moment_task *task = task_put(m, tid);

	if (*comm)
		memcpy(task->comm, comm, sizeof(task->comm));
}

/* The thread of a moment tells its process; names come with switches and wake-ups, too. */
void moments_task(struct moments *m, const struct profile_moment *of)
{
	if (of->tid != PROFILE_NONE)
		task_put(m, of->tid)->pid = of->pid;
	if (of->kind == PROFILE_SWITCH) {
		name(m, of->sched_switch.prev, of->comm);
		name(m, of->sched_switch.next, of->sched_switch.next_comm);
	} else if (of->kind == PROFILE_SAMPLE || of->kind == PROFILE_ISSUE) {
		name(m, of->tid, of->comm);
	} else if (of->kind != PROFILE_COMPLETE) {
		name(m, of->wakeup.tid, of->comm);
	}
}

/* ---- the file: of each what all kinds have, and what its own has ---- */

#define COMMON offsetof(struct profile_moment, sample)

static const uint8_t rest_of[] = {
	[PROFILE_SAMPLE] = sizeof(((struct profile_moment *)0)->sample),
	[PROFILE_SWITCH] = sizeof(((struct profile_moment *)0)->sched_switch),
	[PROFILE_WAKING] = sizeof(((struct profile_moment *)0)->wakeup),
	[PROFILE_WAKEUP] = sizeof(((struct profile_moment *)0)->wakeup),
	[PROFILE_WAKEUP_NEW] = sizeof(((struct profile_moment *)0)->wakeup),
	[PROFILE_ISSUE] = sizeof(((struct profile_moment *)0)->request),
	[PROFILE_COMPLETE] = sizeof(((struct profile_moment *)0)->request),
};

void moments_add(struct moments *m, const struct pdt_event *e, const struct pdt_session *s)
{
	static void (*const readers[])(const struct moment_binding *b, const struct pdt_event *e,
				       struct profile_moment *m) = {
		[PROFILE_SAMPLE] = read_sample,	    [PROFILE_SWITCH] = read_switch,
		[PROFILE_WAKING] = read_wakeup,	    [PROFILE_WAKEUP] = read_wakeup,
		[PROFILE_WAKEUP_NEW] = read_wakeup, [PROFILE_ISSUE] = read_request,
		[PROFILE_COMPLETE] = read_request,
	};
	const struct moment_binding *b = NULL;
	struct profile_moment out;

	if (e->kind != PDT_SAMPLE && !counts(m, e, s))
		return;
	memset(&out, 0, sizeof(out));
	out.time_ns = e->time_ns;
	out.cpu = e->has_cpu ? e->cpu : PROFILE_NONE;
	out.pid = e->pid;
	out.tid = e->tid;
	if (e->kind == PDT_SAMPLE) {
		b = bind(m, e);
		out.kind = b->kind;
		readers[b->kind](b, e, &out);
		if (!*out.comm && (b->kind == PROFILE_SAMPLE || b->kind == PROFILE_ISSUE))
			strncpy(out.comm, pdt_comm(s, e->comm) ?: "", PROFILE_COMM - 1);
	} else {
		read_record(e, s, &out);
		m->first_ns = m->first_ns ?: e->time_ns;
		m->last_ns = e->time_ns;
	}
	if (!m->tasks_later)
		moments_task(m, &out);
	temp_stream_add(&m->rows, &out, COMMON + rest_of[out.kind]);
	m->count++;
}

bool moments_next(struct moments *m, struct profile_moment *out)
{
	return temp_stream_next(&m->rows, out, COMMON) &&
	       temp_stream_next(&m->rows, (char *)out + COMMON, rest_of[out->kind]);
}
