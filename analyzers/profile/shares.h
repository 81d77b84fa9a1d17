/* Weights by name, of one capture or several, and by steps of time. */
#ifndef PDTOOL_SHARES_H
#define PDTOOL_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/count/answer.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/base/intern.h"

/* All of a capture that is in scope, shown or not. */
struct share_total {
	uint64_t weight;
	double squares; /* of the weights of its samples; 0: not known */
	/* of samples whose function has no name, and of those that were in another function than
	 * the innermost of their chain */
	uint64_t unnamed, apart;
};

struct share_cell {
	uint64_t step;
	uint64_t weight;
	uint32_t name;
};

struct shares {
	struct intern names;
	uint64_t *weights; /* by name id and capture: id * captures + capture */
	size_t row_count, weight_cap;
	struct share_total *totals; /* by capture */
	size_t captures;
	bool by_step; /* keep the cells */
	struct share_cell *cells;
	size_t cell_count, cell_cap;
	uint32_t *order; /* name ids, after shares_order() */
	size_t order_count;
};

void shares_init(struct shares *s, size_t captures);
void shares_release(struct shares *s);
/* The id of the row called NAME. */
uint32_t shares_name(struct shares *s, const char *name, size_t len);
/* Count WEIGHT in scope; shares_add() counts it for a row. */
void shares_scope(struct shares *s, size_t capture, uint64_t weight, double squares);
void shares_add(struct shares *s, size_t capture, uint32_t name, const struct share_cell *c);
uint64_t shares_weight(const struct shares *s, size_t capture, uint32_t name);

/* Rows become those that CHANGE makes of their names; equal ones are one. */
void shares_rename(struct shares *s, void (*change)(const char *name, size_t len, struct buf *out));

/* The order of the rows: as they were named when KEEP, else by the greatest of their shares, the
 * heaviest first; only the first TOP (0: all), with the rest added to "Others", the last. */
void shares_order(struct shares *s, bool keep, size_t top);

/* The cells as a matrix, OUT->rows in the order of the rows. What OUT points to has the lifetime of
 * A. ERR_USAGE when it would have more than SHARES_MAX_CELLS: *COLUMNS says how many steps there
 * are. */
#define SHARES_MAX_CELLS (1u << 25)
CHECKED int shares_columns(const struct shares *s, uint64_t *first, uint64_t *columns);
void shares_grid(const struct shares *s, struct answer *a, uint64_t step_ns, struct grid_part *out);

#endif
