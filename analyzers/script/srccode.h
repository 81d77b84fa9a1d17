/* The line of the source behind a sample, below its line: once for as long as a thread stays there.
 * Source of the form: perf 6.12, tools/perf/builtin-script.c, map__fprintf_srccode(). */
#ifndef PDTOOL_SCRIPT_SRCCODE_H
#define PDTOOL_SCRIPT_SRCCODE_H

#include "parser/base/buf.h"
#include "parser/base/idmap.h"
#include "parser/base/err.h"
#include "parser/pdtool_record.h"

struct source_place {
	const char *file;
	uint32_t line;
};

/* All zero is empty. */
struct srccode {
	const char **texts; /* by location, those of samples; NULL: not at hand */
	size_t count, cap;
	struct idmap threads;
	struct source_place *last; /* by thread */
	size_t thread_count, thread_cap;
};

void srccode_release(struct srccode *c);
/* A sample is at LOCATION. */
void srccode_note(struct srccode *c, uint32_t location);
/* There are names now: look for the lines. What is not at hand is said in W. */
void srccode_make(struct srccode *c, const struct pdt_session *s, struct warnings *w);
/* The line at LOCATION, as it is in the file; NULL: it is not at hand. */
const char *srccode_at(const struct srccode *c, uint32_t location);
/* Append the line at the location of E, a sample, where its thread was elsewhere before. */
void srccode_put(struct srccode *c, const struct pdt_event *e, const struct pdt_session *s,
		 struct buf *out);

#endif
