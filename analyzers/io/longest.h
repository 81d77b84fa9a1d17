/* The events with the largest values, a bounded number of them: what a cell of a heat map holds,
 * for those who ask. */
#ifndef PDTOOL_LONGEST_H
#define PDTOOL_LONGEST_H

#include "analyzers/io/block_model.h"
#include "analyzers/heat/heat.h"
#include "formats/model/result.h"
#include "parser/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LONGEST_KEPT 5000

/* The first four are of all events; an I/O has the rest. */
struct longest_event {
	uint64_t time_ns, value;
	uint64_t number; /* what tells it from others: the sector, or the thread */
	uint32_t lane;	 /* id in heat.lane_names */
	uint32_t dev;
	uint64_t bytes;
	char op[BLOCK_OP];
	char comm[BLOCK_COMM];
};

struct longest {
	struct longest_event *list;
	size_t count, cap;
	uint64_t floor;	     /* once some were let go, all that are kept are above, or came first */
	uint64_t most;	     /* larger ones are in no cell; set by the caller */
	bool has_floor, ios; /* ios: they are I/Os */
	struct arena arena;
};

void longest_init(struct longest *l);
void longest_release(struct longest *l);

/* Would an event with VALUE be kept? */
static inline bool longest_wants(const struct longest *l, uint64_t value)
{
	return (!l->has_floor || value > l->floor) && value <= l->most;
}

/* P is what IO, or an event of thread TID, became; COMM may be NULL. */
void longest_add_io(struct longest *l, const struct block_io *io, const struct heat_point *p);
void longest_add(struct longest *l, const struct heat_point *p, uint32_t tid, const char *comm);
/* Hand the events to G, the largest first, LANES telling the number of each lane or NULL; of TOTAL
 * events. G's are this one's. */
void longest_result(struct longest *l, const uint32_t *lanes, uint64_t total, struct grid_part *g);

#endif
