/* Two events that belong together, by a key that both have: a call and its return, a request and
 * its answer. Where the key is the thread, it is in one at a time: what it had begun before cannot
 * end any more. Of several begun with another key the newest is ended, as ends get lost. */
#ifndef PDTOOL_PAIRS_H
#define PDTOOL_PAIRS_H

#include "analyzers/count/inflight.h"
#include "analyzers/heat/picked.h"

struct pairs {
	struct picked begin, end;
	struct inflight inflight;
	uint64_t *times; /* by slot: of the begin */
	size_t time_cap;
	bool oldest_first;
	bool by_thread; /* the key is the thread and nothing else */
	uint64_t begins, ends, matched;
	uint64_t stray_ends; /* without a begin */
	uint64_t unended;    /* begins without an end */
	uint64_t restarted;  /* begins dropped, as their thread began again */
	uint64_t keyless;    /* events whose key could not be read */
	uint64_t nested;     /* ends that could have been another's */
};

void pairs_init(struct pairs *p);
void pairs_release(struct pairs *p);
/* What to pair: EVENTS are the patterns of the begins and the ends, KEY the fields of each; none:
 * the thread. All must live as long as P. */
void pairs_pick(struct pairs *p, const char *const events[2], const struct name_list key[2]);
/* Take E. True when it ends what began at *BEGIN_NS. */
bool pairs_event(struct pairs *p, const struct pdt_event *e, uint64_t *begin_ns);
/* The capture is read. */
void pairs_end(struct pairs *p);

#endif
