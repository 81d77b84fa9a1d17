/* PAGE: samples one by one over a tree of named stacks, and rows of other facts beside them, for a
 * page that counts any part of them by itself. Ids count from 0; PAGE_NONE: not known. */
#ifndef PDTOOL_MODEL_PAGE_H
#define PDTOOL_MODEL_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_NONE     UINT32_MAX
#define PAGE_CAPTURES 2

struct page_event {
	const char *name;
	const char *unit;      /* of its weights: "ns", or what it counts */
	const char *unit_line; /* that folded text of it begins with, where a sample weighs 0 */
	uint64_t samples;
	uint64_t rate[PAGE_CAPTURES]; /* a frequency or a period; 0: not known */
};

/* What a comparison of a capture needs to know. */
struct page_input {
	uint64_t first_ns, last_ns;	     /* of all of its samples, on the clock of the rows */
	uint64_t duration_ns, lost, samples; /* of what is shown; samples: that were recorded */
	uint32_t cpus;			     /* online; 0: not known */
	bool system_wide;
};

struct page_thread {
	const char *comm;
	uint32_t pid, tid; /* PAGE_NONE: not recorded */
	uint32_t capture;
};

/* Where a stack leads, the root frames first: a node comes before all that are below it, and these
 * follow it; those beside each other in the order of folded text. */
struct page_node {
	uint32_t name;	/* in names[]: as in folded text */
	uint32_t depth; /* 0: a root */
};

struct page_row {
	uint64_t time_ns;		   /* of all captures on one clock */
	uint64_t weight, samples;	   /* samples: how many it is */
	uint32_t event, thread, cpu, node; /* node: of the innermost frame */
	uint32_t capture;		   /* those of the first one come first */
};

struct page_capture {
	struct page_input input;
	uint64_t shift_ns; /* modulo 2^64: its clock's times and this are those of the rows */
	bool has_time;
	bool stored; /* part of a store: what series "recorded" has was recorded, nothing else */
	bool beside; /* series have rows of it, on the clock of all, between: */
	uint64_t beside_first_ns, beside_last_ns;
	int64_t wall_ns; /* of the clock's 0, since 1970 */
	bool has_wall;
	const char *path, *host, *os, *arch, *command; /* NULL: not known */
};

enum page_column_kind {
	PAGE_NUMBER,
	PAGE_SUM, /* of rows that are equal in all others but PAGE_TIME, their sum stands for all */
	PAGE_TIME, /* ns, of all captures on one clock */
	PAGE_THREAD,
	PAGE_NODE, /* of a stack's innermost frame, + 1; 0: there is none */
};

struct page_column {
	const char *name;
	enum page_column_kind kind;
};

/* Rows of numbers. The first two columns are when something began, and its length in ns. */
struct page_series {
	const char *name;
	const struct page_column *columns;
	size_t column_count;
	const char *const *texts; /* what numbers of some columns stand for */
	size_t text_count;
	uint64_t rows;
};

struct page_part {
	const struct page_event *events;
	size_t event_count;
	const struct page_thread *threads;
	size_t thread_count;
	const char *const *names;
	const uint8_t *kinds;	    /* by name: enum frame_kind */
	const char *const *modules; /* by name: where it is, "" where that is not known */
	const struct page_node *nodes;
	size_t node_count, name_count;
	/* Begin with the first row. */
	void (*begin)(void *ctx);
	/* The next one, mostly in the order of time. False: there are no more, or *ERROR, an errno,
	 * says why they cannot be had. */
	bool (*next)(void *ctx, struct page_row *row, int *error);
	const struct page_series *series;
	size_t series_count;
	/* The same of the rows of series I. */
	void (*begin_series)(void *ctx, size_t i);
	bool (*next_of_series)(void *ctx, size_t i, uint64_t *row, int *error);
	void *ctx;
	uint64_t budget_bytes; /* what the page should not be larger than */
	/* Times are told apart no further; 0: as they are. Then rows are no single samples: what
	 * is equal in all but its weight is one. At least 2. */
	uint64_t step_us;
	const struct page_capture *captures;
	size_t capture_count;
};

#endif
