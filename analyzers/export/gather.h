/* Samples on their way into a profile: by series, that is, by event and thread; each by itself, in
 * the order of time, or equal ones together. */
#ifndef PDTOOL_EXPORT_GATHER_H
#define PDTOOL_EXPORT_GATHER_H

#include "analyzers/count/samples.h"
#include "analyzers/export/trail.h"
#include "formats/model/profile.h"
#include "parser/base/idmap.h"
#include "parser/pdtool.h"

/* A sample that waits, as there are millions of them: the low halves of its time and its weight. */
struct gather_row {
	uint32_t time, weight, stack;
};

/* The weight of a row before it, where the high half of the time is not that of the row before, or
 * the weight does not fit: it has these halves, that of the weight as STACK. */
#define GATHER_HIGH UINT32_MAX

#define GATHER_RECENT 4096

struct gather {
	/* set before the first sample: more than so many are put together, UINT64_MAX: never; equal
	 * are those of one stack, with LABELS of one CPU and cgroup */
	uint64_t apart_most;
	bool labels;

	uint64_t apart;	     /* that waited */
	bool merged;	     /* they are together */
	struct trail trail;  /* while they are apart; a series for each of */
	struct samples whos; /* these */
	struct gather_recent {
		const struct pdt_desc *desc; /* NULL: none */
		uint32_t pid, tid, comm, series;
		uint64_t high; /* of the time of the row before; UINT64_MAX: not known */
	} recent[GATHER_RECENT]; /* whose series were looked up last */
	struct samples pairs;	 /* when they are together */
	struct idmap cgroup_ids;
	uint64_t *cgroups; /* labels of PAIRS are places in it, + 1 */
	size_t cgroup_count, cgroup_cap;
	/* when all are there, by event, then as they were seen first: */
	uint32_t *series; /* a who each, without label and CPU */
	size_t series_count;
	size_t *first;	  /* pairs of series i: from order[first[i]] on, up to those of the next */
	uint32_t *order;  /* places of pairs */
	size_t at, end;	  /* of the series that is being read */
	uint32_t reading; /* its who */
	uint32_t high;	  /* half of its times */
};

/* All zero, but for what is set, is empty. */
void gather_release(struct gather *r);
void gather_add(struct gather *r, const struct pdt_event *e, const struct pdt_session *s);
/* No more come. */
void gather_end(struct gather *r);
/* Whose the samples of series I are. */
static inline struct who gather_who(const struct gather *r, size_t i)
{
	return samples_who(&r->whos, r->series[i]);
}
/* Begin to read series I. */
void gather_begin(struct gather *r, size_t i);
/* False: there are no more, or trail.error says why they cannot be read. */
bool gather_next(struct gather *r, struct profile_row *row);
/* The same of MOST at a time: how many. */
size_t gather_some(struct gather *r, struct profile_row *rows, size_t most);

#endif
