/* Each source gets all events. A row is a mark; its details lie in a file of their own. */
#include "analyzers/export/marks.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	trail_release(&k->ios);
	idmap_release(&k->ids);
	intern_release(&k->comms);
	free(k->lanes);
	free(k->far);
	temp_stream_release(&k->texts.all);
	buf_release(&k->texts.text);
	*k = (struct marks){ 0 };
}

/* ---- marks ---- */

static uint32_t new_lane(struct marks *k, uint32_t tid)
{
	uint32_t *id = idmap_put(&k->ids, tid);

	if (*id != IDMAP_NONE)
		return *id;
	*id = trail_new(&k->trail);
	k->lanes = xgrow(k->lanes, &k->lane_cap, k->lane_count + 1, sizeof(*k->lanes));
	k->lanes[k->lane_count++] = (struct mark_lane){
		.tid = tid,
		.pid = PROFILE_NONE,
		.comm = INTERN_NONE,
		.series = *id,
		.ios = PROFILE_NONE,
	};
	return *id;
}

static inline uint32_t lane_of(struct marks *k, uint32_t tid)
{
	uint32_t *recent = &k->recent[tid % MARKS_RECENT];

	if (*recent >= k->lane_count || k->lanes[*recent].tid != tid)
		*recent = new_lane(k, tid);
	return *recent;
}

static void keep_io(struct marks *k, struct mark_lane *lane, const struct mark_io *io)
{
	if (lane->ios == PROFILE_NONE)
		lane->ios = trail_new(&k->ios);
	trail_add(&k->ios, lane->ios, io, sizeof(*io));
}

/* With its end. */
static void keep_text(struct marks *k, const char *text, struct mark_row *row)
{
	struct texts *t = &k->texts;
	size_t len = strlen(text) + 1;

	temp_stream_add(&t->all, text, len);
	row->span_ns = (uint32_t)t->bytes;
	row->letter = (char)(t->bytes >> 32);
	t->bytes += len;
}

static void keep_far(struct marks *k, const struct profile_mark *m, struct mark_row *row)
{
	row->far = true;
	row->span_ns = (uint32_t)k->far_count;
	k->far = xgrow(k->far, &k->far_cap, k->far_count + 1, sizeof(*k->far));
	k->far[k->far_count++] = (struct mark_far){ m->end_ns, m->cpu };
}

static void add(void *ctx, uint32_t tid, const struct profile_mark *m)
{
	struct marks *k = ctx;
	uint64_t span = m->end_ns - m->start_ns;
	struct mark_row row = { .start_ns = m->start_ns,
				.span_ns = (uint32_t)span,
				.stack = m->stack,
				.other = m->other,
				.cpu = (uint16_t)m->cpu,
				.kind = m->kind & 15,
				.interrupt = m->interrupt,
				.preempted = m->preempted,
				.letter = m->letter };
	bool first = !k->trail.rows;
	uint32_t lane = lane_of(k, tid);

	k->first_ns = first || m->start_ns < k->first_ns ? m->start_ns : k->first_ns;
	k->last_ns = first || m->end_ns > k->last_ns ? m->end_ns : k->last_ns;
	if (m->kind == MARK_EVENT)
		row.cpu = MARK_NO_CPU; /* which nobody asks for */
	else if (span > UINT32_MAX || (m->cpu >= MARK_NO_CPU && m->cpu != PROFILE_NONE))
		keep_far(k, m, &row);
	if (m->kind == MARK_IO)
		keep_io(k, &k->lanes[lane], m->io);
	else if (m->kind == MARK_EVENT)
		keep_text(k, m->text, &row);
	trail_add(&k->trail, lane, &row, sizeof(row));
}

static void name(void *ctx, uint32_t tid, uint32_t pid, const char *comm)
{
	struct marks *k = ctx;
	uint32_t id = k->recent[tid % MARKS_RECENT];
	struct mark_lane *l;

	if (id >= k->lane_count || k->lanes[id].tid != tid)
		id = idmap_get(&k->ids, tid);
	if (id == IDMAP_NONE)
		return;
	l = &k->lanes[id];
	l->named = true;
	if (pid != PROFILE_NONE)
		l->pid = pid;
	if (comm && *comm &&
	    (l->comm == INTERN_NONE || strcmp(intern_str(&k->comms, l->comm), comm) != 0))
		l->comm = intern_add(&k->comms, comm, strlen(comm));
}

static void begin(struct marks *k)
{
	k->begun = true;
	k->trail.size = sizeof(struct mark_row);
	k->ios.size = sizeof(struct mark_io);
	intern_init(&k->comms);
	k->sink = (struct mark_sink){ add, name, k };
	for (size_t i = 0; i < MARK_SOURCES; i++) {
		k->sources[i] = xcalloc(1, sources[i]->state_size);
		sources[i]->begin(k->sources[i], &k->sink);
	}
}

