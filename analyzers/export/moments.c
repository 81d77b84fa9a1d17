/* Fields are those of include/trace/events/sched.h and block.h. */
#include "analyzers/export/moments.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <stdlib.h>
#include <string.h>

void moments_release(struct moments *m)
{
	temp_stream_release(&m->rows);
	free(m->bindings);
	free(m->whos);
	slots_release(&m->known);
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
	struct {
		const char *name;
		uint32_t size; /* as kernels have it: of a number; 0: it is a text */
	} fields[MOMENT_FIELDS];
} known[] = {
	{ "sched:sched_switch",
	  PROFILE_SWITCH,
	  { { "prev_comm" },
	    { "prev_pid", 4 },
	    { "prev_prio", 4 },
	    { "prev_state", 8 },
	    { "next_comm" },
	    { "next_pid", 4 },
	    { "next_prio", 4 } } },
#define WAKEUP                                           \
	{                                                \
		{ "comm" }, { "pid", 4 }, { "prio", 4 }, \
		{                                        \
			"target_cpu", 4                  \
		}                                        \
	}
	{ "sched:sched_waking", PROFILE_WAKING, WAKEUP },
	{ "sched:sched_wakeup", PROFILE_WAKEUP, WAKEUP },
	{ "sched:sched_wakeup_new", PROFILE_WAKEUP_NEW, WAKEUP },
	{ "block:block_rq_issue",
	  PROFILE_ISSUE,
	  { { "dev", 4 },
	    { "sector", 8 },
	    { "nr_sector", 4 },
	    { "bytes", 4 },
	    { NULL },
	    { "rwbs" },
	    { "comm" } } },
	{ "block:block_rq_complete",
	  PROFILE_COMPLETE,
	  { { "dev", 4 },
	    { "sector", 8 },
	    { "nr_sector", 4 },
	    { NULL },
	    { "error", 4 },
	    { "rwbs" },
	    { NULL } } },
};

/* Text of any length that field_text() reads. */
static bool lay_text(const struct pdt_field *f, struct field_place *to, uint32_t *end)
{
	uint32_t offset, size = 0;

	return !f || (pdt_field_place(f, &offset, &size) && size >= 8 && size <= PROFILE_COMM &&
		      field_lay(f, PDT_FIELD_TEXT, size, to, end));
}

/* Where its fields lie, all of them as kernels have them. */
static void lay(struct moment_binding *b, size_t k)
{
	uint32_t end = FIELD_PLACES_END;

	for (size_t f = 0; f < MOMENT_FIELDS; f++) {
		uint32_t size = known[k].fields[f].size;

		if (!(size ? field_lay(b->fields[f], PDT_FIELD_NUMBER, size, &b->at[f], &end)
			   : lay_text(b->fields[f], &b->at[f], &end)))
			return;
	}
	b->plain = end;
}

static struct moment_binding *bind(struct moments *m, const struct pdt_event *e)
{
	uint32_t i = pdt_desc_index(e->desc);
	struct moment_binding *b;

	if (i < m->binding_count && m->bindings[i].bound)
		return &m->bindings[i];
	m->bindings =
		xgrow_to(m->bindings, &m->binding_count, &m->binding_cap, i, sizeof(*m->bindings));
	b = &m->bindings[i];
	b->bound = true;
	for (size_t k = 0; e->format && k < ARRAY_SIZE(known); k++) {
		if (strcmp(known[k].event, pdt_desc_name(e->desc)) != 0)
			continue;
		b->kind = known[k].kind;
		for (size_t f = 0; f < MOMENT_FIELDS; f++)
			b->fields[f] = known[k].fields[f].name
					       ? pdt_event_field(e, known[k].fields[f].name)
					       : NULL;
		lay(b, k);
	}
	return b;
}

/* ---- whom they tell of ---- */

#define WHO_MOST ((1u << 29) - 1) /* more would not fit into memory, either */

static bool same(const struct profile_who *a, const struct profile_who *b)
{
	return a->tid == b->tid && a->pid == b->pid && a->prio == b->prio &&
	       !memcmp(a->comm, b->comm, sizeof(a->comm));
}

static uint32_t look_up(struct moments *m, const struct profile_who *who)
{
	uint64_t words[4], hash;
	uint32_t id;
	size_t at;

	_Static_assert(sizeof(words) == sizeof(*who), "it is hashed as a whole");
	memcpy(words, who, sizeof(words));
	hash = hash_words(words, ARRAY_SIZE(words));
	slots_reserve(&m->known);
	SLOTS_EACH(&m->known, hash, at, id)
	{
		if (same(&m->whos[id], who))
			return id;
	}
	id = (uint32_t)m->who_count;
	slots_set(&m->known, at, hash, id);
	m->whos = xgrow(m->whos, &m->who_cap, m->who_count + 1, sizeof(*m->whos));
	m->whos[m->who_count++] = *who;
	return id;
}

