/* What a session is made of, for the files of the front door that work on whole sessions. */
#ifndef PDTOOL_SESSION_INSIDE_H
#define PDTOOL_SESSION_INSIDE_H

#include "parser/batch.h"
#include "parser/pdtool_cut.h"
#include "parser/feed/passed.h"
#include "parser/feed/reader.h"
#include "parser/passing.h"
#include "parser/session.h"
#include "parser/stacks/stacking.h"

struct jit;
struct single;
struct pending;
struct traced;
struct unwinding;

struct session {
	struct session_options options;
	struct warnings *warnings;
	struct readers readers;
	bool alone; /* of a share: it cannot be read so (shares.h) */
	struct machine machine;
	struct stacks stacks;
	struct names names;
	struct sources *packed; /* of a pack: its files, and then the user's; NULL: it is none */
	struct jit *jit;
	struct single *single;	       /* of pdt_instruction(); NULL: not asked yet */
	struct srctext *sources;       /* of pdt_source_line(); NULL: not asked yet */
	struct traced *traced;	       /* a trace of instructions is wanted; or NULL */
	const struct pending *waiting; /* what comes behind an event of it; or NULL */
	uint64_t next_code_ns;	       /* when just-in-time compiled code comes next */
	struct unwinding *unwinding;   /* NULL: nothing was unwound yet */
	struct unwind_stats unwound;   /* by sessions that it absorbed */
	size_t expected, expect_pause; /* entries to come before more are looked at */
	bool asked_skip;	       /* stacks.skip is as the capture wants it */
	struct gaps gaps;
	bool resolved;
	struct passing passing;
	/* PDT_WANT_FIELDS: formats, read when the first payload comes, and the payload handed out
	 * last */
	struct trace_formats formats;
	bool formats_read;
	const struct pdt_format **by_desc; /* of the events seen so far */
	size_t by_desc_count, by_desc_cap;
	uint8_t *held;
	struct batch *batch;	    /* session_columns(); NULL: not asked for */
	struct held_record *record; /* that was handed out last; NULL: none */
	/* of the event that was handed out last; extras.h; NULL: it has none */
	struct pdt_values values;
	const uint8_t *extras;
	struct pdt_branch *branches; /* room for those of one; NULL: not asked for */
	uint64_t registers[2][64];
	uint64_t *addresses; /* of one stack; NULL: not asked for */
	union {
		struct pdt_counter counter;
		struct pdt_round round;
	}; /* the event that was handed out last, if it is one */
};

/* The values of an event that records none, where NEEDS ask for some; else NULL. */
static inline const struct pdt_values *no_values(unsigned needs)
{
	static const struct pdt_values none;

	return needs & (PDT_WANT_VALUES | PDT_WANT_BRANCHES | PDT_WANT_REGISTERS) ? &none : NULL;
}

/* P is handed out. */
static inline void session_used(struct session *s, const struct pending *p)
{
	const struct readers *r = &s->readers;

	s->readers.in.stats.used++;
	if (!(s->options.needs & PDT_WANT_CUT) || !(p->flags & PENDING_DETAILS))
		return;
	if (!s->passing.passed)
		s->passing.passed = passed_new();
	passed_add(s->passing.passed, r->count == 1 ? 0 : (size_t)(r->current - r->list),
		   pending_details(p).number);
}

/* The place of P, a sample of PROCESS that is alone, goes to OUT, which has no stack. */
void session_place(struct session *s, const struct pending *p, struct process *process,
		   struct pdt_event *out);

/* RAW is a STAT or a STAT_ROUND: count it, as an event. False: it is none that passes. */
bool session_counter(struct session *s, const struct raw *raw, struct pdt_event *out);

#endif
