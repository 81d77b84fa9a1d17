/* One event as perf script prints it. */
#ifndef PDTOOL_SCRIPT_LINE_H
#define PDTOOL_SCRIPT_LINE_H

#include "analyzers/script/fields.h"
#include "analyzers/script/held.h"
#include "analyzers/script/insns.h"
#include "analyzers/script/srccode.h"
#include "analyzers/script/texts.h"
#include "analyzers/script/where.h"

struct line_options {
	bool ns, reltime, deltatime, latency, no_chain;
	uint64_t max_stack; /* 0: all frames */
	struct name_list stop;
	bool full_path;
	bool as_perf; /* chains that it drops, the marks of inlined functions */
};

/* Text that is made once. Behind it BUF_SHORT bytes can be read. */
struct kept_text {
	char *text;
	size_t len;
};

static inline struct kept_text kept_text_of(struct buf *made)
{
	memset(buf_reserve(made, BUF_SHORT), 0, BUF_SHORT);
	return (struct kept_text){ made->data, made->len };
}

/* What the lines of one event are made of, found out once. */
struct line_plan {
	struct kept_text name; /* as it is shown; NULL: nothing is found out yet */
	uint64_t fields;
	uint64_t period; /* of each sample that has none of its own */
	enum script_type type;
	bool own_period; /* they have */
	bool padded;	 /* commands are, to a column */
	bool simple; /* who, when, how much, what, and one address */
};

/* What a line begins with, up to the CPU: a few threads have most lines. */
struct line_head {
	struct head_of {
		uint64_t fields; /* that are shown; 0: nothing is kept here */
		uint32_t comm, pid, tid, cpu;
		bool padded;
	} of;
	uint8_t len;
	char text[64];
};

#define LINE_HEADS 256

struct printer {
	const struct line_options *options;
	const struct script_fields *fields;
	const struct pdt_session *session;
	struct where where[SCRIPT_TYPES], ends[SCRIPT_TYPES]; /* ends of branches */
	const struct where *last; /* what the chain before was shown by */
	struct texts *texts;
	const struct insns *insns;
	struct srccode *srccode;
	struct kept_text *comms; /* by id; a NULL text: not made yet */
	struct line_plan *plans; /* by event */
	size_t comm_count, comm_cap, plan_count, plan_cap;
	struct line_head *heads; /* by thread: LINE_HEADS */
	uint64_t second;	 /* of the line before: when it began, */
	char second_text[32];	 /* and "12345." */
	uint8_t second_len;
	uint64_t period;     /* that was shown last */
	char period_text[BUF_SHORT];
	uint8_t period_len;
	size_t event_width;  /* of the longest name of an event */
	size_t source_width; /* of the longest source of data so far */
	size_t indent_width; /* of the column of calls, for now */
	uint64_t first_ns, last_ns;
};

/* What P points to must outlive it: options, fields, session, texts and insns are set, the rest is
 * zero.
 */
void printer_init(struct printer *p);
void printer_release(struct printer *p);
/* The line of C comes soon. */
void printer_expect(const struct printer *p, const struct held_coming *c);
void printer_expect_text(const struct printer *p, const struct held_coming *c);
/* Append what the line of ROW has of FIELD, one behind the command and ids (0: the flags), without
 * the blanks and the name around it. */
void printer_put_field(struct printer *p, const struct held_row *row, uint64_t field,
		       struct buf *out);
/* Append the line of ROW, or lines, to OUT. */
void printer_put(struct printer *p, const struct held_row *row, struct buf *out);

#endif
