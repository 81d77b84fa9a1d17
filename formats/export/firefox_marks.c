/* Markers of the Firefox Profiler: what a thread did beside its samples. What each kind of them is
 * called, where it is shown and which fields it has stands in a schema; "data" of a marker has the
 * values (docs-developer/markers.md there). */
#include "formats/export/firefox.h"

#define MOMENT	 0 /* phases of markers: at startTime; from that to endTime */
#define INTERVAL 1

static const struct {
	const char *name, *chart, *fields; /* chart: what stands on it */
} schemas[PROFILE_MARKS] = {
	[MARK_RUNNING] = { "Running", "CPU {marker.data.cpu}",
			   "{\"key\":\"cpu\",\"label\":\"CPU\",\"format\":\"integer\"}" },
	[MARK_RUNNABLE] = { "Runnable", "{marker.data.why}",
			    "{\"key\":\"why\",\"label\":\"After\",\"format\":\"string\"},"
			    "{\"key\":\"cpu\",\"label\":\"CPU\",\"format\":\"integer\"}" },
	[MARK_BLOCKED] = { "Blocked", "{marker.data.state}",
			   "{\"key\":\"state\",\"label\":\"State\",\"format\":\"string\"},"
			   "{\"key\":\"waker\",\"label\":\"Woken up by\","
			   "\"format\":\"string\"}" },
	[MARK_WAKES] = { "Wake-up", "{marker.data.woken}",
			 "{\"key\":\"woken\",\"label\":\"Wakes up\",\"format\":\"string\"},"
			 "{\"key\":\"cpu\",\"label\":\"On CPU\",\"format\":\"integer\"}" },
	[MARK_IO] = { "Block I/O", "{marker.data.operation} {marker.data.bytes}",
		      "{\"key\":\"operation\",\"label\":\"Operation\",\"format\":\"string\"},"
		      "{\"key\":\"device\",\"label\":\"Device\",\"format\":\"string\"},"
		      "{\"key\":\"bytes\",\"label\":\"Size\",\"format\":\"bytes\"},"
		      "{\"key\":\"sector\",\"label\":\"Sector\",\"format\":\"integer\"},"
		      "{\"key\":\"queued\",\"label\":\"In the queue before\","
		      "\"format\":\"nanoseconds\"},"
		      "{\"key\":\"error\",\"label\":\"Error\",\"format\":\"integer\"}" },
	[MARK_EVENT] = { "Tracepoint", "{marker.data.text}",
			 "{\"key\":\"text\",\"label\":\"Fields\",\"format\":\"string\"}" },
};

void write_schemas(struct out *out)
{
	out_str(out, "\"markerSchema\":[");
	for (size_t i = 0; i < PROFILE_MARKS; i++) {
		out_put(out, "%c{\"name\":%s,", i ? ',' : ' ', schemas[i].name);
		out_str(out, "\"display\":[\"marker-chart\",\"marker-table\","
			     "\"timeline-overview\"],");
		out_put(out, "\"chartLabel\":%s,\"tableLabel\":%s,\"tooltipLabel\":%s,",
			schemas[i].chart, schemas[i].chart, schemas[i].name);
		out_str(out, "\"fields\":[");
		out_str(out, schemas[i].fields);
		out_str(out, "]}");
	}
	out_str(out, "]");
}

/* ---- values ---- */

static const char *state_name(char letter)
{
	static const struct {
		char letter;
		const char *name;
	} names[] = {
		{ 'S', "sleeping" },	 { 'D', "disk sleep" }, { 'T', "stopped" },
		{ 't', "tracing stop" }, { 'P', "parked" },	{ 'I', "idle" },
		{ 'X', "dead" },	 { 'x', "dead" },	{ 'Z', "zombie" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].letter == letter)
			return names[i].name;
	}
	return "blocked";
}

/* "app (78)" under KEY. */
static void put_task(const struct shared *s, const char *key, uint32_t tid, struct out *out)
{
	uint32_t thread = idmap_get(&s->threads, tid);
	struct buf name = { 0 };

	if (thread != IDMAP_NONE)
		buf_str(&name, s->p->threads[thread].comm);
	buf_printf(&name, thread != IDMAP_NONE ? " (%u)" : "%u", tid);
	out_put(out, ",%s:%s", key, name.data);
	buf_release(&name);
}

static void put_cpu(uint32_t cpu, struct out *out)
{
	if (cpu != PROFILE_NONE)
		out_put(out, ",\"cpu\":%u", cpu);
}

static void put_blocked(const struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_put(out, ",\"state\":%s", state_name(m->letter));
	if (m->interrupt)
		out_str(out, ",\"waker\":\"an interrupt\"");
	else if (m->other != PROFILE_NONE)
		put_task(s, "waker", m->other, out);
}

static void put_io(const struct profile_mark *m, struct out *out)
{
	out_put(out, ",\"operation\":%s,\"bytes\":%lu,\"sector\":%lu", m->io.rwbs, m->io.bytes,
		m->io.sector);
	out_put(out, ",\"device\":\"%u:%u\",\"queued\":%lu", m->io.dev >> 20, m->io.dev & 0xfffff,
		m->io.queue_ns);
	if (m->io.error)
		out_put(out, ",\"error\":%d", m->io.error);
}

static void put_data(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_put(out, "{\"type\":%s", schemas[m->kind].name);
	if (m->kind == MARK_BLOCKED) {
		put_blocked(s, m, out);
	} else if (m->kind == MARK_IO) {
		put_io(m, out);
	} else if (m->kind == MARK_EVENT) {
		out_put(out, ",\"text\":%s", m->event.text);
	} else {
		if (m->kind == MARK_RUNNABLE)
			out_put(out, ",\"why\":%s", m->preempted ? "preemption" : "wake-up");
		else if (m->kind == MARK_WAKES)
			put_task(s, "woken", m->other, out);
		put_cpu(m->cpu, out);
	}
	if (m->stack != PROFILE_NONE) {
		out_str(out, ",\"cause\":{\"time\":");
		put_when(s->p, m->start_ns, out);
		out_put(out, ",\"stack\":%u}", stack_node(&s->nodes, s->p, m->stack));
	}
	out_str(out, "}");
}

/* ---- columns ---- */

static void put_name(struct shared *s, const struct profile_mark *m, struct out *out)
{
	out_u64(out, text_id(s, m->kind == MARK_EVENT ? s->p->events[m->event.event].name
						      : schemas[m->kind].name));
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
	(void)s;
	out_u64(out, m->kind == MARK_RUNNING   ? FRAME_USER
		     : m->kind == MARK_BLOCKED ? CATEGORY_IDLE
					       : FRAME_KERNEL);
}

void write_markers(struct shared *s, const size_t *lane, struct out *out)
{
	static const struct {
		const char *name;
		void (*put)(struct shared *s, const struct profile_mark *m, struct out *out);
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
			p->begin_marks(p->ctx, *lane);
		for (; lane && !out->error && p->next_mark(p->ctx, &m, &out->error); count++) {
			out_str(out, count ? "," : "");
			columns[c].put(s, &m, out);
		}
		out_str(out, "],\n");
	}
	out_put(out, "\"length\":%lu}", count);
}
