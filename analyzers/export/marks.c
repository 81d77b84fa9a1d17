/* Each source gets all events. A row is a mark and where its text lies. */
#include "analyzers/export/marks.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mark_row {
	struct profile_mark mark;
	uint64_t text;
	uint32_t text_len;
};

static const struct mark_source *const sources[MARK_SOURCES] = { &sched_marks, &io_marks };

unsigned marks_wants(void)
{
	unsigned wants = PDT_WANT_FIELDS;

	for (size_t i = 0; i < MARK_SOURCES; i++)
		wants |= sources[i]->wants;
	return wants;
}

void marks_release(struct marks *k)
{
	for (size_t i = 0; k->begun && i < MARK_SOURCES; i++) {
		if (k->sources[i])
			sources[i]->release(k->sources[i]);
		free(k->sources[i]);
	}
	for (size_t i = 0; i < k->event_count; i++)
		print_format_free(k->events[i].format);
	free(k->events);
	trail_release(&k->trail);
	idmap_release(&k->ids);
	intern_release(&k->comms);
	free(k->lanes);
	temp_stream_release(&k->texts);
	buf_release(&k->text);
	*k = (struct marks){ 0 };
}

/* ---- marks ---- */

static uint32_t lane_of(struct marks *k, uint32_t tid)
{
	uint32_t *id = idmap_put(&k->ids, tid);

	if (*id != IDMAP_NONE)
		return *id;
	*id = trail_new(&k->trail);
	k->lanes = xgrow(k->lanes, &k->lane_cap, k->lane_count + 1, sizeof(*k->lanes));
	k->lanes[k->lane_count++] = (struct mark_lane){
		.tid = tid, .pid = PROFILE_NONE, .comm = INTERN_NONE, .series = *id
	};
	return *id;
}

static void add_row(struct marks *k, uint32_t tid, const struct mark_row *row)
{
	const struct profile_mark *m = &row->mark;
	bool first = !k->trail.rows;

	k->first_ns = first || m->start_ns < k->first_ns ? m->start_ns : k->first_ns;
	k->last_ns = first || m->end_ns > k->last_ns ? m->end_ns : k->last_ns;
	trail_add(&k->trail, lane_of(k, tid), row);
}

static void add(void *ctx, uint32_t tid, const struct profile_mark *m)
{
	struct mark_row row;

	memset(&row, 0, sizeof(row)); /* it is written as it is */
	row.mark = *m;
	add_row(ctx, tid, &row);
}

static void name(void *ctx, uint32_t tid, uint32_t pid, const char *comm)
{
	struct marks *k = ctx;
	uint32_t id = idmap_get(&k->ids, tid);

	if (id == IDMAP_NONE)
		return;
	k->lanes[id].named = true;
	if (pid != PROFILE_NONE)
		k->lanes[id].pid = pid;
	if (comm && *comm)
		k->lanes[id].comm = intern_add(&k->comms, comm, strlen(comm));
}

static void begin(struct marks *k)
{
	k->begun = true;
	k->trail.size = sizeof(struct mark_row);
	intern_init(&k->comms);
	k->sink = (struct mark_sink){ add, name, k };
	for (size_t i = 0; i < MARK_SOURCES; i++) {
		k->sources[i] = xcalloc(1, sources[i]->state_size);
		sources[i]->begin(k->sources[i], &k->sink);
	}
}

/* ---- other tracepoints ---- */

static bool of_system(const struct pdt_format *f, const char *system)
{
	return !strcmp(pdt_format_system(f), system);
}

/* Sources tell what the scheduler and disks did; the life of processes is not among it. */
static struct marked_event *event_of(struct marks *k, const struct pdt_event *e)
{
	struct marked_event *m;
	bool taken;

	k->events = xgrow_to(k->events, &k->event_count, &k->event_cap, pdt_desc_index(e->desc),
			     sizeof(*k->events));
	m = &k->events[pdt_desc_index(e->desc)];
	if (m->kind)
		return m;
	taken = of_system(e->format, "block") ||
		(of_system(e->format, "sched") &&
		 strncmp(pdt_format_name(e->format), "sched_process_", 14) != 0);
	m->kind = taken ? EVENT_TAKEN : EVENT_MARKED;
	if (!taken)
		m->format = print_format_new(e->format);
	return m;
}

static void keep_text(struct marks *k, struct mark_row *row)
{
	size_t len = k->text.len;

	temp_stream_add(&k->texts, k->text.data, len);
	row->text = k->text_bytes;
	row->text_len = (uint32_t)len;
	k->text_bytes += len;
}

static void mark_event(struct marks *k, const struct pdt_event *e, const struct pdt_session *s)
{
	struct marked_event *m = event_of(k, e);
	struct mark_row row;

	if (m->kind == EVENT_TAKEN)
		return;
	memset(&row, 0, sizeof(row));
	row.mark.start_ns = row.mark.end_ns = e->time_ns;
	row.mark.kind = MARK_EVENT;
	row.mark.cpu = e->has_cpu ? e->cpu : PROFILE_NONE;
	row.mark.stack = e->stack;
	row.mark.other = PROFILE_NONE;
	row.mark.event.event = pdt_desc_index(e->desc);
	k->text.len = 0;
	if (e->raw)
		print_format_put(m->format, e, NULL, &k->text);
	keep_text(k, &row);
	add_row(k, e->tid, &row);
	name(k, e->tid, e->pid, pdt_comm(s, e->comm));
}

void marks_event(struct marks *k, const struct pdt_event *e, const struct pdt_session *s,
		 bool passes)
{
	if (!k->begun)
		begin(k);
	for (size_t i = 0; i < MARK_SOURCES; i++)
		sources[i]->event(k->sources[i], e, s);
	if (passes && e->kind == PDT_SAMPLE && e->format)
		mark_event(k, e, s);
}

static void drop_unnamed(struct marks *k)
{
	size_t kept = 0;

	for (size_t i = 0; i < k->lane_count; i++) {
		if (k->lanes[i].named)
			k->lanes[kept++] = k->lanes[i];
	}
	k->lane_count = kept;
}

void marks_end(struct marks *k)
{
	for (size_t i = 0; k->begun && i < MARK_SOURCES; i++) {
		sources[i]->end(k->sources[i]);
		sources[i]->release(k->sources[i]);
		free(k->sources[i]);
		k->sources[i] = NULL;
	}
	trail_end(&k->trail);
	drop_unnamed(k);
	k->error = k->texts.error ?: k->trail.error;
	if (k->texts.file && !k->error && fflush(k->texts.file) != 0)
		k->error = errno;
}

/* ---- reading ---- */

static void read_text(struct marks *k, const struct mark_row *row)
{
	size_t len = row->text_len;
	char *to;

	k->text.len = 0;
	to = buf_reserve(&k->text, len + 1);
	to[len] = 0;
	k->error = temp_read(fileno(k->texts.file), to, len, row->text);
}

bool marks_next(struct marks *k, struct profile_mark *m)
{
	struct mark_row row;

	if (k->error || !trail_next(&k->trail, &row)) {
		k->error = k->error ?: k->trail.error;
		return false;
	}
	*m = row.mark;
	if (m->kind == MARK_EVENT) {
		read_text(k, &row);
		m->event.text = k->text.data;
	}
	return !k->error;
}
