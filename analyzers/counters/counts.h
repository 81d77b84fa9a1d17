/* What the counters of perf stat came to, by where they counted, round by round. */
#ifndef PDTOOL_COUNTERS_COUNTS_H
#define PDTOOL_COUNTERS_COUNTS_H

#include "parser/base/intern.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_record.h"

enum count_by {
	COUNT_BY_ALL,
	COUNT_BY_CPU,
	COUNT_BY_SOCKET,
	COUNT_BY_DIE,
	COUNT_BY_CORE,
	COUNT_BY_THREAD,
};

/* What is not asked for, or not told, is -1. Compared as bytes: no padding. */
struct count_place {
	int32_t socket, die, core, cpu, thread;
	int32_t other; /* of text: a node, a cgroup */
};

struct count {
	uint64_t scaled, value, enabled_ns, running_ns;
	uint64_t readings; /* 0: the counter was not there */
	uint64_t idle;	   /* of those, when it had not run since the one before */
	/* Of the mean of repeated runs: */
	double mean;   /* as it is; 0: SCALED */
	double error2; /* the square of its standard error */
	uint32_t runs; /* 0: not told */
	uint32_t told; /* of text: 1 + the first of its metrics; 0: none, or of several counts */
};

/* A metric as text tells it, of one count. */
struct told_metric {
	double value;
	const char *unit;
	bool last; /* of its count */
};

struct count_entry {
	uint32_t cell;
	struct count count;
};

struct count_round {
	uint64_t time_ns;    /* 0: not told */
	bool last;	     /* the counters were read when it was over, not for an interval */
	bool rest;	     /* they were read after the last round: since then */
	uint32_t run;	     /* of repeated ones */
	size_t first, count; /* of its entries */
};

struct counts {
	enum count_by by;
	struct intern places; /* struct count_place */
	struct intern cells;  /* of a place and an event */
	struct count_entry *entries;
	size_t entry_count, entry_cap;
	struct count_round *rounds;
	size_t round_count, round_cap;
	size_t *in_round; /* by cell: 1 + its entry in the round that goes on, 0: none yet */
	size_t cell_count, cell_cap;
	struct count *loaded; /* by cell, when all was read: what counts_load() brought */
	struct told_metric *told;
	size_t told_count, told_cap;
	bool held;		/* a sum is held at 2^64 - 1 */
	uint32_t run;		/* the one that counts are added of */
	const uint32_t *events; /* what the events of its capture are here; NULL: the same */
};

/* All zero but for BY is empty. */
void counts_release(struct counts *c);
/* E came just now, a PDT_COUNTER or a PDT_ROUND. */
void counts_add(struct counts *c, const struct pdt_event *e, const struct pdt_session *s);
/* The same of text: K is of EVENT at P, which is not there yet in the round that goes on. */
void counts_put(struct counts *c, const struct count_place *p, uint32_t event,
		const struct count *k);
bool counts_has(const struct counts *c, const struct count_place *p, uint32_t event);
/* The count that was put last has one metric more. */
void counts_tell(struct counts *c, double value, const char *unit);
void counts_end_round(struct counts *c, const struct count_round *r);
/* Take back the rounds from R on. */
void counts_drop_rounds(struct counts *c, size_t r);
/* All of a run was read: what is left becomes a round, too. Returns whether something was. */
bool counts_end_run(struct counts *c);
/* All was read. */
void counts_end(struct counts *c);
size_t counts_places(const struct counts *c);
struct count_place counts_place(const struct counts *c, size_t place);
/* Places in the order in which they are shown: room for all at ORDER. */
void counts_order(const struct counts *c, size_t *order);
/* After counts_end(): what counts_at() tells grows by round R, or is zero again for what that has.
 */
void counts_load(struct counts *c, size_t r);
void counts_unload(struct counts *c, size_t r);
/* The same of all: their sums; of several runs, RUNS of them, the means of these. */
void counts_load_all(struct counts *c, uint32_t runs);
void counts_where(const struct counts *c, uint32_t cell, size_t *place, size_t *event);
struct count counts_at(const struct counts *c, size_t place, size_t event);

#endif
