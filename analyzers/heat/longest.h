/* The events with the largest values, a bounded number of them: what a cell of a heat map holds,
 * for those who ask. */
#ifndef PDTOOL_LONGEST_H
#define PDTOOL_LONGEST_H

#include "analyzers/heat/heat.h"
#include "formats/model/result.h"
#include "parser/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LONGEST_KEPT 5000

#define LONGEST_DETAIL 32
#define LONGEST_LABEL  96

struct longest_event {
	uint64_t time_ns, value;
	uint64_t number; /* what tells it from others: the sector, or the thread */
	uint32_t lane;	 /* id in heat.lane_names */
	_Alignas(8) char detail[LONGEST_DETAIL]; /* what the label is made of; 0 behind it */
};

struct longest {
	struct longest_event *list;
	size_t count, cap;
	uint64_t floor; /* once some were let go, all that are kept are above, or came first */
	uint64_t most;	/* larger ones are in no cell; set by the caller */
	bool has_floor;
	/* Writes what stands for an event with DETAIL; NULL: DETAIL is that text. */
	size_t (*label)(char text[LONGEST_LABEL], const void *detail);
	/* Whose doing an event with DETAIL is; NULL: DETAIL is that text. */
	const char *(*who)(const void *detail);
	const char *number_name; /* NULL: "tid" */
	struct arena arena;
};

void longest_init(struct longest *l);
void longest_release(struct longest *l);

/* Would an event with VALUE be kept? */
static inline bool longest_wants(const struct longest *l, uint64_t value)
{
	return (!l->has_floor || value > l->floor) && value <= l->most;
}

/* The last point of H is what an event became; SIZE bytes at DETAIL say more of it, one less than
 * LONGEST_DETAIL are kept. */
void longest_add(struct longest *l, const struct heat *h, uint64_t number, const void *detail,
		 size_t size);
/* Hand the events to G, the largest first, LANES telling the number of each lane or NULL; of TOTAL
 * events. G's are this one's. */
void longest_result(struct longest *l, const uint32_t *lanes, uint64_t total, struct grid_part *g);

#endif
