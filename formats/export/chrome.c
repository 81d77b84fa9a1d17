/* Chrome's trace events as JSON (Trace Event Format), which Perfetto and speedscope read, too: for
 * each thread when it ran, an arrow from who woke it, and samples; the same by CPU; and requests
 * to disks. Times are microseconds from the first moment on. */
#include "formats/export/pieces.h"
#include "formats/export/quoted.h"
#include "formats/export/tasks.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CPUS_PID 4194305 /* no process: past PID_MAX_LIMIT (linux/threads.h) */

#define ROOM (2 * QUOTED_ROOM) /* of a line, but for long texts */

/* What stands in lines of one thread between the phase and the time, and at the end of those of a
 * CPU that it runs on. */
struct lead {
	uint8_t len, tail_len;
	char text[46], tail[48];
};

/* A CPU, and who got it when. */
struct running {
	uint64_t since_ns;
	uint32_t who;
	uint32_t flow; /* the wake-up that led to it; 0: none is known */
	bool known;
	struct lead lead; /* of the CPU as a thread */
};

struct chrome {
	const struct profile_part *p;
	struct out *out;
	struct lead *leads; /* by task, then of no task, then of requests */
	struct idmap cpu_ids;
	struct running *cpus;
	size_t cpu_count, cpu_cap;
	uint32_t
		*woken; /* by task: the wake-up that it was not seen to run for, 0: there is none */
	uint32_t flows;
	struct quoted comms, functions, events; /* comms: of whos */
	uint32_t *innermost;			/* by stack + 1, its function + 1; 0: not yet */
	size_t stack_count, stack_cap;
	struct piece_high high; /* of times */
	struct {
		uint32_t dev;
		size_t len;
		char text[2 * DIGITS_ROOM];
	} device; /* the last one */
	bool any;
};

/* The last eight digits of nanoseconds as microseconds. */
static char *put_low(char *to, uint64_t digits, unsigned zeros)
{
	uint64_t whole = htole64(digits >> 8 * zeros), part = htole64(digits >> 40);

	memcpy(to, &whole, sizeof(whole));
	to += 5 - zeros;
	*to++ = '.';
	memcpy(to, &part, sizeof(part));
	return to + 3;
}

/* A piece: NS as microseconds. */
static inline char *piece_us(struct chrome *c, char *to, uint64_t ns)
{
	uint64_t high = ns / DIGITS_EIGHT, low = digits_eight((uint32_t)(ns % DIGITS_EIGHT));

	if (!high)
		return put_low(to, low, digits_zeros(low, 5));
	return put_low(piece_high(&c->high, to, high), low, 0);
}

static struct lead lead_make(uint32_t pid, uint32_t tid)
{
	struct lead l = { 0 };
	char text[sizeof(l.text) + DIGITS_ROOM] = { 0 };
	char *to = piece_u64(piece_text(text, "\",\"pid\":"), pid);

	to = piece_text(piece_u64(piece_text(to, ",\"tid\":"), tid), ",\"ts\":");
	l.len = (uint8_t)(to - text);
	memcpy(l.text, text, sizeof(l.text));
	memset(text, 0, sizeof(text));
	to = piece_text(text, ",\"cat\":\"sched\",\"args\":{\"tid\":");
	l.tail_len = (uint8_t)(piece_text(piece_u64(to, tid), "}}") - text);
	memcpy(l.tail, text, sizeof(l.tail));
	return l;
}

/* Begin an event: "ph" PHASE, of the thread of L, at NS. Returns where it goes on. */
static char *begin(struct chrome *c, char phase, const struct lead *l, uint64_t ns)
{
	char *to = out_room(c->out, ROOM);

	*to++ = c->any ? ',' : ' ';
	to = piece_text(to, "\n{\"ph\":\"");
	*to++ = phase;
	memcpy(to, l->text, sizeof(l->text));
	c->any = true;
	return piece_us(c, to + l->len, ns > c->p->first_ns ? ns - c->p->first_ns : 0);
}

static const struct lead *lead_of(const struct chrome *c, uint32_t who)
{
	uint32_t task = c->p->whos[who].task;

	return &c->leads[task == PROFILE_NONE ? c->p->task_count : task];
}

static char *put_comm(struct chrome *c, char *to, uint32_t who)
{
	return quoted_put(&c->comms, c->out, to, who, c->p->whos[who].comm);
}

/* ---- who there is ---- */

