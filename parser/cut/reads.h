/* Counters that samples read (PERF_SAMPLE_READ): each shows all that was counted so far, and a
 * sample weighs what its counters grew by since the one before. Where samples are left out, what
 * they stood for must not fall to the next one: the values that are written grow by what samples
 * that stay stand for. */
#ifndef PDTOOL_CUT_READS_H
#define PDTOOL_CUT_READS_H

#include "parser/eventname.h"
#include "parser/feed/counters.h"
#include "parser/filter.h"
#include "parser/record/sample.h"

/* All zero, but for the events that pass, is empty. */
struct reads {
	const struct name_list *events;
	struct event_choice choice;
	struct counters was;   /* in the capture */
	struct last_values is; /* in the cut */
};

/* S, of events E, comes next; it reads ids. OUT: its read_format in the record that is written;
 * NULL: it is left out. */
void reads_sum(struct reads *r, const struct event_list *e, const struct sample *s, uint8_t *out);
void reads_release(struct reads *r);

#endif
