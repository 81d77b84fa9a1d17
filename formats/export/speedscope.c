/* speedscope's own form (https://www.speedscope.app/file-format-schema.json): frames once, by
 * their index, and for each thread and event a profile: stacks, root first, and weights beside
 * them. Frames are told apart by their index, so each function is one. */
#include "formats/export/pieces.h"
#include "formats/export/readers.h"
#include "parser/base/mem.h"

#include <stdlib.h>

#ifndef PDTOOL_VERSION
#define PDTOOL_VERSION "0"
#endif

/* What stands on the stack with which a thread left the CPU, behind the functions. */
enum { ON_CPU, WAITING, PREEMPTED, SLEEPING, DISK_SLEEP, BLOCKED, STATES };
static const char *const states[STATES] = {
	[ON_CPU] = "[running]",	   [WAITING] = "[waits for a CPU]", [PREEMPTED] = "[preempted]",
	[SLEEPING] = "[sleeping]", [DISK_SLEEP] = "[disk sleep]",   [BLOCKED] = "[blocked]",
};

static void write_frames(const struct profile_part *p, struct out *out)
{
	out_str(out, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		const char *file = function_file(p, f);

		out_put(out, i ? ",\n{\"name\":%s" : "\n{\"name\":%s", f->name);
		if (*file)
			out_put(out, ",\"file\":%s", file);
		out_str(out, "}");
	}
	for (size_t i = 0; p->lane_count && i < STATES; i++)
		out_put(out, ",\n{\"name\":%s}", states[i]);
	out_str(out, "]},\n");
}

static void write_stack(const struct profile_part *p, uint32_t stack, struct out *out)
{
	const uint32_t *locations;
	const char *between = "[";

	for (size_t i = p->stack(p->ctx, stack, &locations); i-- > 0;) {
		const struct profile_location *l = &p->locations[locations[i]];

		for (size_t k = l->count; k-- > 0;) {
			out_str(out, between);
			out_u64(out, p->lines[l->first + k].function);
			between = ",";
		}
	}
	out_str(out, "]");
}

static void write_series(const struct profile_part *p, size_t series, struct out *out)
{
	struct joined_rows rows;
	struct profile_row row;
	uint64_t sum = 0;
	size_t count = 0;

	out_str(out, ",\"samples\":[");
	joined_begin(&rows, p, series, out);
	for (; joined_next(&rows, p, &row, out); count++) {
		out_str(out, count ? ",\n" : "\n");
		write_stack(p, row.stack, out);
	}
	out_str(out, "],\"weights\":[");
	joined_begin(&rows, p, series, out);
	for (count = 0; joined_next(&rows, p, &row, out); count++) {
		out_str(out, count ? "," : "");
		out_u64(out, row.weight);
		sum += row.weight;
	}
	out_put(out, "],\"startValue\":0,\"endValue\":%lu}", sum);
}

/* "app 77/78 cpu-clock" */
static void write_name(const struct profile_thread *t, const char *what, struct out *out)
{
	struct buf name = { 0 };

	buf_printf(&name, "%s %d/%d %s", t->comm, (int)t->pid, (int)t->tid, what);
	out_put(out, "\"name\":%s", name.data);
	buf_release(&name);
}

/* ---- what threads did ---- */

struct evented {
	const struct profile_part *p;
	struct out *out;
	uint32_t *frames; /* the stack that is open, the outermost first */
	size_t depth, cap;
	uint32_t stack; /* which one that is, with the state on it */
	uint64_t end_ns;
	bool any; /* events were written */
};

static void put_event(struct evented *e, char what, uint32_t frame, uint64_t at)
{
	const struct profile_part *p = e->p;

	char *to = out_room(e->out, PIECES);

	*to++ = e->any ? ',' : ' ';
	to = piece_text(to, "\n{\"type\":\"");
	*to++ = what;
	to = piece_u64(piece_text(to, "\",\"frame\":"), frame);
	to = piece_u64(piece_text(to, ",\"at\":"), at > p->first_ns ? at - p->first_ns : 0);
	*to++ = '}';
	out_filled(e->out, to);
	e->any = true;
}

static void push(struct evented *e, uint32_t frame, uint64_t at)
{
	e->frames = xgrow(e->frames, &e->cap, e->depth + 1, sizeof(*e->frames));
	e->frames[e->depth++] = frame;
	put_event(e, 'O', frame, at);
}

