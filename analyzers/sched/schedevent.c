/* Finds the scheduler's events among those of a capture, and decodes their fields. Says which
 * of them are missing, and with which command they would have been recorded. */
#include "analyzers/sched/schedevent.h"
#include "analyzers/count/missing.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tracepoints and the names of their fields; NULL: none. */
static const struct {
	const char *name;
	enum sched_kind kind;
	const char *pid, *next_pid, *amount, *target, *comm, *next_comm;
} tracepoints[] = {
	{ "sched_switch", SCHED_SWITCH, "prev_pid", "next_pid", NULL, NULL, "prev_comm",
	  "next_comm" },
	{ "sched_waking", SCHED_WAKING, "pid", NULL, NULL, "target_cpu", "comm", NULL },
	{ "sched_wakeup", SCHED_WAKEUP, "pid", NULL, NULL, "target_cpu", "comm", NULL },
	{ "sched_wakeup_new", SCHED_WAKEUP_NEW, "pid", NULL, NULL, "target_cpu", "comm", NULL },
	{ "sched_stat_runtime", SCHED_RUNTIME, "pid", NULL, "runtime", NULL, "comm", NULL },
	{ "sched_migrate_task", SCHED_MIGRATE, "pid", NULL, NULL, "dest_cpu", "comm", NULL },
	{ "sched_process_fork", SCHED_FORK, "child_pid", "parent_pid", NULL, NULL, "child_comm",
	  NULL },
};

void sched_events_release(struct sched_events *s)
{
	free(s->bindings);
}

/* ---- states ---- */

/* Letters of the states by bit, for kernels whose print format does not tell. */
static const struct {
	unsigned major, minor; /* from this kernel on */
	const char *letters;   /* '-': shown as runnable */
} state_letters[] = {
	{ 4, 14, "SDTtXZPI" },
	{ 3, 15, "SDTtXZxKWPN" },
	{ 0, 0, "SDTtZXxKW" },
};

static void letters_by_release(const char *release, char *letters)
{
	unsigned major = 99, minor = 0;

	if (release && sscanf(release, "%u.%u", &major, &minor) != 2)
		major = 99;
	for (size_t i = 0; i < ARRAY_SIZE(state_letters); i++) {
		if (major < state_letters[i].major ||
		    (major == state_letters[i].major && minor < state_letters[i].minor))
			continue;
		memcpy(letters, state_letters[i].letters, strlen(state_letters[i].letters));
		return;
	}
}

/* The event's own list of flags says what its bits mean. */
static void bind_letters(struct sched_binding *b, const struct trace_format *f, const char *release)
{
	struct trace_flag flags[32];
	size_t n = trace_flags(f, "prev_state", flags, ARRAY_SIZE(flags));

	memset(b->letters, 0, sizeof(b->letters));
	for (size_t i = 0; i < n; i++) {
		char c = flags[i].text[0];

		if (flags[i].value && c > ' ' && c < 127)
			b->letters[__builtin_ctzll(flags[i].value)] = c;
	}
	if (!n)
		letters_by_release(release, b->letters);
}

/* A bit that no letter stands for says that the task can still run. Old kernels may set several:
 * the lowest one counts. */
static char state_of(const struct sched_binding *b, uint64_t state)
{
	char c = state ? b->letters[__builtin_ctzll(state)] : 0;

	return c ? c : 'R';
}

/* ---- tracepoints ---- */

static const struct trace_field *field_if(const struct trace_format *f, const char *name)
{
	return name ? trace_field(f, name) : NULL;
}

/* Grow *END by the end of F. False when F, which may be NULL, is not a number of SIZE bytes. */
static bool lies_plain(const struct trace_field *f, uint32_t size, uint32_t *end)
{
	if (!f)
		return true;
	if (f->kind != FIELD_NUMBER || f->swap || f->size != size || f->offset > UINT16_MAX)
		return false;
	if (f->offset + size > *end)
		*end = f->offset + size;
	return true;
}

