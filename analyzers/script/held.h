/* Events that wait until there are names: rows in the order of time, in a temporary file once they
 * are many, so that memory does not grow with them. */
#ifndef PDTOOL_SCRIPT_HELD_H
#define PDTOOL_SCRIPT_HELD_H

#include "parser/base/err.h"
#include "parser/pdtool_record.h"

#include <stdio.h>

struct held {
	FILE *file;   /* NULL: nothing is there */
	char *buffer; /* its */
	uint8_t *raw; /* of the event that was read last */
	size_t cap;
	struct pdt_branch *branches; /* its */
	uint32_t *ends;
	size_t branch_cap, end_cap;
	uint64_t registers[2][64];
	uint64_t count;
	int error; /* errno of the first failure */
};

/* What was found out about an event while it was there, where it has values. */
struct held_more {
	uint32_t place; /* location of the values' address; PDT_NONE: not looked up */
	uint32_t branch_count;
	const struct pdt_branch *branches;
	const uint32_t
		*ends; /* locations: where each comes from, where it goes; NULL: not looked up */
	struct pdt_registers registers[2]; /* where it was interrupted, the program's */
};

struct held_row {
	struct pdt_event event;	  /* what lines show of it; the rest is zero */
	struct pdt_values values; /* event.values points here, unless it is NULL */
	struct held_more more;
};

/* All zero is empty. */
void held_release(struct held *h);
void held_add(struct held *h, const struct pdt_event *e, const struct held_more *more);
/* From now on held_next() begins with the first one. ERR_IO with a message in W: they could not be
 * kept. */
CHECKED int held_rewind(struct held *h, struct warnings *w);
/* The next event; what it points to stays until the next call. False: there are no more, or error
 * says why they cannot be read. */
bool held_next(struct held *h, struct held_row *row);

#endif