static void name_thing(struct chrome *c, const char *what, uint32_t pid, uint32_t tid,
		       const char *name)
{
	out_put(c->out, "%c\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,", c->any ? ',' : ' ', pid, tid);
	out_put(c->out, "\"name\":%s,\"args\":{\"name\":%s}}", what, name);
	c->any = true;
}

static void write_names(struct chrome *c)
{
	for (size_t i = 0; i < c->p->task_count; i++) {
		const struct profile_thread *t = &c->p->tasks[i];
		uint32_t pid = task_pid(t);

		c->leads[i] = lead_make(pid, t->tid);
		if (!*t->comm)
			continue;
		name_thing(c, "thread_name", pid, t->tid, t->comm);
		if (pid == t->tid)
			name_thing(c, "process_name", pid, t->tid, t->comm);
	}
}

/* ---- the scheduler ---- */

/* Where no CPU is told, each thread, of which TID is one, has its own. */
static struct running *cpu_at(struct chrome *c, uint32_t cpu, uint32_t tid)
{
	uint32_t *id = idmap_put(&c->cpu_ids, cpu == PROFILE_NONE ? (uint64_t)1 << 32 | tid : cpu);

	if (*id == IDMAP_NONE) {
		struct buf name = { 0 };

		*id = (uint32_t)c->cpu_count;
		c->cpus = xgrow(c->cpus, &c->cpu_cap, c->cpu_count + 1, sizeof(*c->cpus));
		c->cpus[c->cpu_count++] = (struct running){ .lead = lead_make(CPUS_PID, cpu) };
		if (cpu == PROFILE_NONE)
			return &c->cpus[*id];
		if (c->cpu_count == 1)
			name_thing(c, "process_name", CPUS_PID, cpu, "CPUs");
		buf_printf(&name, "CPU %u", cpu);
		name_thing(c, "thread_name", CPUS_PID, cpu, name.data);
		buf_release(&name);
	}
	return &c->cpus[*id];
}

/* What a thread did, and what led to it. */
static void write_slice(struct chrome *c, const struct running *r, const struct profile_moment *m)
{
	const struct lead *l = lead_of(c, r->who);
	char *to = piece_text(begin(c, 'X', l, r->since_ns), ",\"dur\":");

	to = piece_us(c, to, m->time_ns > r->since_ns ? m->time_ns - r->since_ns : 0);
	to = piece_text(to, ",\"name\":\"running\",\"cat\":\"sched\",\"args\":{");
	if (m->cpu != PROFILE_NONE)
		to = piece_u64(piece_text(to, "\"cpu\":"), m->cpu);
	out_filled(c->out, piece_text(to, "}}"));
	if (!r->flow)
		return;
	to = piece_text(begin(c, 'f', l, r->since_ns), ",\"bp\":\"e\",\"id\":");
	to = piece_text(piece_u64(to, r->flow), ",\"name\":\"wake\",\"cat\":\"sched\"}");
	out_filled(c->out, to);
}

/* A CPU's slices touch each other: with a duration, a reader's sum of two numbers could make one
 * end behind the beginning of the next one. Readers find the beginning by the name. */
static void mark_cpu(struct chrome *c, char phase, const struct running *r,
		     const struct profile_moment *m)
{
	const struct lead *thread;
	char *to;

	if (!r->known || !c->p->whos[r->who].tid || m->cpu == PROFILE_NONE)
		return;
	thread = lead_of(c, r->who);
	to = piece_text(begin(c, phase, &r->lead, m->time_ns), ",\"name\":");
	to = put_comm(c, to, r->who);
	memcpy(to, thread->tail, sizeof(thread->tail));
	out_filled(c->out, to + thread->tail_len);
}

/* The idle task, 0, runs where nobody does. */
static void on_switch(struct chrome *c, const struct profile_moment *m)
{
	const struct profile_who *whos = c->p->whos;
	const struct profile_who *next = &whos[m->sched_switch.next];
	const struct profile_who *prev = &whos[m->sched_switch.prev];
	struct running *r = cpu_at(c, m->cpu, next->tid ?: prev->tid);

	if (r->known && prev->tid && whos[r->who].tid == prev->tid)
		write_slice(c, r, m);
	mark_cpu(c, 'E', r, m);
	r->since_ns = m->time_ns;
	r->who = m->sched_switch.next;
	r->known = true;
	mark_cpu(c, 'B', r, m);
	r->flow = c->woken[next->task];
	c->woken[next->task] = 0;
}

