/* Perfetto's own form: packets one after the other. Moments of the scheduler and of disks are the
 * kernel's events, from which its reader makes slices, states and wake-ups by itself; samples are
 * those of its own profiler, for each event a sequence, in which what a stack consists of comes
 * before the first sample that has it. */
#include "formats/export/tasks.h"
#include "formats/export/perfetto.pb-c.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SEQUENCE	  1 /* of all but samples; those of event I have 2 + I */
#define CLEARED		  1 /* SEQ_INCREMENTAL_STATE_CLEARED */
#define NEEDS		  2 /* SEQ_NEEDS_INCREMENTAL_STATE */
#define CLOCK_REALTIME_ID 1
#define CLOCK_MONO_ID	  3
#define CLOCK_BOOT_ID	  6
#define BATCH		  64  /* of the kernel's events in a packet */
#define SIZE_MOST	  256 /* of one of them, or of a sample: a dozen numbers, two names */

/* What was told of one sequence: by kind and number of the thing, its number there. */
enum thing { THING_FUNCTION, THING_MODULE, THING_LINE, THING_STACK };

struct told {
	struct idmap things;
	uint32_t stacks;
	uint32_t last, last_number; /* of a stack; last_number: 0: there is none */
	bool begun;
};

struct perfetto {
	const struct profile_part *p;
	struct out *out;
	struct idmap tasks; /* p->tasks by tid */
	struct told *told;  /* by event */
	uint8_t *packed;
	size_t packed_cap;
	/* the kernel's events of one CPU that wait for their packet */
	Perfetto__FtraceEvent events[BATCH], *list[BATCH];
	struct profile_moment moments[BATCH];
	union {
		Perfetto__SchedSwitch sched_switch;
		Perfetto__SchedWakeup wakeup;
		Perfetto__BlockRqIssue issue;
		Perfetto__BlockRqComplete complete;
	} parts[BATCH];
	size_t count;
};

/* A packet that is known to take at most SIZE bytes is not measured first, which takes as long as
 * to write it; those of numbers alone, and names of threads, have few. */
static void put_within(struct perfetto *x, Perfetto__TracePacket *packet, size_t size)
{
	Perfetto__TracePacket *list[1] = { packet };
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	uint8_t *to = (uint8_t *)out_room(x->out, size);

	trace.packet = list;
	trace.n_packet = 1;
	out_filled(x->out, (char *)to + perfetto__trace__pack(&trace, to));
}

static void put(struct perfetto *x, Perfetto__TracePacket *packet)
{
	Perfetto__TracePacket *list[1] = { packet };
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	size_t size;

	trace.packet = list;
	trace.n_packet = 1;
	size = perfetto__trace__get_packed_size(&trace);
	x->packed = xgrow(x->packed, &x->packed_cap, size, 1);
	perfetto__trace__pack(&trace, x->packed);
	out_write(x->out, x->packed, size);
}

#define SET(message, field, value)            \
	do {                                  \
		(message).has_##field = true; \
		(message).field = (value);    \
	} while (0)

static Perfetto__TracePacket packet_of(uint32_t sequence)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	SET(packet, trusted_packet_sequence_id, sequence);
	return packet;
}

/* ---- what the whole is ---- */

/* The capture's clock stands for the two that the reader takes for granted. */
static void write_clocks(struct perfetto *x)
{
	const struct profile_part *p = x->p;
	Perfetto__TracePacket packet = packet_of(SEQUENCE);
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__ClockSnapshot__Clock clocks[3], *list[3];
	const uint32_t ids[3] = { CLOCK_BOOT_ID, CLOCK_MONO_ID, CLOCK_REALTIME_ID };

	for (size_t i = 0; i < 3; i++) {
		perfetto__clock_snapshot__clock__init(&clocks[i]);
		SET(clocks[i], clock_id, ids[i]);
		SET(clocks[i], timestamp, p->first_ns + (i == 2 ? (uint64_t)p->wall_ns : 0));
		list[i] = &clocks[i];
	}
	snapshot.clocks = list;
	snapshot.n_clocks = p->has_wall ? 3 : 2;
	SET(snapshot, primary_trace_clock, CLOCK_BOOT_ID);
	packet.clock_snapshot = &snapshot;
	SET(packet, timestamp, p->first_ns);
	SET(packet, sequence_flags, CLEARED);
	put(x, &packet);
}

