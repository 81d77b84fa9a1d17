/* What a capture holds of that which filters ask for, counted before any filter: to say what there
 * is when nothing passes. Only what is asked for is counted, and only of samples. */
#ifndef PDTOOL_SEEN_H
#define PDTOOL_SEEN_H

#include "parser/base/idmap.h"
#include "parser/filter.h"
#include "parser/pdtool.h"

/* Samples by a number, up to a bound on how many different ones there are. */
struct seen_numbers {
	struct idmap places;
	struct seen_number {
		uint64_t value, samples;
	} * list;
	size_t count, cap;
};

/* All zero is empty. */
struct seen {
	struct seen_numbers pids, tids, cpus;
	struct seen_numbers comms; /* by id; samples of threads without a name are not there */
	uint64_t in_times;	   /* samples in the ranges of --time */
};

/* E is a sample of a thread with the command COMM (an id; PDT_NONE: none). */
void seen_sample(struct seen *s, const struct filter *f, const struct pdt_event *e, uint32_t comm);
void seen_release(struct seen *s);
/* And what FROM has seen of the same capture; COMMS: by ids of its commands: those of S's. */
void seen_take(struct seen *s, const struct seen *from, const uint32_t *comms);

/* How many samples there are whose number L lets pass. */
uint64_t seen_passing(const struct seen_numbers *n, const struct num_list *l);

struct pdt_session;

/* What S has seen. */
const struct seen *seen_of(const struct pdt_session *s);

#endif
