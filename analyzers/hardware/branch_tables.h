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
#ifndef PDTOOL_HARDWARE_BRANCH_TABLES_H
#define PDTOOL_HARDWARE_BRANCH_TABLES_H

#include <stdbool.h>

#include "parser/base/err.h"
#include "parser/base/idmap.h"
#include "parser/pdtool_record.h"

#define BRANCH_MIXED 255

/* What is known of one: locations, and sums. Of a run FROM is the place of a branch in branches. */
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
	struct branch_table runs;   /* blocks of any length, by the branch that led there */
	uint64_t samples;	    /* with branches */
	uint64_t call_stacks;	    /* of these */
	uint64_t empty;		    /* entries that are all zero */
	uint64_t kernel;	    /* entries passed over for no_kernel */
	uint64_t apart; /* two branches after each other with no code in a line between */
	/* set before the first sample: */
	bool turns;	/* count loops */
	bool origins;	/* count runs, in place of blocks */
	bool no_kernel; /* as if branches from and to the kernel were not there */
	/* of one sample: its entries without those of the kernel, the locations of each, and its
	 * place in branches */
	struct pdt_branch *list;
	uint32_t *ends, *places;
	size_t list_cap, end_cap, place_cap;
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
/* What a capture without branches is told; returns ERR_USAGE. */
int branch_tables_lacking(const struct pdt_session *s, struct warnings *w);
/* Were of D not all branches recorded, but those of some kinds? Then others may lie between two.
 * Call stacks are another matter. */
bool branches_are_filtered(const struct pdt_desc *d);
/* One of T that is FROM and TO, with sums of 0 when it is new. Valid until the next call. */
struct branch_sums *branch_table_at(struct branch_table *t, uint32_t from, uint32_t to);
void branch_table_release(struct branch_table *t);
/* Add FROM's sums to TO. */
void branch_sums_add(struct branch_sums *to, const struct branch_sums *from);

#endif
