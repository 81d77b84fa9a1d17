/* Chrome's trace events as JSON (Trace Event Format), which Perfetto and speedscope read, too: for
 * each thread when it ran, an arrow from who woke it, and samples; the same by CPU; and requests
 * to disks. Times are microseconds from the first moment on. */
#include "formats/export/pieces.h"
#include "formats/export/tasks.h"
#include "formats/shown.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CPUS_PID 4194305 /* no process: past PID_MAX_LIMIT (linux/threads.h) */

/* A CPU, and who got it when. */
struct running {
	uint64_t since_ns;
	uint32_t tid;
	uint64_t flow; /* the wake-up that led to it; 0: none is known */
	bool known;
	char comm[PROFILE_COMM];
};

struct chrome {
	const struct profile_part *p;
	struct out *out;
	struct idmap tasks; /* p->tasks by tid */
	struct idmap cpu_ids;
	struct running *cpus;
	size_t cpu_count, cpu_cap;
	struct idmap
		woken; /* by thread: the number of the wake-up that it was not seen to run for */
	uint32_t flows;
	bool any;
};

/* A piece: NS as microseconds. */
static char *piece_us(char *to, uint64_t ns)
{
	to = piece_u64(to, ns / 1000);
	*to++ = '.';
	*to++ = (char)('0' + ns / 100 % 10);
	digit_pair(to, ns);
	return to + 2;
}

static void put_us(struct out *out, uint64_t ns)
{
	out_filled(out, piece_us(out_room(out, PIECES), ns));
}

/* Begin an event: "ph" PHASE, of thread TID of process PID, at NS. */
static void begin(struct chrome *c, char phase, uint32_t pid, uint32_t tid, uint64_t ns)
{
	char *to = out_room(c->out, PIECES);

	*to++ = c->any ? ',' : ' ';
	to = piece_text(to, "\n{\"ph\":\"");
	*to++ = phase;
	to = piece_u64(piece_text(to, "\",\"pid\":"), pid);
	to = piece_u64(piece_text(to, ",\"tid\":"), tid);
	to = piece_us(piece_text(to, ",\"ts\":"), ns > c->p->first_ns ? ns - c->p->first_ns : 0);
	out_filled(c->out, to);
	c->any = true;
}

/* Text of others in quotes. */
static void put_text(struct out *out, const char *text)
{
	shown_put(out, text, strlen(text));
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
		uint32_t pid = pid_of(c->p, &c->tasks, t->tid);

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
		c->cpus[c->cpu_count++] = (struct running){ 0 };
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
	uint32_t pid = pid_of(c->p, &c->tasks, r->tid);

	begin(c, 'X', pid, r->tid, r->since_ns);
	out_str(c->out, ",\"dur\":");
	put_us(c->out, m->time_ns > r->since_ns ? m->time_ns - r->since_ns : 0);
	out_str(c->out, ",\"name\":\"running\",\"cat\":\"sched\",\"args\":{");
	if (m->cpu != PROFILE_NONE) {
		out_str(c->out, "\"cpu\":");
		out_u64(c->out, m->cpu);
	}
	out_str(c->out, "}}");
	if (!r->flow)
		return;
	begin(c, 'f', pid, r->tid, r->since_ns);
	out_str(c->out, ",\"bp\":\"e\",\"id\":");
	out_u64(c->out, r->flow);
	out_str(c->out, ",\"name\":\"wake\",\"cat\":\"sched\"}");
}

/* A CPU's slices touch each other: with a duration, a reader's sum of two numbers could make one
 * end behind the beginning of the next one. Readers find the beginning by the name. */
static void mark_cpu(struct chrome *c, char phase, const struct running *r,
		     const struct profile_moment *m)
{
	if (!r->known || !r->tid || m->cpu == PROFILE_NONE)
		return;
	begin(c, phase, CPUS_PID, m->cpu, m->time_ns);
	out_str(c->out, ",\"name\":");
	put_text(c->out, r->comm);
	out_str(c->out, ",\"cat\":\"sched\",\"args\":{\"tid\":");
	out_u64(c->out, r->tid);
	out_str(c->out, "}}");
}