/* ---- events ---- */

static bool of_system(const struct pdt_format *f, const char *system)
{
	return !strcmp(pdt_format_system(f), system);
}

/* Sources tell what the scheduler and disks did; the life of processes is not among it. */
static void bind(struct marked_event *m, const struct pdt_format *f)
{
	bool taken = false;

	m->bound = f != NULL; /* it may come later */
	for (size_t i = 0; i < MARK_SOURCES; i++) {
		bool of = !f || of_system(f, sources[i]->system);

		m->sources |= (unsigned)of << i;
		taken |= of;
	}
	m->marked = f && (!taken || (of_system(f, "sched") &&
				     !strncmp(pdt_format_name(f), "sched_process_", 14)));
	if (m->marked)
		m->format = print_format_new(f);
}

static struct marked_event *event_of(struct marks *k, const struct pdt_event *e)
{
	uint32_t i = pdt_desc_index(e->desc);

	if (i < k->event_count && k->events[i].bound)
		return &k->events[i];
	k->events = xgrow_to(k->events, &k->event_count, &k->event_cap, i, sizeof(*k->events));
	bind(&k->events[i], e->format);
	return &k->events[i];
}

static void mark_event(struct marks *k, const struct marked_event *m, const struct pdt_event *e,
		       const struct pdt_session *s)
{
	struct buf *text = &k->texts.text;
	struct profile_mark mark = { .start_ns = e->time_ns,
				     .end_ns = e->time_ns,
				     .kind = MARK_EVENT,
				     .cpu = e->has_cpu ? e->cpu : PROFILE_NONE,
				     .stack = e->stack,
				     .other = pdt_desc_index(e->desc) };

	text->len = 0;
	if (e->raw)
		print_format_put(m->format, e, NULL, text);
	mark.text = text->len ? text->data : "";
	add(k, e->tid, &mark);
	name(k, e->tid, e->pid, pdt_comm(s, e->comm));
}

void marks_event(struct marks *k, const struct pdt_event *e, const struct pdt_session *s,
		 bool passes)
{
	const struct marked_event *m;

	if (!k->begun)
		begin(k);
	m = e->kind == PDT_SAMPLE ? event_of(k, e) : NULL;
	for (size_t i = 0; i < MARK_SOURCES; i++) {
		if (!m || m->sources >> i & 1)
			sources[i]->event(k->sources[i], e, s);
	}
	if (passes && m && m->marked)
		mark_event(k, m, e, s);
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
	trail_end(&k->ios);
	drop_unnamed(k);
	temp_stream_flush(&k->texts.all);
	k->error = k->texts.all.error ?: k->trail.error ?: k->ios.error;
}

/* ---- reading ---- */

/* What lies at PLACE, and how much of it is at hand; EIO is an error where nothing is. */
static const char *window(struct marks *k, uint64_t place, size_t *len)
{
	struct texts *d = &k->texts;

	if (place < d->window_at || place + *len > d->window_at + d->window_len) {
		uint64_t left = d->bytes - place;

		d->window_at = place;
		d->window_len = left < sizeof(d->window) ? (size_t)left : sizeof(d->window);
		k->error = temp_read(d->all.fd, d->window, d->window_len, place);
	}
	*len = d->window_at + d->window_len - place;
	return d->window + (place - d->window_at);
}

void marks_begin(struct marks *k, size_t lane)
{
	trail_begin(&k->trail, k->lanes[lane].series);
	if (k->lanes[lane].ios != PROFILE_NONE)
		trail_begin(&k->ios, k->lanes[lane].ios);
}

const struct mark_io *marks_io(struct marks *k)
{
	if (trail_next(&k->ios, &k->io, sizeof(k->io)))
		return &k->io;
	k->error = k->ios.error ?: EIO;
	return NULL;
}

/* Texts may be longer than the window. */
const char *marks_text(struct marks *k, const struct mark_row *m)
{
	struct buf *text = &k->texts.text;
	uint64_t at = (uint64_t)(uint8_t)m->letter << 32 | m->span_ns;
	const char *end = NULL;

	text->len = 0;
	while (!k->error && !end) {
		size_t len = 1;
		const char *from = window(k, at, &len);

		end = memchr(from, '\0', len);
		len = end ? (size_t)(end - from) : len;
		buf_add(text, from, len);
		at += len;
	}
	return k->error ? NULL : text->len ? text->data : "";
}

size_t marks_next(struct marks *k, const struct mark_row **rows)
{
	const void *some = NULL;
	size_t count = k->error ? 0 : trail_some(&k->trail, &some);

	k->error = k->error ?: k->trail.error;
	*rows = some;
	return count;
}