static void write_task(struct perfetto *x, const struct profile_thread *t)
{
	Perfetto__TracePacket packet = packet_of(SEQUENCE);
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__ProcessTree__Process process, *processes[1] = { &process };
	Perfetto__ProcessTree__Thread thread, *threads[1] = { &thread };
	uint32_t pid = pid_of(x->p, &x->tasks, t->tid);
	char *comm = (char *)t->comm, *cmdline[1] = { comm };

	perfetto__process_tree__thread__init(&thread);
	SET(thread, tid, (int32_t)t->tid);
	SET(thread, tgid, (int32_t)pid);
	thread.name = comm;
	tree.threads = threads;
	tree.n_threads = 1;
	perfetto__process_tree__process__init(&process);
	SET(process, pid, (int32_t)pid);
	process.cmdline = cmdline;
	process.n_cmdline = 1;
	tree.processes = processes;
	tree.n_processes = pid == t->tid;
	packet.process_tree = &tree;
	SET(packet, timestamp, x->p->first_ns);
	put(x, &packet);
}

/* ---- the kernel's events ---- */

static void write_events(struct perfetto *x)
{
	Perfetto__TracePacket packet = packet_of(SEQUENCE);
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;

	if (!x->count)
		return;
	SET(bundle, cpu, x->moments[0].cpu);
	bundle.event = x->list;
	bundle.n_event = x->count;
	packet.ftrace_events = &bundle;
	put_within(x, &packet, (BATCH + 1) * SIZE_MOST);
	x->count = 0;
}

static void set_switch(Perfetto__SchedSwitch *s, struct profile_moment *m)
{
	perfetto__sched_switch__init(s);
	s->prev_comm = m->comm;
	SET(*s, prev_pid, (int32_t)m->sched_switch.prev);
	SET(*s, prev_prio, m->sched_switch.prev_prio);
	SET(*s, prev_state, m->sched_switch.prev_state);
	s->next_comm = m->sched_switch.next_comm;
	SET(*s, next_pid, (int32_t)m->sched_switch.next);
	SET(*s, next_prio, m->sched_switch.next_prio);
}

static void set_wakeup(Perfetto__SchedWakeup *w, struct profile_moment *m)
{
	perfetto__sched_wakeup__init(w);
	w->comm = m->comm;
	SET(*w, pid, (int32_t)m->wakeup.tid);
	SET(*w, prio, m->wakeup.prio);
	SET(*w, success, 1);
	SET(*w, target_cpu, (int32_t)m->wakeup.target_cpu);
}

static void set_issue(Perfetto__BlockRqIssue *r, struct profile_moment *m)
{
	perfetto__block_rq_issue__init(r);
	SET(*r, dev, m->request.dev);
	SET(*r, sector, m->request.sector);
	SET(*r, nr_sector, m->request.sectors);
	SET(*r, bytes, m->request.bytes);
	r->rwbs = m->request.rwbs;
	r->comm = m->comm;
}

static void set_complete(Perfetto__BlockRqComplete *r, struct profile_moment *m)
{
	perfetto__block_rq_complete__init(r);
	SET(*r, dev, m->request.dev);
	SET(*r, sector, m->request.sector);
	SET(*r, nr_sector, m->request.sectors);
	SET(*r, errors, m->request.error);
	r->rwbs = m->request.rwbs;
}

