/* A capture without names, for others to look at: pdtool-cut(1), --scrub. What is written is made
 * of what is known: a record, a section or a field that may hold text which nothing here
 * understands is not there. */
#ifndef PDTOOL_CUT_SCRUB_H
#define PDTOOL_CUT_SCRUB_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/buf.h"
#include "parser/cut/pseudonym.h"
#include "parser/file/feature.h"
#include "parser/record/sample.h"
#include "parser/record/tracepoint.h"

enum scrub_level { SCRUB_NONE, SCRUB_NAMES, SCRUB_ALL };

struct scrub {
	unsigned level; /* enum scrub_level */
	const struct capture *capture;
	struct pseudonyms names;
	struct trace_formats formats;
	struct buf out;					/* of the record that came last */
	struct buf text;				/* for a moment */
	uint64_t stacks, registers, payloads, sections; /* emptied */
};

/* F: read to its end; it has tracing data if it ever had. */
void scrub_init(struct scrub *s, unsigned level, const struct capture *f);
void scrub_release(struct scrub *s);
/* Make of RAW, which is decoded as SAMPLE if it is one, what may be shown, in S->out: nothing, if
 * there is nothing. */
void scrub_record(struct scrub *s, const struct raw *raw, const struct sample *sample);
/* The same of the section ID, with the contents C, to the end of OUT. */
void scrub_section(struct scrub *s, unsigned id, struct cursor c, struct buf *out);

/* Is there anything of section ID that may be shown? */
bool scrub_knows(const struct scrub *s, unsigned id);

/* Between the files that do it: the fields of a sample; tracing data; the format of an event, NULL:
 * it has none; is that of a probe, which has its name of a program? What it is called instead. */
void scrub_sample(struct scrub *s, const struct raw *raw, const struct sample *sample);
void scrub_tracing(struct scrub *s, struct buf *out);
const struct pdt_format *scrub_format(const struct scrub *s, const struct event_attr *a);
bool scrub_is_probe(const struct pdt_format *f);
void scrub_event_name(struct scrub *s, const struct event_attr *a, struct interned name,
		      struct buf *out);

#endif
