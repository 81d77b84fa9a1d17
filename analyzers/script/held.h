/* Events that wait until there are names: rows in the order of time, in a temporary file once they
 * are many, so that memory does not grow with them. */
#ifndef PDTOOL_SCRIPT_HELD_H
#define PDTOOL_SCRIPT_HELD_H

#include "parser/base/err.h"
#include "parser/pdtool_record.h"

#define HELD_AHEAD 4   /* how many may look ahead */
#define HELD_SLOTS 256 /* for what events have in common */

/* Before a row of the block at hand. */
struct held_place {
	uint32_t at, row;
};

struct held {
	int fd;		/* 1 + the file's; 0: there is none */
	uint8_t *block; /* whole rows, USED bytes while it is filled */
	size_t used;
	uint64_t blocks; /* that were written */
	uint64_t at;	 /* the one that is read */
	struct held_place next, ahead[HELD_AHEAD];
	const struct held_common *common[HELD_SLOTS]; /* in the block, by slot; or NULL */
	uint64_t count, stacked; /* all; those without a place (pdt_event.place) */
	int error;		 /* errno of the first failure */
};

/* Of an event that comes soon. */
struct held_coming {
	uint32_t stack, chain, place;
};

/* What was found out about an event while it was there, where it has values. */
struct held_more {
	uint32_t place; /* location of the values' address; PDT_NONE: not looked up */
	uint32_t depth; /* of calls, in a trace */
	uint32_t branch_count;
	const struct pdt_branch *branches;
	const uint32_t
		*ends; /* locations: where each comes from, where it goes; NULL: not looked up */
	struct pdt_registers registers[2]; /* where it was interrupted, the program's */
};

struct held_row {
	struct pdt_event event; /* what lines show of it; the rest is zero */
	struct held_more more;
};

/* All zero is empty. */
void held_release(struct held *h);
/* MORE: NULL: E records nothing of that, nor values. */
void held_add(struct held *h, const struct pdt_event *e, const struct held_more *more);
/* From now on held_next() begins with the first one. ERR_IO with a message in W: they could not be
 * kept. */
CHECKED int held_rewind(struct held *h, struct warnings *w);
/* The next event; what it points to stays until the next call. ROW is zero, or what came before.
 * False: there are no more, or error says why they cannot be read. */
bool held_next(struct held *h, struct held_row *row);
/* Who looks ahead, WHO, gets *OUT of each event once, up to DISTANCE events before held_next() has
 * it. False: that is all for now. */
bool held_look(struct held *h, unsigned who, struct held_coming *out);
static inline bool held_ahead(struct held *h, unsigned who, uint32_t distance,
			      struct held_coming *out)
{
	return h->ahead[who].row <= h->next.row + distance && held_look(h, who, out);
}

#endif