/* Those of one CPU that follow each other share a packet. */
static void add_event(struct perfetto *x, const struct profile_moment *moment)
{
	struct profile_moment *m = &x->moments[x->count];
	Perfetto__FtraceEvent *e = &x->events[x->count];

	if (x->count == BATCH || (x->count && x->moments[0].cpu != moment->cpu)) {
		write_events(x);
		m = x->moments;
		e = x->events;
	}
	*m = *moment;
	perfetto__ftrace_event__init(e);
	SET(*e, timestamp, m->time_ns);
	SET(*e, pid, m->tid);
	if (m->kind == PROFILE_SWITCH)
		set_switch(e->sched_switch = &x->parts[x->count].sched_switch, m);
	else if (m->kind == PROFILE_WAKING)
		set_wakeup(e->sched_waking = &x->parts[x->count].wakeup, m);
	else if (m->kind == PROFILE_WAKEUP)
		set_wakeup(e->sched_wakeup = &x->parts[x->count].wakeup, m);
	else if (m->kind == PROFILE_WAKEUP_NEW)
		set_wakeup(e->sched_wakeup_new = &x->parts[x->count].wakeup, m);
	else if (m->kind == PROFILE_ISSUE)
		set_issue(e->block_rq_issue = &x->parts[x->count].issue, m);
	else
		set_complete(e->block_rq_complete = &x->parts[x->count].complete, m);
	x->list[x->count++] = e;
}

/* ---- samples ---- */

/* Where its number is kept: IDMAP_NONE: it was not told. Until the next one is asked for. */
static uint32_t *thing_of(struct told *t, enum thing kind, uint32_t id)
{
	return idmap_put(&t->things, (uint64_t)kind << 32 | id);
}

static bool is_new(struct told *t, enum thing kind, uint32_t id)
{
	uint32_t *number = thing_of(t, kind, id);
	bool it = *number == IDMAP_NONE;

	*number = 0;
	return it;
}

/* Of DATA, which has one thing of each kind at most, a packet. */
static void tell(struct perfetto *x, uint32_t event, Perfetto__InternedData *data)
{
	Perfetto__TracePacket packet = packet_of(SEQUENCE + 1 + event);

	packet.interned_data = data;
	SET(packet, sequence_flags, NEEDS);
	put(x, &packet);
}

static Perfetto__InternedString interned(uint64_t iid, const char *text)
{
	Perfetto__InternedString s = PERFETTO__INTERNED_STRING__INIT;

	SET(s, iid, iid);
	s.has_str = true;
	s.str.data = (uint8_t *)text;
	s.str.len = strlen(text);
	return s;
}

static void tell_module(struct perfetto *x, uint32_t event, uint32_t module)
{
	const struct profile_module *m = &x->p->modules[module];
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString path = interned(module + (uint64_t)1, m->path);
	Perfetto__InternedString id = interned(module + (uint64_t)1, m->build_id);
	Perfetto__InternedString *paths[1] = { &path }, *ids[1] = { &id };
	Perfetto__Mapping mapping = PERFETTO__MAPPING__INIT, *mappings[1] = { &mapping };

	if (!is_new(&x->told[event], THING_MODULE, module))
		return;
	SET(mapping, iid, path.iid);
	SET(mapping, build_id, id.iid);
	mapping.path_string_ids = &path.iid;
	mapping.n_path_string_ids = 1;
	data.mapping_paths = paths;
	data.build_ids = ids;
	data.mappings = mappings;
	data.n_mapping_paths = data.n_build_ids = data.n_mappings = 1;
	tell(x, event, &data);
}

/* A frame is a line of a location. */
static void tell_frame(struct perfetto *x, uint32_t event, const struct profile_location *l,
		       uint32_t line)
{
	const struct profile_line *from = &x->p->lines[line];
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString name =
		interned(from->function + (uint64_t)1, x->p->functions[from->function].name);
	Perfetto__InternedString *names[1] = { &name };
	Perfetto__Frame frame = PERFETTO__FRAME__INIT, *frames[1] = { &frame };

	if (!is_new(&x->told[event], THING_LINE, line))
		return;
	if (l->module != PROFILE_NONE) {
		tell_module(x, event, l->module);
		SET(frame, mapping_id, l->module + (uint64_t)1);
		SET(frame, rel_pc, l->address);
	}
	SET(frame, iid, line + (uint64_t)1);
	SET(frame, function_name_id, name.iid);
	if (from->line)
		SET(frame, line_number, from->line);
	data.frames = frames;
	data.n_frames = 1;
	data.function_names = names;
	data.n_function_names = is_new(&x->told[event], THING_FUNCTION, from->function);
	tell(x, event, &data);
}