/* Payloads of so many bytes can be read by loads; 0: they have to be read with care. */
static uint32_t plain_size(const struct sched_binding *b)
{
	uint32_t end = 0;
	bool needs_next = b->kind == SCHED_SWITCH || b->kind == SCHED_FORK;

	if (!b->pid || b->success || (needs_next && !b->next_pid) ||
	    (b->kind == SCHED_SWITCH && !b->state) || (b->kind == SCHED_RUNTIME && !b->amount) ||
	    !lies_plain(b->pid, 4, &end) || !lies_plain(b->next_pid, 4, &end) ||
	    !lies_plain(b->target, 4, &end) || !lies_plain(b->origin, 4, &end) ||
	    !lies_plain(b->state, 8, &end) || !lies_plain(b->amount, 8, &end))
		return 0;
	return end;
}

static void bind(struct sched_binding *b, const struct trace_format *f, const char *release)
{
	size_t i = 0;

	b->bound = true;
	if (!f || strcmp(f->system, "sched") != 0)
		return;
	while (i < ARRAY_SIZE(tracepoints) && strcmp(tracepoints[i].name, f->name) != 0)
		i++;
	if (i == ARRAY_SIZE(tracepoints))
		return;
	b->kind = tracepoints[i].kind;
	b->pid = trace_field(f, tracepoints[i].pid);
	b->next_pid = field_if(f, tracepoints[i].next_pid);
	b->amount = field_if(f, tracepoints[i].amount);
	b->target = field_if(f, tracepoints[i].target);
	b->origin = trace_field(f, "orig_cpu");
	b->comm = trace_field(f, tracepoints[i].comm);
	b->next_comm = field_if(f, tracepoints[i].next_comm);
	b->state = trace_field(f, "prev_state");
	b->success = trace_field(f, "success");
	if (b->kind == SCHED_SWITCH)
		bind_letters(b, f, release);
	b->plain = plain_size(b);
}

static struct sched_binding *new_binding(struct sched_events *s, const struct event *e,
					 const struct session *session)
{
	size_t want = e->desc->index + 1;
	struct sched_binding *b;

	if (want > s->count) {
		s->bindings = xgrow(s->bindings, &s->cap, want, sizeof(*s->bindings));
		memset(s->bindings + s->count, 0, (want - s->count) * sizeof(*s->bindings));
		s->count = want;
	}
	b = &s->bindings[e->desc->index];
	if (!b->bound)
		bind(b, e->payload->format, session_capture(session)->meta.osrelease);
	return b;
}

static inline const struct sched_binding *binding_of(struct sched_events *s, const struct event *e,
						     const struct session *session)
{
	size_t i = e->desc->index;

	return i < s->count && s->bindings[i].bound ? &s->bindings[i] : new_binding(s, e, session);
}

static inline uint32_t load_u32(const struct trace_field *f, const uint8_t *p)
{
	uint32_t v = 0;

	if (f)
		memcpy(&v, p + f->offset, sizeof(v));
	return v;
}

static inline uint64_t load_u64(const struct trace_field *f, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p + f->offset, sizeof(v));
	return v;
}

/* What read_fields() does, where the fields are known to lie inside. */
static void load_fields(const struct sched_binding *b, const uint8_t *p, struct sched_event *out)
{
	out->pid = load_u32(b->pid, p);
	out->next_pid = load_u32(b->next_pid, p);
	if (b->kind == SCHED_SWITCH)
		out->state = state_of(b, load_u64(b->state, p));
	if (b->kind == SCHED_RUNTIME)
		out->amount_ns = load_u64(b->amount, p);
	out->target_cpu = load_u32(b->target, p);
	out->origin_cpu = load_u32(b->origin, p);
}

