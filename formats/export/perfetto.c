/* Perfetto's own form: packets one after the other. Moments of the scheduler and of disks are the
 * kernel's events, from which its reader makes slices, states and wake-ups by itself; samples are
 * those of its own profiler, for each event a sequence, in which what a stack consists of comes
 * before the first sample that has it. */
#include "formats/export/perfetto_pack.h"
#include "formats/export/tasks.h"
#include "formats/export/perfetto.pb-c.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SEQUENCE	  1 /* of all but samples; those of event I have 2 + I */
#define CLEARED		  1 /* SEQ_INCREMENTAL_STATE_CLEARED */
#define NEEDS		  2 /* SEQ_NEEDS_INCREMENTAL_STATE */
#define CLOCK_REALTIME_ID 1
#define CLOCK_MONO_ID	  3
#define CLOCK_BOOT_ID	  6
#define BATCH		  64 /* of the kernel's events in a packet */

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
	struct told *told; /* by event */
	uint32_t *tellers; /* by line: 1 + the event that told it first; others look it up */
	uint8_t *packed;
	size_t packed_cap;
	/* the kernel's events of one CPU that wait for their packet */
	uint8_t events[BATCH * PACKED_MOST], *events_end;
	uint32_t cpu;
	size_t count;
};

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
	uint32_t pid = task_pid(t);
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
	size_t size = (size_t)(x->events_end - x->events);
	uint8_t *to;

	if (!x->count)
		return;
	to = (uint8_t *)out_room(x->out, size + PACKED_MOST);
	to = pack_events_head(to, x->cpu, SEQUENCE, size);
	memcpy(to, x->events, size);
	out_filled(x->out, (char *)pack_events_tail(to + size, SEQUENCE));
	x->count = 0;
}

/* Those of one CPU that follow each other share a packet. */
static void add_event(struct perfetto *x, const struct profile_moment *m)
{
	if (x->count == BATCH || x->cpu != m->cpu)
		write_events(x);
	if (!x->count)
		x->events_end = x->events;
	x->cpu = m->cpu;
	x->events_end = pack_event(x->events_end, x->p, m);
	x->count++;
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
static void tell_new_frame(struct perfetto *x, uint32_t event, const struct profile_location *l,
			   uint32_t line)
{
	const struct profile_line *from = &x->p->lines[line];
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString name =
		interned(from->function + (uint64_t)1, x->p->functions[from->function].name);
	Perfetto__InternedString *names[1] = { &name };
	Perfetto__Frame frame = PERFETTO__FRAME__INIT, *frames[1] = { &frame };

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

static void tell_frame(struct perfetto *x, uint32_t event, const struct profile_location *l,
		       uint32_t line)
{
	uint32_t *teller = &x->tellers[line];

	if (*teller == event + 1 || (*teller && !is_new(&x->told[event], THING_LINE, line)))
		return;
	*teller = *teller ?: event + 1;
	tell_new_frame(x, event, l, line);
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
	struct packed_sample s = { .m = m, .sequence = SEQUENCE + 1 + event, .flags = NEEDS };
	uint8_t *to;

	if (!x->told[event].begun)
		begin_sequence(x, event);
	s.stack = tell_stack(x, event, m->sample.stack);
	to = (uint8_t *)out_room(x->out, PACKED_MOST);
	out_filled(x->out, (char *)pack_sample(to, x->p, &s));
}

void write_perfetto(const struct profile_part *p, struct out *out)
{
	const struct profile_location *last = &p->locations[p->location_count - 1];
	struct perfetto *x = xcalloc(1, sizeof(*x));
	struct profile_moment m;

	x->p = p;
	x->out = out;
	x->told = xcalloc(p->event_count + 1, sizeof(*x->told));
	x->tellers = xcalloc(last->first + last->count, sizeof(*x->tellers));
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
	free(x->tellers);
	free(x->packed);
	free(x);
}