/* The number of STACK. */
static uint64_t tell_stack(struct perfetto *x, uint32_t event, uint32_t stack)
{
	struct told *t = &x->told[event];
	uint32_t *number, id;
	size_t n = 0, cap = 0;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__Callstack one = PERFETTO__CALLSTACK__INIT, *list[1] = { &one };
	const uint32_t *locations;

	if (t->last_number && t->last == stack)
		return t->last_number;
	number = thing_of(t, THING_STACK, stack);
	t->last = stack;
	t->last_number = *number;
	if (*number != IDMAP_NONE)
		return *number;
	id = *number = t->last_number = ++t->stacks;
	for (size_t i = x->p->stack(x->p->ctx, stack, &locations); i-- > 0;) {
		const struct profile_location *l = &x->p->locations[locations[i]];

		one.frame_ids = xgrow(one.frame_ids, &cap, n + l->count, sizeof(*one.frame_ids));
		for (uint32_t k = l->count; k-- > 0;) {
			tell_frame(x, event, l, l->first + k);
			one.frame_ids[n++] = l->first + k + (uint64_t)1;
		}
	}
	one.n_frame_ids = n;
	SET(one, iid, id);
	data.callstacks = list;
	data.n_callstacks = 1;
	tell(x, event, &data);
	free(one.frame_ids);
	return id;
}

/* The first packet of a sequence: what is counted there. */
static void begin_sequence(struct perfetto *x, uint32_t event)
{
	const struct profile_part *p = x->p;
	struct told *t = &x->told[event];
	Perfetto__TracePacket packet = packet_of(SEQUENCE + 1 + event);
	Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
	Perfetto__PerfSampleDefaults samples = PERFETTO__PERF_SAMPLE_DEFAULTS__INIT;
	Perfetto__Timebase timebase = PERFETTO__TIMEBASE__INIT;

	t->begun = true;
	timebase.name = (char *)p->events[event].name;
	if (p->events[event].period)
		SET(timebase, period, p->events[event].period);
	samples.timebase = &timebase;
	defaults.perf_sample_defaults = &samples;
	SET(defaults, timestamp_clock_id, CLOCK_BOOT_ID);
	packet.trace_packet_defaults = &defaults;
	SET(packet, sequence_flags, CLEARED);
	put(x, &packet);
}

static void write_sample(struct perfetto *x, const struct profile_moment *m)
{
	uint32_t event = m->sample.event;
	Perfetto__TracePacket packet = packet_of(SEQUENCE + 1 + event);
	Perfetto__PerfSample s = PERFETTO__PERF_SAMPLE__INIT;

	if (!x->told[event].begun)
		begin_sequence(x, event);
	SET(s, callstack_iid, tell_stack(x, event, m->sample.stack));
	if (m->cpu != PROFILE_NONE)
		SET(s, cpu, m->cpu);
	SET(s, pid, m->pid);
	SET(s, tid, m->tid);
	SET(s, timebase_count, m->sample.weight);
	packet.perf_sample = &s;
	SET(packet, timestamp, m->time_ns);
	SET(packet, sequence_flags, NEEDS);
	put_within(x, &packet, SIZE_MOST);
}

void write_perfetto(const struct profile_part *p, struct out *out)
{
	struct perfetto *x = xcalloc(1, sizeof(*x));
	struct profile_moment m;

	x->p = p;
	x->out = out;
	x->told = xcalloc(p->event_count + 1, sizeof(*x->told));
	task_ids_make(&x->tasks, p);
	write_clocks(x);
	for (size_t i = 0; i < p->task_count; i++)
		write_task(x, &p->tasks[i]);
	for (p->begin_moments(p->ctx); next_moment(p, &m, out);) {
		if (m.kind == PROFILE_SAMPLE)
			write_sample(x, &m);
		else
			add_event(x, &m);
	}
	write_events(x);
	for (size_t i = 0; i < p->event_count; i++)
		idmap_release(&x->told[i].things);
	free(x->told);
	free(x->packed);
	idmap_release(&x->tasks);
	free(x);
}
