/* Markers of the Firefox Profiler: what a thread did beside its samples. What each kind of them is
 * called, where it is shown and which fields it has stands in a schema; "data" of a marker has the
 * values (docs-developer/markers.md there). */
#include "formats/export/firefox.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

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
static uint32_t new_task_word(struct shared *s, uint32_t tid)
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

static inline uint32_t task_word(struct shared *s, uint32_t tid)
{
	struct task_words *recent = &s->recent[tid % TASK_WORDS];

	if (recent->tid != tid || !recent->id)
		*recent = (struct task_words){ tid, new_task_word(s, tid) };
	return recent->id;
}

/* ---- data ---- */

/* What stands in the room up to TO, and is returned, comes behind the type. */
static char *piece_cpu(struct shared *s, const struct mark_row *m, char *to)
{
	uint32_t cpu = mark_cpu_of(&s->p->marks, m);

	if (cpu == PROFILE_NONE)
		return to;
	to = piece_text(to, ",\"cpu\":");
	if (cpu > 9)
		return piece_u64(to, cpu);
	*to = (char)('0' + cpu);
	return to + 1;
}

static char *piece_runnable(struct shared *s, const struct mark_row *m, char *to)
{
	to = piece_u64(piece_text(to, ",\"why\":"), m->preempted ? WORD_PREEMPTION : WORD_WAKE_UP);
	return piece_cpu(s, m, to);
}

static char *piece_blocked(struct shared *s, const struct mark_row *m, char *to)
{
	to = piece_u64(piece_text(to, ",\"state\":"), state_word(m->letter));
	if (!m->interrupt && m->other == PROFILE_NONE)
		return to;
	to = piece_text(to, ",\"waker\":");
	return piece_u64(to, m->interrupt ? WORD_INTERRUPT : task_word(s, m->other));
}

static char *piece_wakes(struct shared *s, const struct mark_row *m, char *to)
{
	to = piece_u64(piece_text(to, ",\"woken\":"), task_word(s, m->other));
	return piece_cpu(s, m, to);
}

/* Numbers in texts of what the last request was, and of its device. */
static void request_words(struct shared *s, const struct mark_io *io)
{
	struct request_words *last = &s->last_request;
	char text[24];

	if (!last->device || strcmp(last->rwbs, io->rwbs) != 0) {
		last->operation = text_id(s, io->rwbs);
		memcpy(last->rwbs, io->rwbs, sizeof(last->rwbs));
	}
	if (!last->device || last->dev != io->dev) {
		snprintf(text, sizeof(text), "%u:%u", io->dev >> 20, io->dev & 0xfffff);
		last->device = text_id(s, text);
		last->dev = io->dev;
	}
}

static char *piece_io(struct shared *s, char *to, struct out *out)
{
	const struct mark_io *io = s->p->marks.io(s->p->ctx, &out->error);

	if (!io)
		return to;
	request_words(s, io);
	to = piece_u64(piece_text(to, ",\"operation\":"), s->last_request.operation);
	to = piece_u64(piece_text(to, ",\"bytes\":"), io->bytes);
	to = piece_u64(piece_text(to, ",\"sector\":"), io->sector);
	to = piece_u64(piece_text(to, ",\"device\":"), s->last_request.device);
	to = piece_u64(piece_text(to, ",\"queued\":"), io->queue_ns);
	if (!io->error)
		return to;
	to = piece_text(to, ",\"error\":");
	if (io->error < 0)
		*to++ = '-';
	return piece_u64(to, (uint64_t)(io->error < 0 ? -(int64_t)io->error : io->error));
}

static char *piece_event(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	const char *text = s->p->marks.text(s->p->ctx, m, &out->error);

	out_filled(out, to);
	if (text)
		out_put(out, ",\"text\":%s", text);
	return out_room(out, ROOM);
}

static char *piece_fields(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	switch (m->kind) {
	case MARK_RUNNING:
		return piece_cpu(s, m, piece_text(to, "{\"type\":\"Running\""));
	case MARK_RUNNABLE:
		return piece_runnable(s, m, piece_text(to, "{\"type\":\"Runnable\""));
	case MARK_BLOCKED:
		return piece_blocked(s, m, piece_text(to, "{\"type\":\"Blocked\""));
	case MARK_WAKES:
		return piece_wakes(s, m, piece_text(to, "{\"type\":\"Wake-up\""));
	case MARK_IO:
		return piece_io(s, piece_text(to, "{\"type\":\"Block I/O\""), out);
	default:
		return piece_event(s, m, piece_text(to, "{\"type\":\"Tracepoint\""), out);
	}
}