/* The idle task, 0, runs where nobody does. */
static void on_switch(struct chrome *c, const struct profile_moment *m)
{
	uint32_t next = m->sched_switch.next;
	struct running *r = cpu_at(c, m->cpu, next ?: m->sched_switch.prev);
	uint32_t woken = idmap_get(&c->woken, next);

	if (r->known && r->tid && r->tid == m->sched_switch.prev)
		write_slice(c, r, m);
	mark_cpu(c, 'E', r, m);
	*r = (struct running){ .since_ns = m->time_ns, .tid = next, .known = true };
	memcpy(r->comm, m->sched_switch.next_comm, sizeof(r->comm));
	mark_cpu(c, 'B', r, m);
	if (woken == IDMAP_NONE || !woken)
		return;
	r->flow = woken;
	*idmap_put(&c->woken, next) = 0;
}

static void on_waking(struct chrome *c, const struct profile_moment *m)
{
	if (!m->tid) /* an interrupt, while nobody ran */
		return;
	*idmap_put(&c->woken, m->wakeup.tid) = ++c->flows;
	begin(c, 's', pid_of(c->p, &c->tasks, m->tid), m->tid, m->time_ns);
	out_str(c->out, ",\"id\":");
	out_u64(c->out, c->flows);
	out_str(c->out, ",\"name\":\"wake\",\"cat\":\"sched\"}");
}

/* ---- the rest ---- */

/* What runs at the same time on one device is told apart by its first sector. */
static void on_request(struct chrome *c, const struct profile_moment *m)
{
	uint32_t major = m->request.dev >> 20, minor = m->request.dev & 0xfffff;
	char *to;

	begin(c, m->kind == PROFILE_ISSUE ? 'b' : 'e', 0, 0, m->time_ns);
	to = piece_u64(piece_text(out_room(c->out, PIECES), ",\"id\":\""), major);
	*to++ = ',';
	to = piece_u64(piece_text(piece_u64(to, minor), ":"), m->request.sector);
	to = piece_u64(piece_text(to, "\",\"cat\":\"block\",\"name\":\""), major);
	*to++ = ',';
	out_filled(c->out, piece_text(piece_u64(to, minor), "\",\"args\":{\"rwbs\":"));
	put_text(c->out, m->request.rwbs);
	out_str(c->out, ",\"sector\":");
	out_u64(c->out, m->request.sector);
	out_str(c->out, ",\"sectors\":");
	out_u64(c->out, m->request.sectors);
	out_str(c->out, "}}");
}

static void on_sample(struct chrome *c, const struct profile_moment *m)
{
	const struct profile_part *p = c->p;
	const uint32_t *locations;
	const struct profile_location *l;

	p->stack(p->ctx, m->sample.stack, &locations);
	l = &p->locations[locations[0]];
	begin(c, 'i', pid_of(c->p, &c->tasks, m->tid), m->tid, m->time_ns);
	out_str(c->out, ",\"s\":\"t\",\"name\":");
	put_text(c->out, p->functions[p->lines[l->first].function].name);
	out_str(c->out, ",\"cat\":");
	put_text(c->out, p->events[m->sample.event].name);
	out_str(c->out, ",\"args\":{\"weight\":");
	out_u64(c->out, m->sample.weight);
	out_str(c->out, "}}");
}

void write_chrome(const struct profile_part *p, struct out *out)
{
	struct chrome c = { .p = p, .out = out };
	struct profile_moment m;

	out->quoting = QUOTE_JSON;
	task_ids_make(&c.tasks, p);
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
	idmap_release(&c.tasks);
	idmap_release(&c.cpu_ids);
	idmap_release(&c.woken);
	free(c.cpus);
}