static void on_waking(struct chrome *c, const struct profile_moment *m)
{
	char *to;

	if (!c->p->whos[m->who].tid) /* an interrupt, while nobody ran */
		return;
	c->woken[c->p->whos[m->wakeup.who].task] = ++c->flows;
	to = piece_text(begin(c, 's', lead_of(c, m->who), m->time_ns), ",\"id\":");
	to = piece_text(piece_u64(to, c->flows), ",\"name\":\"wake\",\"cat\":\"sched\"}");
	out_filled(c->out, to);
}

/* ---- the rest ---- */

/* What runs at the same time on one device is told apart by its first sector. */
static void on_request(struct chrome *c, const struct profile_moment *m)
{
	const struct lead *l = &c->leads[c->p->task_count + 1];
	char *to, *sector;
	size_t digits;

	if (!c->device.len || m->request.dev != c->device.dev) {
		to = piece_u64(c->device.text, m->request.dev >> 20);
		*to++ = ',';
		c->device.len = (size_t)(piece_u64(to, m->request.dev & 0xfffff) - c->device.text);
		c->device.dev = m->request.dev;
	}
	to = begin(c, m->kind == PROFILE_ISSUE ? 'b' : 'e', l, m->time_ns);
	to = piece_text(to, ",\"id\":\"");
	memcpy(to, c->device.text, sizeof(c->device.text));
	sector = piece_text(to + c->device.len, ":");
	to = piece_u64(sector, m->request.sector);
	digits = (size_t)(to - sector);
	to = piece_text(to, "\",\"cat\":\"block\",\"name\":\"");
	memcpy(to, c->device.text, sizeof(c->device.text));
	to = put_comm(c, piece_text(to + c->device.len, "\",\"args\":{\"rwbs\":"), m->request.rwbs);
	to = piece_text(to, ",\"sector\":");
	memcpy(to, sector, DIGITS_MAX);
	to += digits;
	to = piece_u64(piece_text(to, ",\"sectors\":"), m->request.sectors);
	out_filled(c->out, piece_text(to, "}}"));
}

/* The innermost one of STACK. */
static uint32_t function_of(struct chrome *c, uint32_t stack)
{
	const struct profile_part *p = c->p;
	const uint32_t *locations;
	uint32_t *of;

	stack++; /* no stack at all has the first place */
	c->innermost = xgrow_to(c->innermost, &c->stack_count, &c->stack_cap, stack, sizeof(*of));
	of = &c->innermost[stack];
	if (!*of) {
		p->stack(p->ctx, stack - 1, &locations);
		*of = p->lines[p->locations[locations[0]].first].function + 1;
	}
	return *of - 1;
}

static void on_sample(struct chrome *c, const struct profile_moment *m)
{
	const struct profile_part *p = c->p;
	uint32_t function = function_of(c, m->sample.stack), event = m->sample.event;
	char *to;

	to = begin(c, 'i', lead_of(c, m->who), m->time_ns);
	to = piece_text(to, ",\"s\":\"t\",\"name\":");
	to = quoted_put(&c->functions, c->out, to, function, p->functions[function].name);
	to = piece_text(to, ",\"cat\":");
	to = quoted_put(&c->events, c->out, to, event, p->events[event].name);
	to = piece_u64(piece_text(to, ",\"args\":{\"weight\":"), m->sample.weight);
	out_filled(c->out, piece_text(to, "}}"));
}

void write_chrome(const struct profile_part *p, struct out *out)
{
	struct chrome c = { .p = p, .out = out };
	struct profile_moment m;

	out->quoting = QUOTE_JSON;
	c.leads = xcalloc(p->task_count + 2, sizeof(*c.leads));
	c.leads[p->task_count] = lead_make(PROFILE_NONE, PROFILE_NONE);
	c.leads[p->task_count + 1] = lead_make(0, 0);
	c.woken = xcalloc(p->task_count + 1, sizeof(*c.woken));
	out_str(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	write_names(&c);
	for (p->begin_moments(p->ctx); next_moment(p, &m, out);) {
		if (m.kind == PROFILE_SAMPLE)
			on_sample(&c, &m);
		else if (m.kind == PROFILE_SWITCH)
			on_switch(&c, &m);
		else if (m.kind == PROFILE_WAKING || m.kind == PROFILE_WAKEUP_NEW)
			on_waking(&c, &m);
		else if (m.kind == PROFILE_ISSUE || m.kind == PROFILE_COMPLETE)
			on_request(&c, &m);
	}
	out_str(out, "]}\n");
	quoted_release(&c.comms);
	quoted_release(&c.functions);
	quoted_release(&c.events);
	idmap_release(&c.cpu_ids);
	free(c.innermost);
	free(c.leads);
	free(c.woken);
	free(c.cpus);
}