/* Close all but DEPTH frames, as of the end of what was there last. */
static void pop(struct evented *e, size_t depth)
{
	while (e->depth > depth)
		put_event(e, 'C', e->frames[--e->depth], e->end_ns);
}

static void push_stack(struct evented *e, uint32_t stack, uint64_t at)
{
	const struct profile_part *p = e->p;
	const uint32_t *locations;

	if (stack == PROFILE_NONE)
		return;
	for (size_t i = p->stack(p->ctx, stack, &locations); i-- > 0;) {
		const struct profile_location *l = &p->locations[locations[i]];

		for (size_t k = l->count; k-- > 0;)
			push(e, p->lines[l->first + k].function, at);
	}
}

static uint32_t state_of(const struct mark_row *m)
{
	if (m->kind == MARK_RUNNING)
		return ON_CPU;
	if (m->kind == MARK_RUNNABLE)
		return m->preempted ? PREEMPTED : WAITING;
	return m->letter == 'S' ? SLEEPING : m->letter == 'D' ? DISK_SLEEP : BLOCKED;
}

/* What follows a block in the same stack, as the wait for a CPU does, goes on in it. */
static void take_mark(struct evented *e, const struct mark_row *m)
{
	const struct profile_part *p = e->p;
	uint64_t start = m->start_ns > e->end_ns ? m->start_ns : e->end_ns;
	uint64_t end = mark_end_ns(&p->marks, m);
	uint32_t stack = p->marks.stack(p->ctx, m);
	bool same = e->depth && start == e->end_ns && stack == e->stack;

	pop(e, same ? e->depth - 1 : 0);
	if (!same)
		push_stack(e, stack, start);
	push(e, (uint32_t)p->function_count + state_of(m), start);
	e->stack = stack;
	e->end_ns = end > start ? end : start;
}

static void begin_lane(struct evented *e, size_t lane, uint64_t start_ns)
{
	const struct profile_part *p = e->p;
	struct out *out = e->out;

	out_str(out, "\n{\"type\":\"evented\",\"unit\":\"nanoseconds\",");
	write_name(&p->threads[p->lanes[lane]], "on and off the CPU", out);
	out_str(out, ",\"startValue\":");
	out_u64(out, start_ns > p->first_ns ? start_ns - p->first_ns : 0);
	out_str(out, ",\"events\":[");
}

/* A profile of lane I, behind BETWEEN; false: there is nothing to tell. */
static bool write_lane(const struct profile_part *p, size_t i, const char *between, struct out *out)
{
	struct evented e = { .p = p, .out = out };
	const struct mark_row *rows;
	bool begun = false;
	size_t count;

	p->marks.begin(p->ctx, i);
	while (!out->error && (count = p->marks.next(p->ctx, &rows, &out->error)) != 0) {
		for (size_t k = 0; k < count; k++) {
			if (rows[k].kind > MARK_BLOCKED)
				continue;
			if (!begun) {
				out_str(out, between);
				begin_lane(&e, i, rows[k].start_ns);
			}
			begun = true;
			take_mark(&e, &rows[k]);
		}
	}
	if (!begun)
		return false;
	pop(&e, 0);
	out_str(out, "],\"endValue\":");
	out_u64(out, e.end_ns > p->first_ns ? e.end_ns - p->first_ns : 0);
	out_str(out, "}");
	free(e.frames);
	return true;
}

void write_speedscope(const struct profile_part *p, struct out *out)
{
	const char *between = "";

	out->quoting = QUOTE_JSON;
	out_str(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n");
	out_put(out, "\"exporter\":\"pdtool@" PDTOOL_VERSION "\",\"name\":%s,\n",
		base_name(p->path ? p->path : "-"));
	write_frames(p, out);
	out_str(out, "\"activeProfileIndex\":0,\"profiles\":[");
	for (size_t i = 0; i < p->lane_count && !out->error; i++) {
		if (write_lane(p, i, between, out))
			between = ",";
	}
	for (size_t i = 0; i < p->series_count && !out->error; i++) {
		const struct profile_series *s = &p->series[i];
		struct joined_rows rows;

		joined_begin(&rows, p, i, out);
		if (!rows.there) /* filters leave none */
			continue;
		out_str(out, between);
		out_str(out, "\n{\"type\":\"sampled\",\"unit\":");
		out_str(out, p->events[s->event].in_ns ? "\"nanoseconds\"," : "\"none\",");
		write_name(&p->threads[s->thread], p->events[s->event].name, out);
		write_series(p, i, out);
		between = ",";
	}
	out_str(out, "]}\n");
}
