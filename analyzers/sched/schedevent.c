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
	idmap_release(&s->left);
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
static void bind_letters(struct sched_binding *b, const struct pdt_format *f, const char *release)
{
	struct pdt_flag flags[32];
	size_t n = pdt_field_flags(f, "prev_state", flags, ARRAY_SIZE(flags));

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

	return c ? c : b->running;
}

/* ---- tracepoints ---- */

static const struct pdt_field *field_if(const struct pdt_format *f, const char *name)
{
	return name ? pdt_format_field(f, name) : NULL;
}

/* F is a number of SIZE bytes. */
static bool lay(const struct pdt_field *f, uint32_t size, struct field_place *to, uint32_t *end)
{
	return field_lay(f, PDT_FIELD_NUMBER, size, to, end);
}

static bool is_wakeup(enum sched_kind kind)
{
	return kind == SCHED_WAKING || kind == SCHED_WAKEUP || kind == SCHED_WAKEUP_NEW;
}

/* Payloads of so many bytes can be read by loads; 0: they have to be read with care. */
static uint32_t plain_size(struct sched_binding *b)
{
	uint32_t end = FIELD_PLACES_END;
	bool needs_next = b->kind == SCHED_SWITCH || b->kind == SCHED_FORK;

	if (!b->pid || b->success || (needs_next && !b->next_pid) ||
	    (b->kind == SCHED_SWITCH && !b->state) || (b->kind == SCHED_RUNTIME && !b->amount) ||
	    !lay(b->pid, 4, &b->pid_at, &end) || !lay(b->next_pid, 4, &b->next_pid_at, &end) ||
	    !lay(b->target, 4, &b->target_at, &end) || !lay(b->origin, 4, &b->origin_at, &end) ||
	    !lay(b->kind == SCHED_SWITCH ? b->state : NULL, 8, &b->state_at, &end) ||
	    !lay(b->kind == SCHED_RUNTIME ? b->amount : NULL, 8, &b->amount_at, &end) ||
	    !lay(is_wakeup(b->kind) ? b->flags : NULL, 1, &b->flags_at, &end))
		return 0;
	return end;
}

static void bind(struct sched_binding *b, const struct pdt_format *f, const char *release)
{
	size_t i = 0;

	b->bound = true;
	if (!f || strcmp(pdt_format_system(f), "sched") != 0)
		return;
	while (i < ARRAY_SIZE(tracepoints) && strcmp(tracepoints[i].name, pdt_format_name(f)) != 0)
		i++;
	if (i == ARRAY_SIZE(tracepoints))
		return;
	b->kind = tracepoints[i].kind;
	b->pid = pdt_format_field(f, tracepoints[i].pid);
	b->next_pid = field_if(f, tracepoints[i].next_pid);
	b->amount = field_if(f, tracepoints[i].amount);
	b->target = field_if(f, tracepoints[i].target);
	b->origin = pdt_format_field(f, "orig_cpu");
	b->comm = pdt_format_field(f, tracepoints[i].comm);
	b->next_comm = field_if(f, tracepoints[i].next_comm);
	b->state = pdt_format_field(f, "prev_state");
	b->success = pdt_format_field(f, "success");
	b->flags = pdt_format_field(f, "common_flags");
	if (b->kind == SCHED_SWITCH) {
		bind_letters(b, f, release);
		b->running = 'R';
	}
	b->plain = plain_size(b);
}

static struct sched_binding *new_binding(struct sched_events *s, const struct pdt_event *e,
					 const struct pdt_session *session)
{
	size_t i = pdt_desc_index(e->desc);
	struct sched_binding *b;

	s->bindings = xgrow_to(s->bindings, &s->count, &s->cap, i, sizeof(*s->bindings));
	b = &s->bindings[i];
	if (!b->bound)
		bind(b, e->format, pdt_text(session, PDT_OSRELEASE));
	return b;
}

static inline const struct sched_binding *
binding_of(struct sched_events *s, const struct pdt_event *e, const struct pdt_session *session)
{
	size_t i = pdt_desc_index(e->desc);

	return i < s->count && s->bindings[i].bound ? &s->bindings[i] : new_binding(s, e, session);
}

/* What read_fields() does, where the fields are known to lie inside. Without a branch on the kind
 * of event: which one is next is as good as random. */
static inline void load_fields(const struct sched_binding *b, const uint8_t *p,
			       struct sched_event *out)
{
	out->pid = field_u32(p, &b->pid_at);
	out->next_pid = field_u32(p, &b->next_pid_at);
	out->state = state_of(b, field_u64(p, &b->state_at));
	out->amount_ns = field_u64(p, &b->amount_at);
	out->target_cpu = field_u32(p, &b->target_at);
	out->origin_cpu = field_u32(p, &b->origin_at);
	out->interrupt = (uint8_t)interrupt_of(p[b->flags_at.at] & b->flags_at.mask);
}