/* Its number; WHO's task is PROFILE_NONE. It mostly is one that was told not long ago. */
static uint32_t who_id(struct moments *m, const struct profile_who *who)
{
	uint32_t *recent = &m->recent[(who->tid * 2 + (who->pid == PROFILE_NONE)) % MOMENT_RECENT];

	if (*recent >= m->who_count || !same(&m->whos[*recent], who))
		*recent = look_up(m, who);
	return *recent;
}

/* ---- its fields ---- */

static uint64_t number(const struct pdt_event *e, const struct moment_binding *b, size_t i,
		       uint32_t size)
{
	uint64_t n = 0;

	if (b->plain && e->raw_size >= b->plain)
		return size == 8 ? field_u64(e->raw, &b->at[i]) : field_u32(e->raw, &b->at[i]);
	if (!b->fields[i] || pdt_event_number(e, b->fields[i], &n) < 0)
		return 0;
	return n;
}

static void text(const struct pdt_event *e, const struct moment_binding *b, size_t i,
		 char to[PROFILE_COMM])
{
	size_t len = 0;
	const char *from;

	if (b->plain && e->raw_size >= b->plain) {
		field_text(e->raw, &b->at[i], to);
		return;
	}
	from = b->fields[i] ? pdt_event_text(e, b->fields[i], &len) : NULL;
	memset(to, 0, PROFILE_COMM);
	if (from)
		memcpy(to, from, len < PROFILE_COMM - 1 ? len : PROFILE_COMM - 1);
}

#define NOBODY                                                                 \
	{                                                                      \
		.pid = PROFILE_NONE, .tid = PROFILE_NONE, .task = PROFILE_NONE \
	}

static uint32_t read_who(struct moments *m, const struct moment_binding *b,
			 const struct pdt_event *e, size_t comm)
{
	struct profile_who who = NOBODY;

	text(e, b, comm, who.comm);
	who.tid = (uint32_t)number(e, b, comm + 1, 4);
	who.prio = (int32_t)number(e, b, comm + 2, 4);
	return who_id(m, &who);
}

static void read_switch(struct moments *m, const struct moment_binding *b,
			const struct pdt_event *e, struct profile_moment *out)
{
	out->sched_switch.prev_state = (int64_t)number(e, b, PREV_STATE, 8);
	out->sched_switch.prev = read_who(m, b, e, PREV_COMM);
	out->sched_switch.next = read_who(m, b, e, NEXT_COMM);
}

static void read_wakeup(struct moments *m, const struct moment_binding *b,
			const struct pdt_event *e, struct profile_moment *out)
{
	out->wakeup.who = read_who(m, b, e, WAKEUP_COMM);
	out->wakeup.target_cpu = (uint32_t)number(e, b, WAKEUP_CPU, 4);
}

static void read_request(struct moments *m, const struct moment_binding *b,
			 const struct pdt_event *e, struct profile_moment *out)
{
	struct profile_who rwbs = NOBODY;

	text(e, b, RQ_RWBS, rwbs.comm);
	out->request.dev = (uint32_t)number(e, b, RQ_DEV, 4);
	out->request.sector = number(e, b, RQ_SECTOR, 8);
	out->request.sectors = (uint32_t)number(e, b, RQ_SECTORS, 4);
	out->request.bytes = (uint32_t)number(e, b, RQ_BYTES, 4);
	out->request.error = (int32_t)number(e, b, RQ_ERROR, 4);
	out->request.rwbs = who_id(m, &rwbs);
	out->request.unused = 0;
}

static void read_sample(struct moments *m, const struct moment_binding *b,
			const struct pdt_event *e, struct profile_moment *out)
{
	(void)m;
	(void)b;
	out->sample.event = pdt_desc_index(e->desc);
	out->sample.stack = e->stack;
	out->sample.weight = e->weight;
}

static uint32_t thread_of_new(struct moments *m, const struct pdt_event *e,
			      const struct pdt_session *s, uint32_t comm)
{
	struct profile_who who = { .pid = e->pid, .tid = e->tid, .task = PROFILE_NONE };

	if (comm != PDT_NONE)
		strncpy(who.comm, pdt_comm(s, comm) ?: "", PROFILE_COMM - 1);
	return who_id(m, &who);
}

/* The thread of E; whom E is of has its name. */
static inline uint32_t thread_of(struct moments *m, const struct pdt_event *e,
				 const struct pdt_session *s, bool named)
{
	struct moment_thread *recent = &m->threads[(e->tid * 2 + named) % MOMENT_RECENT];
	uint32_t comm = named ? e->comm : PDT_NONE;

	if (!recent->who || recent->tid != e->tid || recent->pid != e->pid || recent->comm != comm)
		*recent = (struct moment_thread){ e->pid, e->tid, comm,
						  thread_of_new(m, e, s, comm) + 1 };
	return recent->who - 1;
}

/* What a request tells of its thread comes first. */
static uint32_t asker_of(struct moments *m, const struct moment_binding *b,
			 const struct pdt_event *e, const struct pdt_session *s)
{
	struct profile_who who = { .pid = e->pid, .tid = e->tid, .task = PROFILE_NONE };

	text(e, b, RQ_COMM, who.comm);
	return *who.comm ? who_id(m, &who) : thread_of(m, e, s, true);
}