/* A number that must be there. */
static bool need_u32(const struct trace_field *f, const struct payload *p, uint32_t *out)
{
	uint64_t v;
	bool there = trace_number(f, p, &v);

	*out = (uint32_t)v;
	return there;
}

static bool read_fields(const struct sched_binding *b, const struct payload *p,
			struct sched_event *out)
{
	bool good = need_u32(b->pid, p, &out->pid);
	uint64_t v;

	if (b->kind == SCHED_SWITCH || b->kind == SCHED_FORK)
		good &= need_u32(b->next_pid, p, &out->next_pid);
	if (b->kind == SCHED_SWITCH) {
		good &= trace_number(b->state, p, &v);
		out->state = state_of(b, v);
	}
	if (b->kind == SCHED_RUNTIME)
		good &= trace_number(b->amount, p, &out->amount_ns);
	out->target_cpu = (uint32_t)trace_u64(b->target, p);
	out->origin_cpu = (uint32_t)trace_u64(b->origin, p);
	return good;
}

static bool read_sample(struct sched_events *s, const struct event *e,
			const struct session *session, struct sched_event *out)
{
	const struct payload *p = e->payload;
	const struct sched_binding *b;
	uint64_t v;

	if (!p)
		return false;
	b = binding_of(s, e, session);
	out->kind = b->kind;
	if (b->kind == SCHED_NONE)
		return false;
	if (b->plain && p->size >= b->plain) {
		load_fields(b, p->bytes, out);
	} else if (b->success && trace_number(b->success, p, &v) && !v) {
		return false;
	} else if (!read_fields(b, p, out)) {
		s->unreadable++;
		return false;
	}
	out->comm_field = b->comm;
	out->next_comm_field = b->next_comm;
	out->payload = p;
	out->process = e->tid == out->pid ? e->pid : UINT32_MAX;
	return true;
}

/* ---- records ---- */

static void read_record(const struct event *e, const struct session *session,
			struct sched_event *out)
{
	static const enum sched_kind kinds[] = {
		[EVENT_SWITCH_IN] = SCHED_IN, [EVENT_SWITCH_OUT] = SCHED_OUT,
		[EVENT_FORK] = SCHED_FORK,    [EVENT_EXIT] = SCHED_EXIT,
		[EVENT_COMM] = SCHED_COMM,    [EVENT_LOST] = SCHED_LOST,
	};

	out->kind = kinds[e->kind];
	out->record = true;
	out->pid = e->tid;
	out->process = e->pid;
	out->next_pid = e->other_tid;
	out->next_process = e->other_pid;
	out->amount_ns = e->weight;
	out->state = e->preempted ? 'R' : 'S';
	out->comm = session_comm(session, e->comm);
}

const char *sched_comm(const struct sched_event *e, size_t *len)
{
	if (e->payload)
		return trace_text(e->comm_field, e->payload, len);
	*len = e->comm ? strlen(e->comm) : 0;
	return e->comm;
}

const char *sched_next_comm(const struct sched_event *e, size_t *len)
{
	*len = 0;
	return e->payload ? trace_text(e->next_comm_field, e->payload, len) : NULL;
}

bool sched_records(const struct session *s, const char *name)
{
	const struct event_list *events = &session_capture(s)->events;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *d = events->descs[i];
		const struct trace_format *f = session_format(s, d);

		if (f && !strcmp(f->system, "sched") && !strcmp(f->name, name))
			return true;
		if (!f && d->attr.type == EVENT_TYPE_TRACEPOINT && event_desc_is(d, name))
			return true;
	}
	return false;
}

/* Which of what is recorded twice counts? */
static void choose(struct sched_events *s, const struct session *session)
{
	s->chosen = true;
	s->tracepoints = sched_records(session, "sched_switch");
	s->waking = sched_records(session, "sched_waking");
}

