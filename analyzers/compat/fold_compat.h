/* What `perf script | stackcollapse-perf.pl` makes of a sample, quirks and all: its regular
 * expressions at work on the text that perf prints. For --compat stackcollapse only. Source:
 * FlameGraph's stackcollapse-perf.pl and perf's builtin-script.c, read for what they do. */
#ifndef PDTOOL_FOLD_COMPAT_H
#define PDTOOL_FOLD_COMPAT_H

#include "analyzers/count/compat.h"

/* The fields of perf script's header line. */
struct compat_header {
	const char *comm;
	uint32_t tid, cpu;
	uint64_t time_ns, period;
	const char *event;
	size_t event_width;
	const char *trace; /* the text of a tracepoint's fields; NULL: not asked for */
	bool has_cpu, has_time, has_period;
	bool is_tracepoint; /* the line ends in trace text, not in the event's name */
};

struct compat_sample {
	struct buf label; /* the root frame */
	uint64_t weight;
	bool names_event; /* the line shows the event, so the event filter applies */
};

/* Does the text of COMM need the whole line to be looked at? If not, the label is the comm alone.
 */
bool compat_comm_is_odd(const char *comm);
/* Fill OUT (its label is appended to). False when the script drops the sample. */
bool compat_header_parse(const struct compat_header *h, enum compat_label kind,
			 struct compat_sample *out);

/* Append the frames that one line of a call chain becomes, each ended by a NUL; returns how many.
 */
unsigned compat_frame_fold(const struct compat_frame *f, const struct compat_options *o,
			   struct buf *out);

#endif