/* ---- records of switches: one of who leaves a CPU, one of who gets it ---- */

#define SAMPLE_RAW    (1u << 10)
#define RUNNABLE      0 /* prev_state: as TASK_RUNNING and TASK_INTERRUPTIBLE in linux/sched.h */
#define INTERRUPTIBLE 1

/* Both are told as a switch, from or to the idle task, which runs where nobody is known to. Which
 * sleep it is they do not tell. */
static void read_record(struct moments *m, const struct pdt_event *e, const struct pdt_session *s,
			struct profile_moment *out)
{
	struct profile_who who = NOBODY, idle = NOBODY;
	bool leaves = e->kind == PDT_SWITCH_OUT;

	idle.tid = 0;
	who.tid = e->tid;
	strncpy(who.comm, pdt_comm(s, e->comm) ?: "", PROFILE_COMM - 1);
	out->kind = PROFILE_SWITCH;
	out->sched_switch.prev = who_id(m, leaves ? &who : &idle);
	out->sched_switch.next = who_id(m, leaves ? &idle : &who);
	out->sched_switch.prev_state = leaves && !e->preempted ? INTERRUPTIBLE : RUNNABLE;
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

static void make_task(struct moments *m, struct profile_who *who)
{
	uint32_t *task = idmap_put(&m->task_ids, who->tid);

	if (*task == IDMAP_NONE) {
		*task = (uint32_t)m->task_count;
		m->tasks = xgrow(m->tasks, &m->task_cap, m->task_count + 1, sizeof(*m->tasks));
		m->tasks[m->task_count++] =
			(struct moment_task){ who->tid, PROFILE_NONE, PROFILE_NONE };
	}
	who->task = *task;
}

/* Number ID tells of its task the PROCESS, or the name, or both. */
static inline void tell(struct moments *m, uint32_t id, bool process, bool name)
{
	struct profile_who *who = &m->whos[id];
	struct moment_task *task;

	if (who->task == PROFILE_NONE)
		make_task(m, who);
	task = &m->tasks[who->task];
	if (process)
		task->process = id;
	if (name && *who->comm)
		task->name = id;
}

/* The thread of a moment tells its process; names come with switches and wake-ups, too. */
void moments_task(struct moments *m, const struct profile_moment *of)
{
	bool named = of->kind == PROFILE_SAMPLE || of->kind == PROFILE_ISSUE;
	bool there = m->whos[of->who].tid != PROFILE_NONE;

	if (there || named)
		tell(m, of->who, there, named);
	if (of->kind == PROFILE_SWITCH) {
		tell(m, of->sched_switch.prev, false, true);
		tell(m, of->sched_switch.next, false, true);
	} else if (!named && of->kind != PROFILE_COMPLETE) {
		tell(m, of->wakeup.who, false, true);
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

static void read_event(struct moments *m, const struct pdt_event *e, const struct pdt_session *s,
		       struct profile_moment *out)
{
	static void (*const readers[])(struct moments * m, const struct moment_binding *b,
				       const struct pdt_event *e, struct profile_moment *out) = {
		[PROFILE_SAMPLE] = read_sample,	    [PROFILE_SWITCH] = read_switch,
		[PROFILE_WAKING] = read_wakeup,	    [PROFILE_WAKEUP] = read_wakeup,
		[PROFILE_WAKEUP_NEW] = read_wakeup, [PROFILE_ISSUE] = read_request,
		[PROFILE_COMPLETE] = read_request,
	};
	const struct moment_binding *b = bind(m, e);

	out->kind = b->kind;
	out->who = WHO_MOST &
		   (b->kind == PROFILE_ISSUE ? asker_of(m, b, e, s)
					     : thread_of(m, e, s, b->kind == PROFILE_SAMPLE));
	readers[b->kind](m, b, e, out);
}

void moments_add(struct moments *m, const struct pdt_event *e, const struct pdt_session *s)
{
	struct profile_moment out;

	if (e->kind != PDT_SAMPLE && !counts(m, e, s))
		return;
	out.time_ns = e->time_ns;
	out.cpu = e->has_cpu ? e->cpu : PROFILE_NONE;
	if (e->kind == PDT_SAMPLE) {
		read_event(m, e, s, &out);
	} else {
		out.who = thread_of(m, e, s, false) & WHO_MOST;
		read_record(m, e, s, &out);
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
	struct temp_stream *rows = &m->rows;

	if (rows->used - rows->at >= sizeof(*out)) { /* all of it, and what is behind */
		memcpy(out, rows->buffer + rows->at, sizeof(*out));
		rows->at += COMMON + rest_of[out->kind];
		return true;
	}
	return temp_stream_next(rows, out, COMMON) &&
	       temp_stream_next(rows, (char *)out + COMMON, rest_of[out->kind]);
}
