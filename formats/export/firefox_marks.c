/* Markers of the Firefox Profiler: what a thread did beside its samples. What each kind of them is
 * called, where it is shown and which fields it has stands in a schema; "data" of a marker has the
 * values (docs-developer/markers.md there). */
#include "formats/export/firefox.h"
#include "parser/base/buf.h"

#include <stdio.h>

#define MOMENT	 0 /* phases of markers: at startTime; from that to endTime */
#define INTERVAL 1

#define FIELDS_MOST 6
#define WORD	    "unique-string" /* its number: whoever wakes and is woken is written once */

static const struct {
	const char *name, *chart; /* chart: what stands on it */
	struct {
		const char *key, *label, *format;
	} fields[FIELDS_MOST];
} schemas[PROFILE_MARKS] = {
	[MARK_RUNNING] = { "Running", "CPU {marker.data.cpu}", { { "cpu", "CPU", "integer" } } },
	[MARK_RUNNABLE] = { "Runnable",
			    "{marker.data.why}",
			    { { "why", "After", WORD }, { "cpu", "CPU", "integer" } } },
	[MARK_BLOCKED] = { "Blocked",
			   "{marker.data.state}",
			   { { "state", "State", WORD }, { "waker", "Woken up by", WORD } } },
	[MARK_WAKES] = { "Wake-up",
			 "{marker.data.woken}",
			 { { "woken", "Wakes up", WORD }, { "cpu", "On CPU", "integer" } } },
	[MARK_IO] = { "Block I/O",
		      "{marker.data.operation} {marker.data.bytes}",
		      { { "operation", "Operation", WORD },
			{ "device", "Device", WORD },
			{ "bytes", "Size", "bytes" },
			{ "sector", "Sector", "integer" },
			{ "queued", "In the queue before", "nanoseconds" },
			{ "error", "Error", "integer" } } },
	[MARK_EVENT] = { "Tracepoint", "{marker.data.text}", { { "text", "Fields", "string" } } },
};

void write_schemas(struct out *out)
{
	out_str(out, "\"markerSchema\":[");
	for (size_t i = 0; i < PROFILE_MARKS; i++) {
		out_put(out, "%c{\"name\":%s,", i ? ',' : ' ', schemas[i].name);
		out_str(out, "\"display\":[\"marker-chart\",\"marker-table\","
			     "\"timeline-overview\"],");
		out_put(out, "\"chartLabel\":%s,\"tableLabel\":%s,\"tooltipLabel\":%s,\"fields\":[",
			schemas[i].chart, schemas[i].chart, schemas[i].name);
		for (size_t f = 0; f < FIELDS_MOST && schemas[i].fields[f].key; f++) {
			out_str(out, f ? ",{" : "{");
			out_put(out, "\"key\":%s,\"label\":%s,\"format\":%s}",
				schemas[i].fields[f].key, schemas[i].fields[f].label,
				schemas[i].fields[f].format);
		}
		out_str(out, "]}");
	}
	out_str(out, "]");
}

/* ---- words ---- */

/* The first strings of all are the names of schemas, then these: their numbers are known. */
enum word {
	WORD_PREEMPTION = PROFILE_MARKS,
	WORD_WAKE_UP,
	WORD_INTERRUPT,
	WORD_BLOCKED,
	WORD_SLEEPING,
	WORD_DISK_SLEEP,
	WORD_STOPPED,
	WORD_TRACING_STOP,
	WORD_PARKED,
	WORD_IDLE,
	WORD_DEAD,
	WORD_ZOMBIE,
	WORDS
};
static const char *const words[WORDS] = {
	[WORD_PREEMPTION] = "preemption",
	[WORD_WAKE_UP] = "wake-up",
	[WORD_INTERRUPT] = "an interrupt",
	[WORD_BLOCKED] = "blocked",
	[WORD_SLEEPING] = "sleeping",
	[WORD_DISK_SLEEP] = "disk sleep",
	[WORD_STOPPED] = "stopped",
	[WORD_TRACING_STOP] = "tracing stop",
	[WORD_PARKED] = "parked",
	[WORD_IDLE] = "idle",
	[WORD_DEAD] = "dead",
	[WORD_ZOMBIE] = "zombie",
};

void add_words(struct shared *s)
{
	for (size_t i = 0; i < WORDS; i++)
		(void)text_id(s, i < PROFILE_MARKS ? schemas[i].name : words[i]);
}

static enum word state_word(char letter)
{
	static const uint8_t of[128] = {
		['S'] = WORD_SLEEPING,	   ['D'] = WORD_DISK_SLEEP, ['T'] = WORD_STOPPED,
		['t'] = WORD_TRACING_STOP, ['P'] = WORD_PARKED,	    ['I'] = WORD_IDLE,
		['X'] = WORD_DEAD,	   ['x'] = WORD_DEAD,	    ['Z'] = WORD_ZOMBIE,
	};

	return (enum word)of[letter & 127] ?: WORD_BLOCKED;
}

/* "app (78)". */
static uint32_t task_word(struct shared *s, uint32_t tid)
{
	uint32_t thread = idmap_get(&s->threads, tid), id;
	struct buf name = { 0 };

	if (thread != IDMAP_NONE && s->tasks[thread])
		return s->tasks[thread];
	if (thread != IDMAP_NONE)
		buf_str(&name, s->p->threads[thread].comm);
	buf_printf(&name, thread != IDMAP_NONE ? " (%u)" : "%u", tid);
	id = intern_add(&s->texts, name.data, name.len);
	if (thread != IDMAP_NONE)
		s->tasks[thread] = id;
	buf_release(&name);
	return id;
}

