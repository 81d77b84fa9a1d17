/* Weights by name, of one capture or two, and by steps of time. */
#ifndef PDTOOL_SHARES_H
#define PDTOOL_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/count/answer.h"
#include "analyzers/profile/cputime/ratio.h"
#include "parser/base/err.h"
#include "parser/base/intern.h"

#define SHARES_SIDES 2

struct share_row {
	uint64_t weight[SHARES_SIDES];
	double squares[SHARES_SIDES]; /* of the weights of the samples */
};

struct share_cell {
	uint64_t step;
	uint64_t weight;
	uint32_t name;
};

struct shares {
	struct intern names;
	struct share_row *rows; /* by name id */
	size_t row_count, row_cap;
	/* of all in scope, shown or not */
	uint64_t total[SHARES_SIDES];
	/* of a capture: of samples whose function has no name, and of those that were in another
	 * function than the innermost of their chain */
	uint64_t unnamed[SHARES_SIDES], apart[SHARES_SIDES];
	double squares[SHARES_SIDES];
	bool by_step; /* keep the cells */
	struct share_cell *cells;
	size_t cell_count, cell_cap;
	uint32_t *order; /* name ids, after shares_order() */
	size_t order_count;
};

void shares_release(struct shares *s);
/* The id of the row called NAME. */
uint32_t shares_name(struct shares *s, const char *name, size_t len);
/* Count WEIGHT in scope; shares_add() counts it for a row too. */
void shares_scope(struct shares *s, unsigned side, uint64_t weight, double squares);
void shares_add(struct shares *s, unsigned side, uint32_t name, const struct share_cell *c);
void shares_add_squares(struct shares *s, unsigned side, uint32_t name, double squares);

/* The order of the rows: as they were named when KEEP, else by the heavier of their shares, the
 * heaviest first; only the first TOP (0: all), with the rest added to "Others", the last. */
void shares_order(struct shares *s, bool keep, size_t top);

/* What ratio.h wants to know, but for the value. */
struct ratio_side shares_side(const struct shares *s, unsigned side, uint32_t name);

/* The cells as a matrix, OUT->rows in the order of the rows. What OUT points to has the lifetime of
 * A. ERR_USAGE when it would have more than SHARES_MAX_CELLS: *COLUMNS says how many steps there
 * are. */
#define SHARES_MAX_CELLS (1u << 25)
CHECKED int shares_columns(const struct shares *s, uint64_t *first, uint64_t *columns);
void shares_grid(const struct shares *s, struct answer *a, uint64_t step_ns, struct grid_part *out);

#endif
