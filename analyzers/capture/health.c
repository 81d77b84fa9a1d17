/* The facts about the soundness of a capture, read from the session's counts after the last
 * event. States what was counted and judges nothing. */
#include "analyzers/capture/health.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char *clock_name(uint32_t id)
{
	static const char *const names[] = { "CLOCK_REALTIME",		 "CLOCK_MONOTONIC",
					     "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_THREAD_CPUTIME_ID",
					     "CLOCK_MONOTONIC_RAW",	 "CLOCK_REALTIME_COARSE",
					     "CLOCK_MONOTONIC_COARSE",	 "CLOCK_BOOTTIME" };

	return id < ARRAY_SIZE(names) ? names[id] : "another clock";
}

void health_clock(struct answer *a, const struct session *s)
{
	const struct session_stats *st = session_stats(s);
	const struct capture_meta *m = &session_capture(s)->meta;
	int64_t mtime = session_mtime(s);
	uint64_t wall;
	char text[64];
	struct tm tm;
	time_t t;

	if (m->has_clock_data && st->first_ns) {
		wall = m->wall_ns + (st->first_ns - m->clock_ns);
		t = (time_t)(wall / 1000000000);
		gmtime_r(&t, &tm);
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
		answer_fact(a, "wall clock", "first sample at %s.%06uZ (%s)", text,
			    (unsigned)(wall % 1000000000 / 1000), clock_name(m->clock_id));
	} else if (mtime) {
		t = (time_t)mtime;
		gmtime_r(&t, &tm);
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
		answer_fact(a, "wall clock", "not recorded; the file was last written at %s", text);
	}
}

/* How the stacks ended that were unwound, as shares of them. */
static void unwind_facts(struct answer *a, const struct session *s)
{
	struct unwind_stats u = session_unwind_stats(s);
	struct buf b = { 0 };

	if (!u.stacks)
		return;
	for (int i = 0; i < UNWIND_END_COUNT; i++) {
		if (u.ends[i])
			buf_printf(&b, "%s%s %s", b.len ? ", " : "",
				   SHARE_TEXT(u.ends[i], u.stacks),
				   unwind_end_text((enum unwind_end)i));
	}
	answer_fact(a, "unwound", "%s stacks, %s frames: %s", COUNT_TEXT(u.stacks),
		    COUNT_TEXT(u.frames), b.data);
	buf_release(&b);
	if (u.by_frame_pointer)
		answer_fact(a, "without unwind information",
			    "%" PRIu64 " callers found by frame pointer or link register",
			    u.by_frame_pointer);
	if (u.bad_entries || u.evicted)
		answer_fact(a, "unwind tables",
			    "%" PRIu64 " entries are invalid; those of %" PRIu64
			    " modules were discarded for lack of memory",
			    u.bad_entries, u.evicted);
}

void health_stacks(struct answer *a, const struct session *s)
{
	const struct session_stats *st = session_stats(s);
	struct buf b = { 0 };

	if (st->lbr)
		buf_printf(&b, "LBR call stacks (%" PRIu64 ")", st->lbr);
	if (st->chains_recorded > st->lbr)
		buf_printf(&b, "%scall chains (%" PRIu64 ")", b.len ? ", " : "",
			   st->chains_recorded - st->lbr);
	if (st->chains_empty)
		buf_printf(&b, "%sempty call chains (%" PRIu64 ")", b.len ? ", " : "",
			   st->chains_empty);
	if (st->user_stacks)
		buf_printf(&b, "%suser stack dumps (%" PRIu64 ")", b.len ? ", " : "",
			   st->user_stacks);
	answer_fact(a, "stacks", "%s", b.len ? b.data : "none recorded");
	buf_release(&b);
	unwind_facts(a, s);
	if (session_stacks(s)->deferred.waiting)
		answer_fact(a, "deferred",
			    "%" PRIu64 " stacks lack their user part, which is not in the capture",
			    session_stacks(s)->deferred.waiting);
	if (session_stacks(s)->junk_entries)
		answer_fact(a, "junk in chains",
			    "%" PRIu64 " values among the markers are not addresses",
			    session_stacks(s)->junk_entries);
	if (st->aux_records)
		answer_fact(a, "aux data", "%s records, %s of trace, not decoded",
			    COUNT_TEXT(st->aux_records), BYTES_TEXT(st->aux_bytes));
}

void health_damage(struct answer *a, const struct session *s)
{
	const struct warnings *w = session_capture(s)->warnings;

	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].bytes)
			answer_fact(a, "damage", "%s: %s times, %s", w->list[i].kind,
				    COUNT_TEXT(w->list[i].count), BYTES_TEXT(w->list[i].bytes));
		else
			answer_fact(a, "damage", "%s: %s times", w->list[i].kind,
				    COUNT_TEXT(w->list[i].count));
	}
}
