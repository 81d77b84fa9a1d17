/* The table of a comparison. */
#ifndef PDTOOL_DIFF_TABLE_H
#define PDTOOL_DIFF_TABLE_H

#include "analyzers/count/answer.h"
#include "analyzers/profile/diff/diff_amounts.h"

/* The first ones, after the name, are amounts. */
enum { DIFF_AMOUNTS = 8, DIFF_COLUMNS = 14 };
extern const struct column diff_columns[DIFF_COLUMNS + 1];

struct diff_table {
	struct answer *answer; /* takes the cells */
	const struct diff_amounts *amounts;
	const uint32_t *causes;	  /* by amount, see diff_order.h; NULL: none is known */
	const char *const *names; /* by id; NULL: not shown */
	double unit;		  /* what amounts are divided by */
};

/* The rows in the order of the table. */
struct diff_rows {
	const struct diff_amount **amounts;
	const char **names;
	uint8_t *marks; /* enum mark */
	const uint32_t *causes;
	const struct diff_amounts *all;
	size_t count;
};

void diff_table(const struct diff_table *t, struct diff_rows *out);
void diff_rows_release(struct diff_rows *r);
/* How a row stands out: enum mark. */
uint8_t diff_mark(const struct diff_amount *m);

#endif