/* False, and *OUT is 0, where there is no such number. */
static bool read_u32(const struct pdt_event *e, const struct pdt_field *f, uint32_t *out)
{
	uint64_t v;
	bool there = pdt_event_number(e, f, &v) == 0;

	*out = (uint32_t)v;
	return there;
}

static bool read_fields(const struct sched_binding *b, const struct pdt_event *e,
			struct sched_event *out)
{
	bool good = read_u32(e, b->pid, &out->pid);
	uint64_t v;

	if (b->kind == SCHED_SWITCH || b->kind == SCHED_FORK)
		good &= read_u32(e, b->next_pid, &out->next_pid);
	if (b->kind == SCHED_SWITCH) {
		good &= pdt_event_number(e, b->state, &v) == 0;
		out->state = state_of(b, v);
	}
	if (b->kind == SCHED_RUNTIME)
		good &= pdt_event_number(e, b->amount, &out->amount_ns) == 0;
	(void)read_u32(e, b->target, &out->target_cpu);
	(void)read_u32(e, b->origin, &out->origin_cpu);
	if (is_wakeup(b->kind))
		out->interrupt = (uint8_t)interrupt_of_event(e, b->flags);
	return good;
}

static bool read_sample(struct sched_events *s, const struct sched_binding *b,
			const struct pdt_event *e, struct sched_event *out)
{
	uint64_t v;

	out->kind = b->kind;
	if (b->plain && e->raw_size >= b->plain) {
		load_fields(b, e->raw, out);
	} else if (b->success && pdt_event_number(e, b->success, &v) == 0 && !v) {
		return false;
	} else if (!read_fields(b, e, out)) {
		s->unreadable++;
		return false;
	}
	out->comm_field = b->comm;
	out->next_comm_field = b->next_comm;
	out->sample = e;
	out->process = e->tid == out->pid ? e->pid : UINT32_MAX;
	return true;
}

/* ---- records ---- */

static void read_record(const struct pdt_event *e, const struct pdt_session *session,
			struct sched_event *out)
{
	static const enum sched_kind kinds[] = {
		[PDT_SWITCH_IN] = SCHED_IN, [PDT_SWITCH_OUT] = SCHED_OUT, [PDT_FORK] = SCHED_FORK,
		[PDT_EXIT] = SCHED_EXIT,    [PDT_COMM] = SCHED_COMM,	  [PDT_LOST] = SCHED_LOST,
	};

	out->kind = kinds[e->kind];
	out->record = true;
	out->pid = e->tid;
	out->process = e->pid;
	out->next_pid = e->other_tid;
	out->next_process = e->other_pid;
	out->amount_ns = e->weight;
	out->state = e->preempted ? 'R' : 'S';
	out->comm = pdt_comm(session, e->comm);
}

const char *sched_comm(const struct sched_event *e, size_t *len)
{
	if (e->sample)
		return pdt_event_text(e->sample, e->comm_field, len);
	*len = e->comm ? strlen(e->comm) : 0;
	return e->comm;
}

const char *sched_next_comm(const struct sched_event *e, size_t *len)
{
	*len = 0;
	return e->sample ? pdt_event_text(e->sample, e->next_comm_field, len) : NULL;
}

/* The event of the tracepoint NAME; its fields are there or not, as READABLE. Formats are read when
 * the first payload comes, so before that it is told by its name. */
static const struct pdt_desc *find_desc(const struct pdt_session *s, const char *name,
					bool readable)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		const struct pdt_format *f = pdt_desc_format(s, d);
		bool has_fields = (f || pdt_number(s, PDT_HAS_FORMATS)) &&
				  pdt_desc_number(s, d, PDT_DESC_SAMPLE_TYPE) & SAMPLE_RAW;

		if (pdt_desc_type(d) != EVENT_TYPE_TRACEPOINT || has_fields != readable)
			continue;
		if (f ? !strcmp(pdt_format_system(f), "sched") && !strcmp(pdt_format_name(f), name)
		      : pdt_desc_is(d, name))
			return d;
	}
	return NULL;
}

bool sched_records(const struct pdt_session *s, const char *name)
{
	return find_desc(s, name, true);
}

/* Which of what is recorded twice counts? */
static void choose(struct sched_events *s, const struct pdt_session *session)
{
	s->chosen = true;
	s->tracepoints = sched_records(session, "sched_switch");
	s->waking = sched_records(session, "sched_waking");
	s->filtering = filter_of(session)->fields;
	s->leaving = s->tracepoints ? NULL : find_desc(session, "sched_switch", false);
}

/* The stack of the sample that the switch-out RECORD follows. */
static void join_stack(struct sched_events *s, struct sched_event *record)
{
	uint32_t left = s->leaving ? idmap_get(&s->left, record->pid) : IDMAP_NONE;

	if (left == IDMAP_NONE)
		return;
	if (record->kind == SCHED_OUT)
		record->stack = left - 1;
	*idmap_put(&s->left, record->pid) = PDT_NONE + 1;
}

