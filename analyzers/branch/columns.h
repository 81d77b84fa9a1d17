/* What is shown of branches, of pairs of functions, of blocks and of loops: which columns, and the
 * cells of a row. */
#ifndef PDTOOL_BRANCH_COLUMNS_H
#define PDTOOL_BRANCH_COLUMNS_H

#include "analyzers/hardware/branch_tables.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"

/* What a row is of. */
enum branch_by { BY_BRANCH, BY_FUNCTION, BY_BLOCK, BY_LOOP, BRANCH_BYS };

struct branch_row {
	const struct branch_sums *sums;
	const struct pdt_session *session;
	enum branch_by by;
	double whole; /* what its share is of */
};

#define BRANCH_COLUMNS_MAX 24

/* Put the columns of rows BY into OUT, with an end; how many of them people see. */
size_t branch_columns(enum branch_by by, struct column out[BRANCH_COLUMNS_MAX]);
/* The cells of R. */
void branch_cells(struct answer *a, const struct branch_row *r);

/* "main+0x12", "[libc.so.6]+0x1234"; without OFFSET the function alone. */
void branch_place_text(struct place p, bool offset, struct buf *out);
/* Its part of what such rows are ordered by, in percent. */
double branch_share(const struct branch_row *r);
/* In percent, of those of which it is told; NAN: of none. */
double branch_mispredicted(const struct branch_sums *r);
/* On average; NAN: not recorded. */
double branch_cycles(const struct branch_sums *r);
/* "COND", "mixed" */
const char *branch_type_text(const struct branch_sums *r);
/* From the first instruction of a block or loop to the beginning of the last one. */
uint64_t branch_bytes(const struct branch_row *r);

#endif
