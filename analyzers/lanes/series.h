/* What subjects know of time beside the samples, as rows of numbers (formats/model/page.h): who
 * owns such facts offers them by one row of functions, and the page takes them. The rows are in
 * page/beside.c, so the page knows no subject and the subjects do not know each other. */
#ifndef PDTOOL_LANES_SERIES_H
#define PDTOOL_LANES_SERIES_H

#include "formats/model/page.h"
#include "parser/pdtool.h"

struct folding;

/* Where a source puts its rows. */
struct series_sink {
	/* Of its series I, with as many numbers as that has columns. A PAGE_THREAD comes from
	 * thread(), a PAGE_NODE is 0 or 1 + a key of the source's own. */
	void (*add)(void *ctx, size_t i, const uint64_t *row);
	/* The number of a thread; COMM may be NULL. */
	uint32_t (*thread)(void *ctx, const char *comm, uint32_t pid, uint32_t tid);
	/* The number of a text of series I. */
	uint32_t (*text)(void *ctx, size_t i, const char *text);
	void *ctx;
};

/* A series of a source: the first two columns are when, and for how long. */
struct series_kind {
	const char *name;
	const struct page_column *columns; /* ends with an all-zero one */
};

struct series_source {
	const struct series_kind *kinds;
	size_t count;
	size_t state_size; /* zero before begin() */
	unsigned wants;	   /* enum pdt_want */
	void (*begin)(void *state, const struct series_sink *to);
	/* Any event, in the order of time. */
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s);
	/* All are read. */
	void (*end)(void *state);
	/* Push the stack of KEY, root first, into the row of TO that was begun. False: filters by
	 * function leave it out. NULL: it has no stacks. */
	bool (*stack)(void *state, const struct pdt_session *s, struct folding *to, uint64_t key);
	void (*release)(void *state);
};

extern const struct series_source sched_series;
extern const struct series_source io_series;

#endif