bool sched_event_read(struct sched_events *s, const struct pdt_event *e,
		      const struct pdt_session *session, struct sched_event *out)
{
	const struct sched_binding *b = NULL;

	if (!s->chosen)
		choose(s, session);
	if (s->leaving && e->desc == s->leaving)
		*idmap_put(&s->left, e->tid) = e->stack + 1;
	if (e->kind == PDT_SAMPLE) {
		if (!e->raw)
			return false;
		b = binding_of(s, e, session);
		if (b->kind == SCHED_NONE)
			return false;
	}
	/* every member is named: else all of it would be cleared first, and slowly */
	*out = (struct sched_event){
		.kind = SCHED_NONE,
		.record = false,
		.state = 0,
		.interrupt = 0,
		.pid = 0,
		.next_pid = 0,
		.process = 0,
		.next_process = 0,
		.cpu = e->has_cpu ? e->cpu : UINT32_MAX,
		.current = e->tid,
		.current_process = e->pid,
		.target_cpu = 0,
		.origin_cpu = 0,
		.stack = e->stack,
		.left_out = false,
		.time_ns = e->time_ns,
		.amount_ns = 0,
		.comm = NULL,
		.comm_field = NULL,
		.next_comm_field = NULL,
		.sample = NULL,
	};
	if (!b)
		read_record(e, session, out);
	else if (!read_sample(s, b, e, out))
		return false;
	if (e->has_cpu && e->cpu >= SCHED_CPUS_MAX) {
		s->far++;
		return false;
	}
	if (s->filtering)
		out->left_out = !filter_holds(session, filter_ask(session, e));
	s->seen[out->kind]++;
	if (out->kind == SCHED_IN || out->kind == SCHED_OUT) {
		s->switch_records = true;
		join_stack(s, out);
		return !s->tracepoints;
	}
	return out->kind != SCHED_WAKEUP || !s->waking;
}

static bool has_switch_records(const struct pdt_session *s)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++) {
		if (type == RECORD_SWITCH || type == RECORD_SWITCH_CPU_WIDE)
			return true;
	}
	return false;
}

/* Does it have samples of tracepoints, but no formats at all? */
static bool lacks_formats(const struct pdt_session *s)
{
	const struct pdt_desc *d;
	uint64_t samples = 0;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (pdt_desc_format(s, d))
			return false;
		if (pdt_desc_type(d) == EVENT_TYPE_TRACEPOINT)
			samples += pdt_desc_samples(s, d);
	}
	return samples > 0;
}

static int check(const struct pdt_session *s, const char *option, struct warnings *w)
{
	char command[256];

	if (sched_records(s, "sched_switch") || has_switch_records(s))
		return 0;
	if (lacks_formats(s)) {
		const char *why =
			pdt_number(s, PDT_IS_UNFINISHED) ? ": perf writes them when it ends" : "";

		if (pdt_number(s, PDT_HAS_FORMATS))
			warn_add(w, SEV_FATAL, "no-payload",
				 "%s: its tracepoints were recorded without their fields (RAW)",
				 pdt_text(s, PDT_PATH));
		else
			warn_add(w, SEV_FATAL, "no-formats",
				 "%s: there are tracepoints, but not their formats "
				 "(TRACING_DATA)%s",
				 pdt_text(s, PDT_PATH), why);
		return ERR_FORMAT;
	}
	snprintf(command, sizeof(command),
		 "perf record -a %s-c1 -m 1024 -e sched:sched_switch,sched:sched_waking,"
		 "sched:sched_wakeup_new,sched:sched_stat_runtime,sched:sched_migrate_task -- "
		 "sleep 10",
		 option);
	return missing_events(s, "sched:sched_switch", command, w);
}

int sched_check_chains(const struct pdt_session *s, struct warnings *w)
{
	return check(s, "-g ", w);
}

static void tell_far(const struct sched_events *s, struct answer *a, struct warnings *w)
{
	if (!s->far)
		return;
	answer_warn(a, "left out", "%s events, of CPUs past %d", COUNT_TEXT(s->far),
		    SCHED_CPUS_MAX);
	answer_tell(a, "left out: %s events", COUNT_TEXT(s->far));
	warn_add(w, SEV_WARN, "left-out", "left out: %" PRIu64 " events, of CPUs past %d", s->far,
		 SCHED_CPUS_MAX);
}

void sched_facts(const struct sched_events *s, struct answer *a, struct warnings *w)
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
		answer_warn(a, "no wake-ups",
			    "neither sched_waking nor sched_wakeup was recorded: only preempted "
			    "tasks are known to wait, and time blocked includes the wait after it");
	if (!s->seen[SCHED_RUNTIME])
		answer_fact(a, "run time", "from switches: sched_stat_runtime was not recorded");
	if (s->unreadable)
		answer_warn(a, "unreadable", "%" PRIu64 " events, left out", s->unreadable);
	tell_far(s, a, w);
}

int sched_answer(const struct sched_events *e, const struct pdt_session *s, struct answer *a,
		 struct warnings *w)
{
	int rc = check(s, "", w);

	if (rc == 0) {
		answer_capture(a, s);
		sched_facts(e, a, w);
	}
	return rc;
}