/* ---- data ---- */

/* What comes behind its type, by kind. */
typedef void put_fields(struct shared *s, const struct profile_mark *m, struct out *out);

static void put_cpu(struct shared *s, const struct profile_mark *m, struct out *out)
{
	(void)s;
	if (m->cpu == PROFILE_NONE)
		return;
	out_str(out, ",\"cpu\":");
	out_u64(out, m->cpu);
}

static void put_runnable(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_str(out, ",\"why\":");
	out_u64(out, m->preempted ? WORD_PREEMPTION : WORD_WAKE_UP);
	put_cpu(s, m, out);
}

static void put_blocked(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_str(out, ",\"state\":");
	out_u64(out, state_word(m->letter));
	if (!m->interrupt && m->other == PROFILE_NONE)
		return;
	out_str(out, ",\"waker\":");
	out_u64(out, m->interrupt ? WORD_INTERRUPT : task_word(s, m->other));
}

static void put_wakes(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_str(out, ",\"woken\":");
	out_u64(out, task_word(s, m->other));
	put_cpu(s, m, out);
}

static uint32_t device_word(struct shared *s, uint32_t dev)
{
	char text[24];

	snprintf(text, sizeof(text), "%u:%u", dev >> 20, dev & 0xfffff);
	return text_id(s, text);
}

static void put_io(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_str(out, ",\"operation\":");
	out_u64(out, text_id(s, m->io->rwbs));
	out_str(out, ",\"bytes\":");
	out_u64(out, m->io->bytes);
	out_str(out, ",\"sector\":");
	out_u64(out, m->io->sector);
	out_str(out, ",\"device\":");
	out_u64(out, device_word(s, m->io->dev));
	out_str(out, ",\"queued\":");
	out_u64(out, m->io->queue_ns);
	if (m->io->error)
		out_put(out, ",\"error\":%d", m->io->error);
}

static void put_event(struct shared *s, const struct profile_mark *m, struct out *out)
{
	(void)s;
	out_put(out, ",\"text\":%s", m->text);
}

static void put_data(struct shared *s, const struct profile_mark *m, struct out *out)
{
	static put_fields *const fields[PROFILE_MARKS] = {
		[MARK_RUNNING] = put_cpu,     [MARK_RUNNABLE] = put_runnable,
		[MARK_BLOCKED] = put_blocked, [MARK_WAKES] = put_wakes,
		[MARK_IO] = put_io,	      [MARK_EVENT] = put_event,
	};

	out_str(out, "{\"type\":\"");
	out_str(out, schemas[m->kind].name);
	out_str(out, "\"");
	fields[m->kind](s, m, out);
	if (m->stack != PROFILE_NONE) {
		out_str(out, ",\"cause\":{\"time\":");
		put_when(s->p, m->start_ns, out);
		out_str(out, ",\"stack\":");
		out_u64(out, stack_node(&s->nodes, s->p, m->stack));
		out_str(out, "}");
	}
	out_str(out, "}");
}

/* ---- columns ---- */

static void put_name(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_u64(out, m->kind == MARK_EVENT ? text_id(s, s->p->events[m->other].name) : m->kind);
}

static void put_start(struct shared *s, const struct profile_mark *m, struct out *out)
{
	put_when(s->p, m->start_ns, out);
}

static void put_end(struct shared *s, const struct profile_mark *m, struct out *out)
{
	if (m->start_ns == m->end_ns)
		out_str(out, "null");
	else
		put_when(s->p, m->end_ns, out);
}

static void put_phase(struct shared *s, const struct profile_mark *m, struct out *out)
{
	(void)s;
	out_u64(out, m->start_ns == m->end_ns ? MOMENT : INTERVAL);
}

static void put_category(struct shared *s, const struct profile_mark *m, struct out *out)
{
	static const uint8_t of[PROFILE_MARKS] = {
		[MARK_RUNNING] = FRAME_USER,	[MARK_RUNNABLE] = FRAME_KERNEL,
		[MARK_BLOCKED] = CATEGORY_IDLE, [MARK_WAKES] = FRAME_KERNEL,
		[MARK_IO] = FRAME_KERNEL,	[MARK_EVENT] = FRAME_KERNEL,
	};

	(void)s;
	out_u64(out, of[m->kind]);
}

void write_markers(struct shared *s, const size_t *lane, struct out *out)
{
	static const struct {
		const char *name;
		put_fields *put;
	} columns[] = {
		{ "name", put_name },	{ "startTime", put_start },   { "endTime", put_end },
		{ "phase", put_phase }, { "category", put_category }, { "data", put_data },
	};
	const struct profile_part *p = s->p;
	struct profile_mark m;
	uint64_t count = 0;

	out_str(out, ",\n\"markers\":{");
	for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); c++) {
		out_put(out, "%s:[", columns[c].name);
		count = 0;
		if (lane)
			p->begin_marks(p->ctx, *lane,
				       columns[c].put == put_data ? MARKS_WHOLE : MARKS_BARE);
		for (; lane && !out->error && p->next_mark(p->ctx, &m, &out->error); count++) {
			if (count)
				out_str(out, ",");
			columns[c].put(s, &m, out);
		}
		out_str(out, "],\n");
	}
	out_put(out, "\"length\":%lu}", count);
}
