/* The instructions of blocks and loops: a row for each, below what is known of the block or loop,
 * with how often each instruction ran. Code is what the symbol sources have of the recorded
 * programs, as with annotate: where that is nothing, the row says so. */
#ifndef PDTOOL_BRANCH_CODE_H
#define PDTOOL_BRANCH_CODE_H

#include "analyzers/branch/columns.h"

/* How much code is read for it, and how many rows it may become. */
#define BRANCH_CODE_MAX (16u << 20)
#define BRANCH_ROWS_MAX 250000

/* A place where blocks begin, or end: so many ran. */
struct code_edge {
	uint32_t module;
	uint64_t offset;
	uint64_t count; /* and of all edges before it */
};

struct branch_code {
	struct answer *answer;
	const struct pdt_session *session;
	bool intel;
	struct code_edge *begins, *ends; /* by place: of all blocks */
	size_t edge_count;
	struct table_note *notes;
	size_t note_count, note_cap;
	struct table_listing listing;
	uint64_t code_read; /* bytes */
	size_t rows;
	uint64_t shown, without, cut; /* blocks or loops: in all, without their code, not shown */
	const char *refusal;	      /* why the first of these has none */
};

/* C is all zero but for its answer and INTEL. BLOCKS: all that ran. */
void branch_code_begin(struct branch_code *c, const struct pdt_session *s,
		       const struct branch_table *blocks);
/* The rows of R, a block or a loop, which is the RANK-th. */
void branch_code_add(struct branch_code *c, const struct branch_row *r, uint64_t rank);
/* What could not be shown, as facts. */
void branch_code_end(struct branch_code *c);
/* The columns, with an end. */
extern const struct column branch_code_columns[];
/* How people see T, its rows. */
void branch_code_shape(struct branch_code *c, struct table_part *t);
void branch_code_release(struct branch_code *c);

#endif