/* The node of where M came from; PROFILE_NONE: that is not told. */
static uint32_t cause_of(struct shared *s, const struct mark_row *m)
{
	const struct profile_part *p = s->p;
	uint32_t stack = m->stack, *cause;

	if (m->kind == MARK_IO || stack == PROFILE_NONE)
		return PROFILE_NONE;
	if (stack >= s->cause_count)
		s->causes =
			xgrow_to(s->causes, &s->cause_count, &s->cause_cap, stack, sizeof(*cause));
	cause = &s->causes[stack];
	if (!*cause)
		*cause = p->marks.stack(p->ctx, m) == PROFILE_NONE
				 ? 1
				 : stack_node(&s->nodes, p, stack) + 2;
	return *cause - 2; /* 1: PROFILE_NONE */
}

/* ---- columns: a piece of each row, of ROOM bytes at most ---- */

typedef char *piece_mark(struct shared *s, const struct mark_row *m, char *to, struct out *out);

static char *piece_data(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	uint32_t node;

	to = piece_fields(s, m, to, out);
	node = cause_of(s, m);
	if (node != PROFILE_NONE) {
		to = piece_when(s, piece_text(to, ",\"cause\":{\"time\":"), m->start_ns);
		to = piece_u64(piece_text(to, ",\"stack\":"), node);
		*to++ = '}';
	}
	*to++ = '}';
	return to;
}

static char *piece_digit(char *to, unsigned v)
{
	*to = (char)('0' + v);
	return to + 1;
}

static char *piece_name(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	(void)out;
	return m->kind == MARK_EVENT ? piece_u64(to, text_id(s, s->p->events[m->other].name))
				     : piece_digit(to, m->kind);
}

static char *piece_start(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	(void)out;
	return piece_when(s, to, m->start_ns);
}

static bool is_moment(struct shared *s, const struct mark_row *m)
{
	return mark_end_ns(&s->p->marks, m) == m->start_ns;
}

static char *piece_end(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	(void)out;
	return is_moment(s, m) ? piece_text(to, "null")
			       : piece_when(s, to, mark_end_ns(&s->p->marks, m));
}

static char *piece_phase(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	(void)out;
	return piece_digit(to, is_moment(s, m) ? MOMENT : INTERVAL);
}

static char *piece_category(struct shared *s, const struct mark_row *m, char *to, struct out *out)
{
	static const uint8_t of[PROFILE_MARKS] = {
		[MARK_RUNNING] = FRAME_USER,	[MARK_RUNNABLE] = FRAME_KERNEL,
		[MARK_BLOCKED] = CATEGORY_IDLE, [MARK_WAKES] = FRAME_KERNEL,
		[MARK_IO] = FRAME_KERNEL,	[MARK_EVENT] = FRAME_KERNEL,
	};

	(void)s;
	(void)out;
	return piece_digit(to, of[m->kind]);
}

/* An array NAME with PIECE of each mark of LANE; returns how many. */
static inline __attribute__((always_inline)) uint64_t
write_column(struct shared *s, const size_t *lane, const char *name, piece_mark *piece,
	     struct out *out)
{
	const struct profile_part *p = s->p;
	const struct mark_row *rows;
	uint64_t written = 0;
	size_t count;

	out_put(out, "%s:[", name);
	if (lane)
		p->marks.begin(p->ctx, *lane);
	while (lane && !out->error && (count = p->marks.next(p->ctx, &rows, &out->error)) != 0) {
		for (size_t i = 0; i < count; i++) {
			char *to = out_room(out, 2 * ROOM);

			if (written + i)
				*to++ = ',';
			out_filled(out, piece(s, &rows[i], to, out));
		}
		written += count;
	}
	out_str(out, "],\n");
	return written;
}

void write_markers(struct shared *s, const size_t *lane, struct out *out)
{
	uint64_t count;

	out_str(out, ",\n\"markers\":{");
	(void)write_column(s, lane, "name", piece_name, out);
	(void)write_column(s, lane, "startTime", piece_start, out);
	(void)write_column(s, lane, "endTime", piece_end, out);
	(void)write_column(s, lane, "phase", piece_phase, out);
	(void)write_column(s, lane, "category", piece_category, out);
	count = write_column(s, lane, "data", piece_data, out);
	out_put(out, "\"length\":%lu}", count);
}
