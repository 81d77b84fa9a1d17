/* Taken branches, the blocks of code between them and the loops that they close, counted while
 * events flow.
 *
 * A sample holds the last branches before it, the newest first. Between where one went and where
 * the next one came from code ran in a line: a block; the cycles of the next one are its time. A
 * branch backwards that is no call closes a loop; from one time that it is taken to the next is a
 * turn.
 *
 * Call stacks that the same hardware keeps (perf record --call-graph lbr) are no branches that
 * follow each other: they make neither blocks nor loops. */
#ifndef PDTOOL_BRANCH_TABLES_H
#define PDTOOL_BRANCH_TABLES_H

#include <stdbool.h>

#include "parser/base/idmap.h"
#include "parser/pdtool_record.h"

#define BRANCH_MIXED 255

/* What is known of one: locations, and sums. */
struct branch_sums {
	uint32_t from, to;
	uint64_t count, mispredicted, predicted, aborted, in_transaction;
	uint64_t cycles, timed; /* cycles of the times of which they are recorded */
	uint8_t type;		/* of struct pdt_branch, or BRANCH_MIXED */
};

struct branch_table {
	struct idmap index;
	struct branch_sums *list;
	size_t count, cap;
};

struct branch_tables {
	struct branch_table branches;
	struct branch_table blocks; /* from the first instruction to the last */
	struct branch_table loops;  /* by the branch that closes them */
	uint64_t samples;	    /* with branches */
	uint64_t call_stacks;	    /* of these */
	uint64_t empty;		    /* entries that are all zero */
	uint64_t apart; /* two branches after each other with no code in a line between */
	bool turns;	/* count loops: set before the first sample */
	/* of one sample: the locations of each entry, and its place in branches */
	uint32_t *ends, *places;
	size_t end_cap, place_cap;
	struct turn_start *starts; /* by place in branches */
	size_t start_count, start_cap;
};

/* Where a turn may begin: what was seen of a sample, from its oldest entry on, when a branch that
 * closes a loop was taken last. */
struct turn_start {
	uint64_t sample; /* which one, from 1 on */
	uint64_t cycles;
	uint64_t untimed; /* entries without */
};

/* All zero is empty. */
void branch_tables_release(struct branch_tables *t);
/* Count the branches of E, the event that came last. */
void branch_tables_add(struct branch_tables *t, const struct pdt_event *e,
		       const struct pdt_session *s);
/* One of T that is FROM and TO, with sums of 0 when it is new. Valid until the next call. */
struct branch_sums *branch_table_at(struct branch_table *t, uint32_t from, uint32_t to);
void branch_table_release(struct branch_table *t);
/* Add FROM's sums to TO. */
void branch_sums_add(struct branch_sums *to, const struct branch_sums *from);

#endif
