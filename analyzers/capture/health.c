/* The facts about the soundness of a capture, read from the session's counts after the last
 * event. States what was counted and judges nothing. */
#include "analyzers/capture/health.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char *clock_name(uint64_t id)
{
	static const char *const names[] = { "CLOCK_REALTIME",		 "CLOCK_MONOTONIC",
					     "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_THREAD_CPUTIME_ID",
					     "CLOCK_MONOTONIC_RAW",	 "CLOCK_REALTIME_COARSE",
					     "CLOCK_MONOTONIC_COARSE",	 "CLOCK_BOOTTIME" };

	return id < ARRAY_SIZE(names) ? names[id] : "another clock";
}

bool health_when(const struct pdt_session *s, struct health_when *out)
{
	uint64_t first = pdt_number(s, PDT_FIRST_NS), wall = 0;
	int64_t mtime = (int64_t)pdt_number(s, PDT_MTIME);
	struct tm tm = { 0 };
	time_t t;

	*out = (struct health_when){ .recorded = first && pdt_number(s, PDT_HAS_WALL) };
	if (out->recorded)
		wall = pdt_number(s, PDT_WALL_NS) + (first - pdt_number(s, PDT_CLOCK_NS));
	else if (!mtime)
		return false;
	t = out->recorded ? (time_t)(wall / 1000000000) : (time_t)mtime;
	gmtime_r(&t, &tm);
	strftime(out->text, sizeof(out->text), "%Y-%m-%dT%H:%M:%S", &tm);
	out->us = (unsigned)(wall % 1000000000 / 1000);
	return true;
}

void health_clock(struct answer *a, const struct pdt_session *s)
{
	struct health_when when;

	if (!health_when(s, &when))
		return;
	if (when.recorded)
		answer_fact(a, "wall clock", "first sample at %s.%06uZ (%s)", when.text, when.us,
			    clock_name(pdt_number(s, PDT_CLOCK_ID)));
	else
		answer_fact(a, "wall clock", "not recorded; the file was last written at %sZ",
			    when.text);
}

/* How the stacks ended that were unwound, as shares of them. */
static void unwind_facts(struct answer *a, const struct pdt_session *s)
{
	uint64_t stacks = pdt_number(s, PDT_UNWOUND), count;
	uint64_t by_pointer = pdt_number(s, PDT_UNWOUND_BY_FP);
	uint64_t bad = pdt_number(s, PDT_UNWIND_BAD), evicted = pdt_number(s, PDT_UNWIND_EVICTED);
	struct buf b = { 0 };
	const char *end;

	if (!stacks)
		return;
	for (size_t i = 0; (end = pdt_unwind_end(s, i, &count)) != NULL; i++) {
		if (count)
			buf_printf(&b, "%s%s %s", b.len ? ", " : "", SHARE_TEXT(count, stacks),
				   end);
	}
	answer_fact(a, "unwound", "%s stacks, %s frames: %s", COUNT_TEXT(stacks),
		    COUNT_TEXT(pdt_number(s, PDT_UNWOUND_FRAMES)), b.data);
	buf_release(&b);
	if (by_pointer)
		answer_warn(a, "without unwind information",
			    "%" PRIu64 " callers found by frame pointer or link register",
			    by_pointer);
	if (bad || evicted)
		answer_warn(a, "unwind tables",
			    "%" PRIu64 " entries are invalid; those of %" PRIu64
			    " modules were discarded for lack of memory",
			    bad, evicted);
}

static void rare_fact(struct answer *a, const struct pdt_session *s)
{
	uint64_t stacks = pdt_number(s, PDT_RARE_STACKS);
	uint64_t samples = pdt_number(s, PDT_RARE_SAMPLES);

	if (stacks | samples)
		answer_fact(a, "others",
			    "%s rare stacks made room, and %s samples found none: they count as "
			    "[others] (see --max-memory)",
			    COUNT_TEXT(stacks), COUNT_TEXT(samples));
}

/* perf names its events after the kernel's unit that makes the trace. */
static bool has_intel_pt(const struct pdt_session *s)
{
	static const char unit[] = "intel_pt";
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (!strncmp(pdt_desc_name(d), unit, strlen(unit)))
			return true;
	}
	return false;
}

void health_stacks(struct answer *a, const struct pdt_session *s)
{
	uint64_t lbr = pdt_number(s, PDT_LBR_STACKS), junk = pdt_number(s, PDT_JUNK);
	uint64_t deferred = pdt_number(s, PDT_DEFERRED), aux = pdt_number(s, PDT_AUX_RECORDS);
	uint64_t chains = pdt_number(s, PDT_CHAINS);
	const struct {
		const char *what;
		uint64_t count;
	} kinds[] = {
		{ "LBR call stacks", lbr },
		{ "call chains", chains > lbr ? chains - lbr : 0 },
		{ "empty call chains", pdt_number(s, PDT_CHAINS_EMPTY) },
		{ "user stack dumps", pdt_number(s, PDT_USER_STACKS) },
	};
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].count)
			buf_printf(&b, "%s%s (%" PRIu64 ")", b.len ? ", " : "", kinds[i].what,
				   kinds[i].count);
	}
	answer_fact(a, "stacks", "%s", b.len ? b.data : "none recorded");
	buf_release(&b);
	unwind_facts(a, s);
	rare_fact(a, s);
	if (deferred)
		answer_fact(a, "deferred",
			    "%" PRIu64 " stacks lack their user part, which is not in the capture",
			    deferred);
	if (junk)
		answer_warn(a, "junk in chains",
			    "%" PRIu64 " values among the markers are not addresses", junk);
	if (aux)
		answer_fact(a, "aux data", "%s records, %s of trace, %s", COUNT_TEXT(aux),
			    BYTES_TEXT(pdt_number(s, PDT_AUX_BYTES)),
			    has_intel_pt(s) ? "decoded by script --itrace" : "not decoded");
}

bool health_is_damage(const struct pdt_session *s, size_t i)
{
	return !pdt_warning_is_note(s, i);
}

/* A note is told as it is: nothing is missing for it. */
static void note_fact(struct answer *a, const char *kind, const char *first, uint64_t count)
{
	const char *label = strcmp(kind, "path-refused") ? "note" : "refused";

	if (count > 1 || !strcmp(label, "refused"))
		answer_fact(a, label, "%s (%s in all)", first, COUNT_TEXT(count));
	else
		answer_fact(a, label, "%s", first);
}

void health_damage(struct answer *a, const struct pdt_session *s)
{
	uint64_t count, bytes;
	const char *kind;

	for (size_t i = 0; (kind = pdt_warning_kind(s, i, &bytes)) != NULL; i++) {
		const char *first = pdt_warning(s, i, &count);

		if (!health_is_damage(s, i))
			note_fact(a, kind, first, count);
		else if (bytes)
			answer_warn(a, "damage", "%s: %s times, %s", kind, COUNT_TEXT(count),
				    BYTES_TEXT(bytes));
		else
			answer_warn(a, "damage", "%s: %s times", kind, COUNT_TEXT(count));
	}
}
