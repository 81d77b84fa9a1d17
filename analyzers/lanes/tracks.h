/* Threads on their way to the lanes of a flame chart: who they are, and their spans, which the two
 * kinds of flame charts (chart.h, callchart.h) put there. */
#ifndef PDTOOL_TRACKS_H
#define PDTOOL_TRACKS_H

#include "formats/model/result.h"
#include "parser/base/idmap.h"
#include "parser/pdtool.h"

struct track {
	uint32_t pid, tid; /* of pid 0, tid is the CPU */
	uint32_t comm;
	uint64_t last_ns; /* what is known of it ends there */
	char *name;
	struct span *spans;
	size_t count, cap;
	uint32_t depth;
};

/* All zero is empty. */
struct tracks {
	struct idmap index; /* pid and tid -> number */
	struct track *list;
	size_t count, cap;
	struct lane *lanes;
	struct timeline_part part;
};

/* The number of a thread, which runs COMM now. */
uint32_t tracks_put(struct tracks *t, uint32_t pid, uint32_t tid, uint32_t comm);
/* Returns the place of S among the spans of T. */
size_t track_add(struct track *t, struct span s);
/* The capture is read: give them names. */
void tracks_name(struct tracks *t, const struct pdt_session *s);
/* A flame chart of all that have spans; LIKE has what the names of spans are. Their order is
 * another one now. */
void tracks_result(struct tracks *t, const struct timeline_part *like, struct result *out);
void tracks_release(struct tracks *t);

#endif