bool sched_event_read(struct sched_events *s, const struct event *e, const struct session *session,
		      struct sched_event *out)
{
	if (!s->chosen)
		choose(s, session);
	/* up to 80 bytes are cleared by stores; more, slowly */
	memset(out, 0, offsetof(struct sched_event, payload));
	out->payload = NULL;
	out->time_ns = e->time_ns;
	out->cpu = e->has_cpu ? e->cpu : UINT32_MAX;
	out->current = e->tid;
	out->current_process = e->pid;
	if (e->kind != EVENT_SAMPLE)
		read_record(e, session, out);
	else if (!read_sample(s, e, session, out))
		return false;
	s->seen[out->kind]++;
	if (out->kind == SCHED_IN || out->kind == SCHED_OUT) {
		s->switch_records = true;
		return !s->tracepoints;
	}
	return out->kind != SCHED_WAKEUP || !s->waking;
}

static bool has_switch_records(const struct session *s)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; session_record_count(s, i, &type, &count); i++) {
		if (type == RECORD_SWITCH || type == RECORD_SWITCH_CPU_WIDE)
			return true;
	}
	return false;
}

/* Does it have samples of tracepoints, but no formats at all? */
static bool lacks_formats(const struct session *s)
{
	const struct event_list *events = &session_capture(s)->events;
	uint64_t samples = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *d = events->descs[i];

		if (session_format(s, d))
			return false;
		if (d->attr.type == EVENT_TYPE_TRACEPOINT)
			samples += session_event_stats(s, d)->samples;
	}
	return samples > 0;
}

static int check(const struct session *s, const char *option, struct warnings *w)
{
	const struct capture *c = session_capture(s);
	char command[256];

	if (lacks_formats(s)) {
		const char *why = c->header.unfinished ? ": perf writes them when it ends" : "";

		if (c->meta.tracing_data)
			warn_add(w, SEV_FATAL, "no-payload",
				 "%s: its tracepoints were recorded without their fields (RAW)",
				 session_path(s));
		else
			warn_add(w, SEV_FATAL, "no-formats",
				 "%s: there are tracepoints, but not their formats "
				 "(TRACING_DATA)%s",
				 session_path(s), why);
		return ERR_FORMAT;
	}
	if (sched_records(s, "sched_switch") || has_switch_records(s))
		return 0;
	snprintf(command, sizeof(command),
		 "perf record -a %s-c1 -m 1024 -e sched:sched_switch,sched:sched_waking,"
		 "sched:sched_wakeup_new,sched:sched_stat_runtime,sched:sched_migrate_task -- "
		 "sleep 10",
		 option);
	return missing_events(s, "sched:sched_switch", command, w);
}

int sched_check(const struct session *s, struct warnings *w)
{
	return check(s, "", w);
}

int sched_check_chains(const struct session *s, struct warnings *w)
{
	return check(s, "-g ", w);
}

void sched_facts(const struct sched_events *s, struct answer *a)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		if (s->seen[tracepoints[i].kind] && tracepoints[i].kind != SCHED_FORK)
			buf_printf(&b, "%s%s %" PRIu64, b.len ? ", " : "", tracepoints[i].name,
				   s->seen[tracepoints[i].kind]);
	}
	if (!s->tracepoints)
		buf_printf(&b, "%sSWITCH records %" PRIu64, b.len ? ", " : "",
			   s->seen[SCHED_IN] + s->seen[SCHED_OUT]);
	answer_fact(a, "events", "%s", b.len ? b.data : "none");
	buf_release(&b);
	if (!s->seen[SCHED_WAKING] && !s->seen[SCHED_WAKEUP])
		answer_fact(a, "no wake-ups",
			    "neither sched_waking nor sched_wakeup was recorded: only preempted "
			    "tasks are known to wait, and time blocked includes the wait after it");
	if (!s->seen[SCHED_RUNTIME])
		answer_fact(a, "run time", "from switches: sched_stat_runtime was not recorded");
	if (s->unreadable)
		answer_fact(a, "unreadable", "%" PRIu64 " events, left out", s->unreadable);
}
