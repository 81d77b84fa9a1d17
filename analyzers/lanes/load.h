/* What weighs how much when: weight over time by key, in a bounded number of columns, while it
 * comes and nobody knows yet how long it lasts. When the columns do not suffice they become twice
 * as wide. The memory follows the keys. */
#ifndef PDTOOL_LOAD_H
#define PDTOOL_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/grid.h"
#include "parser/base/arena.h"
#include "parser/base/idmap.h"

#define LOAD_COLUMNS 512
#define LOAD_KEYS    4096 /* more share the last one */

struct load {
	struct idmap by_key;
	double *cells; /* LOAD_COLUMNS by key, in the order in which they came */
	size_t count, cap;
	uint64_t start_ns, step_ns;
	size_t used; /* columns up to the last weight */
};

void load_release(struct load *l);
/* What comes before all else is put where the first one was. */
void load_add(struct load *l, uint64_t key, uint64_t time_ns, double weight);
/* Time that passed from START_NS to END_NS: its ns, where they passed. */
void load_span(struct load *l, uint64_t key, uint64_t start_ns, uint64_t end_ns);

/* The name of KEY, for as long as the grid; NULL: leave it out. */
typedef const char *load_namer(void *ctx, uint64_t key);

/* The ROWS heaviest names, and all others in one row more, in at most COLUMNS columns. Without the
 * axes; all is kept in A. False: there is no weight. */
struct load_view {
	size_t rows, columns;
	load_namer *name;
	void *ctx;
};
bool load_grid(const struct load *l, const struct load_view *v, struct arena *a,
	       struct grid_part *out);

#endif
